//! "Why did it do that?": what an agent is doing, what it refused, and what it did before, in words.

use super::World;
use crate::entity::AgentId;
use crate::error::Place;
use crate::tree::{Evidence, Happening, History, Record, Tree, View, What, Why};
use std::sync::Arc;

/// Why an agent does what it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// What it calls what it does.
    pub mode: Arc<str>,
    /// The paths of the nodes that run: one, or several side by side.
    pub running: Vec<String>,
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
        writeln!(f, "mode '{}', running {}", self.mode, self.running.join(" and "))?;
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
        history.records().map(|record| self.moment(tree, record)).collect()
    }

    /// What an answer found, in words; an error in its own, with the place in the script.
    fn because(&self, evidence: &Evidence) -> String {
        let told = match evidence.what {
            What::Error(print) => self.all_problems().iter().find(|problem| problem.error.print() == print),
            _ => None,
        };
        match told.map(|problem| (problem.error.place(), problem.error.message())) {
            Some((Some(place), message)) => format!("{place}: {message}"),
            Some((None, message)) => message.to_owned(),
            None => evidence.text(&self.scene.schema),
        }
    }

    fn moment(&self, tree: &Tree, record: &Record) -> Moment {
        let symbols = &self.scene.symbols;
        let what = match record.what {
            Happening::Entered => "began".to_owned(),
            Happening::Ended(true) => "ended with success".to_owned(),
            Happening::Ended(false) => "ended with failure".to_owned(),
            Happening::Aborted(why) => format!("aborted ({})", word(why)),
            Happening::Mode(from, to) => format!("'{}' → '{}'", symbols.name(from), symbols.name(to)),
        };
        let reason = Reason {
            path: tree.path(record.decided_by).to_owned(),
            place: tree.place(record.decided_by).cloned(),
            because: self.because(&record.evidence),
        };
        let path = tree.path(record.node).to_owned();
        Moment { tick: record.tick, seconds: record.at as f64 * 1e-9, what, path, reason }
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
