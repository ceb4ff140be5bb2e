//! "Why did it do that?": history and explanations. Field report V1.

mod common;

use common::{Hunt, square_walk};
use warband::tree::MOST_RECORDS;
use warband::{
    AgentDesc, AgentId, BoardOf, Config, EventKind, KeyDecl, Scope, Spec, SquadDesc, ValueType, Vec3, World,
    vec3,
};

const DT: f64 = 1.0 / 60.0;

/// 'Why did it do that?' cannot be answered afterwards.
#[test]
fn v1_every_change_of_mode_has_one_record_with_its_reason() {
    let mut hunt = Hunt::new(1, 8, vec3(-30.0, 0.0, 0.0));
    let agents: Vec<_> = hunt.world.members(hunt.pack).collect();
    agents.iter().for_each(|agent| hunt.world.set_history(*agent, MOST_RECORDS));
    let mut changes = vec![0; 8];
    for tick in 1..=1800 {
        let time = f64::from(tick) * DT;
        let (place, velocity) =
            if time < 14.0 { square_walk(time) } else { (vec3(400.0, 0.0, 0.0), Vec3::ZERO) };
        hunt.tick(place, velocity, DT);
        for event in hunt.world.events() {
            if let EventKind::Mode { from, to } = &event.kind {
                let agent = event.agent.expect("an agent");
                changes[hunt.world.output(agent).expect("there").key as usize] += 1;
                let last = hunt.world.history(agent).pop().expect("a record");
                assert_eq!(last.what, format!("'{from}' → '{to}'"));
                assert!((last.seconds - time).abs() < 1e-6);
                let because = match (&**from, &**to) {
                    ("", _) | (_, "wide" | "narrow" | "direct") => "",
                    (_, "search") => "the target is not in view",
                    (_, "patrol") => "there is no target",
                    other => panic!("{other:?}"),
                };
                assert!(last.reason.because.starts_with(because), "{from} → {to}: {}", last.reason.because);
                assert!(from.is_empty() || !last.reason.because.is_empty(), "{from} → {to} says why");
            }
        }
    }
    for (agent, changes) in agents.iter().zip(changes) {
        let history = hunt.world.history(*agent);
        assert!(history.len() <= MOST_RECORDS);
        assert_eq!(history.iter().filter(|moment| moment.what.contains('→')).count(), changes);
    }
    // "Why did agent 3 leave the chase?" in one call.
    let left = hunt
        .world
        .why(agents[3])
        .expect("there")
        .before
        .into_iter()
        .rfind(|moment| moment.what.ends_with("'search'"));
    let left = left.expect("it searched");
    assert_eq!(left.reason.because, "the target is not in view");
    assert_eq!(left.reason.path, "reactive_selector/1.guard/when.sees_target");
}

#[test]
fn why_names_what_is_refused_and_what_refuses_it() {
    let mut world = World::new(Config::default());
    world.declare(KeyDecl::new("alarm", Scope::Squad, ValueType::Bool).default(false)).expect("legal");
    world.declare(KeyDecl::new("health", Scope::Agent, ValueType::Number).default(80.0)).expect("legal");
    let guard = |when: Spec, child: &str| Spec::new("guard").when(when).with(Spec::new(child));
    let tree = Spec::new("reactive_selector")
        .with(guard(Spec::new("compare").set("key", "health").set("is", "<").set("to", 30.0), "flee"))
        .with(guard(Spec::new("has_value").set("key", "alarm"), "search"))
        .with(guard(Spec::new("in_range").set("of", vec3(0.0, 0.0, 0.0)).set("below", 5.0), "wander"))
        .with(Spec::new("mode").set("name", "idle").with(Spec::new("wait").set("seconds", 100.0)));
    world.add_tree("tree", &tree).expect("right");
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
    let desc = AgentDesc { tree: "tree".into(), ..AgentDesc::at(vec3(12.0, 0.0, 0.0)) };
    let agent = world.spawn(squad, desc).expect("new");
    world.tick(DT);
    let why = world.why(agent).expect("there");
    assert_eq!(&*why.mode, "idle");
    assert_eq!(why.running, ["reactive_selector/4.mode/1.wait"]);
    let refused: Vec<_> =
        why.refused.iter().map(|reason| (reason.path.as_str(), reason.because.as_str())).collect();
    assert_eq!(
        refused,
        [
            ("reactive_selector/1.guard", "key 'health' is 80.00 (limit 30.00)"),
            ("reactive_selector/2.guard", "key 'alarm' is false"),
            ("reactive_selector/3.guard", "it is 12.00 m off (limit 5.00)"),
        ]
    );
    assert_eq!(
        why.to_string(),
        "mode 'idle', running reactive_selector/4.mode/1.wait (100.00 s more)\n  \
         not reactive_selector/1.guard: key 'health' is 80.00 (limit 30.00)\n  \
         not reactive_selector/2.guard: key 'alarm' is false\n  \
         not reactive_selector/3.guard: it is 12.00 m off (limit 5.00)\n"
    );
    world.set_history(agent, 8);
    world.set_value(BoardOf::Agent(agent), "health", 10.0).expect("right");
    world.tick(DT);
    let last = world.history(agent);
    assert!(
        last.iter().any(|moment| moment.what == "aborted (a branch of higher priority)"
            && moment.path == "reactive_selector/4.mode/1.wait"
            && moment.reason.because == "key 'health' is 10.00 (limit 30.00)"),
        "{last:#?}"
    );
}

