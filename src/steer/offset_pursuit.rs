//! Offset pursuit: to a place beside a leader, and along with it.
//!
//! The place is fixed in the leader's frame: `offset.x` ahead, `offset.z` to the right, `offset.y` up. One arrives at it *as seen from the leader*: the leader's velocity is
//! taken off one's own, [`super::arrive`] does its work in that moving frame, and the velocity is put on again (fed forward). So nobody trails behind a
//! leader that walks on steadily, and nobody overshoots one that stops. Reynolds (1999) and gdx-ai predict the place and arrive there, which lags by the
//! braking distance as long as the leader moves.
//!
//! It feels like a wingman. When the leader turns on the spot, places far out swing wide and their owners run: keep offsets small, or take a
//! formation. The frame turns with where the leader looks.

use super::{About, Behaviour, Class, Me, Near, Order, SPEED, arrive};
use crate::math::{Vec3, flat, unit_or, vec3};

/// The declaration of `offset_pursuit`. `Order::second` is where the leader looks, [`Order::offset`] the place in its frame.
pub const DEF: Behaviour = Behaviour {
    name: "offset_pursuit",
    class: Class::Goal,
    about: About::Leader,
    doc: "goes to a place in a leader's frame, and along with it",
    formula: "arrive(point + frame * offset) with v - velocity for v, + velocity; frame = (heading, up, right of it)",
    params: &[arrive::TOLERANCE, SPEED],
    needs_edges: false,
    needs_neighbours: false,
    run,
};

fn run(me: &Me, order: &Order, near: &Near, dt: f32) -> Vec3 {
    along_with(me, order, place(me, order), near, dt)
}

/// Where the place is now, m.
pub fn place(me: &Me, order: &Order) -> Vec3 {
    let ahead = heading(me, order);
    let right = vec3(-ahead.z, 0.0, ahead.x);
    let offset = order.offset;
    order.point + ahead * offset.x + Vec3::Y * offset.y + right * offset.z
}

/// Where the leader looks, a unit vector on the ground: as it moves where that is not known, and while it stands as one looks at it oneself.
pub(super) fn heading(me: &Me, order: &Order) -> Vec3 {
    let seen = unit_or(flat(order.point - me.position), unit_or(flat(me.facing), Vec3::X));
    unit_or(flat(order.second), unit_or(flat(order.velocity), seen))
}

/// The velocity to arrive at a `place` that moves as the order's point does.
pub(super) fn along_with(me: &Me, order: &Order, place: Vec3, near: &Near, dt: f32) -> Vec3 {
    let velocity = me.plane(order.velocity);
    let beside = Me { velocity: me.velocity - velocity, ..*me };
    me.beside((arrive::DEF.run)(&beside, &Order { point: place, ..*order }, near, dt), velocity)
}
