//! Evade: away from where the pursuer will be met.
//!
//! The mirror of [`super::pursue`], with the same meeting time. It feels like a hare that turns off the pursuer's
//! course instead of running ahead of it. With a `radius` it ignores pursuers further away.

use super::{About, Behaviour, Class, Me, Near, Order, SPEED, flee, pursue};
use crate::math::Vec3;

/// The declaration of `evade`.
pub const DEF: Behaviour = Behaviour {
    name: "evade",
    class: Class::Goal,
    about: About::Point,
    doc: "goes away from where the moving pursuer would be met",
    formula: "flee(point + velocity * T), T as in pursue",
    params: &[SPEED, pursue::HORIZON, flee::RADIUS],
    needs_edges: false,
    needs_neighbours: false,
    run,
};

fn run(me: &Me, order: &Order, _: &Near, _: f32) -> Vec3 {
    let speed = me.speed(order.numbers[0]);
    let radius = order.numbers[2];
    if radius > 0.0 && me.to(order.point).length() > radius {
        return Vec3::ZERO;
    }
    let met = order.point + order.velocity * pursue::meeting_time(me, order, speed, order.numbers[1]);
    flee::away(me, met, speed, 0.0)
}