#[test]
fn history_is_bounded_and_changes_no_result() {
    let (mut with, mut without) =
        (Hunt::new(2, 8, vec3(-30.0, 0.0, 0.0)), Hunt::new(2, 8, vec3(-30.0, 0.0, 0.0)));
    let agents: Vec<_> = with.world.members(with.pack).collect();
    agents.iter().for_each(|agent| with.world.set_history(*agent, 5));
    for tick in 1..1500 {
        let (place, velocity) = square_walk(f64::from(tick) * DT);
        with.tick(place, velocity, DT);
        without.tick(place, velocity, DT);
        assert_eq!(with.world.digest(), without.world.digest());
        assert!(with.world.history(agents[0]).len() <= 5);
    }
    assert_eq!(with.world.history(agents[0]).len(), 5);
    let own = without.world.members(without.pack).next().expect("a member");
    assert!(without.world.history(own).is_empty());
}

/// A world with one agent that runs this tree, its happenings noted.
fn noted(tree: &Spec) -> (World, AgentId) {
    let mut world = World::new(Config::default());
    world.declare(KeyDecl::new("goal", Scope::Agent, ValueType::Vec3)).expect("legal");
    world.add_tree("tree", tree).expect("right");
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
    let desc = AgentDesc { tree: "tree".into(), ..AgentDesc::at(vec3(0.0, 0.0, 0.0)) };
    let agent = world.spawn(squad, desc).expect("new");
    world.set_history(agent, 64);
    (world, agent)
}

/// The last end of a node: what is said of it, and which node decided.
fn end_of(world: &World, agent: AgentId, node: &str) -> (String, String, String) {
    let ends = world.history(agent).into_iter().filter(|moment| moment.what.starts_with("ended"));
    let end = ends.filter(|moment| moment.path.ends_with(node)).last().expect("it ended");
    (end.what, end.reason.because, end.reason.path)
}

/// "ended with success …/3.wait: the target is in view": the answer of a node that was asked before.
#[test]
fn the_end_of_a_leaf_never_carries_the_answer_of_a_node_asked_before() {
    let asks = Spec::new("has_value").set("key", "goal");
    let command = |name: &str| Spec::new("command").set("name", name).set("answer", true);
    let steps = Spec::new("sequence")
        .with(Spec::new("invert").with(asks.clone()))
        .with(Spec::new("wait").set("seconds", 0.5))
        .with(command("open").set("seconds", 9.0))
        .with(Spec::new("force_success").with(command("shut").set("seconds", 0.25)))
        .with(Spec::new("log").set("text", "in"))
        .with(Spec::new("seek").set("to", vec3(3.0, 0.0, 0.0)).set("stop", 1.5))
        .with(Spec::new("force_success").with(Spec::new("direct_chase")));
    // Asked in each tick, last before the leaf is ticked.
    let guard = Spec::new("guard").when(Spec::new("invert").with(asks)).with(steps);
    let (mut world, agent) = noted(&guard);
    let mut open = None;
    for tick in 0..600 {
        world.tick(DT);
        open = world.commands().iter().find(|command| &*command.name == "open").map(|one| one.id).or(open);
        if tick == 100 {
            world.answer(open.expect("asked by then"), true);
        }
        if world.history(agent).iter().any(|moment| moment.path.contains("direct_chase")) {
            break;
        }
    }
    let path = "guard/1.sequence/";
    let told = |node: &str| {
        let (what, because, by) = end_of(&world, agent, node);
        assert_eq!(by, format!("{path}{node}"), "{node} decides its own end");
        format!("{}: {because}", what.trim_start_matches("ended with "))
    };
    assert_eq!(told("2.wait"), "success: its time was up at 0.52 s");
    assert_eq!(told("3.command"), "success: the game answers that it was done");
    assert!(told("4.force_success/1.command").starts_with("failure: its time was up at "));
    assert_eq!(told("5.log"), "success: ");
    assert!(told("6.seek").starts_with("success: it is 1.4"), "{}", told("6.seek"));
    assert!(told("6.seek").ends_with("m off (limit 1.50)"));
    assert_eq!(told("7.force_success/1.direct_chase"), "failure: there is no target");
}

