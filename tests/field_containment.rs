//! Field reports L4, L6, L7 and D1: what a script does wrong again and again, holds, keeps and draws.
#![cfg(feature = "lua")]

use std::collections::BTreeSet;
use warband::{
    ActorDesc, AgentDesc, AgentId, BoardOf, Config, ErrorKind, Snapshot, SquadDesc, Value, Vec3, World, vec3,
};

const DT: f64 = 1.0 / 60.0;

fn squad(world: &mut World, name: &str, tree: &str, count: u32) -> Vec<AgentId> {
    let squad = world.add_squad(SquadDesc { name: name.into(), ..SquadDesc::default() }).expect("new");
    let spawn = |at: u32| {
        let place = vec3(-20.0 - (at / 10) as f32 * 2.0, 0.0, (at % 10) as f32 * 2.0 - 9.0);
        world.spawn(squad, AgentDesc { tree: tree.into(), ..AgentDesc::at(place) }).expect("new")
    };
    (0..count).map(spawn).collect()
}

fn number(world: &World, agent: AgentId, key: &str) -> f64 {
    match world.value(BoardOf::Agent(agent), key) {
        Ok(Value::Number(number)) => number,
        other => panic!("{key}: {other:?}"),
    }
}

fn faults(world: &World) -> Vec<String> {
    let ran = world.all_problems().iter().filter(|problem| problem.error.kind() != ErrorKind::Warning);
    ran.map(|problem| problem.error.to_string()).collect()
}

/// **L6 Error spam.** A leaf that errs each tick, 100 agents, 600 ticks. Pass: at most 10 log lines, the count of 60,000
/// can be read, and a tick does not take twice what it takes without an error: here, Lua is never entered more often.
#[test]
fn l6_a_leaf_that_errs_each_tick_is_left_alone() {
    let run = |step: &str| {
        let mut world = World::new(Config::default());
        let text = format!(
            "return bt.tree('wolf', bt.selector {{ bt.action {{ tick = function(self)\n{step}\nend }}, bt.fail {{}} }})"
        );
        world.reload("wolf.lua", &text).expect("right");
        squad(&mut world, "pack", "wolf", 100);
        let (mut lines, mut calls) = (0, Vec::new());
        for _ in 0..600 {
            world.tick(DT);
            lines += world
                .problems()
                .iter()
                .filter(|one| one.error.place().is_some_and(|at| at.line == 2))
                .count();
            calls.push(world.script_work().calls);
        }
        (world, lines, calls)
    };
    let (world, lines, calls) = run("error('again')");
    let (good, none, good_calls) = run("return 'failure'");
    assert_eq!(none, 0);
    assert_eq!(lines, 2, "{:?}", world.all_problems());
    assert!(calls.iter().zip(&good_calls).all(|(bad, good)| bad <= good));
    assert_eq!(good_calls.iter().sum::<u64>(), 60_000);
    // Eight at once, then after 1, 2 and 4 s.
    assert_eq!(calls.iter().sum::<u64>(), 1_100);
    let again = world.all_problems().iter().find(|one| one.error.message() == "again").expect("a problem");
    let skipped = world.muted().map(|muted| muted.skipped).sum::<u64>();
    assert_eq!((again.times, again.times + skipped), (1_100, 60_000));
    assert!(
        again.error.trace().is_some_and(|trace| trace.contains("wolf.lua:2")),
        "{:?}",
        again.error.trace()
    );
    assert!(world.muted().all(|muted| muted.path == "selector/1.action" && muted.faults == 11));
    assert!(good.muted().next().is_none());
    let told = "wolf.lua:2: muted after 8 faults in a row (called again after 1 s, then 2 s, 4 s, up to 30 s; at once when \
                it is reloaded) (at selector/1.action)";
    assert!(
        world.all_problems().iter().any(|one| one.error.to_string() == told),
        "{:?}",
        world.all_problems()
    );
}

/// What is muted is so after a restore too, call by call.
#[test]
fn what_is_muted_is_saved() {
    let text = "blackboard { agent = { calls = { 'number', default = 0 } } }\n\
        return bt.tree('wolf', bt.selector { bt.guard { when = bt.condition { test = function(self) return self.nosuch end }, bt.succeed {} },\n\
        bt.action { tick = function(self) self.board.calls = self.board.calls + 1 return self.key < 2 and 'failure' or nil end,\n\
        exit = function() error 'exit' end }, bt.direct_chase {} })";
    let new = || {
        let mut world = World::new(Config::default());
        world.reload("wolf.lua", text).expect("right");
        world
    };
    let mut world = new();
    squad(&mut world, "pack", "wolf", 4);
    world.add_actor(ActorDesc::at(Vec3::ZERO));
    let mut saved = Vec::new();
    let mut digests = Vec::new();
    for tick in 0..300 {
        if [0, 3, 7, 8, 40, 67, 68, 69, 130, 200].contains(&tick) {
            saved.push((tick, world.snapshot().to_bytes().expect("bytes")));
        }
        world.tick(DT);
        digests.push(world.digest());
    }
    assert!(world.muted().count() >= 4 * 2, "{:?}", world.muted().collect::<Vec<_>>());
    for (tick, bytes) in saved {
        let mut restored = new();
        restored.restore(&Snapshot::from_bytes(&bytes).expect("whole")).expect("the same scripts");
        let run = (tick..300).map(|_| {
            restored.tick(DT);
            restored.digest()
        });
        assert_eq!(run.collect::<Vec<_>>(), digests[tick..], "from tick {tick}");
    }
}

