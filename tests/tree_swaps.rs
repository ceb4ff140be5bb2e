//! Trees that are replaced, halted and taken away while they run, in a whole world.

mod tree_sim;

use tree_sim::{
    Book, DEFS, book, declare_keys, guard, has, leaf as p, over, par, rsel, sel, seq, shell, wait,
};
use warband::args::Arg;
use warband::tree::{Exit, Why};
use warband::{AgentDesc, AgentId, BoardOf, Config, Spec, SquadDesc, World, vec3};

/// A world in which so many agents run the tree.
fn world(spec: &Spec, agents: usize) -> (World, Vec<AgentId>) {
    book(|book| *book = Book::default());
    let mut world = World::new(Config::default());
    DEFS.iter().for_each(|def| world.register(def).expect("the name is free"));
    declare_keys(|decl| {
        world.declare(decl).expect("the key is legal");
    });
    world.add_tree("tree", spec).expect("the tree is good");
    let squad =
        world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("a new name");
    let spawn = |at: usize| {
        let desc = AgentDesc { tree: "tree".into(), ..AgentDesc::at(vec3(at as f32 * 3.0, 0.0, 0.0)) };
        world.spawn(squad, desc).expect("there is room")
    };
    let agents = (0..agents).map(spawn).collect();
    (world, agents)
}

fn swap(world: &mut World, spec: &Spec) {
    world.add_tree("tree", spec).expect("the tree is good");
}

fn answer(probe: &str, status: warband::Status) {
    book(|book| {
        let probe = book.number(probe);
        book.results.insert(probe, status);
    });
}

/// Enters, ticks and exits of a probe for the first agent.
fn counts(probe: &str) -> (usize, usize, usize) {
    book(|book| {
        let probe = book.number(probe);
        book.counts(0, probe)
    })
}

fn exits(probe: &str) -> Vec<Exit> {
    book(|book| book.exits(probe))
}

const SWAPPED: [Exit; 1] = [Exit::Aborted(Why::Swapped)];

#[test]
fn an_identical_tree_changes_nothing_fact_60() {
    let tree = || {
        let slow = over("time_limit", p("y")).set("seconds", 1.0);
        shell("all", sel([guard(has("a"), p("x")), par(2, 2, [p("s"), seq([wait(0.2), slow])])]))
    };
    let run = |reload: bool| {
        let (mut world, _) = world(&tree(), 2);
        answer("s", warband::Status::Success);
        for _ in 0..30 {
            world.tick(0.1);
            if reload {
                world.add_tree("tree", &tree()).expect("the tree is good");
            }
        }
        (world.digest(), book(|book| book.log.clone()))
    };
    assert_eq!(run(true), run(false));
    assert!(exits("y").contains(&Exit::Aborted(Why::TimeLimit)), "time went on");
}

#[test]
fn what_changed_is_exited_and_what_stands_in_its_place_is_entered() {
    let (mut world, agents) = world(&shell("all", seq([p("x"), p("y")])), 1);
    world.tick(0.1);
    swap(&mut world, &shell("all", seq([p("z"), p("y")])));
    assert_eq!((counts("x"), exits("x"), counts("z")), ((1, 1, 1), SWAPPED.into(), (0, 0, 0)));
    assert_eq!(world.running(agents[0]), Some("shell/1.sequence"));
    world.tick(0.1);
    assert_eq!((counts("z"), counts("x"), counts("all")), ((1, 1, 0), (1, 1, 1), (1, 1, 0)));
    assert_eq!(world.running(agents[0]), Some("shell/1.sequence/1.probe"));
}

#[test]
fn another_root_begins_from_the_root() {
    let (mut world, agents) = world(&shell("all", p("x")), 1);
    world.tick(0.1);
    swap(&mut world, &shell("other", p("x")));
    assert_eq!((exits("x"), exits("all")), (SWAPPED.into(), SWAPPED.into()));
    assert_eq!(world.running(agents[0]), None);
    world.tick(0.1);
    assert_eq!((counts("x"), counts("other")), ((2, 2, 1), (1, 0, 0)));
}

