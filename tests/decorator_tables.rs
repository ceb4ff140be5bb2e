//! Decorators that count, wait, draw or go through a list; leaves that wait; messages of a squad.

mod tree_sim;

use tree_sim::table::{Row, run};
use tree_sim::{Bench, Book, book, condition, guard, has, leaf as p, over, rsel, sel, seq, skip_if};
use warband::args::Arg;
use warband::blackboard::Value;
use warband::math::vec3;
use warband::tree::{Status, Why};
use warband::{ErrorKind, Spec};

fn until(on: &str) -> Spec {
    over("repeat_until", p("x")).set("on", on)
}

fn wait_for(key: &str, change: bool) -> Spec {
    Spec::new("wait_for").set("key", key).set("change", change)
}

const COUNTS: &[Row] = &[
    Row {
        name: "repeat_until success: one attempt a tick",
        tree: || until("success"),
        lines: "
            x=F +0 -> R | x 1/1/1
            x=F +0 -> R | x 2/2/2
            x=R    -> R | x 3/3/2
            x=S    -> S | x 3/4/3
            x=F    -> R | x 4/5/4",
    },
    Row {
        name: "repeat_until: an abort in the middle, and between two attempts",
        tree: || until("failure"),
        lines: "
            x=R  -> R | x 1/1/0
            halt -> - | x 1/1/1
            x=S  -> R | x 2/2/2
            halt -> - | x 2/2/2
            x=F  -> F | x 3/3/3",
    },
    Row {
        name: "repeat_until below a guard that fails between two attempts",
        tree: || sel([guard(has("a"), until("success")), p("y")]),
        lines: "
            a:=1 x=F -> R | x 1/1/1 y 0/0/0
            a:=0     -> R | x 1/1/1 y 1/1/0",
    },
    Row {
        name: "a loop guard is asked before each attempt, also when the body ended at once",
        tree: || over("repeat_times", Spec::new("while_do").when(condition("c")).with(p("x"))),
        lines: "
            c=S x=S -> R | x 1/1/1 c?1
                    -> R | x 2/2/2 c?2
            c=F     -> F | x 2/2/2 c?3",
    },
    Row {
        name: "run_once: an abort does not count, and what counted outlives a halt",
        tree: || over("run_once", p("x")),
        lines: "
            x=R    -> R | x 1/1/0
            halt   -> - | x 1/1/1
            x=F +0 -> F | x 2/2/2
            halt   -> - | x 2/2/2
            x=S    -> F | x 2/2/2",
    },
    Row {
        name: "run_once: being passed over does not count",
        tree: || over("run_once", skip_if(has("a"), p("x"))),
        lines: "
            a:=1     -> S | x 0/0/0
            a:=0 x=F -> F | x 1/1/1
            a:=1     -> F | x 1/1/1",
    },
    Row {
        name: "run_limit: an abort does not count",
        tree: || over("run_limit", p("x")).set("times", 1),
        lines: "
            x=R  -> R | x 1/1/0
            halt -> - | x 1/1/1
            x=S  -> S | x 2/2/2
            x=S  -> F | x 2/2/2",
    },
    Row {
        name: "run_limit of successes",
        tree: || over("run_limit", p("x")).set("times", 1).set("on", "success"),
        lines: "
            x=F -> F | x 1/1/1
            x=S -> S | x 2/2/2
                -> F | x 2/2/2",
    },
    Row {
        name: "run_limit of failures",
        tree: || over("run_limit", p("x")).set("times", 1).set("on", "failure"),
        lines: "
            x=S -> S | x 1/1/1
            x=F -> F | x 2/2/2
                -> F | x 2/2/2",
    },
    Row {
        name: "run_limit of 0 never enters",
        tree: || sel([over("run_limit", p("x")).set("times", 0), p("y")]),
        lines: "+0 -> R | x 0/0/0 y 1/1/0",
    },
    Row {
        name: "chance: 1 always, 0 never, and a key for the next enter",
        tree: || {
            let live = over("chance", p("z")).set("probability", Arg::Key("n".to_owned()));
            seq([
                over("chance", p("x")).set("probability", 1.0),
                over("invert", over("chance", p("y")).set("probability", 0.0)),
                live,
            ])
        },
        lines: "
            n:=1 x=S +0 -> R | x 1/1/1 y 0/0/0 z 1/1/0
            n:=0        -> R | x 1/1/1 y 0/0/0 z 1/2/0
            halt        -> - | x 1/1/1 y 0/0/0 z 1/2/1
                        -> F | x 2/2/2 y 0/0/0 z 1/2/1",
    },
];