/// "running command" after ten seconds without an answer, and "running arrive" when stuck.
#[test]
fn what_runs_says_what_it_waits_for_and_since_when() {
    let waits = [
        (
            Spec::new("command").set("name", "open").set("answer", true),
            "for the answer to 'open', since 0.02 s",
        ),
        (Spec::new("wait_for").set("key", "goal"), "for a value of key 'goal', since 0.02 s"),
        (
            Spec::new("wait_for").set("message", "help").set("seconds", 20.0),
            "for message 'help', 10.00 s more at most, since 0.02 s",
        ),
        (Spec::new("wait").set("seconds", 12.0), "2.00 s more, since 0.02 s"),
        (Spec::new("delay").set("seconds", 12.0).with(Spec::new("patrol")), "2.00 s more"),
        (Spec::new("wander"), ""),
    ];
    for (tree, waiting) in waits {
        let (mut world, agent) = noted(&tree);
        (0..601).for_each(|_| world.tick(DT));
        assert_eq!(world.why(agent).expect("there").waiting, [waiting], "{tree:?}");
    }
    let (mut world, agent) = noted(&Spec::new("arrive").set("to", vec3(500.0, 0.0, 0.0)));
    (0..2).for_each(|_| world.tick(DT));
    let waiting = &world.why(agent).expect("there").waiting[0];
    assert!(waiting.starts_with("it is ") && waiting.ends_with(" m/s, since 0.02 s"), "{waiting}");
}

/// A record was named by what stands at its number in the tree that the agent has now.
#[test]
fn records_keep_their_paths_when_the_tree_is_another() {
    let (mut world, agent) = noted(&Spec::new("sequence").with(Spec::new("wait").set("seconds", 1.0)));
    world.tick(DT);
    world.add_tree("other", &Spec::new("mode").set("name", "m").with(Spec::new("patrol"))).expect("right");
    world.set_tree(agent, "other").expect("there");
    world.tick(DT);
    world
        .add_tree("other", &Spec::new("selector").with(Spec::new("fail")).with(Spec::new("wander")))
        .expect("right");
    world.tick(DT);
    let began: Vec<_> = world
        .history(agent)
        .into_iter()
        .filter(|moment| moment.what == "began")
        .map(|moment| moment.path)
        .collect();
    assert_eq!(began, ["sequence/1.wait", "mode/1.patrol", "selector/2.wander"]);
    let aborted =
        world.history(agent).into_iter().find(|moment| moment.what.starts_with("aborted")).expect("one");
    assert_eq!(
        (aborted.path.as_str(), aborted.what.as_str()),
        ("sequence/1.wait", "aborted (its tree was replaced)")
    );
}

/// The name that the old tree gave to what it did stayed for as long as the new one gave none.
#[test]
fn the_mode_goes_with_its_tree() {
    let (mut world, agent) = noted(&Spec::new("mode").set("name", "hunt").with(Spec::new("wander")));
    world.add_tree("plain", &Spec::new("wander")).expect("right");
    world.tick(DT);
    assert_eq!(world.output(agent).expect("there").mode, "hunt");
    world.set_tree(agent, "plain").expect("there");
    assert_eq!(world.output(agent).expect("there").mode, "");
    world.tick(DT);
    assert_eq!(world.output(agent).expect("there").mode, "");
    let told = world.events().iter().any(
        |event| matches!(&event.kind, EventKind::Mode { from, to } if &**from == "hunt" && to.is_empty()),
    );
    assert!(told, "{:?}", world.events());
}

#[cfg(feature = "lua")]
mod scripts {
    use super::*;

    /// A world with one agent that runs the tree of this script, its happenings noted.
    fn one(script: &str) -> (World, AgentId) {
        let mut world = World::new(Config::default());
        world.declare(KeyDecl::new("on", Scope::Agent, ValueType::Bool).default(true)).expect("legal");
        world.reload("wolf.lua", script).expect("the script is right");
        let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
        let desc = AgentDesc { tree: "wolf".into(), ..AgentDesc::default() };
        let agent = world.spawn(squad, desc).expect("new");
        world.set_history(agent, 32);
        (world, agent)
    }

    /// What happened, at which node, and why, from the oldest on.
    fn told(world: &World, agent: AgentId) -> Vec<(String, String, String)> {
        let moments = world.why(agent).expect("there").before.into_iter();
        moments.map(|moment| (moment.what, moment.path, moment.reason.because)).collect()
    }