/// The wish of issue 4: the leaf that runs in a sequence below a timer is edited; timer and sequence go on.
#[test]
fn an_edited_step_begins_again_and_not_what_is_around_it() {
    let tree = |step: &str| {
        let steps = seq([p("a"), shell("around", p(step)), p("c")]);
        sel([over("time_limit", steps).set("seconds", 1.0), p("late")])
    };
    let (mut world, _) = world(&tree("b"), 1);
    answer("a", warband::Status::Success);
    (0..8).for_each(|_| world.tick(0.1));
    swap(&mut world, &tree("b2"));
    assert_eq!((exits("b"), exits("around")), (SWAPPED.into(), vec![]));
    world.tick(0.1);
    assert_eq!((counts("a"), counts("b2"), counts("around")), ((1, 1, 1), (1, 1, 0), (1, 8, 0)));
    // Entered at 0.1 s, the time is up at 1.1 s, as without the edit.
    world.tick(0.1);
    assert_eq!((counts("b2").2, counts("late")), (0, (0, 0, 0)));
    world.tick(0.1);
    assert_eq!(exits("b2"), [Exit::Aborted(Why::TimeLimit)]);
    assert_eq!((counts("a").0, counts("late")), (1, (1, 1, 0)));
}

#[test]
fn what_is_to_begin_is_left_without_an_exit() {
    let tree = |name: &str| {
        sel([guard(has("x"), p("first")), over("time_limit", shell("around", p(name))).set("seconds", 1.0)])
    };
    let before = |swaps: &[&str]| {
        let (mut world, agents) = world(&tree("b"), 1);
        world.tick(0.1);
        swaps.iter().for_each(|name| swap(&mut world, &tree(name)));
        (world, agents[0])
    };
    // A guard of higher priority.
    let (mut one, _) = before(&["b2"]);
    one.set_value(BoardOf::World, "x", true).expect("a bool");
    one.tick(0.1);
    assert_eq!((counts("b2"), exits("around")), ((0, 0, 0), vec![Exit::Aborted(Why::Higher)]));
    assert_eq!(counts("first"), (1, 1, 0));
    // A guard and a control above it.
    let watched = |name: &str| sel([guard(has("x"), shell("around", p(name))), p("low")]);
    let (mut one, _) = world(&watched("b"), 1);
    one.set_value(BoardOf::World, "x", true).expect("a bool");
    one.tick(0.1);
    swap(&mut one, &watched("b2"));
    one.set_value(BoardOf::World, "x", false).expect("a bool");
    one.tick(0.1);
    assert_eq!((counts("b2"), exits("around")), ((0, 0, 0), vec![Exit::Aborted(Why::Guard)]));
    let banded = |name: &str| {
        let by = Spec::new("bands").set("by", Arg::Key("n".to_owned()));
        by.with(shell("around", p(name)).edge("below", 5.0)).with(p("far"))
    };
    let (mut one, agents) = world(&banded("b"), 1);
    one.tick(0.1);
    swap(&mut one, &banded("b2"));
    one.set_value(BoardOf::Agent(agents[0]), "n", 9.0).expect("a number");
    one.tick(0.1);
    assert_eq!((counts("b2"), counts("around"), counts("far")), ((0, 0, 0), (1, 0, 1), (1, 1, 0)));
    // Halts, removals, another tree.
    let (mut one, agent) = before(&["b2"]);
    one.halt(agent);
    assert_eq!((counts("b2"), exits("around")), ((0, 0, 0), vec![Exit::Aborted(Why::Halted)]));
    let (mut one, agent) = before(&["b2"]);
    one.remove(agent);
    assert_eq!((counts("b2"), exits("around")), ((0, 0, 0), vec![Exit::Aborted(Why::Removed)]));
    let (mut one, agent) = before(&["b2"]);
    one.set_tree(agent, "tree").expect("there is such a tree");
    assert_eq!((counts("b2"), counts("around")), ((0, 0, 0), (1, 0, 1)));
    // A second swap, which changes its place once more, and a third back to the first tree.
    let (mut one, _) = before(&["b2", "b3", "b"]);
    one.tick(0.1);
    assert_eq!((counts("b2"), counts("b3"), counts("b")), ((0, 0, 0), (0, 0, 0), (2, 2, 1)));
    assert_eq!(counts("around"), (1, 1, 0));
}

