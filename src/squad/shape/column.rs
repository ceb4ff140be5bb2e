//! A column: one file along the heading, from the head to the tail. What goes through any gap that one body goes through.

pub(super) fn offset(rank: usize) -> (f32, f32) {
    (-(rank as f32), 0.0)
}
