//! Trees that think at their own rate, under a budget, or more rarely far away; see the field reports X1 and N2 too.

mod common;

use common::{encircle, square_walk};
use warband::{
    ActorDesc, AgentDesc, BoardOf, Config, KeyDecl, Scope, Spec, SquadDesc, Value, ValueType, Vec3, World,
    vec3,
};

const DT: f64 = 1.0 / 60.0;

fn busy() -> Spec {
    Spec::new("wander")
}

fn crowd(config: Config, squads: u32, each: u32, interval: f32, tree: &Spec) -> World {
    let mut world = World::new(config);
    world.add_tree("tree", tree).expect("right");
    for squad in 0..squads {
        let desc = SquadDesc { name: format!("squad{squad}"), ..SquadDesc::default() };
        let id = world.add_squad(desc).expect("new");
        for at in 0..each {
            let place = vec3(at as f32 * 4.0, 0.0, squad as f32 * 4.0);
            let desc = AgentDesc { tree: "tree".into(), think_interval: interval, ..AgentDesc::at(place) };
            world.spawn(id, desc).expect("new");
        }
    }
    world
}

/// When twelve waits of 0.13 s that were begun by the first thought are over, in seconds after it.
fn twelve_waits(carry: bool, every: f64, sleep: bool) -> f64 {
    let wait = || Spec::new("wait").set("seconds", 0.13).set("carry", carry);
    let tree = (0..12).fold(Spec::new("sequence"), |tree, _| tree.with(wait()));
    let tree = Spec::new("sequence")
        .with(Spec::new("increment").set("key", "count"))
        .with(tree)
        .with(Spec::new("increment").set("key", "count"))
        .with(Spec::new("wait").set("seconds", 100.0));
    let mut world = World::new(Config { sleep, ..Config::default() });
    world.declare(KeyDecl::new("count", Scope::Agent, ValueType::Integer).default(0_i64)).expect("legal");
    world.add_tree("tree", &tree).expect("right");
    let squad = world.add_squad(SquadDesc { name: "one".into(), ..SquadDesc::default() }).expect("new");
    let think_interval = (every / 60.0) as f32;
    let agent = world
        .spawn(squad, AgentDesc { tree: "tree".into(), think_interval, ..AgentDesc::default() })
        .expect("new");
    let mut counted = [0.0; 2];
    while counted[1] == 0.0 && world.now() < 30.0 {
        world.tick(DT);
        if let Ok(Value::Integer(count @ 1..)) = world.value(BoardOf::Agent(agent), "count") {
            let at = &mut counted[count as usize - 1];
            *at = if *at == 0.0 { world.now() } else { *at };
        }
    }
    counted[1] - counted[0]
}

/// Waits one after the other do not stretch where left-over time is carried; where it is not, each is late for itself.
#[test]
fn waits_that_carry_are_late_by_one_thought_at_any_rate() {
    for every in [1.0, 6.0, 20.0, 60.0] {
        let interval = every / 60.0;
        let late = twelve_waits(true, every, true) - 12.0 * 0.13;
        assert!((-1e-9..=interval + 1e-9).contains(&late), "every {every} ticks: late by {late}");
        assert_eq!(twelve_waits(true, every, false), twelve_waits(true, every, true));
        let plain = twelve_waits(false, every, true);
        let stretched = 12.0 * (0.13 / interval - 1e-9).ceil() * interval;
        // A thought comes with the first tick in which it is due.
        assert!((plain - stretched).abs() < 1.5 * DT, "every {every} ticks: {plain}, not {stretched}");
    }
}

#[test]
fn a_budget_lets_the_oldest_think_first_and_everybody_in_turn() {
    let config = Config { think_budget: Some(100), ..Config::default() };
    let mut world = crowd(config, 50, 8, 0.0, &busy());
    world.tick(DT);
    world.tick(DT);
    for _ in 0..100 {
        world.tick(DT);
        assert!(world.visits() <= 100, "{}", world.visits());
        assert_eq!(world.waiting(), 300);
    }
}

