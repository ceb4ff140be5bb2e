//! The case facts of the semantics, by number, as one table. What a line says stands in `tree_sim/table.rs`.
//!
//! Not yet covered, because what they need does not exist: 11 (a load-time warning for two actions in a reactive
//! sequence), 59 (snapshots). 56 stands in `node_contract.rs`, 60 in `tree_swaps.rs`.

mod tree_sim;

use tree_sim::table::{Row, run};
use tree_sim::{
    condition, guard, guard_that, has, leaf as p, over, par, rsel, rseq, sel, seq, skip_if, wait,
};
use warband::Spec;

fn three_tried() -> Spec {
    rsel([p("t1"), p("t2"), p("t3")])
}

fn observers() -> Spec {
    sel([guard(has("a"), p("b1")), guard(has("b"), p("b2")), p("b3")])
}

/// A weighted selector over `t0`, `t1` and `t2`, whose `t1` has the weight `n`.
fn weighted(first: f64, last: f64) -> Spec {
    let live = warband::args::Arg::Key("n".to_owned());
    Spec::new("weighted_selector")
        .with(p("t0").edge("weight", first))
        .with(p("t1").edge("weight", live))
        .with(p("t2").edge("weight", last))
}

/// A wait that carries what is left over.
fn carry(seconds: f64) -> Spec {
    wait(seconds).set("carry", true)
}

fn times(node: &str, times: i32) -> Spec {
    over(node, p("x")).set("times", times)
}

