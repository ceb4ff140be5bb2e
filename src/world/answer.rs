//! What the game answers to the commands of agents.

use super::World;
use super::report::EventKind;
use crate::blackboard::Value;
use crate::error::{Error, ErrorKind, Problem};
use crate::tree::{Answer, CommandId, Refusal, Sleep};

impl World {
    /// Answers a command that [waits](crate::Command::waits) for it: whether it was done. The agent knows in the next
    /// tick, or in its next thought if it thinks less often.
    ///
    /// An answer that nobody waits for is a problem that names the command: one to a command that never waited or was
    /// never given, that is answered already, that was cancelled, or whose agent is gone.
    ///
    /// ```
    /// use warband::{AgentDesc, Config, Spec, SquadDesc, World, vec3};
    /// let mut world = World::new(Config::default());
    /// world.add_tree("thief", &Spec::new("sequence")
    ///     .with(Spec::new("command").set("name", "open_door").set("answer", true))
    ///     .with(Spec::new("mode").set("name", "inside").with(Spec::new("wait").set("seconds", 9.0))))?;
    /// let squad = world.add_squad(SquadDesc { name: "thieves".into(), ..SquadDesc::default() })?;
    /// world.spawn(squad, AgentDesc { tree: "thief".into(), ..AgentDesc::at(vec3(0.0, 0.0, 0.0)) })?;
    /// world.tick(0.1);
    /// let door = world.commands()[0].id;
    /// world.tick(0.1);                      // the door opens, which takes its time
    /// world.answer(door, true);
    /// world.tick(0.1);
    /// assert!(world.outputs().all(|thief| thief.mode == "inside"));
    /// # Ok::<(), warband::Error>(())
    /// ```
    pub fn answer(&mut self, command: CommandId, success: bool) {
        self.answer_with(command, success, Value::Nothing);
    }

    /// As [`World::answer`], with what came of it: it is written to the key that the command names as `into`. A value
    /// of another type than that key's is a problem, and the command fails.
    pub fn answer_with(&mut self, command: CommandId, success: bool, value: impl Into<Value>) {
        let answer = Answer { success, value: value.into() };
        let Some(index) = self.agent_index(command.agent()) else {
            let message = format!("the answer to command {command} comes too late: the agent is gone");
            return self.report(Error::new(ErrorKind::Gone, message));
        };
        let mind = &mut self.minds[index];
        match mind.requests.answer(command.number(), answer) {
            Ok(()) => {
                mind.sleep = Sleep::NONE;
                self.agenda.renew_nap(index, self.scene.agents[index].squad as usize, mind);
            }
            Err(refusal) => {
                let error = refused(command, refusal);
                self.problems.add(Problem { agent: Some(command.agent()), error, times: 1, tick: 0 });
            }
        }
    }

    /// Whether anybody waits for the answer to a command, which has not come.
    pub(crate) fn awaits(&self, command: CommandId) -> bool {
        let Some(index) = self.agent_index(command.agent()) else { return false };
        let mut open = self.minds[index].requests.open();
        open.any(|(number, answer)| number == command.number() && answer.is_none())
    }

    /// Tells the game of commands whose answer nobody waits for any more.
    pub(super) fn tell_cancelled(&mut self) {
        for at in 0..self.agenda.open.len() {
            let at = self.agenda.open[at] as usize;
            let squad = self.scene.squads[at].id;
            let mut cancelled = std::mem::take(&mut self.desks[at].cancelled);
            for (command, name) in cancelled.drain(..) {
                self.event(EventKind::Cancelled { command, name }, Some(command.agent()), Some(squad));
            }
            self.desks[at].cancelled = cancelled;
        }
    }
}

fn refused(command: CommandId, refusal: Refusal) -> Error {
    let (kind, what, hint) = match refusal {
        Refusal::Unknown => {
            (ErrorKind::UnknownName, "there is no such command", "take the id from a Command")
        }
        Refusal::Twice => (ErrorKind::Conflict, "it is answered already", "the first answer stands"),
        Refusal::Over => (
            ErrorKind::Gone,
            "nobody waits for it",
            "answer once, only what Command::waits says, and nothing that an event Cancelled took back",
        ),
    };
    Error::new(kind, format!("the answer to command {command} is left out: {what}")).hint(hint)
}
