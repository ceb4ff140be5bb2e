//! Worlds of the shipped scripts, saved and restored; and restored with other scripts.
#![cfg(feature = "lua")]

mod common;
mod saves;

use common::{clump, square_walk};
use saves::{DT, Play, through_bytes, through_json};
use std::path::{Path, PathBuf};
use warband::rng::Dice;
use warband::{
    ActorDesc, AgentDesc, BoardOf, Config, Entity, Limits, Snapshot, SquadDesc, Value, Vec3, World, vec3,
};

const DEN: Vec3 = vec3(-16.0, 0.0, 0.0);

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts")
}

fn world(script: &str) -> World {
    let mut world = World::new(Config { seed: 5, ..Config::default() });
    world.load(scripts().join(script)).expect("a shipped script is right");
    world
}

fn squad(world: &mut World, name: &str, tree: &str, den: Vec3, count: u32) {
    let route = vec![den + vec3(3.0, 0.0, 0.0), den - vec3(9.0, 0.0, 0.0)];
    let team = Some("pack".into());
    let desc = SquadDesc { name: name.into(), team, route, ..SquadDesc::default() };
    let squad = world.add_squad(desc).expect("a new squad");
    for place in clump(&mut Dice::new(5, &[99]), count, den, 3.0) {
        let desc = AgentDesc { tree: tree.into(), facing: -den, ..AgentDesc::at(place) };
        world.spawn(squad, desc).expect("a new agent");
    }
}

fn player(world: &mut World) -> Entity {
    world.add_actor(ActorDesc::at(vec3(300.0, 0.0, 0.0))).entity()
}

/// The scripted path of report N1.
fn scripted(world: &mut World, who: Entity, tick: u32) {
    let time = f64::from(tick + 1) * DT;
    let place = if (1.0..19.7).contains(&(time + 1e-9)) { Vec3::ZERO } else { vec3(300.0, 0.0, 0.0) };
    let actor = saves::actor(world, who);
    world.set_actor(actor, place, Vec3::ZERO);
    world.tick(DT);
}

/// On a square, and out of view for a while now and then.
fn walks(world: &mut World, who: Entity, tick: u32) {
    let (place, velocity) = square_walk(f64::from(tick) * DT);
    let hidden = (tick / 200) % 3 == 2;
    let actor = saves::actor(world, who);
    world.set_actor(actor, if hidden { vec3(300.0, 0.0, 0.0) } else { place }, velocity);
    world.tick(DT);
}

const N1: Play = Play {
    name: "n1",
    make: || world("encircle.lua"),
    people: |world| {
        squad(world, "pack", "encircle", DEN, 8);
        player(world)
    },
    step: scripted,
    ticks: 1200,
};

/// **D3 Save/load forgets what the AI was doing.** N1 script; at each of 200 random ticks: save, load into a new world,
/// continue to the end. Pass: final hash and event log equal the unsaved run, 200 of 200. Here: those of each tick.
#[test]
fn d3_the_scripted_hunt_goes_on_from_200_random_ticks() {
    N1.save_at_random(200);
}

#[test]
fn a_siege_goes_on() {
    let siege = Play {
        name: "siege",
        make: || world("siege.lua"),
        people: |world| {
            squad(world, "pack", "siege", DEN, 8);
            player(world)
        },
        step: walks,
        ticks: 1100,
    };
    siege.save_at_random(30);
}

#[test]
fn flocks_and_swarms_go_on() {
    let flock = Play {
        name: "flock",
        make: || world("flock.lua"),
        people: |world| {
            squad(world, "minions", "flock", DEN, 12);
            player(world)
        },
        step: walks,
        ticks: 500,
    };
    flock.save_at_random(20);
    let swarm = Play {
        name: "swarm",
        make: || world("swarm.lua"),
        people: |world| {
            let flies =
                world.add_squad(SquadDesc { name: "flies".into(), ..SquadDesc::default() }).expect("new");
            for place in clump(&mut Dice::new(2, &[]), 15, vec3(0.0, 10.0, 0.0), 6.0) {
                let limits = Limits::of(0.2, 6.0);
                let desc = AgentDesc { tree: "swarm".into(), flies: true, limits, ..AgentDesc::at(place) };
                world.spawn(flies, desc).expect("new");
            }
            player(world)
        },
        step: walks,
        ticks: 500,
    };
    swarm.save_at_random(20);
}

#[test]
fn two_squads_that_tell_each_other_go_on() {
    let two = Play {
        name: "two_squads",
        make: || world("two_squads.lua"),
        people: |world| {
            squad(world, "grey", "two_squads", DEN, 5);
            squad(world, "red", "two_squads", vec3(28.0, 0.0, 30.0), 5);
            player(world)
        },
        step: walks,
        ticks: 900,
    };
    two.save_at_random(30);
}

