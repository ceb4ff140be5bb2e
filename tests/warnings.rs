//! What is legal in a tree but hardly meant is told once, with its place; and the engine does what is told.
//!
//! Every warning has its text in `tests/golden/warnings`; `BLESS=1 cargo test --test warnings` writes the texts anew.

mod common;
mod tree_sim;

use tree_sim::grow::{Grower, words};
use tree_sim::{Bench, Book, book, guard, has, over, rsel, rseq, sel, seq, wait};
use warband::tree::{Status, warnings};
use warband::{Config, ErrorKind, Spec, World};

fn told(spec: &Spec) -> Vec<String> {
    let bench = Bench::new(spec, 1).unwrap_or_else(|error| panic!("{error}"));
    warnings(&bench.tree).iter().map(ToString::to_string).collect()
}

fn node(name: &str) -> Spec {
    Spec::new(name)
}
fn limit(child: Spec) -> Spec {
    over("time_limit", child).set("seconds", 0.3)
}
/// Counts how often it is entered, in the key `n`.
fn count() -> Spec {
    node("increment").set("key", "n")
}

/// The statuses of so many ticks of 0.1 s, and how often `count` was entered.
fn run(spec: &Spec, ticks: usize) -> (Vec<Status>, f64) {
    let mut bench = Bench::new(spec, 1).unwrap_or_else(|error| panic!("{error}"));
    let statuses = (0..ticks).map(|_| bench.tick(0.1)[0]).collect();
    let key = bench.scene.schema.key::<f64>("n").expect("the key is declared");
    (statuses, bench.minds[0].board.get(key).unwrap_or(0.0))
}

#[test]
fn a_def_says_the_same_in_words_and_in_ends() {
    let registry = warband::node::registry();
    for def in registry.defs() {
        let never = |text: &str| text == "never" || text.starts_with("never;");
        assert_eq!(def.ends.success, !never(def.success), "{}: success", def.name);
        assert_eq!(def.ends.failure, !never(def.failure), "{}: failure", def.name);
    }
    let one_way = registry.defs().iter().filter(|def| !def.ends.success || !def.ends.failure);
    assert!(one_way.count() > 10);
}

/// The part of a spec that a path leads to.
fn at<'s>(spec: &'s Spec, path: &str) -> &'s Spec {
    path.split('/').skip(1).fold(spec, |spec, step| {
        let label = step.split('.').next().expect("a label");
        let plain = || spec.children.iter().filter(|child| child.role.is_none());
        let child = match label.parse::<usize>() {
            Ok(number) => plain().nth(number - 1),
            Err(_) => spec.children.iter().find(|child| child.role.as_deref() == Some(label)),
        };
        child.unwrap_or_else(|| panic!("no {step} in {path}"))
    })
}

fn probes(spec: &Spec, into: &mut Vec<usize>) {
    if let Some((_, warband::args::Arg::Text(name))) = spec.args.iter().find(|(name, _)| name == "name") {
        into.push(book(|book| book.number(name)));
    }
    spec.children.iter().for_each(|child| probes(child, into));
}

#[test]
fn what_is_told_to_be_never_reached_is_never_reached() {
    let mut watched = 0;
    for seed in 0..4000 {
        book(|book| *book = Book { seed: Some(seed), ..Book::default() });
        let mut grower = Grower::new(seed);
        let size = 3 + grower.below(25);
        let spec = grower.tree(size);
        let mut bench = Bench::new(&spec, 1).unwrap_or_else(|error| panic!("{error}"));
        let mut lost = Vec::new();
        for warning in warnings(&bench.tree).iter().filter(|warning| warning.message().contains("reached")) {
            probes(at(&spec, warning.path().expect("a path")), &mut lost);
        }
        if lost.is_empty() {
            continue;
        }
        watched += lost.len();
        for _ in 0..40 {
            let (key, on, number) = (grower.key(), grower.below(2) == 1, grower.below(12) as f64 - 4.0);
            bench.set(0, key, on);
            bench.set(0, "n", number);
            bench.tick(0.1);
        }
        let reached = book(|book| book.log.iter().any(|note| lost.contains(&note.probe)));
        assert!(!reached, "{seed}: {}", words(&spec));
    }
    assert!(watched > 200, "only {watched} probes were watched");
}

