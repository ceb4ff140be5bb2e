//! A world that is saved and restored goes on as if nothing had happened.

mod common;
mod saves;

use common::Hunt;
use saves::{BUSY, DT, Play, through_bytes, through_json};
use warband::tree::RouteOrder;
use warband::{
    AgentDesc, BoardOf, Config, Entity, ErrorKind, KeyDecl, Scope, Snapshot, Spec, SquadDesc, Value,
    ValueType, Vec3, World, vec3,
};

const DEN: Vec3 = vec3(-16.0, 0.0, 0.0);

fn hunters() -> World {
    let mut world = World::new(Config { seed: 3, ..Config::default() });
    world.add_tree("encircle", &common::encircle()).expect("the tree is right");
    world
}

fn pack(world: &mut World) -> Entity {
    let mut hunt = Hunt::new(3, 8, DEN);
    let route = vec![DEN + vec3(3.0, 0.0, 0.0), DEN - vec3(9.0, 0.0, 0.0)];
    hunt.world.set_route(hunt.pack, route, RouteOrder::Loop);
    std::mem::swap(world, &mut hunt.world);
    hunt.player.entity()
}

/// The scripted path of report N1: behind a door, from 1 s on in view, and from 19.7 s on behind a door again.
fn scripted(world: &mut World, player: Entity, tick: u32) {
    let time = f64::from(tick + 1) * DT;
    let place = if (1.0..19.7).contains(&(time + 1e-9)) { Vec3::ZERO } else { vec3(300.0, 0.0, 0.0) };
    let actor = saves::actor(world, player);
    world.set_actor(actor, place, Vec3::ZERO);
    world.tick(DT);
}

const N1: Play = Play { name: "n1", make: hunters, people: pack, step: scripted, ticks: 1320 };

/// **D3 Save/load forgets what the AI was doing.** N1 script; at each of 20 random ticks: save, load into a new world,
/// continue to the end. Pass: final hash and event log equal the unsaved run, 20 of 20. Here: 60 ticks, each compared;
/// the script in Lua has 200 in `snapshot_scripts.rs`.
#[test]
fn d3_a_restored_hunt_goes_on_tick_for_tick() {
    N1.save_at_random(60);
}

/// Case fact 59: a snapshot, more ticks, restore, the same ticks: an identical trace, dice and timers included. With
/// everything that lasts, and with bodies that come and go.
#[test]
fn fact_59_dice_timers_queues_and_messages_go_on() {
    BUSY.save_at_random(60);
}

#[test]
fn the_busy_play_is_busy() {
    let (mut world, who) = BUSY.begin();
    let (mut queued, mut slept, mut late, mut messages) = (0, 0, 0, 0);
    let mut modes = std::collections::BTreeSet::new();
    for tick in 0..BUSY.ticks {
        (BUSY.step)(&mut world, who, tick);
        let squads: Vec<_> = world.squads().collect();
        queued += squads
            .iter()
            .filter_map(|squad| world.token(*squad, "melee"))
            .map(|t| t.queue().count())
            .sum::<usize>();
        slept += world.asleep();
        late += world.waiting();
        messages += world.events().iter().filter(|event| format!("{event:?}").contains("\"help\"")).count();
        modes.extend(world.outputs().map(|out| out.mode.to_owned()));
    }
    assert!(
        queued > 1000 && slept > 1000 && late > 1000 && messages > 5,
        "{queued} {slept} {late} {messages}"
    );
    for mode in ["low", "high", "bite", "tired", "attack", "alarmed", "asleep", "one", "two", "wide"] {
        assert!(modes.contains(mode), "'{mode}' in {modes:?}");
    }
}

/// In the same world, which has gone on meanwhile, as a player does who loads again and again.
#[test]
fn a_world_can_be_restored_over_itself() {
    let (seen, snapshots, who) = BUSY.run(&[400]);
    let (tick, snapshot) = &snapshots[0];
    let (mut world, _) = BUSY.begin();
    for _ in 0..3 {
        world.restore(snapshot).expect("good");
        assert_eq!(world.digest(), seen[*tick as usize - 1].0);
        for now in *tick..*tick + 200 {
            (BUSY.step)(&mut world, who, now);
            assert_eq!(saves::see(&world), seen[now as usize], "tick {now}");
        }
    }
}

