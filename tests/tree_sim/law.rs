//! The lifecycle law, checked note by note against the shape of the tree.

use super::probe::{Note, What};
use std::collections::BTreeMap;
use warband::Spec;
use warband::args::Arg;
use warband::tree::{Exit, Status};

struct Part {
    parent: Option<usize>,
    /// Which child of its parent, named ones not counted.
    ordinal: usize,
    node: String,
    /// It and all above it, with what they were given.
    words: String,
}

/// A tree as the law sees it.
pub struct Shape {
    parts: Vec<Part>,
    /// The place of each probe, by its number in the book.
    places: BTreeMap<usize, usize>,
    /// The nodes with an id, and where they are.
    ids: Vec<(String, String)>,
}

impl Shape {
    pub fn new(spec: &Spec, number: &mut impl FnMut(&str) -> usize) -> Self {
        let mut shape = Self { parts: Vec::new(), places: BTreeMap::new(), ids: Vec::new() };
        shape.add(spec, None, 0, number);
        shape.ids.sort();
        shape
    }

    /// Whether a leaf that runs in this tree runs on in the other: it and all above it are there, as they were.
    fn runs_on(&self, other: &Self, probe: usize) -> bool {
        let words = |shape: &Self| shape.places.get(&probe).map(|at| shape.parts[*at].words.clone());
        words(self).is_some() && words(self) == words(other)
    }

    fn add(
        &mut self,
        spec: &Spec,
        parent: Option<usize>,
        ordinal: usize,
        number: &mut impl FnMut(&str) -> usize,
    ) {
        let at = self.parts.len();
        let above = parent.map_or("", |parent| &*self.parts[parent].words);
        let words = format!("{above}/{ordinal}.{} {:?} {:?} {:?}", spec.node, spec.id, spec.args, spec.edge);
        self.ids.extend(spec.id.as_ref().map(|id| (id.to_string(), words.clone())));
        self.parts.push(Part { parent, ordinal, node: spec.node.clone(), words });
        if let ("probe" | "shell", Some((_, Arg::Text(name)))) = (spec.node.as_str(), spec.args.first()) {
            self.places.insert(number(name), at);
        }
        for (ordinal, child) in spec.children.iter().filter(|child| child.role.is_none()).enumerate() {
            self.add(child, Some(at), ordinal, number);
        }
    }

    fn above(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(at), |at| self.parts[*at].parent)
    }

    /// The lowest part that is above both, and its children that lead to them; `None` when one is above the other.
    fn fork(&self, one: usize, other: usize) -> Option<(usize, usize, usize)> {
        let chain = self.above(one).collect::<Vec<_>>();
        let mut below = None;
        for at in self.above(other) {
            if let Some(met) = chain.iter().position(|above| *above == at) {
                let child = below?;
                return Some((at, *chain.get(met.checked_sub(1)?)?, child));
            }
            below = Some(at);
        }
        None
    }

    /// Whether `entered` may begin while `running` still runs: side by side, or tried in its turn.
    fn may_overlap(&self, entered: usize, running: usize) -> Result<bool, ()> {
        let Some((fork, new, old)) = self.fork(entered, running) else { return Ok(true) };
        if side_by_side(&self.parts[fork].node) {
            return Ok(true);
        }
        // The exemption: in a reactive composite, the first action of an earlier branch has to be tried.
        let reactive = self.parts[fork].node.starts_with("reactive_");
        let earlier = self.parts[new].ordinal < self.parts[old].ordinal;
        if reactive && earlier && self.is_first(new, entered) { Ok(false) } else { Err(()) }
    }

    /// Whether `at` is the first thing that `top` does, without a guard before it.
    fn is_first(&self, top: usize, at: usize) -> bool {
        self.above(at).take_while(|at| *at != top).all(|at| {
            let parent = self.parts[at].parent.map(|parent| self.parts[parent].node.as_str());
            parent.is_some_and(side_by_side) || (parent != Some("guard") && self.parts[at].ordinal == 0)
        })
    }

    fn holds(&self, top: usize, at: usize) -> bool {
        self.above(at).any(|above| above == top)
    }
}

/// Whether the children of such a node run together.
fn side_by_side(node: &str) -> bool {
    ["parallel", "blend", "race"].contains(&node)
}

#[derive(Clone, Copy)]
struct Life {
    ticks: usize,
    in_this_tick: usize,
    status: Option<Status>,
}

/// Watches the log of one world.
#[derive(Default)]
pub struct Law {
    /// What runs, by agent and probe.
    alive: BTreeMap<(u32, usize), Life>,
    pub faults: Vec<String>,
    /// How much was watched.
    pub enters: usize,
    pub aborts: usize,
    pub tried: usize,
}

impl Law {
    /// Takes in what was noted since the last call.
    pub fn watch(&mut self, shape: &Shape, names: &[String], log: &[Note]) {
        for note in log {
            let fault = match note.what {
                What::Enter => self.enter(shape, note),
                What::Tick(status) => self.tick(shape, note, status),
                What::Exit(reason) => self.exit(shape, note, reason),
                What::Ask(_) => None,
            };
            let name = &names[note.probe];
            self.faults.extend(fault.map(|fault| format!("{name} of agent {}: {fault}", note.agent)));
        }
    }

