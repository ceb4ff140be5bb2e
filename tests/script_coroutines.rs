//! Leaves that are told as coroutines: what waits for how long, what steers meanwhile, and every way to leave.
#![cfg(feature = "lua")]

use warband::{ActorDesc, AgentDesc, AgentId, BoardOf, Config, Spec, SquadDesc, Vec3, World, vec3};

const KEYS: &str = "blackboard { agent = { scent = 'vec3', ready = { 'bool', default = false }, n = { 'integer', default = 0 } } }\n";

/// A world with one agent at the origin whose tree is the script's.
fn stage(text: &str) -> (World, AgentId) {
    let mut world = World::new(Config { seed: 4, ..Config::default() });
    world.reload("leaf.lua", &format!("{KEYS}{text}")).unwrap_or_else(|error| panic!("{error}"));
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
    let agent = AgentDesc { tree: "leaf".into(), ..AgentDesc::at(Vec3::ZERO) };
    let agent = world.spawn(squad, agent).expect("new");
    (world, agent)
}

/// The same with a coroutine of this body, which says how it is left.
fn tale(body: &str) -> (World, AgentId) {
    stage(&format!(
        "return bt.coroutine {{ run = function(self)\n{body}\nend, exit = function(self, reason) print('exit ' .. reason) end }}"
    ))
}

fn said(world: &World) -> Vec<String> {
    world.said().iter().map(|(_, line)| line.clone()).collect()
}

/// What is said in so many ticks of 0.1 s, each line with the number of its tick.
fn lines(world: &mut World, ticks: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for tick in 1..=ticks {
        world.tick(0.1);
        lines.extend(said(world).into_iter().map(|line| format!("{tick}: {line}")));
    }
    lines
}

#[track_caller]
fn tells(body: &str, ticks: usize, expected: &[&str]) {
    let (mut world, _) = tale(body);
    assert_eq!(lines(&mut world, ticks), expected, "{body}");
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}

/// The only problem of the first tick, which also ends the leaf.
#[track_caller]
fn fault(body: &str) -> String {
    let (mut world, _) = tale(body);
    world.tick(0.1);
    let problems = world.problems().iter().map(|problem| problem.error.to_string()).collect::<Vec<_>>();
    assert_eq!((said(&world), problems.len()), (vec!["exit failure".to_owned()], 1), "{body}: {problems:?}");
    problems[0].clone()
}

#[test]
fn a_story_goes_on_over_the_ticks() {
    tells(
        "self:say('one') wait(0.3) self:say('two') wait() self:say('three') coroutine.yield('x') self:say('four')",
        6,
        &["1: one", "4: two", "5: three", "6: four", "6: exit success"],
    );
    tells("wait(0) self:say 'next' return 'failure'", 2, &["2: next", "2: exit failure"]);
    for (answer, reason) in
        [("", "success"), ("'success'", "success"), ("true", "success"), ("false", "failure")]
    {
        tells(&format!("do return {answer} end"), 1, &[&format!("1: exit {reason}")]);
    }
}

#[test]
fn times_do_not_drift_with_the_tick() {
    // Deadlines are points in time: 0.25 s is over in the tick that reaches it.
    tells(
        "for i = 1, 4 do wait(0.25) print(i) end",
        13,
        &["4: 1", "7: 2", "10: 3", "13: 4", "13: exit success"],
    );
    let (mut world, _) = tale("wait(3600) print 'an hour'");
    world.tick(1.0);
    (0..3599).for_each(|_| world.tick(1.0));
    assert!(said(&world).is_empty());
    world.tick(1.0);
    assert_eq!(said(&world), ["an hour", "exit success"]);
}

#[test]
fn wait_until_answers_whether_it_came_true() {
    tells(
        "local n = 0 print(wait_until(function() n = n + 1 return n >= 3 end, 9)) print(n)",
        3,
        &["3: true", "3: 3", "3: exit success"],
    );
    tells("print(wait_until(function() return self.target end, 0.25))", 4, &["4: false", "4: exit success"]);
    tells("print(wait_until(function() return true end))", 1, &["1: true", "1: exit success"]);
    tells("print(wait_until(function() return false end, 0))", 2, &["2: false", "2: exit success"]);
    // A test that waits itself: the time of the one around it goes on.
    tells(
        "print(wait_until(function() wait(0.15) return false end, 0.5))",
        6,
        &["6: false", "6: exit success"],
    );
}

