//! Rows of our own beside the case facts: guards, the order of exits and enters, times, bands, cooldowns.

mod tree_sim;

use tree_sim::table::{Row, run};
use tree_sim::{condition, guard, guard_that, has, leaf as p, over, par, rsel, rseq, sel, seq, shell, wait};
use warband::Spec;
use warband::tree::{Exit, Why};

fn two_branches(abort: &str) -> Spec {
    sel([guard_that(abort, has("a"), p("x")), p("y")])
}

fn bands(margin: f64, borders: &[f64]) -> Spec {
    let mut spec =
        Spec::new("bands").set("by", warband::args::Arg::Key("n".to_owned())).set("margin", margin);
    for (at, border) in borders.iter().enumerate() {
        spec = spec.with(p(&format!("b{at}")).edge("below", *border));
    }
    spec.with(p("last"))
}

fn cooldown(on: &str, keep: &str) -> Spec {
    over("cooldown", p("x")).set("seconds", 1.0).set("on", on).set("keep", keep)
}

const GUARDS: &[Row] = &[
    Row {
        name: "abort none: asked on enter only",
        tree: || two_branches("none"),
        lines: "
            a:=1 -> R | x 1/1/0 y 0/0/0
            a:=0 -> R | x 1/2/0 y 0/0/0
            x=F  -> R | x 1/3/1 y 1/1/0
            a:=1 -> R | x 1/3/1 y 1/2/0",
    },
    Row {
        name: "abort self: the own branch alone",
        tree: || two_branches("self"),
        lines: "
            a:=1 -> R | x 1/1/0 y 0/0/0
            a:=0 -> R | x 1/1/1 y 1/1/0
            a:=1 -> R | x 1/1/1 y 1/2/0",
    },
    Row {
        name: "abort lower: lower branches alone",
        tree: || two_branches("lower"),
        lines: "
            a:=0 -> R | x 0/0/0 y 1/1/0
            a:=1 -> R | x 1/1/0 y 1/1/1
            a:=0 -> R | x 1/2/0 y 1/1/1",
    },
    Row {
        name: "abort both",
        tree: || two_branches("both"),
        lines: "
            a:=0 -> R | x 0/0/0 y 1/1/0
            a:=1 -> R | x 1/1/0 y 1/1/1
            a:=0 -> R | x 1/1/1 y 2/2/1",
    },
    Row {
        name: "an edge, not a level: a branch that failed does not come back while its condition stays true",
        tree: || two_branches("both"),
        lines: "
            a:=1 x=F -> R | x 1/1/1 y 1/1/0
                     -> R | x 1/1/1 y 1/2/0
            a:=0     -> R | x 1/1/1 y 1/3/0
            a:=1 x=R -> R | x 2/2/1 y 1/3/1",
    },
    Row {
        name: "a condition that failed unasked while the own branch ran is news when it comes true",
        tree: || two_branches("lower"),
        lines: "
            a:=1     -> R | x 1/1/0 y 0/0/0
            a:=0 x=F -> R | x 1/2/1 y 1/1/0
            a:=1 x=R -> R | x 2/3/1 y 1/1/1",
    },
    Row {
        name: "through sequences and subtrees, to every selector above",
        tree: || {
            let inner = sel([seq([over("subtree", guard(has("a"), p("x"))), p("w")]), p("y")]);
            sel([over("subtree", seq([inner, p("v")])), p("z")])
        },
        lines: "
            y=R     -> R | x 0/0/0 w 0/0/0 y 1/1/0 v 0/0/0 z 0/0/0
            y=F     -> R | x 0/0/0 w 0/0/0 y 1/2/1 v 0/0/0 z 1/1/0
            a:=1    -> R | x 1/1/0 w 0/0/0 y 1/2/1 v 0/0/0 z 1/1/1
            x=S w=R -> R | x 1/2/1 w 1/1/0 y 1/2/1 v 0/0/0 z 1/1/1
            a:=0    -> R | x 1/2/1 w 1/2/0 y 1/2/1 v 0/0/0 z 1/1/1",
    },
    Row {
        name: "a guard that is not the first thing of its branch reaches no lower one",
        tree: || sel([seq([p("s"), guard(has("a"), p("x"))]), p("y")]),
        lines: "
            s=S  -> R | s 1/1/1 x 0/0/0 y 1/1/0
            a:=1 -> R | s 1/1/1 x 0/0/0 y 1/2/0",
    },
    Row {
        name: "a guard that aborts nothing is asked in its turn by a reactive selector, and keeps what it let in",
        tree: || rsel([guard_that("none", has("a"), p("x")), p("y")]),
        lines: "
            a:=0 -> R | x 0/0/0 y 1/1/0
            a:=1 -> R | x 1/1/0 y 1/1/1
            a:=0 -> R | x 1/2/0 y 1/1/1",
    },
    Row {
        name: "a reactive ancestor is asked before a guard below it takes over",
        tree: || rsel([seq([condition("c"), p("top")]), sel([guard(has("a"), p("x")), p("y")])]),
        lines: "
            c=F      -> R | top 0/0/0 x 0/0/0 y 1/1/0
            c=S a:=1 -> R | top 1/1/0 x 0/0/0 y 1/1/1",
    },
    Row {
        name: "an outer guard that fails is heard before an inner one takes over",
        tree: || sel([guard(has("b"), sel([guard(has("a"), p("x")), p("y")])), p("z")]),
        lines: "
            b:=1      -> R | x 0/0/0 y 1/1/0 z 0/0/0
            b:=0 a:=1 -> R | x 0/0/0 y 1/1/1 z 1/1/0",
    },
    Row {
        name: "the outermost of two takeovers wins, and only it is entered",
        tree: || {
            let inner = sel([guard(has("b"), p("x")), p("y")]);
            sel([guard(has("a"), p("top")), inner])
        },
        lines: "
                      -> R | top 0/0/0 x 0/0/0 y 1/1/0
            a:=1 b:=1 -> R | top 1/1/0 x 0/0/0 y 1/1/1",
    },
    Row {
        name: "the first guard of a selector wins over one nested deeper in a later branch",
        tree: || sel([seq([guard(has("b"), p("x"))]), guard(has("a"), p("w")), p("y")]),
        lines: "
                      -> R | x 0/0/0 w 0/0/0 y 1/1/0
            a:=1 b:=1 -> R | x 1/1/0 w 0/0/0 y 1/1/1",
    },
    Row {
        name: "two guards that upset one another settle, once a tick each",
        tree: || sel([guard(over("invert", has("a")), p("x")), guard(has("a"), p("y")), p("z")]),
        lines: "
            a:=0 -> R | x 1/1/0 y 0/0/0 z 0/0/0
            a:=1 -> R | x 1/1/1 y 1/1/0 z 0/0/0
            a:=0 -> R | x 2/2/1 y 1/1/1 z 0/0/0",
    },
    Row {
        name: "a guard over a parallel aborts all of it",
        tree: || guard(has("a"), par(0, 1, [p("x"), seq([p("s"), p("y")])])),
        lines: "
            a:=1 s=S -> R | x 1/1/0 s 1/1/1 y 1/1/0
            a:=0     -> F | x 1/1/1 s 1/1/1 y 1/1/1
            a:=1     -> R | x 2/2/1 s 2/2/2 y 2/2/1",
    },
    Row {
        name: "guards within a parallel reach no further than their branch",
        tree: || sel([par(0, 1, [sel([guard(has("a"), p("x")), p("y")]), p("z")]), p("w")]),
        lines: "
                 -> R | x 0/0/0 y 1/1/0 z 1/1/0 w 0/0/0
            a:=1 -> R | x 1/1/0 y 1/1/1 z 1/2/0 w 0/0/0",
    },
];

