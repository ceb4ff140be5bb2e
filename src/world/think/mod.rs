//! The second stage: every agent's tree, in the order of squads and keys, and what they hand over.

mod agenda;
mod study;

use super::World;
use super::chunks::{chunks, in_chunks};
use super::report::EventKind;
use crate::entity::AgentId;
use crate::math::Vec3;
use crate::tree::{Happening, Host, Scene, Sleep, Symbol};
pub(super) use agenda::Agenda;
use agenda::{Lull, Nap, is_lull};
pub(super) use study::Turns;
use study::{Study, Thinkers};

/// What the thinking of a tick came to.
#[derive(Clone, Copy, Default)]
pub(super) struct Thought {
    visits: u64,
    asleep: usize,
    waiting: usize,
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
        self.let_think(&due, host.as_mut().map(|host| host as &mut (dyn Host + 'static)));
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

    /// Lets all think who are due: by chunks of squads, and those whose trees ask a host one after the other. Nobody sees what others write
    /// before all have thought.
    fn let_think(&mut self, due: &[u32], host: Option<&mut (dyn Host + 'static)>) {
        let chunks = chunks(due.len(), self.config.threads);
        let Self { scene, cast, agenda, trees, minds, desks, helm, thought, config, .. } = self;
        let coarse = !agenda.steer_detail.is_empty() && !agenda.focus.is_empty();
        let (scene, Agenda { naps, focus, detail, visits, .. }) = (&**scene, agenda);
        let turns = Turns { scene, facts: &cast.facts, focus, detail };
        let (hosted, sleep) = (host.is_some(), config.sleep);
        let study = Study { turns, trees, sleep, hosted, asks_host: false, coarse };
        helm.quiet.wants.resize(minds.len(), false);
        helm.coasts.learn_told(minds, coarse);
        let (wants, told) = (&mut helm.quiet.wants[..], &mut helm.coasts.told[..]);
        let mut thinkers =
            Thinkers { squads: &scene.squads, squad: 0, first: 0, due, minds, naps, desks, wants, told };
        visits.resize(chunks, 0);
        let work = |chunk: Thinkers<'_>, visits: &mut u64| *visits = study.think(chunk, None);
        in_chunks(scene.squads.len(), thinkers.again(), visits, &work);
        thought.visits = visits.iter().sum();
        if host.is_some() {
            thought.visits += Study { asks_host: true, ..study }.think(thinkers, host);
        }
        helm.quiet.wake_who_wants(due);
    }

    /// Takes the naps from the minds, where there are none.
    fn note_naps(&mut self) {
        let Self { agenda, minds, scene, .. } = self;
        if agenda.naps.len() != minds.len() || agenda.naps.is_empty() {
            agenda.naps.clear();
            agenda.naps.extend(minds.iter().map(|mind| Nap::of(mind)));
            agenda.lulls.clear();
        }
        agenda.lulls.resize(scene.squads.len(), Lull::default());
    }

    /// Whose tree is ticked now, by body index: those that are due and do not sleep, as far as the budget reaches.
    fn who_thinks(&mut self) -> Vec<u32> {
        let mut due = std::mem::take(&mut self.agenda.due);
        due.clear();
        self.note_naps();
        let Self { agenda, minds, scene, thought, .. } = self;
        let Agenda { naps, lulls, .. } = agenda;
        for (number, lull) in lulls.iter_mut().enumerate() {
            if scene.clock < lull.until {
                thought.asleep += lull.members;
                debug_assert!(
                    is_lull(&scene.squads[number], naps, lull.until),
                    "BUG: somebody woke in a lull"
                );
                continue;
            }
            let squad = &scene.squads[number];
            let heard = squad.messages.count();
            *lull = Lull { until: u64::MAX, members: squad.members.len() };
            for index in squad.members.clone() {
                let nap = &mut naps[index];
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
                lull.until = lull.until.min(nap.sleep.time_alone());
            }
        }
        match self.config.think_budget {
            Some(budget) => self.keep_within(budget, &mut due),
            None => due.retain(|index| self.is_its_turn(*index as usize)),
        }
        due
    }

    fn thinking_turns(&self) -> Turns<'_> {
        let Agenda { focus, detail, .. } = &self.agenda;
        Turns { scene: &self.scene, facts: &self.cast.facts, focus, detail }
    }

    /// Whether one that is due may think in this tick. Who was due before and did not think slept meanwhile: it waits for
    /// its turn, as it would have if it had not slept.
    fn is_its_turn(&mut self, index: usize) -> bool {
        let (before, mind) = (self.agenda.before, &self.minds[index]);
        let slept = mind.due < before || (mind.due == before && mind.sleep != Sleep::NONE);
        let interval = if slept { self.thinking_turns().interval(index) } else { 0 };
        if interval == 0 {
            return true;
        }
        let next = self.thinking_turns().after(index, interval);
        if next > before.saturating_add(interval) {
            return true;
        }
        let mind = &mut self.minds[index];
        (mind.due, mind.sleep) = (next, Sleep::NONE);
        let squad = self.scene.agents[index].squad as usize;
        self.agenda.renew_nap(index, squad, mind);
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

    /// Says where it matters that agents think often and move finely: the cameras, the players. See [`super::Config::detail`] and
    /// [`super::Config::steer_detail`].
    pub fn set_focus(&mut self, points: &[Vec3]) {
        self.agenda.focus.clear();
        self.agenda.focus.extend(points.iter().filter(|point| point.is_finite()));
        self.agenda.detail.clone_from(&self.config.detail);
        self.agenda.steer_detail.clone_from(&self.config.steer_detail);
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
            self.agenda.lulls[at].until = 0;
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
