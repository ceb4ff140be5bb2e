//! Pursue: to where the target will be met, not to where it is.
//!
//! The meeting is after the smallest positive time `T` with `|r + v·T| = s·T`, `r` being the way to the target, `v` its velocity
//! and `s` the agent's speed: a quadratic equation. When it has no such root (the target is faster and leaves), `d/s` is taken; in
//! any case not more than the `horizon`, because nobody keeps a course for long. The usual tables of `d/speed` give
//! infinity for an agent at rest. It feels like a dog that cuts the corner; a target that stands still is simply sought.

use super::{About, Behaviour, Class, Me, Near, Order, SPEED, seek};
use crate::args::Param;
use crate::math::Vec3;

/// The declaration of `pursue`.
pub const DEF: Behaviour = Behaviour {
    name: "pursue",
    class: Class::Goal,
    about: About::Point,
    doc: "goes to where the moving target will be met",
    formula: "seek(point + velocity * T), T the smallest positive root of |r + velocity * T| = speed * T, at most horizon",
    params: &[SPEED, HORIZON],
    needs_edges: false,
    needs_neighbours: false,
    run,
};

pub(super) const HORIZON: Param =
    Param::number("horizon", "how far ahead it looks at most. Too far runs after courses that nobody keeps")
        .unit("s")
        .range(0.0, 60.0)
        .default(2.0)
        .live();

fn run(me: &Me, order: &Order, _: &Near, dt: f32) -> Vec3 {
    let speed = me.speed(order.numbers[0]);
    let met = order.point + order.velocity * meeting_time(me, order, speed, order.numbers[1]);
    seek::towards(me, met, speed, dt)
}

/// After how many seconds an agent of `speed` can meet the target of `order`, at most `horizon`.
pub fn meeting_time(me: &Me, order: &Order, speed: f32, horizon: f32) -> f32 {
    let (way, velocity) = (me.to(order.point), me.plane(order.velocity));
    let a = velocity.length_squared() - speed * speed;
    let half_b = way.dot(velocity);
    let time =
        smallest_positive_root(a, half_b, way.length_squared()).unwrap_or(way.length() / speed.max(1e-6));
    if time.is_finite() { time.clamp(0.0, horizon.max(0.0)) } else { horizon.max(0.0) }
}

/// The smallest positive root of `a·t² + 2·half_b·t + c`.
fn smallest_positive_root(a: f32, half_b: f32, c: f32) -> Option<f32> {
    let discriminant = half_b * half_b - a * c;
    if discriminant < 0.0 {
        return None;
    }
    // The form that loses no digits when `a` is next to nothing: the two are equally fast.
    let q = -(half_b + libm::copysignf(libm::sqrtf(discriminant), half_b));
    let roots = [if q != 0.0 { c / q } else { -1.0 }, if a != 0.0 { q / a } else { -1.0 }];
    roots.into_iter().filter(|root| *root > 0.0 && root.is_finite()).reduce(f32::min)
}
