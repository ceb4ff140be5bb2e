//! Wander: about, without a goal, in gentle bends.
//!
//! The rate of turn is an Ornstein–Uhlenbeck process: it forgets itself with the time constant `tau` and is kicked by dice, so
//! that its spread is `sigma` at every frame rate ([`step_angle`]). The usual jitter per frame shrinks as the frame rate
//! grows. The heading is the sum of the turns: [`Course`] keeps both, the caller keeps the course and draws from the agent's own dice, and
//! the behaviour walks where `Order::point` points. A long `tau` strolls, a short one dithers; a large `sigma` circles.

use super::{About, Behaviour, Class, Me, Near, Order, SPEED};
use crate::args::Param;
use crate::math::{Vec3, direction, unit_or, wrap_angle};
use serde::{Deserialize, Serialize};

/// The declaration of `wander`.
pub const DEF: Behaviour = Behaviour {
    name: "wander",
    class: Class::Goal,
    about: About::Direction,
    doc: "walks about in gentle bends",
    formula: "direction(heading) * speed; turn <- turn * e^(-dt/tau) + sigma * sqrt(1 - e^(-2 dt/tau)) * N(0, 1)",
    params: &[
        SPEED,
        Param::number("tau", "how long it keeps a bend: short dithers, long strolls")
            .unit("s")
            .range(0.01, 60.0)
            .default(1.0),
        Param::number(
            "sigma",
            "how sharply it turns: the spread of its rate of turn; large circles on the spot",
        )
        .unit("rad/s")
        .range(0.0, 20.0)
        .default(1.0),
    ],
    needs_edges: false,
    needs_neighbours: false,
    run,
};

fn run(me: &Me, order: &Order, _: &Near, _: f32) -> Vec3 {
    let ahead = unit_or(me.plane(me.facing), Vec3::ZERO);
    me.limited(unit_or(me.plane(order.point), ahead) * me.speed(order.numbers[0]))
}

/// One step of the Ornstein–Uhlenbeck process around 0: `angle` after `dt` seconds, with the time constant `tau` (s), the
/// spread `sigma` and a number `normal` drawn from a normal distribution. Many small steps spread as one long one does.
pub fn step_angle(angle: f32, dt: f32, tau: f32, sigma: f32, normal: f32) -> f32 {
    let kept = libm::expf(-dt.max(0.0) / tau.max(1e-6));
    angle * kept + sigma * libm::sqrtf((1.0 - kept * kept).max(0.0)) * normal
}

/// The course of one who wanders.
///
/// ```
/// use warband::{rng::Dice, steer::Course};
/// let mut dice = Dice::new(7, &[1]);
/// let mut course = Course::default();
/// course.step(1.0 / 60.0, 1.0, 1.0, dice.normal() as f32);
/// assert!(course.direction().is_normalized());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// Where it goes, rad from +x towards +z.
    pub heading: f32,
    /// How it turns, rad/s.
    pub turn: f32,
}

impl Course {
    /// Goes on for `dt` seconds; `tau`, `sigma` and `normal` as in [`step_angle`].
    pub fn step(&mut self, dt: f32, tau: f32, sigma: f32, normal: f32) {
        let turn = step_angle(self.turn, dt, tau, sigma, normal);
        self.heading = wrap_angle(self.heading + 0.5 * (self.turn + turn) * dt.max(0.0));
        self.turn = turn;
    }

    /// The ground direction to go in.
    pub fn direction(&self) -> Vec3 {
        direction(self.heading)
    }
}
