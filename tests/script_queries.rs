//! Queries from Lua: expressions made once, asked in leaves, answered in Rust over all points at once.
#![cfg(feature = "lua")]

use warband::space::{Wall, Walls};
use warband::{ActorDesc, AgentDesc, AgentId, BoardOf, Config, SquadDesc, Value, Vec3, World, vec3};

const DT: f64 = 1.0 / 60.0;

/// A wolf at (-8, 0) and a mate at (-8, 2), in view of the player at (0, 0); a wall stands to the north.
fn yard(script: &str) -> Result<(World, AgentId), warband::error::Error> {
    let mut world = World::new(Config::default());
    world.set_walls(Walls::new(vec![
        Wall::segment(vec3(-9.0, 0.0, 5.0), vec3(9.0, 0.0, 5.0)).expect("a wall"),
    ]));
    let keys = "blackboard { agent = { spot = \"vec3\", spots = \"list\", n = \"number\" } }\n";
    world.reload("wolf.lua", &format!("{keys}{script}"))?;
    world.add_actor(ActorDesc { faction: "hero".into(), ..ActorDesc::at(Vec3::ZERO) });
    let squad = SquadDesc { name: "wolves".into(), faction: "wolves".into(), ..SquadDesc::default() };
    let squad = world.add_squad(squad).expect("new");
    let mut wolf = |z: f32| {
        let facing = vec3(1.0, 0.0, 0.0);
        let place = AgentDesc::at(vec3(-8.0, 0.0, z));
        world.spawn(squad, AgentDesc { tree: "wolf".into(), facing, ..place }).expect("new")
    };
    let (agent, _) = (wolf(0.0), wolf(2.0));
    Ok((world, agent))
}

/// A script that makes `query` at its top and does `leaf` in each tick.
fn script(query: &str, leaf: &str) -> String {
    format!(
        "local q = {query}\nreturn bt.tree(\"wolf\", bt.action {{ tick = function(self)\n  {leaf}\n  \
         return \"running\"\nend }})\n"
    )
}

fn value(world: &World, agent: AgentId, key: &str) -> Value {
    world.value(BoardOf::Agent(agent), key).expect("a key of the script")
}

/// What the leaf left in `spot` after three ticks.
fn spot(query: &str, leaf: &str) -> Option<Vec3> {
    let (mut world, agent) = yard(&script(query, leaf)).expect("right");
    (0..3).for_each(|_| world.tick(DT));
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
    match value(&world, agent, "spot") {
        Value::Vec3(spot) => Some(spot),
        Value::Nothing => None,
        other => panic!("{other:?}"),
    }
}

const BEST: &str = "self.board.spot = q:best()";

#[test]
fn the_expression_of_the_books() {
    let query = "query.ring(\"target\", 6, 12):walkable():visible_from(\"target\"):away_from(\"squad\", 2)";
    let spot = spot(query, BEST).expect("there is room");
    assert!(spot.z < 5.0 && (5.9..=12.1).contains(&spot.length()), "{spot}");
    assert!(spot.distance(vec3(-8.0, 0.0, 2.0)) >= 2.0, "{spot}");
}

#[test]
fn places_are_words_vectors_and_handles() {
    for place in ["\"self\"", "self", "self.position"] {
        let leaf = format!("self.board.spot = query.ring({place}, 3):near(vec3(0, 0, 0)):best()");
        let spot = spot("1", &leaf).expect("free ground");
        assert!((spot.distance(vec3(-8.0, 0.0, 0.0)) - 3.0).abs() < 0.05 && spot.x > -5.3, "{place}: {spot}");
    }
    for place in ["\"target\"", "self.target", "self.target.entity", "self.target.position"] {
        let leaf =
            format!("if self.target then self.board.spot = query.ring({place}, 3):near(\"self\"):best() end");
        let spot = spot("1", &leaf).expect("free ground");
        assert!((spot.length() - 3.0).abs() < 0.05 && spot.x < -2.7, "{place}: {spot}");
    }
    let home = spot("query.grid(\"home\", 2, 2):far(\"home\")", BEST).expect("free ground");
    assert!((home.distance(vec3(-8.0, 0.0, 0.0)) - 8.0_f32.sqrt()).abs() < 0.01, "{home}");
}