fn rules(world: &World, agent: AgentId) -> Vec<&'static str> {
    world.rule_vectors(agent).iter().map(|rule| rule.name).collect()
}

#[test]
fn steering_with_an_end_lasts_until_then() {
    let (mut world, _) = tale(
        "self.board.scent = vec3(2, 0, 0) print(self:seek(self.board.scent)) print(self:arrive 'home') print(self:pursue())",
    );
    let mut heard = Vec::new();
    for _ in 0..100 {
        world.tick(0.1);
        heard.extend(said(&world));
    }
    assert_eq!(heard[..4], ["success", "success", "failure", "exit success"]);
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}

#[test]
fn steering_without_an_end_is_held_through_the_next_wait() {
    let (mut world, agent) = tale(
        "print(self:wander(), self:separation({ weight = 0.5 })) wait(0.3) wait(0.2) self:face(vec3(0, 0, 5)) self:seek(vec3(0, 0, 0.9)) wait(0.2)",
    );
    let mut seen = Vec::new();
    for _ in 0..6 {
        world.tick(0.1);
        seen.push(rules(&world, agent));
    }
    let both = vec!["wander", "separation"];
    assert_eq!(seen, [both.clone(), both.clone(), both, vec![], vec![], vec!["face", "seek"]]);
    while rules(&world, agent) == ["face", "seek"] {
        world.tick(0.1);
    }
    assert_eq!(rules(&world, agent), [""; 0], "both are over with the walk");
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}

#[test]
fn who_wanders_finds_a_way_of_its_own() {
    let (mut world, agent) = tale("self:wander(nil, { speed = 2 }) wait(math.huge)");
    let mut headings = Vec::new();
    for _ in 0..50 {
        world.tick(0.1);
        headings.push(world.output(agent).expect("it lives").velocity);
    }
    headings.dedup();
    assert!(headings.len() > 40, "it turns all the time");
    assert!(world.position(agent).expect("it lives").length() > 1.0);
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}

#[test]
fn coroutines_of_its_own_work_as_ever_and_may_wait() {
    tells(
        "local each = coroutine.wrap(function() for i = 1, 2 do coroutine.yield(i) end return 'end' end) print(each(), each(), each())",
        1,
        &["1: 1 2 end", "1: exit success"],
    );
    tells(
        "local inner = coroutine.create(function(a) wait(0.2) local b = coroutine.yield(a + 1) wait() return b * 2 end)
         print(coroutine.resume(inner, 1)) print(coroutine.resume(inner, 5)) print(coroutine.status(inner))",
        4,
        &["3: true 2", "4: true 10", "4: dead", "4: exit success"],
    );
    tells(
        "print(pcall(function() wait(0.1) error('oops', 0) end)) local co = coroutine.wrap(function() self:seek(vec3(0.1, 0, 0)) wait() error('inside', 0) end) print(pcall(co))",
        3,
        &["2: false oops", "3: false inside", "3: exit success"],
    );
}

const NIL_PLUS_ONE: &str = if cfg!(feature = "luau") {
    "attempt to perform arithmetic (add) on nil and number"
} else {
    "attempt to perform arithmetic on a nil value"
};

