//! Composites that choose: by chance, by weight, by a key, by use, by a condition; and what ends a race.

mod tree_sim;

use tree_sim::table::{Row, run};
use tree_sim::{Bench, Book, What, book, condition, has, leaf as p, rsel, sel, seq, skip_if};
use warband::args::Arg;
use warband::rng::Dice;
use warband::tree::{Exit, Status, Why};
use warband::{ErrorKind, Spec};

fn key(name: &str) -> Arg {
    Arg::Key(name.to_owned())
}

fn of<const N: usize>(node: &str, children: [Spec; N]) -> Spec {
    Spec::new(node).with_all(children)
}

fn switch(reactive: bool) -> Spec {
    Spec::new("switch")
        .set("key", "n")
        .set("reactive", reactive)
        .with(p("one").edge("case", 1.0))
        .with(p("two").edge("case", 2.0))
}

fn switch_with_rest(reactive: bool) -> Spec {
    switch(reactive).with(p("rest"))
}

/// `low` is worth 1, `live` is worth the key `n`, `high` is worth 2.
fn useful(interval: f64, inertia: f64) -> Spec {
    Spec::new("utility_selector")
        .set("interval", interval)
        .set("inertia", inertia)
        .with(p("low").edge("score", 1.0))
        .with(p("live").edge("score", key("n")))
        .with(p("high").edge("score", 2.0))
}

const SWITCHES: &[Row] = &[
    Row {
        name: "switch: chosen on enter and kept",
        tree: || switch_with_rest(false),
        lines: "
            n:=2         -> R | one 0/0/0 two 1/1/0 rest 0/0/0
            n:=1 +0      -> R | one 0/0/0 two 1/2/0 rest 0/0/0
            two=F        -> F | one 0/0/0 two 1/3/1 rest 0/0/0
            one=S        -> S | one 1/1/1 two 1/3/1 rest 0/0/0
            n:=7         -> R | one 1/1/1 two 1/3/1 rest 1/1/0",
    },
    Row {
        name: "switch: reactive chooses again in each tick, and lets what is still chosen go on",
        tree: || switch_with_rest(true),
        lines: "
            n:=2         -> R | one 0/0/0 two 1/1/0 rest 0/0/0
                         -> R | one 0/0/0 two 1/2/0 rest 0/0/0
            n:=1 +0      -> R | one 1/1/0 two 1/2/1 rest 0/0/0
            n:=5         -> R | one 1/1/1 two 1/2/1 rest 1/1/0
            n:=6         -> R | one 1/1/1 two 1/2/1 rest 1/2/0
            halt         -> - | one 1/1/1 two 1/2/1 rest 1/2/1
            n:=1         -> R | one 2/2/1 two 1/2/1 rest 1/2/1",
    },
    Row {
        name: "switch: no child for the value is failure",
        tree: || switch(true),
        lines: "
            n:=3 -> F | one 0/0/0 two 0/0/0
            n:=1 -> R | one 1/1/0 two 0/0/0
            n:=3 -> F | one 1/1/1 two 0/0/0",
    },
    Row {
        name: "switch: cases may be bools, and other keys",
        tree: || {
            let other = p("other").edge("case", key("b"));
            Spec::new("switch").set("key", "a").with(p("yes").edge("case", true)).with(other)
        },
        lines: "
            a:=1 b:=0 -> R | yes 1/1/0 other 0/0/0
            halt      -> - | yes 1/1/1 other 0/0/0
            a:=0      -> R | yes 1/1/1 other 1/1/0",
    },
    Row {
        name: "if_then_else: chosen on enter and kept",
        tree: || Spec::new("if_then_else").when(condition("c")).with(p("x")).with(p("y")),
        lines: "
            c=S    -> R | x 1/1/0 y 0/0/0 c?1
            c=F +0 -> R | x 1/2/0 y 0/0/0 c?1
            x=F    -> F | x 1/3/1 y 0/0/0 c?1
                   -> R | x 1/3/1 y 1/1/0 c?2
            y=S    -> S | x 1/3/1 y 1/2/1 c?2",
    },
    Row {
        name: "if_then_else: without a second child it fails",
        tree: || Spec::new("if_then_else").when(has("a")).with(p("x")),
        lines: "
            a:=0 -> F | x 0/0/0
            a:=1 -> R | x 1/1/0
            halt -> - | x 1/1/1
            a:=0 -> F | x 1/1/1",
    },
    Row {
        name: "while_do: the branch changes with the condition, in the same tick",
        tree: || Spec::new("while_do").when(condition("c")).with(p("x")).with(p("y")),
        lines: "
            c=S    -> R | x 1/1/0 y 0/0/0 c?1
                   -> R | x 1/2/0 y 0/0/0 c?2
            c=F +0 -> R | x 1/2/1 y 1/1/0 c?3
            c=S    -> R | x 2/3/1 y 1/1/1 c?4
            x=S    -> S | x 2/4/2 y 1/1/1 c?5",
    },
    Row {
        name: "while_do: the condition may be made of several",
        tree: || Spec::new("while_do").when(seq([has("a"), has("b")])).with(p("x")).with(p("y")),
        lines: "
            a:=1 b:=1 -> R | x 1/1/0 y 0/0/0
            b:=0      -> R | x 1/1/1 y 1/1/0
            halt      -> - | x 1/1/1 y 1/1/1
            b:=1      -> R | x 2/2/1 y 1/1/1",
    },
    Row {
        name: "what a condition let in is chosen, not tried: what it replaces is exited first, for nothing if it fails",
        tree: || rsel([Spec::new("if_then_else").when(has("a")).with(p("x")), p("z")]),
        lines: "
            a:=0     -> R | x 0/0/0 z 1/1/0
                     -> R | x 0/0/0 z 1/2/0
            a:=1 x=F -> R | x 1/1/1 z 2/3/1
            x=R      -> R | x 2/2/1 z 2/3/2",
    },
];

