//! What a chunk of squads does in a tick's thought, on whatever thread, and when each agent thinks again.

use super::agenda::Nap;
use crate::math::{Vec3, nanoseconds};
use crate::tree::{Desk, Host, Mind, Runner, Scene, Sleep, SquadScene, Status};
use crate::world::cast::{SquadFacts, phase};
use crate::world::chunks::Cut;
use crate::world::steer::{is_idle, told as what_was_told};
use crate::world::trees::Trees;

/// What says when an agent thinks again, or is steered.
#[derive(Clone, Copy)]
pub(in crate::world) struct Turns<'a> {
    pub scene: &'a Scene,
    pub facts: &'a [SquadFacts],
    pub focus: &'a [Vec3],
    /// From how many metres on, once in how many seconds.
    pub detail: &'a [(f32, f32)],
}

impl Turns<'_> {
    /// How long, in ns, an agent lets pass between two thoughts: as it was made, or longer far from every focus.
    pub fn interval(&self, index: usize) -> u64 {
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
    pub fn after(&self, index: usize, interval: u64) -> u64 {
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
pub(super) struct Study<'a> {
    pub turns: Turns<'a>,
    pub trees: &'a Trees,
    /// Whether trees that wait are left alone.
    pub sleep: bool,
    /// Whether some trees ask a host, and whether it is about those now or about the others.
    pub hosted: bool,
    pub asks_host: bool,
    /// Whether it is to be noted what agents were told.
    pub coarse: bool,
}

/// Those of a chunk of squads who think, with all that they write.
pub(super) struct Thinkers<'a> {
    pub squads: &'a [SquadScene],
    /// The first squad, and its first member.
    pub squad: usize,
    pub first: usize,
    pub due: &'a [u32],
    pub minds: &'a mut [Box<Mind>],
    pub naps: &'a mut [Nap],
    pub desks: &'a mut [Desk],
    /// Who wants something, and what each was told.
    pub wants: &'a mut [bool],
    pub told: &'a mut [u32],
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
    pub fn again(&mut self) -> Thinkers<'_> {
        let Self { squads, squad, first, due, minds, naps, desks, wants, told } = self;
        Thinkers { squads, squad: *squad, first: *first, due, minds, naps, desks, wants, told }
    }
}

impl Study<'_> {
    /// Lets those of a chunk think; says how many nodes they visited.
    pub fn think(self, thinkers: Thinkers<'_>, mut host: Option<&mut (dyn Host + 'static)>) -> u64 {
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
