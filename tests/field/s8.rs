//! The forget timer never ends, or its unit is a mystery.

use super::common::Hunt;
use super::{Measure, within};
use warband::{EventKind, Vec3, vec3};

/// How long after the loss the pack goes on patrol, in s, and the longest step.
fn patrols_after(steps: &[f64]) -> (f64, f64) {
    let mut hunt = Hunt::new(2, 8, vec3(-20.0, 0.0, 0.0));
    let (mut lost, mut patrol, mut tick) = (0.0, f64::NAN, 0);
    while hunt.world.now() < 9.0 {
        let dt = steps[tick % steps.len()];
        tick += 1;
        let there = hunt.world.now() + dt < 2.0 - 1e-9;
        hunt.tick(if there { Vec3::ZERO } else { vec3(300.0, 0.0, 0.0) }, Vec3::ZERO, dt);
        if !there && lost == 0.0 {
            lost = hunt.world.now();
        }
        let to_patrol = |kind: &EventKind| matches!(kind, EventKind::Mode { to, .. } if &**to == "patrol");
        let enters = hunt.world.events().iter().any(|event| to_patrol(&event.kind));
        if hunt.world.now() > 1.0 && enters && patrol.is_nan() {
            patrol = hunt.world.now();
        }
    }
    (patrol - lost, steps.iter().fold(0.0_f64, |a, b| a.max(*b)))
}

pub fn measure() -> Vec<Measure> {
    let mixes =
        [vec![1.0 / 30.0], vec![1.0 / 60.0], vec![1.0 / 144.0], vec![1.0 / 60.0, 1.0 / 60.0, 0.25]];
    let measure = |steps: &Vec<f64>| {
        let (after, longest) = patrols_after(steps);
        let what = format!("from the loss to patrol in steps of up to {longest:.4} s, s");
        within(what, after, 5.0 - 1e-6, 5.0 + longest + 1e-6)
    };
    mixes.iter().map(measure).collect()
}