#[test]
fn a_budget_changes_when_one_thinks_and_not_what_two_runs_come_to() {
    let run = || {
        let config = Config { seed: 3, think_budget: Some(40), ..Config::default() };
        let mut world = crowd(config, 4, 8, 0.05, &encircle());
        let player = world.add_actor(ActorDesc::at(Vec3::ZERO));
        for tick in 1..600 {
            let (place, velocity) = square_walk(f64::from(tick) * DT);
            world.set_actor(player, place, velocity);
            world.tick(DT);
        }
        world.digest()
    };
    assert_eq!(run(), run());
}

#[test]
fn a_hunt_at_ten_thoughts_a_second_comes_to_the_same_end() {
    let mut world = crowd(Config::default(), 1, 8, 0.1, &encircle());
    let player = world.add_actor(ActorDesc::at(vec3(30.0, 0.0, 0.0)));
    for _ in 0..1800 {
        world.set_actor(player, vec3(30.0, 0.0, 0.0), Vec3::ZERO);
        world.tick(DT);
    }
    let near = world.outputs().filter(|out| out.position.distance(vec3(30.0, 0.0, 0.0)) <= 2.5).count();
    assert!(near >= 7, "{near} of eight are there");
}

#[test]
fn far_from_every_focus_one_thinks_rarely() {
    let config = Config { detail: vec![(50.0, 0.25), (200.0, 1.0)], ..Config::default() };
    let mut world = crowd(config, 1, 100, 0.0, &busy());
    world.set_focus(&[Vec3::ZERO]);
    world.tick(DT);
    let visits: u64 = (0..60)
        .map(|_| {
            world.tick(DT);
            world.visits()
        })
        .sum();
    // Members stand 4 m apart: 13 within 50 m think 60 times, 37 four times, 50 once.
    let expected = 13 * 60 + 37 * 4 + 50;
    assert!(visits.abs_diff(expected) <= expected / 5, "{visits} visits, about {expected} expected");
}

/// Each agent's count after each tick, for agents that wait, count, and wait for a key that is set now and then.
fn counts_of_sleepers(sleep: bool) -> Vec<Vec<Value>> {
    let tree = Spec::new("sequence")
        .with(Spec::new("wait").set("seconds", 0.23))
        .with(Spec::new("increment").set("key", "count"))
        .with(Spec::new("wait_for").set("key", "go").set("change", true))
        .with(Spec::new("increment").set("key", "count"));
    let mut world = World::new(Config { sleep, ..Config::default() });
    world.declare(KeyDecl::new("count", Scope::Agent, ValueType::Integer).default(0_i64)).expect("legal");
    world.declare(KeyDecl::new("go", Scope::World, ValueType::Integer).default(0_i64)).expect("legal");
    world.add_tree("tree", &tree).expect("right");
    let squad = world.add_squad(SquadDesc { name: "one".into(), ..SquadDesc::default() }).expect("new");
    let spawn = |key: u32| {
        let think_interval = 0.05 * (key % 4) as f32;
        let desc = AgentDesc { tree: "tree".into(), think_interval, ..AgentDesc::default() };
        world.spawn(squad, desc).expect("new")
    };
    let agents: Vec<_> = (0..40).map(spawn).collect();
    let mut counts = Vec::new();
    for tick in 1..=400_i64 {
        if tick % 37 == 0 {
            world.set_value(BoardOf::World, "go", tick).expect("its key");
        }
        // A frame now and then is longer than any interval.
        world.tick(if tick % 90 == 0 { 0.4 } else { DT });
        assert!(sleep || world.asleep() == 0);
        let all = agents.iter().map(|agent| world.value(BoardOf::Agent(*agent), "count").expect("its key"));
        counts.push(all.collect());
    }
    counts
}

/// Who slept woke at once, and thought from then on when the others did who had waited for the same.
#[test]
fn sleep_is_not_seen_where_agents_think_in_turns() {
    let (slept, awake) = (counts_of_sleepers(true), counts_of_sleepers(false));
    for (tick, (slept, awake)) in slept.iter().zip(&awake).enumerate() {
        assert_eq!(slept, awake, "tick {}", tick + 1);
    }
    assert!(awake.last().expect("ticks").iter().all(|count| matches!(count, Value::Integer(8..))));
}
