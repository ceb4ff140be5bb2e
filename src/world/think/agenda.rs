//! Who thinks when: naps of agents and lulls of squads, so that those who wait cost next to nothing.

use crate::math::{Vec3, room};
use crate::tree::{Mind, Sleep, SquadScene};

/// Who thinks when.
#[derive(Default)]
pub(in crate::world) struct Agenda {
    pub due: Vec<u32>,
    /// What the clock said in the tick before, ns.
    pub before: u64,
    /// The naps of all agents by body index, or none when they are to be taken from the minds again.
    pub naps: Vec<Nap>,
    /// The lulls of all squads, in order.
    pub lulls: Vec<Lull>,
    /// The squads on whose desks there may be something, in order.
    pub open: Vec<u32>,
    /// Whether something may be on any desk: trees were exited between two ticks.
    pub stirred: bool,
    pub focus: Vec<Vec3>,
    pub detail: Vec<(f32, f32)>,
    pub steer_detail: Vec<(f32, f32)>,
    /// How many nodes each chunk visited.
    pub visits: Vec<u64>,
}

/// What decides whether an agent thinks, copied from its mind: it lies close together, so that those who wait cost next to nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::world) struct Nap {
    pub sleep: Sleep,
    pub due: u64,
    pub heard: u64,
}

impl Nap {
    pub fn of(mind: &Mind) -> Self {
        Self { sleep: mind.sleep, due: mind.due, heard: mind.heard }
    }
}

/// A squad all of whose members wait for a time and for nothing else.
#[derive(Clone, Copy, Default)]
pub(in crate::world) struct Lull {
    /// When the first of them wakes, ns; 0 for a squad that is to be looked at.
    pub until: u64,
    pub members: usize,
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
    pub fn renew_nap(&mut self, index: usize, squad: usize, mind: &Mind) {
        if let Some(nap) = self.naps.get_mut(index) {
            *nap = Nap::of(mind);
        }
        self.end_lull(squad);
    }

    /// A squad is to be looked at again.
    fn end_lull(&mut self, squad: usize) {
        if let Some(lull) = self.lulls.get_mut(squad) {
            lull.until = 0;
        }
    }

    /// The bytes that it holds outside of itself.
    pub fn bytes(&self) -> usize {
        room(&self.due)
            + room(&self.naps)
            + room(&self.lulls)
            + room(&self.open)
            + room(&self.focus)
            + room(&self.detail)
            + room(&self.steer_detail)
            + room(&self.visits)
    }
}

/// Whether all members of a squad wait until then, and for nothing else.
pub(super) fn is_lull(squad: &SquadScene, naps: &[Nap], until: u64) -> bool {
    squad
        .members
        .clone()
        .all(|index| naps[index].heard == squad.messages.count() && naps[index].sleep.time_alone() >= until)
}