#[test]
fn a_reactive_composite_asks_its_earlier_children_before_what_is_new() {
    let tree = |name: &str| rsel([guard(has("x"), p("first")), p("try"), p(name)]);
    let (mut world, _) = world(&tree("b"), 1);
    answer("try", warband::Status::Failure);
    world.tick(0.1);
    swap(&mut world, &tree("b2"));
    world.tick(0.1);
    assert_eq!((counts("try"), counts("b2")), ((2, 2, 2), (1, 1, 0)));
    swap(&mut world, &tree("b3"));
    answer("try", warband::Status::Running);
    world.tick(0.1);
    assert_eq!((counts("try"), counts("b2"), counts("b3")), ((3, 3, 2), (1, 1, 1), (0, 0, 0)));
}

#[test]
fn a_place_is_counted_from_the_nearest_sibling_that_is_still_there() {
    let a = || p("a").id("a");
    let (mut world, _) = world(&seq([a(), p("b")]), 1);
    answer("a", warband::Status::Success);
    world.tick(0.1);
    swap(&mut world, &seq([p("new"), a(), p("b2"), p("c")]));
    world.tick(0.1);
    assert_eq!((counts("new").0, counts("a").0, counts("b2")), (0, 1, (1, 1, 0)));
}

#[test]
fn where_a_place_is_gone_what_is_above_it_begins_anew() {
    let (a, c) = (|| p("a").id("a"), || p("c").id("c"));
    let run = |spec: &Spec| {
        let (mut world, _) = world(&shell("over", shell("all", seq([a(), p("b"), c()]))), 1);
        answer("a", warband::Status::Success);
        world.tick(0.1);
        swap(&mut world, &shell("over", shell("all", spec.clone())));
        assert_eq!((exits("b"), exits("all")), (SWAPPED.into(), vec![]));
        answer("a", warband::Status::Running);
        world.tick(0.1);
        assert_eq!((counts("a"), counts("all")), ((2, 2, 1), (1, 1, 0)));
    };
    // Nothing is there, or what is known to stand elsewhere.
    run(&seq([a()]));
    run(&seq([a(), c()]));
}

#[test]
fn a_repeat_keeps_its_count() {
    let tree = |name: &str| over("repeat_times", seq([p("a"), p(name)])).set("times", 3);
    let (mut world, _) = world(&tree("b"), 1);
    answer("a", warband::Status::Success);
    answer("b", warband::Status::Success);
    world.tick(0.1);
    assert_eq!(counts("b"), (1, 1, 1));
    answer("b", warband::Status::Running);
    world.tick(0.1);
    assert_eq!(counts("b"), (2, 2, 1));
    swap(&mut world, &tree("b2"));
    answer("b2", warband::Status::Success);
    // The second round ends with the new step; one is left.
    world.tick(0.1);
    world.tick(0.1);
    assert_eq!((counts("a").0, counts("b2").0), (3, 2));
}

#[test]
fn a_shuffled_sequence_keeps_its_order_unless_its_children_have_other_numbers() {
    let named = |names: [&str; 4]| {
        let children = names.map(|name| p(name).id(name.trim_end_matches('+')));
        over("random_sequence", children[0].clone()).with_all(children[1..].to_vec())
    };
    let entered = |last: [&str; 4]| {
        let (mut world, _) = world(&named(["a", "b", "c", "d"]), 1);
        ["a", "b", "d"].iter().for_each(|name| answer(name, warband::Status::Success));
        answer("c", warband::Status::Running);
        world.tick(0.1);
        assert_eq!(counts("c").0, 1);
        answer("c+", warband::Status::Success);
        answer("c", warband::Status::Success);
        swap(&mut world, &named(last));
        world.tick(0.1);
        ["a", "b", "c", "c+", "d"].map(|name| counts(name).0)
    };
    assert_eq!(entered(["a", "b", "c+", "d"]), [1, 1, 1, 1, 1], "each once, and the new one in its place");
    // The numbers of two others: also what runs unchanged is left, and all four come once more.
    let again = entered(["b", "a", "c", "d"]);
    assert_eq!((again[2], exits("c")[0]), (2, SWAPPED[0]), "{again:?}");
    assert!([0, 1, 4].iter().all(|at| again[*at] >= 1) && again[0] + again[1] + again[4] > 3, "{again:?}");
}

