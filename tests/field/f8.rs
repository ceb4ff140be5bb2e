//! Ring spins because it is tied to the player's facing.

use super::common::{clump, held_ring, keyed, squad_at};
use super::{Measure, at_most};
use warband::math::direction;
use warband::rng::Dice;
use warband::{Vec3, vec3};

pub fn measure() -> Vec<Measure> {
    let places = clump(&mut Dice::new(1, &[8]), 8, vec3(-20.0, 0.0, 0.0), 3.0);
    let mut hunt = squad_at(&held_ring(12.0), 1, &keyed(places), Vec3::ZERO);
    for _ in 0..720 {
        hunt.tick(Vec3::ZERO, Vec3::ZERO, 1.0 / 60.0);
    }
    let mut moved = [0.0f32; 8];
    for tick in 0..600 {
        let before = hunt.places();
        // 360 degrees a second.
        hunt.world.set_facing(hunt.player, direction(tick as f32 / 60.0 * std::f32::consts::TAU));
        hunt.tick(Vec3::ZERO, Vec3::ZERO, 1.0 / 60.0);
        hunt.places().iter().zip(&before).zip(&mut moved).for_each(|((now, before), sum)| *sum += now.distance(*before));
    }
    vec![at_most("moved in 10 s by the one who moved most, m", moved.into_iter().fold(0.0, f32::max), 0.5)]
}
