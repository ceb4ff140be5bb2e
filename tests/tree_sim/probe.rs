//! The probes: a leaf, a condition and a decorator.

use std::cell::RefCell;
use std::collections::BTreeMap;
use warband::args::Param;
use warband::blackboard::{Change, Value, ValueType};
use warband::rng::mix;
use warband::tree::{Arity, Condition, Control, Cx, Exit, Kind, Leaf, NodeDef, Part, Status, Step, View};
use warband::{KeyDecl, Spec};

/// What the engine did with a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    Enter,
    Tick(Status),
    Exit(Exit),
    Ask(bool),
}

/// One line of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// The key of the agent.
    pub agent: u32,
    /// The number of the probe's name.
    pub probe: usize,
    pub what: What,
}

/// What probes answer, and what was done with them.
#[derive(Default)]
pub struct Book {
    pub names: Vec<String>,
    /// What a probe answers in this tick; a probe that is not in it runs.
    pub results: BTreeMap<usize, Status>,
    /// With a seed, answers are drawn from it, from agent, probe and clock, in place of `results`.
    pub seed: Option<u64>,
    pub log: Vec<Note>,
}

thread_local! {
    static BOOK: RefCell<Book> = RefCell::default();
}

/// The book of this thread.
pub fn book<T>(work: impl FnOnce(&mut Book) -> T) -> T {
    BOOK.with_borrow_mut(work)
}

impl Book {
    pub fn number(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }
    /// Enters, ticks and exits of a probe for an agent.
    pub fn counts(&self, agent: u32, probe: usize) -> (usize, usize, usize) {
        let of = |what: fn(&What) -> bool| {
            let own = |note: &&Note| note.agent == agent && note.probe == probe && what(&note.what);
            self.log.iter().filter(own).count()
        };
        (
            of(|what| *what == What::Enter),
            of(|what| matches!(what, What::Tick(_))),
            of(|what| matches!(what, What::Exit(_))),
        )
    }
    pub fn asks(&self, agent: u32, probe: usize) -> usize {
        let own = |note: &&Note| note.agent == agent && note.probe == probe;
        self.log.iter().filter(own).filter(|note| matches!(note.what, What::Ask(_))).count()
    }
    /// The reasons that a probe was given when it was left.
    pub fn exits(&self, name: &str) -> Vec<Exit> {
        let probe = self.names.iter().position(|known| known == name);
        let reason = |note: &Note| match note.what {
            What::Exit(reason) if Some(note.probe) == probe => Some(reason),
            _ => None,
        };
        self.log.iter().filter_map(reason).collect()
    }
    fn dice(seed: u64, agent: u32, probe: usize, now: u64) -> u64 {
        mix(mix(seed ^ u64::from(agent) << 32 ^ probe as u64) ^ now)
    }
    /// Whether a probe turns its key round.
    pub fn turns(seed: u64, agent: u32, probe: usize, now: u64) -> bool {
        Self::dice(seed, agent, probe, now).is_multiple_of(3)
    }
    fn answer(&self, agent: u32, probe: usize, now: u64) -> Status {
        let Some(seed) = self.seed else {
            return self.results.get(&probe).copied().unwrap_or(Status::Running);
        };
        Self::drawn(seed, agent, probe, now)
    }
    /// What a probe answers at a time in ns, with a seed.
    pub fn drawn(seed: u64, agent: u32, probe: usize, now: u64) -> Status {
        match Self::dice(seed, agent, probe, now) % 8 {
            0 | 1 => Status::Success,
            2 | 3 => Status::Failure,
            _ => Status::Running,
        }
    }
}

fn note(cx: &Cx<'_>, probe: usize, what: What) {
    let agent = cx.view().key();
    book(|book| book.log.push(Note { agent, probe, what }));
}

/// A leaf that answers as the book says.
pub fn leaf(name: &str) -> Spec {
    Spec::new("probe").set("name", name)
}
/// A condition that answers as the book says.
pub fn condition(name: &str) -> Spec {
    Spec::new("asked").set("name", name)
}
/// A decorator that changes nothing.
pub fn shell(name: &str, child: Spec) -> Spec {
    Spec::new("shell").set("name", name).with(child)
}

