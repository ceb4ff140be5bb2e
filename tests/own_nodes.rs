//! Nodes of a game's own, which do what those of the library do not: a composite that remembers, one that spins.

mod tree_sim;

use tree_sim::{Bench, Book, book, leaf as p, registry, rsel, seq, shell};
use warband::tree::{
    Arity, Control, Cx, Exit, Join, Kind, NodeDef, Part, SlotType, Status, Step, Tally, Why, build,
};
use warband::{ErrorKind, Spec};

/// Counts its ticks in its memory, and ends when all children have.
static COUNTS: NodeDef = NodeDef {
    children: Arity::Many,
    memory: &[("ticks", SlotType::Count)],
    ..NodeDef::new("counts", Kind::Composite, "runs its children and counts", |_| {
        Ok(Part::Fork(Box::new(Counts)))
    })
};

struct Counts;

impl Join for Counts {
    fn tick(&self, cx: &mut Cx<'_>) {
        let ticks = cx.load::<u64>(0) + 1;
        cx.store(0, ticks);
    }
    fn decide(&self, tally: Tally) -> Option<bool> {
        (tally.running() == 0).then_some(true)
    }
}

/// Fails, unless the book lets `spin` succeed: then it starts its child again and again within one tick, which nobody
/// should write.
static SPINS: NodeDef = NodeDef {
    children: Arity::One,
    ..NodeDef::new("spins", Kind::Decorator, "goes round in circles", |_| Part::control(Spins))
};

struct Spins;

impl Control for Spins {
    fn enter(&self, _: &mut Cx<'_>) -> Step {
        let spin = book(|book| {
            let spin = book.number("spin");
            book.results.get(&spin) == Some(&Status::Success)
        });
        if spin { Step::Continue } else { Step::Done(false) }
    }
    fn ended(&self, _: &mut Cx<'_>, _: usize, _: bool) -> Step {
        Step::Child(0)
    }
}

fn bench(spec: &Spec) -> Bench {
    book(|book| *book = Book::default());
    let mut bench = Bench::new(&p("x"), 1).expect("the tree is good");
    let mut registry = registry();
    registry.register(&COUNTS).expect("the name is free");
    registry.register(&SPINS).expect("the name is free");
    let scene = &mut bench.scene;
    bench.tree = build("tree", spec, &registry, &scene.schema, &mut scene.symbols).expect("the tree is good");
    bench
}

fn answer(probe: &str, status: Status) {
    book(|book| {
        let probe = book.number(probe);
        book.results.insert(probe, status);
    });
}

#[test]
fn the_memory_of_a_fork_does_not_lie_on_what_it_notes_of_its_children() {
    let mut bench = bench(&Spec::new("counts").with(p("a")).with(p("b")));
    answer("a", Status::Success);
    for _ in 0..5 {
        assert_eq!(bench.tick(0.1), [Status::Running]);
    }
    book(|book| {
        let (a, b) = (book.number("a"), book.number("b"));
        assert_eq!((book.counts(0, a), book.counts(0, b)), ((1, 1, 1), (1, 5, 0)));
    });
    answer("b", Status::Failure);
    assert_eq!(bench.tick(0.1), [Status::Success]);
}

#[test]
fn circles_within_a_tick_end_in_failure_and_whatever_was_entered_is_exited() {
    let circle = || shell("in", Spec::new("spins").with(shell("again", Spec::new("succeed"))));
    let bare = || Spec::new("spins").with(shell("again", Spec::new("succeed")));
    // Straight, beside what ran and gives way, and behind it.
    for tree in [
        shell("all", circle()),
        shell("all", rsel([circle(), p("y")])),
        shell("all", rsel([bare(), p("y")])),
        rsel([bare(), p("y")]),
        shell("all", rsel([seq([tree_sim::has("a"), circle()]), p("y")])),
        shell("all", rsel([p("y"), circle()])),
        shell("all", Spec::new("parallel").with(circle()).with(p("y"))),
    ] {
        let mut bench = bench(&tree);
        answer("y", Status::Running);
        bench.tick(0.1);
        bench.set(0, "a", true);
        answer("spin", Status::Success);
        bench.tick(0.1);
        answer("y", Status::Failure);
        for _ in 0..3 {
            bench.tick(0.1);
        }
        assert!(bench.desk.problems.iter().all(|problem| problem.error.kind() == ErrorKind::Budget));
        assert!(!bench.desk.problems.is_empty());
        assert!(bench.steps[0] <= 100 + 17 * bench.tree.len(), "{} steps", bench.steps[0]);
        bench.halt(0, Why::Halted);
        book(|book| {
            for probe in 0..book.names.len() {
                let (enters, _, exits) = book.counts(0, probe);
                assert_eq!(enters, exits, "'{}' in {tree:?}", book.names[probe]);
            }
            assert!(book.exits("again").contains(&Exit::Success));
        });
    }
}

#[test]
fn two_nodes_of_a_large_tree_share_no_memory() {
    // The paths between them take 5 words each: the second cooldown begins 65,536 words behind the first.
    let rest = |child| Spec::new("cooldown").set("seconds", 10.0).with(child);
    let paths = Spec::new("selector").with_all((0..13_107).map(|_| Spec::new("follow_path")));
    let passed_over = Spec::new("force_success").with(tree_sim::guard(Spec::new("fail"), paths));
    let mut bench = bench(&seq([rest(Spec::new("succeed")), passed_over, rest(p("x"))]));
    assert_eq!(bench.tick(0.1), [Status::Running]);
}