const FACTS: &[Row] = &[
    Row {
        name: "1, 2, 3: tried, continued, taken over",
        tree: three_tried,
        lines: "
            t1=F t2=R t3=S -> R | t1 1/1/1 t2 1/1/0 t3 0/0/0
                           -> R | t1 2/2/2 t2 1/2/0 t3 0/0/0
            t1=S           -> S | t1 3/3/3 t2 1/2/1 t3 0/0/0",
    },
    Row {
        name: "3: the running one is exited, not ticked",
        tree: three_tried,
        lines: "
            t1=F t2=R t3=S -> R | t1 1/1/1 t2 1/1/0 t3 0/0/0
            t1=S           -> S | t1 2/2/2 t2 1/1/1 t3 0/0/0",
    },
    Row {
        name: "4: on to the next, then all fail",
        tree: three_tried,
        lines: "
            t1=F t2=R      -> R | t1 1/1/1 t2 1/1/0 t3 0/0/0
            t2=F t3=R      -> R | t1 2/2/2 t2 1/2/1 t3 1/1/0
            t3=F           -> F | t1 3/3/3 t2 2/3/2 t3 1/2/1",
    },
    Row {
        name: "5: a failing first child ends a reactive sequence",
        tree: || rseq([p("t1"), p("t2"), p("t3")]),
        lines: "
            t1=S t2=R t3=S -> R | t1 1/1/1 t2 1/1/0 t3 0/0/0
            t1=F           -> F | t1 2/2/2 t2 1/1/1 t3 0/0/0",
    },
    Row {
        name: "6: a reactive sequence goes on, then asks all again",
        tree: || rseq([p("t1"), p("t2"), p("t3")]),
        lines: "
            t1=S t2=R      -> R | t1 1/1/1 t2 1/1/0 t3 0/0/0
            t2=S t3=R      -> R | t1 2/2/2 t2 1/2/1 t3 1/1/0
            t3=S           -> S | t1 3/3/3 t2 2/3/2 t3 1/2/1",
    },
    Row {
        name: "7: warm, or put on the jacket",
        tree: || rsel([condition("warm"), rseq([condition("jacket"), p("wear")])]),
        lines: "
            warm=F jacket=S wear=R -> R | wear 1/1/0 warm?1 jacket?1
                                   -> R | wear 1/2/0 warm?2 jacket?2
            wear=S                 -> S | wear 1/3/1 warm?3 jacket?3
            warm=S                 -> S | wear 1/3/1 warm?4 jacket?3",
    },
    Row {
        name: "9: a condition that changes halts the action",
        tree: || rseq([condition("c"), p("act")]),
        lines: "
            c=S -> R | act 1/1/0
                -> R | act 1/2/0
            c=F -> F | act 1/2/1",
    },
    Row {
        name: "10: behind a failure nothing starts",
        tree: || rseq([condition("c"), p("x")]),
        lines: "c=F -> F | x 0/0/0",
    },
    Row {
        name: "12: a parallel of sequences remembers",
        tree: || par(0, 1, [seq([condition("c1"), p("s1")]), seq([condition("c2"), p("s2")])]),
        lines: "
            c1=S c2=S -> R | s1 1/1/0 s2 1/1/0 c1?1 c2?1
                      -> R | s1 1/2/0 s2 1/2/0 c1?1 c2?1",
    },
    Row {
        name: "13: a parallel of reactive sequences asks again",
        tree: || par(0, 1, [rseq([condition("c1"), p("s1")]), rseq([condition("c2"), p("s2")])]),
        lines: "
            c1=S c2=S -> R | s1 1/1/0 s2 1/1/0 c1?1 c2?1
                      -> R | s1 1/2/0 s2 1/2/0 c1?2 c2?2",
    },
    Row {
        name: "14: no dangling runner",
        tree: || rseq([p("a"), p("b")]),
        lines: "
            a=S b=R -> R | a 1/1/1 b 1/1/0
            a=R     -> R | a 2/2/1 b 1/1/1
                    -> R | a 2/3/1 b 1/1/1",
    },
    Row {
        name: "15: a sequence does not tick again what has succeeded",
        tree: || seq([p("s"), p("q"), p("r")]),
        lines: "
            s=S q=R -> R | s 1/1/1 q 1/1/0 r 0/0/0
            q=S r=R -> R | s 1/1/1 q 1/2/1 r 1/1/0",
    },
    Row {
        name: "17: failure wins a tie, and who runs is exited",
        tree: || par(1, 1, [p("a"), p("b"), p("c")]),
        lines: "a=R b=S c=F -> F | a 1/1/1 b 1/1/1 c 1/1/1",
    },
    Row {
        name: "18: the others are exited",
        tree: || par(1, 1, [p("a"), p("b"), p("c")]),
        lines: "a=R b=F c=R -> F | a 1/1/1 b 1/1/1 c 1/1/1",
    },
    Row {
        name: "19: finished children are not ticked again",
        tree: || par(2, 3, [p("a"), p("b"), p("c")]),
        lines: "
            a=S b=R c=F -> R | a 1/1/1 b 1/1/0 c 1/1/1
                        -> R | a 1/1/1 b 1/2/0 c 1/1/1
            b=S         -> S | a 1/1/1 b 1/3/1 c 1/1/1
            b=R         -> R | a 2/2/2 b 2/4/1 c 2/2/2",
    },
    Row {
        name: "19: fails as soon as success is out of reach",
        tree: || par(3, 3, [p("a"), p("b"), p("c")]),
        lines: "a=S b=R c=F -> F | a 1/1/1 b 1/1/1 c 1/1/1",
    },
    Row {
        name: "20: all done and no number reached is failure",
        tree: || par(3, 3, [p("a"), p("b"), p("c")]),
        lines: "a=S b=F c=S -> F | a 1/1/1 b 1/1/1 c 1/1/1",
    },
    Row {
        name: "21: fails with the last",
        tree: || par(1, 0, [p("a"), p("b"), p("c"), p("d")]),
        lines: "
            a=R b=F c=R d=F -> R | a 1/1/0 b 1/1/1 c 1/1/0 d 1/1/1
            a=F             -> R | a 1/2/1 b 1/1/1 c 1/2/0 d 1/1/1
            c=F             -> F | a 1/2/1 b 1/1/1 c 1/3/1 d 1/1/1",
    },
    Row {
        name: "23: a tie in one order",
        tree: || par(1, 1, [p("a"), p("b")]),
        lines: "a=S b=F -> F | a 1/1/1 b 1/1/1",
    },
    Row {
        name: "23: a tie in the other",
        tree: || par(1, 1, [p("a"), p("b")]),
        lines: "a=F b=S -> F | a 1/1/1 b 1/1/1",
    },
    Row {
        name: "24: all must have succeeded",
        tree: || par(0, 1, [p("a"), p("b"), p("c")]),
        lines: "
            a=R b=R c=S -> R | a 1/1/0 b 1/1/0 c 1/1/1
            a=S         -> R | a 1/2/1 b 1/2/0 c 1/1/1
                        -> R | a 1/2/1 b 1/3/0 c 1/1/1
            b=S         -> S | a 1/2/1 b 1/4/1 c 1/1/1",
    },
    Row {
        name: "25: a finished parallel starts all anew",
        tree: || par(0, 1, [p("t1"), p("t2")]),
        lines: "
                 -> R | t1 1/1/0 t2 1/1/0
            t1=S -> R | t1 1/2/1 t2 1/2/0
                 -> R | t1 1/2/1 t2 1/3/0
            t2=S -> S | t1 1/2/1 t2 1/4/1
            t1=R -> R | t1 2/3/1 t2 2/5/2",
    },
    Row {
        name: "26: repeat",
        tree: || times("repeat_times", 2),
        lines: "
            x=R -> R | x 1/1/0
            x=S -> R | x 1/2/1
            x=S -> S | x 2/3/2",
    },
    Row {
        name: "27: a failure ends a repeat",
        tree: || times("repeat_times", 2),
        lines: "
            x=R -> R | x 1/1/0
            x=S -> R | x 1/2/1
            x=F -> F | x 2/3/2",
    },
    Row {
        name: "29: retry",
        tree: || times("retry", 2),
        lines: "
            x=R -> R | x 1/1/0
            x=F -> R | x 1/2/1
            x=F -> F | x 2/3/2",
    },
    Row {
        name: "30: a repeat that was halted counts from zero",
        tree: || times("repeat_times", 2),
        lines: "
            x=S  -> R | x 1/1/1
            halt -> - | x 1/1/1
                 -> R | x 2/2/2
                 -> S | x 3/3/3",
    },
    Row {
        name: "31: keep running until failure",
        tree: || over("repeat_times", p("x")),
        lines: "
            x=S -> R | x 1/1/1
            x=S -> R | x 2/2/2
            x=F -> F | x 3/3/3",
    },
    Row {
        name: "31: keep running until failure, by name",
        tree: || over("repeat_until", p("x")).set("on", "failure"),
        lines: "
            x=S -> R | x 1/1/1
            x=S -> R | x 2/2/2
            x=F -> F | x 3/3/3",
    },
    Row {
        name: "32: once beside what runs each time",
        tree: || seq([over("run_once", p("a")), p("b")]),
        lines: "
            a=S b=S -> S | a 1/1/1 b 1/1/1
                    -> S | a 1/1/1 b 2/2/2
                    -> S | a 1/1/1 b 3/3/3
                    -> S | a 1/1/1 b 4/4/4
                    -> S | a 1/1/1 b 5/5/5",
    },
    Row {
        name: "33: a time limit ticks on the late tick, then exits",
        tree: || over("time_limit", p("x")).set("seconds", 1.0),
        lines: "
            +0   -> R | x 1/1/0
            +0.4 -> R | x 1/2/0
            +0.4 -> R | x 1/3/0
            +0.4 -> F | x 1/4/1",
    },
    Row {
        name: "34: success on the late tick counts",
        tree: || over("time_limit", p("x")).set("seconds", 1.0),
        lines: "
            +0       -> R | x 1/1/0
            +0.8     -> R | x 1/2/0
            x=S +0.8 -> S | x 1/3/1",
    },
    Row {
        name: "36: a run limit",
        tree: || over("run_limit", p("x")).set("times", 2),
        lines: "
            x=R -> R | x 1/1/0
            x=S -> S | x 1/2/1
            x=R -> R | x 2/3/1
            x=S -> S | x 2/4/2
                -> F | x 2/4/2",
    },
    Row {
        name: "37: a tiny weight that is the only one left is chosen",
        tree: || weighted(0.0, 1.0),
        lines: "
            n:=0 t2=R               -> R | t0 0/0/0 t1 0/0/0 t2 1/1/0
                                    -> R | t0 0/0/0 t1 0/0/0 t2 1/2/0
            n:=0.000000000001 t1=S t2=F -> S | t0 0/0/0 t1 1/1/1 t2 1/3/1",
    },
    Row {
        name: "39: left-over time is carried where the author asks",
        tree: || seq([carry(0.5), carry(0.5), p("x")]),
        lines: "
            +0 x=R -> R | x 0/0/0
            +1     -> R | x 1/1/0",
    },
    Row {
        name: "39: it is not where he does not",
        tree: || seq([wait(0.5), wait(0.5), p("x")]),
        lines: "
            +0 x=R -> R | x 0/0/0
            +1     -> R | x 0/0/0
            +0.4   -> R | x 0/0/0
            +0.1   -> R | x 1/1/0",
    },
    Row {
        name: "39: what is left over shortens the next wait, once, and not that of another tick",
        tree: || seq([carry(0.5), p("a"), wait(0.5), wait(0.5), p("x")]),
        lines: "
            +0 x=R a=S -> R | a 0/0/0 x 0/0/0
            +0.8       -> R | a 1/1/1 x 0/0/0
            +0.2       -> R | a 1/1/1 x 0/0/0
            +0.4       -> R | a 1/1/1 x 0/0/0
            +0.1       -> R | a 1/1/1 x 1/1/0
            halt       -> - | a 1/1/1 x 1/1/1
            +0 a=R     -> R | a 1/1/1 x 1/1/1
            +0.8       -> R | a 2/2/1 x 1/1/1
            +0 a=S     -> R | a 2/3/2 x 1/1/1
            +0.3       -> R | a 2/3/2 x 1/1/1
            +0.2       -> R | a 2/3/2 x 1/1/1
            +0.5       -> R | a 2/3/2 x 2/2/1",
    },
    Row {
        name: "39: children of a parallel begin when it does; its end carries nothing",
        tree: || {
            seq([
                carry(0.5),
                par(0, 1, [wait(0.25), seq([wait(0.5), p("x")]), carry(0.1)]),
                wait(0.5),
                p("y"),
            ])
        },
        lines: "
            +0 x=S y=R -> R | x 0/0/0 y 0/0/0
            +0.75      -> R | x 0/0/0 y 0/0/0
            +0.5       -> R | x 1/1/1 y 0/0/0
            +0.4       -> R | x 1/1/1 y 0/0/0
            +0.1       -> R | x 1/1/1 y 1/1/0",
    },
    Row {
        name: "40: a wait below a reactive sequence ends on the tenth of ten ticks",
        tree: || rseq([condition("c"), wait(1.0)]),
        lines: "
            c=S +0 -> R | c?1
            +0.1 -> R | c?2
            +0.1 -> R | c?3
            +0.1 -> R | c?4
            +0.1 -> R | c?5
            +0.1 -> R | c?6
            +0.1 -> R | c?7
            +0.1 -> R | c?8
            +0.1 -> R | c?9
            +0.1 -> R | c?10
            +0.1 -> S | c?11",
    },
    Row {
        name: "41: only the winner is entered",
        tree: observers,
        lines: "
                      -> R | b1 0/0/0 b2 0/0/0 b3 1/1/0
            a:=1 b:=1 -> R | b1 1/1/0 b2 0/0/0 b3 1/1/1",
    },
    Row {
        name: "43: lower priority is taken over in the same tick",
        tree: || sel([guard_that("lower", has("a"), p("b1")), p("b2")]),
        lines: "
                 -> R | b1 0/0/0 b2 1/1/0
            a:=1 -> R | b1 1/1/0 b2 1/1/1",
    },
    Row {
        name: "45: many writes are one question, at the next tick",
        tree: || sel([guard(seq([condition("c"), has("a")]), p("b1")), p("b2")]),
        lines: "
            c=S                      -> R | b1 0/0/0 b2 1/1/0 c?1
            a:=1 a:=0 a:=1 a:=0 a:=0 -> R | b1 0/0/0 b2 1/2/0 c?2",
    },
    Row {
        name: "47: cooldown",
        tree: || over("cooldown", p("x")).set("seconds", 1.0),
        lines: "
            x=R  +0   -> R | x 1/1/0
            x=S  +0.1 -> S | x 1/2/1
            x=R  +0.4 -> F | x 1/2/1
                 +0.5 -> F | x 1/2/1
                 +0.1 -> R | x 2/3/1",
    },
    Row {
        name: "48: wait",
        tree: || wait(1.0),
        lines: "
            +0    -> R |
            +0.25 -> R |
            +0.25 -> R |
            +0.25 -> R |
            +0.25 -> S |",
    },
    Row {
        name: "49: while a condition holds",
        tree: || guard(has("a"), p("x")),
        lines: "
            a:=1 -> R | x 1/1/0
            a:=0 -> F | x 1/1/1
                 -> F | x 1/1/1",
    },
    Row {
        name: "49: the node that is named for it",
        tree: || Spec::new("while_do").when(has("a")).with(p("x")),
        lines: "
            a:=1 -> R | x 1/1/0
            a:=0 -> F | x 1/1/1
                 -> F | x 1/1/1",
    },
    Row {
        name: "50: passed over, and nothing of it stays behind",
        tree: || seq([skip_if(has("a"), p("x"))]),
        lines: "
            a:=1 x=S -> S | x 0/0/0
            a:=0     -> S | x 1/1/1
            a:=1     -> S | x 1/1/1
            a:=0     -> S | x 2/2/2",
    },
    Row {
        name: "51: one shot, on its end",
        tree: || over("run_once", p("x")).set("on", "finish"),
        lines: "
            x=F -> F | x 1/1/1
            x=R -> F | x 1/1/1",
    },
    Row {
        name: "51: one shot, on success",
        tree: || over("run_once", p("x")).set("on", "success"),
        lines: "
            x=F -> F | x 1/1/1
            x=R -> R | x 2/2/1
            x=S -> S | x 2/3/2
            x=F -> S | x 2/3/2",
    },
    Row {
        name: "52: an eternal guard",
        tree: || rsel([guard(condition("c"), p("tasks")), p("idle")]),
        lines: "
            c=F -> R | tasks 0/0/0 idle 1/1/0
            c=S -> R | tasks 1/1/0 idle 1/1/1
            c=S -> R | tasks 1/2/0 idle 1/1/1
            c=F -> R | tasks 1/2/1 idle 2/2/1",
    },
    Row {
        name: "53: cleanup does not hide the failure",
        tree: || Spec::new("try_catch").with(p("a")).with(p("c")),
        lines: "a=F c=S -> F | a 1/1/1 c 1/1/1",
    },
    Row {
        name: "58: a finished tree starts afresh",
        tree: || seq([p("a"), p("b")]),
        lines: "
            a=S b=S -> S | a 1/1/1 b 1/1/1
            b=R     -> R | a 2/2/2 b 2/2/1",
    },
];