const USES: &[Row] = &[
    Row {
        name: "utility: the best wins, the first of equals",
        tree: || useful(0.0, 0.0),
        lines: "
            n:=0 -> R | low 0/0/0 live 0/0/0 high 1/1/0
            halt -> - | low 0/0/0 live 0/0/0 high 1/1/1
            n:=2 -> R | low 0/0/0 live 1/1/0 high 1/1/1
            n:=1 -> R | low 0/0/0 live 1/1/1 high 2/2/1",
    },
    Row {
        name: "utility: inertia keeps the running child until another is better by more",
        tree: || useful(0.0, 0.5),
        lines: "
            n:=0   -> R | low 0/0/0 live 0/0/0 high 1/1/0
            n:=2.5 -> R | low 0/0/0 live 0/0/0 high 1/2/0
            n:=2.6 -> R | low 0/0/0 live 1/1/0 high 1/2/1
            n:=1.6 -> R | low 0/0/0 live 1/2/0 high 1/2/1
            n:=1.4 -> R | low 0/0/0 live 1/2/1 high 2/3/1",
    },
    Row {
        name: "utility: it compares at its interval",
        tree: || useful(0.5, 0.0),
        lines: "
            n:=0 +0   -> R | low 0/0/0 live 0/0/0 high 1/1/0
            n:=3 +0.4 -> R | low 0/0/0 live 0/0/0 high 1/2/0
                 +0.1 -> R | low 0/0/0 live 1/1/0 high 1/2/1
            n:=0 +0   -> R | low 0/0/0 live 1/2/0 high 1/2/1
                 +0.5 -> R | low 0/0/0 live 1/2/1 high 2/3/1",
    },
    Row {
        name: "utility: what failed is left out until the next comparison",
        tree: || useful(0.5, 0.0),
        lines: "
            n:=0 high=F +0 -> R | low 1/1/0 live 0/0/0 high 1/1/1
                 +0.4      -> R | low 1/2/0 live 0/0/0 high 1/1/1
            high=R +0.1    -> R | low 1/2/1 live 0/0/0 high 2/2/1",
    },
    Row {
        name: "utility: all failed, the most useful first",
        tree: || useful(0.5, 0.0),
        lines: "
            n:=9 low=F live=F high=F -> F | low 1/1/1 live 1/1/1 high 1/1/1
            live=S                   -> S | low 1/1/1 live 2/2/2 high 1/1/1",
    },
    Row {
        name: "utility: what is passed over is not there",
        tree: || {
            let best = skip_if(has("a"), p("best")).edge("score", 9.0);
            Spec::new("utility_selector").with(best).with(p("rest").edge("score", 1.0))
        },
        lines: "
            a:=1   -> R | best 0/0/0 rest 1/1/0
            rest=F -> F | best 0/0/0 rest 1/2/1
            a:=0   -> R | best 1/1/0 rest 1/2/1",
    },
];

