//! The same world comes to the same digest in every build (this file's golden digest is checked with and without optimisation), with or without
//! a history of every agent, and whether who waits is left alone or not. Threads have a file of their own, as have the
//! instructions that the processor has: only the flock kernel asks for those.
//!
//! `BLESS=1 cargo test --test same_digest` writes the digest anew, after a change that is meant to be felt.

use std::collections::BTreeSet;
use std::{env, fs, path::PathBuf};
use warband::{ActorDesc, AgentDesc, Config, Spec, SquadDesc, Vec3, Wall, Walls, World, vec3};

const DT: f64 = 1.0 / 60.0;

fn node(name: &str) -> Spec {
    Spec::new(name)
}

fn tree() -> Spec {
    let chase = node("bands")
        .with(node("direct_chase").edge("below", 3.0))
        .with(node("formation").set("radius", 5.0).edge("below", 9.0))
        .with(node("formation").set("radius", 10.0));
    node("reactive_selector")
        .with(node("guard").when(node("sees_target")).with(chase))
        .with(
            node("guard")
                .when(node("remembers_target").set("within", 5.0))
                .with(node("search").set("spread", true)),
        )
        .with(node("patrol").set("shape", "wedge"))
}

fn flock() -> Spec {
    let rules = ["wander", "separation", "alignment", "cohesion"];
    rules.into_iter().fold(node("blend"), |blend, rule| blend.with(node(rule)))
}

fn world(config: Config, history: bool) -> World {
    let mut world = World::new(Config { seed: 11, ..config });
    world.add_tree("wolf", &tree()).expect("right");
    world.add_tree("bird", &flock()).expect("right");
    let wall = |at: f32| Wall::segment(vec3(at, 0.0, -6.0), vec3(at + 2.0, 0.0, 6.0));
    world.set_walls(Walls::new([8.0, 21.0].into_iter().filter_map(|at| wall(at).ok()).collect()));
    for pack in 0..6 {
        let den = vec3((pack % 3) as f32 * 14.0, 0.0, (pack / 3) as f32 * 16.0);
        let route = vec![den, den + vec3(9.0, 0.0, 3.0), den + vec3(3.0, 0.0, 9.0)];
        let desc = SquadDesc { name: format!("pack {pack}"), route, ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("a new squad");
        let tree = if pack == 5 { "bird" } else { "wolf" };
        for number in 0..8 {
            let place = den + vec3((number % 4) as f32 * 1.3, 0.0, (number / 4) as f32 * 1.3);
            let wolf = world
                .spawn(squad, AgentDesc { tree: tree.into(), ..AgentDesc::at(place) })
                .expect("a new wolf");
            world.set_history(wolf, if history { 64 } else { 0 });
        }
    }
    world
}

/// The prey runs past walls, so that it is seen, lost, searched for and surrounded.
fn prey(time: f32) -> Vec3 {
    vec3(14.0 + 16.0 * (0.35 * time - (0.35 * time).floor()), 0.0, 8.0 + 0.5 * time)
}

fn run(config: Config, history: bool) -> u64 {
    let mut world = world(config, history);
    let hero = world.add_actor(ActorDesc::at(prey(0.0)));
    let mut modes = BTreeSet::new();
    for tick in 0..900 {
        world.set_actor(hero, prey(tick as f32 * DT as f32), vec3(5.6, 0.0, 0.5));
        world.tick(DT);
        modes.extend(world.outputs().map(|out| out.mode.to_owned()));
    }
    assert!(
        ["patrol", "search", "direct"].iter().all(|mode| modes.contains(*mode)),
        "all is done: {modes:?}"
    );
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
    world.digest()
}

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/digest.txt")
}

#[test]
fn every_build_comes_to_the_same_digest() {
    let digest = format!("{:016x}\n", run(Config::default(), false));
    if env::var_os("BLESS").is_some() {
        fs::write(golden(), &digest).expect("the golden digest can be written");
    }
    let known = fs::read_to_string(golden()).expect("there is a golden digest: BLESS=1 writes it");
    assert_eq!(digest, known, "if the change is meant to be felt: BLESS=1");
}

#[test]
fn a_history_is_not_felt() {
    assert_eq!(run(Config::default(), false), run(Config::default(), true));
}

#[test]
fn sleep_is_not_felt() {
    assert_eq!(run(Config::default(), false), run(Config { sleep: false, ..Config::default() }, false));
}
