//! Containment: stay inside a region.
//!
//! It trims what the other rules want (a *bound*). Along each edge of the region the part of the velocity that leads out is cut to what can still be braked before the edge:
//! `v·n ≤ sqrt(2·a·s)` with `s` the way left to the edge, less a `margin`. The part along the edge is kept, so that one slides along it and is not held. Who is outside already is
//! brought back in, at the speed from which it can stop inside. Reynolds (1999) predicts a point and steers away from where it leaves; that wobbles along the edge and
//! leaves where others push.
//!
//! A circle (`radius`) and a box (`width` along x, `depth` along z) lie round the point; an outline is given by its corners, in either order, and need not be convex. It feels like an invisible
//! fence: leashes, arenas, guarded yards.

use super::{About, Behaviour, Class, Me, Near, Order, arrive};
use crate::args::Param;
use crate::math::{Vec3, flat, unit_or, vec3};

/// The declaration of `containment`.
///
/// Of an outline the order holds two edges, from [`edges_of`]: `point` and `second`, `offset` and `second_velocity`.
pub const DEF: Behaviour = Behaviour {
    name: "containment",
    class: Class::Bound,
    about: About::Region,
    doc: "stays inside a region, and comes back into it",
    formula: "v - n * max(0, v . n - sqrt(2 a s)) for each edge, n out of it and s the way left to it less margin",
    params: &[RADIUS, WIDTH, DEPTH, MARGIN],
    needs_edges: false,
    needs_neighbours: false,
    run,
};

const RADIUS: Param =
    Param::number("radius", "of a round region").unit("m").range(0.0, f64::INFINITY).optional().live();
const WIDTH: Param =
    Param::number("width", "of a box, along x").unit("m").range(0.0, f64::INFINITY).optional().live();
const DEPTH: Param = Param::number("depth", "of a box, along z; as its width when left out")
    .unit("m")
    .range(0.0, f64::INFINITY)
    .optional()
    .live();
const MARGIN: Param = Param::number(
    "margin",
    "how far inside the edge its middle stays; a body radius when left out, so that all of it stays inside",
)
.unit("m")
.range(0.0, f64::INFINITY)
.optional()
.live();

fn run(me: &Me, order: &Order, _: &Near, dt: f32) -> Vec3 {
    let desired = me.limited(me.plane(order.velocity));
    let [radius, width, depth, _] = order.numbers;
    let margin = margin(me, order);
    let offset = -flat(me.to(order.point));
    if radius > 0.0 {
        let out = unit_or(offset, Vec3::ZERO);
        return trimmed(me, desired, out, radius - margin - offset.length(), dt);
    }
    if width > 0.0 {
        let half = vec3(0.5 * width, 0.0, 0.5 * if depth > 0.0 { depth } else { width });
        let sides = [Vec3::X, -Vec3::X, Vec3::Z, -Vec3::Z];
        return sides.into_iter().fold(desired, |v, out| {
            let room = half.dot(out.abs()) - margin - offset.dot(out);
            trimmed(me, v, out, room, dt)
        });
    }
    [(order.point, order.second), (order.offset, order.second_velocity)].into_iter().fold(
        desired,
        |v, edge| {
            let inwards = unit_or(edge.1, Vec3::ZERO);
            trimmed(me, v, -inwards, -flat(me.to(edge.0)).dot(inwards) - margin, dt)
        },
    )
}

/// How far inside the edge its middle stays, m: as given, or a body radius.
pub(super) fn margin(me: &Me, order: &Order) -> f32 {
    order.number(3, me.radius.max(0.0))
}

/// `v` with the part that leads along `out` cut to what can be braked in `room`; without room it leads back in.
fn trimmed(me: &Me, v: Vec3, out: Vec3, room: f32, dt: f32) -> Vec3 {
    let most = if room >= 0.0 {
        arrive::braking_speed(me, room, 0.0, dt)
    } else {
        -arrive::braking_speed(me, -room, 0.0, dt).min(me.max_speed.max(0.0))
    };
    let over = v.dot(out) - most;
    if over > 0.0 && over.is_finite() { me.limited(v - out * over) } else { v }
}

/// The two edges of the region within an outline that bind first, each as a point on it and the unit vector into the region there.
///
/// Those to which `place` is nearest, less what `ahead` leads towards them (the way to where one could have stopped, m): so both edges of a corner count
/// for one who stands in it, and the far edge for one who runs at it. `None` for fewer than three corners.
pub fn edges_of(outline: &[Vec3], place: Vec3, ahead: Vec3) -> Option<[(Vec3, Vec3); 2]> {
    if outline.len() < 3 || !place.is_finite() {
        return None;
    }
    let inside = if is_inside(outline, place) { 1.0 } else { -1.0 };
    let mut first = (f32::INFINITY, (place, Vec3::ZERO));
    let mut second = first;
    for (number, from) in outline.iter().enumerate() {
        let (distance, point, inwards) = edge(*from, outline[(number + 1) % outline.len()], place, inside);
        let next = (distance - flat(ahead).dot(-inwards).max(0.0), (point, inwards));
        if next.0 < first.0 {
            (first, second) = (next, first);
        } else if next.0 < second.0 {
            second = next;
        }
    }
    // Who is outside is brought in by the nearest edge alone: another may lead away from it.
    Some([first.1, if inside > 0.0 { second.1 } else { first.1 }])
}

/// How far `place` is from an edge, the nearest point on it, and the unit vector into the region there.
fn edge(from: Vec3, to: Vec3, place: Vec3, inside: f32) -> (f32, Vec3, Vec3) {
    let along = flat(to - from);
    let share = (flat(place - from).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
    let point = from + along * share;
    let way = flat(place - point);
    let across = unit_or(vec3(-along.z, 0.0, along.x), Vec3::X);
    (way.length(), point, unit_or(way, across) * inside)
}

/// Whether `place` is inside an outline, counted by crossings.
pub fn is_inside(outline: &[Vec3], place: Vec3) -> bool {
    let crosses = |(number, a): (usize, &Vec3)| {
        let b = outline[(number + 1) % outline.len()];
        (a.z > place.z) != (b.z > place.z) && place.x < (b.x - a.x) * (place.z - a.z) / (b.z - a.z) + a.x
    };
    outline.iter().enumerate().filter(|edge| crosses(*edge)).count() % 2 == 1
}