/// One that comes right again is called again when its pause is over; one that is mended, in the next tick.
#[test]
fn what_is_muted_comes_back() {
    let text = |step: &str| {
        format!(
            "blackboard {{ agent = {{ calls = {{ 'number', default = 0 }} }} }}\n\
             return bt.tree('wolf', bt.action {{ tick = function(self) {step} self.board.calls = self.board.calls + 1 return 'running' end }})"
        )
    };
    let mut world = World::new(Config::default());
    world.reload("wolf.lua", &text("if self.time < 0.5 then error 'early' end")).expect("right");
    let agent = squad(&mut world, "pack", "wolf", 1)[0];
    (0..60).for_each(|_| world.tick(DT));
    assert_eq!(number(&world, agent, "calls"), 0.0, "its pause is not over");
    (0..10).for_each(|_| world.tick(DT));
    assert_eq!(number(&world, agent, "calls"), 3.0, "from 1 s after its eighth fault on");
    assert!(world.muted().next().is_none());

    world.reload("wolf.lua", &text("error 'always'")).expect("it loads");
    world.tick(DT);
    (0..9).for_each(|_| world.tick(DT));
    world.reload("wolf.lua", &text("")).expect("right");
    let before = number(&world, agent, "calls");
    world.tick(DT);
    assert_eq!(number(&world, agent, "calls"), before + 1.0);
}

/// A version whose leaf is muted is not one to go back to, though it has not erred for a while.
#[test]
fn what_is_muted_is_not_good() {
    let text = |step: &str| {
        format!("return bt.tree('wolf', bt.action {{ tick = function(self) {step} return 'running' end }})")
    };
    let mut world = World::new(Config::default());
    world.reload("wolf.lua", &text("error 'first'")).expect("it loads");
    squad(&mut world, "pack", "wolf", 1);
    // Faults at 8 ticks, then after 1, 2 and 4 s: the last one is 100 ticks old.
    (0..540).for_each(|_| world.tick(DT));
    world.reload("wolf.lua", &text("error 'second'")).expect("it loads");
    for _ in 0..5 {
        world.tick(DT);
        assert!(world.events().iter().all(|event| event.kind.name() != "rollback"));
    }
}

/// Whoever finds the instructions of a tick used up by others is not muted for it.
#[test]
fn who_is_crowded_out_is_not_muted() {
    let mut world = World::new(Config::default());
    let text = "blackboard { agent = { calls = { 'number', default = 0 } } }\n\
        return bt.tree('wolf', bt.action { tick = function(self) if self.key < 22 then while true do end end \
        for i = 1, 100 do end self.board.calls = self.board.calls + 1 return 'failure' end })";
    world.reload("wolf.lua", text).expect("right");
    let agents = squad(&mut world, "pack", "wolf", 25);
    (0..40).for_each(|_| world.tick(DT));
    assert!(world.all_problems().iter().any(|one| one.error.kind() == ErrorKind::TickBudget));
    let muted = world.muted().map(|muted| muted.agent).collect::<BTreeSet<_>>();
    assert_eq!(muted, agents[..22].iter().copied().collect());
    assert!(agents[22..].iter().all(|agent| number(&world, *agent, "calls") > 20.0));
}

/// Scripts that fill the memory, each in its way; `grow` runs once a tick for one agent, and `top` once in its file.
const HOARDERS: &[(&str, &str)] = &[
    ("local held = {}", "held[#held + 1] = ('x'):rep(65536) .. #held"),
    ("local held = {}", "for i = 1, 700 do held[#held + 1] = { i } end"),
    ("local held = {}", "for i = 1, 30 do held[#held + 1] = ('x'):rep(65536) .. #held end"),
    ("local held = {}", "while true do held[#held + 1] = {} end"),
    (
        "local held = {}",
        "pcall(function() while true do held[#held + 1] = ('x'):rep(65536) .. #held end end)",
    ),
    (
        "local held = {}",
        "held[#held + 1] = coroutine.create(function() local t = table.create(4000, 1) coroutine.yield(t) end) coroutine.resume(held[#held])",
    ),
];