const MIXED: &[Row] = &[
    Row {
        name: "memory inside reactive resumes",
        tree: || rsel([condition("c"), seq([p("a"), p("b")])]),
        lines: "
            c=F a=S -> R | a 1/1/1 b 1/1/0
            a=F     -> R | a 1/1/1 b 1/2/0",
    },
    Row {
        name: "reactive inside memory is not asked again while a later sibling runs",
        tree: || seq([rseq([condition("c"), p("a")]), p("b")]),
        lines: "
            c=S a=S -> R | a 1/1/1 b 1/1/0 c?1
            c=F     -> R | a 1/1/1 b 1/2/0 c?1",
    },
    Row {
        name: "parallel inside reactive inside parallel",
        tree: || par(0, 1, [rsel([condition("c"), par(0, 1, [p("a"), p("b")])]), p("z")]),
        lines: "
            c=F a=S -> R | a 1/1/1 b 1/1/0 z 1/1/0
                    -> R | a 1/1/1 b 1/2/0 z 1/2/0
            c=S     -> R | a 1/1/1 b 1/2/1 z 1/3/0
            z=S     -> S | a 1/1/1 b 1/2/1 z 1/4/1",
    },
    Row {
        name: "a reactive child of a finished parallel child is not asked again",
        tree: || par(2, 2, [rseq([condition("c"), p("a")]), p("z")]),
        lines: "
            c=S a=S -> R | a 1/1/1 z 1/1/0 c?1
            c=F     -> R | a 1/1/1 z 1/2/0 c?1
            z=S     -> S | a 1/1/1 z 1/3/1 c?1",
    },
    Row {
        name: "a branch behind a condition that fails at once was worth the abort of what ran",
        tree: || rsel([seq([condition("c"), p("a")]), p("b")]),
        lines: "
            c=F     -> R | a 0/0/0 b 1/1/0
            c=S a=F -> R | a 1/1/1 b 2/2/1",
    },
    Row {
        name: "a bare sequence is tried with its first action only",
        tree: || rsel([seq([p("a"), p("b")]), p("y")]),
        lines: "
            a=F -> R | a 1/1/1 b 0/0/0 y 1/1/0
            a=F -> R | a 2/2/2 b 0/0/0 y 1/2/0
            a=S -> R | a 3/3/3 b 1/1/0 y 1/2/1",
    },
    Row {
        name: "force_success and force_failure and invert pass running on",
        tree: || seq([over("force_success", p("a")), over("invert", p("b")), over("force_failure", p("c"))]),
        lines: "
            a=R -> R | a 1/1/0 b 0/0/0 c 0/0/0
            a=F -> R | a 1/2/1 b 1/1/0 c 0/0/0
            b=F -> R | a 1/2/1 b 1/2/1 c 1/1/0
            c=S -> F | a 1/2/1 b 1/2/1 c 1/2/1
            b=S -> F | a 2/3/2 b 2/3/2 c 1/2/1",
    },
    Row {
        name: "halting forgets where a sequence was",
        tree: || seq([p("a"), p("b")]),
        lines: "
            a=S  -> R | a 1/1/1 b 1/1/0
            halt -> - | a 1/1/1 b 1/1/1
            halt -> - | a 1/1/1 b 1/1/1
                 -> R | a 2/2/2 b 2/2/1",
    },
    Row {
        name: "of two writes to a shared key in one tick its writer reads the later one",
        tree: || {
            let set = |on: bool| Spec::new("set").set("key", "y").set("to", on);
            seq([set(false), set(true), has("y"), set(false), over("invert", has("y")), p("x")])
        },
        lines: "-> R | x 1/1/0",
    },
    Row {
        name: "zero attempts do not enter",
        tree: || seq([over("repeat_times", p("a")).set("times", 0), over("retry", p("b")).set("times", 0)]),
        lines: "-> F | a 0/0/0 b 0/0/0",
    },
    Row {
        name: "bands: 12 and 8 with a margin of 1.5 change at 10.5, 13.5, 6.5 and 9.5",
        tree: || bands(1.5, &[8.0, 12.0]),
        lines: "
            n:=20    -> R | b0 0/0/0 b1 0/0/0 last 1/1/0
            n:=10.6  -> R | b0 0/0/0 b1 0/0/0 last 1/2/0
            n:=10.5  -> R | b0 0/0/0 b1 1/1/0 last 1/2/1
            n:=13.5  -> R | b0 0/0/0 b1 1/2/0 last 1/2/1
            n:=13.51 -> R | b0 0/0/0 b1 1/2/1 last 2/3/1
            n:=10.4  -> R | b0 0/0/0 b1 2/3/1 last 2/3/2
            n:=6.6   -> R | b0 0/0/0 b1 2/4/1 last 2/3/2
            n:=6.5   -> R | b0 1/1/0 b1 2/4/2 last 2/3/2
            n:=9.5   -> R | b0 1/2/0 b1 2/4/2 last 2/3/2
            n:=9.51  -> R | b0 1/2/1 b1 3/5/2 last 2/3/2
            n:=30    -> R | b0 1/2/1 b1 3/5/3 last 3/4/2
            n:=1     -> R | b0 2/3/1 b1 3/5/3 last 3/4/3",
    },
    Row {
        name: "bands: the first choice has no margin, and neither has one after a halt",
        tree: || bands(1.5, &[8.0, 12.0]),
        lines: "
            n:=11.9 -> R | b0 0/0/0 b1 1/1/0 last 0/0/0
            n:=12.1 -> R | b0 0/0/0 b1 1/2/0 last 0/0/0
            halt    -> - | b0 0/0/0 b1 1/2/1 last 0/0/0
            n:=12.1 -> R | b0 0/0/0 b1 1/2/1 last 1/1/0",
    },
    Row {
        name: "cooldown from the start",
        tree: || cooldown("start", "persist"),
        lines: "
            x=R +0   -> R | x 1/1/0
            x=S +0.9 -> S | x 1/2/1
            x=R +0.0 -> F | x 1/2/1
                +0.1 -> R | x 2/3/1",
    },
    Row {
        name: "cooldown after success only",
        tree: || cooldown("success", "persist"),
        lines: "
            x=F +0   -> F | x 1/1/1
            x=S +0.1 -> S | x 2/2/2
            x=S +0.9 -> F | x 2/2/2
            x=S +0.1 -> S | x 3/3/3",
    },
    Row {
        name: "cooldown persists through an abort, which counts as an end",
        tree: || cooldown("finish", "persist"),
        lines: "
            x=R  +0   -> R | x 1/1/0
            halt      -> - | x 1/1/1
                 +0.9 -> F | x 1/1/1
                 +0.1 -> R | x 2/2/1",
    },
    Row {
        name: "cooldown reset: an abort forgets it",
        tree: || cooldown("start", "reset"),
        lines: "
            x=R  +0   -> R | x 1/1/0
            halt      -> - | x 1/1/1
                 +0.1 -> R | x 2/2/1",
    },
    Row {
        name: "cooldown reset: a branch that is left forgets it, also when its child had ended before",
        tree: || sel([guard(has("a"), rsel([cooldown("finish", "reset"), p("strafe")])), p("z")]),
        lines: "
            a:=1 x=S -> S | x 1/1/1 strafe 0/0/0 z 0/0/0
                     -> R | x 1/1/1 strafe 1/1/0 z 0/0/0
            a:=0     -> R | x 1/1/1 strafe 1/1/1 z 1/1/0
            a:=1     -> S | x 2/2/2 strafe 1/1/1 z 1/1/1",
    },
    Row {
        name: "cooldown persist: a branch that is left keeps it",
        tree: || sel([guard(has("a"), rsel([cooldown("finish", "persist"), p("strafe")])), p("z")]),
        lines: "
            a:=1 x=S -> S | x 1/1/1 strafe 0/0/0 z 0/0/0
                     -> R | x 1/1/1 strafe 1/1/0 z 0/0/0
            a:=0     -> R | x 1/1/1 strafe 1/1/1 z 1/1/0
            a:=1     -> R | x 1/1/1 strafe 2/2/1 z 1/1/1",
    },
    Row {
        name: "cooldown reset: what ends by itself keeps it, and a halt between two runs of the tree does not",
        tree: || cooldown("finish", "reset"),
        lines: "
            x=S  -> S | x 1/1/1
                 -> F | x 1/1/1
            halt -> - | x 1/1/1
                 -> S | x 2/2/2",
    },
    Row {
        name: "a time limit of 0 s gives one tick",
        tree: || seq([over("time_limit", p("x")).set("seconds", 0.0)]),
        lines: "
            x=R -> F | x 1/1/1
            x=S -> S | x 2/2/2",
    },
    Row {
        name: "a time limit starts anew after an abort",
        tree: || over("time_limit", p("x")).set("seconds", 1.0),
        lines: "
            +0   -> R | x 1/1/0
            +0.9 -> R | x 1/2/0
            halt -> - | x 1/2/1
            +0   -> R | x 2/3/1
            +0.9 -> R | x 2/4/1
            +0.1 -> F | x 2/5/2",
    },
    Row {
        name: "a time limit over a parallel exits all of it, on the tenth of ten ticks",
        tree: || over("time_limit", par(0, 1, [p("x"), p("y")])).set("seconds", 1.0),
        lines: "
            +0 -> R | x 1/1/0 y 1/1/0
            -> R | x 1/2/0 y 1/2/0
            -> R | x 1/3/0 y 1/3/0
            -> R | x 1/4/0 y 1/4/0
            -> R | x 1/5/0 y 1/5/0
            -> R | x 1/6/0 y 1/6/0
            -> R | x 1/7/0 y 1/7/0
            -> R | x 1/8/0 y 1/8/0
            -> R | x 1/9/0 y 1/9/0
            -> R | x 1/10/0 y 1/10/0
            -> F | x 1/11/1 y 1/11/1",
    },
    Row {
        name: "a wait of 0 s ends at once",
        tree: || seq([wait(0.0), wait(0.0), p("x")]),
        lines: "+0 -> R | x 1/1/0",
    },
    Row {
        name: "an instant child does not loop inside a tick",
        tree: || over("repeat_times", over("retry", p("x"))),
        lines: "
            x=F -> R | x 1/1/1
            x=S -> R | x 2/2/2
            x=F -> R | x 3/3/3",
    },
];