const TIMES: &[Row] = &[
    Row {
        name: "delay: the child starts in the tick in which the time is up",
        tree: || over("delay", p("x")).set("seconds", 0.5),
        lines: "
            +0   -> R | x 0/0/0
            +0.4 -> R | x 0/0/0
            +0.1 -> R | x 1/1/0
            x=S  -> S | x 1/2/1
            +0.9 -> R | x 1/2/1",
    },
    Row {
        name: "delay: an abort before and after, and the time anew",
        tree: || over("delay", p("x")).set("seconds", 0.5),
        lines: "
            +0   -> R | x 0/0/0
            halt -> - | x 0/0/0
            +0.9 -> R | x 0/0/0
            +0.5 -> R | x 1/1/0
            halt -> - | x 1/1/1
            +0   -> R | x 1/1/1",
    },
    Row {
        name: "delay of 0 s starts in the same tick",
        tree: || over("delay", p("x")).set("seconds", 0.0),
        lines: "+0 -> R | x 1/1/0",
    },
    Row {
        name: "delay: a guard above can fail while it waits",
        tree: || sel([guard(has("a"), over("delay", p("x")).set("seconds", 1.0)), p("y")]),
        lines: "
            a:=1 -> R | x 0/0/0 y 0/0/0
            a:=0 -> R | x 0/0/0 y 1/1/0",
    },
    Row {
        name: "wait_for a value; with one there already, in the same tick",
        tree: || seq([wait_for("a", false), p("x")]),
        lines: "
            a:=0 +0   -> R | x 0/0/0
                 +9   -> R | x 0/0/0
            a:=1 +0   -> R | x 1/1/0
            x=S       -> S | x 1/2/1
                      -> S | x 2/3/2",
    },
    Row {
        name: "wait_for a value of any type, and not for ever",
        tree: || seq([wait_for("key_vec3", false).set("seconds", 0.5)]),
        lines: "
            +0   -> R |
            +0.4 -> R |
            +0.1 -> F |
            +0   -> R |
            halt -> - |
            +0.4 -> R |
            +0.4 -> R |
            +0.1 -> F |",
    },
    Row {
        name: "wait_for: a value in the tick in which the time is up counts",
        tree: || seq([wait_for("a", false).set("seconds", 0.5), p("x")]),
        lines: "
            a:=0 +0   -> R | x 0/0/0
            a:=1 +0.5 -> R | x 1/1/0",
    },
    Row {
        name: "wait_for a value of 0 s asks once",
        tree: || wait_for("a", false).set("seconds", 0.0),
        lines: "
            a:=0 +0 -> F |
            a:=1 +0 -> S |",
    },
    Row {
        name: "wait_for a change: since it was entered, and an equal value is none",
        tree: || seq([wait_for("n", true), p("x")]),
        lines: "
            n:=1 +0   -> R | x 0/0/0
            n:=1      -> R | x 0/0/0
            n:=2      -> R | x 1/1/0
            halt      -> - | x 1/1/1
            n:=3      -> R | x 1/1/1
                      -> R | x 1/1/1
            n:=4 +0   -> R | x 2/2/1",
    },
    Row {
        name: "wait_for a change of a shared key: the own write counts in the next tick",
        tree: || {
            let write = |key: &str| Spec::new("set").set("key", key).set("to", true);
            seq([write("y"), wait_for("y", true), p("x")])
        },
        lines: "
            +0 -> R | x 0/0/0
            +0 -> R | x 1/1/0",
    },
];

#[test]
fn counts_hold() {
    run(COUNTS);
}

#[test]
fn times_hold() {
    run(TIMES);
}

fn bench(spec: &Spec, agents: usize) -> Bench {
    book(|book| *book = Book::default());
    Bench::new(spec, agents).unwrap_or_else(|error| panic!("{error}"))
}

