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
fn what_changed_is_exited_and_entered_anew() {
    let (mut world, _) = world(&shell("all", seq([p("x"), p("y")])), 1);
    world.tick(0.1);
    world.add_tree("tree", &shell("all", seq([p("z"), p("y")]))).expect("the tree is good");
    assert_eq!((counts("x"), exits("x"), exits("all")), ((1, 1, 1), SWAPPED.into(), SWAPPED.into()));
    world.tick(0.1);
    assert_eq!((counts("z"), counts("x"), counts("all")), ((1, 1, 0), (1, 1, 1), (2, 0, 1)));
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
fn a_parallel_whose_children_changed_places_starts_anew() {
    let (a, b) = (|| p("a").id("a"), || p("b").id("b"));
    let (mut world, _) = world(&par(0, 1, [a(), b()]), 1);
    answer("a", warband::Status::Success);
    world.tick(0.1);
    world.add_tree("tree", &par(0, 1, [b(), a()])).expect("the tree is good");
    assert_eq!(exits("b"), SWAPPED);
    world.tick(0.1);
    // By number, b would count as the one that has ended.
    assert_eq!((counts("a"), counts("b")), ((2, 2, 2), (2, 2, 1)));
}

#[test]
fn a_parallel_with_one_child_more_starts_anew() {
    let (mut world, _) = world(&par(0, 1, [p("a"), p("b")]), 1);
    world.tick(0.1);
    world.add_tree("tree", &par(0, 1, [p("a"), p("b"), p("c")])).expect("the tree is good");
    world.tick(0.1);
    assert_eq!((counts("a"), counts("b"), counts("c")), ((2, 2, 1), (2, 2, 1), (1, 1, 0)));
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
    let tree = |name: &str| sel([over("cooldown", p(name)).set("seconds", 1.0).id("rest"), p("idle")]);
    let (mut world, _) = world(&tree("x"), 1);
    world.tick(0.1);
    world.add_tree("tree", &tree("z")).expect("the tree is good");
    assert_eq!(exits("x"), SWAPPED);
    world.tick(0.5);
    assert_eq!((counts("z"), counts("idle")), ((0, 0, 0), (1, 1, 0)));
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
