//! Leader dies, squad stops or breaks up.

use super::common::{clump, held_ring, keyed, squad_at};
use super::{Measure, at_most, exactly};
use warband::rng::Dice;
use warband::{Vec3, vec3};

pub fn measure() -> Vec<Measure> {
    let places = clump(&mut Dice::new(1, &[1]), 8, vec3(-20.0, 0.0, 0.0), 3.0);
    let mut hunt = squad_at(&held_ring(12.0), 1, &keyed(places), Vec3::ZERO);
    let run = |hunt: &mut super::common::Hunt, ticks| {
        (0..ticks).for_each(|_| hunt.tick(Vec3::ZERO, Vec3::ZERO, 1.0 / 60.0));
    };
    run(&mut hunt, 180);
    let (mut changes, mut homeless) = (0.0, 0.0);
    for _ in 0..7 {
        let first = hunt.world.members(hunt.pack).next().expect("a member");
        hunt.world.remove(first);
        run(&mut hunt, 1);
        let ring = hunt.world.ring(hunt.pack).expect("the squad");
        for out in hunt.world.outputs() {
            changes += f64::from(out.mode != "wide");
            homeless += f64::from(ring.place_of(out.key).is_none());
        }
        run(&mut hunt, 59);
    }
    run(&mut hunt, 600);
    let off = hunt.places().iter().map(|place| (place.length() - 12.0).abs()).fold(0.0, f32::max);
    vec![
        exactly("modes that changed with a death", changes, 0.0),
        exactly("survivors without a place in the next tick", homeless, 0.0),
        exactly("members left", hunt.places().len() as u32, 1.0),
        at_most("the last one is so far off its ring, m", off, 0.6),
        exactly("errors", hunt.world.all_problems().len() as u32, 0.0),
    ]
}