/// Leaves, services and exits in Lua, modes that a script names while it runs, dice drawn by a script.
#[test]
fn leaves_in_lua_go_on() {
    let leaves = Play {
        name: "leaves",
        make: || {
            let mut world = World::new(Config { seed: 9, ..Config::default() });
            let text = r#"
                blackboard { agent = { health = { "number", default = 100 } }, squad = { help_at = { "vec3", ttl = 1.5 } } }
                local flee = bt.service { interval = 0.3,
                    run = function(self) self.board.help_at = self.position self:command("howl") end,
                    bt.action {
                        enter = function(self) self:set_mode("flee " .. math.random(3)) end,
                        tick = function(self) return self:wander(vec3(1, 0, 0)) end,
                        exit = function(self) self.board.help_at = nil self:say("well") end } }
                return bt.tree("leaves", bt.reactive_selector {
                    bt.guard { when = bt.compare { key = "health", is = "<", to = 30 }, flee },
                    bt.guard { when = bt.has_value { key = "help_at" }, bt.mode { name = "help", bt.arrive { to = bt.key "help_at" } } },
                    bt.guard { when = bt.condition { test = function(self) return self.key % 2 == 0 end }, bt.wait_random { low = 0.1, high = 0.5 } },
                    bt.patrol {} })
            "#;
            world.set_script_root(scripts());
            world.reload("leaves.lua", text).expect("it is right");
            world
        },
        people: |world| {
            squad(world, "pack", "leaves", DEN, 6);
            player(world)
        },
        step: |world, who, tick| {
            let mut dice = Dice::new(3, &[u64::from(tick)]);
            if dice.below(30) == 0 {
                let hurt = world.outputs().nth(dice.below(6) as usize).expect("there").agent;
                let health = dice.range(0.0, 60.0);
                world.set_value(BoardOf::Agent(hurt), "health", health).expect("right");
            }
            walks(world, who, tick);
        },
        ticks: 600,
    };
    leaves.save_at_random(40);
}

/// The unsaved world in the middle of the hunt, and a snapshot of it.
fn hunting(ticks: u32) -> (World, Entity, Snapshot) {
    let (mut world, who) = N1.begin();
    (0..ticks).for_each(|tick| scripted(&mut world, who, tick));
    let snapshot = through_bytes(&world.snapshot());
    (world, who, snapshot)
}

fn edited(from: &str, to: &str) -> String {
    let text = std::fs::read_to_string(scripts().join("encircle.lua")).expect("it is there");
    assert!(text.contains(from));
    text.replace(from, to)
}

/// Other scripts: the restored world does tick for tick what the unsaved one does after a reload.
#[test]
fn other_scripts_are_matched_as_at_a_reload() {
    let more = edited("patrol,\n})", "patrol,\n  bt.wait { seconds = 1 },\n})");
    let edits = [
        ("another number", edited("margin = 1.5", "margin = 1.6"), Some(true)),
        ("another border", edited("below = 12", "below = 11.5"), None),
        ("a node more behind what runs", more, Some(false)),
        ("the same", edited("-- Asked", "-- asked"), Some(false)),
    ];
    for ticks in [30, 200, 700, 1190] {
        for (what, text, lost) in &edits {
            let (mut reloaded, who, snapshot) = hunting(ticks);
            let mut restored = World::new(Config::default());
            restored.set_script_root(scripts());
            restored.reload("encircle.lua", text).expect("right");
            restored.restore(&snapshot).expect("good");
            reloaded.reload("encircle.lua", text).expect("right");
            assert_eq!(restored.digest(), reloaded.digest(), "{what} at {ticks}");
            for now in ticks..1200 {
                scripted(&mut restored, who, now);
                scripted(&mut reloaded, who, now);
                assert_eq!(restored.digest(), reloaded.digest(), "{what} at {ticks}, now {now}");
            }
            let chases = ticks >= 200;
            let all = restored.all_problems().iter();
            let told: Vec<_> =
                all.filter(|problem| problem.to_string().contains("since the snapshot")).collect();
            // A border is a part of the branch behind it, which need not be the one that runs.
            if let Some(lost) = lost {
                assert_eq!(!told.is_empty(), chases && *lost, "{what} at {ticks}: {told:?}");
            }
            for problem in told {
                assert!(
                    problem.agent.is_some()
                        && problem.error.path().is_some_and(|path| path.contains("bands"))
                );
                assert!(problem.to_string().starts_with("tree 'encircle' has changed"), "{problem}");
            }
        }
    }
}

