//! What every node kind must hold, read from its definition: a new node is covered as soon as it is in the table.

mod tree_sim;

use std::cell::RefCell;
use tree_sim::{Bench, Book, Note, book, leaf};
use warband::args::{Arg, DefaultValue, Function, Param, ParamType};
use warband::blackboard::ValueType;
use warband::tree::{Arity, Cx, Hook, Host, Kind, NodeDef, Status, Why};
use warband::{Error, ErrorKind, Place, Spec};

/// All definitions of the library, steering leaves included.
fn defs() -> Vec<&'static NodeDef> {
    warband::node::registry().defs().to_vec()
}

/// A number that the parameter takes: near its default or `wish`.
fn number(param: &Param, wish: f64) -> f64 {
    wish.clamp(param.low.max(-1e6), param.high.min(1e6))
}

/// What could be given for a parameter: the first that the node takes is right.
fn candidates(param: &Param, wish: f64) -> Vec<Arg> {
    let keys = || ValueType::ALL.iter().map(|ty| Arg::Text(format!("key_{ty}"))).collect();
    match param.ty {
        ParamType::Bool => vec![true.into()],
        ParamType::Integer | ParamType::IntegerOr(_) => vec![number(param, wish).ceil().into()],
        ParamType::Number => vec![number(param, wish).into()],
        ParamType::Text => vec!["some".into()],
        ParamType::Choice(words) => vec![words[0].into()],
        ParamType::Vec3 | ParamType::Aim | ParamType::AimOrSelf => vec![warband::vec3(1.0, 0.0, 2.0).into()],
        ParamType::Points => vec![vec![warband::vec3(1.0, 0.0, 2.0), warband::vec3(5.0, 0.0, 2.0)].into()],
        ParamType::Key => keys(),
        ParamType::Value => vec![
            true.into(),
            1.0.into(),
            "some".into(),
            warband::vec3(1.0, 0.0, 2.0).into(),
            vec![warband::vec3(1.0, 0.0, 2.0)].into(),
        ],
        ParamType::Function => vec![Arg::Function(Function { handle: 1, source: 2, line: 3 })],
        _ => panic!("parameter '{}' is of a type that this test does not know", param.name),
    }
}

fn fits(spec: &Spec) -> Result<(), Error> {
    Bench::new(spec, 1).map(drop)
}

/// The children that a node must have.
fn with_children(mut spec: Spec, def: &NodeDef) -> Spec {
    let count = match def.children {
        Arity::None => 0,
        Arity::One => 1,
        Arity::Few(_, most) => most,
        Arity::Many => 3,
    };
    for at in 0..count {
        let mut child = leaf(&format!("child{at}"));
        for param in def.edge {
            child = child.edge(
                param.name,
                match param.ty {
                    ParamType::Choice(words) => Arg::from(words[at % words.len()]),
                    _ => Arg::from(at as f64 + 1.0),
                },
            );
        }
        spec = spec.with(child);
    }
    if let Some(role) = def.condition {
        spec = spec.named(role, Spec::new("succeed"));
    }
    spec.at(Place::new("contract.lua", 7))
}

/// The first of all ways to fill these parameters that is legal.
fn first_that_fits(def: &NodeDef, params: &[&Param], wish: f64) -> Result<Spec, Error> {
    let choices = params.iter().map(|param| candidates(param, wish)).collect::<Vec<_>>();
    let mut last = None;
    for mut pick in 0..choices.iter().map(Vec::len).product::<usize>() {
        let mut spec = Spec::new(def.name);
        for (param, choice) in params.iter().zip(&choices) {
            spec = spec.set(param.name, choice[pick % choice.len()].clone());
            pick /= choice.len();
        }
        let spec = with_children(spec, def);
        match fits(&spec) {
            Ok(()) => return Ok(spec),
            Err(error) => last = Some(error),
        }
    }
    Err(last.expect("there is one way at least"))
}

/// A legal spec of the kind, with all that must be given, numbers near `wish`; with `all`, everything else too.
fn legal(def: &NodeDef, wish: f64, all: bool) -> Spec {
    let needed = |param: &&Param| match param.default {
        DefaultValue::Required => true,
        _ => all && matches!(param.ty, ParamType::Number | ParamType::Integer | ParamType::Function),
    };
    let params = def.params.iter().filter(needed).collect::<Vec<_>>();
    let mut last = None;
    // A node may need one of several that could each be left out.
    let extra = def.params.iter().filter(|param| !needed(param)).map(Some);
    for extra in std::iter::once(None).chain(extra) {
        let params = params.iter().copied().chain(extra).collect::<Vec<_>>();
        match first_that_fits(def, &params, wish) {
            Ok(spec) => return spec,
            Err(error) => last = Some(last.unwrap_or(error)),
        }
    }
    panic!("no legal arguments found for '{}': {last:?}", def.name)
}

