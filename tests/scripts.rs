//! The shipped scripts do what they say, in a whole world.
#![cfg(feature = "lua")]

mod common;

use common::{Hunt, clump, square_walk};
use std::path::Path;
use warband::rng::Dice;
use warband::{
    ActorDesc, AgentDesc, BoardOf, Config, EventKind, Limits, SquadDesc, Value, Vec3, World, vec3,
};

const DT: f64 = 1.0 / 60.0;

fn world_with(script: &str) -> World {
    let mut world = World::new(Config { seed: 5, ..Config::default() });
    world
        .load(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(script))
        .expect("a shipped script is right");
    world
}

#[test]
fn encircle_from_lua_does_tick_for_tick_what_the_same_tree_in_rust_does() {
    let mut rust = Hunt::new(5, 8, vec3(-30.0, 0.0, 0.0));
    let mut lua = world_with("encircle.lua");
    let player = lua.add_actor(ActorDesc::at(Vec3::ZERO));
    let den = vec3(-30.0, 0.0, 0.0);
    let route = vec![den, den + vec3(0.0, 0.0, 10.0)];
    let pack = lua.add_squad(SquadDesc { name: "pack".into(), route, ..SquadDesc::default() }).expect("new");
    for place in clump(&mut Dice::new(5, &[99]), 8, den, 3.0) {
        lua.spawn(pack, AgentDesc { tree: "encircle".into(), facing: -den, ..AgentDesc::at(place) })
            .expect("new");
    }
    for tick in 1..=1500 {
        let (place, velocity) = square_walk(tick as f64 * DT);
        rust.tick(place, velocity, DT);
        lua.set_actor(player, place, velocity);
        lua.tick(DT);
        let one: Vec<_> =
            rust.world.outputs().map(|out| (out.key, out.mode.to_owned(), out.position)).collect();
        let other: Vec<_> = lua.outputs().map(|out| (out.key, out.mode.to_owned(), out.position)).collect();
        assert_eq!(one, other, "tick {tick}");
    }
    assert!(lua.all_problems().is_empty(), "{:?}", lua.all_problems());
}

#[test]
fn a_flock_chases_without_overlap_and_comes_to_rest() {
    let mut world = world_with("flock.lua");
    let player = world.add_actor(ActorDesc::at(Vec3::ZERO));
    let den = vec3(-25.0, 0.0, 0.0);
    let desc = SquadDesc { name: "minions".into(), route: vec![den], ..SquadDesc::default() };
    let minions = world.add_squad(desc).expect("new");
    for place in clump(&mut Dice::new(1, &[]), 20, den, 5.0) {
        let limits = Limits { max_acceleration: 10.0, ..Limits::of(0.5, 4.0) };
        let desc = AgentDesc { tree: "flock".into(), facing: -den, limits, ..AgentDesc::at(place) };
        world.spawn(minions, desc).expect("new");
    }
    let mut overlap = 0.0_f32;
    for tick in 1..=1500 {
        world.set_actor(player, Vec3::ZERO, Vec3::ZERO);
        world.tick(DT);
        let places: Vec<Vec3> = world.outputs().map(|out| out.position).collect();
        if tick > 60 {
            overlap = overlap.max(1.0 - common::nearest_pair(&places));
        }
    }
    let mean = world.outputs().map(|out| out.velocity.length()).sum::<f32>() / 20.0;
    eprintln!("overlap {overlap:.3}, mean speed at the end {mean:.3}");
    assert!(overlap <= 0.1, "overlap {overlap}");
    assert!(mean <= 0.3, "mean speed {mean}");
    assert!(world.outputs().all(|out| out.mode == "chase" && out.position.length() < 6.0));
    world.set_value(BoardOf::World, "separation", 3.0).expect("a key of the script");
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}

