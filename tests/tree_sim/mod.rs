//! Probe nodes that note what the engine does with them, and a bench that runs a tree without a world.
//!
//! `make` is a plain function, so what probes answer and what was noted lies in a book of the thread.
#![allow(dead_code, unused_imports)] // each test file uses its part

mod bench;
pub mod grow;
pub mod law;
#[cfg(feature = "lua")]
pub mod lua;
pub mod oracle;
mod probe;
pub mod table;

pub use bench::{Bench, declare_keys, registry};
pub use probe::{Book, DEFS, Note, What, book, condition, flips_on_exit, leaf, shell};

use warband::Spec;

pub fn seq<const N: usize>(children: [Spec; N]) -> Spec {
    Spec::new("sequence").with_all(children)
}
pub fn sel<const N: usize>(children: [Spec; N]) -> Spec {
    Spec::new("selector").with_all(children)
}
pub fn rseq<const N: usize>(children: [Spec; N]) -> Spec {
    Spec::new("reactive_sequence").with_all(children)
}
pub fn rsel<const N: usize>(children: [Spec; N]) -> Spec {
    Spec::new("reactive_selector").with_all(children)
}
/// A parallel that needs so many successes and failures; 0 stands for all.
pub fn par<const N: usize>(success: i32, failure: i32, children: [Spec; N]) -> Spec {
    let needed = |spec: Spec, name: &str, count: i32| match count {
        0 => spec.set(name, "all"),
        _ => spec.set(name, count),
    };
    needed(needed(Spec::new("parallel"), "success", success), "failure", failure).with_all(children)
}
/// A guard that aborts itself and lower branches.
pub fn guard(when: Spec, child: Spec) -> Spec {
    Spec::new("guard").when(when).with(child)
}
pub fn guard_that(abort: &str, when: Spec, child: Spec) -> Spec {
    guard(when, child).set("abort", abort)
}
/// A child that is passed over while a condition holds.
pub fn skip_if(when: Spec, child: Spec) -> Spec {
    Spec::new("skip_if").when(when).with(child)
}
pub fn over(node: &str, child: Spec) -> Spec {
    Spec::new(node).with(child)
}
pub fn wait(seconds: f64) -> Spec {
    Spec::new("wait").set("seconds", seconds)
}
/// Whether a key of [`declare_keys`] is true.
pub fn has(key: &str) -> Spec {
    Spec::new("has_value").set("key", key)
}
