//! Seek: straight for the point at full speed, and past it.
//!
//! The desired velocity is the unit vector to the point times the speed (Reynolds, "Steering behaviors for
//! autonomous characters", 1999). Reynolds pushes with the whole acceleration towards the point, which has no
//! damping, so that one orbits the point; here the *velocity* is wished for and [`super::steer`] follows it.
//! It does not slow down: where one should stop, take [`super::arrive`]. On the point itself it wants nothing, and
//! it never goes further than the point within one step.

use super::{About, Behaviour, Class, Me, Near, Order, SPEED};
use crate::math::{Vec3, unit_or};

/// The declaration of `seek`.
pub const DEF: Behaviour = Behaviour {
    name: "seek",
    class: Class::Goal,
    about: About::Point,
    doc: "goes straight for the point at full speed",
    formula: "unit(point - p) * min(speed, d / dt)",
    params: &[SPEED],
    needs_edges: false,
    needs_neighbours: false,
    run,
};

fn run(me: &Me, order: &Order, _: &Near, dt: f32) -> Vec3 {
    towards(me, order.point, me.speed(order.numbers[0]), dt)
}

/// The velocity of `speed` towards `point`, less where the step of `dt` would pass it.
pub(super) fn towards(me: &Me, point: Vec3, speed: f32, dt: f32) -> Vec3 {
    let way = me.to(point);
    let speed = if dt > 0.0 { speed.min(way.length() / dt) } else { speed };
    me.limited(unit_or(way, Vec3::ZERO) * speed)
}
