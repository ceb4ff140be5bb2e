//! An agent of very high acceleration gets stuck at a corner of the mesh.

use super::yard::corner_time;
use super::{Measure, at_most};
use warband::steer::Limits;

pub fn measure() -> Vec<Measure> {
    let limits = Limits { max_acceleration: 1000.0, ..Limits::of(0.5, 5.0) };
    let row = |rate: f64| {
        let what = format!("time round a corner at 1000 m/s² and {rate} Hz, of the ideal one");
        at_most(what, corner_time(limits, 1.0 / rate), 1.15)
    };
    [10.0, 30.0, 60.0, 144.0].map(row).to_vec()
}
