//! Queue: wait for whoever is ahead at a doorway, instead of overtaking.
//!
//! It trims what the other rules want (a *bound*). Ahead is who is **nearer to the point** (the doorway), equal distances going by id: that is an order of all that wait, so nobody waits in a
//! circle, and the first always walks. Behind each of them one keeps a body's length and the `gap`, counted in distances to the point, since all ways end there: no faster than they approach
//! it, plus what can still be braked in the room `s` that is left, `v_ahead + sqrt(2·a·s)`; while there is too little room, slower than they in proportion, so that two that come abreast fall in behind each other. Nobody is
//! ever turned or sped up. Reynolds (1999) and Buckland (2005) brake for whoever stands in front of one's own nose, and two that face each other wait for ever.
//!
//! It feels like people who know how to stand in line. Blend it with what leads through the door, as `blend { follow_path, separation, queue }`; without a doorway
//! take avoidance.

use super::{About, Behaviour, Class, Me, Near, Neighbour, Order, arrive, separation};
use crate::args::Param;
use crate::math::{Vec3, clamp_length, unit_or};

/// The declaration of `queue`.
pub const DEF: Behaviour = Behaviour {
    name: "queue",
    class: Class::Bound,
    about: About::Point,
    doc: "waits for those ahead on the way to the point, instead of overtaking",
    formula: "v * min(1, cap / |v|), cap = v_ahead + sqrt(2 a s) for each nearer to point, s = d - d_ahead - contact - gap; v_ahead * (1 + s / (contact + gap)) where s < 0",
    params: &[separation::RADIUS, GAP],
    needs_edges: false,
    needs_neighbours: true,
    run,
};

const GAP: Param = Param::number(
    "gap",
    "the room left to whoever is ahead; half a body radius when left out. Too little pushes",
)
.unit("m")
.range(0.0, f64::INFINITY)
.optional()
.live();

fn run(me: &Me, order: &Order, near: &Near, dt: f32) -> Vec3 {
    let desired = me.limited(order.velocity);
    let gap = gap(me, order);
    let reach = separation::radius(me, order);
    let own = me.to(order.point).length();
    let cap = |other: Neighbour| {
        let way = me.plane(order.point - other.position);
        let theirs = way.length();
        let first = theirs < own || (theirs == own && other.id < me.id);
        let near = me.to(other.position).length() < reach;
        (first && near)
            .then(|| cap(me, own - theirs, me.radius + other.radius + gap, approach(&other, way), dt))
    };
    let most = near.others(me.id).filter_map(cap).filter(|cap| cap.is_finite());
    clamp_length(desired, most.fold(desired.length(), f32::min))
}

/// The room left to whoever is ahead, m: as given, or half a body radius.
pub(super) fn gap(me: &Me, order: &Order) -> f32 {
    order.number(1, 0.5 * me.radius.max(0.0))
}

/// How fast somebody comes nearer to the point, m/s; on it or beyond, how fast they move at all.
fn approach(other: &Neighbour, way: Vec3) -> f32 {
    let towards = other.velocity.dot(unit_or(way, Vec3::ZERO));
    if way.length() < other.radius { other.velocity.length() } else { towards.max(0.0) }
}

/// The speed that somebody who is `ahead` metres nearer to the point leaves one who is to keep `behind` them, m/s.
fn cap(me: &Me, ahead: f32, behind: f32, theirs: f32, dt: f32) -> f32 {
    let room = ahead - behind;
    if room >= 0.0 {
        return theirs + arrive::braking_speed(me, room, 0.0, dt);
    }
    theirs * (ahead / behind.max(1e-6)).clamp(0.0, 1.0)
}
