//! Interpose: between two bodies, where they will be.
//!
//! The place lies at the `share` of the way from the first to the second (a half is the middle). When one gets there both have moved on, so the place is foretold: with
//! the time `T` to walk to it as it is now, at most the `horizon`, both are moved on by their velocities and the place is taken between those points
//! (Reynolds 1999; Buckland 2005). One arrives there rather than seeks: in the middle of two that stand, one stands.
//!
//! It feels like a bodyguard, or a defender between ball and goal. A small `share` stays close to the first, a large one to the second.
//! To stand at one body's side take [`super::offset_pursuit`].

use super::{About, Behaviour, Class, Me, Near, Order, SPEED, arrive, pursue};
use crate::args::Param;
use crate::math::Vec3;

/// The declaration of `interpose`.
pub const DEF: Behaviour = Behaviour {
    name: "interpose",
    class: Class::Goal,
    about: About::Pair,
    doc: "goes between two bodies, where they will be",
    formula: "arrive(a + v_a T + share * (b + v_b T - a - v_a T)), T = the walk to the place as it is now, at most horizon",
    params: &[arrive::TOLERANCE, SPEED, pursue::HORIZON, SHARE],
    needs_edges: false,
    needs_neighbours: false,
    run,
};

const SHARE: Param = Param::number("share", "where between them: 0 is at the first, 1 at the second")
    .range(0.0, 1.0)
    .default(0.5)
    .live();

fn run(me: &Me, order: &Order, near: &Near, dt: f32) -> Vec3 {
    let point = place(me, order);
    (arrive::DEF.run)(me, &Order { point, ..*order }, near, dt)
}

/// The place between the two, where they will be.
pub fn place(me: &Me, order: &Order) -> Vec3 {
    let share = order.numbers[3].clamp(0.0, 1.0);
    let between = |time: f32| {
        let (a, b) = (order.point + order.velocity * time, order.second + order.second_velocity * time);
        a + (b - a) * share
    };
    let speed = me.speed(order.numbers[1]).max(1e-6);
    let time = me.to(between(0.0)).length() / speed;
    between(if time.is_finite() { time.min(order.numbers[2].max(0.0)) } else { 0.0 })
}