#[test]
fn faults_have_their_line_and_end_the_leaf_once() {
    for (body, sentence) in [
        ("local x = nil + 1", NIL_PLUS_ONE),
        ("error 'oops'", "oops"),
        ("return self.positoin", "an agent has no 'positoin' (did you mean 'position'?)"),
        ("wait(-1)", "wait takes seconds, 0 or more, got -1"),
        ("wait(0/0)", "wait takes seconds, 0 or more, got NaN"),
        ("wait 'long'", "wait takes seconds, got \"long\""),
        (
            "wait_until(5)",
            "wait_until takes a function, got 5 (wait_until(function() return … end, seconds))",
        ),
        ("wait_until(function() return false end, {})", "wait_until takes seconds, got a table"),
        ("wiat(5)", "unknown global 'wiat' (did you mean 'wait'?)"),
        (
            "table.sort({ 1, 2 }, function() wait(1) end)",
            "a coroutine cannot wait here (not within a comparator, an iterator or a metamethod)",
        ),
        ("while true do end", "used up its 200000 instructions (an endless loop?)"),
        ("while true do pcall(error) end", "used up its 200000 instructions (an endless loop?)"),
        (
            "for i = 1, 9 do self:face() self:separation() end",
            "more than 8 steering rules without a wait between (a loop that never waits? call wait() in it)",
        ),
        (
            "self:seek(5)",
            "a point is needed, got 5 (a vec3, a target, a body, or \"target\", \"place\", \"home\", \"squad\", \"leader\")",
        ),
    ] {
        assert_eq!(fault(body), format!("leaf.lua:3: {sentence} (at coroutine)"), "{body}");
    }
    for (body, sentence) in [
        (
            "return 'running'",
            "the coroutine returned \"running\" (it runs for as long as it waits: wait(0.5))",
        ),
        ("return 'sucess'", "the coroutine returned \"sucess\" (did you mean 'success'?)"),
        (
            "return 5",
            "the coroutine returned 5 (return \"success\" or \"failure\", or nothing, which is success)",
        ),
        (
            "coroutine.close(coroutine.running())",
            if cfg!(feature = "luau") {
                "cannot close running coroutine"
            } else {
                "cannot close a running coroutine"
            },
        ),
        (
            "local s = table.create(1e7, 1)",
            if cfg!(feature = "luau") {
                "needs more than the 64 MiB of memory of its VM"
            } else {
                "used up its 200000 instructions (an endless loop?)"
            },
        ),
    ] {
        let found = fault(body);
        assert!(found.ends_with(&format!(": {sentence} (at coroutine)")), "{body}: {found}");
        assert!(found.starts_with("leaf.lua:"), "{body}: {found}");
    }
}

#[test]
fn a_fault_after_a_wait_has_line_and_traceback() {
    let (mut world, _) = tale("local function inner()\nwait(0.1)\nerror('late')\nend\ninner()");
    world.tick(0.1);
    world.tick(0.1);
    let problem = &world.problems()[0];
    assert_eq!(problem.error.to_string(), "leaf.lua:5: late (at coroutine)");
    let trace = problem.error.trace().unwrap_or_default();
    assert!(
        trace.contains("leaf.lua:5") && trace.contains("leaf.lua:7") && !trace.contains("warband"),
        "{trace}"
    );
    assert_eq!(said(&world), ["exit failure"]);
}

#[test]
fn outside_a_coroutine_there_is_no_waiting() {
    for (leaf, path, word) in [
        ("bt.action { tick = function(self)\nwait(1) end }", "action", "wait"),
        ("bt.action { tick = function(self)\nwait_until(print) end }", "action", "wait_until"),
        ("bt.condition { test = function(self)\nwait(1) end }", "condition", "wait"),
        (
            "bt.action { tick = function(self)\nlocal co = coroutine.wrap(function() wait(1) end) co() end }",
            "action",
            "wait",
        ),
        (
            "bt.coroutine { enter = function(self)\nwait(1) end, run = function() wait(9) end }",
            "coroutine",
            "wait",
        ),
    ] {
        let (mut world, _) = stage(&format!("return {leaf}"));
        world.tick(0.1);
        assert_eq!(
            world.problems()[0].error.to_string(),
            format!(
                "leaf.lua:3: {word} works only in a coroutine (bt.coroutine {{ run = function(self) … wait(0.5) … end }}) (at {path})"
            ),
        );
    }
    let mut world = World::new(Config::default());
    let fault = world.reload("leaf.lua", "wait(1)").expect_err("a file does not wait");
    assert!(fault.to_string().starts_with("leaf.lua:1: wait works only in a coroutine"), "{fault}");
}

