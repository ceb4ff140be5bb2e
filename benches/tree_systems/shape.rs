//! What is ticked, in no system's words, and the work that the leaves of all systems do.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A tree.
#[derive(Clone, Debug)]
pub enum Shape {
    Sequence {
        reactive: bool,
        parts: Vec<Shape>,
    },
    Selector {
        reactive: bool,
        parts: Vec<Shape>,
    },
    /// Asks a bit of the flags.
    Flag(u32),
    /// Adds to the sum and succeeds.
    Count(u64),
    /// Adds to the sum and runs.
    Run(u64),
    /// Adds a number of the agent's board to the sum and succeeds.
    Read(usize),
    /// Runs for longer than a bench.
    Wait,
}

/// The second condition of the first two pairs is false.
static FLAGS: AtomicU64 = AtomicU64::new(0b11_01_01);
static SUM: AtomicU64 = AtomicU64::new(0);

/// The bit of the flags.
#[inline]
pub fn flag(bit: u32) -> bool {
    FLAGS.load(Relaxed) >> bit & 1 == 1
}

/// Adds to the checksum; nobody else runs, so that no lock is needed.
#[inline]
pub fn add(by: u64) {
    SUM.store(SUM.load(Relaxed).wrapping_add(by), Relaxed);
}

/// The number on the board under this number.
pub fn on_board(slot: usize) -> f64 {
    slot as f64 + 3.0
}

pub fn sum() -> u64 {
    SUM.load(Relaxed)
}

pub fn reset() {
    SUM.store(0, Relaxed);
}
