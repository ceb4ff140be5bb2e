//! First arrivals bunch at one end; the shape appears late.

use super::common::{clump, held_ring, keyed, squad_at};
use super::{Measure, at_most};
use warband::rng::Dice;
use warband::squad::largest_gap;
use warband::{Vec3, vec3};

/// The largest angle without any member when half of them have arrived, over what it is in the end.
fn early_gap(count: u32, distance: f32, seed: u64) -> f32 {
    let spread = if count > 8 { 6.0 } else { 3.0 };
    let places = clump(&mut Dice::new(seed, &[38]), count, vec3(-distance, 0.0, 0.0), spread);
    let mut hunt = squad_at(&held_ring(12.0), seed, &keyed(places), Vec3::ZERO);
    for _ in 0..1800 {
        hunt.tick(Vec3::ZERO, Vec3::ZERO, 1.0 / 60.0);
        let ring = hunt.world.ring(hunt.pack).expect("the squad");
        // Half a metre is where one stands.
        let arrived = ring.places().iter().filter(|place| place.error <= 0.6).count();
        if 2 * arrived >= count as usize {
            return largest_gap(Vec3::ZERO, &hunt.places()) / (360.0 / count as f32);
        }
    }
    f32::NAN
}

pub fn measure() -> Vec<Measure> {
    let worst = |count, distance| (0..5).map(|seed| early_gap(count, distance, seed)).fold(0.0, f32::max);
    vec![
        at_most("8 from 20 m: largest gap at half over that at the end", worst(8, 20.0), 2.0),
        at_most("8 from 35 m", worst(8, 35.0), 2.0),
        at_most("24 from 30 m", worst(24, 30.0), 2.0),
    ]
}
