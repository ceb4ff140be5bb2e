//! The field reports as measurements: each file puts a fault's scenario up and says what it measured beside the bound.
//!
//! `tests/field_reports.rs` holds every bound; `cargo run --release --features cli --example field_reports` prints them
//! all as one table. A report is a file with `pub fn measure() -> Vec<Measure>`, named after its id, and a name in the list
//! below.

#![allow(dead_code, reason = "the table and the tests use different parts")]

#[path = "../common/mod.rs"]
pub mod common;
#[path = "../counting/mod.rs"]
pub mod counting;
mod yard;

use std::fmt;

/// What a measured value is held against.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    /// Not above this.
    AtMost(f64),
    /// Not below this.
    AtLeast(f64),
    /// This.
    Exactly(f64),
    /// From the first to the second.
    Within(f64, f64),
}

/// One figure of a report.
#[derive(Clone, Debug)]
pub struct Measure {
    /// What was measured, with its unit: `"least distance, m"`.
    pub what: String,
    /// What came out; not a number holds no bound.
    pub value: f64,
    /// What it is held against.
    pub bound: Bound,
}

/// A figure that must not be above `bound`.
pub fn at_most(what: impl Into<String>, value: impl Into<f64>, bound: f64) -> Measure {
    Measure { what: what.into(), value: value.into(), bound: Bound::AtMost(bound) }
}

/// A figure that must not be below `bound`.
pub fn at_least(what: impl Into<String>, value: impl Into<f64>, bound: f64) -> Measure {
    Measure { what: what.into(), value: value.into(), bound: Bound::AtLeast(bound) }
}

/// A figure, usually a count, that must be `bound`.
pub fn exactly(what: impl Into<String>, value: impl Into<f64>, bound: f64) -> Measure {
    Measure { what: what.into(), value: value.into(), bound: Bound::Exactly(bound) }
}

/// A figure that must lie from `low` to `high`.
pub fn within(what: impl Into<String>, value: impl Into<f64>, low: f64, high: f64) -> Measure {
    Measure { what: what.into(), value: value.into(), bound: Bound::Within(low, high) }
}

impl Measure {
    /// Whether the bound is held.
    pub fn holds(&self) -> bool {
        match self.bound {
            Bound::AtMost(bound) => self.value <= bound,
            Bound::AtLeast(bound) => self.value >= bound,
            Bound::Exactly(bound) => self.value == bound,
            Bound::Within(low, high) => (low..=high).contains(&self.value),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(bound) => write!(f, "<= {bound}"),
            Self::AtLeast(bound) => write!(f, ">= {bound}"),
            Self::Exactly(bound) => write!(f, "{bound}"),
            Self::Within(low, high) => write!(f, "{low} .. {high}"),
        }
    }
}

/// The files of the reports, the list of them, and a test for each.
macro_rules! reports {
    ($($id:ident)*) => {
        $(pub mod $id;)*

        /// Every report: its id, and what measures it.
        pub const REPORTS: &[(&str, fn() -> Vec<Measure>)] = &[$((stringify!($id), $id::measure)),*];

        #[cfg(test)]
        mod each {
            $(#[test]
            fn $id() {
                super::hold(stringify!($id), &super::$id::measure());
            })*
        }
    };
}

/// Fails where a bound is not held, with all the figures of the report.
pub fn hold(id: &str, measures: &[Measure]) {
    assert!(!measures.is_empty(), "{id} measures nothing");
    let row = |m: &Measure| {
        format!("{} = {} ({}){}", m.what, m.value, m.bound, if m.holds() { "" } else { "  <- not held" })
    };
    let rows: Vec<String> = measures.iter().map(row).collect();
    assert!(measures.iter().all(Measure::holds), "{id}:\n{}", rows.join("\n"));
}

reports! {
    f1 f2 f4 f6 f7 f8 f10 f11
    m1 m2 m4 m5 m7 m9 m10 m11
    n1 n2 n3 n4
    p1 p2 p3 p5
    q1 q2 q3
    s1 s2 s3 s5 s7 s8 s11
    t1 t2 t4 t6 t7 t9
    x1 x2 x3
    row_18 row_20 row_24 row_25 row_34 row_35 row_38 row_40
    rows_p
}