thread_local! {
    /// What the host was asked to call.
    static CALLS: RefCell<Vec<Hook>> = const { RefCell::new(Vec::new()) };
}

/// A host whose functions run twice and then succeed, by the clock; with `errors`, each is a script error.
struct Script {
    errors: bool,
}

impl Host for Script {
    fn call(&mut self, _: &Function, hook: Hook, cx: &mut Cx<'_>) -> Result<Status, Error> {
        CALLS.with_borrow_mut(|calls| calls.push(hook));
        if self.errors {
            return Err(Error::new(ErrorKind::Script, "attempt to index nil").at(Place::new("leaf.lua", 3)));
        }
        Ok(if (cx.view().now() / 100_000_000).is_multiple_of(3) { Status::Success } else { Status::Running })
    }
}

/// Six ways for children to end, by tick.
const SCRIPTS: [&str; 6] = ["SSSSSSSS", "FFFFFFFF", "RRRRRRRR", "RSRFRRSF", "SFRRFSRR", "RRFFSSRR"];

fn answers(script: &str, tick: usize) {
    let status = match script.as_bytes()[tick % script.len()] {
        b'S' => Status::Success,
        b'F' => Status::Failure,
        _ => Status::Running,
    };
    book(|book| {
        for at in 0..3 {
            let child = book.number(&format!("child{at}"));
            book.results.insert(child, status);
        }
    });
}

fn bench(spec: &Spec, agents: usize, target: bool) -> Bench {
    book(|book| *book = Book::default());
    CALLS.with_borrow_mut(Vec::clear);
    let mut bench = Bench::new(spec, agents).unwrap_or_else(|error| panic!("{error}"));
    bench.host = Some(Box::new(Script { errors: false }));
    if target {
        bench.see_target();
    }
    bench
}

/// Eight ticks of the first agent.
fn eight(bench: &mut Bench, script: &str, dt: f64) -> Vec<Status> {
    let tick = |tick| {
        answers(script, tick);
        bench.pass(dt);
        bench.tick_one(0)
    };
    (0..8).map(tick).collect()
}