/// Re-runs this test's program: the child restores what the parent saved.
#[test]
fn a_fresh_process_goes_on() {
    const FILE: &str = "WARBAND_SNAPSHOT_FILE";
    let tick = 700;
    if let Some(file) = std::env::var_os(FILE) {
        let snapshot = Snapshot::from_bytes(&std::fs::read(&file).expect("the file is there")).expect("good");
        let who =
            std::fs::read(std::path::Path::new(&file).with_extension("who")).expect("the file is there");
        let who: Entity = serde_json::from_slice(&who).expect("an id");
        let mut world = (BUSY.make)();
        world.restore(&snapshot).expect("good");
        for now in tick..BUSY.ticks {
            (BUSY.step)(&mut world, who, now);
            println!("seen {:?}", saves::see(&world));
        }
        return;
    }
    let (seen, snapshots, who) = BUSY.run(&[tick]);
    let file = std::env::temp_dir().join(format!("warband-snapshot-{}.bin", std::process::id()));
    std::fs::write(&file, snapshots[0].1.to_bytes().expect("it can")).expect("written");
    std::fs::write(file.with_extension("who"), serde_json::to_vec(&who).expect("plain")).expect("written");
    let program = std::env::current_exe().expect("this program");
    let output = std::process::Command::new(program)
        .args(["--exact", "a_fresh_process_goes_on", "--nocapture", "--test-threads", "1"])
        .env(FILE, &file)
        .output()
        .expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<_> =
        text.lines().filter_map(|line| line.split_once("seen ")).map(|(_, seen)| seen).collect();
    let _ = std::fs::remove_file(file.with_extension("who"));
    let _ = std::fs::remove_file(file);
    assert_eq!(lines.len(), seen.len() - tick as usize, "{}", String::from_utf8_lossy(&output.stderr));
    for (line, seen) in lines.iter().zip(&seen[tick as usize..]) {
        assert_eq!(*line, format!("{seen:?}"));
    }
}

/// **B7 A finished or stopped tree does not start afresh**, after a restore either: halted at a random tick, the tree of
/// the restored world begins as the first time.
#[test]
fn b7_a_halted_tree_starts_afresh_after_a_restore() {
    let tree = Spec::new("sequence")
        .with(Spec::new("mode").set("name", "one").with(Spec::new("wait").set("seconds", 0.5)))
        .with(
            Spec::new("cooldown").set("seconds", 3.0).set("keep", "reset").with(
                Spec::new("parallel")
                    .with(Spec::new("mode").set("name", "two").with(Spec::new("wait").set("seconds", 0.4)))
                    .with(Spec::new("wait").set("seconds", 0.7)),
            ),
        );
    let make = || {
        let mut world = World::new(Config::default());
        world.add_tree("tree", &tree).expect("right");
        world
    };
    let trace = |world: &mut World| -> Vec<(String, Option<String>)> {
        let agent = world.outputs().next().expect("an agent").agent;
        let mut tick = || {
            world.tick(0.1);
            let mode = world.output(agent).expect("there").mode.to_owned();
            (mode, world.running(agent).map(str::to_owned))
        };
        (0..11).map(|_| tick()).collect()
    };
    let mut world = make();
    let squad = world.add_squad(SquadDesc { name: "one".into(), ..SquadDesc::default() }).expect("new");
    let agent = world.spawn(squad, AgentDesc { tree: "tree".into(), ..AgentDesc::at(DEN) }).expect("new");
    let first = trace(&mut world);
    assert!(first.iter().any(|(mode, _)| mode == "two"));
    for ticks in 0..30 {
        (0..ticks).for_each(|_| world.tick(0.1));
        let mut restored = make();
        restored.restore(&through_json(&world.snapshot())).expect("good");
        restored.halt(agent);
        assert_eq!(trace(&mut restored)[1..], first[1..], "after {ticks} ticks");
    }
}