#[test]
fn guards_abort_what_they_say() {
    run(GUARDS);
}

#[test]
fn nodes_together_do_what_each_says() {
    run(MIXED);
}

/// The log of probes as words, without questions: `+x` entered, `x` ticked, `-x` left.
fn story() -> String {
    use tree_sim::What;
    tree_sim::book(|book| {
        let word = |note: &tree_sim::Note| match note.what {
            What::Enter => Some(format!("+{}", book.names[note.probe])),
            What::Tick(_) => Some(book.names[note.probe].clone()),
            What::Exit(_) => Some(format!("-{}", book.names[note.probe])),
            What::Ask(_) => None,
        };
        book.log.iter().filter_map(word).collect::<Vec<_>>().join(" ")
    })
}

fn bench(spec: &Spec) -> tree_sim::Bench {
    tree_sim::book(|book| *book = tree_sim::Book::default());
    tree_sim::Bench::new(spec, 1).expect("the tree is good")
}

#[test]
fn exits_come_before_enters_and_from_the_inside_outwards() {
    let branch = |name: &str| shell(&format!("{name}1"), shell(&format!("{name}2"), p(name)));
    let mut bench = bench(&sel([guard(has("a"), branch("x")), branch("y")]));
    bench.tick(0.1);
    bench.set(0, "a", true);
    bench.tick(0.1);
    assert_eq!(story(), "+y1 +y2 +y y -y -y2 -y1 +x1 +x2 +x x");
    tree_sim::book(|book| assert_eq!(book.exits("y1"), [Exit::Aborted(Why::Higher)]));
    bench.set(0, "a", false);
    bench.tick(0.1);
    tree_sim::book(|book| assert_eq!(book.exits("x"), [Exit::Aborted(Why::Guard)]));
}

