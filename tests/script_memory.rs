//! `self.memory`: what a leaf keeps from its enter to its exit, where it lives, and what it refuses.
#![cfg(feature = "lua")]

use warband::{AgentDesc, AgentId, Config, SquadDesc, Vec3, World, vec3};

fn stage(text: &str) -> (World, AgentId) {
    let mut world = World::new(Config { seed: 4, ..Config::default() });
    world.reload("leaf.lua", text).unwrap_or_else(|error| panic!("{error}"));
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
    let agent = world.spawn(squad, AgentDesc { tree: "leaf".into(), ..AgentDesc::at(Vec3::ZERO) });
    (world, agent.expect("new"))
}

fn lines(world: &mut World, ticks: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for tick in 1..=ticks {
        world.tick(0.1);
        lines.extend(world.said().iter().map(|(_, line)| format!("{tick}: {line}")));
    }
    lines
}

fn quiet(world: &World) {
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}

#[test]
fn an_action_keeps_from_its_enter_to_its_exit() {
    let text = "return bt.action {
        enter = function(self) self.memory.count = 10 end,
        tick = function(self) self.memory.count = self.memory.count + 1
            return self.memory.count < 13 and 'running' or 'success' end,
        exit = function(self, reason) print(reason, self.memory.count, self.memory.other) end }";
    let (mut world, agent) = stage(text);
    assert_eq!(lines(&mut world, 6), ["3: success 13 nil", "6: success 13 nil"]);
    world.tick(0.1);
    world.halt(agent);
    assert_eq!(lines(&mut world, 1), ["1: aborted 11 nil"]);
    quiet(&world);
}

#[test]
fn each_agent_and_each_node_has_its_own() {
    let leaf = |by: u32| {
        format!(
            "bt.action {{ tick = function(self) local m = self.memory m.n = (m.n or 0) + {by} + self.key print(m.n) return 'running' end }}"
        )
    };
    let text = format!("return bt.parallel {{ {}, {} }}", leaf(1), leaf(10));
    let (mut world, _) = stage(&text);
    let squad = world.squads().next().expect("one");
    world.spawn(squad, AgentDesc { tree: "leaf".into(), ..AgentDesc::at(vec3(5.0, 0.0, 0.0)) }).expect("new");
    assert_eq!(lines(&mut world, 1), ["1: 1", "1: 10", "1: 2", "1: 11"]);
    assert_eq!(lines(&mut world, 1), ["1: 2", "1: 20", "1: 4", "1: 22"]);
    quiet(&world);
}

#[test]
fn a_service_keeps_while_its_branch_is_active() {
    let text = "return bt.service { interval = 0, run = function(self) local m = self.memory m.n = (m.n or 0) + 1 print(m.n) end, bt.wait { seconds = 0.25 } }";
    let (mut world, _) = stage(text);
    assert_eq!(lines(&mut world, 6), ["1: 1", "2: 2", "3: 3", "4: 4", "5: 1", "6: 2"]);
    quiet(&world);
}

#[test]
fn everything_plain_is_kept() {
    let text = "return bt.coroutine { run = function(self)
        local m = self.memory
        if not m.done then
            m.done = true
            m.text, m.number, m.far, m.place = 'ä', 0.1, -math.huge, vec3(1, 2, 3)
            m.who = self.target and self.target.entity
            m.list, m.nested, m[7], m[false] = { 1, { 2 }, 'x' }, { a = { b = { c = {} } } }, 'seven', 'no'
            wait(9)
        end
        print(m.text, m.number, m.far, m.place, m.list[2][1], #m.list, m.nested.a.b.c, m[7], m[false])
        wait(9)
    end }";
    let (mut world, _) = stage(text);
    world.tick(0.1);
    world.forget_threads();
    assert_eq!(lines(&mut world, 1), ["1: ä 0.1 -inf 1, 2, 3 2 3 table seven no"]);
    quiet(&world);
}

#[test]
fn a_table_in_a_variable_is_the_memory_of_the_whole_story() {
    let text = "return bt.coroutine { run = function(self)
        local m = self.memory
        if m.n then print('again', m.n, m.plan.step) end
        m.n, m.plan = 0, m.plan or { step = 0 }
        local plan = m.plan
        while true do m.n = m.n + 1 plan.step = plan.step + 1 wait() end
    end }";
    let (mut world, _) = stage(text);
    (0..5).for_each(|_| world.tick(0.1));
    world.forget_threads();
    assert_eq!(lines(&mut world, 1), ["1: again 5 5"]);
    quiet(&world);
}

