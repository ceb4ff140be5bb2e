//! "Why did it do that?": what an agent is doing, what it refused, and what it did before, in words.

use super::World;
use crate::entity::AgentId;
use crate::error::{Error, ErrorKind, Place, Problem};
use crate::tree::{Evidence, Happening, History, Mind, Named, Record, Tree, View, What, Why};
use std::sync::Arc;

/// Why an agent does what it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// What it calls what it does.
    pub mode: Arc<str>,
    /// The paths of the nodes that run: one, or several side by side.
    pub running: Vec<String>,
    /// What each of those waits for, in words, as in `for the answer to 'open', since 3.20 s`; empty where there is nothing
    /// to say. Since when is only known while history is noted.
    pub waiting: Vec<String>,
    /// The functions of scripts that erred when they were called last: node and error.
    pub faults: Vec<Reason>,
    /// The branches of higher priority that it does not take, from the outermost, each with the answer that refuses it
    /// now.
    pub refused: Vec<Reason>,
    /// What happened to it before, the oldest first, as far as it was noted (see [`World::set_history`]).
    pub before: Vec<Moment>,
}

/// A node, and the answer that decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// The path of the branch or node.
    pub path: String,
    /// Where it was written, if that is known.
    pub place: Option<Place>,
    /// The answer in words, as in `key 'alarm' is false`; empty where it is not known.
    pub because: String,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// In which tick.
    pub tick: u64,
    /// When, in seconds.
    pub seconds: f64,
    /// What: `patrol → wide`, `aborted (guard)`, `ended with success`, `began`.
    pub what: String,
    /// The node it happened to, if one.
    pub path: String,
    /// What decided it.
    pub reason: Reason,
}

impl std::fmt::Display for Explanation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "mode '{}', ", self.mode)?;
        if self.running.is_empty() {
            write!(f, "nothing runs")?;
        }
        for (at, path) in self.running.iter().enumerate() {
            write!(f, "{}{path}", if at == 0 { "running " } else { " and " })?;
            if let Some(waiting) = self.waiting.get(at).filter(|waiting| !waiting.is_empty()) {
                write!(f, " ({waiting})")?;
            }
        }
        writeln!(f)?;
        for fault in &self.faults {
            writeln!(f, "  fault in {}: {}", fault.path, fault.because)?;
        }
        for reason in &self.refused {
            writeln!(f, "  not {}: {}", reason.path, reason.because)?;
        }
        for moment in &self.before {
            write!(f, "  {:.2} s  {}", moment.seconds, moment.what)?;
            if !moment.path.is_empty() {
                write!(f, " {}", moment.path)?;
            }
            if moment.reason.because.is_empty() {
                writeln!(f)?
            } else {
                writeln!(f, ": {}", moment.reason.because)?
            }
        }
        Ok(())
    }
}

impl World {
    /// Notes what an agent does and why from now on: its last `records` happenings, [`crate::tree::MOST_RECORDS`] (256)
    /// at most; 0 ends it. Off by default. It costs some time while it is on, allocates nothing while trees run, and
    /// changes no result.
    pub fn set_history(&mut self, agent: AgentId, records: usize) {
        if let Some(index) = self.agent_index(agent) {
            self.minds[index].history = (records > 0).then(|| Box::new(History::with_room(records)));
        }
    }

    /// Why an agent does what it does now, and what it did before; `None` when it is gone or has no tree.
    pub fn why(&self, agent: AgentId) -> Option<Explanation> {
        let index = self.agent_index(agent)?;
        let tree = self.trees.of_agent(index)?;
        let mind = &self.minds[index];
        let squad = self.scene.agents[index].squad as usize;
        let view = View { scene: &self.scene, mind, desk: &self.desks[squad], index };
        let refused = tree.refused(&view).into_iter().map(|(branch, asked, evidence)| Reason {
            path: tree.path(branch).to_owned(),
            place: tree.place(asked).cloned(),
            because: evidence.text(&self.scene.schema),
        });
        Some(Explanation {
            mode: self.scene.symbols.name(mind.intent.mode).clone(),
            running: tree.all_running(&mind.memory).map(str::to_owned).collect(),
            waiting: self.what_waits(tree, view),
            faults: self.faults(tree, mind),
            refused: refused.collect(),
            before: self.history(agent),
        })
    }