    #[test]
    fn a_leaf_that_failed_by_a_script_error_says_so_with_file_and_line() {
        let (mut world, agent) = one("return bt.tree(\"wolf\", bt.selector {\n  \
               bt.action { tick = function(self)\n    local n = nil\n    return n + 1\n  end },\n  \
               bt.action { tick = function(self)\n    error(\"out of \" .. \"luck\")\n  end },\n  \
               bt.action { tick = function(self) return \"failure\" end },\n  \
               bt.wait { seconds = 100 },\n})\n");
        world.tick(DT);
        let told = told(&world, agent);
        let because = |path: &str| -> Vec<&str> {
            let ends = told.iter().filter(|(what, at, _)| what == "ended with failure" && at.contains(path));
            ends.map(|(_, _, because)| because.as_str()).collect()
        };
        let first = because("1.action");
        assert!(first.len() == 1 && first[0].starts_with("wolf.lua:4: "), "{told:#?}");
        assert!(first[0].contains("nil"), "{first:?}");
        assert_eq!(because("2.action"), ["wolf.lua:7: out of luck"], "each error has its own text");
        let why = world.why(agent).expect("there");
        assert!(why.to_string().contains("wolf.lua:7: out of luck"), "{why}");
        let decided = why.before.iter().find(|moment| moment.reason.because.ends_with("luck"));
        assert_eq!(decided.expect("one").reason.path, "selector/2.action");
    }

    #[test]
    fn a_guard_whose_question_errs_aborts_for_that_reason() {
        let (mut world, agent) =
            one("return bt.tree(\"wolf\", bt.guard {\n  when = bt.condition { test = function(self)\n    \
               if self.board.on then return true end\n    error(\"no answer\")\n  end },\n  \
               bt.wait { seconds = 100 },\n})\n");
        world.tick(DT);
        world.set_value(BoardOf::Agent(agent), "on", false).expect("right");
        world.tick(DT);
        let told = told(&world, agent);
        let (what, path, because) = told.iter().find(|(what, ..)| what.starts_with("aborted")).expect("one");
        assert_eq!((what.as_str(), path.as_str()), ("aborted (its guard)", "guard/1.wait"));
        assert_eq!(because, "wolf.lua:4: no answer");
    }

    /// An exit that goes wrong is a problem, and not why its node was left.
    #[test]
    fn an_exit_that_errs_is_not_the_reason() {
        let (mut world, agent) = one(
            "return bt.tree(\"wolf\", bt.guard {\n  when = bt.has_value { key = \"on\" },\n  \
               bt.action { tick = function(self) return \"running\" end, exit = function(self) error(\"late\") end },\n})\n",
        );
        world.tick(DT);
        world.set_value(BoardOf::Agent(agent), "on", false).expect("right");
        world.tick(DT);
        assert!(world.all_problems().iter().any(|problem| problem.error.message().contains("late")));
        let told = told(&world, agent);
        let (_, _, because) = told.iter().find(|(what, ..)| what.starts_with("aborted")).expect("one");
        assert_eq!(because, "key 'on' is false");
    }

    /// "mode 'shut', running " and nothing, while its function errs tick by tick.
    #[test]
    fn after_a_fault_the_fault_is_shown() {
        let (mut world, agent) = one("return bt.tree(\"wolf\", bt.mode { name = \"shut\",\n  \
               bt.coroutine { run = function(self)\n    error(\"no \" .. \"door\")\n  end } })\n");
        world.tick(DT);
        let why = world.why(agent).expect("there");
        assert_eq!(why.faults[0].path, "mode/1.coroutine");
        let text = why.to_string();
        let lines: Vec<_> = text.lines().take(2).collect();
        assert_eq!(
            lines,
            ["mode 'shut', nothing runs", "  fault in mode/1.coroutine: wolf.lua:3: no door"],
            "{text}"
        );
        let end =
            told(&world, agent).into_iter().find(|(what, ..)| what == "ended with failure").expect("one");
        assert_eq!(end.2, "wolf.lua:3: no door");
    }

    #[test]
    fn a_coroutine_says_how_long_it_waits() {
        let (mut world, agent) = one("return bt.tree(\"wolf\", bt.coroutine { run = function(self)\n  \
               wait(1)\n  wait_until(function() return false end, 60)\nend })\n");
        (0..31).for_each(|_| world.tick(DT));
        let waiting = |world: &World| world.why(agent).expect("there").waiting;
        assert_eq!(waiting(&world), ["0.50 s more, since 0.02 s"]);
        (0..60).for_each(|_| world.tick(DT));
        assert_eq!(waiting(&world), ["for what its script asks in each tick, since 0.02 s"]);
        (0..3700).for_each(|_| world.tick(DT));
        let (_, _, because) =
            told(&world, agent).into_iter().find(|(what, ..)| what == "ended with success").expect("one");
        assert_eq!(because, "the script says true");
    }
}
