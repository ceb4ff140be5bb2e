//! More agents than the ring can hold.

use super::common::{clump, held_ring, keyed, nearest_pair, squad_at};
use super::{Measure, at_least, at_most};
use warband::rng::Dice;
use warband::{Vec3, vec3};

pub fn measure() -> Vec<Measure> {
    let places = clump(&mut Dice::new(11, &[]), 50, vec3(-20.0, 0.0, 0.0), 7.0);
    let mut hunt = squad_at(&held_ring(6.0), 1, &keyed(places), Vec3::ZERO);
    (0..1200).for_each(|_| hunt.tick(Vec3::ZERO, Vec3::ZERO, 1.0 / 60.0));
    let fastest = hunt.world.outputs().map(|out| out.velocity.length()).fold(0.0, f32::max);
    let nearest = hunt.places().iter().map(|place| place.length()).fold(f32::MAX, f32::min);
    vec![
        at_most("fastest at 20 s, m/s", fastest, 0.2),
        at_most("deepest overlap, m", 1.0 - nearest_pair(&hunt.places()), 0.1),
        at_least("nearest to the player, m", nearest, 5.5),
    ]
}
