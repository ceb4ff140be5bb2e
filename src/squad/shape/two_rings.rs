//! Two rings about one middle: a third of the places in the inner one, the others in the outer one, both evenly spread, each beginning
//! straight ahead.
//!
//! A ring is as small as its spacing lets it be, and the outer one at least a spacing larger than the inner one.

use crate::math::direction;
use std::f32::consts::{PI, TAU};

/// How many of `count` stand in the inner ring: a third, rounded down.
pub fn inner_share(count: usize) -> usize {
    count / 3
}

pub(super) fn offset(rank: usize, count: usize) -> (f32, f32) {
    let inside = inner_share(count);
    let inner = smallest_radius(inside);
    let (radius, rank, in_ring) = match rank.checked_sub(inside) {
        None => (inner, rank, inside),
        Some(rank) => {
            let outside = count - inside;
            let beyond = if inside > 0 { inner + 1.0 } else { 0.0 };
            (smallest_radius(outside).max(beyond), rank, outside)
        }
    };
    let there = direction(TAU * rank as f32 / in_ring as f32) * radius;
    (there.x, there.z)
}

/// The radius of the ring on which so many are 1 apart; one is its middle.
fn smallest_radius(count: usize) -> f32 {
    if count < 2 { 0.0 } else { 0.5 / libm::sinf(PI / count as f32) }
}
