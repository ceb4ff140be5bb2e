//! `slot`: a part of a tree that is swapped by name while agents run.

mod tree_sim;

use tree_sim::{Book, DEFS, book, declare_keys, guard, has, leaf as p, over, rsel, seq};
use warband::args::Arg;
use warband::tree::{Exit, Why};
use warband::{AgentDesc, AgentId, BoardOf, Config, ErrorKind, Spec, SquadDesc, World, vec3};

fn slot(name: &str, child: Spec) -> Spec {
    over("slot", child).set("name", name)
}

/// A world without trees.
fn world() -> World {
    book(|book| *book = Book::default());
    let mut world = World::new(Config::default());
    DEFS.iter().for_each(|def| world.register(def).expect("the name is free"));
    declare_keys(|decl| {
        world.declare(decl).expect("the key is legal");
    });
    world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("a new squad");
    world
}

fn spawn(world: &mut World, tree: &str) -> AgentId {
    let squad = world.squad_named("pack").expect("it is there");
    let desc = AgentDesc { tree: tree.into(), ..AgentDesc::at(vec3(0.0, 0.0, 0.0)) };
    world.spawn(squad, desc).expect("there is such a tree")
}

/// Fights while the key `a` is true, else idles.
fn fighter() -> Spec {
    rsel([guard(has("a"), slot("attack", p("bite"))), p("idle")])
}

fn counts(name: &str) -> (usize, usize, usize) {
    book(|book| {
        let probe = book.number(name);
        (0..4)
            .map(|agent| book.counts(agent, probe))
            .fold((0, 0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1, sum.2 + one.2))
    })
}

#[test]
fn who_is_in_the_slot_is_taken_out_and_the_others_go_on() {
    let mut world = world();
    world.add_tree("fighter", &fighter()).expect("the tree is right");
    let [fights, idles] = [(); 2].map(|()| spawn(&mut world, "fighter"));
    world.set_value(BoardOf::Agent(fights), "a", true).expect("the key is declared");
    world.tick(0.1);
    assert_eq!((counts("bite"), counts("idle")), ((1, 1, 0), (1, 1, 0)));

    world.set_slot("attack", &p("spit")).expect("it is right");
    book(|book| assert_eq!(book.exits("bite"), [Exit::Aborted(Why::Swapped)]));
    world.tick(0.1);
    assert_eq!((counts("spit"), counts("bite")), ((1, 1, 0), (1, 1, 1)));
    assert_eq!(counts("idle"), (1, 2, 0), "who was not in the slot goes on");
    assert_eq!(world.running(fights), Some("reactive_selector/1.guard/1.slot/1.probe"));
    assert!(world.running(idles).is_some_and(|path| path.ends_with("2.probe")));

    // The same once more is no change, and to be noticed nowhere.
    world.set_slot("attack", &p("spit")).expect("it is right");
    world.tick(0.1);
    assert_eq!(counts("spit"), (1, 2, 0));

    world.clear_slot("attack").expect("the child is right");
    world.clear_slot("attack").expect("cleared already");
    world.tick(0.1);
    assert_eq!((counts("spit"), counts("bite")), ((1, 2, 1), (2, 2, 1)));
    assert_eq!(world.tree("fighter").expect("it is there").spec(), &fighter());
}

#[test]
fn every_tree_with_the_slot_has_it_also_those_that_come_later() {
    let mut world = world();
    world.add_tree("one", &slot("attack", p("one"))).expect("the tree is right");
    world.set_slot("attack", &p("set")).expect("it is right");
    world.add_tree("two", &seq([slot("other", p("own")), slot("attack", p("two"))])).expect("it is right");
    spawn(&mut world, "one");
    spawn(&mut world, "two");
    world.tick(0.1);
    assert_eq!((counts("one"), counts("own"), counts("set")), ((0, 0, 0), (1, 1, 0), (1, 1, 0)));
    let there = |name: &str| world.tree(name).expect("it is there").len();
    assert_eq!((there("one"), there("two")), (2, 5));
}

