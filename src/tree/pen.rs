//! What may be written on behalf of the agent that thinks, by nodes and by scripts alike.

#[cfg(feature = "lua")]
use super::intent::Symbol;
use super::mind::Mind;
use super::request::CommandId;
use super::scene::{Command, Desk, Scene, Write};
use super::view::View;
use crate::blackboard::{Change, KeyId, Scope};
use crate::entity::Entity;
use crate::error::{Error, ErrorKind, Result};
use std::sync::Arc;

/// What is said to whoever writes a value of the wrong type.
pub(crate) const OLD_STAYS: &str = "the old value stays";

/// The writing hand of one agent.
pub(crate) struct Pen<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) mind: &'a mut Mind,
    pub(crate) desk: &'a mut Desk,
    pub(crate) index: usize,
}

impl Pen<'_> {
    pub(crate) fn view(&self) -> View<'_> {
        View { scene: self.scene, mind: self.mind, desk: self.desk, index: self.index }
    }

    pub(crate) fn change(&mut self, key: KeyId, change: Change) -> Result<()> {
        let change = match change {
            Change::Set(value) => {
                Change::Set(self.scene.schema.fit(key, value).map_err(|error| error.hint(OLD_STAYS))?)
            }
            other => other,
        };
        if key.scope == Scope::Agent {
            let info = self.scene.schema.info(key);
            self.mind.board.apply(info, &change, self.scene.clock);
            return Ok(());
        }
        let squad = self.view().squad_index();
        if self.scene.shared_board(squad, key.scope).is_none() {
            return Err(self.no_team(key));
        }
        if matches!(change, Change::Set(_)) {
            self.supersede(key);
        }
        self.desk.writes.push(Write { writer: self.index as u32, key, change });
        Ok(())
    }

    /// What the agent wrote to a key before does not count once it sets it: a script that writes a thousand times
    /// leaves one write. Its own writes stand last, for nobody else thinks meanwhile.
    fn supersede(&mut self, key: KeyId) {
        let (me, writes) = (self.index as u32, &mut self.desk.writes);
        let others = writes.len() - writes.iter().rev().take_while(|write| write.writer == me).count();
        let mut at = others;
        while at < writes.len() {
            if writes[at].key == key {
                writes.remove(at);
            } else {
                at += 1;
            }
        }
    }

    fn no_team(&self, key: KeyId) -> Error {
        let name = &self.scene.schema.info(key).name;
        Error::new(
            ErrorKind::Missing,
            format!("key '{name}' belongs to a team, and squad '{}' is in none", self.view().squad_name()),
        )
        .hint("give the squad a team, or declare the key in the squad's scope")
    }

    pub(crate) fn command(&mut self, name: Arc<str>, target: Entity, waits: bool) -> CommandId {
        let agent = self.view().agent();
        let at = self.view().target().map(|track| track.position);
        let id = CommandId::new(agent, self.mind.requests.give(waits));
        self.desk.commands.push(Command { id, agent, name, at, target, waits });
        id
    }

    pub(crate) fn say(&mut self, line: String) {
        let agent = self.view().agent();
        self.desk.say(agent, line);
    }

    /// Gives a name to what the agent does; a name without a number gets one when the thought is over.
    #[cfg(feature = "lua")]
    pub(crate) fn set_mode(&mut self, name: &str) {
        let index = self.index as u32;
        self.desk.modes.retain(|(writer, _)| *writer != index);
        match self.scene.symbols.find(name) {
            Some(symbol) => self.mind.intent.mode = symbol,
            None => {
                self.mind.intent.mode = Symbol::NONE;
                self.desk.modes.push((index, name.into()));
            }
        }
    }
}
