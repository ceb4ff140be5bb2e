//! Crowd at one goal never stops pushing.

use super::common::{clump, keyed, nearest_pair, squad_at};
use super::{Measure, at_most};
use warband::rng::Dice;
use warband::{Spec, Vec3, vec3};

pub fn measure() -> Vec<Measure> {
    let starts = clump(&mut Dice::new(1, &[5]), 20, vec3(-15.0, 0.0, 0.0), 5.0);
    let mut hunt = squad_at(&Spec::new("direct_chase"), 1, &keyed(starts), Vec3::ZERO);
    for _ in 0..900 {
        hunt.tick(Vec3::ZERO, Vec3::ZERO, 1.0 / 60.0);
    }
    let speed = hunt.world.outputs().map(|out| out.velocity.length()).sum::<f32>() / 20.0;
    let far = hunt.places().iter().map(|place| place.length()).fold(0.0, f32::max);
    vec![
        at_most("mean speed after 15 s, m/s", speed, 0.1),
        at_most("overlap, m", 1.0 - nearest_pair(&hunt.places()), 0.1),
        at_most("farthest from the player, m", far, 4.0),
    ]
}
