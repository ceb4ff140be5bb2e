//! Field reports about the tree engine: B1, B3, B5, B7, B8.

mod tree_sim;

use tree_sim::grow::{Grower, words};
use tree_sim::law::{Law, Shape};
use tree_sim::{
    Bench, Book, DEFS, Note, What, book, declare_keys, guard, has, leaf as p, over, par, rsel, sel, seq,
    shell, wait,
};
use warband::blackboard::Value;
use warband::rng::Dice;
use warband::tree::{Exit, Status, Why};
use warband::{
    ActorDesc, AgentDesc, AgentId, BoardOf, Config, Entity, ErrorKind, Spec, SquadDesc, SquadId, Vec3, World,
    vec3,
};

/// **B1 Aborted action never gets its exit.** 1,000 random trees of 10–40 nodes with random condition flips, 1,000
/// ticks each. Pass: for every leaf enters − exits is 0 or 1 (1 only if running); no leaf stays running unticked for a
/// tick; an abort's exit precedes the next enter. The one exemption, a bare first action that a reactive composite has
/// to try, is what the law allows and no more.
#[test]
fn b1_every_aborted_action_gets_its_exit_at_once() {
    let (mut enters, mut aborts) = (0, 0);
    for seed in 0..1000 {
        let law = b1_run(seed);
        (enters, aborts) = (enters + law.enters, aborts + law.aborts);
    }
    assert!(enters > 400_000 && aborts > 100_000, "{enters} enters, {aborts} aborts");
}

fn b1_run(seed: u64) -> Law {
    book(|book| *book = Book { seed: Some(seed), ..Book::default() });
    let mut grower = Grower::wide(seed);
    let spec = std::iter::repeat_with(|| {
        let size = 10 + grower.below(20);
        grower.tree(size)
    });
    let spec =
        spec.into_iter().find(|spec| (10..=40).contains(&spec.count())).expect("one will be of that size");
    let mut bench = Bench::new(&spec, 1).unwrap_or_else(|error| panic!("{error}\n{}", words(&spec)));
    let shape = book(|book| Shape::new(&spec, &mut |name| book.number(name)));
    let mut law = Law::default();
    let names = book(|book| book.names.clone());
    let watch = |law: &mut Law| {
        let log = book(|book| std::mem::take(&mut book.log));
        law.watch(&shape, &names, &log);
    };
    for tick in 0..1000 {
        let (key, on) = (grower.key(), grower.below(2) == 1);
        bench.set(0, key, on);
        bench.set(0, "n", grower.below(12) as f64 - 4.0);
        bench.tick(0.1);
        watch(&mut law);
        law.end_of_tick(&shape, &names);
        assert!(law.faults.is_empty(), "seed {seed}, tick {tick}: {:?}\n{}", law.faults, words(&spec));
    }
    bench.halt(0, Why::Halted);
    watch(&mut law);
    law.nothing_runs(0, "a halt");
    assert!(law.faults.is_empty(), "seed {seed}: {:?}\n{}", law.faults, words(&spec));
    law
}

/// A world with the probes, the keys of these tests, a squad, and a body to be a target.
struct Field {
    world: World,
    squad: SquadId,
    target: Entity,
}

impl Field {
    fn new(seed: u64) -> Self {
        book(|book| *book = Book::default());
        let mut world = World::new(Config { seed, ..Config::default() });
        DEFS.iter().for_each(|def| world.register(def).expect("the name is free"));
        declare_keys(|decl| {
            world.declare(decl).expect("the key is legal");
        });
        let target = world.add_actor(ActorDesc::at(vec3(30.0, 0.0, 0.0))).entity();
        let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() });
        Self { squad: squad.expect("a new name"), world, target }
    }
    fn spawn(&mut self, tree: &str, at: Vec3) -> AgentId {
        self.world
            .spawn(self.squad, AgentDesc { tree: tree.into(), ..AgentDesc::at(at) })
            .expect("there is room")
    }
}

fn log() -> Vec<Note> {
    book(|book| std::mem::take(&mut book.log))
}

/// Which probe was ticked in this log, by name; there is one.
fn ticked(log: &[Note]) -> String {
    let ticks = log.iter().filter(|note| matches!(note.what, What::Tick(_))).collect::<Vec<_>>();
    assert_eq!(ticks.len(), 1, "{log:?}");
    book(|book| book.names[ticks[0].probe].clone())
}