#[test]
fn what_is_set_may_have_slots_but_not_its_own() {
    let mut world = world();
    world.add_tree("tree", &slot("attack", p("bite"))).expect("the tree is right");
    world.set_slot("weapon", &p("sword")).expect("no tree has it yet");
    world.set_slot("attack", &seq([slot("weapon", p("teeth"))])).expect("it is right");
    spawn(&mut world, "tree");
    world.tick(0.1);
    assert_eq!((counts("sword"), counts("teeth"), counts("bite")), ((1, 1, 0), (0, 0, 0), (0, 0, 0)));
    let round = world.set_slot("weapon", &slot("attack", p("x"))).expect_err("round in circles");
    assert_eq!(round.kind(), ErrorKind::Cycle, "{round}");
    world.tick(0.1);
    assert_eq!(counts("sword"), (1, 2, 0));
}

#[test]
fn a_fault_leaves_everything_as_it_was() {
    let mut world = world();
    let asked = guard(slot("when", has("a")), p("x"));
    let inner = Spec { scope: Some(vec![("who".into(), Arg::Bool(true))]), ..over("subtree", p("y")) };
    world.add_tree("tree", &seq([slot("attack", p("bite")), asked, inner])).expect("the tree is right");
    spawn(&mut world, "tree");
    world.tick(0.1);
    let before = (world.digest(), world.tree("tree").expect("it is there").len());
    let unknown = has("nosuch");
    let param = Spec::new("wait").set("seconds", Arg::Param("who".into()));
    for (name, spec, kind, words) in [
        ("attack", Spec::new("atack"), ErrorKind::UnknownName, "unknown node 'atack'"),
        ("attack", unknown.clone(), ErrorKind::UnknownName, "nosuch"),
        ("nowhere", unknown, ErrorKind::UnknownName, "nosuch"),
        ("attack", param, ErrorKind::UnknownName, "unknown subtree parameter 'who'"),
        ("when", p("z"), ErrorKind::WrongType, "'when' takes a condition"),
    ] {
        let error = world.set_slot(name, &spec).expect_err(words);
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!((world.digest(), world.tree("tree").expect("it is there").len()), before, "{error}");
    }
    book(|book| assert_eq!(book.exits("bite"), []));
    // Nothing of what was refused is used by trees that come later.
    world.add_tree("later", &slot("nowhere", p("own"))).expect("the tree is right");
    world.set_slot("when", &has("b")).expect("a condition");
}

#[test]
fn the_name_is_a_text() {
    let mut world = world();
    world.set_slot("attack", &p("set")).expect("it is right");
    let named = over("slot", p("x")).set("name", Arg::Param("which".into()));
    let scope = Some(vec![("which".to_owned(), Arg::Text("attack".into()))]);
    let error = world.add_tree("tree", &Spec { scope, ..over("subtree", named) }).expect_err("a parameter");
    assert!(error.to_string().contains("the name of a slot cannot be a parameter"), "{error}");
    let nameless = world.add_tree("tree", &over("slot", p("x"))).expect_err("no name");
    assert_eq!(nameless.kind(), ErrorKind::Missing, "{nameless}");
}

#[cfg(feature = "lua")]
#[test]
fn a_script_has_slots_and_keeps_what_was_set_when_it_is_loaded_anew() {
    let mut world = world();
    let script = |bite: &str| {
        format!("return bt.tree(\"wolf\", bt.slot {{ name = \"attack\", bt.probe {{ name = \"{bite}\" }} }})")
    };
    world.reload("wolf.lua", &script("bite")).expect("the script is right");
    spawn(&mut world, "wolf");
    world.tick(0.1);
    assert_eq!(counts("bite"), (1, 1, 0));
    world.set_slot("attack", &p("spit")).expect("it is right");
    world.tick(0.1);
    world.reload("wolf.lua", &script("snap")).expect("the script is right");
    world.tick(0.1);
    assert_eq!((counts("spit"), counts("snap")), ((1, 2, 0), (0, 0, 0)));
    world.clear_slot("attack").expect("the child is right");
    world.tick(0.1);
    assert_eq!((counts("spit"), counts("snap")), ((1, 2, 1), (1, 1, 0)));
}
