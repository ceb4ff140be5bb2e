//! Arrive: to the point, slowing down in time, and at rest there.
//!
//! The speed is the one from which the agent can still stop: `sqrt(2·a·s)` for the way `s` left, summed over whole steps of
//! the clock (in the last of them it is `s/dt`), so that no step passes the point at any frame rate. There is no
//! slow-down radius to tune; the stopping distance follows from the acceleration. The way ends half a tolerance before
//! the point, for one who stops on the very edge is not quite there; and where the agent follows its wish with
//! a delay, what the delay will still carry it (`v·lag`) is taken off.
//!
//! It feels like someone who knows their legs: full speed, one firm braking, and then nothing at all. The rest is **latched**
//! ([`rests`], kept in [`Me::resting`]): having stopped it stays until the point is more than one and a half
//! tolerances away, so that nobody trembles on the edge.

use super::{About, Behaviour, Class, Me, Near, Order, SPEED};
use crate::args::Param;
use crate::math::{Vec3, unit_or};

/// The declaration of `arrive`.
pub const DEF: Behaviour = Behaviour {
    name: "arrive",
    class: Class::Goal,
    about: About::Point,
    doc: "goes to the point, brakes in time and rests there",
    formula: "unit(point - p) * min(speed, sqrt(2 * a * s), s / dt), s = max(0, d - tolerance / 2)",
    params: &[TOLERANCE, SPEED],
    needs_edges: false,
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

/// The share of the acceleration that is planned for braking; the rest is there to catch up with the plan.
const RESERVE: f32 = 0.95;

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
    let carried = me.plane(me.velocity).length() * lag(me.response, dt);
    let way = (distance - (0.5 * tolerance).max(carried + 0.25 * tolerance)).max(0.0);
    let braking = (RESERVE * me.max_acceleration).clamp(0.0, 1e9);
    let per_step = braking * dt;
    if per_step <= 1e-9 {
        return libm::sqrtf(2.0 * braking * way);
    }
    // Speeds w, w-1, w-2 … (in changes of speed per step) cover (k+1)·w − k·(k+1)/2, k being w's whole part.
    let steps = way / (per_step * dt);
    let whole = libm::floorf(0.5 * (libm::sqrtf(1.0 + 8.0 * steps) - 1.0));
    per_step * (steps / (whole + 1.0) + 0.5 * whole)
}

/// By how much time an agent of time constant `response` lags behind a wish that changes steadily, s.
fn lag(response: f32, dt: f32) -> f32 {
    if response <= dt {
        return 0.0;
    }
    if dt <= 0.0 { response } else { dt / libm::expm1f(dt / response).max(1e-9) }
}
