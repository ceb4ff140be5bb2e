//! Field reports of kinds L and K, with leaves in Lua, in a whole world.
#![cfg(feature = "lua")]

use warband::{
    ActorDesc, AgentDesc, AgentId, BoardOf, Config, ErrorKind, Problem, SquadDesc, Value, Vec3, World, vec3,
};

const DT: f64 = 1.0 / 60.0;

/// Eight agents with the tree "wolf" of this script, and a player in view.
fn pack(script: &str) -> (World, Vec<AgentId>) {
    let mut world = World::new(Config { seed: 3, ..Config::default() });
    world.reload("wolf.lua", script).expect("the script is right");
    world.add_actor(ActorDesc::at(Vec3::ZERO));
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
    let spawn = |at: u32| {
        let place = vec3(-20.0, 0.0, at as f32 * 2.0 - 7.0);
        world.spawn(squad, AgentDesc { tree: "wolf".into(), ..AgentDesc::at(place) }).expect("new")
    };
    let agents = (0..8).map(spawn).collect();
    (world, agents)
}

/// Where all but agent 3 are.
fn others(world: &World) -> Vec<(u32, Vec3)> {
    world.outputs().filter(|out| out.key != 3).map(|out| (out.key, out.position)).collect()
}

/// The pack chases, but in agent 3 `fault` runs from one second on, in place of a plain failure.
fn with_fault(fault: &str) -> String {
    format!(
        "return bt.tree(\"wolf\", bt.reactive_selector {{\n  \
         bt.action {{ tick = function(self)\n    if self.key ~= 3 or self.time < 1 then return \"failure\" end\n    {fault}\n  end }},\n  \
         bt.direct_chase {{}},\n}})\n"
    )
}

/// A fault in one agent's leaf: the tick returns, the others go on bit for bit as if it had failed, and there is one
/// problem with file and line.
fn contained(fault: &str, kind: ErrorKind, text: &str) {
    let (mut world, agents) = pack(&with_fault(fault));
    let (mut plain, _) = pack(&with_fault("return \"failure\""));
    for tick in 0..180 {
        world.tick(DT);
        plain.tick(DT);
        assert_eq!(others(&world), others(&plain), "{fault}: tick {tick}");
    }
    // Its bare action is warned of when it is loaded.
    let ran = |problem: &&Problem| problem.error.kind() != ErrorKind::Warning;
    let problems: Vec<_> = world.all_problems().iter().filter(ran).collect();
    assert_eq!(problems.len(), 1, "{fault}: {problems:?}");
    assert_eq!(problems[0].agent, Some(agents[3]));
    assert_eq!(problems[0].error.kind(), kind, "{fault}");
    assert_eq!(problems[0].error.to_string(), text);
    // Eight in a row, then one a second.
    assert_eq!(problems[0].times, 9, "{fault}: one line with a count");
    let muted = world.muted().collect::<Vec<_>>();
    assert_eq!((muted.len(), muted[0].agent, muted[0].faults), (1, agents[3], 9));
    assert_eq!(muted[0].faults as u64 + muted[0].skipped, 121, "no call is lost count of");
}

/// Endless loop in a script hangs the game.
#[test]
fn l1_an_endless_loop_costs_one_agent_its_tick() {
    let text =
        "wolf.lua:4: used up its 200000 instructions (an endless loop?) (at reactive_selector/1.action)";
    contained("while true do end", ErrorKind::Budget, text);
    contained("while true do pcall(function() while true do end end) end", ErrorKind::Budget, text);
}

/// A script error kills the server or every AI.
#[test]
fn l5_an_error_is_a_failure_of_that_leaf_and_nothing_else() {
    contained(
        "error(\"out of luck\")",
        ErrorKind::Script,
        "wolf.lua:4: out of luck (at reactive_selector/1.action)",
    );
    contained(
        "return self.target.nosuch.x",
        ErrorKind::UnknownName,
        "wolf.lua:4: a target has no 'nosuch' (at reactive_selector/1.action)",
    );
    contained(
        "local t = nil; return t.x",
        ErrorKind::Script,
        match warband::script::FLAVOUR {
            "luau" => "wolf.lua:4: attempt to index nil with 'x' (at reactive_selector/1.action)",
            "lua54" => "wolf.lua:4: attempt to index a nil value (local 't') (at reactive_selector/1.action)",
            _ => "wolf.lua:4: attempt to index local 't' (a nil value) (at reactive_selector/1.action)",
        },
    );
}

