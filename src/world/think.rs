//! The second stage: every agent's tree, in the order of squads and keys, and what they hand over.

use super::World;
use super::report::EventKind;
use crate::entity::AgentId;
use crate::tree::{Host, Runner, Sleep, Status, Symbol};

/// What the thinking of a tick came to.
#[derive(Clone, Copy, Default)]
pub(super) struct Thought {
    visits: u64,
    asleep: usize,
}

impl World {
    /// How many nodes were visited in the last tick.
    pub fn visits(&self) -> u64 {
        self.thought.visits
    }

    /// How many agents' trees slept through the last tick: they wait for a time, a key or a change of the target.
    pub fn asleep(&self) -> usize {
        self.thought.asleep
    }

    pub(super) fn think(&mut self) {
        self.thought = Thought::default();
        let mut host = self.host.take();
        if let Some(host) = &mut host {
            host.begin(&self.scene);
        }
        let mut before = std::mem::take(&mut self.modes);
        before.clear();
        before.extend(self.minds.iter().map(|mind| mind.intent.mode));
        for index in 0..self.minds.len() {
            let lent = host.as_mut().map(|host| host as &mut (dyn Host + 'static));
            self.think_for(index, lent);
        }
        if let Some(host) = &mut host {
            host.end();
        }
        self.host = host;
        self.number_modes();
        for (index, before) in before.iter().enumerate() {
            self.note_mode(index, *before);
        }
        self.modes = before;
        self.commit_writes();
        self.take_over();
        self.look_at_boards();
    }

    fn think_for(&mut self, index: usize, host: Option<&mut (dyn Host + 'static)>) {
        let Some(tree) = self.trees.of_agent(index) else { return };
        let squad = self.scene.agents[index].squad as usize;
        let mind = &mut self.minds[index];
        if mind.sleep.lasts(&self.scene, squad, mind) {
            self.thought.asleep += 1;
            return;
        }
        mind.intent.clear();
        let mut runner = Runner::new(tree, &self.scene, index, mind, &mut self.desks[squad], host);
        let running = runner.tick() == Status::Running;
        self.thought.visits += runner.steps() as u64;
        let sleep = if running && self.config.sleep { runner.sleep() } else { Sleep::NONE };
        mind.sleep = sleep;
    }

    /// Names of modes that came up in a script for the first time get their numbers.
    fn number_modes(&mut self) {
        let symbols = &mut Self::part(&mut self.scene).symbols;
        for desk in &mut self.desks {
            for (index, name) in desk.modes.drain(..) {
                self.minds[index as usize].intent.mode = symbols.number(&name);
            }
        }
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

    /// Takes over commands, lines and problems from the desks.
    fn take_over(&mut self) {
        for desk in &mut self.desks {
            self.commands.append(&mut desk.commands);
            self.said.append(&mut desk.log);
            for problem in desk.problems.drain(..) {
                self.problems.add(problem);
            }
        }
    }
}
