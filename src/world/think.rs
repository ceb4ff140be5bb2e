//! The second stage: every agent's tree, in the order of squads and keys, and what they hand over.

use super::World;
use super::cast::phase;
use super::report::EventKind;
use crate::entity::AgentId;
use crate::math::{Vec3, nanoseconds, room};
use crate::tree::{Happening, Host, Mind, Runner, Scene, Sleep, Status, Symbol};

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
    /// What the clock said in the tick before, ns.
    pub before: u64,
    /// The naps of all agents by body index, or none when they are to be taken from the minds again.
    pub naps: Vec<Nap>,
    /// The squads on whose desks there may be something, in order.
    pub open: Vec<u32>,
    /// Whether something may be on any desk: trees were exited between two ticks.
    pub stirred: bool,
    pub focus: Vec<Vec3>,
    pub detail: Vec<(f32, f32)>,
}

/// What decides whether an agent thinks, copied from its mind: it lies close together, so that those who wait cost next to nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Nap {
    sleep: Sleep,
    due: u64,
    heard: u64,
}

impl Nap {
    pub fn of(mind: &Mind) -> Self {
        Self { sleep: mind.sleep, due: mind.due, heard: mind.heard }
    }
}

impl Agenda {
    /// Opens the desks of these squads only.
    pub fn open(&mut self, squads: impl IntoIterator<Item = u32>) {
        self.open.clear();
        self.open.extend(squads);
        self.open.dedup();
    }

    /// Puts the open desks in order again, after some were opened behind the others.
    pub fn sort_open(&mut self) {
        self.open.sort_unstable();
        self.open.dedup();
    }

    /// Takes over the nap of a mind that was touched between two thoughts.
    pub fn renew_nap(&mut self, index: usize, mind: &Mind) {
        if let Some(nap) = self.naps.get_mut(index) {
            *nap = Nap::of(mind);
        }
    }

    /// The bytes that it holds outside of itself.
    pub fn bytes(&self) -> usize {
        room(&self.due) + room(&self.naps) + room(&self.open) + room(&self.focus) + room(&self.detail)
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
        let due = self.who_thinks();
        let mut before = std::mem::take(&mut self.modes);
        before.clear();
        before.extend(due.iter().map(|index| self.minds[*index as usize].intent.mode));
        for index in due.iter().map(|index| *index as usize) {
            let lent = host.as_mut().map(|host| host as &mut (dyn Host + 'static));
            self.think_for(index, lent);
            self.agenda.renew_nap(index, &self.minds[index]);
            self.note_wants(index);
        }
        self.open_desks(&due);
        if let Some(host) = &mut host {
            host.end();
        }
        self.host = host;
        self.number_modes();
        for (index, before) in due.iter().zip(&before) {
            self.note_mode(*index as usize, *before);
        }
        (self.modes, self.agenda.due) = (before, due);
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
        let next = self.turn_after(index, self.agenda.interval(&self.scene, index));
        let mind = &mut self.minds[index];
        let clock = self.scene.clock;
        mind.due = next;
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
        if self.agenda.naps.len() != self.minds.len() {
            self.agenda.naps.clear();
            self.agenda.naps.extend(self.minds.iter().map(|mind| Nap::of(mind)));
        }
        let Self { agenda, minds, scene, thought, .. } = self;
        for (number, squad) in scene.squads.iter().enumerate() {
            let heard = squad.messages.count();
            for index in squad.members.clone() {
                let nap = &mut agenda.naps[index];
                debug_assert_eq!(*nap, Nap::of(&minds[index]), "BUG: a mind was touched and its nap was not");
                if nap.sleep.lasts(scene, number, || minds[index].board.changes()) {
                    thought.asleep += 1;
                    // A tree that asks for messages does not sleep: there is nothing to be heard.
                    if nap.heard != heard {
                        (nap.heard, minds[index].heard) = (heard, heard);
                    }
                } else if nap.due <= scene.clock {
                    due.push(index as u32);
                }
            }
        }
        match self.config.think_budget {
            Some(budget) => self.keep_within(budget, &mut due),
            None => due.retain(|index| self.is_its_turn(*index as usize)),
        }
        due
    }

    /// When an agent that thinks once in an interval is due after this tick, ns. Its turn in the interval is always
    /// the same: whoever was late, or slept, or thinks more rarely from now on keeps it, so that what holds many up at
    /// once does not bring them together for ever.
    fn turn_after(&self, index: usize, interval: u64) -> u64 {
        let clock = self.scene.clock;
        if interval == 0 {
            return clock;
        }
        let squad = self.cast.facts[self.scene.agents[index].squad as usize].key;
        let turn = phase(squad, self.scene.bodies.key[index], interval);
        let since = (clock % interval + (interval - turn)) % interval;
        clock.saturating_add(interval - since)
    }

    /// Whether one that is due may think in this tick. Who was due before and did not think slept meanwhile: it waits for
    /// its turn, as it would have if it had not slept.
    fn is_its_turn(&mut self, index: usize) -> bool {
        let (before, mind) = (self.agenda.before, &self.minds[index]);
        let slept = mind.due < before || (mind.due == before && mind.sleep != Sleep::NONE);
        let interval = if slept { self.agenda.interval(&self.scene, index) } else { 0 };
        if interval == 0 {
            return true;
        }
        let next = self.turn_after(index, interval);
        if next > before.saturating_add(interval) {
            return true;
        }
        let mind = &mut self.minds[index];
        (mind.due, mind.sleep) = (next, Sleep::NONE);
        self.agenda.renew_nap(index, mind);
        false
    }

    /// Opens the desks of those who thought, or all when trees were exited since the last tick.
    fn open_desks(&mut self, due: &[u32]) {
        if std::mem::take(&mut self.agenda.stirred) {
            self.agenda.open(0..self.desks.len() as u32);
        } else {
            let agents = &self.scene.agents;
            self.agenda.open(due.iter().map(|index| agents[*index as usize].squad));
        }
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
        for squad in &self.agenda.open {
            for (index, name) in self.desks[*squad as usize].modes.drain(..) {
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
        for at in self.agenda.open.iter().map(|squad| *squad as usize) {
            let (desk, squad) = (&mut self.desks[at], &mut squads[at]);
            let heard = self.minds[squad.members.clone()].iter().map(|mind| mind.heard).min();
            squad.messages.deliver(&mut desk.messages, heard.unwrap_or(u64::MAX), symbols);
            self.commands.append(&mut desk.commands);
            self.said.append(&mut desk.log);
            #[cfg(feature = "lua")]
            for problem in &desk.problems {
                self.scripts.blame(&problem.error, self.ticks);
            }
        }
        self.take_problems();
    }

    /// Takes over what went wrong from the desks.
    pub(super) fn take_problems(&mut self) {
        for squad in &self.agenda.open {
            let fresh = self.desks[*squad as usize].problems.drain(..);
            fresh.for_each(|problem| self.problems.add(problem));
        }
    }
}
