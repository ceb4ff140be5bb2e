//! A box: rows across the heading, one spacing apart in both directions.
//!
//! It has ⌈√count⌉ files. Rows fill from the front; the last one may be short, and is then centred, half a spacing off the files
//! where it must be.

pub(super) fn offset(rank: usize, count: usize) -> (f32, f32) {
    let files = files(count);
    let (row, file) = (rank / files, rank % files);
    let in_row = files.min(count - row * files);
    (-(row as f32), file as f32 - 0.5 * (in_row - 1) as f32)
}

/// The smallest number whose square is at least `count`; at least 1.
fn files(count: usize) -> usize {
    let root = count.isqrt();
    (if root * root < count { root + 1 } else { root }).max(1)
}
