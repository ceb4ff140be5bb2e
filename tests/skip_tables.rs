//! What is passed over by `skip_if`, and what its parents make of it.

mod tree_sim;

use tree_sim::table::{Row, run};
use tree_sim::{condition, guard, has, leaf as p, over, par, rsel, rseq, sel, seq, shell, skip_if};
use warband::Spec;

fn skipped() -> Spec {
    skip_if(has("a"), p("x"))
}

const CHAINS: &[Row] = &[
    Row {
        name: "a sequence goes on as if it were not there",
        tree: || seq([p("w"), skipped(), p("y")]),
        lines: "
            a:=1 w=S y=R -> R | w 1/1/1 x 0/0/0 y 1/1/0
            y=S          -> S | w 1/1/1 x 0/0/0 y 1/2/1
            a:=0         -> R | w 2/2/2 x 1/1/0 y 1/2/1",
    },
    Row {
        name: "a selector goes on as if it were not there",
        tree: || sel([p("w"), skipped(), p("y")]),
        lines: "
            a:=1 w=F y=R -> R | w 1/1/1 x 0/0/0 y 1/1/0
            y=F          -> F | w 1/1/1 x 0/0/0 y 1/2/1
            a:=0         -> R | w 2/2/2 x 1/1/0 y 1/2/1",
    },
    Row {
        name: "if all are passed over, a sequence succeeds",
        tree: || seq([skipped(), skip_if(has("a"), p("y"))]),
        lines: "a:=1 -> S | x 0/0/0 y 0/0/0",
    },
    Row {
        name: "if all are passed over, a selector fails",
        tree: || sel([skipped(), skip_if(has("a"), p("y"))]),
        lines: "a:=1 -> F | x 0/0/0 y 0/0/0",
    },
    Row {
        name: "the last of a sequence leaves the result to those before it",
        tree: || over("invert", seq([p("w"), skipped()])),
        lines: "a:=1 w=S -> F | w 1/1/1 x 0/0/0",
    },
    Row {
        name: "the last of a selector leaves the result to those before it",
        tree: || over("invert", sel([p("w"), skipped()])),
        lines: "a:=1 w=F -> S | w 1/1/1 x 0/0/0",
    },
    Row {
        name: "a tree that is passed over as a whole succeeds",
        tree: skipped,
        lines: "
            a:=1 -> S | x 0/0/0
            a:=0 -> R | x 1/1/0",
    },
    Row {
        name: "it is asked on entry only",
        tree: || seq([skip_if(condition("c"), p("x")), p("y")]),
        lines: "
            c=F -> R | x 1/1/0 y 0/0/0 c?1
            c=S -> R | x 1/2/0 y 0/0/0 c?1
            x=S -> R | x 1/3/1 y 1/1/0 c?1",
    },
    Row {
        name: "a condition of several",
        tree: || seq([skip_if(sel([has("a"), over("invert", has("b"))]), p("x")), p("y")]),
        lines: "
            a:=0 b:=1 x=S -> R | x 1/1/1 y 1/1/0
            y=S           -> S | x 1/1/1 y 1/2/1
            b:=0 y=R      -> R | x 1/1/1 y 2/3/1",
    },
    Row {
        name: "an abort in the middle, and a fresh question after it",
        tree: || seq([skipped(), p("y")]),
        lines: "
            a:=0      -> R | x 1/1/0 y 0/0/0
            halt      -> - | x 1/1/1 y 0/0/0
            a:=1 +0   -> R | x 1/1/1 y 1/1/0
            halt      -> - | x 1/1/1 y 1/1/1
            a:=0 +0   -> R | x 2/2/1 y 1/1/1",
    },
    Row {
        name: "a bare child of it is tried by a reactive selector, and what it gives way to goes on",
        tree: || rsel([skipped(), p("y")]),
        lines: "
            a:=1     -> R | x 0/0/0 y 1/1/0
            a:=0 x=F -> R | x 1/1/1 y 1/2/0
            x=R      -> R | x 2/2/1 y 1/2/1
            a:=1     -> R | x 2/3/1 y 1/2/1",
    },
    Row {
        name: "a reactive sequence asks it anew behind a child that ended",
        tree: || rseq([skipped(), p("y")]),
        lines: "
            a:=1     -> R | x 0/0/0 y 1/1/0
            a:=0 x=S -> R | x 1/1/1 y 1/2/0
            x=R      -> R | x 2/2/1 y 1/2/1",
    },
];

