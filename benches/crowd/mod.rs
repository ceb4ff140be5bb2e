//! Crowds that the benches of movement share.

use warband::math::{Vec3, vec3};
use warband::rng::Dice;

/// `count` places, spread evenly by dice over a square (or cube) in which each has `neighbours` others within `radius` metres on average.
pub fn spread(count: usize, neighbours: f32, radius: f32, volume: bool) -> Vec<Vec3> {
    let mut dice = Dice::new(11, &[count as u64]);
    let ball = if volume { 4.0 / 3.0 * std::f32::consts::PI } else { std::f32::consts::PI };
    let power = if volume { 3.0 } else { 2.0 };
    let side = (count as f32 / neighbours * ball).powf(1.0 / power) * radius;
    let mut at = || (dice.unit() as f32 - 0.5) * side;
    (0..count).map(|_| vec3(at(), if volume { at() } else { 0.0 }, at())).collect()
}