/// The definitions of the probes.
pub static DEFS: [NodeDef; 3] = [
    NodeDef {
        params: &[
            Param::text("name", "its name in the book"),
            Param::key("flips", "a bool that it turns round now and then, also when it is left").optional(),
        ],
        memory: &[("ticks", warband::tree::SlotType::Count)],
        ..NodeDef::new("probe", Kind::Action, "a leaf that notes what is done with it", |make| {
            let probe = book(|book| book.number(make.text("name")));
            let flips = match make.args.get("flips") {
                Some(_) => Some(make.key_typed("flips", &[ValueType::Bool])?),
                None => None,
            };
            Part::leaf(Probe { probe, flips })
        })
    },
    NodeDef {
        params: &[Param::text("name", "its name in the book")],
        ..NodeDef::new("asked", Kind::Condition, "a condition that notes who asks", |make| {
            Part::condition(Asked { probe: book(|book| book.number(make.text("name"))) })
        })
    },
    NodeDef {
        params: &[Param::text("name", "its name in the book")],
        children: Arity::One,
        ..NodeDef::new("shell", Kind::Decorator, "a decorator that notes what is done with it", |make| {
            Part::control(Shell { probe: book(|book| book.number(make.text("name"))) })
        })
    },
];

struct Probe {
    probe: usize,
    flips: Option<warband::blackboard::KeyId>,
}

impl Probe {
    fn flip(&self, cx: &mut Cx<'_>, salt: u64) {
        let (Some(key), Some(seed)) = (self.flips, book(|book| book.seed)) else { return };
        if Book::turns(seed ^ salt, cx.view().key(), self.probe, cx.view().now()) {
            let value = cx.view().value(key) != Value::Bool(true);
            cx.write(key, Change::Set(Value::Bool(value)));
        }
    }
}

/// Whether the exit of a probe turns its key round, for a seed, an agent and a time in ns.
pub fn flips_on_exit(seed: u64, agent: u32, probe: &str, now: u64) -> bool {
    let probe = book(|book| book.number(probe));
    Book::turns(seed ^ 2, agent, probe, now)
}

impl Leaf for Probe {
    fn enter(&self, cx: &mut Cx<'_>) {
        note(cx, self.probe, What::Enter);
        cx.store(0, 0_u64);
    }
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        let (agent, now) = (cx.view().key(), cx.view().now());
        let status = book(|book| book.answer(agent, self.probe, now));
        note(cx, self.probe, What::Tick(status));
        let ticks = cx.load::<u64>(0) + 1;
        cx.store(0, ticks);
        self.flip(cx, 1);
        status
    }
    fn exit(&self, cx: &mut Cx<'_>, reason: Exit) {
        note(cx, self.probe, What::Exit(reason));
        self.flip(cx, 2);
    }
}

struct Asked {
    probe: usize,
}

impl Condition for Asked {
    fn check(&self, view: &View<'_>) -> bool {
        let agent = view.key();
        book(|book| {
            let answer = match book.seed {
                Some(_) => book.answer(agent, self.probe, view.now()) != Status::Failure,
                None => book.results.get(&self.probe) == Some(&Status::Success),
            };
            book.log.push(Note { agent, probe: self.probe, what: What::Ask(answer) });
            answer
        })
    }
}

struct Shell {
    probe: usize,
}

impl Control for Shell {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        note(cx, self.probe, What::Enter);
        Step::Continue
    }
    fn tick(&self, cx: &mut Cx<'_>, _: bool) -> Step {
        note(cx, self.probe, What::Tick(Status::Running));
        Step::Continue
    }
    fn exit(&self, cx: &mut Cx<'_>, reason: Exit) {
        note(cx, self.probe, What::Exit(reason));
    }
    fn asks(&self) -> bool {
        true
    }
}

/// The declaration of a bool.
pub fn bool_key(name: &str, scope: warband::Scope) -> KeyDecl {
    KeyDecl::new(name, scope, ValueType::Bool)
}
