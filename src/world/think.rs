//! The second stage: every agent's tree, in the order of squads and keys, and what they hand over.

use super::World;
use super::report::EventKind;
use crate::entity::AgentId;
use crate::tree::{Host, Runner, Symbol};

impl World {
    pub(super) fn think(&mut self) {
        let mut host = self.host.take();
        if let Some(host) = &mut host {
            host.begin(&self.scene);
        }
        for index in 0..self.minds.len() {
            let before = self.minds[index].intent.mode;
            let lent = host.as_mut().map(|host| host as &mut (dyn Host + 'static));
            self.think_for(index, lent);
            self.note_mode(index, before);
        }
        if let Some(host) = &mut host {
            host.end();
        }
        self.host = host;
        self.commit_writes();
        self.take_over();
        self.look_at_boards();
    }

    fn think_for(&mut self, index: usize, host: Option<&mut (dyn Host + 'static)>) {
        let Some(tree) = self.trees.of_agent(index) else { return };
        let squad = self.scene.agents[index].squad as usize;
        let mind = &mut self.minds[index];
        mind.intent.clear();
        Runner::new(tree, &self.scene, index, mind, &mut self.desks[squad], host).tick();
    }

    fn note_mode(&mut self, index: usize, before: Symbol) {
        let now = self.minds[index].intent.mode;
        if now == before {
            return;
        }
        let symbols = &self.scene.symbols;
        let (from, to) = (symbols.name(before).clone(), symbols.name(now).clone());
        let agent = AgentId::new(self.scene.bodies.id[index]);
        let squad = self.scene.squads[self.scene.agents[index].squad as usize].id;
        self.event(EventKind::Mode { from, to }, Some(agent), Some(squad));
    }

    /// Takes over commands, lines and problems from the desks; messages are heard in the next tick.
    fn take_over(&mut self) {
        let squads = &mut Self::part(&mut self.scene).squads;
        for (desk, squad) in self.desks.iter_mut().zip(squads) {
            std::mem::swap(&mut squad.messages, &mut desk.messages);
            desk.messages.clear();
            self.commands.append(&mut desk.commands);
            self.said.append(&mut desk.log);
            for problem in desk.problems.drain(..) {
                self.problems.add(problem);
            }
        }
    }
}
