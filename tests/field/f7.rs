//! Constant shuffling when the player makes tiny moves.

use super::common::{clump, held_ring, keyed, squad_at};
use super::{Measure, at_most};
use warband::math::{clamp_length, direction};
use warband::rng::Dice;
use warband::{Vec3, vec3};

const DT: f32 = 1.0 / 60.0;

pub fn measure() -> Vec<Measure> {
    let places = clump(&mut Dice::new(1, &[7]), 8, vec3(-20.0, 0.0, 0.0), 3.0);
    let mut hunt = squad_at(&held_ring(12.0), 1, &keyed(places), Vec3::ZERO);
    for _ in 0..720 {
        hunt.tick(Vec3::ZERO, Vec3::ZERO, DT.into());
    }
    let mut dice = Dice::new(3, &[7]);
    let (mut player, mut heading) = (Vec3::ZERO, 0.0f32);
    let (mut walked, mut turns, mut last) = ([0.0f32; 8], [0u32; 8], [Vec3::ZERO; 8]);
    for _ in 0..1200 {
        heading += dice.range(-1.0, 1.0) as f32;
        let velocity = direction(heading);
        // At 1 m/s inside of a disc of 0.5 m.
        player = clamp_length(player + velocity * DT, 0.5);
        let before = hunt.places();
        hunt.tick(player, velocity, DT.into());
        for (at, place) in hunt.places().into_iter().enumerate() {
            let step = place - before[at];
            walked[at] += step.length();
            if step.length() > 0.05 * DT {
                turns[at] += u32::from(step.dot(last[at]) < 0.0);
                last[at] = step;
            }
        }
    }
    vec![
        at_most("walked in 20 s by the one who walked most, m", walked.into_iter().fold(0.0, f32::max), 5.0),
        at_most("reversals of the one with the most", turns.into_iter().max().unwrap_or(99), 4.0),
    ]
}
