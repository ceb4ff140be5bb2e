//! Commands to the game, and what it answers.

use super::cx::Cx;
use crate::blackboard::Value;
use crate::entity::{AgentId, Entity};
use crate::math::room;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Names a command to the game: whose, and which of all that agent ever gave. No two are alike in a world, and the same
/// run gives the same ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CommandId {
    agent: AgentId,
    number: u64,
}

impl CommandId {
    pub(crate) fn new(agent: AgentId, number: u64) -> Self {
        Self { agent, number }
    }
    /// Who gave it.
    pub fn agent(self) -> AgentId {
        self.agent
    }
    /// The how-manieth of that agent it is, from 1.
    pub fn number(self) -> u64 {
        self.number
    }
}

impl std::fmt::Display for CommandId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {:?}", self.number, self.agent)
    }
}

/// What the game answers to a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Whether it was done.
    pub success: bool,
    /// What came of it; nothing if nothing was said.
    pub value: Value,
}

/// A command of an agent that waits for its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Request {
    number: u64,
    answer: Option<Answer>,
}

/// Why an answer is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The agent never gave such a command.
    Unknown,
    /// It has its answer already.
    Twice,
    /// It does not wait: it never did, it was cancelled, or it has taken its answer already.
    Over,
}

/// The commands of one agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Requests {
    given: u64,
    open: Vec<Request>,
}

impl Requests {
    /// The bytes that they hold outside of themselves.
    pub(crate) fn bytes(&self) -> usize {
        room(&self.open)
    }
    /// How many commands the agent ever gave.
    pub fn given(&self) -> u64 {
        self.given
    }
    /// Those that wait, by number, with the answer of each if it has come.
    pub fn open(&self) -> impl Iterator<Item = (u64, Option<&Answer>)> {
        self.open.iter().map(|request| (request.number, request.answer.as_ref()))
    }
    /// Whether every command that waits was given, and once.
    pub(crate) fn are_sound(&self) -> bool {
        let given = self.open.iter().all(|request| (1..=self.given).contains(&request.number));
        self.given < u64::MAX / 2 && given && self.open.is_sorted_by(|a, b| a.number < b.number)
    }
    /// None of them waits any more.
    pub(crate) fn forget(&mut self) {
        self.open.clear();
    }
    /// The number of a new command.
    pub(super) fn give(&mut self, waits: bool) -> u64 {
        self.given += 1;
        if waits {
            self.open.push(Request { number: self.given, answer: None });
        }
        self.given
    }
    /// Takes in an answer.
    pub(crate) fn answer(&mut self, number: u64, answer: Answer) -> Result<(), Refusal> {
        match self.open.iter_mut().find(|request| request.number == number) {
            Some(request) if request.answer.is_some() => Err(Refusal::Twice),
            Some(request) => {
                request.answer = Some(answer);
                Ok(())
            }
            None if (1..=self.given).contains(&number) => Err(Refusal::Over),
            None => Err(Refusal::Unknown),
        }
    }
    fn take_answer(&mut self, number: u64) -> Option<Answer> {
        let at = self.open.iter().position(|request| request.number == number && request.answer.is_some())?;
        self.open.remove(at).answer
    }
    /// Waits no longer; says whether the answer was still to come.
    fn close(&mut self, number: u64) -> bool {
        let at = self.open.iter().position(|request| request.number == number);
        at.is_some_and(|at| self.open.remove(at).answer.is_none())
    }
}

impl Cx<'_> {
    /// Asks something of the game and waits for its answer: gives the number by which to look for it with
    /// [`Cx::take_answer`]. Whoever waits no longer, in whatever way, has to say so with [`Cx::cancel`].
    pub fn request(&mut self, name: Arc<str>, target: Entity) -> u64 {
        self.pen().command(name, target, true).number()
    }

    /// The answer of the game to a request, once it is there; to be had once.
    pub fn take_answer(&mut self, number: u64) -> Option<Answer> {
        self.mind.requests.take_answer(number)
    }

    /// Waits no longer for an answer. If it has not come the game is told that nobody waits for it; to cancel what is
    /// answered does nothing.
    pub fn cancel(&mut self, number: u64, name: Arc<str>) {
        if self.mind.requests.close(number) {
            let id = CommandId::new(self.view().agent(), number);
            self.desk.cancelled.push((id, name));
        }
    }
}
