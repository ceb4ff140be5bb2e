//! What stopped those who wrote their first scripts: each mistake is told where it stands, with what to do.
#![cfg(feature = "lua")]

use warband::{ActorDesc, AgentDesc, BoardOf, Config, SquadDesc, SquadId, Value, Vec3, World, vec3};

const KEYS: &str = "blackboard { agent = { goal = 'vec3' }, \
    squad = { calls = { 'integer', default = 0 }, load = { 'number', default = 0 }, spots = 'list' } }\n";

/// A squad of so many whose tree is the script's; its first line of text is the second of the file.
fn pack(members: usize, text: &str) -> (World, SquadId) {
    let mut world = World::new(Config { seed: 4, ..Config::default() });
    world.reload("leaf.lua", &format!("{KEYS}{text}")).unwrap_or_else(|error| panic!("{error}"));
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
    for at in 0..members {
        let place = vec3(0.0, 0.0, 3.0 * at as f32);
        let agent = AgentDesc { tree: "leaf".into(), facing: Vec3::X, ..AgentDesc::at(place) };
        world.spawn(squad, agent).expect("new");
    }
    (world, squad)
}

fn said(world: &World) -> Vec<String> {
    world.said().iter().map(|(_, line)| line.clone()).collect()
}

fn problems(world: &World) -> Vec<String> {
    world.all_problems().iter().map(|problem| problem.error.to_string()).collect()
}

/// The one problem of a leaf whose tick has this body.
#[track_caller]
fn fault(body: &str) -> String {
    let (mut world, _) = pack(1, &format!("return bt.action {{ tick = function(self)\n{body}\nend }}"));
    world.tick(0.1);
    let problems = problems(&world);
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems[0].clone()
}

/// What loading says.
#[track_caller]
fn refusal(text: &str) -> String {
    let mut world = World::new(Config::default());
    world.reload("leaf.lua", text).expect_err("a mistake").to_string()
}

#[test]
fn a_goal_that_is_not_set_is_not_the_enemy() {
    let (mut world, _) = pack(
        1,
        "return bt.action { tick = function(self)\nself:say(self:arrive(self.board.goal, { speed = 2 }))\nreturn 'running' end }",
    );
    world.add_actor(ActorDesc::at(vec3(8.0, 0.0, 0.0)));
    for _ in 0..40 {
        world.tick(0.1);
        assert_eq!(said(&world), ["failure"]);
    }
    assert!(world.outputs().all(|out| out.position == Vec3::ZERO), "it walked nowhere");
    assert_eq!(
        problems(&world),
        ["leaf.lua:3: arrive got nil: the key has no value? (ask before; or say \"target\" if you mean it)"]
    );
    assert_eq!(world.all_problems()[0].times, 40, "each call is told, in one problem");
}

#[test]
fn a_coroutine_goes_on_after_steering_to_nil() {
    let (mut world, _) = pack(
        1,
        "return bt.coroutine { run = function(self)\nself:say(self:seek(nil))\nself:say(tostring(self:distance(nil))) wait(9) end }",
    );
    world.add_actor(ActorDesc::at(vec3(8.0, 0.0, 0.0)));
    world.tick(0.1);
    assert_eq!(said(&world), ["failure", "nil"]);
    let told = problems(&world);
    assert!(told[0].starts_with("leaf.lua:3: seek got nil:"), "{told:?}");
    assert!(told[1].starts_with("leaf.lua:4: distance got nil:"), "{told:?}");
}

#[test]
fn what_is_left_out_is_still_the_target() {
    let (mut world, _) = pack(
        1,
        "return bt.action { tick = function(self) self:say(self.target and self:distance() == self:distance('target') and 'near' or 'none') return self:seek() end }",
    );
    world.add_actor(ActorDesc::at(vec3(8.0, 0.0, 0.0)));
    (0..20).for_each(|_| world.tick(0.1));
    assert_eq!(said(&world), ["near"]);
    assert!(world.outputs().all(|out| out.position.x > 1.0));
    assert_eq!(problems(&world), [""; 0]);
}

