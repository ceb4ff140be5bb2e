//! Leader following: behind a leader, and out of its way.
//!
//! Behind: one arrives at a place `distance` behind the leader in its own moving frame, as in [`super::offset_pursuit`]. Out of its way: who stands in the lane in
//! front of the leader (as wide as both bodies and half the distance, as long as the leader covers in the time that one needs to get out of it) goes straight sideways out of that lane first,
//! to the side on which one stands; exactly in the middle the id decides (Reynolds 1999, whose followers stand still in the leader's path when it turns round).
//!
//! Blend it with [`super::separation`], for all followers want the same place. It feels like a crowd behind a guide. For places of one's own take
//! [`super::offset_pursuit`] or a formation.

use super::{About, Behaviour, Class, Me, Near, Order, SPEED, arrive, offset_pursuit};
use crate::args::Param;
use crate::math::{Vec3, vec3};

/// The declaration of `leader_following`. `Order::second` is where the leader looks.
pub const DEF: Behaviour = Behaviour {
    name: "leader_following",
    class: Class::Goal,
    about: About::Leader,
    doc: "follows behind a leader, and clears out of its way",
    formula: "in its lane ahead: sideways * speed; else arrive(point - heading * distance) in the leader's frame",
    params: &[arrive::TOLERANCE, SPEED, DISTANCE],
    needs_edges: false,
    needs_neighbours: false,
    run,
};

const DISTANCE: Param = Param::number(
    "distance",
    "how far behind, from middle to middle; 4 body radii when left out. Too near treads on heels",
)
.unit("m")
.range(0.0, f64::INFINITY)
.optional()
.live();

fn run(me: &Me, order: &Order, near: &Near, dt: f32) -> Vec3 {
    let ahead = offset_pursuit::heading(me, order);
    let distance = distance(me, order);
    match out_of_the_lane(me, order, ahead, distance) {
        Some(aside) => me.limited(aside * me.speed(order.numbers[1])),
        None => offset_pursuit::along_with(me, order, order.point - ahead * distance, near, dt),
    }
}

/// How far behind, m: as given, or 4 body radii.
pub(super) fn distance(me: &Me, order: &Order) -> f32 {
    order.number(2, 4.0 * me.radius.max(0.0))
}

/// The direction out of the leader's lane, if one stands in it and the leader comes.
fn out_of_the_lane(me: &Me, order: &Order, ahead: Vec3, distance: f32) -> Option<Vec3> {
    let from_leader = -me.to(order.point);
    let right = vec3(-ahead.z, 0.0, ahead.x);
    let (along, across) = (from_leader.dot(ahead), from_leader.dot(right));
    let half = 2.0 * me.radius.max(0.0) + 0.5 * distance;
    let comes = me.plane(order.velocity).dot(ahead).max(0.0);
    let time = half / me.max_speed.max(1e-6) + me.max_speed / me.max_acceleration.max(1e-6);
    let length = half + comes * if time.is_finite() { time } else { 0.0 };
    if along <= 0.0 || along > length || across.abs() >= half {
        return None;
    }
    let side = if across.abs() > 1e-3 * half { across.signum() } else { side_of(me.id) };
    Some(right * side)
}

/// The side that an id takes when nothing else decides: right for even ones.
pub(super) fn side_of(id: u32) -> f32 {
    if id.is_multiple_of(2) { 1.0 } else { -1.0 }
}