/// **K3 Private data leaks between agents that share a board.** 8 agents, one squad; each writes agent key wander_goal
/// with its own id; all read squad key target. After 600 ticks and a restore each reads back its own value.
#[test]
fn k3_each_agent_has_its_own_values_back() {
    let make = || {
        let mut world = World::new(Config::default());
        world.declare(KeyDecl::new("wander_goal", Scope::Agent, ValueType::Entity)).expect("legal");
        world.declare(KeyDecl::new("target", Scope::Squad, ValueType::Vec3)).expect("legal");
        world.add_tree("goes", &Spec::new("wander")).expect("right");
        world
    };
    let mut world = make();
    let squad = world.add_squad(SquadDesc { name: "one".into(), ..SquadDesc::default() }).expect("new");
    let desc = |x: f32| AgentDesc { tree: "goes".into(), ..AgentDesc::at(vec3(x, 0.0, 0.0)) };
    let agents: Vec<_> = (0..8).map(|x| world.spawn(squad, desc(x as f32 * 2.0)).expect("new")).collect();
    for agent in &agents {
        world.set_value(BoardOf::Agent(*agent), "wander_goal", agent.entity()).expect("right");
    }
    world.set_value(BoardOf::Squad(squad), "target", vec3(0.1, 0.2, 0.3)).expect("right");
    (0..600).for_each(|_| world.tick(DT));
    let mut restored = make();
    restored.restore(&through_bytes(&world.snapshot())).expect("good");
    restored.tick(DT);
    for agent in &agents {
        let value = restored.value(BoardOf::Agent(*agent), "wander_goal").expect("a key");
        assert_eq!(value, Value::Entity(agent.entity()));
    }
    assert_eq!(
        restored.value(BoardOf::Squad(squad), "target").expect("a key"),
        Value::Vec3(vec3(0.1, 0.2, 0.3))
    );
}

/// What came up between two ticks is told with the next, in the restored world as in the other.
#[test]
fn what_was_pending_is_not_lost() {
    let make = || {
        let mut world = World::new(Config::default());
        let ends = Spec::new("finally").with(Spec::new("wait").set("seconds", 99.0)).with(
            Spec::new("sequence")
                .with(Spec::new("send").set("name", "bye"))
                .with(Spec::new("command").set("name", "bye")),
        );
        world.add_tree("ends", &ends).expect("right");
        world
            .add_tree(
                "hears",
                &Spec::new("selector")
                    .with(Spec::new("guard").when(Spec::new("receive").set("name", "bye")).with(
                        Spec::new("mode").set("name", "heard").with(Spec::new("wait").set("seconds", 9.0)),
                    ))
                    .with(Spec::new("wait").set("seconds", 0.1)),
            )
            .expect("right");
        world
    };
    let mut world = make();
    let squad = world.add_squad(SquadDesc { name: "one".into(), ..SquadDesc::default() }).expect("new");
    for (x, tree) in [(0.0, "ends"), (3.0, "hears"), (6.0, "hears")] {
        world.spawn(squad, AgentDesc { tree: tree.into(), ..AgentDesc::at(vec3(x, 0.0, 0.0)) }).expect("new");
    }
    world.tick(0.1);
    let leaves = world.outputs().next().expect("there").agent;
    world.remove(leaves);
    world
        .spawn(squad, AgentDesc { tree: "hears".into(), ..AgentDesc::at(vec3(9.0, 0.0, 0.0)) })
        .expect("new");
    world.noise(vec3(1.0, 0.0, 0.0), f32::INFINITY, None);
    for through in [through_bytes, through_json] {
        let mut restored = make();
        restored.restore(&through(&world.snapshot())).expect("good");
        let mut world = make();
        world.restore(&restored.snapshot()).expect("good");
        for _ in 0..20 {
            world.tick(0.1);
            restored.tick(0.1);
            assert_eq!(saves::see(&world), saves::see(&restored));
        }
    }
    let snapshot = world.snapshot();
    world.tick(0.1);
    let told = saves::see(&world);
    assert!(told.1.len() >= 2, "joined, left, gained: {:?}", told.1);
    let mut restored = make();
    restored.restore(&snapshot).expect("good");
    restored.tick(0.1);
    assert_eq!(saves::see(&restored), told);
}