    /// What happened to an agent, the oldest first, as far as it was noted.
    pub fn history(&self, agent: AgentId) -> Vec<Moment> {
        let Some(index) = self.agent_index(agent) else { return Vec::new() };
        let (Some(history), Some(tree)) = (&self.minds[index].history, self.trees.of_agent(index)) else {
            return Vec::new();
        };
        history.named(tree).map(|(record, names)| self.moment(record, names)).collect()
    }

    /// What an agent's nodes that run wait for, and since when.
    fn what_waits(&self, tree: &Tree, view: View<'_>) -> Vec<String> {
        let since = |node: u16| view.mind.history.as_ref()?.began(node);
        let told = |(node, text): (u16, String)| match since(node).filter(|_| !text.is_empty()) {
            Some(at) => format!("{text}, since {:.2} s", at as f64 * 1e-9),
            None => text,
        };
        tree.all_waiting(view).into_iter().map(told).collect()
    }

    /// The nodes whose functions erred when they were called last, each with its latest error.
    fn faults(&self, tree: &Tree, mind: &Mind) -> Vec<Reason> {
        let told = |node: u16| {
            let of = |problem: &&Problem| {
                problem.error.path() == Some(tree.path(node)) && problem.error.kind() != ErrorKind::Warning
            };
            self.all_problems().iter().rfind(of).map_or(String::new(), |problem| in_words(&problem.error))
        };
        let mut nodes: Vec<u16> = mind.mutes.iter().map(|mute| mute.node).collect();
        nodes.dedup();
        let reason = |node: u16| Reason {
            path: tree.path(node).to_owned(),
            place: tree.place(node).cloned(),
            because: told(node),
        };
        nodes.into_iter().map(reason).collect()
    }

    /// What an answer found, in words; an error in its own, with the place in the script.
    fn because(&self, evidence: &Evidence) -> String {
        let told = match evidence.what {
            What::Error(print) => self.all_problems().iter().find(|problem| problem.error.print() == print),
            _ => None,
        };
        told.map_or_else(|| evidence.text(&self.scene.schema), |problem| in_words(&problem.error))
    }

    fn moment(&self, record: &Record, [node, decided_by]: [Named<'_>; 2]) -> Moment {
        let symbols = &self.scene.symbols;
        let what = match record.what {
            Happening::Entered => "began".to_owned(),
            Happening::Ended(true) => "ended with success".to_owned(),
            Happening::Ended(false) => "ended with failure".to_owned(),
            Happening::Aborted(why) => format!("aborted ({})", word(why)),
            Happening::Mode(from, to) => format!("'{}' → '{}'", symbols.name(from), symbols.name(to)),
        };
        let reason = Reason {
            path: decided_by.0.to_owned(),
            place: decided_by.1.cloned(),
            because: self.because(&record.evidence),
        };
        let path = node.0.to_owned();
        Moment { tick: record.tick, seconds: record.at as f64 * 1e-9, what, path, reason }
    }
}

fn in_words(error: &Error) -> String {
    match error.place() {
        Some(place) => format!("{place}: {}", error.message()),
        None => error.message().to_owned(),
    }
}

fn word(why: Why) -> &'static str {
    match why {
        Why::Guard => "its guard",
        Why::Higher => "a branch of higher priority",
        Why::Parent => "its parent",
        Why::TimeLimit => "its time was up",
        Why::Swapped => "its tree was replaced",
        Why::Removed => "it was removed",
        Why::Halted => "it was told to stop",
        Why::Token => "its token was gone",
        Why::Budget => "it went round in circles",
    }
}
