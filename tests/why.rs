//! "Why did it do that?": history and explanations. Field report V1.

mod common;

use common::{Hunt, square_walk};
use warband::tree::MOST_RECORDS;
use warband::{
    AgentDesc, BoardOf, Config, EventKind, KeyDecl, Scope, Spec, SquadDesc, ValueType, Vec3, World, vec3,
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
        "mode 'idle', running reactive_selector/4.mode/1.wait\n  \
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

#[cfg(feature = "lua")]
mod scripts {
    use super::*;
    use warband::AgentId;

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
}
