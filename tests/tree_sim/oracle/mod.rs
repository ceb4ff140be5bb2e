//! A second interpreter: slow, recursive, straight from the semantics. It shares nothing with the engine but the
//! answers of probes, and tells the same story in the same order, or one of the two is wrong.

mod asks;

use super::probe::{Book, Note, What, book};
use std::collections::BTreeMap;
use warband::Spec;
use warband::args::Arg;
use warband::tree::{Exit, Status, Why};

const GONE: Exit = Exit::Aborted(Why::Parent);

struct Node {
    spec: Spec,
    parent: Option<usize>,
    /// The named condition.
    when: Option<Spec>,
    children: Vec<usize>,
    /// The parallel's child, or the root, in which it runs.
    region: usize,
    /// Whether it runs.
    on: bool,
    /// Which child runs or was chosen.
    at: usize,
    /// Between two attempts.
    idle: bool,
    count: u64,
    time: u64,
    /// Whether a guard's condition held when it was asked last.
    was: bool,
    done: Vec<Option<bool>>,
    /// Which children of a parallel were passed over.
    gone: Vec<bool>,
}

/// One agent that runs one tree.
pub struct Oracle {
    nodes: Vec<Node>,
    pub keys: BTreeMap<String, bool>,
    pub number: f64,
    pub now: u64,
    /// From when a wait counts that follows one that was up.
    carried: Option<u64>,
    seed: u64,
    /// A reactive composite that asks again, and its child that ran.
    pending: Option<(usize, usize)>,
    region: usize,
    /// Whether what was visited last was passed over; the status it gave means nothing then.
    passed: bool,
    cursors: BTreeMap<usize, usize>,
    pub story: Vec<Note>,
}

fn number_of(spec: &Spec, name: &str) -> Option<f64> {
    spec.args.iter().find(|(known, _)| known == name).and_then(|(_, arg)| match arg {
        Arg::Number(number) => Some(*number),
        _ => None,
    })
}

fn text_of<'a>(spec: &'a Spec, name: &str) -> &'a str {
    spec.args.iter().find(|(known, _)| known == name).map_or("", |(_, arg)| match arg {
        Arg::Text(text) => text,
        _ => "",
    })
}

fn time_of(spec: &Spec) -> u64 {
    (number_of(spec, "seconds").unwrap_or(0.0) * 1e9).round() as u64
}

impl Oracle {
    pub fn new(spec: &Spec, seed: u64) -> Self {
        let mut oracle = Self {
            nodes: Vec::new(),
            keys: BTreeMap::new(),
            number: 0.0,
            now: 0,
            carried: None,
            seed,
            pending: None,
            region: 0,
            passed: false,
            cursors: BTreeMap::new(),
            story: Vec::new(),
        };
        oracle.add(spec, None, 0);
        oracle
    }

    fn add(&mut self, spec: &Spec, parent: Option<usize>, region: usize) -> usize {
        let at = self.nodes.len();
        let when = spec.children.iter().find(|child| child.role.is_some()).cloned();
        self.nodes.push(Node {
            spec: spec.clone(),
            parent,
            when,
            children: Vec::new(),
            region,
            on: false,
            at: 0,
            idle: false,
            count: 0,
            time: 0,
            was: false,
            done: Vec::new(),
            gone: Vec::new(),
        });
        for child in spec.children.iter().filter(|child| child.role.is_none()) {
            let inner = if spec.node == "parallel" { self.nodes.len() } else { region };
            let child = self.add(child, Some(at), inner);
            self.nodes[at].children.push(child);
        }
        at
    }

    /// One tick.
    pub fn tick(&mut self) -> Status {
        self.carried = None;
        let status = self.visit(0, true);
        if self.was_passed() { Status::Success } else { status }
    }

    fn was_passed(&mut self) -> bool {
        std::mem::take(&mut self.passed)
    }

    /// The child of a decorator that was entered: one that is passed over leaves nothing to do.
    fn decorated(&mut self, node: usize, first: bool) -> (Status, bool) {
        let status = self.visit_child(node, 0, first);
        let passed = self.was_passed();
        (if passed { Status::Success } else { status }, passed)
    }

    pub fn halt_all(&mut self) {
        self.halt(0);
        self.forget(0);
    }

    fn kind(&self, node: usize) -> &str {
        &self.nodes[node].spec.node
    }