const ENDS: &[Row] = &[
    Row {
        name: "race: the first end decides, success",
        tree: || of("race", [p("x"), p("y"), p("z")]),
        lines: "
                -> R | x 1/1/0 y 1/1/0 z 1/1/0
            y=S -> S | x 1/2/1 y 1/2/1 z 1/2/1
            y=R -> R | x 2/3/1 y 2/3/1 z 2/3/1",
    },
    Row {
        name: "race: the first end decides, failure",
        tree: || of("race", [p("x"), p("y")]),
        lines: "
            +0     -> R | x 1/1/0 y 1/1/0
            x=F +0 -> F | x 1/2/1 y 1/2/1",
    },
    Row {
        name: "race: failure wins a tie",
        tree: || of("race", [p("x"), p("y")]),
        lines: "x=S y=F -> F | x 1/1/1 y 1/1/1",
    },
    Row {
        name: "race: an abort exits all, and who is passed over has not won",
        tree: || of("race", [skip_if(has("a"), p("x")), p("y"), p("z")]),
        lines: "
            a:=1 -> R | x 0/0/0 y 1/1/0 z 1/1/0
            halt -> - | x 0/0/0 y 1/1/1 z 1/1/1
            a:=0 -> R | x 1/1/0 y 2/2/1 z 2/2/1",
    },
    Row {
        name: "try_catch: the handler may take its time, and its result does not count",
        tree: || of("try_catch", [p("x"), p("h")]),
        lines: "
            x=R    -> R | x 1/1/0 h 0/0/0
            x=F    -> R | x 1/2/1 h 1/1/0
            +0     -> R | x 1/2/1 h 1/2/0
            h=S    -> F | x 1/2/1 h 1/3/1
            x=S    -> S | x 2/3/2 h 1/3/1",
    },
    Row {
        name: "try_catch: an abort is no failure",
        tree: || of("try_catch", [p("x"), p("h")]),
        lines: "
            x=R  -> R | x 1/1/0 h 0/0/0
            halt -> - | x 1/1/1 h 0/0/0
            x=F  -> R | x 2/2/2 h 1/1/0
            halt -> - | x 2/2/2 h 1/1/1
            x=R  -> R | x 3/3/2 h 1/1/1",
    },
    Row {
        name: "finally: after success and failure alike",
        tree: || of("finally", [p("x"), p("c")]),
        lines: "
            x=S     -> R | x 1/1/1 c 1/1/0
            c=F     -> S | x 1/1/1 c 1/2/1
            x=F c=S -> F | x 2/2/2 c 2/3/2",
    },
    Row {
        name: "finally: not after an abort, and a cleanup can be aborted",
        tree: || of("finally", [p("x"), p("c")]),
        lines: "
            x=R    -> R | x 1/1/0 c 0/0/0
            halt   -> - | x 1/1/1 c 0/0/0
            x=S +0 -> R | x 2/2/2 c 1/1/0
            halt   -> - | x 2/2/2 c 1/1/1
            x=R +0 -> R | x 3/3/2 c 1/1/1",
    },
    Row {
        name: "finally: cleans up after a body that is passed over",
        tree: || of("finally", [skip_if(has("a"), p("x")), p("c")]),
        lines: "a:=1 c=F -> S | x 0/0/0 c 1/1/1",
    },
];

