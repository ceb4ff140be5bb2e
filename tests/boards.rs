//! Blackboards: scopes, types, queued writes, observers, time to live; field reports K1, K2, K3, K5 and B9.

mod common;

use warband::{
    ActorDesc, AgentDesc, AgentId, BoardOf, Config, KeyDecl, Scope, Spec, SquadDesc, SquadId, Value,
    ValueType, Vec3, World, vec3,
};

const DT: f64 = 1.0 / 60.0;

fn world(keys: &[(&str, Scope, ValueType)]) -> World {
    let mut world = World::new(Config::default());
    for (name, scope, ty) in keys {
        world.declare(KeyDecl::new(*name, *scope, *ty)).expect("a legal key");
    }
    world
}

fn squad(world: &mut World, name: &str, team: Option<&str>, trees: &[&str]) -> (SquadId, Vec<AgentId>) {
    let desc = SquadDesc { name: name.into(), team: team.map(Into::into), ..SquadDesc::default() };
    let squad = world.add_squad(desc).expect("a new squad");
    let agents = trees.iter().enumerate().map(|(at, tree)| {
        let desc = AgentDesc { tree: (*tree).into(), ..AgentDesc::at(vec3(at as f32 * 3.0, 0.0, 0.0)) };
        world.spawn(squad, desc).expect("a new agent")
    });
    (squad, agents.collect())
}

fn set(key: &str, value: impl Into<warband::args::Arg>) -> Spec {
    Spec::new("set").set("key", key).set("to", value)
}

#[test]
fn the_last_writer_of_a_tick_wins_and_increments_and_appends_all_count() {
    let mut world = world(&[
        ("alarm", Scope::Team, ValueType::Integer),
        ("count", Scope::Team, ValueType::Integer),
        ("marks", Scope::World, ValueType::List),
    ]);
    for (name, value) in [("one", 1.0), ("two", 2.0)] {
        let tree = Spec::new("sequence")
            .with(set("alarm", value))
            .with(Spec::new("increment").set("key", "count"))
            .with(Spec::new("append").set("key", "marks").set("point", "home"));
        world.add_tree(name, &tree).expect("the tree is right");
    }
    // The second squad has the smaller key: it thinks first, and the first one's write is the last.
    let wolves =
        SquadDesc { name: "wolves".into(), team: Some("pack".into()), key: Some(9), ..SquadDesc::default() };
    let wolves = world.add_squad(wolves).expect("a new squad");
    let foxes =
        SquadDesc { name: "foxes".into(), team: Some("pack".into()), key: Some(3), ..SquadDesc::default() };
    let foxes = world.add_squad(foxes).expect("a new squad");
    for (squad, tree, x) in [(wolves, "one", 1.0), (foxes, "two", 2.0), (foxes, "two", 5.0)] {
        world
            .spawn(squad, AgentDesc { tree: tree.into(), ..AgentDesc::at(vec3(x, 0.0, 0.0)) })
            .expect("a new agent");
    }
    world.tick(DT);
    assert_eq!(world.value(BoardOf::Team("pack"), "alarm"), Ok(Value::Integer(1)));
    assert_eq!(world.value(BoardOf::Team("pack"), "count"), Ok(Value::Integer(3)));
    let Ok(Value::List(marks)) = world.value(BoardOf::World, "marks") else { panic!("a list") };
    assert_eq!(marks.iter().map(|mark| mark.x).collect::<Vec<_>>(), [2.0, 5.0, 1.0]);
}

#[test]
fn nobody_sees_another_half_thought_and_a_writer_reads_its_own() {
    let mut world =
        world(&[("alarm", Scope::Squad, ValueType::Bool), ("saw", Scope::Agent, ValueType::Bool)]);
    let look = || {
        Spec::new("selector")
            .with(
                Spec::new("sequence").with(Spec::new("has_value").set("key", "alarm")).with(set("saw", true)),
            )
            .with(set("saw", false))
    };
    world.add_tree("writer", &Spec::new("sequence").with(set("alarm", true)).with(look())).expect("right");
    world.add_tree("reader", &look()).expect("right");
    let (_, agents) = squad(&mut world, "pack", None, &["reader", "writer", "reader"]);
    let saw = |world: &World| {
        agents
            .iter()
            .map(|agent| world.value(BoardOf::Agent(*agent), "saw").expect("a key"))
            .collect::<Vec<_>>()
    };
    world.tick(DT);
    assert_eq!(saw(&world), [Value::Bool(false), Value::Bool(true), Value::Bool(false)]);
    world.tick(DT);
    assert_eq!(saw(&world), [Value::Bool(true), Value::Bool(true), Value::Bool(true)]);
}

