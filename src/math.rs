//! Vectors and the few functions of numbers that the crate needs, the same on every machine.
//!
//! Y is up and the ground is (x, z). Angles are in radians unless a name says degrees; the angle of a ground
//! direction is counted from +x towards +z. Sine, logarithm and their kin go through `libm`, so that two
//! machines agree on every bit.

pub use glam::{Vec3, vec3};

/// The vector without its height.
pub fn flat(v: Vec3) -> Vec3 {
    vec3(v.x, 0.0, v.z)
}

/// The ground direction at `angle` (radians, from +x towards +z).
pub fn direction(angle: f32) -> Vec3 {
    vec3(libm::cosf(angle), 0.0, libm::sinf(angle))
}

/// The angle of `v` on the ground, in (−π, π]; 0 for a vector without extent there.
pub fn angle_of(v: Vec3) -> f32 {
    libm::atan2f(v.z, v.x)
}

/// `angle` brought into (−π, π].
pub fn wrap_angle(angle: f32) -> f32 {
    use std::f32::consts::{PI, TAU};
    let turned = angle - TAU * libm::roundf(angle / TAU);
    if turned <= -PI { turned + TAU } else { turned }
}

/// The unit vector of `v`, or `otherwise` when `v` is too short to have a direction or is not finite.
pub fn unit_or(v: Vec3, otherwise: Vec3) -> Vec3 {
    let length = v.length();
    if length > 1e-6 && length.is_finite() { v / length } else { otherwise }
}

/// `v` shortened to `limit` when it is longer.
pub fn clamp_length(v: Vec3, limit: f32) -> Vec3 {
    let squared = v.length_squared();
    if squared > limit * limit { v * (limit / libm::sqrtf(squared)) } else { v }
}

/// How much of the way an exponential approach of `rate` (per second) goes in `dt` seconds: `1 − e^(−rate·dt)`.
///
/// The same curve at every frame rate.
pub fn approach(rate: f32, dt: f32) -> f32 {
    1.0 - libm::expf(-rate.max(0.0) * dt.max(0.0))
}

/// A direction made from two numbers, for bodies that stand on the same point: equal and opposite when they are swapped.
pub fn parting(a: u32, b: u32) -> Vec3 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let mixed = crate::rng::mix((u64::from(high) << 32) | u64::from(low));
    let angle = (mixed >> 40) as f32 / (1u64 << 24) as f32 * std::f32::consts::TAU;
    if a < b { direction(angle) } else { -direction(angle) }
}

/// Seconds as whole nanoseconds, at most 292 years; negative and unordered ones are 0.
///
/// A number of 32 bits holds 0.3 s as 300,000,012 ns: it is brought to the nearest microsecond that was meant.
pub fn nanoseconds(seconds: f32) -> u64 {
    let micro = libm::round(f64::from(seconds) * 1e6);
    if micro > 0.0 { micro.min(9.2e15) as u64 * 1000 } else { 0 }
}