#[test]
fn keys_of_other_scripts() {
    let script = |keys: &str| {
        let mut world = World::new(Config::default());
        world.set_script_root(scripts());
        let text =
            format!("blackboard {{ agent = {{ {keys} }} }} return bt.tree('t', bt.wait {{ seconds = 9 }})");
        world.reload("t.lua", &text).expect("right");
        world
    };
    let mut world = script("gone = 'bool', typed = { 'integer', default = 4 }, kept = 'vec3'");
    squad(&mut world, "pack", "t", DEN, 2);
    let agents: Vec<_> = world.outputs().map(|out| out.agent).collect();
    for (agent, x) in agents.iter().zip([0.1, 0.7]) {
        world.set_value(BoardOf::Agent(*agent), "kept", vec3(x, 0.0, 0.0)).expect("right");
        world.set_value(BoardOf::Agent(*agent), "typed", 5_i64).expect("right");
    }
    world.tick(0.1);
    let mut restored =
        script("kept = 'vec3', typed = { 'string', default = 'x' }, new = { 'number', default = 1 }");
    restored.restore(&through_json(&world.snapshot())).expect("good");
    restored.tick(0.1);
    for (agent, x) in agents.iter().zip([0.1, 0.7]) {
        let value = |key: &str| restored.value(BoardOf::Agent(*agent), key).expect("a key");
        assert_eq!((value("kept"), value("typed")), (Value::Vec3(vec3(x, 0.0, 0.0)), "x".into()));
        assert_eq!(value("new"), Value::Number(1.0));
    }
    let told: Vec<_> = restored.problems().iter().map(|problem| problem.to_string()).collect();
    assert_eq!(
        told,
        [
            "there is no key 'gone' of the agent any more: its saved values are lost",
            "t.lua:1: key 'typed' is string now, and was integer: its saved values are lost",
        ]
    );
}

/// What exits of scripts do at a restore does not reach the restored world; what goes wrong in them is told.
#[test]
fn restoring_exits_leaves_of_scripts() {
    let mut world = World::new(Config::default());
    world.set_script_root(scripts());
    let text = "blackboard { world = { ends = { 'integer', default = 0 } } }\n\
                return bt.tree('t', bt.action { tick = function() return true and 'running' end,\n\
                exit = function(self) self.board.ends = self.board.ends + 1 error('oh') end })";
    world.reload("t.lua", text).expect("right");
    squad(&mut world, "pack", "t", DEN, 1);
    (0..3).for_each(|_| world.tick(0.1));
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
    let snapshot = world.snapshot();
    world.restore(&snapshot).expect("good");
    assert_eq!(world.value(BoardOf::World, "ends").expect("a key"), Value::Integer(0));
    assert_eq!(world.all_problems().len(), 1, "{:?}", world.all_problems());
    assert!(world.all_problems()[0].to_string().contains("oh"));
}

/// A function of a script in a slot is in no file: it is asked for, and what is set now counts.
#[test]
fn a_function_in_a_slot_is_asked_for() {
    let make = |set: bool| {
        let mut world = World::new(Config::default());
        world.set_script_root(scripts());
        let text = "local a = bt.action { tick = function(self) self:set_mode('mine') return 'running' end }\n\
                    return { bt.tree('mine', a), bt.tree('t', bt.slot { name = 'attack', bt.wait { seconds = 1 } }) }";
        world.reload("t.lua", text).expect("right");
        if set {
            let spec = world.tree("mine").expect("a tree").spec().clone();
            world.set_slot("attack", &spec).expect("right");
        }
        world
    };
    let mut world = make(true);
    squad(&mut world, "pack", "t", DEN, 2);
    (0..3).for_each(|_| world.tick(0.1));
    assert_eq!(world.outputs().next().expect("there").mode, "mine");
    let snapshot = through_json(&world.snapshot());
    assert_eq!(snapshot.slots_to_set().collect::<Vec<_>>(), ["attack"]);
    let mut restored = make(true);
    restored.restore(&snapshot).expect("good");
    assert!(restored.all_problems().is_empty(), "{:?}", restored.all_problems());
    assert_eq!(restored.digest(), world.digest());
    let mut restored = make(false);
    restored.restore(&snapshot).expect("good");
    restored.tick(0.1);
    let told: Vec<_> = restored.problems().iter().map(|problem| problem.to_string()).collect();
    assert_eq!(
        told[0],
        "slot 'attack' was set to functions of a script when the snapshot was taken, and is not now \
                         (set it before restoring: a snapshot cannot hold functions)"
    );
    assert!(told[1].starts_with("tree 't' has changed since the snapshot: what ran begins anew"), "{told:?}");
}