#[test]
fn after_a_runaway_an_action_of_the_same_vm_steers_as_ever() {
    let (mut world, agent) = stage(
        "return bt.selector { bt.coroutine { run = function(self) while true do end end }, bt.action { tick = function(self) return self:seek(vec3(9, 0, 0)) end } }",
    );
    world.tick(0.1);
    assert_eq!(world.all_problems().len(), 1);
    assert_eq!(rules(&world, agent), ["seek"]);
    assert_eq!(world.running(agent), Some("selector/2.action"));
}

/// A way in which a leaf is left.
type Way = fn(&mut World, AgentId);

#[test]
fn it_is_closed_once_however_it_is_left() {
    let endless = "print 'begin' self:face() wait(9) print 'never'";
    let ways: [(&str, Way); 5] = [
        ("halted", |world, agent| world.halt(agent)),
        ("removed", |world, agent| world.remove(agent)),
        ("given another tree", |world, agent| {
            world.add_tree("other", &Spec::new("wait").set("seconds", 1.0)).expect("right");
            world.set_tree(agent, "other").expect("a tree");
        }),
        ("replaced", |world, _| {
            world.add_tree("leaf", &Spec::new("wait").set("seconds", 1.0)).expect("right");
        }),
        ("reloaded", |world, _| {
            let text =
                format!("{KEYS}return bt.coroutine {{ run = function(self) print 'new' wait(9) end }}");
            world.reload("leaf.lua", &text).expect("right");
        }),
    ];
    for (how, leave) in ways {
        let (mut world, agent) = tale(endless);
        world.tick(0.1);
        assert_eq!(said(&world), ["begin"]);
        leave(&mut world, agent);
        let after = lines(&mut world, 20);
        let exits = after.iter().filter(|line| line.ends_with("exit aborted")).count();
        assert_eq!(exits, 1, "{how}: {after:?}");
        assert!(!after.iter().any(|line| line.ends_with("never")), "{how}: {after:?}");
        assert!(world.all_problems().is_empty(), "{how}: {:?}", world.all_problems());
    }
}

#[test]
fn a_guard_that_closes_ends_it() {
    let (mut world, agent) = stage(
        "return bt.selector { bt.guard { when = bt.has_value { key = 'ready' },
            bt.coroutine { run = function(self) print 'go' wait(0.5) print 'done' end, exit = function(_, why) print(why) end } }, bt.wait { seconds = 9 } }",
    );
    world.set_value(BoardOf::Agent(agent), "ready", true).expect("right");
    assert_eq!(lines(&mut world, 2), ["1: go"]);
    world.set_value(BoardOf::Agent(agent), "ready", warband::Value::Nothing).expect("right");
    assert_eq!(lines(&mut world, 9), ["1: aborted"]);
    world.set_value(BoardOf::Agent(agent), "ready", true).expect("right");
    assert_eq!(lines(&mut world, 7), ["1: go", "6: done", "6: success", "7: go"], "it begins anew");
}

#[test]
fn a_story_that_is_unchanged_goes_on_over_a_reload() {
    let text = |before: &str| {
        format!(
            "{KEYS}return bt.sequence {{ bt.sequence {{ {before} }}, bt.coroutine {{ run = function(self)\nfor i = 1, 9 do print(i) self.memory.i = i wait(0.2) end end }} }}"
        )
    };
    let (mut world, _) = stage(&text("bt.succeed {}"));
    assert_eq!(lines(&mut world, 4), ["1: 1", "3: 2"]);
    // Nodes before it are added: its number in the tree is another one then.
    world.reload("leaf.lua", &text("bt.succeed {}, bt.succeed {}, bt.succeed {}")).expect("right");
    assert_eq!(lines(&mut world, 4), ["1: 3", "3: 4"]);
    world.reload("leaf.lua", &text("bt.succeed {}").replace("print(i)", "print(-i)")).expect("right");
    assert_eq!(lines(&mut world, 1), ["1: -1"], "one that was edited begins anew");
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}