#[test]
fn a_repeat_that_takes_no_time_and_asks_nothing_goes_round_for_ever() {
    for spec in [over("repeat_times", count()), over("retry", over("force_failure", count()))] {
        assert!(told(&spec)[0].contains("goes round once a tick for ever"), "{}", words(&spec));
        assert_eq!(run(&spec, 50), (vec![Status::Running; 50], 50.0));
    }
    let cooled = over("force_success", over("cooldown", count()).set("seconds", 1.0));
    for honest in [
        over("repeat_times", count()).set("times", 3),
        over("repeat_times", seq([count(), wait(1.0)])),
        over("repeat_times", seq([has("a"), count()])),
        over("repeat_times", cooled),
        over("retry", has("a")),
        over("retry", node("log").set("text", "x")),
        over("retry", count()),
        limit(over("retry", node("fail"))),
        guard(has("a"), over("repeat_times", count())),
        over("repeat_times", node("fail")),
    ] {
        assert_eq!(told(&honest), [""; 0], "{}", words(&honest));
    }
}

#[test]
fn a_bare_action_is_started_in_each_tick_in_which_a_lower_branch_runs() {
    // It fails, for it has no target.
    let bare = rsel([seq([count(), node("direct_chase")]), node("patrol")]);
    let warning = "'increment' is started in each tick in which 'patrol' runs: 'reactive_selector' has to start \
                   it to ask it (put a condition before 'increment', as in a guard, or use a selector that remembers) \
                   (at reactive_selector/1.sequence/1.increment)";
    assert_eq!(told(&bare), [warning]);
    assert_eq!(run(&bare, 20), (vec![Status::Running; 20], 20.0));
    let asked = rsel([guard(node("sees_target"), seq([count(), node("direct_chase")])), node("patrol")]);
    assert_eq!(told(&asked), [""; 0]);
    assert_eq!(run(&asked, 20).1, 0.0);
}

#[test]
fn a_time_limit_that_has_to_be_started_to_be_asked_limits_nothing() {
    // Over before 2 s? The limit is up after 0.3 s, and begins anew in the next tick.
    let limited = rsel([limit(seq([count(), node("wander")])), node("patrol")]);
    assert!(told(&limited)[0].starts_with("'time_limit' begins anew in each tick in which 'patrol' runs"));
    assert_eq!(run(&limited, 20), (vec![Status::Running; 20], 5.0));
    let waits = rsel([seq([wait(0.2), count(), has("a")]), node("patrol")]);
    assert!(told(&waits)[0].starts_with("'wait' begins anew in each tick in which 'patrol' runs"));
    assert_eq!(run(&waits, 30), (vec![Status::Running; 30], 10.0));
    // With memory the patrol keeps its turn.
    let once = sel([limit(seq([count(), node("wander")])), node("patrol")]);
    assert_eq!(told(&once), [""; 0]);
    assert_eq!(run(&once, 20), (vec![Status::Running; 20], 1.0));
}

#[test]
fn a_wait_behind_an_action_of_a_reactive_sequence_is_never_over() {
    let twice = || over("repeat_times", node("log").set("text", "again")).set("times", 2);
    for first in [wait(0.2), twice()] {
        let lost = rseq([first.clone(), count(), wait(0.2)]);
        let warning = told(&lost).join("\n");
        assert!(warning.starts_with("'wait' begins anew whenever"), "{warning}\n{}", words(&lost));
        let (statuses, begun) = run(&lost, 60);
        assert!(begun > 15.0 && !statuses.contains(&Status::Success), "{}", words(&lost));
        let kept = seq([first, count(), wait(0.2)]);
        assert_eq!(told(&kept), [""; 0]);
        assert!(run(&kept, 10).0.contains(&Status::Success));
    }
}

#[test]
fn two_actions_of_a_reactive_sequence_put_each_other_out_fact_11() {
    let both = rseq([wait(0.2), seq([count(), node("wander")])]);
    let warning = told(&both).join("\n");
    assert!(warning.starts_with("'sequence' and 'wait' before it could run at once"), "{warning}");
    let (statuses, begun) = run(&both, 60);
    assert!(begun > 15.0 && statuses.iter().all(|status| *status == Status::Running));
}