#[test]
fn what_is_unchanged_goes_on_beside_a_change() {
    let (mut world, _) = world(&seq([p("x"), p("y")]), 1);
    world.tick(0.1);
    world.add_tree("tree", &seq([p("x"), p("other"), p("y")])).expect("the tree is good");
    world.tick(0.1);
    assert_eq!(counts("x"), (1, 2, 0));
    answer("x", warband::Status::Success);
    world.tick(0.1);
    assert_eq!((counts("x"), counts("other"), counts("y")), ((1, 3, 1), (1, 1, 0), (0, 0, 0)));
}

#[test]
fn a_node_with_an_id_goes_on_in_another_place() {
    let (mut world, _) = world(&seq([p("x").id("main"), p("y")]), 1);
    world.tick(0.1);
    world.add_tree("tree", &seq([p("first"), p("x").id("main")])).expect("the tree is good");
    world.tick(0.1);
    assert_eq!((counts("x"), counts("first")), ((1, 2, 0), (0, 0, 0)));
}

#[test]
fn an_id_that_stands_twice_is_the_first_once_and_the_second_once() {
    let tree = || seq([over("subtree", p("s").id("one")), over("subtree", p("s").id("one"))]);
    let (mut world, agents) = world(&tree(), 1);
    answer("s", warband::Status::Success);
    // The first one ends in this tick, and the second runs from the next.
    let second = seq([over("subtree", p("s").id("one")), wait(0.1), over("subtree", p("s").id("one"))]);
    world.add_tree("tree", &second).expect("the tree is good");
    world.tick(0.1);
    answer("s", warband::Status::Running);
    world.tick(0.1);
    let running = world.running(agents[0]).map(str::to_owned);
    assert_eq!(running.as_deref(), Some("sequence/3.subtree/1.probe"));
    world.add_tree("tree", &second).expect("the tree is good");
    assert_eq!(world.running(agents[0]).map(str::to_owned), running);
    world.tick(0.1);
    assert_eq!(counts("s"), (2, 3, 1));
}

#[test]
fn children_of_a_parallel_that_changed_places_go_on_and_stay_ended() {
    let (a, b) = (|| p("a").id("a"), || p("b").id("b"));
    let (mut world, _) = world(&par(0, 1, [a(), b()]), 1);
    answer("a", warband::Status::Success);
    world.tick(0.1);
    swap(&mut world, &par(0, 1, [b(), a()]));
    world.tick(0.1);
    // By number, b would count as the one that has ended.
    assert_eq!((counts("a"), counts("b")), ((1, 1, 1), (1, 2, 0)));
    answer("b", warband::Status::Success);
    world.tick(0.1);
    assert_eq!(
        (counts("a"), counts("b")),
        ((1, 1, 1), (1, 3, 1)),
        "both have ended, and so has the parallel"
    );
    world.tick(0.1);
    assert_eq!((counts("a").0, counts("b").0), (2, 2));
}

