//! Field reports H2, H3 and H8: a fight goes on while its scripts are edited.
#![cfg(feature = "lua")]

use std::path::Path;
use warband::{
    ActorDesc, AgentDesc, AgentId, BoardOf, Config, EventKind, SquadDesc, Value, Vec3, World, vec3,
};

const DT: f64 = 1.0 / 60.0;

struct Fight {
    world: World,
    agents: Vec<AgentId>,
}

/// Eight wolves with the shipped `encircle.lua`, 20 m from a player in view.
fn fight() -> Fight {
    let mut world = World::new(Config { seed: 1, ..Config::default() });
    world.set_script_root(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts"));
    world.load("encircle.lua").expect("it is right");
    world.add_actor(ActorDesc { faction: "hero".into(), ..ActorDesc::at(Vec3::ZERO) });
    let route = vec![vec3(-20.0, 0.0, 0.0), vec3(-20.0, 0.0, 20.0), vec3(-40.0, 0.0, 20.0)];
    let desc = SquadDesc { name: "pack".into(), faction: "wolves".into(), route, ..SquadDesc::default() };
    let pack = world.add_squad(desc).expect("new");
    let agents = (0..8).map(|key| {
        let facing = vec3(1.0, 0.0, 0.0);
        let place = AgentDesc::at(vec3(-20.0, 0.0, key as f32 * 1.5 - 5.0));
        world.spawn(pack, AgentDesc { tree: "encircle".into(), facing, ..place }).expect("new")
    });
    let agents = agents.collect();
    Fight { world, agents }
}

impl Fight {
    fn tick(&mut self, times: usize) {
        (0..times).for_each(|_| self.world.tick(DT));
    }
}

/// **H2 Failed reload leaves nothing.** Save a version with (a) syntax error, (b) top-level runtime error, (c) unknown
/// key, (d) builder returns nil; then a good one. Pass: trajectories during a-d equal a run with no reload; 1 error each;
/// the good one is live at once.
#[test]
fn h2_a_failed_reload_leaves_everything() {
    let (mut edited, mut plain) = (fight(), fight());
    let bad = [
        ("return bt.tree(\"encircle\", bt.selector {", "encircle.lua:1: "),
        ("local x = nil\nlocal y = x.z\nreturn bt.tree(\"encircle\", bt.patrol {})", "encircle.lua:2: "),
        ("return bt.tree(\"encircle\", bt.has_value { key = \"alrm\" })", "encircle.lua:1: "),
        ("local tree = bt.tree(\"encircle\", bt.patrol {})", "encircle.lua: returned nil"),
    ];
    for (text, said) in bad {
        edited.tick(40);
        plain.tick(40);
        let fault = edited.world.reload("encircle.lua", text).expect_err(text);
        assert_eq!(fault.each().count(), 1, "{fault}");
        assert!(fault.to_string().starts_with(said), "{fault}");
        assert_eq!(edited.world.refused_files().collect::<Vec<_>>(), ["encircle.lua"]);
    }
    edited.tick(40);
    plain.tick(40);
    assert_eq!(edited.world.digest(), plain.world.digest());
    edited.world.reload("encircle.lua", "return bt.tree(\"encircle\", bt.flee {})").expect("right");
    edited.tick(1);
    assert!(edited.world.running(edited.agents[0]).is_some_and(|path| path.contains("flee")));
    assert_eq!(edited.world.refused_files().count(), 0);
}

/// **H3 Handlers and timers pile up on each reload.** A script with a timer (1 s), a watcher of a squad key and an
/// event; reload 50 times, run 10 s. Pass: the timer fires 10 (±1) times; 1 call per watched change; Lua heap after 50
/// reloads ≤ 1.2 × after one.
#[test]
fn h3_nothing_piles_up() {
    let script = |version: u32| {
        format!(
            "-- {version}\nblackboard {{ squad = {{ alarm = {{ \"integer\", default = 0 }} }},\n  \
             agent = {{ beats = {{ \"integer\", default = 0 }}, alarms = {{ \"integer\", default = 0 }}, calls = {{ \"integer\", default = 0 }} }} }}\n\
             local function count(key) return bt.action {{ tick = function(self)\n  self.board[key] = self.board[key] + 1\n  \
             return \"success\"\nend }} end\n\
             local function again(child) return bt.repeat_times {{ bt.force_success {{ child }} }} end\n\
             local caller = bt.repeat_times {{ bt.sequence {{ bt.wait {{ seconds = 2 }}, bt.send {{ name = \"hoo\" }} }} }}\n\
             return {{ caller = caller, guard = bt.service {{ interval = 1, run = function(self)\n    self.board.beats = self.board.beats + 1\n  end,\n  \
             bt.parallel {{ success = \"all\",\n    \
             again(bt.sequence {{ bt.wait_for {{ key = \"alarm\", change = true }}, count(\"alarms\") }}),\n    \
             again(bt.sequence {{ bt.wait_for {{ message = \"hoo\" }}, count(\"calls\") }}),\n  }} }} }}\n"
        )
    };
    let mut world = World::new(Config::default());
    world.reload("guard.lua", &script(0)).expect("right");
    let squad = world.add_squad(SquadDesc { name: "guards".into(), ..SquadDesc::default() }).expect("new");
    let desc = AgentDesc { tree: "guard".into(), ..AgentDesc::at(Vec3::ZERO) };
    let agent = world.spawn(squad, desc).expect("new");
    let desc = AgentDesc { tree: "caller".into(), ..AgentDesc::at(Vec3::ZERO) };
    world.spawn(squad, desc).expect("new");
    let reload = |world: &mut World, version: u32| {
        world.reload("guard.lua", &script(version)).expect("right");
        (0..32).for_each(|_| world.tick(DT));
    };
    reload(&mut world, 1);
    let one = world.script_memory();
    (2..=50).for_each(|version| reload(&mut world, version));
    let many = world.script_memory();
    assert!(many as f64 <= one as f64 * 1.2, "{one} bytes after one reload, {many} after fifty");

    let counts = |world: &World| {
        ["beats", "alarms", "calls"].map(|key| match world.value(BoardOf::Agent(agent), key) {
            Ok(Value::Integer(count)) => count,
            other => panic!("{key}: {other:?}"),
        })
    };
    let before = counts(&world);
    for tick in 1..=600 {
        if tick % 100 == 0 {
            world.set_value(BoardOf::Squad(squad), "alarm", i64::from(tick)).expect("a key");
        }
        if tick % 150 == 0 {
            world.set_value(BoardOf::Squad(squad), "alarm", i64::from(tick)).expect("a key");
        }
        world.tick(DT);
    }
    let after = counts(&world);
    assert!((9..=11).contains(&(after[0] - before[0])), "{} beats in 10 s", after[0] - before[0]);
    // At 300 and 600 both write the same.
    assert_eq!(after[1] - before[1], 6 + 4 - 2, "one call for each change");
    assert!(
        (4..=5).contains(&(after[2] - before[2])),
        "{} calls in 10 s, one in 2 s and a tick",
        after[2] - before[2]
    );
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}

/// **H8 Required modules stay stale.** A script requires a module; change only that. Pass: the new value is in force
/// for all users; unrelated scripts are not loaded anew.
#[test]
fn h8_a_module_is_changed_alone() {
    let user = |name: &str| {
        format!(
            "local cfg = require \"steering_cfg\"\nreturn bt.tree(\"{name}\", bt.sequence {{\n  \
             bt.wait {{ seconds = cfg.pause }}, bt.log {{ text = \"done\" }} }})\n"
        )
    };
    let mut world = World::new(Config::default());
    world.reload("steering_cfg.lua", "return { pause = 5 }").expect("a module");
    for name in ["squad", "scout"] {
        world.reload(&format!("{name}.lua"), &user(name)).expect("right");
    }
    world.reload("other.lua", "return bt.tree(\"other\", bt.wait { seconds = 1 })").expect("right");
    let squad = world.add_squad(SquadDesc { name: "all".into(), ..SquadDesc::default() }).expect("new");
    let mut spawn = |tree: &str| {
        world.spawn(squad, AgentDesc { tree: tree.into(), ..AgentDesc::at(Vec3::ZERO) }).expect("new")
    };
    let agents = ["squad", "scout"].map(&mut spawn);
    world.tick(DT);
    world.reload("steering_cfg.lua", "return { pause = 0.5 }").expect("right");
    world.tick(DT);
    let reloads = world.events().iter().filter_map(|event| match &event.kind {
        EventKind::Reload { script } => Some(script.to_string()),
        _ => None,
    });
    assert_eq!(reloads.collect::<Vec<_>>(), ["scout.lua", "squad.lua"]);
    let mut done = Vec::new();
    for _ in 0..31 {
        world.tick(DT);
        done.extend(world.said().iter().map(|(agent, _)| *agent));
    }
    assert_eq!(done, agents, "half a second is over for both");
}
