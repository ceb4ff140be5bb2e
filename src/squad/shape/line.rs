//! A line: side by side across the heading, from the left to the right.
//!
//! Places lie one spacing apart and the middle of the line is the middle of the shape: with an even number nobody stands there.

pub(super) fn offset(rank: usize, count: usize) -> (f32, f32) {
    (0.0, rank as f32 - 0.5 * (count.max(1) - 1) as f32)
}