fn answer(probe: &str, status: Status) {
    book(|book| {
        let probe = book.number(probe);
        book.results.insert(probe, status);
    });
}

fn enters(probe: &str, agent: u32) -> usize {
    book(|book| {
        let probe = book.number(probe);
        book.counts(agent, probe).0
    })
}

#[test]
fn a_chance_of_a_quarter_comes_in_a_quarter_of_the_enters_and_is_drawn_once_for_each() {
    let mut bench = bench(&over("chance", p("x")).set("probability", 0.25), 1);
    answer("x", Status::Success);
    let ran = (0..1000).filter(|_| bench.tick(0.1) == [Status::Success]).count();
    // 250 with a deviation of 14.
    assert!((195..=305).contains(&ran), "{ran}");
    answer("x", Status::Running);
    while bench.tick(0.1) != [Status::Running] {}
    let before = bench.minds[0].dice.state();
    for _ in 0..100 {
        assert_eq!(bench.tick(0.1), [Status::Running]);
    }
    assert_eq!(bench.minds[0].dice.state(), before);
}

#[test]
fn a_random_wait_lies_between_its_bounds_and_differs() {
    let spec = Spec::new("wait_random").set("low", 0.25).set("high", 0.75);
    let mut bench = bench(&spec, 1);
    let mut times = std::collections::BTreeSet::new();
    for _ in 0..100 {
        assert_eq!(bench.tick(0.0), [Status::Running]);
        let mut ticks = 0;
        while bench.tick(0.01) == [Status::Running] {
            ticks += 1;
        }
        assert!((24..=75).contains(&ticks), "{ticks}");
        times.insert(ticks);
    }
    assert!(times.len() > 20, "{times:?}");
    let (first, last) = (times.first().expect("some"), times.last().expect("some"));
    assert!(*first < 30 && *last > 70, "{first} to {last}");
}

#[test]
fn a_random_wait_takes_bounds_from_keys_and_refuses_fixed_ones_that_cross() {
    let crossed = Spec::new("wait_random").set("low", 2.0).set("high", 1.0);
    let error = Bench::new(&crossed, 1).err().expect("it is refused");
    assert_eq!(error.kind(), ErrorKind::OutOfRange);
    assert!(error.to_string().contains("'high' must be at least 'low', 2 s, got 1"), "{error}");
    let mut bench = bench(&Spec::new("wait_random").set("low", 0.5).set("high", Arg::Key("n".to_owned())), 1);
    bench.set(0, "n", 0.1);
    assert_eq!(bench.tick(0.0), [Status::Running]);
    assert_eq!(bench.tick(0.49), [Status::Running]);
    assert_eq!(bench.tick(0.01), [Status::Success]);
}

fn each() -> Spec {
    over("for_each", p("x")).set("list", "key_list").set("item", "key_vec3")
}

fn points(count: usize) -> Value {
    (0..count).map(|at| vec3(at as f32 + 1.0, 0.0, 0.0)).collect::<Vec<_>>().into()
}

fn item(bench: &Bench) -> f32 {
    let key = bench.scene.schema.id("key_vec3").expect("declared");
    match bench.minds[0].board.value(key) {
        Value::Vec3(point) => point.x,
        _ => 0.0,
    }
}

#[test]
fn for_each_goes_through_its_list_one_point_a_tick() {
    let mut bench = bench(&each(), 1);
    assert_eq!((bench.tick(0.1)[0], enters("x", 0)), (Status::Success, 0), "no list");
    bench.set(0, "key_list", points(0));
    assert_eq!((bench.tick(0.1)[0], enters("x", 0)), (Status::Success, 0), "an empty list");
    bench.set(0, "key_list", points(3));
    answer("x", Status::Success);
    for (status, at) in [(Status::Running, 1), (Status::Running, 2), (Status::Success, 3)] {
        assert_eq!((bench.tick(0.0)[0], item(&bench), enters("x", 0)), (status, at as f32, at));
    }
    assert_eq!((bench.tick(0.1)[0], item(&bench)), (Status::Running, 1.0), "from the first again");
}