#[test]
fn all_of_them_and_how_many() {
    let query = "query.points { vec3(1, 0, 0), vec3(2, 0, 0), vec3(3, 0, 0) }:within(vec3(0, 0, 0), 2.5):far(vec3(0, 0, 0))";
    let leaf = "self.board.spots = q:all() self.board.n = q:count() self.board.spot = q:all(1)[1]";
    let (mut world, agent) = yard(&script(query, leaf)).expect("right");
    world.tick(DT);
    assert_eq!(
        value(&world, agent, "spots"),
        Value::List(vec![vec3(2.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0)].into())
    );
    assert_eq!(value(&world, agent, "n"), Value::Number(2.0));
    assert_eq!(value(&world, agent, "spot"), Value::Vec3(vec3(2.0, 0.0, 0.0)));
}

#[test]
fn a_function_of_the_script_ranks_all_points_in_one_call() {
    let query = "query.grid(vec3(0, 0, 0), 3, 1):near(vec3(3, 0, 0), 0.1):rank(function(points)\n\
                 calls = 0 end)";
    assert!(yard(&script(query, BEST)).is_ok(), "it is called when it is asked");
    let query = "query.grid(vec3(0, 0, 0), 3, 1):near(vec3(3, 0, 0), 0.1):rank(function(points)\n  \
                 local ranks = {}\n  for at = 1, #points do ranks[at] = -math.abs(points[at].x + 1) end\n  \
                 return ranks\nend)";
    let spot = spot(query, BEST).expect("points");
    assert_eq!(spot, vec3(-1.0, 0.0, 0.0));
}

#[test]
fn round_a_place_that_is_not_known_nothing_is_found() {
    let leaf = "if q:best() == nil then self.board.spot = vec3(7, 7, 7) end";
    let query = "query.ring(\"place\", 6, 12)";
    let (mut world, agent) = yard(&script(query, leaf)).expect("right");
    world.tick(DT);
    assert_eq!(
        value(&world, agent, "spot"),
        Value::Vec3(vec3(7.0, 7.0, 7.0)),
        "it is known in the next tick"
    );
}

/// The first problem of a leaf.
fn fault(query: &str, leaf: &str) -> String {
    let (mut world, _) = yard(&script(query, leaf)).expect("it loads");
    (0..3).for_each(|_| world.tick(DT));
    world.all_problems().first().map(|problem| problem.error.to_string()).unwrap_or_default()
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    for (query, text) in [
        ("query.ring(\"taget\", 6, 12)", "wolf.lua:2: \"taget\" is no place (did you mean 'target'?)"),
        ("query.ring(\"target\", 12, 6)", "wolf.lua:2: 'outer' must be 12 to 100000 m, got 6"),
        ("query.ring(\"target\", \"far\")", "wolf.lua:2: 'inner' is a number, got \"far\""),
        ("query.ring(\"target\", 6, 12, 5000)", "wolf.lua:2: 5000 points, and a query lays out 4096 at most"),
        ("query.ring(\"target\", 6, 12, 1.5)", "wolf.lua:2: 'points' is a whole number from 1 up, got 1.5"),
        (
            "query.ring(\"target\", 6, 12):walkabel()",
            "wolf.lua:2: a query has no 'walkabel' (did you mean 'walkable'?)",
        ),
        ("query.points { 1 }", "wolf.lua:2: query.points takes vec3s, and number 1 is 1"),
        (
            "query.ring(\"target\", 6):best()",
            "wolf.lua:2: a query is asked in a function of a leaf (make it at the top of the file, and call best() in the leaf)",
        ),
    ] {
        let fault = yard(&script(query, BEST)).map(drop).expect_err(query);
        assert_eq!(fault.to_string(), text);
    }
}