#[test]
fn a_swarm_uses_all_three_dimensions_and_keeps_together() {
    let mut world = world_with("swarm.lua");
    let home = vec3(0.0, 10.0, 0.0);
    let flies = world.add_squad(SquadDesc { name: "flies".into(), ..SquadDesc::default() }).expect("new");
    let mut dice = Dice::new(2, &[]);
    for place in clump(&mut dice, 30, home, 6.0) {
        let place = place + vec3(0.0, dice.range(-4.0, 4.0) as f32, 0.0);
        let limits = Limits::of(0.2, 6.0);
        world
            .spawn(flies, AgentDesc { tree: "swarm".into(), flies: true, limits, ..AgentDesc::at(place) })
            .expect("new");
    }
    let player = world.add_actor(ActorDesc::at(vec3(25.0, 2.0, 0.0)));
    let mut streamed = 0;
    for _ in 0..1200 {
        world.set_actor(player, vec3(25.0, 2.0, 0.0), Vec3::ZERO);
        world.tick(DT);
        streamed = streamed.max(world.outputs().filter(|out| out.mode == "stream").count());
    }
    let heights: Vec<f32> = world.outputs().map(|out| out.position.y).collect();
    let spread =
        heights.iter().fold(f32::MIN, |a, b| a.max(*b)) - heights.iter().fold(f32::MAX, |a, b| a.min(*b));
    let centre = world.outputs().map(|out| out.position).sum::<Vec3>() / 30.0;
    let widest = world.outputs().map(|out| out.position.distance(centre)).fold(0.0, f32::max);
    eprintln!("spread {spread:.2}, widest {widest:.2}, centre {centre}, streamed {streamed}");
    assert!(spread > 0.3, "not a plane: {spread}");
    assert!(widest < 15.0, "together: {widest}");
    assert!(streamed > 0, "somebody saw the player");
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}

#[test]
fn what_one_squad_sees_the_other_knows_by_the_next_tick() {
    let mut world = world_with("two_squads.lua");
    let squad = |world: &mut World, name: &str, place: Vec3, facing: Vec3| {
        let desc = SquadDesc {
            name: name.into(),
            team: Some("pack".into()),
            route: vec![place],
            ..SquadDesc::default()
        };
        let squad = world.add_squad(desc).expect("new");
        for i in 0..4 {
            let place = place + vec3(0.0, 0.0, i as f32 * 2.0);
            world
                .spawn(squad, AgentDesc { tree: "two_squads".into(), facing, ..AgentDesc::at(place) })
                .expect("new");
        }
        squad
    };
    let player = world.add_actor(ActorDesc::at(vec3(500.0, 0.0, 0.0)));
    // The second squad looks the other way and is far off.
    let near = squad(&mut world, "near", vec3(-20.0, 0.0, 0.0), Vec3::X);
    let far = squad(&mut world, "far", vec3(-90.0, 0.0, 0.0), -Vec3::X);
    for _ in 0..30 {
        world.tick(DT);
    }
    world.set_value(BoardOf::Squad(near), "howls", 3_i64).expect("a key of the script");
    let mut gained = Vec::new();
    for tick in 0..240 {
        world.set_actor(player, Vec3::ZERO, Vec3::ZERO);
        world.tick(DT);
        for event in world.events() {
            if matches!(event.kind, EventKind::Gained { .. }) {
                gained.push((tick, event.squad.expect("a squad")));
            }
        }
    }
    assert_eq!(gained[0], (0, near));
    assert_eq!(gained[1].1, far);
    // Seen in tick 0, on the team's board at its end; read and known in tick 1.
    assert_eq!(gained[1].0, 1, "{gained:?}");
    assert!(world.outputs().all(|out| out.mode != "patrol"), "both squads hunt");
    assert_eq!(world.value(BoardOf::Squad(near), "howls"), Ok(Value::Integer(3)));
    assert_eq!(world.value(BoardOf::Squad(far), "howls"), Ok(Value::Integer(0)), "private keys stay private");
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}