/// Wrong type in a key: crash far from the cause.
#[test]
fn k1_a_wrong_type_is_refused_where_it_is_written() {
    let mut world =
        world(&[("target_pos", Scope::Squad, ValueType::Vec3), ("alive", Scope::Squad, ValueType::Bool)]);
    let (pack, _) = squad(&mut world, "pack", None, &[]);
    let board = BoardOf::Squad(pack);
    world.set_value(board, "target_pos", vec3(1.0, 2.0, 3.0)).expect("the right type");
    let refused = |world: &mut World, key: &str, value: Value| {
        world.set_value(board, key, value).expect_err("refused").to_string()
    };
    assert_eq!(
        refused(&mut world, "target_pos", "hello".into()),
        "key 'target_pos' is vec3, got string \"hello\" (the old value stays)"
    );
    assert_eq!(
        refused(&mut world, "target_pos", 7.0.into()),
        "key 'target_pos' is vec3, got number 7 (the old value stays)"
    );
    assert_eq!(
        refused(&mut world, "alive", 0_i64.into()),
        "key 'alive' is bool, got integer 0 (the old value stays)"
    );
    assert_eq!(
        refused(&mut world, "target_pos", vec3(f32::NAN, 0.0, 0.0).into()),
        "key 'target_pos' is vec3, got vec3 (NaN, 0, 0) (the old value stays)"
    );
    assert_eq!(world.value(board, "target_pos"), Ok(Value::Vec3(vec3(1.0, 2.0, 3.0))));
    assert_eq!(world.value(board, "alive"), Ok(Value::Nothing));
}

/// Missing or misspelt key makes a new variable.
#[test]
fn k2_a_misspelt_key_is_an_error_when_the_tree_is_built() {
    let mut world = world(&[("target", Scope::Squad, ValueType::Entity)]);
    let tree = Spec::new("selector")
        .with(Spec::new("wait").set("seconds", 60.0))
        .with(Spec::new("has_value").set("key", "targt"));
    let error = world.add_tree("late", &tree).expect_err("refused");
    assert_eq!(error.to_string(), "unknown key 'targt' (did you mean 'target'?) (at selector/2.has_value)");
    assert_eq!(world.schema().names().collect::<Vec<_>>(), ["target"]);
    assert!(world.key::<warband::Entity>("target").is_ok());
    assert_eq!(
        world.key::<bool>("target").expect_err("refused").to_string(),
        "key 'target' is entity, not bool"
    );
}

/// Private data leaks between agents that share a board.
#[test]
fn k3_each_agent_reads_back_its_own() {
    let mut world = world(&[
        ("wander_goal", Scope::Agent, ValueType::Integer),
        ("target", Scope::Squad, ValueType::Integer),
    ]);
    let trees: Vec<String> = (0..8).map(|at| format!("agent{at}")).collect();
    for (at, tree) in trees.iter().enumerate() {
        world.add_tree(tree, &set("wander_goal", at as f64)).expect("right");
    }
    let names: Vec<&str> = trees.iter().map(String::as_str).collect();
    let (pack, agents) = squad(&mut world, "pack", None, &names);
    world.set_value(BoardOf::Squad(pack), "target", 5_i64).expect("right");
    for _ in 0..600 {
        world.tick(DT);
    }
    for (at, agent) in agents.iter().enumerate() {
        assert_eq!(world.value(BoardOf::Agent(*agent), "wander_goal"), Ok(Value::Integer(at as i64)));
    }
    assert_eq!(world.value(BoardOf::Squad(pack), "target"), Ok(Value::Integer(5)));
    let wrong = world.value(BoardOf::Squad(pack), "wander_goal").expect_err("refused");
    assert_eq!(wrong.to_string(), "key 'wander_goal' belongs to the agent, not to the squad");
}

/// 'Changed' fires when nothing changed.
#[test]
fn k5_equal_writes_wake_nobody() {
    let mut world = world(&[("spot", Scope::World, ValueType::Vec3)]);
    let observer = world.observe(BoardOf::World, "spot").expect("a key");
    let mut told = 0;
    for tick in 0..101 {
        let spot = if tick < 100 { vec3(1.0, 0.0, 0.0) } else { vec3(2.0, 0.0, 0.0) };
        world.set_value(BoardOf::World, "spot", spot).expect("right");
        world.set_value(BoardOf::World, "spot", spot).expect("right");
        world.tick(DT);
        told += world.changed().iter().filter(|one| **one == observer).count();
    }
    assert_eq!(told, 2, "the first set and the new value");
}

