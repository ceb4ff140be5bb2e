//! Reloading in a running world: from files, and pushed by hand.
#![cfg(all(feature = "lua", feature = "reload"))]

use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use warband::reload::WatchMode;
use warband::{
    ActorDesc, AgentDesc, AgentId, BoardOf, Config, EventKind, SquadDesc, Value, Vec3, World, vec3,
};

const DT: f64 = 1.0 / 60.0;

/// A folder of its own that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("warband-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }
    fn write(&self, file: &str, text: &str) {
        fs::write(self.0.join(file), text).expect("a file of the test");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn ring(radius: f32) -> String {
    format!(
        "blackboard {{ squad = {{ alarm = \"bool\" }}, agent = {{ kills = {{ \"integer\", default = 0 }} }} }}\n\
         local radius = require \"radius\"\n\
         return bt.tree(\"guard\", bt.sequence {{\n  bt.wait {{ seconds = 1 }},\n  \
         bt.formation {{ radius = {radius} * radius.factor, hold = true }},\n}})\n"
    )
}

const FACTOR: &str = "return { factor = 1 }\n";

fn world(folder: &Folder) -> (World, AgentId) {
    folder.write("guard.lua", &ring(12.0));
    folder.write("radius.lua", FACTOR);
    let mut world = World::new(Config::default());
    world.load(folder.0.join("guard.lua")).expect("the script is right");
    let agent = people(&mut world);
    (world, agent)
}

fn people(world: &mut World) -> AgentId {
    world.add_actor(ActorDesc::at(Vec3::ZERO));
    let squad = world.add_squad(SquadDesc { name: "guards".into(), ..SquadDesc::default() }).expect("new");
    let place = vec3(-20.0, 0.0, 0.0);
    world.spawn(squad, AgentDesc { tree: "guard".into(), ..AgentDesc::at(place) }).expect("new")
}

fn radius(world: &World) -> f32 {
    world.ring(world.squads().next().expect("a squad")).expect("its ring").radius()
}

/// Ticks until `done` or for five seconds of the machine; says how many reload events there were.
fn until(world: &mut World, mut done: impl FnMut(&World) -> bool) -> usize {
    let mut reloads = 0;
    for _ in 0..500 {
        world.tick(DT);
        reloads +=
            world.events().iter().filter(|event| matches!(event.kind, EventKind::Reload { .. })).count();
        if done(world) {
            return reloads;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it did not come to that: {:?}", world.all_problems());
}

/// A ring changes its radius gently.
fn settles(world: &mut World, at: f32) {
    for _ in 0..1500 {
        world.tick(DT);
    }
    assert_eq!(radius(world), at);
}

#[test]
fn a_saved_script_acts_in_the_next_tick_a_broken_one_changes_nothing_and_is_told_once() {
    let folder = Folder::new("watched");
    let (mut world, agent) = world(&folder);
    world.watch(WatchMode::Auto).expect("a folder to watch");
    for _ in 0..90 {
        world.tick(DT);
    }
    assert_eq!(radius(&world), 12.0);
    world.set_value(BoardOf::Agent(agent), "kills", 3_i64).expect("a key of the script");

    folder.write("guard.lua", "return bt.tree(\"guard\", bt.sequence {\n  bt.wiat { seconds = 1 },\n})\n");
    let mut told = Vec::new();
    until(&mut world, |world| {
        told.extend(world.problems().iter().map(|problem| problem.error.to_string()));
        !told.is_empty()
    });
    assert_eq!(told, ["guard.lua:2: unknown node 'wiat' (did you mean 'wait'?)"]);
    assert_eq!(radius(&world), 12.0, "what ran goes on");

    folder.write("guard.lua", &ring(8.0));
    let reloads = until(&mut world, |world| radius(world) < 12.0);
    assert_eq!(reloads, 1);
    assert_eq!(world.running(agent), Some("sequence/2.formation"), "the wait before it is over");
    settles(&mut world, 8.0);
    assert_eq!(
        world.value(BoardOf::Agent(agent), "kills"),
        Ok(Value::Integer(3)),
        "boards keep their values"
    );

    // A module that is required: its users are taken over.
    folder.write("radius.lua", "return { factor = 0.5 }\n");
    until(&mut world, |world| radius(world) < 8.0);
    settles(&mut world, 4.0);
    assert_eq!(world.all_problems().len(), 1);
}

#[test]
fn an_unchanged_node_keeps_running_over_a_reload() {
    let folder = Folder::new("unchanged");
    let (mut world, agent) = world(&folder);
    for _ in 0..30 {
        world.tick(DT);
    }
    assert_eq!(world.running(agent), Some("sequence/1.wait"));
    let before = world.digest();
    world.reload("guard.lua", &ring(12.0)).expect("the same text");
    assert_eq!(world.digest(), before, "an identical file changes nothing");
    world.reload("guard.lua", &ring(9.0)).expect("right");
    let mut waited = 30;
    while world.running(agent) == Some("sequence/1.wait") {
        world.tick(DT);
        waited += 1;
    }
    assert_eq!(waited, 61, "the wait went on: one second in all, entered in the first tick");
    assert_eq!(radius(&world), 9.0);
}

#[test]
fn a_key_that_changes_its_type_is_reset_with_a_warning() {
    let folder = Folder::new("retyped");
    let (mut world, agent) = world(&folder);
    world.set_value(BoardOf::Agent(agent), "kills", 3_i64).expect("a key of the script");
    world
        .reload("guard.lua", &ring(12.0).replace("\"integer\", default = 0", "\"number\", default = 0.5"))
        .expect("right");
    assert_eq!(world.value(BoardOf::Agent(agent), "kills"), Ok(Value::Number(0.5)));
    let problems: Vec<_> = world.all_problems().iter().map(|problem| problem.error.to_string()).collect();
    assert_eq!(problems, ["guard.lua:1: key 'kills' is number now: its values were reset"]);
}

#[test]
fn a_refused_reload_leaves_everything_as_it_was() {
    let folder = Folder::new("refused");
    let (mut world, _) = world(&folder);
    let (mut other, _) = self::world(&folder);
    for tick in 0..240 {
        if tick % 20 == 0 {
            for broken in [
                "return bt.tree(\"guard\", ",
                "error(\"no\")",
                "return nil",
                "return bt.tree(\"guard\", bt.has_value { key = \"nosuch\" })",
                "blackboard { team = { alarm = \"bool\" } } return bt.wait { seconds = 1 }",
            ] {
                world.reload("guard.lua", broken).expect_err("refused");
            }
        }
        world.tick(DT);
        other.tick(DT);
        assert_eq!(world.digest(), other.digest(), "tick {tick}");
    }
}

#[test]
fn a_thousand_reloads_leak_nothing() {
    let mut world = World::new(Config::default());
    world.reload("radius.lua", FACTOR).expect("a module");
    let with_leaf =
        |n: u32| {
            format!("{}-- {n}\n", ring(12.0).replace("bt.wait { seconds = 1 }", &format!(
        "bt.action {{ tick = function(self) local x = {{ {n}, {n} }} return \"success\" end }}"
    )))
        };
    world.reload("guard.lua", &with_leaf(0)).expect("right");
    people(&mut world);
    let mut settled = 0;
    for n in 1..=1000 {
        world.reload("guard.lua", &with_leaf(n)).expect("right");
        world.tick(DT);
        if n == 10 {
            settled = world.script_memory();
        }
    }
    let end = world.script_memory();
    assert!(end <= settled + settled / 10, "{settled} bytes after ten reloads, {end} after a thousand");
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}

#[test]
fn a_tree_that_is_renamed_is_missed() {
    let folder = Folder::new("renamed");
    let (mut world, agent) = world(&folder);
    world.tick(DT);
    world.reload("guard.lua", &ring(12.0).replace("bt.tree(\"guard\"", "bt.tree(\"sentry\"")).expect("right");
    world.tick(DT);
    let problems: Vec<_> = world.problems().iter().map(|problem| problem.error.to_string()).collect();
    assert_eq!(
        problems,
        [
            "guard.lua: tree 'guard' is not in the file any more: its agents keep the old one (was it renamed?)"
        ]
    );
    assert!(world.running(agent).is_some(), "the old one goes on");
}