#[test]
fn restoring_exits_what_runs_and_watches_on() {
    let mut world = World::new(Config::default());
    world.declare(KeyDecl::new("level", Scope::World, ValueType::Number)).expect("legal");
    let empty = world.snapshot();
    let observer = world.observe(BoardOf::World, "level").expect("a key");
    world.set_value(BoardOf::World, "level", 2.0).expect("right");
    let two = world.snapshot();
    world.restore(&empty).expect("good");
    assert_eq!(world.value(BoardOf::World, "level").expect("a key"), Value::Nothing);
    world.tick(0.1);
    assert!(world.changed().is_empty(), "the value of the snapshot is where it begins");
    world.restore(&two).expect("good");
    world.set_value(BoardOf::World, "level", 3.0).expect("right");
    world.tick(0.1);
    assert_eq!(world.changed(), [observer]);
}

#[test]
fn a_tree_that_is_not_there_is_named_and_nothing_is_changed() {
    let (_, snapshots, _) = N1.run(&[100]);
    let mut world = World::new(Config::default());
    world.add_tree("encircl", &common::encircle()).expect("right");
    let squad = world.add_squad(SquadDesc { name: "other".into(), ..SquadDesc::default() }).expect("new");
    world.spawn(squad, AgentDesc { tree: "encircl".into(), ..AgentDesc::at(DEN) }).expect("new");
    world.tick(0.1);
    let before = world.snapshot().to_bytes().expect("it can");
    let error = world.restore(&snapshots[0].1).expect_err("there is no such tree");
    assert_eq!(error.kind(), ErrorKind::UnknownName);
    assert_eq!(
        error.to_string(),
        "the snapshot has agents that run tree 'encircle', and this world has none of that name (did you mean 'encircl'?)"
    );
    assert_eq!(world.snapshot().to_bytes().expect("it can"), before);
    assert_eq!(snapshots[0].1.trees().collect::<Vec<_>>(), ["encircle"]);
    assert_eq!(snapshots[0].1.agents(), 8);
}

/// Names, keys and slots may have other numbers: what is the same by name goes on.
#[test]
fn other_numbers_of_names_and_keys_change_nothing() {
    let (seen, snapshots, who) = BUSY.run(&[333]);
    let mut world = World::new(Config { seed: 0, ..saves::config() });
    for mode in ["zz", "bite", "melee", "help"] {
        world
            .add_tree(mode, &Spec::new("mode").set("name", mode).with(Spec::new("wait").set("seconds", 1.0)))
            .expect("right");
    }
    for decl in ["new_a", "new_b"] {
        for (scope, name) in Scope::ALL.into_iter().zip(["agent", "squad", "team", "world"]) {
            world.declare(KeyDecl::new(format!("{decl}_{name}"), scope, ValueType::Bool)).expect("legal");
        }
    }
    let old = saves::busy();
    for scope in Scope::ALL {
        for key in old.schema().keys(scope).iter().rev() {
            let decl = KeyDecl { default: key.default.clone(), ..KeyDecl::new(&*key.name, scope, key.ty) };
            world.declare(KeyDecl { ttl: key.ttl.map(|ttl| ttl as f64 * 1e-9), ..decl }).expect("legal");
        }
    }
    for (name, tree) in saves::trees().into_iter().rev() {
        world.add_tree(name, &tree).expect("right");
    }
    world.restore(&snapshots[0].1).expect("good");
    for now in 333..BUSY.ticks {
        (BUSY.step)(&mut world, who, now);
        let (_, events, told) = saves::see(&world);
        let (_, wanted, said) = &seen[now as usize];
        assert_eq!((&events, &told), (wanted, said), "tick {now}");
    }
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}

