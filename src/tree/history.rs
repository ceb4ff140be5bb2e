//! Why an agent did what it did: what ended and began, and what decided it.
//!
//! Off by default. While it is on, every beginning, end and abort of a leaf or decorator leaves a [`Record`] with the
//! last answer that was asked for: the condition or decorator, what it looked at, and what it found. Records lie in a
//! ring of fixed size; nothing is allocated while a tree runs.

use super::compile::Tree;
use super::def::Why;
use super::intent::Symbol;
use crate::blackboard::{KeyId, Schema, Value};
#[cfg(doc)]
use crate::error::Error;
use crate::error::Place;
use crate::math::room;
use std::collections::BTreeMap;

/// The most records that an agent keeps.
pub const MOST_RECORDS: usize = 256;

/// What an answer was about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// Nothing that can be named.
    #[default]
    Unknown,
    /// The value of a key.
    Key(KeyId),
    /// Whether the target is in view.
    TargetInView,
    /// For how many seconds the target has been out of view.
    TargetLostFor,
    /// How many metres off something is.
    Distance,
    /// Whether it stands where it wanted to get to.
    Arrived,
    /// Whether it has not got anywhere for three seconds.
    Blocked,
    /// Whether the ring stands.
    RingSet,
    /// Whether a token is free.
    TokenFree,
    /// Whether the squad is still after the body whose token it is; nothing if that body is gone.
    TokenOwner,
    /// For how many seconds a token was held while others waited.
    TokenHeldFor,
    /// When a timer ends, in seconds of the world's clock.
    TimerEnds,
    /// When a timer ended that was waited for, in seconds of the world's clock.
    TimeUp,
    /// Whether the game answers to a command that it was done.
    Answer,
    /// Which message came.
    Message,
    /// What a function of a script answered.
    Script,
    /// What went wrong: an error that this number tells from others ([`Error::print`]). Its text stands in the
    /// world's problems, so that a record holds none.
    Error(u64),
}

/// What an answer was about, and what was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// What was looked at.
    pub what: What,
    /// What was found there.
    pub found: Value,
    /// What it was compared with, if with anything.
    pub wanted: Value,
}

impl Evidence {
    /// This was found.
    pub fn of(what: What, found: impl Into<Value>) -> Self {
        Self { what, found: found.into(), wanted: Value::Nothing }
    }
    /// It was compared with this.
    #[must_use]
    pub fn against(mut self, wanted: impl Into<Value>) -> Self {
        self.wanted = wanted.into();
        self
    }

    /// It in words, as in `key 'alarm' is false`; empty where there is nothing to say.
    pub fn text(&self, schema: &Schema) -> String {
        let found = &self.found;
        let short = |value: &Value| match value {
            Value::Number(number) => format!("{:.2}", number),
            other => other.to_string(),
        };
        let text = match self.what {
            What::Unknown => return String::new(),
            What::Key(key) => format!("key '{}' is {}", schema.info(key).name, short(found)),
            What::TargetInView if !found.is_set() => "there is no target".to_owned(),
            What::TargetInView if *found == Value::Bool(true) => "the target is in view".to_owned(),
            What::TargetInView => "the target is not in view".to_owned(),
            What::TargetLostFor if !found.is_set() => "there is no target".to_owned(),
            What::TargetLostFor => format!("the target has been out of view for {} s", short(found)),
            What::Distance if !found.is_set() => "there is nothing there".to_owned(),
            What::Distance => format!("it is {} m off", short(found)),
            What::Arrived => format!("arrived is {}", short(found)),
            What::Blocked if *found == Value::Bool(true) => "it has not got on for three seconds".to_owned(),
            What::Blocked => "it is not blocked".to_owned(),
            What::RingSet => {
                format!("the ring is {}", if *found == Value::Bool(true) { "set" } else { "not set" })
            }
            What::TokenFree => {
                format!("the token is {}", if *found == Value::Bool(true) { "free" } else { "taken" })
            }
            What::TokenOwner if !found.is_set() => "whose token it is is gone".to_owned(),
            What::TokenOwner if *found == Value::Bool(true) => "the token was taken back".to_owned(),
            What::TokenOwner => "the squad is after somebody else than whose token it is".to_owned(),
            What::TokenHeldFor => format!("the token was held for {} s, and others wait", short(found)),
            What::TimerEnds => format!("its time ends at {} s", short(found)),
            What::TimeUp => format!("its time was up at {} s", short(found)),
            What::Answer if *found == Value::Bool(true) => "the game answers that it was done".to_owned(),
            What::Answer => "the game answers that it was not done".to_owned(),
            What::Message => format!("message {} came", short(found)),
            What::Script => format!("the script says {}", short(found)),
            What::Error(_) => "it went wrong, as the problems of the world tell".to_owned(),
        };
        if self.wanted.is_set() { format!("{text} (limit {})", short(&self.wanted)) } else { text }
    }
}

/// What happened to a node or an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Happening {
    /// The node began.
    Entered,
    /// The node ended, with success or failure.
    Ended(bool),
    /// The node was made to stop.
    Aborted(Why),
    /// The agent does something else now.
    Mode(Symbol, Symbol),
}

