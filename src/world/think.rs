//! The second stage: every agent's tree, in the order of squads and keys, and what they hand over.

use super::World;
use super::report::EventKind;
use crate::entity::AgentId;
use crate::math::{Vec3, nanoseconds, room};
use crate::tree::{Happening, Host, Runner, Scene, Sleep, Status, Symbol};

/// What the thinking of a tick came to.
#[derive(Clone, Copy, Default)]
pub(super) struct Thought {
    visits: u64,
    asleep: usize,
    waiting: usize,
}

/// Who thinks when.
#[derive(Default)]
pub(super) struct Agenda {
    due: Vec<u32>,
    pub focus: Vec<Vec3>,
    pub detail: Vec<(f32, f32)>,
}

impl Agenda {
    /// The bytes that it holds outside of itself.
    pub fn bytes(&self) -> usize {
        room(&self.due) + room(&self.focus) + room(&self.detail)
    }

    /// How long, in ns, an agent lets pass between two thoughts: as it was made, or longer far from every focus.
    fn interval(&self, scene: &Scene, index: usize) -> u64 {
        let own = scene.agents[index].think_interval;
        if self.focus.is_empty() || self.detail.is_empty() {
            return own;
        }
        let place = scene.bodies.position[index];
        let distance = self.focus.iter().map(|focus| focus.distance(place)).fold(f32::MAX, f32::min);
        let coarse = self.detail.iter().rev().find(|(from, _)| distance >= *from);
        coarse.map_or(own, |(_, seconds)| own.max(nanoseconds(*seconds)))
    }
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
        let due = self.who_thinks();
        for index in due.iter().map(|index| *index as usize) {
            let lent = host.as_mut().map(|host| host as &mut (dyn Host + 'static));
            self.think_for(index, lent);
        }
        self.agenda.due = due;
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
        self.settle_claims();
        self.hear_news();
        self.take_over();
        self.tell_cancelled();
        self.look_at_boards();
    }

    fn think_for(&mut self, index: usize, host: Option<&mut (dyn Host + 'static)>) {
        let squad = self.scene.agents[index].squad as usize;
        let Some(tree) = self.trees.of_agent(index) else {
            self.minds[index].heard = self.scene.squads[squad].messages.count();
            return;
        };
        let interval = self.agenda.interval(&self.scene, index);
        let mind = &mut self.minds[index];
        let clock = self.scene.clock;
        // From when it was due, so that a late thought does not shift the rhythm; what was missed is left out.
        let next = mind.due.saturating_add(interval);
        mind.due = if next > clock { next } else { clock.saturating_add(interval) };
        mind.intent.clear();
        let mut runner = Runner::new(tree, &self.scene, index, mind, &mut self.desks[squad], host);
        let running = runner.tick() == Status::Running;
        let visits = runner.steps();
        let sleep = if running && self.config.sleep { runner.sleep() } else { Sleep::NONE };
        self.thought.visits += visits as u64;
        (mind.sleep, mind.thought_at, mind.visits) = (sleep, clock, visits as u32);
    }

    /// Whose tree is ticked now, by body index: those that are due and do not sleep, as far as the budget reaches.
    fn who_thinks(&mut self) -> Vec<u32> {
        let mut due = std::mem::take(&mut self.agenda.due);
        due.clear();
        for (index, mind) in self.minds.iter_mut().enumerate() {
            let squad = self.scene.agents[index].squad as usize;
            if mind.sleep.lasts(&self.scene, squad, mind) {
                self.thought.asleep += 1;
                // A tree that asks for messages does not sleep: there is nothing to be heard.
                mind.heard = self.scene.squads[squad].messages.count();
            } else if mind.due <= self.scene.clock {
                due.push(index as u32);
            }
        }
        if let Some(budget) = self.config.think_budget {
            self.keep_within(budget, &mut due);
        }
        due
    }

    /// Leaves out whom the budget does not reach. What a thought will cost is not known before: it is taken to cost
    /// what the last one did.
    fn keep_within(&mut self, budget: u64, due: &mut Vec<u32>) {
        due.sort_by_key(|index| (self.minds[*index as usize].due, *index));
        let mut spent = 0;
        let fits = due.iter().take_while(|index| {
            let before = spent;
            spent += u64::from(self.minds[**index as usize].visits.max(1));
            before == 0 || spent <= budget
        });
        let fits = fits.count();
        self.thought.waiting = due.len() - fits;
        due.truncate(fits);
        due.sort_unstable();
    }

    /// Says where it matters that agents think often: the cameras, the players. See [`super::Config::detail`].
    pub fn set_focus(&mut self, points: &[Vec3]) {
        self.agenda.focus.clear();
        self.agenda.focus.extend(points.iter().filter(|point| point.is_finite()));
        self.agenda.detail.clone_from(&self.config.detail);
    }

    /// How many agents were due in the last tick and did not think, for the budget was spent.
    pub fn waiting(&self) -> usize {
        self.thought.waiting
    }

    /// Names of modes that came up in a script for the first time get their numbers.
    fn number_modes(&mut self) {
        let symbols = &mut Self::part(&mut self.scene).symbols;
        for desk in &mut self.desks {
            for (index, name) in desk.modes.drain(..) {
                // An agent that named it when it was removed is not there any more.
                if let Some(mind) = self.minds.get_mut(index as usize) {
                    mind.intent.mode = symbols.number(&name);
                }
            }
        }
    }

    /// Tells of another mode than before.
    pub(super) fn note_mode(&mut self, index: usize, before: Symbol) {
        let now = self.minds[index].intent.mode;
        if now == before {
            return;
        }
        if let Some(history) = &mut self.minds[index].history {
            let node = u16::MAX;
            history.note(self.scene.tick, self.scene.clock, node, Happening::Mode(before, now));
        }
        let symbols = &self.scene.symbols;
        let (from, to) = (symbols.name(before).clone(), symbols.name(now).clone());
        let agent = AgentId::new(self.scene.bodies.id[index]);
        let squad = self.scene.squads[self.scene.agents[index].squad as usize].id;
        self.event(EventKind::Mode { from, to }, Some(agent), Some(squad));
    }

    /// Takes over commands, messages, lines and problems from the desks.
    fn take_over(&mut self) {
        let Scene { squads, symbols, .. } = Self::part(&mut self.scene);
        for (desk, squad) in self.desks.iter_mut().zip(squads) {
            let heard = self.minds[squad.members.clone()].iter().map(|mind| mind.heard).min();
            squad.messages.deliver(&mut desk.messages, heard.unwrap_or(u64::MAX), symbols);
            self.commands.append(&mut desk.commands);
            self.said.append(&mut desk.log);
        }
        #[cfg(feature = "lua")]
        for problem in self.desks.iter().flat_map(|desk| &desk.problems) {
            self.scripts.blame(&problem.error, self.ticks);
        }
        self.take_problems();
    }

    /// Takes over what went wrong from the desks.
    pub(super) fn take_problems(&mut self) {
        for desk in &mut self.desks {
            desk.problems.drain(..).for_each(|problem| self.problems.add(problem));
        }
    }
}