/// **B3 Condition changes but the lower branch keeps running.** Selector[Seq(guard: target set, Chase), Patrol]; the
/// target is cleared during Chase and set during Patrol. The same with the guard two levels down, and inside a subtree.
/// Pass: the branch switches in the tick in which the change is visible, 100 of 100.
#[test]
fn b3_the_branch_switches_in_the_tick_in_which_the_change_is_visible() {
    let set = || Spec::new("has_value").set("key", "key_entity");
    let guarded = || guard(set(), p("chase"));
    let trees = [
        sel([seq([guarded()]), p("patrol")]),
        sel([seq([seq([guarded(), p("never")])]), p("patrol")]),
        sel([sel([seq([guarded()]), over("invert", Spec::new("succeed"))]), p("patrol")]),
        sel([seq([over("subtree", seq([guarded()]))]), p("patrol")]),
        sel([over("subtree", sel([over("subtree", guarded())])), p("patrol")]),
        rsel([seq([guarded()]), p("patrol")]),
        sel([seq([guard(set(), seq([p("chase")]))]), seq([p("patrol"), p("never")])]),
    ];
    for tree in trees {
        let mut field = Field::new(3);
        field.world.add_tree("tree", &tree).expect("good");
        let agent = field.spawn("tree", Vec3::ZERO);
        let mut dice = Dice::new(3, &[]);
        field.world.tick(1.0 / 60.0);
        assert_eq!(ticked(&log()), "patrol");
        for change in 0..100 {
            for _ in 0..dice.below(5) {
                field.world.tick(1.0 / 60.0);
            }
            log();
            let chase = change % 2 == 0;
            let target = if chase { Value::Entity(field.target) } else { Value::Nothing };
            field.world.set_value(BoardOf::Agent(agent), "key_entity", target).expect("an entity fits");
            field.world.tick(1.0 / 60.0);
            let log = log();
            assert_eq!(
                ticked(&log),
                if chase { "chase" } else { "patrol" },
                "change {change} of {}",
                words(&tree)
            );
            assert!(matches!(log[0].what, What::Exit(Exit::Aborted(_))), "{log:?}");
        }
    }
}

/// **B5 Repeat or retry over an instant child hangs the game.** Repeat for ever over what succeeds at once, retry until
/// success over what fails at once, nested three deep. Pass: at most 16 child runs a tick (and so less than 1 ms: the
/// count behind it is asserted); other agents tick normally.
#[test]
fn b5_loops_over_instant_children_run_them_once_a_tick() {
    let ever = |child| over("repeat_times", child);
    let retry = |child| over("retry", child);
    let until = |on: &str, child| over("repeat_until", child).set("on", on);
    let loops = [
        ("S", ever(ever(ever(p("x"))))),
        ("F", retry(retry(retry(p("x"))))),
        ("F", retry(ever(retry(p("x"))))),
        ("S", ever(retry(ever(p("x"))))),
        ("S", until("failure", until("failure", until("failure", p("x"))))),
        ("F", until("success", until("success", until("success", p("x"))))),
        ("S", ever(seq([ever(p("x")), ever(p("x"))]))),
        ("S", ever(par(0, 1, [ever(p("x")), ever(p("x"))]))),
        ("S", ever(over("force_success", retry(over("invert", p("x")))))),
        ("S", ever(ever(ever(sel([p("x"), p("x")]))))),
    ];
    for (end, tree) in loops {
        let mut field = Field::new(5);
        field.world.add_tree("loop", &tree).expect("good");
        field.world.add_tree("calm", &p("y")).expect("good");
        (0..8).for_each(|at| {
            let tree = if at == 3 { "loop" } else { "calm" };
            field.spawn(tree, vec3(at as f32 * 3.0, 0.0, 0.0));
        });
        book(|book| {
            let (x, end) = (book.number("x"), if end == "S" { Status::Success } else { Status::Failure });
            book.results.insert(x, end);
        });
        for _ in 0..600 {
            field.world.tick(1.0 / 60.0);
            let log = log();
            let ticks = |agent| {
                let own = |note: &&Note| note.agent == agent && matches!(note.what, What::Tick(_));
                log.iter().filter(own).count()
            };
            assert!((1..=16).contains(&ticks(3)), "{} child runs in {}", ticks(3), words(&tree));
            assert!((0..8).filter(|agent| *agent != 3).all(|agent| ticks(agent) == 1));
        }
        // That such a loop is hardly meant is told when it is built; nothing else goes wrong.
        let faults =
            field.world.all_problems().iter().filter(|problem| problem.error.kind() != ErrorKind::Warning);
        assert_eq!(faults.count(), 0, "{:?}", field.world.all_problems());
    }
}

/// Ticks until the tree ends; what happened in each tick, without questions.
fn b7_trace(bench: &mut Bench, most: usize) -> Vec<(Status, Vec<(usize, What)>)> {
    let mut trace = Vec::new();
    while trace.len() < most {
        let status = bench.tick(0.1)[0];
        let log = log().into_iter().map(|note| (note.probe, note.what));
        trace.push((status, log.collect()));
        if status != Status::Running {
            break;
        }
    }
    trace
}