    fn probe(&self, node: usize) -> usize {
        book(|book| book.number(text_of(&self.nodes[node].spec, "name")))
    }

    fn note(&mut self, node: usize, what: What) {
        let probe = self.probe(node);
        self.story.push(Note { agent: 0, probe, what });
    }

    /// Goes on with a node that runs, or begins it.
    fn visit(&mut self, node: usize, first: bool) -> Status {
        let status = if self.nodes[node].on { self.go_on(node) } else { self.begin(node, first) };
        self.nodes[node].on = status == Status::Running;
        status
    }

    fn is_skipped(&self, node: usize) -> bool {
        self.holds(self.nodes[node].when.as_ref().expect("a skip_if has a condition"))
    }

    /// Before anything with an effect begins that is not the first thing of its branch, what ran gives way.
    fn commit(&mut self, first: bool) {
        if !first && let Some((top, child)) = self.pending.take() {
            let child = self.nodes[top].children[child];
            self.halt(child);
        }
    }

    /// `node` runs from now on.
    fn stay(&mut self, node: usize) -> Status {
        let old = self.cursors.get(&self.region).copied();
        if let Some((top, child)) = self.pending
            && self.nodes[top].region == self.region
        {
            self.pending = None;
            let child = self.nodes[top].children[child];
            self.halt(child);
        }
        self.cursors.insert(self.region, node);
        if old != Some(node) {
            let known = old.map_or(Vec::new(), |old| self.lowers(old));
            for entry in self.lowers(node) {
                if !known.contains(&entry) && self.nodes[entry.1].was {
                    self.ask(entry.1);
                }
            }
        }
        Status::Running
    }

    fn halt(&mut self, node: usize) {
        if !self.nodes[node].on {
            return;
        }
        self.nodes[node].on = false;
        self.cursors.remove(&self.nodes[node].region);
        for child in self.nodes[node].children.clone() {
            self.halt(child);
        }
        self.leave(node, GONE);
        self.forget(node);
    }

    /// A branch is left: what is kept until then is forgotten, whether it ran or not.
    fn forget(&mut self, node: usize) {
        let spec = &self.nodes[node].spec;
        if self.kind(node) == "cooldown" && text_of(spec, "keep") == "reset" {
            self.nodes[node].time = 0;
        }
        for child in self.nodes[node].children.clone() {
            self.forget(child);
        }
    }

    /// What a node does when it is left.
    fn leave(&mut self, node: usize, reason: Exit) {
        match self.kind(node) {
            "probe" => {
                self.note(node, What::Exit(reason));
                self.flip(node, 2);
            }
            "shell" => self.note(node, What::Exit(reason)),
            "cooldown" if reason == GONE => {
                let spec = &self.nodes[node].spec;
                if text_of(spec, "on") == "finish" {
                    self.nodes[node].time = self.now + time_of(&self.nodes[node].spec);
                }
            }
            _ => {}
        }
    }

    fn flip(&mut self, node: usize, salt: u64) {
        let key = text_of(&self.nodes[node].spec, "flips").to_owned();
        if !key.is_empty() && Book::turns(self.seed ^ salt, 0, self.probe(node), self.now) {
            let on = self.keys.get(&key) == Some(&true);
            self.keys.insert(key, !on);
        }
    }

    fn begin(&mut self, node: usize, first: bool) -> Status {
        let kind = self.kind(node).to_owned();
        let chain = kind.ends_with("sequence") || kind.ends_with("selector");
        let plain =
            ["invert", "force_success", "force_failure", "subtree", "guard", "skip_if", "has_value", "asked"];
        if !chain && !plain.contains(&kind.as_str()) {
            self.commit(first);
        }
        let time = self.now + time_of(&self.nodes[node].spec);
        match kind.as_str() {
            _ if chain => self.run_chain(node, 0, first),
            "guard" if !self.ask(node) => Status::Failure,
            "guard" => self.visit_child(node, 0, false),
            "skip_if" if self.is_skipped(node) => {
                self.passed = true;
                Status::Success
            }
            "has_value" | "asked" => {
                let spec = self.nodes[node].spec.clone();
                Status::of(self.holds(&spec))
            }
            "repeat_times" | "retry" => {
                self.nodes[node].count = 0;
                self.nodes[node].idle = false;
                match number_of(&self.nodes[node].spec, "times") {
                    Some(0.0) => Status::of(kind == "repeat_times"),
                    _ => self.attempt(node, first),
                }
            }
            "cooldown" if self.now < self.nodes[node].time => Status::Failure,
            "cooldown" => {
                if text_of(&self.nodes[node].spec, "on") == "start" {
                    self.nodes[node].time = time;
                }
                self.inside(node, first)
            }
            "parallel" => {
                let children = self.nodes[node].children.len();
                self.nodes[node].done = vec![None; children];
                self.nodes[node].gone = vec![false; children];
                self.side_by_side(node, first)
            }
            "bands" => {
                self.nodes[node].at = self.band(node, None);
                let at = self.nodes[node].at;
                self.chosen(node, at, first && at == 0)
            }
            "shell" => {
                self.note(node, What::Enter);
                self.inside(node, first)
            }
            "time_limit" => {
                self.nodes[node].time = time;
                self.inside(node, first)
            }
            "wait" => {
                let since = self.carried.take().unwrap_or(self.now);
                self.nodes[node].time = since + time_of(&self.nodes[node].spec);
                self.inside(node, first)
            }
            "probe" => {
                self.note(node, What::Enter);
                self.inside(node, first)
            }
            _ => self.inside(node, first),
        }
    }