#[test]
fn two_agents_and_two_stories_of_one_agent_do_not_mix() {
    let text = "local function count(word) return bt.coroutine { run = function(self) for i = 1, 2 do print(word .. self.key .. i) wait(0.2) end end } end
        return bt.parallel { count 'a', count 'b' }";
    let (mut world, _) = stage(text);
    let squad = world.squads().next().expect("one");
    world.spawn(squad, AgentDesc { tree: "leaf".into(), ..AgentDesc::at(vec3(5.0, 0.0, 0.0)) }).expect("new");
    let heard = lines(&mut world, 3);
    assert_eq!(heard, ["1: a01", "1: b01", "1: a11", "1: b11", "3: a02", "3: b02", "3: a12", "3: b12"]);
}

#[test]
fn threads_of_the_dead_do_not_stay() {
    let (mut world, first) = tale("local bulk = table.create(50, self.key) wait(1000) print(#bulk)");
    let squad = world.squads().next().expect("one");
    let mut settled = 0;
    for round in 0..10_000 {
        let desc = AgentDesc { tree: "leaf".into(), ..AgentDesc::at(vec3(9.0, 0.0, 0.0)) };
        let agent = world.spawn(squad, desc).expect("there is room");
        world.tick(0.01);
        world.remove(agent);
        if round == 1000 {
            settled = world.script_memory();
        }
    }
    (0..50).for_each(|_| world.tick(0.01));
    let now = world.script_memory();
    // The collector of LuaJIT goes in smaller steps: where in its round it stands is felt more.
    let swing = if warband::script::FLAVOUR == "luajit" { settled / 10 } else { settled / 20 };
    assert!(now <= settled + swing, "{settled} bytes became {now}");
    assert!(world.exists(first) && world.all_problems().is_empty());
}

#[test]
fn a_story_that_only_waits_calls_no_lua() {
    let (mut world, _) = tale("print 'begin' wait(1) print 'end'");
    world.tick(0.1);
    world.tick(0.1);
    let mut asleep = 0;
    for _ in 0..8 {
        world.tick(0.1);
        asleep += world.asleep();
        assert_eq!(said(&world), [""; 0]);
    }
    assert_eq!(asleep, 8);
    world.tick(0.1);
    assert_eq!(said(&world), ["end", "exit success"]);
}

#[test]
fn without_its_thread_it_begins_anew_with_its_memory() {
    let text = "return bt.coroutine { run = function(self)
        self.memory.begun = (self.memory.begun or 0) + 1
        print('begun ' .. self.memory.begun)
        wait(5)
        print 'over' end }";
    let (mut world, _) = stage(text);
    world.tick(0.1);
    world.tick(0.1);
    world.tick(0.1);
    assert_eq!(world.asleep(), 1);
    world.forget_threads();
    world.tick(0.1);
    assert_eq!(said(&world), ["begun 2"], "at once, though it slept");
    let later = lines(&mut world, 50);
    assert_eq!(later, ["50: over"]);
    assert!(world.all_problems().is_empty());
}

/// The player that some stories look for comes into view.
#[test]
fn a_story_waits_for_what_it_perceives() {
    let (mut world, _) = tale("print(wait_until(function() return self.perceives_target end, 3))");
    world.tick(0.1);
    world.add_actor(ActorDesc::at(vec3(5.0, 0.0, 0.0)));
    let heard = lines(&mut world, 5);
    assert_eq!(heard[0].split(": ").nth(1), Some("true"));
}

#[test]
fn names_of_others_are_pointed_to_ours() {
    let mut world = World::new(Config::default());
    let fault = world.reload("leaf.lua", "return bt.coroutine { run = print, on_exit = print }");
    assert!(fault.is_err());
    let text = "return bt.coroutine { run = function() end, on_exit = function() end }";
    let fault = world.reload("leaf.lua", text).expect_err("no such parameter");
    assert_eq!(
        fault.to_string(),
        "leaf.lua:1: unknown parameter 'on_exit' (did you mean 'exit'?) (at coroutine)"
    );
}