#[test]
fn the_case_facts_hold() {
    run(FACTS);
}

#[test]
fn without_weights_nothing_is_entered_in_101_runs_fact_38() {
    tree_sim::book(|book| *book = tree_sim::Book::default());
    let mut bench = tree_sim::Bench::new(&weighted(0.0, 0.0), 1).unwrap();
    for _ in 0..101 {
        assert_eq!(bench.tick(0.1), [warband::tree::Status::Failure]);
    }
    tree_sim::book(|book| assert!(book.log.is_empty()));
}

#[test]
fn a_row_that_is_wrong_is_told() {
    let wrong = Row { name: "wrong", tree: || p("x"), lines: "x=S -> S | x 1/1/0\n x=S -> F | x 2/2/2" };
    assert_eq!(tree_sim::table::faults_of(&wrong).len(), 2);
}

#[test]
fn two_agents_of_one_template_count_for_themselves_fact_57() {
    tree_sim::book(|book| *book = tree_sim::Book::default());
    let mut bench = tree_sim::Bench::new(&p("x"), 2).unwrap();
    for ticks in 1..=2 {
        bench.tick(0.1);
        tree_sim::book(|book| {
            assert_eq!((book.counts(0, 0), book.counts(1, 0)), ((1, ticks, 0), (1, ticks, 0)));
        });
    }
}
