//! What avoidance and the contact pass cost an agent: the function alone in a dense crowd, and the stages of a world.
//!
//! `cargo bench --no-default-features --bench avoid`. Each row prints the shortest of several runs and a checksum of what was computed, so
//! that nothing is measured that is not done. Peers: RVO2 3.6–4.5 µs per agent when dense, DetourCrowd 12–18, landmass 13–19.

use std::time::Instant;
use warband::math::direction;
use warband::rng::Dice;
use warband::space::{Grid, Metric, Neighbour, Shape};
use warband::steer::avoid::{Avoidance, Disc, Other};
use warband::{AgentDesc, Config, Spec, SquadDesc, Vec3, World, vec3};

const NEAREST: usize = 10;

/// The shortest of `runs` times of `work`, in nanoseconds per one of `count`, and what it came to.
#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
fn time(what: &str, runs: usize, count: usize, mut work: impl FnMut() -> f64) {
    let (mut shortest, mut sum) = (f64::MAX, 0.0);
    for _ in 0..runs {
        let start = Instant::now();
        sum = std::hint::black_box(work());
        shortest = shortest.min(start.elapsed().as_secs_f64() * 1e9);
    }
    println!("{what:<44} {:>9.1} ns per agent   checksum {sum:.4}", shortest / count as f64);
}

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

fn function() {
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
    time("avoidance/ten nearest of a dense thousand", 50, 1000, || {
        (0..1000).map(|at| one(at, &lists[at])).sum()
    });
    time("avoidance/and finding them", 50, 1000, || {
        let mut near = [Neighbour::default(); NEAREST];
        (0..1000)
            .map(|at| {
                let found = find(at, &mut near);
                one(at, &near[..found])
            })
            .sum()
    });
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

/// The shortest steer and act stages of 120 ticks.
fn stages(what: &str, avoid: bool, collide: bool, walk: bool) {
    let mut world = world(avoid, collide, walk);
    let (mut steer, mut act, mut sum) = (f64::MAX, f64::MAX, 0.0);
    for _ in 0..120 {
        world.tick(1.0 / 60.0);
        (steer, act) = (steer.min(world.timings().steer), act.min(world.timings().act));
    }
    sum += world.outputs().map(|out| f64::from(out.position.x + out.position.z)).sum::<f64>();
    println!("{what:<44} {:>9.1} ns steer {:>9.1} ns act   checksum {sum:.4}", steer * 1e6, act * 1e6);
}

fn main() {
    function();
    stages("avoidance/world, all walk, neither", false, false, true);
    stages("avoidance/world, all walk, avoid", true, false, true);
    stages("avoidance/world, all walk, avoid and collide", true, true, true);
    stages("avoidance/world, all stand, neither", false, false, false);
    stages("avoidance/world, all stand, avoid", true, false, false);
    stages("avoidance/world, all stand, avoid and collide", true, true, false);
}
