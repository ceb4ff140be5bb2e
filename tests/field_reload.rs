//! Field reports H1 and H4: reloading in the middle of what runs.
#![cfg(feature = "lua")]

mod common;

use common::clump;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use warband::rng::Dice;
use warband::{ActorDesc, ActorId, AgentDesc, AgentId, Config, SquadDesc, SquadId, Vec3, World, vec3};

const DT: f64 = 1.0 / 60.0;

/// One agent that runs the tree of the script.
fn pushed(text: &str) -> (World, AgentId) {
    let mut world = World::new(Config::default());
    world.reload("t.lua", text).expect("right");
    let squad = world.add_squad(SquadDesc { name: "one".into(), ..SquadDesc::default() }).expect("new");
    let desc = AgentDesc { tree: "t".into(), ..AgentDesc::at(Vec3::ZERO) };
    let agent = world.spawn(squad, desc).expect("a tree that is there");
    (world, agent)
}

/// What was said in a tick, and the commands that were given.
fn tick(world: &mut World) -> Vec<String> {
    world.tick(DT);
    let said = world.said().iter().map(|(_, line)| line.clone());
    let commands = world.commands().iter().map(|command| format!("command {}", command.name));
    said.chain(commands).collect()
}

/// Ticks with the new code in force: the agent is where one step of at most 5 m/s takes it, and nothing was wrong.
fn next(world: &mut World, agent: AgentId) -> Vec<String> {
    let before = world.position(agent).expect("it lives");
    let told = tick(world);
    let moved = world.position(agent).expect("it lives").distance(before);
    assert!(moved <= 5.0 * DT as f32 + 1e-6, "{moved} m in a tick");
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
    told
}

/// A leaf that says what is done with it, and walks.
fn walker(version: u32) -> String {
    format!(
        "return bt.tree(\"t\", bt.sequence {{ bt.succeed {{}}, bt.action {{
  enter = function(self) self:say(\"enter {version}\") end,
  tick = function(self) self:say(\"tick {version}\") self:seek(vec3(50, 0, 0)) return \"running\" end,
  exit = function(self, how) self:say(\"exit {version} \" .. how) end,
}} }})"
    )
}

/// **H1 Reload in the middle of a running action.** The running leaf's code is changed, and reload requested (a) between
/// ticks with a leaf running, (b) by the leaf itself, (c) while a Lua coroutine is suspended. Pass: 0 panics; old
/// leaf's exit called once; new code runs in the next tick; agent moves <= 5*dt in that tick.
#[test]
fn h1_a_reload_between_ticks() {
    let (mut world, agent) = pushed(&walker(1));
    assert_eq!(tick(&mut world), ["enter 1", "tick 1"]);
    for _ in 0..90 {
        assert_eq!(tick(&mut world), ["tick 1"]);
    }
    world.reload("t.lua", &walker(2)).expect("right");
    assert_eq!(next(&mut world, agent), ["exit 1 aborted", "enter 2", "tick 2"]);
    assert_eq!(next(&mut world, agent), ["tick 2"]);
    // Three at once: only the last one is ever entered.
    (3..6).for_each(|version| world.reload("t.lua", &walker(version)).expect("right"));
    assert_eq!(next(&mut world, agent), ["exit 2 aborted", "enter 5", "tick 5"]);
}

#[test]
fn h1_b_reload_by_the_leaf_itself() {
    let asking = |version: u32| {
        walker(version).replace("return \"running\"", "self:command(\"reload\") return \"running\"")
    };
    let (mut world, agent) = pushed(&asking(1));
    let mut told = tick(&mut world);
    for version in 2..10 {
        assert!(told.ends_with(&[format!("tick {}", version - 1), "command reload".to_owned()]), "{told:?}");
        // The game does as it is told, between two ticks.
        world.reload("t.lua", &asking(version)).expect("right");
        told = next(&mut world, agent);
        assert_eq!(told[..2], [format!("exit {} aborted", version - 1), format!("enter {version}")]);
    }
}