/// What happened, when, and what decided it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// In which tick of the world.
    pub tick: u64,
    /// When, ns of the world's clock.
    pub at: u64,
    /// To which node, by its number in the tree.
    pub node: u16,
    /// What happened.
    pub what: Happening,
    /// Which node decided it.
    pub decided_by: u16,
    /// What that node found.
    pub evidence: Evidence,
}

/// Paths of nodes, and where they are written.
type Names = BTreeMap<u16, (String, Option<Place>)>;

/// The path of a node and where it is written.
pub(crate) type Named<'a> = (&'a str, Option<&'a Place>);

/// The last records of an agent, the oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    records: Vec<Record>,
    room: usize,
    next: usize,
    /// What the last answer of this tick was, and whose.
    decided: (u16, Evidence),
    /// The same as it was when something was made to stop in this tick.
    stopped: Option<(u16, Evidence)>,
    /// How many records there ever were.
    count: u64,
    /// For records up to a number, the nodes of the tree that they are of, where that is not the agent's any more.
    past: Vec<(u64, Names)>,
}

impl History {
    /// The bytes that it holds outside of itself, without the names of earlier trees.
    pub(crate) fn bytes(&self) -> usize {
        room(&self.records) + room(&self.past)
    }

    /// Room for so many records, [`MOST_RECORDS`] at most.
    pub fn with_room(records: usize) -> Self {
        let room = records.min(MOST_RECORDS);
        Self { records: Vec::with_capacity(room), room, ..Self::default() }
    }

    /// A tick begins: nothing has been decided yet.
    pub(super) fn begin(&mut self) {
        self.decided = (u16::MAX, Evidence::default());
        self.stopped = None;
    }

    /// The answer of a node, which decides what happens until the next one.
    pub(super) fn decide(&mut self, node: u16, evidence: Evidence) {
        self.decided = (node, evidence);
    }

    /// A leaf ends: what decides is what it says itself, and if it says nothing, nothing is known.
    pub(super) fn decide_end(&mut self, leaf: u16) {
        if self.decided.0 != leaf {
            self.decided = (leaf, Evidence::default());
        }
    }

    /// The agent gets another tree, or another version of it: the records so far keep the names of this one.
    pub(crate) fn keep_names(&mut self, tree: &Tree) {
        let from = self.past.last().map_or(0, |(until, _)| *until);
        let first = self.count - self.records.len() as u64;
        let new = self.records().skip(from.saturating_sub(first) as usize);
        let nodes = new.flat_map(|record| [record.node, record.decided_by]);
        let nodes =
            nodes.map(|node| (node, (tree.path(node).to_owned(), tree.place(node).cloned()))).collect();
        self.past.retain(|(until, _)| *until > first);
        self.past.push((self.count, nodes));
    }

    /// When a node that runs began, ns of the world's clock, if that is noted (still).
    pub(crate) fn began(&self, node: u16) -> Option<u64> {
        let from = self.past.last().map_or(0, |(until, _)| *until);
        let first = self.count - self.records.len() as u64;
        let new = self.records().skip(from.saturating_sub(first) as usize);
        let began = |record: &&Record| record.node == node && record.what == Happening::Entered;
        new.filter(began).last().map(|record| record.at)
    }

    /// Notes what happened; the oldest record makes room. A change of mode was decided by what stopped the mode before.
    pub(crate) fn note(&mut self, tick: u64, at: u64, node: u16, what: Happening) {
        let decided = match what {
            Happening::Mode(..) => self.stopped.as_ref().unwrap_or(&self.decided),
            _ => &self.decided,
        };
        let (decided_by, evidence) = decided.clone();
        if matches!(what, Happening::Aborted(_)) {
            self.stopped.get_or_insert((decided_by, evidence.clone()));
        }
        let record = Record { tick, at, node, what, decided_by, evidence };
        self.count += 1;
        if self.records.len() < self.room {
            self.records.push(record);
        } else if let Some(oldest) = self.records.get_mut(self.next) {
            *oldest = record;
            self.next = (self.next + 1) % self.room.max(1);
        }
    }

    /// The records, the oldest first.
    pub fn records(&self) -> impl DoubleEndedIterator<Item = &Record> {
        let (new, old) = self.records.split_at(self.next.min(self.records.len()));
        old.iter().chain(new)
    }

    /// The same, each with the path and place of its node and of the one that decided.
    pub(crate) fn named<'a>(&'a self, tree: &'a Tree) -> impl Iterator<Item = (&'a Record, [Named<'a>; 2])> {
        let first = self.count - self.records.len() as u64;
        self.records().zip(first..).map(move |(record, number)| {
            let past = self.past.iter().find(|(until, _)| number < *until);
            let name = |node: u16| match past {
                Some((_, nodes)) => {
                    nodes.get(&node).map_or(("", None), |(path, place)| (path.as_str(), place.as_ref()))
                }
                None => (tree.path(node), tree.place(node)),
            };
            (record, [name(record.node), name(record.decided_by)])
        })
    }
}