#[test]
fn switches_and_conditions_choose() {
    run(SWITCHES);
}

#[test]
fn the_most_useful_is_done() {
    run(USES);
}

#[test]
fn races_and_cleanups_end_as_they_say() {
    run(ENDS);
}

fn bench(spec: &Spec) -> Bench {
    book(|book| *book = Book::default());
    Bench::new(spec, 1).unwrap_or_else(|error| panic!("{error}"))
}

fn answer(probe: &str, status: Status) {
    book(|book| {
        let probe = book.number(probe);
        book.results.insert(probe, status);
    });
}

/// The names of probes in the order in which they were entered since the last call.
fn entered() -> Vec<String> {
    book(|book| {
        let log = std::mem::take(&mut book.log);
        let enters = log.iter().filter(|note| note.what == What::Enter);
        enters.map(|note| book.names[note.probe].clone()).collect()
    })
}

fn numbered(node: &str, count: usize) -> Spec {
    Spec::new(node).with_all((0..count).map(|at| p(&format!("t{at}"))))
}

#[test]
fn a_random_sequence_does_all_in_every_order() {
    let mut bench = bench(&numbered("random_sequence", 3));
    (0..3).for_each(|at| answer(&format!("t{at}"), Status::Success));
    let mut orders = std::collections::BTreeMap::<_, u32>::new();
    for _ in 0..600 {
        assert_eq!(bench.tick(0.1), [Status::Success]);
        *orders.entry(entered()).or_default() += 1;
    }
    // Each of the six orders has its 100, give or take four deviations.
    assert_eq!(orders.len(), 6);
    assert!(orders.values().all(|count| (63..=137).contains(count)), "{orders:?}");
}

#[test]
fn an_order_is_kept_while_it_lasts_and_drawn_anew_after() {
    let mut bench = bench(&numbered("random_selector", 16));
    (0..16).for_each(|at| answer(&format!("t{at}"), Status::Running));
    let mut first_ones = std::collections::BTreeSet::new();
    for _ in 0..100 {
        for step in 0..16 {
            assert_eq!(bench.tick(0.1), [Status::Running]);
            assert_eq!(bench.tick(0.0), [Status::Running]);
            let name = book(|book| {
                let last = book.log.last().expect("somebody runs");
                book.names[last.probe].clone()
            });
            if step == 0 {
                first_ones.insert(name.clone());
            }
            answer(&name, Status::Failure);
        }
        // The last of them fails, and so does the selector: everybody was entered once.
        assert_eq!(bench.tick(0.1), [Status::Failure]);
        let mut names = entered();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 16);
        (0..16).for_each(|at| answer(&format!("t{at}"), Status::Running));
    }
    assert_eq!(first_ones.len(), 16);
}

#[test]
fn a_random_order_goes_on_after_what_ends_the_other_way_only() {
    let mut bench = bench(&numbered("random_selector", 4));
    (0..4).for_each(|at| answer(&format!("t{at}"), Status::Success));
    assert_eq!(bench.tick(0.1), [Status::Success]);
    assert_eq!(entered().len(), 1);
    let mut bench = self::bench(&numbered("random_sequence", 4));
    (0..4).for_each(|at| answer(&format!("t{at}"), Status::Failure));
    assert_eq!(bench.tick(0.1), [Status::Failure]);
    assert_eq!(entered().len(), 1);
}

#[test]
fn random_composites_pass_over_children() {
    for (node, status) in [("random_sequence", Status::Success), ("random_selector", Status::Failure)] {
        let children = (0..4).map(|at| skip_if(has("a"), p(&format!("t{at}"))));
        let mut bench = bench(&Spec::new(node).with_all(children));
        bench.set(0, "a", true);
        assert_eq!(bench.tick(0.1), [status]);
        assert!(entered().is_empty());
    }
}