fn restored_with(keys: &[KeyDecl], spec: &Spec, snapshot: &Snapshot) -> World {
    let mut world = World::new(Config::default());
    for key in keys.iter() {
        world.declare(key.clone()).expect("legal");
    }
    world.add_tree("tree", spec).expect("right");
    world.restore(snapshot).expect("good");
    world.tick(0.0);
    world
}

#[test]
fn keys_that_are_gone_new_or_of_another_type() {
    let keys = [
        KeyDecl::new("gone", Scope::Agent, ValueType::Bool),
        KeyDecl::new("typed", Scope::Agent, ValueType::Integer),
        KeyDecl::new("kept", Scope::Agent, ValueType::Number),
    ];
    let mut world = World::new(Config::default());
    for key in keys.iter() {
        world.declare(key.clone()).expect("legal");
    }
    let wait = Spec::new("wait").set("seconds", 9.0);
    world.add_tree("tree", &wait).expect("right");
    let squad = world.add_squad(SquadDesc { name: "one".into(), ..SquadDesc::default() }).expect("new");
    let agent = world.spawn(squad, AgentDesc { tree: "tree".into(), ..AgentDesc::at(DEN) }).expect("new");
    world.set_value(BoardOf::Agent(agent), "gone", true).expect("right");
    world.set_value(BoardOf::Agent(agent), "typed", 5_i64).expect("right");
    world.set_value(BoardOf::Agent(agent), "kept", 2.5).expect("right");
    let now = [
        KeyDecl::new("new", Scope::Agent, ValueType::Number).default(7.0),
        KeyDecl::new("kept", Scope::Agent, ValueType::Number),
        KeyDecl::new("typed", Scope::Agent, ValueType::String).default("x"),
    ];
    let restored = restored_with(&now, &wait, &through_json(&world.snapshot()));
    let value = |key: &str| restored.value(BoardOf::Agent(agent), key).expect("a key");
    assert_eq!((value("new"), value("kept"), value("typed")), (7.0.into(), 2.5.into(), "x".into()));
    let told: Vec<_> = restored.problems().iter().map(|problem| problem.error.message().to_owned()).collect();
    assert_eq!(
        told,
        [
            "there is no key 'gone' of the agent any more: its saved values are lost",
            "key 'typed' is string now, and was integer: its saved values are lost",
        ]
    );
}

/// Two wait for a token that one holds. Another number in the holder's branch: it begins anew, and its token is free.
#[test]
fn what_cannot_run_on_is_named_and_gives_its_token_back() {
    let tree = |seconds: f64| {
        Spec::new("sequence").with(Spec::new("wait").set("seconds", 0.1)).with(
            Spec::new("lease")
                .set("token", "melee")
                .set("wait", true)
                .with(Spec::new("wait").set("seconds", seconds)),
        )
    };
    let mut world = World::new(Config::default());
    world.add_tree("tree", &tree(50.0)).expect("right");
    world.add_tree("other", &tree(50.0)).expect("right");
    let squad = world.add_squad(SquadDesc { name: "one".into(), ..SquadDesc::default() }).expect("new");
    for (x, tree) in [(0.0, "tree"), (3.0, "other"), (6.0, "other")] {
        world.spawn(squad, AgentDesc { tree: tree.into(), ..AgentDesc::at(vec3(x, 0.0, 0.0)) }).expect("new");
    }
    (0..5).for_each(|_| world.tick(0.1));
    let token = |world: &World| {
        let token = world.token(squad, "melee").expect("offered");
        (token.holders().collect::<Vec<_>>(), token.queue().collect::<Vec<_>>())
    };
    assert_eq!(token(&world), (vec![0], vec![1, 2]));
    let mut restored = World::new(Config::default());
    restored.add_tree("tree", &tree(49.0)).expect("right");
    restored.add_tree("other", &tree(50.0)).expect("right");
    restored.restore(&through_bytes(&world.snapshot())).expect("good");
    assert_eq!(token(&restored), (vec![], vec![1, 2]));
    restored.tick(0.1);
    assert_eq!(token(&restored), (vec![1], vec![2]));
    let told: Vec<_> =
        restored.problems().iter().map(|problem| (problem.agent, problem.to_string())).collect();
    let first = restored.outputs().next().expect("there").agent;
    let text =
        "tree 'tree' has changed since the snapshot: what ran begins anew (at sequence/2.lease/1.wait)";
    assert_eq!(told, [(Some(first), text.to_owned())]);
    assert_eq!(restored.running(first), Some("sequence/1.wait"));
}

