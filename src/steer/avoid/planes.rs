//! The velocity nearest to the one that is wanted, among those that a few half-planes and a top speed allow.
//!
//! A linear program in two dimensions: the half-planes are added one by one, and only when one forbids the best velocity so far
//! is another sought, on its edge. Where nothing satisfies all of them, the walls keep their word and the velocity is taken
//! that comes off worst by the least.

use glam::Vec2;

/// Two edges of half-planes with a smaller sine between them are parallel.
const PARALLEL: f32 = 1e-5;

/// The velocities on the left of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plane {
    /// A velocity on the edge.
    pub point: Vec2,
    /// Along the edge, a unit vector.
    pub along: Vec2,
}

impl Plane {
    /// The velocities `v` with `normal · (v − point) ≥ 0`.
    pub fn beyond(point: Vec2, normal: Vec2) -> Self {
        Self { point, along: Vec2::new(normal.y, -normal.x) }
    }
    /// Whether it is made of numbers that can be reckoned with.
    pub fn is_sound(&self) -> bool {
        self.point.abs().max_element() < 1e9 && self.along.is_finite()
    }
    /// By how much a velocity is on the wrong side; negative on the right one.
    fn violation(&self, velocity: Vec2) -> f32 {
        self.along.perp_dot(self.point - velocity)
    }
}

/// What is wanted of the program.
#[derive(Clone, Copy)]
enum Want {
    /// As near to this as can be.
    Near(Vec2),
    /// As far along this unit vector as can be.
    Along(Vec2),
}

/// The best velocity of at most `top` for `wanted`; the first `hard` planes are kept whatever happens to the others. `spare` is room.
pub(super) fn best(planes: &[Plane], hard: usize, top: f32, wanted: Vec2, spare: &mut Vec<Plane>) -> Vec2 {
    let (velocity, failed) = satisfy(planes, top, Want::Near(wanted));
    let velocity = match failed {
        None => velocity,
        Some(failed) => least_bad(planes, hard, failed, top, velocity, spare),
    };
    velocity.clamp_length_max(top)
}

/// The best velocity for as many planes as go, and which was the first that did not.
fn satisfy(planes: &[Plane], top: f32, want: Want) -> (Vec2, Option<usize>) {
    let mut velocity = match want {
        Want::Along(way) => way * top,
        Want::Near(wanted) => wanted.clamp_length_max(top),
    };
    for (number, plane) in planes.iter().enumerate() {
        if plane.violation(velocity) <= 0.0 {
            continue;
        }
        match on_edge(planes, number, top, want) {
            Some(better) => velocity = better,
            None => return (velocity, Some(number)),
        }
    }
    (velocity, None)
}

/// The best velocity on the edge of plane `number` that those before it allow.
fn on_edge(planes: &[Plane], number: usize, top: f32, want: Want) -> Option<Vec2> {
    let plane = &planes[number];
    let middle = plane.point.dot(plane.along);
    let room = middle * middle + top * top - plane.point.length_squared();
    if room < 0.0 {
        return None;
    }
    let half = libm::sqrtf(room);
    let (mut low, mut high) = (-middle - half, -middle + half);
    for other in &planes[..number] {
        let turn = plane.along.perp_dot(other.along);
        let beside = other.along.perp_dot(plane.point - other.point);
        if turn.abs() <= PARALLEL {
            if beside < 0.0 {
                return None;
            }
            continue;
        }
        let cut = beside / turn;
        if turn > 0.0 {
            high = high.min(cut);
        } else {
            low = low.max(cut);
        }
        if low > high {
            return None;
        }
    }
    // Written so that what is not a number is no way out either.
    if !matches!(low.partial_cmp(&high), Some(std::cmp::Ordering::Less | std::cmp::Ordering::Equal)) {
        return None;
    }
    let at = match want {
        Want::Along(way) => {
            if way.dot(plane.along) > 0.0 {
                high
            } else {
                low
            }
        }
        Want::Near(wanted) => plane.along.dot(wanted - plane.point).clamp(low, high),
    };
    Some(plane.point + plane.along * at)
}