#[test]
fn an_abort_in_the_middle_forgets_the_order() {
    let mut bench = bench(&numbered("random_sequence", 5));
    for _ in 0..50 {
        bench.tick(0.1);
        bench.halt(0, Why::Halted);
    }
    book(|book| {
        let exits = book.log.iter().filter(|note| matches!(note.what, What::Exit(_)));
        assert!(exits.clone().all(|note| note.what == What::Exit(Exit::Aborted(Why::Halted))));
        assert_eq!(exits.count(), 50);
    });
    let first = entered();
    assert_eq!(first.len(), 50);
    assert!((0..5).all(|at| first.contains(&format!("t{at}"))), "{first:?}");
}

#[test]
fn an_order_outlives_a_reload_that_takes_children_away_or_adds_some() {
    for (before, after) in [(8, 3), (3, 8), (16, 1), (1, 16)] {
        for seed in 0..40 {
            let mut bench = bench(&numbered("random_sequence", before));
            bench.minds[0].dice = Dice::new(seed, &[]);
            bench.tick(0.1);
            let old = bench.tree.clone();
            bench.tree = Bench::new(&numbered("random_sequence", after), 1).expect("good").tree.clone();
            let (memory, whole) = warband::tree::carry(&old, &bench.minds[0].memory, &bench.tree);
            if !whole {
                continue;
            }
            bench.minds[0].memory = memory;
            (0..16).for_each(|at| answer(&format!("t{at}"), Status::Success));
            assert_eq!(bench.tick(0.1), [Status::Success]);
            let names = entered();
            let known = names.iter().collect::<std::collections::BTreeSet<_>>();
            assert_eq!(names.len(), known.len(), "{before} to {after}: one was entered twice");
            assert!(after < before || names.len() == after, "{before} to {after}: {names:?}");
        }
    }
}

#[test]
fn weights_are_shares() {
    let spec = Spec::new("weighted_selector")
        .with(p("t0").edge("weight", 1.0))
        .with(p("t1").edge("weight", 0.0))
        .with(p("t2").edge("weight", 3.0));
    let mut bench = bench(&spec);
    (0..3).for_each(|at| answer(&format!("t{at}"), Status::Success));
    let mut counts = [0; 3];
    for _ in 0..1000 {
        bench.tick(0.1);
        let names = entered();
        assert_eq!(names.len(), 1);
        counts[names[0][1..].parse::<usize>().expect("a number")] += 1;
    }
    // 250 of 1000 with a deviation of 14.
    assert!(counts[1] == 0 && (195..=305).contains(&counts[0]), "{counts:?}");
}

#[test]
fn a_drawn_child_that_fails_gives_way_to_the_others_each_once() {
    let mut bench = bench(&numbered("weighted_selector", 64));
    (0..64).for_each(|at| answer(&format!("t{at}"), Status::Failure));
    assert_eq!(bench.tick(0.1), [Status::Failure]);
    let mut names = entered();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 64);
    answer("t7", Status::Running);
    assert_eq!(bench.tick(0.1), [Status::Running]);
    bench.halt(0, Why::Halted);
    // What had failed before the halt is forgotten.
    (0..64).for_each(|at| answer(&format!("t{at}"), Status::Success));
    entered();
    assert_eq!(bench.tick(0.0), [Status::Success]);
    assert_eq!(entered().len(), 1);
}

#[test]
fn a_key_beyond_all_measure_is_no_weight_that_breaks_the_draw() {
    for number in [1e300, -1e300, 0.0, 1e-300] {
        let spec = Spec::new("weighted_selector")
            .with(p("t0").edge("weight", key("n")))
            .with(p("t1").edge("weight", key("n")));
        let mut bench = bench(&spec);
        bench.set(0, "n", number);
        bench.tick(0.1);
        assert_eq!(entered().len(), usize::from(number > 1.0), "{number}");
    }
}