/// A node more beside what runs: as at a reload, the rest goes on, and a cooldown keeps its time.
#[test]
fn a_changed_tree_is_matched_as_at_a_reload() {
    let tree = |more: bool| {
        let mut tree = Spec::new("selector")
            .with(Spec::new("cooldown").set("seconds", 5.0).id("bite").with(Spec::new("succeed")));
        if more {
            tree = tree.with(Spec::new("fail"));
        }
        tree.with(Spec::new("wait").set("seconds", 2.0).id("pause"))
    };
    let make = |more: bool| {
        let mut world = World::new(Config::default());
        world.add_tree("tree", &tree(more)).expect("right");
        world
    };
    let mut reloaded = make(false);
    let squad = reloaded.add_squad(SquadDesc { name: "one".into(), ..SquadDesc::default() }).expect("new");
    reloaded.spawn(squad, AgentDesc { tree: "tree".into(), ..AgentDesc::at(DEN) }).expect("new");
    (0..15).for_each(|_| reloaded.tick(0.1));
    let mut restored = make(true);
    restored.restore(&through_json(&reloaded.snapshot())).expect("good");
    reloaded.add_tree("tree", &tree(true)).expect("right");
    for tick in 0..60 {
        assert_eq!(restored.digest(), reloaded.digest(), "tick {tick}");
        restored.tick(0.1);
        reloaded.tick(0.1);
    }
    assert!(restored.all_problems().is_empty(), "{:?}", restored.all_problems());
}

/// A snapshot of a world whose leaf is to begin, and one that is taken into another tree: both as at a reload.
#[test]
fn what_is_unchanged_runs_on_and_what_is_to_begin_begins() {
    let tree = |pause: f64| {
        let wait = |seconds: f64| Spec::new("wait").set("seconds", seconds);
        let steps = Spec::new("sequence").with(wait(0.3)).with(wait(pause)).with(wait(0.5));
        let beside = Spec::new("sequence").with(wait(2.0)).with(wait(9.0));
        Spec::new("parallel").with(Spec::new("time_limit").set("seconds", 5.0).with(steps)).with(beside)
    };
    let make = |pause: f64| {
        let mut world = World::new(Config::default());
        world.add_tree("tree", &tree(pause)).expect("right");
        world
    };
    let mut reloaded = make(1.0);
    let squad = reloaded.add_squad(SquadDesc { name: "one".into(), ..SquadDesc::default() }).expect("new");
    reloaded.spawn(squad, AgentDesc { tree: "tree".into(), ..AgentDesc::at(DEN) }).expect("new");
    (0..9).for_each(|_| reloaded.tick(0.1));
    let mut matched = make(1.2);
    matched.restore(&through_json(&reloaded.snapshot())).expect("good");
    let told = matched.all_problems().iter().map(ToString::to_string).collect::<Vec<_>>();
    reloaded.add_tree("tree", &tree(1.2)).expect("right");
    let mut again = make(1.2);
    again.restore(&through_bytes(&reloaded.snapshot())).expect("good");
    let lost = "parallel/1.time_limit/1.sequence/2.wait";
    let text = format!("tree 'tree' has changed since the snapshot: what ran begins anew (at {lost})");
    let agent = reloaded.outputs().next().expect("there").agent;
    assert_eq!(
        matched.why(agent).expect("it is there").running,
        ["parallel/1.time_limit/1.sequence", "parallel/2.sequence/1.wait"]
    );
    for tick in 0..30 {
        assert_eq!(matched.digest(), reloaded.digest(), "tick {tick}");
        assert_eq!(again.digest(), reloaded.digest(), "tick {tick}");
        [&mut matched, &mut again, &mut reloaded].into_iter().for_each(|world| world.tick(0.1));
    }
    assert_eq!(told, [text]);
}

