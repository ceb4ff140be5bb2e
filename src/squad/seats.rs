//! Who has which slot of a ring: dealt anew, mended, or patched until it may be dealt again.

use super::deal::{Slot, capacity};
use super::ring::{MOST_ROWS, Scratch};
use super::{Ground, Member, Place, Ring};
use crate::math::{Vec3, angle_of};

impl Ring {
    pub(super) fn is_due(&self) -> bool {
        self.since_refresh >= self.rules.refresh
    }

    /// Deals places where it must, mends them where it pays, and finds ground for them.
    pub(super) fn assign(&mut self, ground: &Ground) {
        if self.wants_deal() {
            self.deal_anew();
        } else if self.has_changed() {
            self.patch();
        } else if !self.scratch.seated && self.is_due() {
            self.mend();
            self.since_refresh = 0.0;
        } else if !self.scratch.seated {
            return;
        }
        self.scratch.seated = false;
        self.find_ground(ground);
    }

    pub(super) fn has_changed(&self) -> bool {
        let keys = self.places.iter().map(|place| place.key);
        !keys.eq(self.scratch.members.iter().map(|member| member.key))
    }

    /// Whether the first row has shrunk below what it holds.
    pub(super) fn is_too_full(&self) -> bool {
        self.inside as usize > capacity(self.radius, self.spacing)
    }

    fn deal_anew(&mut self) {
        let circle = self.circle();
        let Scratch { members, dealer, .. } = &mut self.scratch;
        dealer.deal(&mut self.slots, members, &circle, &self.rules);
        let inside = self.slots.iter().filter(|slot| slot.row == 0).count();
        let mut taken = std::mem::take(&mut self.scratch.dealer.taken);
        self.seat(&taken, inside);
        taken.clear();
        self.scratch.dealer.taken = taken;
    }

    /// Gives each member the slot that it `taken` says; the first row of all who share the angles has `inside` slots.
    pub(super) fn seat(&mut self, taken: &[u32], inside: usize) {
        self.places.clear();
        let seats = self.scratch.members.iter().zip(taken);
        self.places.extend(seats.map(|(member, slot)| new_place(member, *slot, &self.slots)));
        (self.stale, self.since_refresh, self.inside) = (false, 0.0, inside as u32);
        self.scratch.seated = true;
    }

    /// Drops the places of who is gone, with their slots, and gives who came one further out than all, on its own side, until places are
    /// dealt anew.
    fn patch(&mut self) {
        let beyond = self.slots.iter().map(|slot| slot.row + 1).max().unwrap_or(0).min(MOST_ROWS);
        let mut slots = std::mem::take(&mut self.scratch.spare);
        slots.clear();
        for (rank, member) in self.scratch.members.iter().enumerate() {
            let gone = self.places[rank..].partition_point(|place| place.key < member.key);
            self.places.drain(rank..rank + gone);
            let slot = match self.places.get(rank).filter(|place| place.key == member.key) {
                Some(place) => self.slots[place.slot as usize],
                None => {
                    let slot = Slot { row: beyond, angle: angle_of(member.position - self.anchor) };
                    self.places.insert(rank, new_place(member, 0, &[slot]));
                    slot
                }
            };
            slots.push(slot);
            self.places[rank].slot = rank as u32;
        }
        self.places.truncate(slots.len());
        std::mem::swap(&mut self.slots, &mut slots);
        self.scratch.spare = slots;
    }

    /// Swaps places where that saves enough walking, or where two would both be much better off.
    fn mend(&mut self) {
        if self.places.iter().all(|place| place.arrived) {
            return;
        }
        let circle = self.circle();
        let Scratch { members, dealer, .. } = &mut self.scratch;
        dealer.mend(members, &self.slots, &circle);
        let walk =
            |member: usize, place: usize| dealer.walks.length(member, self.places[place].slot as usize);
        let now: f32 = (0..members.len()).map(|rank| walk(rank, rank)).sum();
        let saved = now - dealer.assignment.total() as f32;
        let pays = (self.rules.pays * now).max(self.rules.reach);
        if saved > pays || (saved > 1e-3 && some_pair_should_swap(members.len(), walk)) {
            for (place, slot) in self.places.iter_mut().zip(dealer.assignment.columns()) {
                if place.slot != *slot {
                    let Slot { row, angle } = self.slots[*slot as usize];
                    *place = Place { slot: *slot, row, angle, shift: Vec3::ZERO, shut: false, ..*place };
                }
            }
        }
    }
}

/// Whether two of `count` members that still walk would, with their places swapped, halve the longer of their two walks.
fn some_pair_should_swap(count: usize, walk: impl Fn(usize, usize) -> f32) -> bool {
    (0..count).any(|a| {
        (0..a).any(|b| {
            let now = walk(a, a).max(walk(b, b));
            now > 1.0 && walk(a, b).max(walk(b, a)) <= 0.5 * now
        })
    })
}

fn new_place(member: &Member, slot: u32, slots: &[Slot]) -> Place {
    let Slot { row, angle } = slots[slot as usize];
    Place { angle, row, ..Place::begin(member, slot) }
}
