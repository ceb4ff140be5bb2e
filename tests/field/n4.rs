//! AI runs on while paused, or restarts after.
//!
//! At a random tick a pause of 600 frames with dt = 0, and one of a single frame after every other tick, so that each change that is due
//! has a pause right before it. Asked for: the digest before is the digest after, and the run equals one without a pause,
//! tick for tick. Frames without a tick are no calls at all, and nothing to be measured.

use super::n1::Scripted;
use super::{Measure, exactly};
use warband::rng::Dice;

const DT: f64 = 1.0 / 60.0;

#[derive(Default)]
struct Seen {
    differ: usize,
    changed: usize,
    told: usize,
    moved: usize,
}

pub fn measure() -> Vec<Measure> {
    let mut dice = Dice::new(4, &[]);
    let mut seen = Seen::default();
    for seed in 0..6 {
        // In every phase of the hunt: 26 s are 1,560 ticks.
        one(seed, seed as usize * 260 + dice.below(260) as usize, &mut seen);
    }
    vec![
        exactly("ticks whose digest differs from the run without a pause, of 9,360", seen.differ as f64, 0.0),
        exactly("frames of a pause that change the digest, of 12,954", seen.changed as f64, 0.0),
        exactly("events, commands and words in a pause", seen.told as f64, 0.0),
        exactly("pauses that move the clock, of 9,360", seen.moved as f64, 0.0),
    ]
}

fn one(seed: u64, pause: usize, seen: &mut Seen) {
    let [mut paused, mut plain] = [(); 2].map(|()| Scripted::new(seed, 8));
    for tick in 1..=1560 {
        let time = tick as f64 * DT;
        paused.tick(time, DT);
        plain.tick(time, DT);
        seen.differ += usize::from(paused.world.digest() != plain.world.digest());
        let (before, now) = (paused.world.digest(), paused.world.now());
        for _ in 0..if tick == pause.max(1) { 600 } else { 1 } {
            paused.tick(time, 0.0);
            let world = &paused.world;
            seen.told += world.events().len() + world.commands().len() + world.said().len();
            seen.changed += usize::from(world.digest() != before);
        }
        seen.moved += usize::from(paused.world.now() != now);
    }
}
