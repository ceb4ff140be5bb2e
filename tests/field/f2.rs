//! Agents cross each other's paths to reach their slots.

use super::common::{Hunt, clump, held_ring, shortest_walks, squad_at};
use super::{Measure, at_most, exactly};
use warband::rng::Dice;
use warband::squad::skirt_length;
use warband::{Vec3, vec3};

const DT: f64 = 1.0 / 60.0;

/// What walked: the sum over the optimum, and in how many ticks two that walk would halve the longer of their two remaining
/// walks by swapping goals.
fn walk(members: &[(u32, Vec3)]) -> (f32, f64) {
    let mut hunt = squad_at(&held_ring(12.0), 1, members, Vec3::ZERO);
    let (mut walked, mut bad, mut before) = (0.0, 0.0, hunt.places());
    for _ in 0..840 {
        hunt.tick(Vec3::ZERO, Vec3::ZERO, DT);
        let now = hunt.places();
        walked += now.iter().zip(&before).map(|(a, b)| a.distance(*b)).sum::<f32>();
        before = now;
        bad += f64::from(some_should_swap(&hunt));
    }
    let starts: Vec<Vec3> = members.iter().map(|(_, place)| *place).collect();
    (walked / shortest_walks(&starts, 12.0), bad)
}

fn some_should_swap(hunt: &Hunt) -> bool {
    let ring = hunt.world.ring(hunt.pack).expect("the squad");
    let walkers: Vec<(Vec3, Vec3)> = (hunt.world.outputs())
        .filter(|out| out.velocity.length() > 0.2)
        .map(|out| (out.position, ring.place_of(out.key).expect("its place").position))
        .collect();
    let rest = |a: usize, b: usize| skirt_length(walkers[a].0, walkers[b].1, Vec3::ZERO, ring.inner());
    (0..walkers.len()).any(|a| {
        (0..a).any(|b| {
            let (now, swapped) = (rest(a, a).max(rest(b, b)), rest(a, b).max(rest(b, a)));
            // Within half a metre of a place one stands: what is left there is no walk.
            now >= 0.5 && swapped <= 0.5 * now
        })
    })
}

pub fn measure() -> Vec<Measure> {
    // Keys in the reverse order of z, as if they had been inserted so.
    let row: Vec<_> = (0..8).map(|i| (7 - i, vec3(-20.0, 0.0, i as f32 * 2.0 - 7.0))).collect();
    let (ratio, bad) = walk(&row);
    let mut worst = (0.0f32, 0.0);
    for seed in 0..6 {
        let mut dice = Dice::new(seed, &[2]);
        let (spread, centre) = if seed % 2 == 0 { (4.0, vec3(-22.0, 0.0, 3.0)) } else { (20.0, vec3(5.0, 0.0, 0.0)) };
        let mut places = clump(&mut dice, 8, centre, spread);
        places.retain(|place| place.length() > 1.0);
        let members: Vec<_> = places.into_iter().zip((0..8).rev()).map(|(place, key)| (key, place)).collect();
        let (ratio, bad) = walk(&members);
        worst = (worst.0.max(ratio), worst.1 + bad);
    }
    vec![
        at_most("walked over the optimum", ratio, 1.15),
        exactly("ticks in which two walkers should swap", bad, 0.0),
        at_most("walked over the optimum, clumps and scattered, the worst of 6", worst.0, 1.15),
        exactly("ticks in which two of those should swap", worst.1, 0.0),
    ]
}
