//! What a step of a thousand costs, in one process, each system's steps in turn.

use crate::crowd::{Crowd, SYSTEMS};
use crate::rows::thousand;
use std::time::Instant;

/// Steps before any is timed.
const WARM: usize = 20;

/// How many steps are timed.
const TIMED: usize = 60;

/// A system that has taken so long, in ms, is timed no further once it has five.
const ENOUGH: f64 = 10_000.0;

/// The median step of each system, ms.
pub fn medians(walking: bool) -> Vec<f64> {
    let bodies = thousand(walking);
    let mut crowds: Vec<Box<dyn Crowd>> =
        SYSTEMS.iter().map(|system| (system.crowd)(&bodies, None)).collect();
    let mut times = vec![Vec::new(); crowds.len()];
    let mut taken = vec![0.0; crowds.len()];
    // In turn, so that a disturbance of the machine meets all of them.
    for step in 0..WARM + TIMED {
        for ((crowd, times), taken) in crowds.iter_mut().zip(&mut times).zip(&mut taken) {
            if *taken > ENOUGH && times.len() >= 5 {
                continue;
            }
            let time = timed(&mut **crowd);
            *taken += time;
            if step >= WARM || *taken > ENOUGH {
                times.push(time);
            }
        }
    }
    times.iter_mut().map(|times| median(times)).collect()
}

#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
fn timed(crowd: &mut dyn Crowd) -> f64 {
    let start = Instant::now();
    crowd.step(1.0 / 60.0);
    start.elapsed().as_secs_f64() * 1e3
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