const PARENTS: &[Row] = &[
    Row {
        name: "what remembers nothing is passed over with it",
        tree: || {
            let plain = over("invert", over("force_failure", over("subtree", guard(has("b"), skipped()))));
            sel([plain, p("y")])
        },
        lines: "
            a:=1 b:=1 -> R | x 0/0/0 y 1/1/0
            y=F       -> F | x 0/0/0 y 1/2/1
            a:=0      -> R | x 1/1/0 y 1/2/1",
    },
    Row {
        name: "skip_if of skip_if",
        tree: || sel([skip_if(has("b"), skipped()), p("y")]),
        lines: "
            a:=1 b:=0 -> R | x 0/0/0 y 1/1/0
            y=F       -> F | x 0/0/0 y 1/2/1
            a:=0 b:=1 -> F | x 0/0/0 y 2/3/2
            a:=0 b:=0 -> R | x 1/1/0 y 2/3/2",
    },
    Row {
        name: "a decorator that was entered succeeds, and nothing counts",
        tree: || over("cooldown", skipped()).set("seconds", 9.0).set("on", "finish"),
        lines: "
            a:=1     -> S | x 0/0/0
            a:=0 x=S -> S | x 1/1/1
                     -> F | x 1/1/1",
    },
    Row {
        name: "a repeat with nothing to do ends",
        tree: || {
            seq([over("repeat_times", skipped()), over("retry", skipped()), shell("s", skipped()), p("y")])
        },
        lines: "
            a:=1 -> R | x 0/0/0 x 0/0/0 x 0/0/0 y 1/1/0",
    },
    Row {
        name: "a parallel is measured by those that are there",
        tree: || par(0, 1, [skipped(), p("y")]),
        lines: "
            a:=1 -> R | x 0/0/0 y 1/1/0
            a:=0 -> R | x 0/0/0 y 1/2/0
            y=S  -> S | x 0/0/0 y 1/3/1
            x=S  -> S | x 1/1/1 y 2/4/2",
    },
    Row {
        name: "a parallel that fails with all of them",
        tree: || par(1, 0, [skipped(), p("y"), p("z")]),
        lines: "
            a:=1 y=F -> R | x 0/0/0 y 1/1/1 z 1/1/0
            z=F      -> F | x 0/0/0 y 1/1/1 z 1/2/1",
    },
    Row {
        name: "a parallel without anybody succeeds",
        tree: || par(1, 0, [skipped(), skip_if(has("a"), p("y"))]),
        lines: "a:=1 -> S | x 0/0/0 y 0/0/0",
    },
    Row {
        name: "a guard lets in what is passed over: the lower branch starts anew",
        tree: || sel([guard(has("b"), skipped()), p("y")]),
        lines: "
            a:=1 -> R | x 0/0/0 y 1/1/0
            b:=1 -> R | x 0/0/0 y 2/2/1
                 -> R | x 0/0/0 y 2/3/1",
    },
    Row {
        name: "bands: the chosen child passed over is success",
        tree: || {
            let by = warband::args::Arg::Key("n".to_owned());
            Spec::new("bands").set("by", by).with(skipped().edge("below", 5.0)).with(p("y"))
        },
        lines: "
            n:=1 a:=1 -> S | x 0/0/0 y 0/0/0
            n:=9      -> R | x 0/0/0 y 1/1/0",
    },
];

#[test]
fn chains_pass_over_it() {
    run(CHAINS);
}

#[test]
fn other_parents_make_the_best_of_it() {
    run(PARENTS);
}