    fn go_on(&mut self, node: usize) -> Status {
        let at = self.nodes[node].at;
        match self.kind(node).to_owned().as_str() {
            "sequence" => self.run_chain(node, at, false),
            "selector" => self.take_over_or_go_on(node),
            "reactive_sequence" | "reactive_selector" => self.ask_again(node),
            "guard" => {
                if self.aborts(node, "self") && !self.ask(node) {
                    let child = self.nodes[node].children[0];
                    self.halt(child);
                    return Status::Failure;
                }
                self.visit_child(node, 0, false)
            }
            "repeat_times" | "retry" => self.attempt(node, false),
            "parallel" => self.side_by_side(node, false),
            "bands" => {
                let chosen = self.band(node, Some(at));
                if chosen != at {
                    let child = self.nodes[node].children[at];
                    self.halt(child);
                    self.nodes[node].at = chosen;
                }
                self.chosen(node, chosen, false)
            }
            "shell" => {
                self.note(node, What::Tick(Status::Running));
                self.inside(node, false)
            }
            _ => self.inside(node, false),
        }
    }

    fn visit_child(&mut self, node: usize, child: usize, first: bool) -> Status {
        let child = self.nodes[node].children[child];
        self.visit(child, first)
    }

    fn chosen(&mut self, node: usize, child: usize, first: bool) -> Status {
        let status = self.visit_child(node, child, first);
        if self.was_passed() { Status::Success } else { status }
    }

    /// The work of leaves, and of decorators round their child.
    fn inside(&mut self, node: usize, first: bool) -> Status {
        let due = self.now >= self.nodes[node].time;
        match self.kind(node).to_owned().as_str() {
            "invert" => match self.visit_child(node, 0, first) {
                Status::Running => Status::Running,
                status => Status::of(status == Status::Failure),
            },
            "force_success" | "force_failure" => match self.visit_child(node, 0, first) {
                Status::Running => Status::Running,
                _ => Status::of(self.kind(node) == "force_success"),
            },
            "subtree" | "skip_if" => self.visit_child(node, 0, first),
            "time_limit" => match self.decorated(node, first).0 {
                Status::Running if due => {
                    let child = self.nodes[node].children[0];
                    self.halt(child);
                    Status::Failure
                }
                status => status,
            },
            "cooldown" => self.cooled(node, first),
            "shell" => {
                let status = self.decorated(node, first).0;
                if status != Status::Running {
                    self.leave(node, Exit::of(status == Status::Success));
                }
                status
            }
            "wait" if due => {
                let carries = self.nodes[node].spec.args.iter().any(|(_, arg)| *arg == Arg::Bool(true));
                self.carried = carries.then_some(self.nodes[node].time).or(self.carried);
                Status::Success
            }
            "wait" => self.stay(node),
            "set" => {
                let spec = &self.nodes[node].spec;
                let on = spec.args.iter().any(|(_, arg)| *arg == Arg::Bool(true));
                let key = text_of(spec, "key").to_owned();
                self.keys.insert(key, on);
                Status::Success
            }
            "increment" => {
                self.number += number_of(&self.nodes[node].spec, "by").unwrap_or(1.0);
                Status::Success
            }
            "probe" => {
                let status = Book::drawn(self.seed, 0, self.probe(node), self.now);
                self.note(node, What::Tick(status));
                self.flip(node, 1);
                if status == Status::Running {
                    return self.stay(node);
                }
                self.leave(node, Exit::of(status == Status::Success));
                status
            }
            other => panic!("'{other}' is no node of these trees"),
        }
    }

