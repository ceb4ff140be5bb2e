//! The sense stage of a world: 500 observers and 20 targets, scattered and crowded, with a checksum of what is known.
//!
//! Rows are `sense/<work>_500x20/warband`; a time is that of the stage, and not of the tick around it.
//!
//! `cargo bench --no-default-features --bench sense`

mod packs;

use criterion::Criterion;
use packs::{DT, criterion};
use std::hint::black_box;
use std::time::Duration;
use warband::{ActorDesc, AgentDesc, Config, Drive, SquadDesc, Vec3, Wall, Walls, World, math, vec3};

/// 500 observers in 20 squads and 20 targets on a square of so many metres, with 60 walls on it.
fn world(side: f32) -> World {
    let mut world = World::new(Config { drive: Drive::Game, ..Config::default() });
    let mut dice = warband::rng::Dice::new(5, &[20]);
    let mut place =
        || vec3(dice.range(0.0, f64::from(side)) as f32, 0.0, dice.range(0.0, f64::from(side)) as f32);
    let wall = |from: Vec3, at: usize| {
        Wall::segment(from, from + math::direction(at as f32) * (0.05 * side)).expect("a wall")
    };
    world.set_walls(Walls::new((0..60).map(|at| wall(place(), at)).collect()));
    for squad in 0..20 {
        let desc = SquadDesc { name: format!("squad {squad}"), ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("a new squad");
        for at in 0..25 {
            let desc = AgentDesc { facing: math::direction(at as f32), ..AgentDesc::at(place()) };
            world.spawn(squad, desc).expect("a new agent");
        }
    }
    for _ in 0..20 {
        world.add_actor(ActorDesc::at(place()));
    }
    (0..60).for_each(|_| world.tick(DT));
    world
}

/// What all squads know, as a number.
fn checksum(world: &World) -> f64 {
    let tracks = world.squads().filter_map(|squad| world.knowledge(squad)).flat_map(|known| known.tracks());
    tracks.map(|track| f64::from(track.position.x + 2.0 * track.position.z)).sum()
}

fn sense(criterion: &mut Criterion) {
    for (name, side) in [("scattered", 400.0), ("crowded", 60.0)] {
        let mut world = world(side);
        let before = checksum(&world);
        (0..60).for_each(|_| world.tick(DT));
        // Nobody moves: what is known is what was known, and it is something.
        assert!(before != 0.0 && (checksum(&world) - before).abs() < 1e-3, "{name}: {before}");
        criterion.bench_function(&format!("sense/{name}_500x20/warband"), |bencher| {
            bencher.iter_custom(|times| {
                let one = |_| {
                    world.tick(black_box(DT));
                    world.timings().sense
                };
                Duration::from_secs_f64((0..times).map(one).sum())
            });
        });
        assert!((checksum(&world) - before).abs() < 1e-3, "{name}: {before}");
        println!("{name}: {} lines of sight in a tick, checksum {before}", world.sight_tests());
    }
}

fn main() {
    let mut criterion = criterion();
    sense(&mut criterion);
    criterion.final_summary();
}