#[test]
fn counters_that_several_add_to_lose_nothing() {
    let (mut world, squad) = pack(
        3,
        "return bt.run_once { bt.action { tick = function(self)\nself:increment('calls') self:increment('load', 0.5) self:append('spots', self.position)\nreturn 'success' end } }",
    );
    world.tick(0.1);
    world.tick(0.1);
    let of = |name: &str| world.value(BoardOf::Squad(squad), name).expect("declared");
    assert_eq!(problems(&world), [""; 0]);
    assert_eq!(of("calls"), Value::Integer(3));
    assert_eq!(of("load"), Value::Number(1.5));
    let spots = [0.0, 3.0, 6.0].map(|z| vec3(0.0, 0.0, z));
    assert_eq!(of("spots"), Value::List(spots.to_vec().into()));
}

#[test]
fn what_cannot_be_added_is_told() {
    for (body, told) in [
        ("self:increment('cals')", "leaf.lua:3: unknown key 'cals' (did you mean 'calls'?)"),
        ("self:increment('calls', 0.5)", "leaf.lua:3: increment takes a whole number for 'calls', got 0.5"),
        (
            "self:increment('load', 'x')",
            "leaf.lua:3: increment takes a number, got \"x\" (self:increment(\"key\", 1))",
        ),
        ("self:increment('load', 1/0)", "leaf.lua:3: increment takes a finite number for 'load', got inf"),
        (
            "self:increment('goal')",
            "leaf.lua:3: increment takes a key of type number or integer, and 'goal' is vec3",
        ),
        (
            "self:append('calls', 'home')",
            "leaf.lua:3: append takes a key of type list, and 'calls' is integer",
        ),
        (
            "self:append('spots', self.board.goal)",
            "leaf.lua:3: append has no point for 'spots': there is no such place now (ask whether it is nil first)",
        ),
        (
            "self.increment('calls')",
            "leaf.lua:3: increment needs its agent (self:increment(…), with a colon)",
        ),
    ] {
        let said = fault(body);
        assert!(said.starts_with(told), "{body}: {said}");
    }
}

#[test]
fn a_loop_of_a_coroutine_that_never_waits_is_called_so() {
    let (mut world, _) = pack(
        1,
        "return bt.coroutine { run = function(self)\nwhile not self.target do self:face('home') end\nend }",
    );
    world.tick(0.1);
    let told = problems(&world);
    assert!(
        told[0].starts_with(
            "leaf.lua:3: more than 8 steering rules without a wait between (a loop that never waits? call wait() in it)"
        ),
        "{told:?}"
    );
    let nine = fault("for i = 1, 9 do self:face('home') end return 'running'");
    assert!(nine.starts_with("leaf.lua:3: more than 8 steering rules at once"), "{nine}");
}