#[test]
fn what_is_new_beside_others_begins_and_what_vanished_is_exited() {
    let (a, b) = (|| p("a").id("a"), || p("b").id("b"));
    let (mut world, _) = world(&par(0, 1, [a(), shell("around", p("old")), b()]), 1);
    answer("b", warband::Status::Success);
    world.tick(0.1);
    swap(&mut world, &par(0, 1, [a(), b(), p("new")]));
    assert_eq!((exits("old"), exits("around")), (SWAPPED.into(), SWAPPED.into()));
    world.tick(0.1);
    assert_eq!((counts("a"), counts("b"), counts("new")), ((1, 2, 0), (1, 1, 1), (1, 1, 0)));
    // The last one that ran is taken out: nobody is left but who has ended.
    let (mut world, _) = self::world(&seq([par(0, 1, [b(), p("old")]), p("next")]), 1);
    answer("b", warband::Status::Success);
    world.tick(0.1);
    swap(&mut world, &seq([par(0, 1, [b()]), p("next")]));
    world.tick(0.1);
    assert_eq!((counts("b"), exits("old"), counts("next")), ((1, 1, 1), SWAPPED.into(), (1, 1, 0)));
}

/// The wish of issue 4: one leaf beside a wait is edited, and the wait goes on.
#[test]
fn an_edited_leaf_beside_a_wait_does_not_hold_it_up() {
    for node in ["parallel", "race", "blend"] {
        let tree = |name: &str| {
            let beside = Spec::new(node).with(seq([wait(1.0), p("after")])).with(shell("around", p(name)));
            over("subtree", beside)
        };
        let (mut world, _) = world(&tree("x"), 1);
        (0..8).for_each(|_| world.tick(0.1));
        swap(&mut world, &tree("y"));
        assert_eq!((exits("x"), exits("around")), (SWAPPED.into(), vec![]), "{node}");
        world.tick(0.1);
        assert_eq!((counts("y"), counts("after")), ((1, 1, 0), (0, 0, 0)), "{node}");
        (0..2).for_each(|_| world.tick(0.1));
        assert_eq!((counts("y"), counts("after")), ((1, 3, 0), (1, 1, 0)), "{node}");
    }
}

#[test]
fn what_has_ended_is_known_beyond_32_children_and_inside_of_others() {
    let names = (0..70).map(|at| format!("c{at}")).collect::<Vec<_>>();
    let many = |count: usize| {
        Spec::new("parallel")
            .with_all(names[..count].iter().map(|name| p(name).id(name.as_str())).collect::<Vec<_>>())
    };
    let tree = |count: usize, name: &str| par(0, 0, [many(count), p(name)]);
    let (mut world, _) = world(&tree(40, "x"), 1);
    (0..40).filter(|at| at % 3 == 0).for_each(|at| answer(&names[at], warband::Status::Success));
    world.tick(0.1);
    swap(&mut world, &tree(70, "y"));
    swap(&mut world, &tree(35, "z"));
    world.tick(0.1);
    for (at, name) in names.iter().enumerate() {
        let left = usize::from(at >= 35);
        let expected = match at {
            0..40 if at % 3 == 0 => (1, 1, 1),
            0..40 => (1, 2 - left, left),
            _ => (0, 0, 0),
        };
        assert_eq!(counts(name), expected, "{name}");
    }
    assert_eq!((counts("x"), counts("y"), counts("z")), ((1, 1, 1), (0, 0, 0), (1, 1, 0)));
}

#[test]
fn a_parallel_of_another_kind_is_exited_with_all_that_runs_in_it() {
    let (mut world, _) = world(&seq([par(0, 1, [p("a"), par(0, 1, [p("b"), p("c")])])]), 1);
    world.tick(0.1);
    let race = Spec::new("race").with(p("a")).with(par(0, 1, [p("b"), p("c")]));
    swap(&mut world, &seq([race]));
    assert_eq!([exits("a"), exits("b"), exits("c")], [SWAPPED; 3]);
    world.tick(0.1);
    assert_eq!([counts("a"), counts("b"), counts("c")], [(2, 2, 1); 3]);
}

#[test]
fn bands_whose_children_changed_places_start_anew() {
    let key = || Spec::new("bands").set("by", Arg::Key("n".to_owned()));
    let near_far = key().with(p("a").id("a").edge("below", 5.0)).with(p("b").id("b"));
    let (mut world, agents) = world(&near_far, 1);
    world.set_value(BoardOf::Agent(agents[0]), "n", 1.0).expect("a number");
    world.tick(0.1);
    let swapped = key().with(p("b").id("b").edge("below", 5.0)).with(p("a").id("a"));
    world.add_tree("tree", &swapped).expect("the tree is good");
    world.tick(0.1);
    assert_eq!((counts("a"), counts("b")), ((1, 1, 1), (1, 1, 0)));
}

