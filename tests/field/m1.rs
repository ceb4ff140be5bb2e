//! Vibrating at the goal.

use super::common::{keyed, squad_at};
use super::{Measure, at_most};
use warband::{Spec, Vec3, vec3};

/// What came of the walk at one length of step: whether it got there, the way walked in the 2 s after, and how often it turned back.
fn walk(dt: f64) -> (bool, f32, u32) {
    let goal = vec3(20.0, 0.0, 0.0);
    let arrive = Spec::new("arrive").set("to", goal).set("tolerance", 0.3);
    let mut hunt = squad_at(&arrive, 1, &keyed([Vec3::ZERO]), vec3(90.0, 0.0, 0.0));
    let place = |hunt: &super::common::Hunt| hunt.places()[0];
    let mut reached = false;
    for _ in 0..(20.0 / dt) as usize {
        hunt.world.tick(dt);
        reached |= place(&hunt).distance(goal) <= 0.3;
        if reached {
            break;
        }
    }
    let (mut walked, mut turns, mut last) = (0.0, 0, Vec3::ZERO);
    for _ in 0..(2.0 / dt) as usize {
        let before = place(&hunt);
        hunt.world.tick(dt);
        let step = place(&hunt) - before;
        walked += step.length();
        turns += u32::from(step.dot(last) < 0.0);
        last = step;
    }
    (reached, walked, turns)
}

pub fn measure() -> Vec<Measure> {
    let walks = [1.0 / 120.0, 1.0 / 60.0, 0.1, 0.5].map(walk);
    let missed = walks.iter().filter(|walk| !walk.0).count();
    let (way, turns) = walks.iter().fold((0.0_f32, 0), |(way, turns), walk| (way.max(walk.1), turns + walk.2));
    vec![
        at_most("steps of 1/120, 1/60, 1/10, 1/2 s at which the goal is missed", missed as f64, 0.0),
        at_most("way in the 2 s after, m", way, 0.3),
        at_most("turns back in the 2 s after", turns, 0.0),
    ]
}