#[test]
fn for_each_waits_for_its_child_ends_with_a_failure_and_begins_anew_after_an_abort() {
    let mut bench = bench(&each(), 1);
    bench.set(0, "key_list", points(3));
    answer("x", Status::Success);
    bench.tick(0.1);
    answer("x", Status::Running);
    for _ in 0..3 {
        assert_eq!((bench.tick(0.1)[0], item(&bench), enters("x", 0)), (Status::Running, 2.0, 2));
    }
    bench.halt(0, Why::Halted);
    assert_eq!((bench.tick(0.1)[0], item(&bench)), (Status::Running, 1.0));
    answer("x", Status::Failure);
    assert_eq!((bench.tick(0.1)[0], item(&bench)), (Status::Failure, 1.0));
}

#[test]
fn for_each_looks_at_the_list_anew_before_each_point() {
    let mut bench = bench(&each(), 1);
    bench.set(0, "key_list", points(2));
    answer("x", Status::Success);
    assert_eq!(bench.tick(0.1), [Status::Running]);
    // Between two attempts it became shorter.
    bench.set(0, "key_list", points(1));
    assert_eq!((bench.tick(0.1)[0], enters("x", 0)), (Status::Success, 1));
    bench.set(0, "key_list", points(1));
    answer("x", Status::Running);
    assert_eq!(bench.tick(0.1), [Status::Running]);
    bench.set(0, "key_list", points(2));
    answer("x", Status::Success);
    assert_eq!(bench.tick(0.1), [Status::Running]);
    assert_eq!((bench.tick(0.1)[0], item(&bench)), (Status::Success, 2.0));
}

#[test]
fn for_each_takes_a_list_and_a_vec3_of_the_agent() {
    let wrong = |list: &str, item: &str| {
        let spec = over("for_each", p("x")).set("list", list).set("item", item);
        Bench::new(&spec, 1).err().expect("it is refused").kind()
    };
    assert_eq!(wrong("key_vec3", "key_vec3"), ErrorKind::WrongType);
    assert_eq!(wrong("key_list", "n"), ErrorKind::WrongType);
}

fn messages() -> Spec {
    let hears = |from: &str, child: &str| {
        guard(Spec::new("receive").set("name", "help").set("from", from), p(child)).set("abort", "none")
    };
    let calls = seq([has("a"), Spec::new("send").set("name", "help"), p("calls")]);
    // What was heard runs for one tick.
    rsel([hears("others", "other"), hears("anybody", "own"), calls, p("idle")])
}

#[test]
fn a_message_is_heard_by_all_members_in_the_next_tick_and_in_no_other() {
    let mut bench = bench(&messages(), 3);
    ["other", "own", "calls"].iter().for_each(|name| answer(name, Status::Success));
    let heard = |name: &str| [0, 1, 2].map(|agent| enters(name, agent));
    bench.tick(0.1);
    bench.set(1, "a", true);
    bench.tick(0.1);
    assert_eq!((heard("calls"), heard("own"), heard("other")), ([0, 1, 0], [0; 3], [0; 3]));
    bench.set(1, "a", false);
    bench.tick(0.0);
    assert_eq!((heard("own"), heard("other")), ([0, 1, 0], [1, 0, 1]));
    bench.tick(0.1);
    assert_eq!((heard("own"), heard("other")), ([0, 1, 0], [1, 0, 1]));
}

#[test]
fn messages_come_in_the_order_of_keys() {
    let send = |name: &str| Spec::new("send").set("name", name);
    let mut bench = bench(&seq([send("one"), send("two")]), 3);
    bench.tick(0.1);
    let from = bench.scene.squads[0]
        .messages
        .since(0)
        .iter()
        .map(|message| message.from.entity())
        .collect::<Vec<_>>();
    let ids = (0..3).map(|index| bench.scene.bodies.id[index]);
    let wanted = ids.flat_map(|id| [id, id]).collect::<Vec<_>>();
    assert_eq!(from, wanted);
    let names = bench.scene.squads[0].messages.since(0).iter().map(|message| message.name);
    let names = names.map(|name| bench.scene.symbols.name(name).to_string()).collect::<Vec<_>>();
    assert_eq!(names, ["one", "two", "one", "two", "one", "two"]);
}
