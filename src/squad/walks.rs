//! The lengths of all walks from members to slots, round the middle: the table that places are dealt by.
//!
//! The same length as [`skirt_length`](super::skirt_length), with everything that hangs on a member alone or on a slot alone worked out once: a pair then costs one
//! root and no angle functions, so that a ring of 24 can be dealt anew within a tick.

use super::Member;
use super::deal::{Circle, Slot};
use crate::math::{Vec3, angle_of, direction, flat, unit_or, wrap_angle};
use std::f32::consts::{PI, TAU};

/// Where a walk begins.
#[derive(Clone, Copy, Debug)]
struct Start {
    unit: Vec3,
    angle: f32,
    distance: f32,
    /// The radius that it goes round on, m; 0 for none.
    round: f32,
    /// The angle to where its tangent touches, rad, and how far off that is, m.
    tangent: f32,
    leg: f32,
}

/// Where a walk ends.
#[derive(Clone, Copy, Debug)]
struct End {
    unit: Vec3,
    angle: f32,
    distance: f32,
    row: u32,
}

/// The table. It keeps its room.
#[derive(Clone, Debug, Default)]
pub(super) struct Walks {
    starts: Vec<Start>,
    ends: Vec<End>,
    /// For each member and row: the angle from the last tangent to the slot, and how far that is.
    last: Vec<(f32, f32)>,
    rows: usize,
}

impl Walks {
    /// Takes in who walks.
    pub fn begin(&mut self, members: &[Member], circle: &Circle) {
        self.rows = 0;
        self.starts.clear();
        self.starts.extend(members.iter().map(|member| {
            let way = flat(member.position - circle.centre);
            let distance = way.length();
            let round = circle.inner.min(distance);
            let round = if round > 1e-3 { round } else { 0.0 };
            let tangent = if round > 0.0 { libm::acosf(round / distance) } else { 0.0 };
            Start {
                unit: unit_or(way, Vec3::ZERO),
                angle: angle_of(way),
                distance,
                round,
                tangent,
                leg: leg(distance, round),
            }
        }));
    }

    /// Takes in the slots; [`Walks::begin`] goes first.
    pub fn end_at(&mut self, slots: &[Slot], circle: &Circle) {
        self.ends.clear();
        self.ends.extend(slots.iter().map(|slot| End {
            unit: direction(slot.angle),
            angle: wrap_angle(slot.angle),
            distance: slot.distance(circle.radius, circle.spacing),
            row: slot.row,
        }));
        let rows = slots.iter().map(|slot| slot.row as usize + 1).max().unwrap_or(0);
        // Turning the ring changes no distance.
        if rows == self.rows && self.last.len() == self.starts.len() * rows {
            return;
        }
        self.rows = rows;
        self.last.clear();
        for start in &self.starts {
            self.last.extend((0..rows as u32).map(|row| {
                let distance = Slot { row, angle: 0.0 }.distance(circle.radius, circle.spacing);
                let round = start.round.min(distance);
                (if round > 0.0 { libm::acosf(round / distance) } else { 0.0 }, leg(distance, round))
            }));
        }
    }

    /// From where a member comes, rad.
    pub fn start_angle(&self, member: usize) -> f32 {
        self.starts[member].angle
    }

    /// Where a slot is, rad in (−π, π].
    pub fn end_angle(&self, slot: usize) -> f32 {
        self.ends[slot].angle
    }

    /// The walk of a member to a slot, m.
    pub fn length(&self, member: usize, slot: usize) -> f32 {
        let (start, end) = (&self.starts[member], &self.ends[slot]);
        let between = (end.angle - start.angle).abs();
        let turn = if between > PI { TAU - between } else { between };
        let (last, leg) = self.last[member * self.rows + end.row as usize];
        let arc = turn - start.tangent - last;
        if arc > 0.0 && start.round > 0.0 {
            return start.leg + leg + arc * start.round;
        }
        let squared = start.distance * start.distance + end.distance * end.distance;
        let along = 2.0 * start.distance * end.distance * start.unit.dot(end.unit);
        libm::sqrtf((squared - along).max(0.0))
    }
}

/// How far off the tangent to a circle of radius `round` touches.
fn leg(distance: f32, round: f32) -> f32 {
    libm::sqrtf((distance * distance - round * round).max(0.0))
}
