//! Who gets which slot depends on call order.

use super::common::{clump, held_ring, keyed, squad_at};
use super::{Measure, exactly};
use warband::rng::Dice;
use warband::{Vec3, vec3};

pub fn measure() -> Vec<Measure> {
    let mut dice = Dice::new(10, &[]);
    let members = keyed(clump(&mut dice, 8, vec3(-20.0, 0.0, 0.0), 4.0));
    let mut maps = Vec::new();
    for _ in 0..20 {
        let mut shuffled = members.clone();
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, dice.below(at as u64 + 1) as usize);
        }
        let mut hunt = squad_at(&held_ring(12.0), 1, &shuffled, Vec3::ZERO);
        (0..180).for_each(|_| hunt.tick(Vec3::ZERO, Vec3::ZERO, 1.0 / 60.0));
        let places = hunt.world.ring(hunt.pack).expect("the squad").places();
        let map: Vec<_> = places.iter().map(|place| (place.key, place.angle.to_bits())).collect();
        maps.push((map, hunt.places()));
    }
    maps.dedup();
    vec![exactly("different maps of ids to angles, and of places, in 20 orders", maps.len() as u32, 1.0)]
}