/// **B7 A finished or stopped tree does not start afresh.** A tree with sequence, wait 0.5 s, cooldown
/// { keep = "reset" }, parallel; run to the end 100 times; halted at a random tick 100 times. Pass: the trace of each
/// run equals the first. (A cooldown that ended by itself goes on, with either `keep`: the tree is long enough for its
/// 0.5 s to be over when it comes round again.)
#[test]
fn b7_a_finished_or_stopped_tree_starts_afresh() {
    let limited = over("time_limit", shell("s", p("slow"))).set("seconds", 0.3);
    let shot = over("cooldown", p("shot")).set("seconds", 0.5).set("keep", "reset");
    let order = Spec::new("random_sequence").with(p("r"));
    let tree = seq([
        p("a"),
        wait(0.5),
        shot,
        par(0, 1, [wait(0.5), over("repeat_times", p("b")).set("times", 3), over("invert", limited)]),
        over("delay", order).set("seconds", 0.2),
    ]);
    book(|book| *book = Book::default());
    let mut bench = Bench::new(&tree, 1).expect("good");
    for name in ["a", "shot", "b", "r"] {
        book(|book| {
            let probe = book.number(name);
            book.results.insert(probe, Status::Success);
        });
    }
    let first = b7_trace(&mut bench, 100);
    assert!(first.len() == 13 && first.last().expect("some").0 == Status::Success, "{first:?}");
    for run in 0..100 {
        assert_eq!(b7_trace(&mut bench, 100), first, "run {run}");
    }
    let mut dice = Dice::new(7, &[]);
    for run in 0..100 {
        let ticks = 1 + dice.below(12) as usize;
        assert_eq!(b7_trace(&mut bench, ticks), first[..ticks], "run {run} before its halt");
        bench.halt(0, Why::Halted);
        log();
        assert_eq!(b7_trace(&mut bench, 100), first, "run {run} after a halt at tick {ticks}");
        bench.halt(0, Why::Halted);
    }
}

const STEP: f64 = 1.0 / 60.0;

/// The times at which the attack began, in ticks: the branch is open up to 0.5 s, and again from 1.0 s on.
fn b8_attacks(tree: &Spec, answer: Status) -> Vec<usize> {
    book(|book| *book = Book::default());
    let mut bench = Bench::new(tree, 1).expect("good");
    book(|book| {
        let attack = book.number("attack");
        book.results.insert(attack, answer);
    });
    let mut attacks = Vec::new();
    for tick in 0..=180 {
        bench.set(0, "a", !(30..60).contains(&tick));
        bench.tick(if tick == 0 { 0.0 } else { STEP });
        let attack = book(|book| book.number("attack"));
        if log().iter().any(|note| note.probe == attack && note.what == What::Enter) {
            attacks.push(tick);
        }
    }
    attacks
}

/// **B8 Cooldown keeps counting (or not) across branches.** Cooldown 2 s; the branch is left after 0.5 s and entered
/// again at 1.0 s. Pass: "persist" is ready at 2.0 s, "reset" at once on return, one tick more or less. Both when the
/// attack is over before the branch is left, and when it is cut short by that.
#[test]
fn b8_a_cooldown_persists_or_is_reset_when_its_branch_is_left() {
    let tree = |on: &str, keep: &str| {
        let attack = over("cooldown", p("attack")).set("seconds", 2.0).set("on", on).set("keep", keep);
        sel([guard(has("a"), rsel([attack, p("strafe")])), p("away")])
    };
    let near =
        |ticks: &[usize], wanted: usize| ticks.len() > 1 && ticks[0] == 0 && ticks[1].abs_diff(wanted) <= 1;
    for on in ["start", "finish", "success"] {
        let persist = b8_attacks(&tree(on, "persist"), Status::Success);
        assert!(near(&persist, 120), "persist, on {on}: {persist:?}");
        let reset = b8_attacks(&tree(on, "reset"), Status::Success);
        assert!(near(&reset, 60), "reset, on {on}: {reset:?}");
    }
    // An attack that never ends by itself is cut short at 0.5 s: that is no success, and the end for "finish".
    let cut_short = |on: &str, keep: &str| b8_attacks(&tree(on, keep), Status::Running);
    assert!(near(&cut_short("start", "reset"), 60));
    assert!(near(&cut_short("finish", "reset"), 60));
    assert!(near(&cut_short("start", "persist"), 120));
    assert!(near(&cut_short("finish", "persist"), 150));
    // The default is "persist".
    let default = over("cooldown", p("attack")).set("seconds", 2.0).set("on", "start");
    assert!(near(
        &b8_attacks(&sel([guard(has("a"), rsel([default, p("strafe")])), p("away")]), Status::Success),
        120
    ));
}