#[test]
fn a_failed_load_leaves_no_root_behind() {
    let mut world = World::new(Config::default());
    world.load("nothere/x.lua").expect_err("no such file");
    assert_eq!(world.refused_files().count(), 0);
    let error = world.reload("m.lua", "local lib = require 'lib' return bt.succeed {}").expect_err("no lib");
    assert!(error.to_string().starts_with("m.lua:1: there is no file 'lib.lua'"), "{error}");
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/encircle.lua");
    world.load(shipped).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn one_tree_name_from_two_files_is_refused() {
    let mut world = World::new(Config::default());
    let tree = |node: &str| format!("\nreturn bt.tree('wolf', {node})");
    world.reload("a.lua", &tree("bt.succeed {}")).expect("the first");
    let error = world.reload("b.lua", &tree("bt.fail {}")).expect_err("the second").to_string();
    let hint = "(give one of them another name: bt.tree(\"name\", …))";
    assert_eq!(error, format!("b.lua:2: tree 'wolf' is also in a.lua:2 {hint}"));
    world.reload("a.lua", &tree("bt.wait { seconds = 1 }")).expect("its own name is free");
}

#[test]
fn a_tree_can_move_from_file_to_file() {
    for (from, to) in [("a.lua", "b.lua"), ("b.lua", "a.lua")] {
        let mut world = World::new(Config::default());
        let text = |names: &[&str]| {
            let trees: Vec<_> =
                names.iter().map(|name| format!("bt.tree('{name}', bt.succeed {{}})")).collect();
            format!("return {{ {} }}", trees.join(", "))
        };
        world.reload(from, &text(&["stays", "moves"])).expect("legal");
        world.reload(to, &text(&["other"])).expect("legal");
        let change = |path: &str, names: &[&str]| warband::reload::Change {
            path: path.into(),
            text: Some(text(names)),
        };
        let changes = [change(to, &["other", "moves"]), change(from, &["stays"])];
        world.reload_all(&changes).unwrap_or_else(|error| panic!("{from} to {to}: {error}"));
        assert_eq!(world.refused_files().count(), 0);
    }
}

#[test]
fn a_module_that_two_scripts_return_is_one_tree() {
    let mut world = World::new(Config::default());
    world.reload("wolf.lua", "return bt.tree('wolf', bt.succeed {})").expect("legal");
    for file in ["a.lua", "b.lua"] {
        let text = format!("return {{ require 'wolf', bt.tree('{file}', bt.succeed {{}}) }}");
        world.reload(file, &text).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn a_key_that_the_game_writes_needs_no_default() {
    let text = |told: &str| {
        format!(
            "blackboard {{ agent = {{ spot = {{ 'vec3'{told} }} }} }}\nreturn bt.arrive {{ to = bt.key 'spot' }}"
        )
    };
    for (told, count) in [("", 1), (", external = true", 0), (", external = false", 1)] {
        let mut world = World::new(Config::default());
        world.reload("leaf.lua", &text(told)).expect("legal");
        assert_eq!(problems(&world).len(), count, "{told}: {:?}", problems(&world));
    }
    assert_eq!(
        refusal(&text(", external = 1")),
        "leaf.lua:1: 'external' of key 'spot' is true or false, got 1 (true, if the game reads or writes it)"
    );
    assert!(refusal(&text(", externl = true")).contains("did you mean 'external'?"));
}

#[test]
fn a_place_is_looked_for_around_oneself() {
    let node = |more: &str| {
        format!(
            "return bt.sequence {{ bt.find_place {{ into = 'goal', inner = 2, outer = 5, {more} }}, bt.arrive {{ to = bt.key 'goal' }} }}"
        )
    };
    for more in [
        "around = 'self'",
        "around = 'home', near = 'self'",
        "around = 'self', far = 'self', visible_from = 'self'",
    ] {
        let (mut world, _) = pack(1, &node(more));
        world.tick(0.1);
        assert_eq!(problems(&world), [""; 0], "{more}");
        let id = world.outputs().next().expect("one").agent;
        assert!(matches!(world.value(BoardOf::Agent(id), "goal"), Ok(Value::Vec3(_))), "{more}");
    }
    let told = refusal(&format!("{KEYS}{}", node("around = 'me'")));
    assert!(told.contains("'me' is no place for 'around' (\"self\", \"target\""), "{told}");
}

#[test]
fn typical_faults_say_what_to_do() {
    for (body, told) in [
        (
            "return self.target.distance < 3 and 'success' or 'running'",
            "(self.target is nil while nobody is known: ask for it first)",
        ),
        (
            "local prey = self.target\nself:say(prey.age) return 'running'",
            "(self.target is nil while nobody is known: ask for it first)",
        ),
        ("return math.flor(3)", "(math has no 'flor': did you mean 'floor'?)"),
        (
            "hits = (hits or 0) + 1",
            "unknown global 'hits' (what lasts goes to self.memory.hits or self.board.hits; else declare it with local)",
        ),
        ("return nobody()", "unknown global 'nobody' (at action)"),
    ] {
        let said = fault(body);
        assert!(said.contains(told), "{body}: {said}");
    }
    let (mut world, _) = pack(
        1,
        "local leaf = bt.action { tick = function(self)\nreturn near(self) end }\nlocal function near() return 'success' end\nreturn leaf",
    );
    world.tick(0.1);
    let told = &problems(&world)[0];
    assert!(
        told.starts_with("leaf.lua:3: unknown global 'near' (it is declared in line 4: declare it above)"),
        "{told}"
    );
}

#[test]
fn a_field_of_something_else_is_not_the_target() {
    let told = fault("local t = {} self:say(t.walk.speed) return self.target and 'running' or 'failure'");
    assert!(!told.contains("self.target"), "{told}");
}

#[test]
fn a_line_that_is_far_too_long_is_cut() {
    let (mut world, _) = pack(
        1,
        "return bt.action { tick = function(self)\nself:say(('ä'):rep(60000)) return 'success'\nend }",
    );
    world.tick(0.1);
    let lines = said(&world);
    assert_eq!(lines, ["ä".repeat(500) + "…"]);
}