/// **L4 Memory bomb**, held in variables of a file and grown over ticks: whoever holds it loses its variables, is named,
/// and is run anew; a script beside it never faults and misses no tick.
#[test]
fn l4_a_script_that_hoards_starves_nobody() {
    for (top, grow) in HOARDERS {
        for story in [false, true] {
            hoard(top, grow, story);
        }
    }
}

fn hoard(top: &str, grow: &str, story: bool) {
    let leaf = if story {
        format!(
            "bt.coroutine {{ run = function(self) {top}\nwhile true do starts = 1\n{grow}\nwait() end end }}"
        )
        .replace("starts = 1", "")
    } else {
        format!("bt.action {{ tick = function(self)\n{grow}\nreturn 'running' end }}")
    };
    let bad = format!("{top}\nreturn bt.tree('bad', {leaf})");
    let good = "blackboard { agent = { pulse = { 'number', default = 0 } } }\nlocal count = 0\n\
        return bt.tree('good', bt.action { tick = function(self) local t = {} for i = 1, 40 do t[i] = ('y'):rep(5000) .. i end \
        self.board.pulse = self.board.pulse + #t / 40 return 'running' end })";
    let mut world = World::new(Config { script_memory: 8 << 20, ..Config::default() });
    world.reload("bad.lua", &bad).expect("right");
    world.reload("good.lua", good).expect("right");
    squad(&mut world, "bad", "bad", 2);
    let agents = squad(&mut world, "good", "good", 3);
    for tick in 1..=600 {
        world.tick(DT);
        for agent in &agents {
            assert_eq!(
                number(&world, *agent, "pulse"),
                f64::from(tick),
                "{grow} {story}: {:?}",
                faults(&world)
            );
        }
    }
    let told = faults(&world);
    assert!(told.iter().all(|line| line.starts_with("bad.lua")), "{told:?}");
    let dropped =
        told.iter().any(|line| line.starts_with("bad.lua: held ") && line.contains("they were dropped"));
    // What a coroutine holds goes with it when it is stopped.
    let stopped = story && grow.contains("while true");
    assert!(dropped || stopped, "{grow} {story}: {told:?}");
    assert!(told.len() <= 10, "{told:?}");
}

/// A script that was dropped runs anew with its first variables, and its trees run on.
#[test]
fn a_hoarder_is_run_anew() {
    let mut world = World::new(Config { script_memory: 8 << 20, ..Config::default() });
    let text = "blackboard { agent = { held = { 'number', default = 0 }, steps = { 'number', default = 0 } } }\nlocal held = {}\n\
        return bt.tree('bad', bt.parallel { success = 'all', bt.wait { seconds = 100 }, bt.force_failure { bt.action { tick = function(self)\n\
        held[#held + 1] = ('x'):rep(65536) .. #held self.board.held = #held self.board.steps = self.board.steps + 1 return 'failure' end } } })";
    world.reload("bad.lua", text).expect("right");
    let agent = squad(&mut world, "bad", "bad", 1)[0];
    let (mut restarts, mut last) = (Vec::new(), 0.0);
    for tick in 0..1500 {
        world.tick(DT);
        let held = number(&world, agent, "held");
        if held < last {
            restarts.push(tick);
        }
        last = held;
    }
    assert_eq!(restarts.len(), 4, "{restarts:?} {:?}", faults(&world));
    let gaps = restarts.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>();
    assert!(gaps.is_sorted(), "each pause is longer: {gaps:?}");
    assert!(world.events().iter().all(|event| event.kind.name() != "reload"));
    let generations = world.script_memory();
    assert!(generations < 8 << 20);
}