#[test]
fn a_rank_that_is_no_number_or_errs_is_a_fault_and_the_next_query_is_answered() {
    for (rank, text) in [
        ("function(points) return 1 end", "the rank function returned"),
        ("function(points) return {} end", "the rank of point 1 of 4 is nothing"),
        ("function(points) return { 1, 2, 3, 0/0 } end", "the rank of point 4 of 4 is"),
        ("function(points) error(\"no\") end", "no"),
        ("function(points) while true do end end", "used up its"),
        ("function(points) return q2:all() end", "the rank of point 1 of 4 is"),
    ] {
        let query = format!(
            "query.points {{ vec3(1, 0, 0), vec3(2, 0, 0), vec3(3, 0, 0), vec3(4, 0, 0) }}\nlocal q2 = q\nlocal bad = q:rank({rank})"
        );
        let leaf = "if self.key == 0 then bad:best() end self.board.spot = q:best()";
        let (mut world, agent) = yard(&script(&query, leaf)).expect("it loads");
        (0..3).for_each(|_| world.tick(DT));
        let problems = world.all_problems();
        assert!(
            problems.iter().any(|problem| problem.error.to_string().contains(text)),
            "{rank}: {problems:?}"
        );
        assert!(problems.iter().all(|problem| problem.error.place().is_some()), "{problems:?}");
        let mate = world.outputs().find(|out| out.key == 1).expect("the mate").agent;
        assert_eq!(value(&world, mate, "spot"), Value::Vec3(vec3(1.0, 0.0, 0.0)), "{rank}");
        assert_eq!(value(&world, agent, "spot"), Value::Nothing);
    }
}

#[test]
fn a_rank_that_asks_another_query_or_errs_in_a_pcall_disturbs_nobody() {
    let points = "query.points { vec3(1, 0, 0), vec3(2, 0, 0), vec3(3, 0, 0), vec3(4, 0, 0) }";
    let nested = "function(points) local one = q2:best() local r = {} for i = 1, #points do r[i] = one.x * i end return r end";
    let query = format!("{points}\nlocal q2 = q\nlocal outer = q:rank({nested}, 10)");
    assert_eq!(spot(&query, "self.board.spot = outer:best()"), Some(vec3(4.0, 0.0, 0.0)));
    let query = format!("{points}\nlocal bad = q:rank(function() error(\"no\") end)");
    let leaf =
        "local ok = pcall(function() return bad:best() end) if not ok then self.board.spot = q:best() end";
    assert_eq!(spot(&query, leaf), Some(vec3(1.0, 0.0, 0.0)));
    for weight in ["0/0", "math.huge", "-1"] {
        let query = format!("{points}:rank(function(points) return {{}} end, {weight})");
        assert!(
            yard(&script(&query, BEST))
                .map(drop)
                .expect_err(weight)
                .to_string()
                .contains("'weight' must be 0 to 1000")
        );
    }
}

#[test]
fn a_rank_that_waits_is_a_fault_and_nobody_gets_the_points_of_another() {
    let text = "local q = query.ring(\"self\", 1, 5, 8):rank(function(points) wait(0.1) return { 1, 2, 3, 4, 5, 6, 7, 8 } end)\n\
                local far = query.ring(vec3(100, 0, 100), 1, 5, 8)\n\
                return bt.tree(\"wolf\", bt.parallel { success = \"all\", failure = \"all\",\n\
                bt.coroutine { run = function(self) if self.key == 0 then self.board.spot = q:best() end end },\n\
                bt.action { tick = function(self) if self.key == 1 then far:best() end return \"running\" end } })";
    let (mut world, agent) = yard(text).expect("right");
    (0..20).for_each(|_| world.tick(DT));
    assert_eq!(value(&world, agent, "spot"), Value::Nothing);
    let told = world.all_problems()[0].error.to_string();
    assert!(told.contains("a rank function answers at once"), "{told}");
}

#[test]
fn asking_is_bounded_and_counted() {
    let query = "query.grid(\"self\", 31, 1):hidden_from(\"target\"):budget(1e9)";
    let leaf = "for i = 1, 1000 do q:count() end";
    let fault = fault(query, leaf);
    assert!(fault.contains("instructions"), "{fault}");
    let (mut world, agent) =
        yard(&script("query.grid(\"self\", 5, 1):budget(200)", "self.board.n = q:count()")).expect("right");
    world.tick(DT);
    assert_eq!(
        value(&world, agent, "n"),
        Value::Number(0.0),
        "121 points are laid out, and their ranks are too dear"
    );
}

#[test]
fn the_library_cannot_be_written_and_a_query_is_no_handle() {
    for text in ["query.ring = nil", "query = nil", "query.ring(\"self\", 1).walkable = 1"] {
        assert!(yard(&format!("{text}\n{}", script("1", ""))).map(drop).is_err(), "{text}");
    }
    assert_eq!(spot("query.ring(\"self\", 1)", "self.board.n = #tostring(q)"), None);
}