#[test]
fn a_cooldown_outlasts_a_swap_that_aborts_it() {
    let tree =
        |name: &str| sel([shell(name, over("cooldown", p("x")).set("seconds", 1.0).id("rest")), p("idle")]);
    let (mut world, _) = world(&tree("one"), 1);
    world.tick(0.1);
    swap(&mut world, &tree("other"));
    assert_eq!((exits("x"), exits("one")), (SWAPPED.into(), SWAPPED.into()));
    world.tick(0.5);
    assert_eq!((counts("other"), counts("x"), counts("idle")), ((1, 0, 1), (1, 1, 1), (1, 1, 0)));
}

#[test]
fn a_tree_that_cannot_be_built_changes_nothing() {
    let (mut world, agents) = world(&seq([p("x"), p("y")]), 1);
    world.tick(0.1);
    world.add_tree("tree", &seq([p("x"), Spec::new("nosuch")])).expect_err("there is no such node");
    world.set_tree(agents[0], "nosuch").expect_err("there is no such tree");
    world.tick(0.1);
    assert_eq!(counts("x"), (1, 2, 0));
}

#[test]
fn another_tree_begins_with_the_next_tick() {
    let (mut world, agents) = world(&shell("all", p("x")), 2);
    world.add_tree("other", &p("z")).expect("the tree is good");
    world.tick(0.1);
    world.set_tree(agents[0], "other").expect("there is such a tree");
    assert_eq!((exits("x"), exits("all"), counts("z")), (SWAPPED.into(), SWAPPED.into(), (0, 0, 0)));
    world.tick(0.1);
    world.set_tree(agents[0], "tree").expect("there is such a tree");
    world.tick(0.1);
    assert_eq!((counts("z"), counts("x"), counts("all")), ((1, 1, 1), (2, 2, 1), (2, 0, 1)));
}

#[test]
fn a_removed_agent_exits_once_and_its_mates_go_on() {
    let (mut world, agents) = world(&par(0, 1, [shell("all", p("x")), p("y")]), 2);
    world.tick(0.1);
    world.remove(agents[0]);
    world.remove(agents[0]);
    let removed = [Exit::Aborted(Why::Removed)];
    assert_eq!((exits("x"), exits("y"), exits("all")), (removed.into(), removed.into(), removed.into()));
    world.tick(0.1);
    book(|book| {
        let x = book.number("x");
        assert_eq!((book.counts(0, x), book.counts(1, x)), ((1, 1, 1), (1, 2, 0)));
    });
}

#[test]
fn what_an_exit_writes_on_removal_is_seen_by_all_mates_in_the_same_tick() {
    // The place of the removed agent in the list falls to its neighbour, which must not take the write for its own.
    let tree = sel([guard(has("x"), p("woken")), rsel([p("w").set("flips", "x")])]);
    let (mut world, agents) = world(&tree, 3);
    world.tick(0.1);
    let seed = (0..100).find(|seed| tree_sim::flips_on_exit(*seed, 0, "w", 100_000_000));
    book(|book| book.seed = seed);
    world.remove(agents[0]);
    book(|book| book.seed = None);
    world.tick(0.1);
    book(|book| {
        let woken = book.number("woken");
        assert_eq!((book.counts(1, woken), book.counts(2, woken)), ((1, 1, 0), (1, 1, 0)));
    });
}

#[test]
fn halting_forgets_and_begins_afresh() {
    let (mut world, agents) = world(&seq([p("x"), p("y")]), 1);
    answer("x", warband::Status::Success);
    world.tick(0.1);
    world.halt(agents[0]);
    world.halt(agents[0]);
    assert_eq!(exits("y"), [Exit::Aborted(Why::Halted)]);
    world.tick(0.1);
    assert_eq!((counts("x"), counts("y")), ((2, 2, 2), (2, 2, 1)));
}
