//! Ground for the places of a ring: what is blocked slides along its row, round corners, and at last further out.
//!
//! A place lies where its slot is when a body can stand there, or next to there. Where it cannot, the nearest free angle of the row is
//! taken, on either side, with twice the room beside others and then with just enough; then the next row out. Only ground that
//! the member can walk to counts. A place that slid stays where it is for as long as that is free and its slot is not, so that nothing
//! wanders from one look to the next.

use super::Ring;
use super::deal::Slot;
use crate::math::{Vec3, flat};
use std::f32::consts::TAU;

/// How many rows further out a place slides before it is given up.
pub(super) const FURTHER: u32 = 6;

/// What a ring asks of the ground.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// Whether and where a body can stand near a point; `None` where it cannot. It should leave room for the body's radius.
    pub stand: &'a dyn Fn(Vec3) -> Option<Vec3>,
    /// Whether one can walk from the first point to the second. It is asked when a place is looked for in place of a blocked
    /// one, never for the others.
    pub reaches: &'a dyn Fn(Vec3, Vec3) -> bool,
}

impl Ground<'_> {
    /// Ground on which one can stand and walk everywhere.
    pub const OPEN: Ground<'static> = Ground { stand: &Some, reaches: &|_, _| true };
}

impl Ring {
    /// Puts each place on ground where one can stand: free ones first, then the blocked ones slide.
    pub(super) fn find_ground(&mut self, ground: &Ground) {
        for at in 0..self.places.len() {
            self.lay_down(at, ground);
        }
        for at in 0..self.places.len() {
            if self.places[at].blocked {
                self.slide(at, ground);
            }
        }
    }

    /// Puts a place where its slot is or where it slid to before; else it is blocked for now.
    fn lay_down(&mut self, at: usize, ground: &Ground) {
        let place = self.places[at];
        let slot = self.slots[place.slot as usize];
        // Its member finds no way to where it is: there it shall not be again before the ring moves.
        let shut = place.shut || self.scratch.members[at].cut_off && !place.blocked;
        let own = if shut { None } else { self.ground_at(slot, ground) };
        let kept = Slot { row: place.row, angle: place.angle };
        let found = match own {
            Some(shift) if self.has_room_beside_others(self.at(slot) + shift) => Some((slot, shift)),
            _ if kept == slot || place.blocked => None,
            _ => self.ground_at(kept, ground).map(|shift| (kept, shift)),
        };
        self.places[at].shut = shut;
        self.places[at].blocked = true;
        if let Some((Slot { row, angle }, shift)) = found {
            let is_own = (row, angle) == (slot.row, slot.angle);
            if is_own || self.has_room(at, self.point(angle, row) + shift, self.spacing * 0.98) {
                self.places[at] = super::Place { angle, row, shift, blocked: false, ..self.places[at] };
            }
        }
    }

    fn at(&self, slot: Slot) -> Vec3 {
        self.point(slot.angle, slot.row)
    }

    /// What the ground shifts a place by, or `None` where it cannot be.
    fn ground_at(&self, slot: Slot, ground: &Ground) -> Option<Vec3> {
        let wanted = self.at(slot);
        let shift = (ground.stand)(wanted)? - wanted;
        (shift.is_finite() && flat(shift).length() <= self.rules.snap).then_some(shift)
    }

    /// Looks for the nearest free angle, first with plenty of room beside others, then with just enough, then further out.
    fn slide(&mut self, at: usize, ground: &Ground) {
        let slot = self.slots[self.places[at].slot as usize];
        for row in slot.row..=slot.row + FURTHER {
            for room in [2.0 * self.spacing, self.spacing] {
                if let Some((angle, shift)) = self.free_angle(at, Slot { row, ..slot }, room, ground) {
                    self.places[at] = super::Place { angle, row, shift, blocked: false, ..self.places[at] };
                    return;
                }
            }
        }
    }

    /// The angle nearest to that of the slot, on either side, where the ground is free, others are `room` away and the member
    /// can get to.
    fn free_angle(&self, at: usize, slot: Slot, room: f32, ground: &Ground) -> Option<(f32, Vec3)> {
        let radius = slot.distance(self.radius, self.spacing);
        let step = (0.5 * self.spacing / radius.max(1e-3)).clamp(0.01, 0.5);
        let from = self.scratch.members[at].position;
        (0..=(TAU / step) as u32).find_map(|turn| {
            let side = if turn % 2 == 1 { 1.0 } else { -1.0 };
            let angle = slot.angle + side * step * turn.div_ceil(2) as f32;
            let shift = self.ground_at(Slot { angle, ..slot }, ground)?;
            let point = self.point(angle, slot.row) + shift;
            (self.has_room(at, point, room) && (ground.reaches)(from, point)).then_some((angle, shift))
        })
    }

    fn has_room(&self, at: usize, point: Vec3, room: f32) -> bool {
        let own = self.places.iter().enumerate().all(|(other, place)| {
            let there = self.point(place.angle, place.row) + place.shift;
            other == at || place.blocked || flat(there - point).length() >= room
        });
        own && self.has_room_beside_others(point)
    }

    /// Whether no member of another squad has a place there.
    fn has_room_beside_others(&self, point: Vec3) -> bool {
        let taken = |other: &super::Hunter| {
            other.place.is_some_and(|place| flat(place - point).length() < 0.98 * self.spacing)
        };
        !self.scratch.others.iter().any(taken)
    }
}
