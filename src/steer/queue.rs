//! Queue: wait for whoever is ahead at a doorway, instead of overtaking.
//!
//! It trims what the other rules want (a *bound*). Ahead is who is **nearer to the point** (the doorway) and stands in the lane in which one wants to go, as wide as both
//! bodies. One goes no faster than they do along that lane, plus what can still be braked in the room left between: `v_ahead + sqrt(2·a·s)`, `s` the way to within `gap` of contact. Nobody is ever
//! turned or sped up. Being nearer to the point is an order of all that wait (equal distances go by id), so nobody waits in a circle: the first always walks. Reynolds (1999) and
//! Buckland (2005) brake for whoever stands in front of one's own nose, and two that face each other wait for ever.
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
    formula: "v * min(1, (v_ahead + sqrt(2 a s)) / |v|), s = room to the nearest ahead, ahead = nearer to point and in one's lane",
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
    let ahead = unit_or(me.plane(desired), Vec3::ZERO);
    let gap = order.number(1, 0.5 * me.radius.max(0.0));
    let own = me.to(order.point).length();
    let first = |other: &Neighbour| {
        let theirs = me.plane(order.point - other.position).length();
        theirs < own || (theirs == own && other.id < me.id)
    };
    let caps = near.others(me.id).filter(first).filter_map(|other| cap(me, &other, ahead, gap, dt));
    clamp_length(desired, caps.fold(desired.length(), f32::min))
}

/// The speed that somebody in one's lane leaves, m/s.
fn cap(me: &Me, other: &Neighbour, ahead: Vec3, gap: f32, dt: f32) -> Option<f32> {
    let offset = me.to(other.position);
    let (along, contact) = (offset.dot(ahead), me.radius + other.radius);
    let aside = (offset - ahead * along).length();
    if !(along > 0.0 && aside < contact) {
        return None;
    }
    let room = (offset.length() - contact - gap).max(0.0);
    let theirs = me.plane(other.velocity).dot(ahead).max(0.0);
    let cap = theirs + arrive::braking_speed(me, room, 0.0, dt);
    cap.is_finite().then_some(cap)
}