#[test]
fn a_value_with_a_time_to_live_goes_back_to_its_default() {
    let mut world = World::new(Config::default());
    world
        .declare(KeyDecl::new("smell", Scope::World, ValueType::Number).default(0.5).ttl(1.0))
        .expect("legal");
    let observer = world.observe(BoardOf::World, "smell").expect("a key");
    world.set_value(BoardOf::World, "smell", 2.0).expect("right");
    let mut told = Vec::new();
    for tick in 1..=90 {
        world.tick(DT);
        if world.changed().contains(&observer) {
            told.push(tick);
        }
        let expected = if tick < 60 { 2.0 } else { 0.5 };
        assert_eq!(world.value(BoardOf::World, "smell"), Ok(Value::Number(expected)), "tick {tick}");
    }
    assert_eq!(told, [1, 60]);
}

#[test]
fn an_entity_that_is_gone_reads_as_nothing_and_never_as_somebody_else() {
    let mut world = world(&[("friend", Scope::World, ValueType::Entity)]);
    let actor = world.add_actor(ActorDesc::at(Vec3::ZERO));
    world.set_value(BoardOf::World, "friend", actor.entity()).expect("right");
    world.remove(actor);
    let other = world.add_actor(ActorDesc::at(Vec3::ZERO));
    assert_ne!(actor, other);
    assert_eq!(world.value(BoardOf::World, "friend"), Ok(Value::Nothing));
    assert!(!world.exists(actor) && world.exists(other));
}

#[test]
fn a_team_key_needs_a_team_and_says_so() {
    let mut world = world(&[("alarm", Scope::Team, ValueType::Bool)]);
    world.add_tree("shout", &set("alarm", true)).expect("right");
    squad(&mut world, "loners", None, &["shout"]);
    world.tick(DT);
    world.tick(DT);
    let problems = world.all_problems();
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].times, 2);
    assert_eq!(
        problems[0].error.to_string(),
        "key 'alarm' belongs to a team, and squad 'loners' is in none (give the squad a team, or declare the key in the squad's scope) (at set)"
    );
}

/// One tree shared by many agents shares its memory.
#[test]
fn b9_what_one_agent_does_is_not_felt_by_the_others() {
    let trace = |with_first: bool| {
        let mut world = world(&[("hits", Scope::Agent, ValueType::Integer)]);
        let tree = Spec::new("sequence").with(Spec::new("wait").set("seconds", 0.1)).with(
            Spec::new("selector")
                .with(
                    Spec::new("cooldown").set("seconds", 0.5).with(Spec::new("increment").set("key", "hits")),
                )
                .with(Spec::new("wait").set("seconds", 0.2)),
        );
        world.add_tree("tree", &tree).expect("right");
        world.add_tree("other", &Spec::new("increment").set("key", "hits")).expect("right");
        let pack = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
        for key in u32::from(!with_first)..100 {
            let place = vec3(key as f32 * 50.0, 0.0, 0.0);
            let tree = if key == 0 { "other" } else { "tree" };
            world
                .spawn(pack, AgentDesc { tree: tree.into(), key: Some(key), ..AgentDesc::at(place) })
                .expect("new");
        }
        let mut trace = Vec::new();
        for _ in 0..240 {
            world.tick(DT);
            for out in world.outputs().filter(|out| out.key > 0) {
                let hits = world.value(BoardOf::Agent(out.agent), "hits").expect("a key");
                trace.push((out.key, hits, world.running(out.agent).map(str::to_owned)));
            }
        }
        trace
    };
    assert_eq!(trace(true), trace(false));
}

/// Bands with a dwell time keep a child for that long, and then take the one that fits.
#[test]
fn bands_dwell() {
    for sleep in [true, false] {
        let mut world = World::new(Config { sleep, ..Config::default() });
        world.declare(KeyDecl::new("heat", Scope::World, ValueType::Number).default(0.0)).expect("legal");
        let named =
            |name: &str| Spec::new("mode").set("name", name).with(Spec::new("wait").set("seconds", 100.0));
        let tree = Spec::new("bands")
            .set("by", warband::args::Arg::Key("heat".into()))
            .set("dwell", 1.0)
            .with(named("cold").edge("below", 10.0))
            .with(named("hot"));
        world.add_tree("tree", &tree).expect("right");
        let (_, agents) = squad(&mut world, "pack", None, &["tree"]);
        let mut modes = Vec::new();
        for tick in 0..30 {
            // It flickers every 0.2 s for two seconds, and is hot then.
            let hot = tick >= 20 || (tick / 2) % 2 == 1;
            world.set_value(BoardOf::World, "heat", if hot { 20.0 } else { 0.0 }).expect("right");
            world.tick(0.1);
            let mode = world.output(agents[0]).expect("there").mode.to_owned();
            if modes.last().is_none_or(|(_, last)| *last != mode) {
                modes.push((tick, mode));
            }
        }
        let modes: Vec<_> = modes.iter().map(|(tick, mode)| (*tick, mode.as_str())).collect();
        assert_eq!(modes, [(0, "cold"), (10, "hot")], "sleep {sleep}");
    }
}