#[test]
fn what_is_no_plain_data_is_refused_by_its_path_and_the_old_memory_stays() {
    for (put, sentence) in [
        ("m.plan = { next = print }", "memory.plan.next is a function, which is no plain data"),
        ("m.co = coroutine.create(print)", "memory.co is a thread, which is no plain data"),
        ("m.list = { 1, { print } }", "memory.list[2][1] is a function, which is no plain data"),
        ("m.who = self", "memory.who is a table with a metatable, which is no plain data"),
        ("m.x = setmetatable({}, {})", "memory.x is a table with a metatable, which is no plain data"),
        ("m.back = { m }", "memory.back[1] is a table that holds itself"),
        ("m.n = 0 / 0", "memory.n is not a number"),
        ("m.v = vec3(0 / 0, 0, 0)", "memory.v is not a number"),
        ("m.s = '\\255'", "memory.s is not UTF-8 text"),
        ("m[{}] = 1", "memory[a table] has a key that is no plain data"),
        (
            "local t = m for i = 1, 16 do t.d = {} t = t.d end",
            "memory.d.d.d.d.d.d.d.d.d.d.d.d.d.d.d.d is nested deeper than 16 tables",
        ),
        ("for i = 1, 257 do m[i] = i end", "memory has more than 256 values"),
        ("m.s = ('x'):rep(5000)", "memory is larger than 4096 bytes"),
    ] {
        let text = format!(
            "return bt.action {{ tick = function(self) local m = self.memory\nif m.good then {put} else m.good = 1 end\nreturn 'running' end,
            exit = function(self, why) print(why, self.memory.good, #self.memory) for k in pairs(self.memory) do print(k) end end }}"
        );
        let (mut world, _) = stage(&text);
        assert_eq!(lines(&mut world, 2), ["2: failure 1 0", "2: good"], "{put}");
        let problem = world.problems()[0].error.to_string();
        assert_eq!(
            problem,
            format!("leaf.lua:1: {sentence} (what was kept before stays) (at action)"),
            "{put}"
        );
    }
}

#[test]
fn after_a_fault_the_memory_is_as_before_the_call() {
    let text = "return bt.action { tick = function(self) if self.memory.n then self.memory.n = 2 error 'oops' end self.memory.n = 1 return 'running' end,
        exit = function(self) print(self.memory.n) end }";
    let (mut world, _) = stage(text);
    assert_eq!(lines(&mut world, 2), ["2: 1"]);
    assert_eq!(world.problems().len(), 1);
}

#[test]
fn a_condition_keeps_nothing() {
    let (mut world, _) =
        stage("return bt.condition { test = function(self) return self.memory.x == nil end }");
    world.tick(0.1);
    assert_eq!(
        world.problems()[0].error.to_string(),
        "leaf.lua:1: a condition keeps nothing (keep it in an action, a coroutine or a service) (at condition)"
    );
}

#[test]
fn it_is_part_of_the_digest() {
    let digest = |value: &str| {
        let (mut world, _) = stage(&format!(
            "return bt.action {{ tick = function(self) self.memory.x = {value} return 'running' end }}"
        ));
        world.tick(0.1);
        quiet(&world);
        world.digest()
    };
    let values = [
        "nil",
        "1",
        "2",
        "'1'",
        "true",
        "false",
        "{}",
        "{ 1 }",
        "{ { 1 } }",
        "{ a = 1 }",
        "vec3(1, 0, 0)",
        "-0.0",
        "0.0",
    ];
    let digests = values.map(digest);
    for (at, one) in digests.iter().enumerate() {
        assert_eq!(*one, digest(values[at]));
        assert!(!digests[..at].contains(one), "{} is another memory", values[at]);
    }
}

#[test]
fn it_is_carried_over_by_a_reload_with_unchanged_nodes() {
    let text = |before: &str, step: u32| {
        format!(
            "return bt.parallel {{ bt.sequence {{ {before}, bt.wait {{ seconds = 99 }} }},
            bt.action {{ id = 'count', tick = function(self)\nlocal m = self.memory m.n = (m.n or 0) + {step} print(m.n) return 'running' end }} }}"
        )
    };
    let (mut world, _) = stage(&text("bt.succeed {}", 1));
    assert_eq!(lines(&mut world, 2), ["1: 1", "2: 2"]);
    world.reload("leaf.lua", &text("bt.succeed {}", 1)).expect("right");
    assert_eq!(lines(&mut world, 1), ["1: 3"]);
    world.reload("leaf.lua", &text("bt.succeed {}", 5)).expect("right");
    assert_eq!(lines(&mut world, 1), ["1: 5"], "another function begins anew");
    quiet(&world);
}

#[test]
fn nothing_of_the_dead_stays() {
    let (mut world, _) = stage(
        "return bt.action { tick = function(self) self.memory.list = table.create(100, 'xxxxxx') return 'running' end }",
    );
    let squad = world.squads().next().expect("one");
    let mut settled = 0;
    for round in 0..4000 {
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
    assert!(now <= settled + settled / 10, "{settled} bytes became {now}");
    quiet(&world);
}