    fn cooled(&mut self, node: usize, first: bool) -> Status {
        let (status, passed) = self.decorated(node, first);
        let on = text_of(&self.nodes[node].spec, "on");
        let counts = on == "finish" || (on == "success" && status == Status::Success);
        if status != Status::Running && counts && !passed {
            self.nodes[node].time = self.now + time_of(&self.nodes[node].spec);
        }
        status
    }

    /// The children of a chain from one on, until one runs or settles it.
    fn run_chain(&mut self, node: usize, from: usize, first: bool) -> Status {
        let goes_on = if self.kind(node).ends_with("sequence") { Status::Success } else { Status::Failure };
        for at in from..self.nodes[node].children.len() {
            self.nodes[node].at = at;
            let status = self.visit_child(node, at, first && at == 0);
            if !self.was_passed() && status != goes_on {
                return status;
            }
        }
        goes_on
    }

    fn take_over_or_go_on(&mut self, node: usize) -> Status {
        let at = self.nodes[node].at;
        for branch in 0..at {
            for guard in self.watching(self.nodes[node].children[branch]) {
                let before = self.nodes[guard].was;
                if self.ask(guard) && !before {
                    let child = self.nodes[node].children[at];
                    self.halt(child);
                    return self.run_chain(node, branch, false);
                }
            }
        }
        self.run_chain(node, at, false)
    }

    /// A reactive chain from its first child.
    fn ask_again(&mut self, node: usize) -> Status {
        let running = self.nodes[node].at;
        if running > 0 {
            let goes_on =
                if self.kind(node).ends_with("sequence") { Status::Success } else { Status::Failure };
            self.pending = Some((node, running));
            for at in 0..running {
                let status = self.visit_child(node, at, true);
                if self.was_passed() || status == goes_on {
                    continue;
                }
                if self.pending.take().is_some() {
                    let child = self.nodes[node].children[running];
                    self.halt(child);
                }
                self.nodes[node].at = at;
                return status;
            }
            self.pending = None;
        }
        self.run_chain(node, running, false)
    }

    fn attempt(&mut self, node: usize, first: bool) -> Status {
        let (status, passed) = self.decorated(node, first);
        if passed {
            return status;
        }
        let counts = if self.kind(node) == "repeat_times" { Status::Success } else { Status::Failure };
        if status != counts {
            return status;
        }
        self.nodes[node].count += 1;
        let times = number_of(&self.nodes[node].spec, "times").unwrap_or(f64::INFINITY);
        if self.nodes[node].count as f64 >= times { counts } else { self.stay(node) }
    }

    fn side_by_side(&mut self, node: usize, first: bool) -> Status {
        let children = self.nodes[node].children.clone();
        let (outer, carried) = (self.region, self.carried);
        for (at, child) in children.iter().enumerate() {
            if self.nodes[node].done[at].is_none() {
                (self.region, self.carried) = (*child, carried);
                let status = self.visit(*child, first);
                self.nodes[node].gone[at] = self.was_passed();
                self.nodes[node].done[at] = (status != Status::Running).then_some(status == Status::Success);
                if status != Status::Running {
                    self.cursors.remove(child);
                }
            }
        }
        (self.region, self.carried) = (outer, None);
        let spec = &self.nodes[node].spec;
        let there = || self.nodes[node].done.iter().zip(&self.nodes[node].gone).filter(|(_, gone)| !**gone);
        let count = |wanted| there().filter(|(done, _)| **done == wanted).count() as f64;
        let needed_success = number_of(spec, "success").unwrap_or(there().count() as f64);
        let needed_failure = number_of(spec, "failure").unwrap_or(1.0);
        let (success, failure, running) = (count(Some(true)), count(Some(false)), count(None));
        let status = if there().count() == 0 {
            Status::Success
        } else if failure >= needed_failure {
            Status::Failure
        } else if success >= needed_success {
            Status::Success
        } else if success + running < needed_success || running == 0.0 {
            Status::Failure
        } else {
            return self.stay(node);
        };
        children.iter().for_each(|child| self.halt(*child));
        status
    }
}