/// A leaf that answers with nothing, or with a word that is no status.
#[test]
fn a_leaf_must_say_how_it_went() {
    let (mut world, _) = pack("return bt.tree(\"wolf\", bt.action { tick = function(self) end })");
    world.tick(DT);
    let error = world.problems()[0].error.to_string();
    assert!(
        error.starts_with(
            "wolf.lua:1: the leaf returned nothing: return \"success\", \"failure\" or \"running\""
        ),
        "{error}"
    );
    let (mut world, _) =
        pack("return bt.tree(\"wolf\", bt.action { tick = function(self) return \"sucess\" end })");
    world.tick(DT);
    let error = world.problems()[0].error.to_string();
    assert!(error.contains("did you mean 'success'?"), "{error}");
}

/// Wrong type in a key, from Lua: an error at the write, and the old value stays.
#[test]
fn k1_a_wrong_type_from_lua_names_key_expected_got_file_and_line() {
    for (write, said) in [
        (
            "self.board.target_pos = \"hello\"",
            "key 'target_pos' is vec3, got string \"hello\" (the old value stays)",
        ),
        ("self.board.target_pos = 7", "key 'target_pos' is vec3, got number 7 (the old value stays)"),
        ("self.board.alive = 0", "key 'alive' is bool, got number 0 (the old value stays)"),
        ("self.board.targt_pos = vec3(1, 2, 3)", "unknown key 'targt_pos' (did you mean 'target_pos'?)"),
    ] {
        let (mut world, agents) = pack(&format!(
            "blackboard {{ agent = {{ target_pos = \"vec3\", alive = \"bool\", ticks = {{ \"integer\", default = 0 }} }} }}\n\
             return bt.tree(\"wolf\", bt.selector {{\n  bt.action {{ tick = function(self)\n    \
             self.board.target_pos = vec3(1, 2, 3)\n    if self.key == 3 then {write} end\n    \
             self.board.ticks = self.board.ticks + 1\n    return \"success\"\n  end }},\n  bt.succeed {{}},\n}})\n"
        ));
        // Too few faults for it to be muted.
        for _ in 0..7 {
            world.tick(DT);
        }
        let problems: Vec<_> = world.all_problems().iter().map(|problem| problem.error.to_string()).collect();
        assert_eq!(problems, [format!("wolf.lua:5: {said} (at selector/1.action)")]);
        for (key, agent) in agents.iter().enumerate() {
            assert_eq!(
                world.value(BoardOf::Agent(*agent), "target_pos"),
                Ok(Value::Vec3(vec3(1.0, 2.0, 3.0)))
            );
            let ticks = if key == 3 { 0 } else { 7 };
            assert_eq!(world.value(BoardOf::Agent(*agent), "ticks"), Ok(Value::Integer(ticks)));
        }
    }
}

/// The search is omniscient (S2), from Lua: no call and no key gives the place of a hidden player.
#[test]
fn s2_a_hidden_player_cannot_be_read_from_lua() {
    let (mut world, agents) = pack(
        "blackboard { agent = { seen = \"vec3\", sees = \"bool\" } }\n\
         return bt.tree(\"wolf\", bt.action { tick = function(self)\n  \
         self.board.sees = self.target ~= nil and self.target.in_view\n  \
         if self.target then self.board.seen = self.target.position end\n  return \"running\"\nend })\n",
    );
    let actor = world.add_actor(ActorDesc { faction: "hero".into(), ..ActorDesc::at(vec3(-10.0, 0.0, 0.0)) });
    world.tick(DT);
    let known = world.value(BoardOf::Agent(agents[0]), "seen");
    assert_eq!(known, Ok(Value::Vec3(vec3(-10.0, 0.0, 0.0))), "the nearest one in view is the target");
    for tick in 0..200 {
        world.set_actor(actor, vec3(500.0 + tick as f32, 0.0, 0.0), Vec3::ZERO);
        world.tick(DT);
    }
    let seen = world.value(BoardOf::Agent(agents[0]), "seen").expect("a key");
    let Value::Vec3(seen) = seen else { panic!("a place") };
    assert!(seen.x < 1.0, "the last-known place, or that of the one still in view: {seen}");
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}

/// What agents draw from `math.random` is theirs: the same in every run, another for another seed.
#[test]
fn dice_of_scripts_repeat() {
    let script = "blackboard { agent = { luck = \"number\" } }\n\
        return bt.tree(\"wolf\", bt.action { tick = function(self) self.board.luck = math.random() return \"running\" end })\n";
    let draw = || {
        let (mut world, agents) = pack(script);
        world.tick(DT);
        agents
            .iter()
            .map(|agent| world.value(BoardOf::Agent(*agent), "luck").expect("a key"))
            .collect::<Vec<_>>()
    };
    let first = draw();
    assert_eq!(first, draw());
    assert_ne!(first[0], first[1], "each agent has its own");
}
