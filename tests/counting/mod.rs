//! Counts how often a thread allocates, and how much it holds: for tests that a steady tick never does, and that a
//! long run does not grow.
#![allow(unsafe_code)] // a global allocator can only be written with it
#![allow(dead_code, reason = "not every test asks for both")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Per thread: the test runner's own threads allocate when they please.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<i64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: everything is passed on to the system's allocator unchanged; the counters do not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        hold(layout.size() as i64);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        hold(-(layout.size() as i64));
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        hold(size as i64 - layout.size() as i64);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn count() {
    // Gone while a thread ends; what is freed and made then is nobody's steady tick.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

fn hold(bytes: i64) {
    let _ = BYTES.try_with(|held| held.set(held.get() + bytes));
}

/// How often `work` allocated, in all.
pub fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

/// How many bytes the thread holds, as those that it made less those that it freed.
pub fn live_bytes() -> i64 {
    BYTES.get()
}
