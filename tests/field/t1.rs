//! Keeps fighting a dead player, or loops on it.

use super::common::Hunt;
use super::{Measure, at_most, exactly};
use warband::{EventKind, Vec3, vec3};

const DT: f64 = 1.0 / 60.0;

struct Seen {
    known: usize,
    changes: usize,
    last: f64,
    patrols: usize,
}

/// The player dies in the narrow ring and stays in the world.
fn death(seed: u64) -> Seen {
    let mut hunt = Hunt::new(seed, 8, vec3(-20.0, 0.0, 0.0));
    while hunt.world.now() < 10.0 && hunt.world.outputs().filter(|out| out.mode == "narrow").count() < 4 {
        hunt.tick(Vec3::ZERO, Vec3::ZERO, DT);
    }
    hunt.world.set_present(hunt.player, false);
    let died = hunt.world.now();
    let (mut seen, mut changes) = (Seen { known: 0, changes: 0, last: 0.0, patrols: 0 }, [0; 8]);
    while hunt.world.now() < died + 20.0 {
        hunt.tick(Vec3::ZERO, Vec3::ZERO, DT);
        seen.known += hunt.world.knowledge(hunt.pack).expect("the squad").tracks().len();
        for event in hunt.world.events().iter().filter(|event| matches!(event.kind, EventKind::Mode { .. })) {
            let key = hunt.world.output(event.agent.expect("an agent")).expect("there").key;
            changes[key as usize] += 1;
            seen.last = event.seconds() - died;
        }
    }
    seen.changes = changes.into_iter().max().unwrap_or(0);
    seen.patrols = hunt.world.outputs().filter(|out| out.mode == "patrol").count();
    seen
}

pub fn measure() -> Vec<Measure> {
    let deaths: Vec<Seen> = (0..10).map(death).collect();
    let most = |of: fn(&Seen) -> f64| deaths.iter().map(of).fold(0.0, f64::max);
    vec![
        exactly("targets known after the tick of its death", most(|seen| seen.known as f64), 0.0),
        at_most("changes of mode afterwards, each agent", most(|seen| seen.changes as f64), 2.0),
        at_most("last change of mode, s after the death", most(|seen| seen.last), 5.0 + DT),
        exactly("agents not on patrol at the end", most(|seen| 8.0 - seen.patrols as f64), 0.0),
    ]
}