/// **L7 Lua keeps a handle to something that is gone.** A script stores handles of an agent and of the player; both are
/// removed; ten ticks later another squad's leaf uses 20 methods of each.
#[test]
fn l7_handles_of_the_dead_are_clean_errors() {
    let text = r#"
blackboard { agent = { ok = "number", errors = "number", alive = "bool", who = "entity", x = "number" } }
local agent, body
local of_agent = {
    function(a) return a.position end, function(a) return a.velocity end, function(a) return a.facing end,
    function(a) return a.home end, function(a) return a.radius end, function(a) return a.max_speed end,
    function(a) return a.key end, function(a) return a.rank end, function(a) return a.squad end,
    function(a) return a.squad_centre end, function(a) return a.mates end, function(a) return a.time end,
    function(a) return a.arrived end, function(a) return a.mode end, function(a) return a.target end,
    function(a) return a.board.x end, function(a) a.board.x = 1 end, function(a) a.memory.x = 1 end,
    function(a) return a:distance(vec3(0, 0, 0)) end, function(a) return a:seek(vec3(0, 0, 0)) end,
    function(a) a:say "boo" end, function(a) a:command "boo" end, function(a) a:set_mode "boo" end,
}
local of_body = {
    function(b) return b.position end, function(b) return b.x end, function(b) return b:seek() end,
    function(b) b.x = 1 end, function(b) return b() end, function(b) return #b end, function(b) return b < b end,
    function(b) return b + 1 end, function(b) return b.board.x end, function(b) return b.target end,
    function(b, self) return self:distance(b) end, function(b, self) return self:seek(b) end,
    function(b, self) return self:arrive(b) end, function(b, self) return self:pursue(b) end,
    function(b, self) return self:flee(b) end, function(b, self) return self:evade(b) end,
    function(b, self) return self:face(b) end, function(b, self) self.board.x = b end,
    function(b, self) self.board.who = b return self.board.who end, function(b, self) return self:distance(agent) end,
}
return {
    one = bt.action { tick = function(self)
        agent = self
        if self.target then body = self.target.entity end
        return "running"
    end },
    two = bt.action { tick = function(self)
        if self.time < 0.5 then return "running" end
        local ok, errors = 0, 0
        for at, list in { of_agent, of_body } do
            for number, use in list do
                local good, answer = pcall(use, at == 1 and agent or body, self)
                if not good then
                    errors += 1
                    self:say(tostring(answer))
                elseif answer == nil or answer == "failure" then
                    ok += 1
                else
                    self:say(`{at} {number} answers {answer}`)
                end
            end
        end
        self.board.ok, self.board.errors, self.board.alive = ok, errors, agent:alive()
        return "success"
    end },
}"#;
    let mut world = World::new(Config::default());
    world.reload("two.lua", text).expect("right");
    let one = squad(&mut world, "one", "one", 1)[0];
    let hero = world.add_actor(ActorDesc::at(Vec3::ZERO));
    let two = squad(&mut world, "two", "two", 1)[0];
    (0..20).for_each(|_| world.tick(DT));
    world.remove(one);
    world.remove(hero);
    let mut said = Vec::new();
    for _ in 0..15 {
        world.tick(DT);
        said.extend(world.said().iter().map(|(_, line)| line.clone()));
    }
    assert_eq!(faults(&world), [""; 0]);
    assert_eq!(world.value(BoardOf::Agent(two), "alive"), Ok(Value::Bool(false)));
    let (ok, errors) = (number(&world, two, "ok"), number(&world, two, "errors"));
    assert_eq!(ok + errors, 43.0, "{said:#?}");
    let gone = said.iter().filter(|line| line.ends_with("is gone")).count();
    println!("{ok} {errors} {gone} {said:#?}");
    assert!(gone >= 22, "{said:#?}");
    assert!(said.iter().all(|line| line.starts_with("two.lua:")), "{said:#?}");
}

/// A leaf that chooses the first of names in a table, and draws.
const ORDER: &str = r#"
blackboard { squad = { chosen = "string" }, agent = { luck = "number" } }
local names = {}
for _, name in { "wolf", "bear", "fox", "lynx", "boar", "stoat", "hare", "owl" } do names[name] = #name end
return bt.tree("pack", bt.action { tick = function(self)
    local seen, first = {}, nil
    for name in pairs(names) do
        first = first or name
        seen[name .. self.key] = vec3(#name, 0, self.key)
    end
    local luck = math.random()
    for name, place in pairs(seen) do
        luck = luck * 0.5 + #name * math.random(10)
        self:seek(place, { speed = 1 + luck % 3 })
        break
    end
    local mixed = { [true] = 1, [1.5] = 2, [vec3(1, 2, 3)] = 3, x = 4, [10] = 5 }
    for key, value in pairs(mixed) do luck = luck * 0.9 + value end
    self.board.luck = luck
    self.board.chosen = first .. tostring({}) .. tostring(print)
    return "running"
end })"#;

fn order() -> u64 {
    let mut world = World::new(Config { seed: 11, ..Config::default() });
    world.reload("order.lua", ORDER).expect("right");
    squad(&mut world, "pack", "pack", 6);
    (0..600).for_each(|_| world.tick(DT));
    assert_eq!(faults(&world), [""; 0]);
    world.digest()
}

/// **D1 Lua table order makes runs differ.** A script that takes the first of a table and draws, in 5 processes and twice
/// in this one. Pass: the same digest after 600 ticks.
#[test]
fn d1_order_and_dice_are_the_same_in_every_process() {
    let first = order();
    if std::env::var_os("WARBAND_D1").is_some() {
        println!("digest {first}");
        return;
    }
    assert_eq!(first, order(), "twice in one process");
    let exe = std::env::current_exe().expect("this test");
    for _ in 0..5 {
        let run = std::process::Command::new(&exe)
            .args(["--exact", "d1_order_and_dice_are_the_same_in_every_process", "--nocapture"])
            .env("WARBAND_D1", "1")
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        assert!(said.contains(&format!("digest {first}")), "{said}");
    }
}