#[test]
fn times_that_are_kept_are_not_told_of() {
    // A reactive parent goes on with what it still chooses.
    for (honest, ends) in [
        (rseq([wait(0.5), count()]), true),
        (rseq([has("a"), wait(0.5)]), false),
        (rsel([seq([wait(0.5), count()]), has("a")]), true),
        (rsel([guard(has("a"), limit(node("wander"))), node("patrol")]), false),
        (rseq([sel([has("a"), wait(0.5)]), node("wander")]), false),
    ] {
        assert_eq!(told(&honest), [""; 0], "{}", words(&honest));
        assert_eq!(run(&honest, 20).0.contains(&Status::Success), ends, "{}", words(&honest));
    }
}

#[test]
fn the_trees_of_the_library_and_of_honest_games_give_no_warnings() {
    let cooled = over("cooldown", node("command").set("name", "bite")).set("seconds", 1.0);
    for honest in [
        common::encircle(),
        common::held_ring(9.0),
        rsel([cooled, node("patrol")]),
        sel([node("direct_chase"), node("search"), node("patrol")]),
        seq([node("arrive"), node("log").set("text", "here")]),
        node("parallel").set("success", 1).with(node("wander")).with(wait(3.0)),
        seq([node("parallel").set("success", 1).with(node("wander")).with(wait(3.0)), count()]),
        seq([limit(node("force_success").with(node("search"))), count()]),
        sel([over("invert", has("a")), node("succeed")]),
    ] {
        assert_eq!(told(&honest), [""; 0], "{}", words(&honest));
    }
}

#[test]
fn only_a_command_that_waits_for_its_answer_can_fail_or_last() {
    let plain = || node("command").set("name", "bite");
    let waits = || plain().set("seconds", 1.0);
    assert!(told(&sel([plain(), count()]))[0].contains("'command' before it never fails"));
    assert_eq!(told(&sel([waits(), count()])), [""; 0]);
    assert!(told(&rseq([plain(), node("wander")]))[0].contains("'command' is started in each tick"));
    assert!(told(&rseq([waits(), node("wander")]))[0].contains("'command' before it could run at once"));
}

#[test]
fn a_parallel_passes_on_what_its_children_can() {
    let par = |success: i32, failure: i32| {
        node("parallel").set("success", success).set("failure", failure).with(node("wander")).with(wait(3.0))
    };
    // Both must succeed, and one never does; none can fail.
    assert!(told(&seq([par(2, 1), count()]))[0].contains("'parallel' before it never succeeds"));
    assert!(told(&sel([par(1, 1), count()]))[0].contains("'parallel' before it never fails"));
    // Three of two cannot succeed, so it fails at once.
    assert_eq!(told(&sel([par(3, 1), count()])), [""; 0]);
    assert_eq!(run(&sel([par(3, 1), count()]), 1), (vec![Status::Success], 1.0));
}

#[test]
fn a_world_tells_each_warning_once() {
    let mut world = World::new(Config::default());
    let (bad, good) = (sel([node("succeed"), node("patrol")]), sel([node("patrol"), node("succeed")]));
    // Told with the next tick after it came up.
    let mut told = |tree: &Spec| {
        world.add_tree("tree", tree).expect("a warning is no error");
        world.tick(0.1);
        let kinds: Vec<_> = world.problems().iter().map(|problem| problem.error.kind()).collect();
        (kinds, world.all_problems()[0].times)
    };
    assert_eq!(told(&bad), (vec![ErrorKind::Warning], 1));
    assert_eq!(told(&bad), (vec![], 1), "the same again");
    // Who mends it and does it again is told again.
    assert_eq!(told(&good), (vec![], 1));
    assert_eq!(told(&bad), (vec![ErrorKind::Warning], 2));
}

