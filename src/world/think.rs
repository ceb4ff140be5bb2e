//! The second stage: every agent's tree, in the order of squads and keys, and what they hand over.

use super::World;
use super::cast::{SquadFacts, phase};
use super::chunks::{Cut, chunks, in_chunks};
use super::report::EventKind;
use super::steer::{is_idle, told as what_was_told};
use super::trees::Trees;
use crate::entity::AgentId;
use crate::math::{Vec3, nanoseconds, room};
use crate::tree::{Desk, Happening, Host, Mind, Runner, Scene, Sleep, SquadScene, Status, Symbol};

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
    pub steer_detail: Vec<(f32, f32)>,
    /// How many nodes each chunk visited.
    visits: Vec<u64>,
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
        room(&self.due)
            + room(&self.naps)
            + room(&self.open)
            + room(&self.focus)
            + room(&self.detail)
            + room(&self.steer_detail)
            + room(&self.visits)
    }
}

/// What says when an agent thinks again, or is steered.
#[derive(Clone, Copy)]
pub(super) struct Turns<'a> {
    pub scene: &'a Scene,
    pub facts: &'a [SquadFacts],
    pub focus: &'a [Vec3],
    /// From how many metres on, once in how many seconds.
    pub detail: &'a [(f32, f32)],
}

impl Turns<'_> {
    /// How long, in ns, an agent lets pass between two thoughts: as it was made, or longer far from every focus.
    fn interval(&self, index: usize) -> u64 {
        let own = self.scene.agents[index].think_interval;
        self.coarse(index).map_or(own, |seconds| own.max(nanoseconds(seconds)))
    }

    /// Once in how many seconds it is an agent's turn that is far from every focus; `None` near one.
    pub fn coarse(&self, index: usize) -> Option<f32> {
        if self.focus.is_empty() || self.detail.is_empty() {
            return None;
        }
        let place = self.scene.bodies.position[index];
        let distance = self.focus.iter().map(|focus| focus.distance(place)).fold(f32::MAX, f32::min);
        self.detail.iter().rev().find(|(from, _)| distance >= *from).map(|(_, seconds)| *seconds)
    }

    /// When an agent that thinks once in an interval is due after this tick, ns. Its turn in the interval is always
    /// the same: whoever was late, or slept, or thinks more rarely from now on keeps it, so that what holds many up at
    /// once does not bring them together for ever.
    fn after(&self, index: usize, interval: u64) -> u64 {
        self.next(index, self.scene.clock, interval)
    }

    /// The first turn of an agent after `clock`, ns.
    pub fn next(&self, index: usize, clock: u64, interval: u64) -> u64 {
        if interval == 0 {
            return clock;
        }
        let squad = self.facts[self.scene.agents[index].squad as usize].key;
        let turn = phase(squad, self.scene.bodies.key[index], interval);
        let since = (clock % interval + (interval - turn)) % interval;
        clock.saturating_add(interval - since)
    }
}

/// What all read who think.
#[derive(Clone, Copy)]
struct Study<'a> {
    turns: Turns<'a>,
    trees: &'a Trees,
    /// Whether trees that wait are left alone.
    sleep: bool,
    /// Whether some trees ask a host, and whether it is about those now or about the others.
    hosted: bool,
    asks_host: bool,
    /// Whether it is to be noted what agents were told.
    coarse: bool,
}

/// Those of a chunk of squads who think, with all that they write.
struct Thinkers<'a> {
    squads: &'a [SquadScene],
    /// The first squad, and its first member.
    squad: usize,
    first: usize,
    due: &'a [u32],
    minds: &'a mut [Box<Mind>],
    naps: &'a mut [Nap],
    desks: &'a mut [Desk],
    /// Who wants something, and what each was told.
    wants: &'a mut [bool],
    told: &'a mut [u32],
}

impl Cut for Thinkers<'_> {
    fn cut(self, at: usize) -> (Self, Self) {
        let (squads, others) = self.squads.split_at(at);
        let first = others.first().map_or(self.first + self.minds.len(), |squad| squad.members.start);
        let middle = first - self.first;
        let (due, later) = self.due.split_at(self.due.partition_point(|index| (*index as usize) < first));
        let (minds, their_minds) = self.minds.split_at_mut(middle);
        let (naps, their_naps) = self.naps.split_at_mut(middle);
        let (desks, their_desks) = self.desks.split_at_mut(at);
        let (wants, their_wants) = self.wants.split_at_mut(middle);
        let (told, their_told) = self.told.split_at_mut(middle);
        (
            Self { squads, due, minds, naps, desks, wants, told, ..self },
            Self {
                squads: others,
                squad: self.squad + at,
                first,
                due: later,
                minds: their_minds,
                naps: their_naps,
                desks: their_desks,
                wants: their_wants,
                told: their_told,
            },
        )
    }
}

impl Thinkers<'_> {
    /// The same, to be lent once more.
    fn again(&mut self) -> Thinkers<'_> {
        let Self { squads, squad, first, due, minds, naps, desks, wants, told } = self;
        Thinkers { squads, squad: *squad, first: *first, due, minds, naps, desks, wants, told }
    }
}

impl Study<'_> {
    /// Lets those of a chunk think; says how many nodes they visited.
    fn think(self, thinkers: Thinkers<'_>, mut host: Option<&mut (dyn Host + 'static)>) -> u64 {
        let Thinkers { squad, first, due, minds, naps, desks, wants, told, .. } = thinkers;
        let agents = &self.turns.scene.agents;
        let mut visits = 0;
        for members in due.chunk_by(|a, b| agents[*a as usize].squad == agents[*b as usize].squad) {
            if self.hosted && self.ask_host(members) != self.asks_host {
                continue;
            }
            let desk = &mut desks[agents[members[0] as usize].squad as usize - squad];
            for index in members.iter().map(|index| *index as usize) {
                let (mind, at) = (&mut minds[index - first], index - first);
                visits += self.think_for(index, mind, desk, host.as_deref_mut());
                naps[at] = Nap::of(mind);
                wants[at] |= !is_idle(&mind.intent);
                if self.coarse {
                    told[at] = what_was_told(&mind.intent);
                }
            }
        }
        visits
    }

    /// Whether the tree of one of these asks the host.
    fn ask_host(self, members: &[u32]) -> bool {
        let mut trees = members.iter().filter_map(|index| self.trees.of_agent(*index as usize));
        trees.any(|tree| tree.is_scripted())
    }

    fn think_for(
        self,
        index: usize,
        mind: &mut Box<Mind>,
        desk: &mut Desk,
        host: Option<&mut (dyn Host + 'static)>,
    ) -> u64 {
        let scene = self.turns.scene;
        let Some(tree) = self.trees.of_agent(index) else {
            mind.heard = scene.squads[scene.agents[index].squad as usize].messages.count();
            return 0;
        };
        mind.due = self.turns.after(index, self.turns.interval(index));
        mind.intent.clear();
        let mut runner = Runner::new(tree, scene, index, mind, desk, host);
        let running = runner.tick() == Status::Running;
        let visits = runner.steps();
        let sleep = if running && self.sleep { runner.sleep() } else { Sleep::NONE };
        (mind.sleep, mind.thought_at, mind.visits) = (sleep, scene.clock, visits as u32);
        visits as u64
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