#[test]
fn a_branch_behind_a_condition_is_entered_after_the_exit_also_in_a_reactive_selector() {
    let mut bench = bench(&rsel([seq([has("a"), shell("w", p("x"))]), p("y")]));
    bench.tick(0.1);
    bench.set(0, "a", true);
    bench.tick(0.1);
    assert_eq!(story(), "+y y -y +w +x x");
}

#[test]
fn within_a_parallel_that_is_tried_only_the_first_action_of_a_child_comes_before_the_exit() {
    let mut bench = bench(&rsel([par(0, 1, [p("a"), seq([has("a"), p("b")])]), p("y")]));
    bench.tick(0.1);
    tree_sim::book(|book| book.log.clear());
    bench.set(0, "a", true);
    bench.tick(0.1);
    assert_eq!(story(), "+a a -y +b b");
}

#[test]
fn a_parallel_is_left_in_the_order_of_its_children() {
    let mut bench = bench(&shell("all", par(0, 1, [p("a"), shell("in", p("b")), p("c")])));
    bench.tick(0.1);
    bench.halt(0, Why::Halted);
    bench.halt(0, Why::Halted);
    assert_eq!(story(), "+all +a a +in +b b +c c -a -b -in -c -all");
}

#[test]
fn a_service_runs_beside_its_branch_and_is_not_shifted_by_a_takeover_below_it() {
    // The decorator is asked each tick before what is below it, also in the tick in which a guard there takes over.
    let mut bench = bench(&shell("s", sel([guard(has("a"), p("x")), p("y")])));
    bench.tick(0.1);
    bench.set(0, "a", true);
    bench.tick(0.1);
    assert_eq!(story(), "+s +y y s -y +x x");
}
