//! Agents hug walls and slow down at corners.

use super::yard::corner_time;
use super::{Measure, at_most};
use warband::steer::Limits;

pub fn measure() -> Vec<Measure> {
    let row = |rate: f64| {
        let what = format!("time round a corner at {rate} Hz, of the ideal one");
        at_most(what, corner_time(Limits::of(0.5, 5.0), 1.0 / rate), 1.15)
    };
    [10.0, 30.0, 60.0, 144.0].map(row).to_vec()
}
