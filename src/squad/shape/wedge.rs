//! A wedge: a V with one place at its tip and two arms that go back at 45° to either side.
//!
//! Along an arm places lie one spacing apart; the first two, one on each arm, are √2 spacings from each other. An even number leaves one
//! over, who walks on the axis inside of the V, √2 spacings behind the tip: that is one spacing from either arm.

use std::f32::consts::{FRAC_1_SQRT_2, SQRT_2};

pub(super) fn offset(rank: usize, count: usize) -> (f32, f32) {
    if count.is_multiple_of(2) && rank + 1 == count {
        return (-SQRT_2, 0.0);
    }
    let back = rank.div_ceil(2) as f32 * FRAC_1_SQRT_2;
    (-back, if rank.is_multiple_of(2) { back } else { -back })
}
