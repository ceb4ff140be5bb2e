//! Ping-pong between two equally good targets.

use super::common::{encircle, squad_at};
use super::{Measure, at_least, at_most};
use warband::rng::Dice;
use warband::{ActorDesc, Vec3, vec3};

const DT: f64 = 1.0 / 60.0;

pub fn measure() -> Vec<Measure> {
    let members: Vec<_> = (0..8).map(|key| (key, vec3(0.0, 0.0, (key as f32 - 3.5) * 1.1))).collect();
    let mut hunt = squad_at(&encircle(), 1, &members, vec3(10.0, 0.0, 0.0));
    let other = hunt.world.add_actor(ActorDesc::at(vec3(-10.0, 0.0, 0.0)));
    // Half of the pack looks the other way, so that both are in view.
    for out in hunt.world.outputs().map(|out| out.agent).collect::<Vec<_>>().into_iter().skip(4) {
        hunt.world.set_facing(out, -Vec3::X);
    }
    let starts = hunt.places();
    let mut dice = Dice::new(6, &[1]);
    let (mut target, mut changes, mut least) = (None, 0, f32::MAX);
    for tick in 1..=600 {
        let mut jitter = || vec3(dice.range(-0.05, 0.05) as f32, 0.0, dice.range(-0.05, 0.05) as f32);
        let (near, far) = (vec3(10.0, 0.0, 0.0) + jitter(), vec3(-10.0, 0.0, 0.0) + jitter());
        hunt.world.set_actor(other, far, Vec3::ZERO);
        hunt.tick(near, Vec3::ZERO, DT);
        let now = hunt.world.knowledge(hunt.pack).expect("the squad").target().map(|track| track.target);
        changes += u32::from(target.is_some() && now != target);
        target = now;
        if tick == 180 {
            let ways = starts.iter().zip(hunt.places()).map(|(start, now)| start.distance(now));
            least = ways.fold(f32::MAX, f32::min);
        }
    }
    vec![
        at_most("changes of target in 10 s", f64::from(changes), 1.0),
        at_least("least way from the start after 3 s, m", least, 3.0),
    ]
}