#[test]
fn agents_draw_each_for_themselves_and_again_the_same() {
    let run = |agents: usize| {
        book(|book| *book = Book::default());
        let mut bench = Bench::new(&numbered("random_selector", 8), agents).expect("good");
        (0..8).for_each(|at| answer(&format!("t{at}"), Status::Success));
        for agent in 0..agents {
            bench.minds[agent].dice = Dice::new(3, &[agent as u64]);
        }
        let mut stories = vec![Vec::new(); agents];
        for _ in 0..40 {
            bench.tick(0.1);
        }
        book(|book| {
            for note in book.log.iter().filter(|note| note.what == What::Enter) {
                stories[note.agent as usize].push(note.probe);
            }
        });
        stories
    };
    let (alone, both) = (run(1), run(2));
    assert_eq!(alone[0], both[0]);
    assert_ne!(both[0], both[1]);
}

#[test]
fn curves_are_what_they_say() {
    // With a score of 3, slope 2 and shift 1, t is 4; the other child has a fixed use just below or above.
    let cases =
        [("linear", 4.0), ("quadratic", 16.0), ("root", 2.0), ("logistic", 0.982_013_8), ("bell", 1.125e-7)];
    for (curve, utility) in cases {
        for (other, wins) in [(utility * 0.999, true), (utility * 1.001, false)] {
            let scored = p("x").edge("score", 3.0).edge("curve", curve).edge("slope", 2.0).edge("shift", 1.0);
            let spec = Spec::new("utility_selector").with(p("y").edge("score", other)).with(scored);
            bench(&spec).tick(0.1);
            assert_eq!(entered() == ["x"], wins, "{curve} {other}");
        }
    }
}

#[test]
fn a_score_beyond_all_measure_is_still_a_number() {
    for curve in ["linear", "quadratic", "root", "logistic", "bell"] {
        for (number, slope) in [(1e300, 0.0), (-1e300, 0.0), (1e300, 1e6), (-1e300, 1e6)] {
            let scored = p("x").edge("score", key("n")).edge("curve", curve).edge("slope", slope);
            let mut bench =
                bench(&Spec::new("utility_selector").with(scored).with(p("y").edge("score", -1e9)));
            bench.set(0, "n", number);
            bench.tick(0.1);
            let wanted = if curve == "linear" && number * slope < 0.0 { "y" } else { "x" };
            assert_eq!(entered(), [wanted], "{curve} {number} {slope}");
        }
    }
}

fn refused(spec: &Spec) -> (ErrorKind, String) {
    book(|book| *book = Book::default());
    let error = Bench::new(spec, 1).err().expect("it is refused");
    (error.kind(), error.to_string())
}

#[test]
fn what_cannot_be_chosen_from_is_refused() {
    let (kind, text) = refused(&numbered("random_selector", 17));
    assert_eq!((kind, text.contains("at most 16 children, got 17")), (ErrorKind::TooMany, true), "{text}");
    let (kind, text) = refused(&numbered("weighted_selector", 65));
    assert_eq!((kind, text.contains("at most 64 children, got 65")), (ErrorKind::TooMany, true), "{text}");
    let two_rests = switch_with_rest(false).with(p("more"));
    assert_eq!(refused(&two_rests).0, ErrorKind::Conflict);
    let twice = switch(false).with(p("more").edge("case", 2.0));
    assert_eq!(refused(&twice).0, ErrorKind::Conflict);
    let of_another_type = switch(false).with(p("more").edge("case", "word"));
    assert_eq!(refused(&of_another_type).0, ErrorKind::WrongType);
    let no_score = Spec::new("utility_selector").with(p("x"));
    assert_eq!(refused(&no_score).0, ErrorKind::Missing);
    let (kind, text) = refused(&Spec::new("try_catch").with(p("x")));
    assert_eq!((kind, text.contains("takes 2 children, got 1")), (ErrorKind::Missing, true), "{text}");
    let three = Spec::new("while_do").when(has("a")).with(p("x")).with(p("y")).with(p("z"));
    let (kind, text) = refused(&three);
    assert_eq!((kind, text.contains("takes 1 to 2 children, got 3")), (ErrorKind::TooMany, true), "{text}");
    let impure = Spec::new("while_do").when(sel([p("x")])).with(p("y"));
    assert_eq!(refused(&impure).0, ErrorKind::WrongType);
}
