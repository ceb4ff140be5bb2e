//! Agents run through the player to reach the far side.

use super::common::{clump, held_ring, keyed, squad_at};
use super::{Measure, at_least, at_most};
use warband::rng::Dice;
use warband::{Vec3, vec3};

pub fn measure() -> Vec<Measure> {
    let (mut nearest, mut fastest) = (f32::MAX, 0.0f32);
    for seed in 0..10 {
        let places = clump(&mut Dice::new(seed, &[6]), 8, vec3(-20.0, 0.0, 0.0), 3.0);
        let mut hunt = squad_at(&held_ring(12.0), seed, &keyed(places), Vec3::ZERO);
        for _ in 0..720 {
            hunt.tick(Vec3::ZERO, Vec3::ZERO, 1.0 / 60.0);
            nearest = hunt.places().iter().map(|place| place.length()).fold(nearest, f32::min);
        }
        fastest = hunt.world.outputs().map(|out| out.velocity.length()).fold(fastest, f32::max);
    }
    vec![
        at_least("nearest to the player, 10 seeds, m", nearest, 6.0),
        at_most("fastest at 12 s, m/s", fastest, 0.2),
    ]
}