#[test]
fn h1_c_reload_while_a_coroutine_is_suspended() {
    let tale = |helper: u32, other: u32| {
        format!(
            "local function aim(self) self:say(\"aim {helper}\") return vec3(50, 0, 0) end
local function other() return {other} end
return bt.tree(\"t\", bt.time_limit {{ seconds = 5, bt.sequence {{
  bt.action {{ tick = function(self) self:say(\"first\") return \"success\" end }},
  bt.coroutine {{
    run = function(self) while true do self:face(aim(self)) wait(0.5) end end,
    exit = function(self, how) self:say(\"exit \" .. how) end,
  }},
  bt.action {{ tick = other }},
}} }})"
        )
    };
    let (mut world, agent) = pushed(&tale(1, 1));
    assert_eq!(tick(&mut world), ["first", "aim 1"]);
    for _ in 0..20 {
        assert_eq!(tick(&mut world), [""; 0]);
    }
    // Something else of the file: it sleeps on. Its helper: it begins anew, and the step before it does not.
    world.reload("t.lua", &tale(1, 2)).expect("right");
    assert_eq!(next(&mut world, agent), [""; 0]);
    world.reload("t.lua", &tale(2, 2)).expect("right");
    assert_eq!(next(&mut world, agent), ["exit aborted", "aim 2"]);
    let mut told = (0..31).flat_map(|_| next(&mut world, agent)).collect::<Vec<_>>();
    assert_eq!(told, ["aim 2"]);
    // The time around it counts from the first tick on: 54 ticks are behind.
    let before = world.ticks();
    while !told.contains(&"first".to_owned()) {
        told = next(&mut world, agent);
    }
    assert_eq!((before, world.ticks()), (54, 302));
}

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts")
}

/// A pack that hunts the player by the shipped scripts.
fn hunt() -> (World, ActorId, SquadId) {
    let mut world = World::new(Config { seed: 5, ..Config::default() });
    world.load(scripts().join("encircle.lua")).expect("a shipped script is right");
    let den = vec3(-16.0, 0.0, 0.0);
    let route = vec![den + vec3(3.0, 0.0, 0.0), den - vec3(9.0, 0.0, 0.0)];
    let desc = SquadDesc { name: "pack".into(), route, ..SquadDesc::default() };
    let squad = world.add_squad(desc).expect("a new squad");
    for place in clump(&mut Dice::new(5, &[99]), 8, den, 3.0) {
        let desc = AgentDesc { tree: "encircle".into(), facing: -den, ..AgentDesc::at(place) };
        world.spawn(squad, desc).expect("a new agent");
    }
    let player = world.add_actor(ActorDesc::at(Vec3::ZERO));
    (world, player, squad)
}

/// What is to be the same before and after: modes, legs of the patrol, what is known and since when, and the ring.
fn state(world: &World) -> Vec<Json> {
    let saved = serde_json::to_value(world.snapshot()).expect("it is data");
    let parts = [("minds", "intent"), ("minds", "route"), ("squads", "knowledge"), ("squads", "ring")];
    let of = |(list, field): (&str, &str)| {
        let list = saved["world"][list].as_array().expect("a list");
        list.iter().map(|one| one.get(field).expect("a field").clone()).collect::<Vec<_>>()
    };
    parts.into_iter().flat_map(of).collect()
}

/// **H4 Reload throws away the game state.** In narrow ring at t=5 s reload with one number changed. Pass: mode, target,
/// patrol index, search clock identical before/after; slot error grows < 0.5 m; new number in force.
#[test]
fn h4_reload_throws_nothing_of_the_game_away() {
    let text = std::fs::read_to_string(scripts().join("formation.lua")).expect("it is there");
    assert!(text.contains("close_rate = 0.5"));
    for at in [300, 600] {
        let (mut world, _, squad) = hunt();
        (0..at).for_each(|_| world.tick(DT));
        assert!(world.outputs().any(|out| out.mode == "narrow"), "{at}");
        let (before, error) = (state(&world), world.ring(squad).expect("its ring").place_error());
        world.reload("formation.lua", &text.replace("close_rate = 0.5", "close_rate = 0.25")).expect("right");
        assert_eq!(state(&world), before, "{at}");
        let radius = world.ring(squad).expect("its ring").radius();
        for tick in 0..60 {
            world.tick(DT);
            let now = world.ring(squad).expect("its ring").place_error();
            assert!(now < error + 0.5, "{now} m after {error} m, {at} and {tick}");
        }
        let closed = radius - world.ring(squad).expect("its ring").radius();
        assert!((closed - 0.25).abs() < 0.01, "{closed} m in a second, {at}");
        assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
    }
}

/// The same while the pack searches, two of the five seconds gone: it gives up when it would have.
#[test]
fn h4_a_search_goes_on_and_so_does_the_leg_of_the_patrol() {
    let text = std::fs::read_to_string(scripts().join("search.lua")).expect("it is there");
    let given_up = |reload: bool| {
        let (mut world, player, _) = hunt();
        (0..300).for_each(|_| world.tick(DT));
        world.set_actor(player, vec3(300.0, 0.0, 0.0), Vec3::ZERO);
        (0..120).for_each(|_| world.tick(DT));
        assert!(world.outputs().all(|out| out.mode == "search"));
        let before = state(&world);
        if reload {
            world.reload("search.lua", &text.replace("sweep = 90", "sweep = 80")).expect("right");
        }
        assert_eq!(state(&world), before);
        while world.outputs().any(|out| out.mode == "search") {
            world.tick(DT);
        }
        world.ticks()
    };
    assert_eq!(given_up(true), given_up(false));
}