/// The velocity whose worst violation of a plane from `from` on is least, among those that the `hard` ones allow.
fn least_bad(
    planes: &[Plane],
    hard: usize,
    from: usize,
    top: f32,
    start: Vec2,
    spare: &mut Vec<Plane>,
) -> Vec2 {
    let mut velocity = start;
    let mut worst = 0.0;
    for (number, plane) in planes.iter().enumerate().skip(from.max(hard)) {
        if plane.violation(velocity) <= worst {
            continue;
        }
        spare.clear();
        spare.extend_from_slice(&planes[..hard]);
        spare.extend(planes[hard..number].iter().filter_map(|other| as_bad(plane, other)));
        let out = Vec2::new(-plane.along.y, plane.along.x);
        let (better, failed) = satisfy(spare, top, Want::Along(out));
        // By rounding alone nothing may be left of what is known to be possible: then it stays as it was.
        if failed.is_none() {
            velocity = better;
        }
        worst = plane.violation(velocity).max(0.0);
    }
    velocity
}

/// The velocities that violate `other` by no more than `plane`; `None` when those are all.
fn as_bad(plane: &Plane, other: &Plane) -> Option<Plane> {
    let turn = plane.along.perp_dot(other.along);
    let point = if turn.abs() <= PARALLEL {
        if plane.along.dot(other.along) > 0.0 {
            return None;
        }
        (plane.point + other.point) * 0.5
    } else {
        plane.point + plane.along * (other.along.perp_dot(plane.point - other.point) / turn)
    };
    let along = (other.along - plane.along).normalize_or_zero();
    (along != Vec2::ZERO).then_some(Plane { point, along })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane(angle: f32, offset: f32) -> Plane {
        let normal = Vec2::new(libm::cosf(angle), libm::sinf(angle));
        Plane::beyond(normal * offset, normal)
    }

    /// The best by trying a fine lattice: least worst violation first, then the distance from what is wanted.
    fn tried(planes: &[Plane], hard: usize, top: f32, wanted: Vec2) -> (f32, f32) {
        let worst = |v: Vec2| planes[hard..].iter().map(|plane| plane.violation(v)).fold(0.0, f32::max);
        let mut best = (f32::MAX, f32::MAX);
        for x in -100..=100 {
            for y in -100..=100 {
                let v = Vec2::new(x as f32, y as f32) * (top / 100.0);
                if v.length() > top || planes[..hard].iter().any(|plane| plane.violation(v) > 0.0) {
                    continue;
                }
                let found = (worst(v), v.distance(wanted));
                if found.0 < best.0 - 1e-6 || (found.0 <= best.0 + 1e-6 && found.1 < best.1) {
                    best = found;
                }
            }
        }
        best
    }

    #[test]
    fn it_is_as_good_as_trying_every_velocity() {
        let mut dice = crate::rng::Dice::new(5, &[]);
        let mut spare = Vec::new();
        let (mut free, mut pressed) = (0, 0);
        for case in 0..300 {
            let count = 1 + case % 9;
            let offset = if case % 2 == 0 { -1.5..0.5 } else { -0.5..2.0 };
            let hard = case % 3;
            let planes: Vec<Plane> = (0..count)
                .map(|number| {
                    let low = if number < hard { (-3.0, -0.5) } else { (offset.start, offset.end) };
                    plane(dice.range(-3.0, 3.0) as f32, dice.range(low.0, low.1) as f32)
                })
                .collect();
            let hard = hard.min(count);
            let wanted = Vec2::new(dice.range(-3.0, 3.0) as f32, dice.range(-3.0, 3.0) as f32);
            let found = best(&planes, hard, 3.0, wanted, &mut spare);
            let (worst, distance) = tried(&planes, hard, 3.0, wanted);
            assert!(found.is_finite() && found.length() <= 3.001, "case {case}: {found}");
            assert!(planes[..hard].iter().all(|plane| plane.violation(found) < 1e-3), "case {case}");
            let own = planes[hard..].iter().map(|plane| plane.violation(found)).fold(0.0, f32::max);
            assert!(own <= worst + 0.05, "case {case}: violates by {own}, {worst} is enough");
            if own < 1e-4 && worst < 1e-4 {
                free += 1;
                assert!(found.distance(wanted) <= distance + 0.05, "case {case}: {found} for {wanted}");
            } else {
                pressed += 1;
            }
        }
        assert!(free > 60 && pressed > 60, "{free} possible, {pressed} not");
    }
}
