//! Walking to a place without walking through the middle.

use super::{Place, Ring};
use crate::math::{Vec3, angle_of, clamp_length, direction, flat, unit_or, wrap_angle};
use crate::steer::{Me, Near, Order, arrive, combine_heading};
use std::f32::consts::TAU;

/// How far round the circle one looks ahead when one walks along it, rad.
const ARC_STEP: f32 = 0.35;

/// How one gets from a point past a circle to another point.
struct Detour {
    radius: f32,
    from_angle: f32,
    /// Angle between the start and where its tangent touches.
    tangent: f32,
    /// Arc that is walked along the circle, signed.
    arc: f32,
    side: f32,
    length: f32,
}

/// The detour from `from` to `place`, or `None` when the straight way keeps out of the circle.
///
/// Who stands inside the circle, or has a place there, walks round on what radius they have.
fn detour(from: Vec3, place: Vec3, centre: Vec3, inner: f32) -> Option<Detour> {
    let (a, b) = (flat(from - centre), flat(place - centre));
    let (start, end) = (a.length(), b.length());
    let radius = inner.min(start).min(end);
    let way = b - a;
    let along = (-a.dot(way) / way.length_squared().max(1e-12)).clamp(0.0, 1.0);
    if radius.is_nan() || radius <= 1e-3 || (a + way * along).length() >= radius * 0.9999 {
        return None;
    }
    let turn = wrap_angle(angle_of(b) - angle_of(a));
    let (tangent, last) = (libm::acosf(radius / start), libm::acosf(radius / end));
    let arc = (turn.abs() - tangent - last).max(0.0);
    let leg = |distance: f32| libm::sqrtf((distance * distance - radius * radius).max(0.0));
    let length = leg(start) + leg(end) + arc * radius;
    let side = if turn < 0.0 { -1.0 } else { 1.0 };
    Some(Detour { radius, from_angle: angle_of(a), tangent, arc, side, length })
}

/// The length on the ground of the shortest walk from `from` to `place` that keeps out of the circle of radius `inner` about `centre`, m.
pub fn skirt_length(from: Vec3, place: Vec3, centre: Vec3, inner: f32) -> f32 {
    match detour(from, place, centre, inner) {
        Some(detour) => detour.length,
        None => flat(place - from).length(),
    }
}

/// The next point to walk to, so that the walk from `from` to `place` keeps out of the circle of radius `inner` (m) about `centre`.
///
/// It is `place` itself when the straight way is free. Asked again on the way, it leads round; half-way round exactly, the side is
/// that of growing angles. Who is inside the circle already keeps the distance they have.
///
/// ```
/// use warband::{math::vec3, squad::skirt};
/// let (from, place) = (vec3(-20.0, 0.0, 1.0), vec3(12.0, 0.0, 0.0));
/// let next = skirt(from, place, vec3(0.0, 0.0, 0.0), 9.0);
/// assert!(next.z > 8.0, "over the top, not through the middle");
/// assert_eq!(skirt(vec3(20.0, 0.0, 0.0), place, vec3(0.0, 0.0, 0.0), 9.0), place);
/// ```
pub fn skirt(from: Vec3, place: Vec3, centre: Vec3, inner: f32) -> Vec3 {
    let Some(detour) = detour(from, place, centre, inner) else { return place };
    // A little further along the tangent than where it touches, or one would stand still on the circle.
    let ahead = ARC_STEP.min(detour.arc.max(0.05));
    let angle = detour.from_angle + detour.side * (detour.tangent + ahead);
    let point = centre + direction(angle) * (detour.radius / libm::cosf(ahead));
    Vec3 { y: from.y, ..point }
}

/// The velocity with which `me` goes to its `place` in the `ring`, m/s; `bias` is what the flock wants, m/s.
///
/// Further than [`RingRules::reach`](super::RingRules::reach) away the heading is 0.7 parts the way there (round the middle of the ring)
/// and 0.3 parts the flock (`flock_share`); nearer it walks straight on to within `stand`, and then stands. The
/// place's own velocity is fed forward, so that nobody trails behind a moving ring.
pub fn walk_to_place(me: &Me, ring: &Ring, place: &Place, bias: Vec3, dt: f32) -> Vec3 {
    let next = skirt(me.position, place.position, ring.centre(), ring.inner());
    let own = if next == place.position {
        let carried = Me { velocity: me.velocity - place.velocity, ..*me };
        let order = Order { numbers: [ring.rules.stand, 0.0, 0.0, 0.0], ..Order::to(place.position) };
        (arrive::DEF.run)(&carried, &order, &Near::NOBODY, dt)
    } else {
        unit_or(me.to(next), Vec3::ZERO) * me.max_speed
    };
    let left = skirt_length(me.position, place.position, ring.centre(), ring.inner());
    let own = clamp_length(own, ring.pace(left) * me.max_speed);
    let wanted = carried_along(own, me.plane(place.velocity), me.max_speed);
    let far = me.to(place.position).length() > ring.rules.reach;
    if far { combine_heading(wanted, bias, ring.rules.flock_share, me.max_speed) } else { wanted }
}

/// `own`, a velocity relative to something that moves with `carrier`, as a velocity of at most `top`: the relative *direction* is
/// kept, and `own` made shorter where both together would be too fast.
fn carried_along(own: Vec3, carrier: Vec3, top: f32) -> Vec3 {
    let ahead = unit_or(own, Vec3::ZERO);
    let along = ahead.dot(carrier);
    let spare = along * along + top * top - carrier.length_squared();
    if spare <= 0.0 {
        // It moves faster than one can: no direction can be kept.
        return own + carrier;
    }
    ahead * own.length().min((libm::sqrtf(spare) - along).max(0.0)) + carrier
}

/// The largest empty angle seen from `centre` between neighbouring `positions`, degrees; 360 for fewer than two directions.
pub fn largest_gap(centre: Vec3, positions: &[Vec3]) -> f32 {
    let angle = |position: &Vec3| angle_of(*position - centre);
    let after = |from: f32| {
        let turns = positions.iter().map(|position| wrap_angle(angle(position) - from));
        let onward = turns.map(|turn| if turn <= 1e-6 { turn + TAU } else { turn });
        onward.fold(TAU, f32::min)
    };
    let largest = positions.iter().map(|position| after(angle(position))).fold(0.0, f32::max);
    if positions.is_empty() { 360.0 } else { largest.to_degrees() }
}
