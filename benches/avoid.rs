//! What avoidance and the contact pass cost an agent: the function alone in a dense crowd, and the stages of a world.
//!
//! Rows are `avoid/dense_1k/<form>`, a thousand answers for the ten nearest, with and without finding these, and
//! `avoid/<what all do>_1k/<form>`, the steer and act stages of a tick of a thousand agents, which the bodies' own rules add to. Each form
//! prints a checksum of what it came to. Peers, for one agent: RVO2 3.6–4.5 µs when dense, DetourCrowd 12–18, landmass 13–19; side by
//! side in `benches/rivals`.
//!
//! `cargo bench --no-default-features --bench avoid`

mod packs;

use criterion::Criterion;
use packs::{DT, criterion};
use std::time::Duration;
use warband::math::direction;
use warband::rng::Dice;
use warband::space::{Grid, Metric, Neighbour, Shape};
use warband::steer::avoid::{Avoidance, Disc, Other};
use warband::{AgentDesc, Config, Snapshot, Spec, SquadDesc, Vec3, World, vec3};

const NEAREST: usize = 10;

/// A thousand discs at 1.3 m from each other, give or take, that move every way.
fn dense() -> Vec<Disc> {
    let mut dice = Dice::new(1, &[]);
    let disc = |at: usize| Disc {
        id: at as u32,
        position: vec3((at % 32) as f32, 0.0, (at / 32) as f32) * 1.3
            + vec3(dice.range(-0.1, 0.1) as f32, 0.0, dice.range(-0.1, 0.1) as f32),
        velocity: direction(dice.range(-3.1, 3.1) as f32) * 3.0,
        radius: 0.5,
    };
    (0..1000).map(disc).collect()
}

fn function(criterion: &mut Criterion) {
    let crowd = dense();
    let positions: Vec<Vec3> = crowd.iter().map(|disc| disc.position).collect();
    let mut grid = Grid::default();
    grid.rebuild(&positions, 3.0, Shape::Ground);
    let mut avoidance = Avoidance::default();
    let mut one = |at: usize, near: &[Neighbour]| {
        let me = &crowd[at];
        avoidance.clear();
        for other in near {
            let body = crowd[other.index as usize];
            avoidance.other(me, &Other { body, share: 0.5, horizon: 0.65 });
        }
        let found = avoidance.velocity(me.velocity, 5.0);
        f64::from(found.x + found.z)
    };
    let find = |at: usize, near: &mut [Neighbour]| {
        grid.nearest_into(Metric::Ground, positions[at], 7.5, Some(at as u32), near)
    };
    let mut lists = vec![[Neighbour::default(); NEAREST]; crowd.len()];
    lists.iter_mut().enumerate().for_each(|(at, near)| assert_eq!(find(at, near), NEAREST));
    let mut given = || (0..1000).map(|at| one(at, &lists[at])).sum::<f64>();
    let expected = given();
    criterion.bench_function("avoid/dense_1k/warband", |bencher| {
        bencher.iter(|| assert_eq!(given(), expected));
    });
    let mut near = [Neighbour::default(); NEAREST];
    let mut found = || {
        let all = 0..1000;
        let answer = |at| {
            let count = find(at, &mut near);
            one(at, &near[..count])
        };
        all.map(answer).sum::<f64>()
    };
    assert_eq!(found(), expected, "the same neighbours");
    criterion.bench_function("avoid/dense_1k/warband_and_neighbours", |bencher| {
        bencher.iter(|| assert_eq!(found(), expected));
    });
    println!("avoid/dense_1k: checksum {expected:.4}");
}

/// A thousand agents that walk to one another's places, 1.6 m apart, or that stand.
fn world(avoid: bool, collide: bool, walk: bool) -> World {
    let mut world = World::new(Config { collide, ..Config::default() });
    let squad = world.add_squad(SquadDesc::default()).expect("a squad");
    let mut dice = Dice::new(2, &[]);
    for at in 0..1000 {
        let place = |at: usize| vec3((at % 32) as f32, 0.0, (at / 32) as f32) * 1.6;
        let tree = if walk { format!("to {at}") } else { String::new() };
        if walk {
            let goal = place(dice.below(1000) as usize);
            world.add_tree(&tree, &Spec::new("arrive").set("to", goal)).expect("a tree");
        }
        let desc = AgentDesc { tree, avoid, ..AgentDesc::at(place(at)) };
        world.spawn(squad, desc).expect("an agent");
    }
    (0..90).for_each(|_| world.tick(1.0 / 60.0));
    world
}

/// Ticks from one state, after which it is put back: so that all samples time the same walk.
const LAP: u64 = 30;

/// The steer and act stages of so many ticks.
fn stages(world: &mut World, start: &Snapshot, ticks: u64) -> Duration {
    let mut seconds = 0.0;
    for tick in 0..ticks {
        if tick % LAP == 0 {
            world.restore(start).expect("its own");
        }
        world.tick(DT);
        let times = world.timings();
        seconds += times.steer + times.act;
    }
    Duration::from_secs_f64(seconds)
}

fn worlds(criterion: &mut Criterion, walk: bool) {
    let what = if walk { "walk" } else { "stand" };
    let forms =
        [("warband", true, true), ("warband_no_contacts", true, false), ("warband_neither", false, false)];
    for (form, avoid, collide) in forms {
        let mut world = world(avoid, collide, walk);
        let start = world.snapshot();
        let mut sum = || {
            stages(&mut world, &start, LAP);
            world.outputs().map(|out| f64::from(out.position.x + out.position.z)).sum::<f64>()
        };
        let expected = sum();
        assert_eq!(sum(), expected, "{what}, {form}: another walk the second time");
        println!("avoid/{what}_1k/{form}: checksum {expected:.4}");
        criterion.bench_function(&format!("avoid/{what}_1k/{form}"), |bencher| {
            bencher.iter_custom(|ticks| stages(&mut world, &start, ticks));
        });
    }
}

fn main() {
    let mut criterion = criterion();
    function(&mut criterion);
    [true, false].into_iter().for_each(|walk| worlds(&mut criterion, walk));
    criterion.final_summary();
}