/// Calls `work` for every kind with few and with all parameters, with and without a target, for every script.
fn each(mut work: impl FnMut(&'static NodeDef, &Spec, bool, &str)) {
    for def in defs() {
        let specs = [legal(def, 0.0, false), legal(def, 0.25, false), legal(def, 2.0, true)];
        for (spec, target) in specs.iter().flat_map(|spec| [(spec, false), (spec, true)]) {
            let scripts = if def.children == Arity::None { 1 } else { SCRIPTS.len() };
            SCRIPTS[..scripts].iter().for_each(|script| work(def, spec, target, script));
        }
    }
}

fn log_of(agent: u32) -> Vec<Note> {
    book(|book| book.log.iter().filter(|note| note.agent == agent).copied().collect())
}

#[test]
fn every_node_can_be_made() {
    assert!(defs().len() > 40);
    each(|def, spec, _, _| assert_eq!(spec.node, def.name));
}

#[test]
fn a_child_is_exited_once_for_each_enter() {
    let mut entered = 0;
    each(|def, spec, target, script| {
        let mut bench = bench(spec, 1, target);
        eight(&mut bench, script, 0.1);
        let counts = |probe| book(|book| book.counts(0, probe));
        for probe in 0..book(|book| book.names.len()) {
            let (enters, ticks, exits) = counts(probe);
            assert!(
                enters - exits <= 1 && ticks >= enters,
                "{} {script}: {enters}/{ticks}/{exits}",
                def.name
            );
        }
        bench.halt(0, Why::Halted);
        bench.halt(0, Why::Halted);
        for probe in 0..book(|book| book.names.len()) {
            let (enters, _, exits) = counts(probe);
            assert_eq!(enters, exits, "{} {script}", def.name);
            entered += enters;
        }
    });
    assert!(entered > 1000);
}

#[test]
fn after_an_abort_and_a_while_all_is_as_at_first() {
    each(|def, spec, target, script| {
        let mut bench = bench(spec, 1, target);
        let dice = bench.minds[0].dice.clone();
        let first = (eight(&mut bench, script, 0.1), log_of(0).len());
        bench.halt(0, Why::Halted);
        // What these remember is for the life of the agent's tree.
        if ["run_once", "run_limit"].contains(&def.name) {
            return;
        }
        // By then every cooldown is over, the script answers as at first, and so do the dice.
        bench.pass(999.1);
        bench.minds[0].dice = dice;
        book(|book| book.log.clear());
        let second = (eight(&mut bench, script, 0.1), log_of(0).len());
        assert_eq!(first, second, "{} {script}", def.name);
    });
}

#[test]
fn no_time_may_pass() {
    each(|def, spec, target, script| {
        let mut bench = bench(spec, 1, target);
        for _ in 0..3 {
            eight(&mut bench, script, 0.0);
        }
        assert!(bench.steps[0] <= 64 + 16 * bench.tree.len(), "{}", def.name);
        let mind = &bench.minds[0];
        let finite =
            mind.intent.rules().iter().all(|rule| rule.weight.is_finite() && rule.order.point.is_finite());
        assert!(
            finite && mind.intent.goal.is_none_or(|goal| goal.is_finite()),
            "{}: {:?}",
            def.name,
            mind.intent
        );
        let faults = bench.desk.problems.iter().filter(|problem| problem.error.kind() != ErrorKind::Warning);
        assert_eq!(faults.count(), 0, "{}: {:?}", def.name, bench.desk.problems);
    });
}

#[test]
fn two_agents_share_nothing() {
    each(|def, spec, target, script| {
        // To be felt by the others is what a token is for.
        if matches!(def.name, "lease" | "token_free") {
            return;
        }
        let mut alone = bench(spec, 2, target);
        let wanted = (eight(&mut alone, script, 0.1), log_of(0));
        let mut both = bench(spec, 2, target);
        let mut got = Vec::new();
        for tick in 0..8 {
            answers(script, tick);
            both.pass(0.1);
            answers(SCRIPTS[(tick + 1) % SCRIPTS.len()], tick);
            both.tick_one(1);
            if tick % 3 == 2 {
                both.halt(1, Why::Halted);
            }
            answers(script, tick);
            got.push(both.tick_one(0));
        }
        assert_eq!((got, log_of(0)), wanted, "{} {script}", def.name);
        assert_eq!(alone.minds[0], both.minds[0], "{} {script}", def.name);
    });
}

#[test]
fn the_same_again_is_the_same() {
    each(|def, spec, target, script| {
        let [one, other] = [(); 2].map(|()| {
            let mut bench = bench(spec, 1, target);
            (eight(&mut bench, script, 0.07), log_of(0), bench.minds[0].clone(), bench.desk.writes.clone())
        });
        assert!(one == other, "{} {script}", def.name);
    });
}

#[test]
fn a_node_ends_only_as_it_says() {
    each(|def, spec, target, script| {
        let statuses = eight(&mut bench(spec, 1, target), script, 0.1);
        for (status, text) in
            [(Status::Running, def.running), (Status::Success, def.success), (Status::Failure, def.failure)]
        {
            let never = text.is_empty() || text == "never" || text.starts_with("never;");
            assert!(!never || !statuses.contains(&status), "{} {script}: {status:?}, '{text}'", def.name);
        }
    });
}

#[test]
fn a_condition_writes_nothing_and_can_guard() {
    let mut conditions = 0;
    each(|def, spec, target, _| {
        let guard = Spec::new("guard").named("when", spec.clone()).with(leaf("child0"));
        if def.kind != Kind::Condition {
            let plain =
                ["sequence", "selector", "reactive_sequence", "reactive_selector"].contains(&def.name);
            let error = fits(&guard).expect_err("only conditions guard");
            assert!(plain || error.kind() == ErrorKind::WrongType, "{}: {error}", def.name);
            return;
        }
        conditions += 1;
        fits(&guard).unwrap_or_else(|error| panic!("{error}"));
        let mut bench = bench(spec, 1, target);
        bench.minds[0].memory = bench.tree.memory();
        let before = bench.minds[0].clone();
        eight(&mut bench, "R", 0.1);
        assert_eq!(before, bench.minds[0], "{}", def.name);
        let desk = &bench.desk;
        let still =
            desk.writes.is_empty() && desk.news.is_empty() && desk.commands.is_empty() && desk.log.is_empty();
        assert!(still && desk.problems.is_empty(), "{} leaves something on the desk", def.name);
    });
    assert!(conditions > 20);
}

/// The faults of a spec; each must say where it is.
fn kinds(spec: &Spec, what: &str) -> Vec<ErrorKind> {
    let Err(error) = fits(spec) else { panic!("'{}' is built {what}", spec.node) };
    for error in error.each() {
        assert!(error.place().is_some_and(|place| &*place.file == "contract.lua"), "no place: {error}");
        assert!(error.path().is_some_and(|path| path.starts_with(&spec.node)), "no path: {error}");
        let text = error.message();
        assert!(!text.ends_with('.') && !text.starts_with(char::is_uppercase), "{error}");
    }
    error.each().map(Error::kind).collect()
}

#[test]
fn wrong_parameters_are_refused_with_place_and_path() {
    for def in defs() {
        let spec = legal(def, 0.25, false);
        let unknown = spec.clone().set("nosuch", 1.0);
        assert_eq!(kinds(&unknown, "with an unknown parameter"), [ErrorKind::UnknownName], "{}", def.name);
        for param in def.params {
            let mut without = spec.clone();
            without.args.retain(|(name, _)| name != param.name);
            if param.default == DefaultValue::Required {
                let found = kinds(&without, "without a parameter that it needs");
                assert!(found.contains(&ErrorKind::Missing), "{}.{}: {found:?}", def.name, param.name);
            }
            if matches!(param.ty, ParamType::Number | ParamType::Integer | ParamType::IntegerOr(_)) {
                let beyond = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, param.low - 1.0, param.high + 1.0];
                for number in beyond {
                    // A whole number that is none is of the wrong type.
                    let wanted = if number.fract() == 0.0 || param.ty == ParamType::Number {
                        ErrorKind::OutOfRange
                    } else {
                        ErrorKind::WrongType
                    };
                    let found = kinds(&without.clone().set(param.name, number), "with a number out of range");
                    assert_eq!(found, [wanted], "{}.{} = {number}", def.name, param.name);
                }
            }
            let wrong = match param.ty {
                ParamType::Text | ParamType::Key | ParamType::Choice(_) => Arg::Bool(true),
                ParamType::Value => Arg::List(vec![Arg::Bool(true)]),
                _ => Arg::List(vec!["some".into()]),
            };
            let found = kinds(&without.clone().set(param.name, wrong), "with a value of another type");
            assert_eq!(found, [ErrorKind::WrongType], "{}.{}", def.name, param.name);
            if param.ty == ParamType::Key {
                let found = kinds(&without.set(param.name, "nosuch"), "with an undeclared key");
                assert_eq!(found, [ErrorKind::UnknownName], "{}.{}", def.name, param.name);
            }
        }
    }
}

