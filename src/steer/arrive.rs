//! Arrive: to the point, slowing down in time, and at rest there.
//!
//! The speed is the one from which the agent can still stop: `sqrt(2·a·s)` for the way `s` left to the edge of the
//! tolerance, never more than `d/dt`, so that no step passes the point at any frame rate. There is no slow-down radius to
//! tune; the stopping distance follows from the acceleration. Two corrections make it exact where time goes in steps:
//! the way of the step that has begun is counted (`v·dt/2`), and where the agent follows its wish with a delay, what
//! the delay will still carry it (`v·lag`) is taken off the way.
//!
//! It feels like someone who knows their legs: full speed, one firm braking, and then nothing at all. The rest is **latched**
//! ([`rests`], kept in [`Me::resting`]): having stopped it stays until the point is more than one and a half
//! tolerances away, so that nobody trembles on the edge.

use super::{Behaviour, Class, Me, Near, Order, SPEED};
use crate::args::Param;
use crate::math::{Vec3, unit_or};

/// The declaration of `arrive`.
pub const DEF: Behaviour = Behaviour {
    name: "arrive",
    class: Class::Goal,
    doc: "goes to the point, brakes in time and rests there",
    formula: "unit(point - p) * min(speed, sqrt(2 * a * max(0, d - tolerance)), d / dt)",
    params: &[TOLERANCE, SPEED],
    needs_neighbours: false,
    run,
};

pub(super) const TOLERANCE: Param = Param::number(
    "tolerance",
    "how near is there; 0.6 body radii when left out. Too small a one is hard to stand in",
)
.unit("m")
.range(0.0, f64::INFINITY)
.optional()
.live();

fn run(me: &Me, order: &Order, _: &Near, dt: f32) -> Vec3 {
    let tolerance = tolerance(me, order);
    if rests(me, order.point, tolerance, dt) {
        return Vec3::ZERO;
    }
    let way = me.to(order.point);
    let speed = braking_speed(me, way.length(), tolerance, dt).min(me.speed(order.numbers[1]));
    me.limited(unit_or(way, Vec3::ZERO) * speed)
}

/// The tolerance of an order to arrive, m: as given, or 0.6 body radii.
pub fn tolerance(me: &Me, order: &Order) -> f32 {
    order.number(0, 0.6 * me.radius.max(0.0))
}

/// Whether the agent is at rest at `point`: within `tolerance` and slow enough to stop in a step of `dt` seconds, or still within
/// one and a half tolerances when it rested before ([`Me::resting`]). Keep the answer in [`Me::resting`].
pub fn rests(me: &Me, point: Vec3, tolerance: f32, dt: f32) -> bool {
    let distance = me.to(point).length();
    let slow = me.plane(me.velocity).length() <= me.max_acceleration * dt.max(0.0);
    (me.resting && distance <= 1.5 * tolerance) || (distance <= tolerance && slow)
}

/// The largest speed at `distance` from which the agent can stop within `tolerance`, m/s; steps take `dt` seconds.
pub fn braking_speed(me: &Me, distance: f32, tolerance: f32, dt: f32) -> f32 {
    let dt = dt.max(0.0);
    // What the delay carries it further; half the tolerance may be spent on that, the rest is braked for.
    let carried = (me.plane(me.velocity).length() * lag(me.response, dt) - 0.5 * tolerance).max(0.0);
    let way = (distance - tolerance - carried).max(0.0);
    if way == 0.0 {
        return 0.0;
    }
    let braking = me.max_acceleration.clamp(0.0, 1e9);
    let half = 0.5 * braking * dt;
    let stoppable = 2.0 * braking * way / (half + libm::sqrtf(half * half + 2.0 * braking * way)).max(1e-9);
    if dt > 0.0 { stoppable.min((distance - carried) / dt) } else { stoppable }
}

/// By how much time an agent of time constant `response` lags behind a wish that changes steadily, s.
fn lag(response: f32, dt: f32) -> f32 {
    if response <= dt {
        return 0.0;
    }
    if dt <= 0.0 { response } else { dt / libm::expm1f(dt / response).max(1e-9) }
}
