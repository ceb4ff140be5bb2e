//! A world that is dropped: what was entered is exited, once.

mod tree_sim;

use tree_sim::{Book, DEFS, book, leaf as p, par, seq, shell};
use warband::tree::{Exit, Status, Why};
use warband::{AgentDesc, Config, Spec, SquadDesc, World, vec3};

/// A world of two squads with three agents each that run `spec`.
fn world(spec: &Spec) -> World {
    book(|book| *book = Book::default());
    let mut world = World::new(Config::default());
    DEFS.iter().for_each(|def| world.register(def).expect("the name is free"));
    world.add_tree("tree", spec).expect("the tree is right");
    fill(&mut world);
    world
}

fn fill(world: &mut World) {
    for name in ["one", "two"] {
        let desc = SquadDesc { name: name.into(), ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("a new squad");
        for at in 0..3 {
            let desc = AgentDesc { tree: "tree".into(), ..AgentDesc::at(vec3(at as f32 * 3.0, 0.0, 0.0)) };
            world.spawn(squad, desc).expect("a new agent");
        }
    }
}

fn deep() -> Spec {
    shell("outer", par(0, 1, [seq([p("done"), p("runs")]), shell("inner", p("waits"))]))
}

#[test]
fn each_running_tree_is_exited_once_as_removed() {
    let spec = deep();
    let mut world = world(&spec);
    book(|book| {
        let done = book.number("done");
        book.results.insert(done, Status::Success);
    });
    (0..3).for_each(|_| world.tick(0.1));
    book(|book| assert_eq!(book.exits("done").len(), 6));
    drop(world);
    book(|book| {
        for name in ["outer", "runs", "inner", "waits"] {
            assert_eq!(book.exits(name), [Exit::Aborted(Why::Removed); 6], "{name}");
        }
        assert_eq!(book.exits("done"), [Exit::Success; 6]);
    });
}

#[test]
fn who_was_removed_or_never_ticked_is_not_exited_again() {
    let mut world = world(&p("x"));
    world.tick(0.1);
    let squad = world.squad_named("one").expect("it is there");
    let first = world.members(squad).next().expect("a member");
    world.remove(first);
    world.spawn(squad, AgentDesc { tree: "tree".into(), ..AgentDesc::default() }).expect("there is room");
    book(|book| assert_eq!(book.exits("x").len(), 1));
    drop(world);
    book(|book| assert_eq!(book.exits("x").len(), 6, "six were entered, and the new one never was"));
}

#[test]
fn after_a_panic_nothing_more_is_done() {
    let run = std::thread::spawn(|| {
        let entered = std::panic::catch_unwind(|| {
            let mut world = world(&p("x"));
            world.tick(0.1);
            panic!("the game broke");
        });
        assert!(entered.is_err());
        book(|book| (book.log.len(), book.exits("x").len()))
    });
    assert_eq!(run.join().expect("the world was dropped in silence"), (12, 0));
}

/// Lua's exit hooks are called too: what they wrote is seen by the Rust node around them, which is exited after them.
#[cfg(feature = "lua")]
#[test]
fn hooks_of_scripts_are_called_too() {
    use warband::ErrorKind;
    use warband::args::Param;
    use warband::blackboard::{KeyId, Value};
    use warband::tree::{Arity, Control, Cx, Kind, NodeDef, Part};

    struct Witness(KeyId);
    impl Control for Witness {
        fn exit(&self, cx: &mut Cx<'_>, reason: Exit) {
            let said = cx.view().value(self.0);
            book(|book| {
                assert_eq!(reason, Exit::Aborted(Why::Removed));
                book.names.push(format!("{said:?}"));
            });
        }
    }
    static WITNESS: NodeDef = NodeDef {
        children: Arity::One,
        params: &[Param::key("key", "what it reads when it is left")],
        ..NodeDef::new("witness", Kind::Decorator, "sees what was written below it", |make| {
            Part::control(Witness(make.key("key")?))
        })
    };

    book(|book| *book = Book::default());
    let mut world = World::new(Config::default());
    world.register(&WITNESS).expect("the name is free");
    world
        .reload(
            "tree.lua",
            "blackboard { agent = { left = \"string\" } }
             return bt.tree(\"tree\", bt.witness { key = \"left\", bt.action {
               tick = function(self) return \"running\" end,
               exit = function(self, reason) self.board.left = reason .. \" \" .. self.key end,
             } })",
        )
        .expect("the script is right");
    fill(&mut world);
    world.tick(0.1);
    let wrong = world.all_problems().iter().filter(|problem| problem.error.kind() != ErrorKind::Warning);
    assert_eq!(wrong.count(), 0);
    drop(world);
    let keys = [0, 1, 2, 0, 1, 2].map(|key| format!("{:?}", Value::from(format!("aborted {key}").as_str())));
    book(|book| assert_eq!(book.names, keys));
}