    fn others(&self, agent: u32) -> impl Iterator<Item = usize> + '_ {
        self.alive.keys().filter(move |(other, _)| *other == agent).map(|(_, probe)| *probe)
    }

    fn enter(&mut self, shape: &Shape, note: &Note) -> Option<String> {
        self.enters += 1;
        let Some(&at) = shape.places.get(&note.probe) else { return Some("it is in no tree".into()) };
        let mut fault = None;
        let mut tried = false;
        for other in self.others(note.agent) {
            match shape.places.get(&other).map(|other| shape.may_overlap(at, *other)) {
                Some(Ok(beside)) => tried |= !beside,
                _ => fault = Some(format!("entered while {other} still runs")),
            }
        }
        self.tried += usize::from(tried);
        let life = Life { ticks: 0, in_this_tick: 0, status: None };
        if self.alive.insert((note.agent, note.probe), life).is_some() {
            fault = Some("entered twice".into());
        }
        fault
    }

    fn tick(&mut self, shape: &Shape, note: &Note, status: Status) -> Option<String> {
        let Some(life) = self.alive.get_mut(&(note.agent, note.probe)) else {
            return Some("ticked outside of enter and exit".into());
        };
        let ended = life.status.is_some_and(|status| status != Status::Running);
        *life = Life { ticks: life.ticks + 1, in_this_tick: life.in_this_tick + 1, status: Some(status) };
        let twice = life.in_this_tick > 1;
        let is_leaf = shape.places.get(&note.probe).is_some_and(|at| shape.parts[*at].node == "probe");
        match (ended, twice) {
            (true, _) => Some("ticked after it had ended".into()),
            (_, true) if is_leaf => Some("ticked twice in a tick".into()),
            _ => None,
        }
    }

    fn exit(&mut self, shape: &Shape, note: &Note, reason: Exit) -> Option<String> {
        let Some(life) = self.alive.remove(&(note.agent, note.probe)) else {
            return Some("exited without enter".into());
        };
        let Some(&at) = shape.places.get(&note.probe) else { return Some("it is in no tree".into()) };
        self.aborts += usize::from(matches!(reason, Exit::Aborted(_)));
        if self
            .others(note.agent)
            .any(|other| shape.places.get(&other).is_some_and(|other| shape.holds(at, *other)))
        {
            return Some("exited before what is inside it".into());
        }
        if shape.parts[at].node == "shell" {
            return None;
        }
        let fits = match reason {
            Exit::Success => life.status == Some(Status::Success),
            Exit::Failure => life.status == Some(Status::Failure),
            Exit::Aborted(_) => life.status == Some(Status::Running),
        };
        (!fits).then(|| format!("exited for {reason:?} after {:?}", life.status))
    }

    /// What runs, to be compared after a swap.
    pub fn running(&self) -> Vec<(u32, usize)> {
        self.alive.keys().copied().collect()
    }

    /// The tree was swapped while these ran, and nothing was ticked since: the leaves that are in both run on, all
    /// others were left, and nobody began.
    pub fn swapped(&mut self, old: &Shape, new: &Shape, names: &[String], ran: &[(u32, usize)]) {
        let runs = self.running();
        let begun = runs.iter().filter(|one| !ran.contains(one)).count();
        if begun > 0 {
            self.faults.push(format!("{begun} began in a swap"));
        }
        for (agent, probe) in ran {
            let runs = runs.contains(&(*agent, *probe));
            let Some(at) = old.places.get(probe) else { continue };
            let name = &names[*probe];
            if runs && !new.places.contains_key(probe) {
                self.faults.push(format!("{name} of agent {agent} runs on and is in no tree"));
            }
            // What has an id can go elsewhere, and with it the number of what stands beside it.
            if old.parts[*at].node == "probe" && old.ids == new.ids && runs != old.runs_on(new, *probe) {
                let what = if runs { "runs on and has changed" } else { "was left and is unchanged" };
                self.faults.push(format!("{name} of agent {agent} {what}"));
            }
        }
    }

    /// The end of a world's tick: whatever runs was ticked, and runs alone in its branch.
    pub fn end_of_tick(&mut self, shape: &Shape, names: &[String]) {
        let alive = self.alive.keys().copied().collect::<Vec<_>>();
        for (agent, probe) in &alive {
            let Some(at) = shape.places.get(probe) else { continue };
            let life = self.alive.get_mut(&(*agent, *probe)).expect("it was listed");
            let ticked = std::mem::take(&mut life.in_this_tick);
            if ticked == 0 && shape.parts[*at].node == "probe" {
                self.faults.push(format!("{} of agent {agent}: runs and was not ticked", names[*probe]));
            }
            for (other_agent, other) in &alive {
                let Some(there) = shape.places.get(other) else { continue };
                let beside = shape.may_overlap(*at, *there).or(shape.may_overlap(*there, *at));
                if agent == other_agent && at != there && beside != Ok(true) {
                    self.faults.push(format!("{} and {} run both", names[*probe], names[*other]));
                }
            }
        }
    }

    /// Everything of an agent must have been left.
    pub fn nothing_runs(&mut self, agent: u32, when: &str) {
        let left = self.others(agent).count();
        if left > 0 {
            self.faults.push(format!("{left} nodes of agent {agent} run on after {when}"));
        }
    }
}