#[test]
fn wrong_children_are_refused_with_place_and_path() {
    for def in defs() {
        let spec = legal(def, 0.25, false);
        let place = || Place::new("contract.lua", 8);
        let more = spec.clone().with(leaf("more").at(place()));
        match def.children {
            Arity::None | Arity::One | Arity::Few(..) => {
                assert_eq!(kinds(&more, "with a child too many"), [ErrorKind::TooMany], "{}", def.name);
            }
            Arity::Many => {}
        }
        if def.children != Arity::None {
            let mut none = spec.clone();
            none.children.retain(|child| child.role.is_some());
            assert_eq!(kinds(&none, "without children"), [ErrorKind::Missing], "{}", def.name);
        }
        let named = spec.clone().named("nosuch", Spec::new("succeed").at(place()));
        assert_eq!(kinds(&named, "with an unknown condition"), [ErrorKind::UnknownName], "{}", def.name);
        if def.condition.is_some() {
            let mut without = spec.clone();
            without.children.retain(|child| child.role.is_none());
            assert_eq!(kinds(&without, "without its condition"), [ErrorKind::Missing], "{}", def.name);
        }
    }
}

#[test]
fn a_script_action_that_fails_in_a_parallel_fails_alone_fact_56() {
    let function = |handle| Arg::Function(Function { handle, source: 1, line: 1 });
    let script = Spec::new("action").set("tick", function(1)).set("exit", function(2));
    let mut bench = bench(&Spec::new("parallel").with(leaf("child0")).with(script), 1, false);
    bench.host = Some(Box::new(Script { errors: true }));
    for ticks in 1..=2 {
        assert_eq!(bench.tick(0.1), [Status::Failure]);
        assert_eq!(book(|book| book.counts(0, 0)), (ticks, ticks, ticks));
        let exits =
            CALLS.with_borrow(|calls| calls.iter().filter(|hook| matches!(hook, Hook::Exit(_))).count());
        assert_eq!(exits, ticks);
    }
    let problem = &bench.desk.problems[0];
    assert_eq!(problem.to_string(), "leaf.lua:3: attempt to index nil (at parallel/2.action)");
}
