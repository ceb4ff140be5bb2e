//! What it costs to deal and to mend the places of a ring, with checksums over who got which.
//!
//! Rows are `ring/mend_<members>/warband`, which finds nothing to change, and `ring/deal_<members>/warband`, after a death.
//!
//! `cargo bench --no-default-features --bench ring`

mod packs;

use criterion::{BatchSize, Criterion};
use packs::criterion;
use warband::math::vec3;
use warband::rng::Dice;
use warband::squad::{Ground, Member, Ring, RingRules};

/// Members all round, of whom nobody has arrived.
fn scattered(count: u32) -> Vec<Member> {
    let mut dice = Dice::new(u64::from(count), &[1]);
    let mut at = || dice.range(-30.0, 30.0) as f32;
    (0..count)
        .map(|key| Member { key, position: vec3(at(), 0.0, at()), hold: true, ..Member::default() })
        .collect()
}

/// A number over which member has which angle.
fn checksum(ring: &Ring) -> u64 {
    let mix = |sum: u64, place: &warband::squad::Place| {
        warband::rng::mix(sum ^ u64::from(place.key) << 32 ^ u64::from(place.angle.to_bits()))
    };
    ring.places().iter().fold(0, mix)
}

fn update(ring: &mut Ring, members: &[Member], dt: f32) {
    ring.update(members, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), dt, &Ground::OPEN);
}

/// Deals anew after a death, and looks at what has not changed: each within one update.
fn reassign(criterion: &mut Criterion) {
    for count in [8, 12, 24, 64] {
        let members = scattered(count);
        let mut ring = Ring::new(RingRules::default());
        update(&mut ring, &members, 0.25);
        let whole = checksum(&ring);
        update(&mut ring, &members, 0.25);
        assert_eq!(checksum(&ring), whole, "mending what is best changes nothing");
        criterion.bench_function(&format!("ring/mend_{count}/warband"), |bencher| {
            bencher.iter(|| update(&mut ring, &members, 0.25));
        });
        let mut dead = ring.clone();
        update(&mut dead, &members[1..], 0.25);
        let after = checksum(&dead);
        let mut again = ring.clone();
        update(&mut again, &members[1..], 0.25);
        assert_eq!(checksum(&again), after, "dealt otherwise the second time");
        criterion.bench_function(&format!("ring/deal_{count}/warband"), |bencher| {
            bencher.iter_batched_ref(
                || ring.clone(),
                |ring| {
                    update(ring, &members[1..], 0.25);
                    assert_eq!(ring.places().len(), members.len() - 1);
                },
                BatchSize::SmallInput,
            );
        });
        println!("ring of {count}: checksums {whole:016x}, {after:016x}");
    }
}

fn main() {
    let mut criterion = criterion();
    reassign(&mut criterion);
    criterion.final_summary();
}
