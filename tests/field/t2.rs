//! Target despawns under a running chase: crash or error.

use super::common::Hunt;
use super::{Measure, exactly};
use warband::{Vec3, vec3};

const DT: f64 = 1.0 / 60.0;

pub fn measure() -> Vec<Measure> {
    let (mut known, mut away, mut problems) = (0, 0, 0);
    // On the way, in the wide ring, in the narrow one, face to face: before the tick, which is the only time at which the
    // host can remove anything.
    for at in [10, 300, 700, 1200] {
        let mut hunt = Hunt::new(4, 8, vec3(-25.0, 0.0, 0.0));
        for _ in 0..at {
            hunt.tick(Vec3::ZERO, Vec3::ZERO, DT);
        }
        hunt.world.remove(hunt.player);
        hunt.world.tick(DT);
        known += hunt.world.knowledge(hunt.pack).expect("the squad").tracks().len();
        away += hunt.world.outputs().filter(|out| out.mode != "patrol").count();
        hunt.world.tick(DT);
        problems += hunt.world.all_problems().len();
    }
    vec![
        exactly("targets known in the next tick", known as f64, 0.0),
        exactly("agents not on patrol in the next tick (bound: 5 s)", away as f64, 0.0),
        exactly("problems", problems as f64, 0.0),
    ]
}
