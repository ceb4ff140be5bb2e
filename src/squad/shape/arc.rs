//! An arc: a third of a circle that is open ahead, from its left end to its right. Its ends come foremost, so that it
//! takes in what stands before it.
//!
//! Neighbours are one spacing apart in a straight line; from that follows the radius, which grows with the count. Two stand side by
//! side.

use crate::math::direction;
use std::f32::consts::{PI, TAU};

/// How much of a circle it is, rad.
const ARC: f32 = TAU / 3.0;

pub(super) fn offset(rank: usize, count: usize) -> (f32, f32) {
    if count < 2 {
        return (0.0, 0.0);
    }
    let step = ARC / (count - 1) as f32;
    let radius = 0.5 / libm::sinf(0.5 * step);
    // From straight back, the middle of the arc, to the left.
    let turn = PI + 0.5 * ARC - step * rank as f32;
    let there = direction(turn) * radius;
    (there.x, there.z)
}
