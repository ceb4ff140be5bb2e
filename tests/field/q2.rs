//! One stuck member holds up all.

use super::common::{clump, held_ring, keyed, squad_at};
use super::{Measure, at_most};
use warband::math::direction;
use warband::rng::Dice;
use warband::{EventKind, Vec3, Wall, Walls, vec3};

const DT: f64 = 1.0 / 60.0;

/// A pen of eight walls round a place.
fn pen(at: Vec3) -> Walls {
    let corner = |number: usize| at + direction(number as f32 * std::f32::consts::FRAC_PI_4) * 1.2;
    let low = |number| Wall::segment(corner(number), corner(number + 1)).and_then(|wall| wall.height(0.0, 1.0));
    Walls::new((0..8).map(|number| low(number).expect("a wall")).collect())
}

/// Eight take their places on the ring, and each goes on to wait once the ring is set; agent 5 is walled in until 12 s.
pub fn measure() -> Vec<Measure> {
    let starts = clump(&mut Dice::new(1, &[2]), 8, vec3(-18.0, 0.0, 0.0), 4.0);
    let mut hunt = squad_at(&held_ring(8.0), 1, &keyed(starts.clone()), Vec3::ZERO);
    hunt.world.set_walls(pen(starts[5]));
    let (mut reported, mut placed, mut set) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    let mut joined = f64::INFINITY;
    for tick in 1..=1500 {
        let now = f64::from(tick) * DT;
        if tick == 720 {
            hunt.world.set_walls(Walls::default());
        }
        hunt.tick(Vec3::ZERO, Vec3::ZERO, DT);
        let outs: Vec<_> = hunt.world.outputs().collect();
        let stuck = |event: &&warband::Event| event.kind == EventKind::Blocked;
        if hunt.world.events().iter().filter(stuck).any(|event| event.agent == Some(outs[5].agent)) {
            reported = reported.min(now);
        }
        let ring = hunt.world.ring(hunt.pack).expect("a ring");
        let there = |key: u32| {
            let place = ring.place_of(key).map(|place| place.position);
            place.is_some_and(|place| place.distance(outs[key as usize].position) <= ring.rules.reach)
        };
        if (0..8).filter(|key| *key != 5).all(there) {
            placed = placed.min(now);
        }
        if ring.is_set() {
            set = set.min(now);
        }
        if tick > 720 && there(5) {
            joined = joined.min(now - 12.0);
        }
    }
    vec![
        at_most("the seven are held up after all seven stand, s", (set - placed).max(0.0), 3.0),
        at_most("agent 5 reports that it is stuck after, s", reported, 5.0),
        at_most("once free, it is at its place after, s", joined, 10.0),
    ]
}