/// What was set in slots is as it was when the snapshot was taken, whatever is set now.
#[test]
fn slots_are_set_as_they_were() {
    let wait = |seconds: f64| Spec::new("wait").set("seconds", seconds);
    let make = || {
        let mut world = World::new(Config::default());
        let slots = ["attack", "rest"].map(|name| Spec::new("slot").set("name", name).with(wait(1.0)));
        world.add_tree("tree", &Spec::new("sequence").with_all(slots)).expect("right");
        world
    };
    let mut world = make();
    world.set_slot("attack", &wait(9.0)).expect("right");
    let squad = world.add_squad(SquadDesc { name: "one".into(), ..SquadDesc::default() }).expect("new");
    world.spawn(squad, AgentDesc { tree: "tree".into(), ..AgentDesc::at(DEN) }).expect("new");
    world.tick(0.1);
    let snapshot = through_json(&world.snapshot());
    assert_eq!(snapshot.slots_to_set().count(), 0);
    let mut other = make();
    other.set_slot("rest", &wait(7.0)).expect("right");
    other.set_slot("attack", &wait(8.0)).expect("right");
    for mut restored in [make(), other] {
        restored.restore(&through_bytes(&snapshot)).expect("good");
        let memory = |world: &World| world.tree("tree").expect("a tree").shape();
        assert_eq!(memory(&restored), memory(&world));
        let mut unsaved = make();
        unsaved.restore(&world.snapshot()).expect("good");
        for _ in 0..120 {
            restored.tick(0.1);
            unsaved.tick(0.1);
            assert_eq!(saves::see(&restored), saves::see(&unsaved));
        }
        restored.clear_slot("attack").expect("right");
        assert!(restored.all_problems().is_empty(), "{:?}", restored.all_problems());
    }
}

/// A snapshot holds what a tree can be, and a file that says otherwise does not exhaust the stack.
#[test]
fn what_is_nested_too_deeply_is_refused() {
    let deep = |depth: usize| {
        let leaf = Spec::new("wait").set("seconds", 1.0);
        (0..depth).fold(leaf, |child, _| Spec::new("invert").with(child))
    };
    let saved = move |depth: usize| {
        let mut world = World::new(Config::default());
        world.set_slot("attack", &deep(depth)).expect("right");
        world.snapshot().to_bytes().expect("it can be encoded")
    };
    // To build such a tree takes a large stack; to read it must not.
    let built = std::thread::Builder::new().stack_size(64 << 20).spawn(move || [saved(100), saved(1000)]);
    let [good, bad] = built.expect("a thread").join().expect("no panic");
    let read = move || Snapshot::from_bytes(&good).map(drop).and(Snapshot::from_bytes(&bad).map(drop));
    let read = std::thread::Builder::new().stack_size(1 << 20).spawn(read);
    let error = read.expect("a thread").join().expect("no panic").expect_err("nobody writes that");
    assert_eq!(error.kind(), ErrorKind::Damaged);
    assert!(error.to_string().contains("cannot be decoded"), "{error}");
}

#[test]
fn sizes_and_times() {
    let (mut world, who) = BUSY.begin();
    (0..300).for_each(|tick| (BUSY.step)(&mut world, who, tick));
    let snapshot = world.snapshot();
    let (bytes, json) =
        (snapshot.to_bytes().expect("it can").len(), serde_json::to_string(&snapshot).expect("it can").len());
    let agents = snapshot.agents();
    eprintln!("busy: {agents} agents, {bytes} bytes ({} each), JSON {json}", bytes / agents);
    assert!(bytes / agents < 1200, "{bytes} bytes for {agents} agents");
    let (_, snapshots, _) = N1.run(&[600]);
    let bytes = snapshots[0].1.to_bytes().expect("it can").len();
    eprintln!("n1: 8 agents, {bytes} bytes ({} each)", bytes / 8);
    assert!(bytes < 8 * 1100, "{bytes} bytes for 8 agents");
}