/// `lease { token = "mele", of = "target" }` beside `tokens = { melee = 2 }` became a token of its own, of capacity 1.
#[test]
fn a_token_that_nobody_offers_is_told_beside_one_of_nearly_that_name() {
    let mut world = World::new(Config::default());
    let lease = |token: &str| over("lease", node("wander")).set("token", token).set("of", "target");
    world.add_tree("tree", &sel([lease("mele"), lease("flank"), lease("melee")])).expect("right");
    let mut told = |offers: &[&str]| {
        let tokens = offers.iter().map(|name| (name.to_string(), 2)).collect();
        world.add_actor(warband::ActorDesc { tokens, ..warband::ActorDesc::at(warband::Vec3::ZERO) });
        world.tick(0.1);
        world.problems().iter().map(|problem| problem.error.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(told(&[]), [""; 0], "bodies may come later");
    let mele = "nobody offers the token 'mele' (did you mean 'melee'?) (at selector/1.lease)";
    assert_eq!(told(&["melee"]), [mele]);
    assert_eq!(told(&["melee", "scout"]), [""; 0], "once");
    let flank = "nobody offers the token 'flank' (did you mean 'flanks'?) (at selector/2.lease)";
    assert_eq!(told(&["flanks", "mele2"]), [flank]);
    assert_eq!(told(&["mele"]), [""; 0], "what is offered is right");
}

/// 600 ticks with `Drive::Game`, the body at 0, and no problem.
#[test]
fn a_game_that_moves_no_body_is_told_once() {
    use warband::{AgentDesc, Drive, SquadDesc, vec3};
    let told = |drive: Drive, tree: &str, moves: bool| {
        let mut world = World::new(Config { drive, ..Config::default() });
        world.add_tree("go", &node("seek").set("to", vec3(90.0, 0.0, 0.0))).expect("right");
        world.add_tree("stay", &wait(60.0)).expect("right");
        let squad = world.add_squad(SquadDesc::default()).expect("new");
        let agent = world.spawn(squad, AgentDesc { tree: tree.into(), ..AgentDesc::default() }).expect("new");
        let mut told = Vec::new();
        for _ in 0..600 {
            world.tick(1.0 / 60.0);
            told.extend(world.problems().iter().map(|problem| problem.error.to_string()));
            let out = world.output(agent).expect("there");
            if moves {
                world.set_agent(agent, out.position, out.velocity);
            }
        }
        told
    };
    let missed = told(Drive::Game, "go", false);
    assert_eq!(missed.len(), 1, "{missed:?}");
    assert!(missed[0].contains("set_agent was never called"), "{missed:?}");
    assert_eq!(told(Drive::Game, "go", true), [""; 0]);
    assert_eq!(told(Drive::Game, "stay", false), [""; 0], "nobody wants to move");
    assert_eq!(told(Drive::World, "go", false), [""; 0]);
}

/// `receive { name = "hlp" }` beside `send { name = "help" }` was never heard, and nobody said so.
#[test]
fn a_message_that_is_never_sent_is_told_beside_one_of_nearly_that_name() {
    let said = |spec: &Spec| {
        let bench = Bench::new(spec, 1).unwrap_or_else(|error| panic!("{error}"));
        let warnings = warband::tree::message_warnings([&*bench.tree]);
        warnings.iter().map(|warning| warning.message().to_owned()).collect::<Vec<_>>()
    };
    let (send, hear) =
        (|name: &str| node("send").set("name", name), |name: &str| node("receive").set("name", name));
    assert_eq!(said(&seq([send("help"), hear("hlp")])), ["message 'hlp' is never sent"]);
    assert_eq!(said(&seq([send("hlp"), hear("help"), send("help")])), ["message 'hlp' is never heard"]);
    let waits = node("wait_for").set("message", "hepl");
    assert_eq!(said(&seq([send("help"), waits])), ["message 'hepl' is never sent"]);
    for honest in [
        seq([send("help"), hear("flank")]),
        seq([send("help"), hear("help")]),
        seq([send("wave1"), hear("wave2")]),
        seq([hear("help"), hear("hlp")]),
    ] {
        assert_eq!(said(&honest), [""; 0], "{}", words(&honest));
    }
}

#[cfg(feature = "lua")]
mod lua {
    use std::fs;
    use std::path::{Path, PathBuf};
    use warband::{Config, ErrorKind, World};

    fn folder(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
    }

    fn scripts(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry"));
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.retain(|name| name.ends_with(".lua"));
        names.sort();
        names
    }

    fn said(world: &World) -> String {
        assert!(world.all_problems().iter().all(|problem| problem.error.kind() == ErrorKind::Warning));
        world.all_problems().iter().map(|problem| format!("{problem}\n")).collect()
    }

    #[test]
    fn every_warning_has_its_golden_text() {
        let folder = folder("tests/golden/warnings");
        let mut wrong = Vec::new();
        let names = scripts(&folder);
        assert!(names.len() > 14);
        for name in names {
            let mut world = World::new(Config::default());
            world.set_script_root(&folder);
            world.load(&name).unwrap_or_else(|error| panic!("{error}"));
            let (said, golden) = (said(&world), folder.join(&name).with_extension("txt"));
            if std::env::var_os("BLESS").is_some() {
                fs::write(&golden, &said).expect("a golden file");
            }
            let wanted = fs::read_to_string(&golden).unwrap_or_default();
            if said != wanted || said.lines().count() != 1 {
                wrong.push(format!("{name}:\n  said   {said}  wanted {wanted}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn the_shipped_scripts_give_no_warnings() {
        let folder = folder("scripts");
        let names = scripts(&folder);
        assert!(names.len() > 8);
        let mut together = World::new(Config::default());
        together.set_script_root(&folder);
        for name in names {
            let mut world = World::new(Config::default());
            world.set_script_root(&folder);
            // Parts of trees are no scripts of their own.
            if world.load(&name).is_ok() {
                together.load(&name).expect("it loads beside others");
            }
            assert_eq!(said(&world), "", "{name}");
        }
        assert!(together.tree_names().count() >= 4);
        assert_eq!(said(&together), "");
    }

    fn load(world: &mut World, file: &str, text: &str) -> usize {
        world.reload(file, text).unwrap_or_else(|error| panic!("{error}"));
        // Told with the next tick after it came up.
        world.tick(0.1);
        world.problems().len()
    }

    const READS: &str = "blackboard { squad = { alarm = 'bool' } }
        return bt.tree('reads', bt.selector { bt.has_value { key = 'alarm' }, bt.patrol {} })";
    const WRITES: &str = "blackboard { squad = { alarm = 'bool' } }
        return bt.tree('writes', bt.set { key = 'alarm', to = true })";

    #[test]
    fn a_reload_of_the_same_text_tells_nothing_again() {
        let mut world = World::new(Config::default());
        assert_eq!(load(&mut world, "reads.lua", READS), 1);
        assert_eq!(load(&mut world, "reads.lua", READS), 0);
        assert_eq!(world.all_problems()[0].times, 1);
        let lost = "return bt.tree('lost', bt.selector { bt.succeed {}, bt.patrol {} })";
        assert_eq!(load(&mut world, "lost.lua", lost), 1);
        assert_eq!(load(&mut world, "lost.lua", lost), 0);
        assert_eq!(load(&mut world, "reads.lua", READS), 0);
    }

    #[test]
    fn keys_are_looked_at_over_all_trees() {
        let mut world = World::new(Config::default());
        assert_eq!(load(&mut world, "writes.lua", WRITES), 1);
        assert_eq!(load(&mut world, "reads.lua", READS), 0);
        // Without the reader it is written for nobody again.
        let idle = READS.replace("bt.has_value { key = 'alarm' }", "bt.fail {}");
        assert_eq!(load(&mut world, "reads.lua", &idle), 1);
    }

    #[test]
    fn keys_in_which_others_may_have_a_part_are_not_told_of() {
        let part = [
            READS.replace("'bool'", "{ 'bool', default = false }"),
            READS.replace("squad", "team"),
            READS.replace("squad", "world"),
            READS.replace("'bool'", "'entity'"),
            READS.replace("bt.patrol {}", "bt.action { tick = function(self) self.board.alarm = true end }"),
            READS.replace("bt.patrol {}", "bt.set { key = 'alarm', to = bt.key 'alarm' }"),
        ];
        for text in part {
            assert_eq!(load(&mut World::new(Config::default()), "reads.lua", &text), 0, "{text}");
        }
        let mut declared = World::new(Config::default());
        let key = warband::KeyDecl::new("alarm", warband::Scope::Squad, warband::ValueType::Bool);
        declared.declare(key).expect("a legal key");
        assert_eq!(load(&mut declared, "reads.lua", READS), 0, "the game declares it too");
    }
}
