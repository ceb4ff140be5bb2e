//! Dealing places: rows of slots round a centre, and who gets which.

use super::{Assignment, Member, RingRules, skirt_length};
use crate::math::{Vec3, angle_of, direction, wrap_angle};
use serde::{Deserialize, Serialize};
use std::f32::consts::{PI, TAU};

/// How many turns of the ring are tried within one step from place to place.
const PHASES: usize = 12;

/// One place of a ring, before the ground has its say.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Slot {
    /// The row, from the inside.
    pub row: u32,
    /// Its angle, rad.
    pub angle: f32,
}

impl Slot {
    /// How far it is from the centre of a ring of `radius` with rows `spacing` apart.
    pub fn distance(&self, radius: f32, spacing: f32) -> f32 {
        radius + spacing * self.row as f32
    }
}

/// What a walk is measured against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circle {
    pub centre: Vec3,
    pub radius: f32,
    pub spacing: f32,
    pub inner: f32,
}

impl Circle {
    /// The walk of a member to a slot, m.
    pub fn walk(&self, from: Vec3, slot: &Slot) -> f32 {
        let place = self.centre + direction(slot.angle) * slot.distance(self.radius, self.spacing);
        skirt_length(from, place, self.centre, self.inner)
    }
}

/// How many bodies that need `spacing` find room in a row of `radius`; at least 1.
pub(super) fn capacity(radius: f32, spacing: f32) -> usize {
    let half = (0.5 * spacing / radius.max(1e-3)).clamp(1e-4, 1.0);
    ((PI / libm::asinf(half)) as usize).max(1)
}

/// Fills `slots` with `count` places: full rows from the inside, each evenly spread and turned by `phase`.
pub(super) fn lay_out(slots: &mut Vec<Slot>, count: usize, circle: &Circle, phase: f32) {
    slots.clear();
    let mut row = 0;
    while slots.len() < count {
        let radius = Slot { row, angle: 0.0 }.distance(circle.radius, circle.spacing);
        let in_row = capacity(radius, circle.spacing).min(count - slots.len());
        // Odd rows look through the gaps of the even ones.
        let start = phase + if row % 2 == 1 { PI / in_row as f32 } else { 0.0 };
        slots.extend((0..in_row).map(|i| Slot { row, angle: start + TAU * i as f32 / in_row as f32 }));
        row += 1;
    }
}

/// The slots that make the walks of `members` shortest in sum, and in `taken` which member takes which.
pub(super) fn deal(
    slots: &mut Vec<Slot>,
    taken: &mut Vec<u32>,
    assignment: &mut Assignment,
    members: &[Member],
    circle: &Circle,
    rules: &RingRules,
) {
    let count = members.len();
    let offset = rules.angle_offset.to_radians();
    let step = TAU / (capacity(circle.radius, circle.spacing).min(count).max(1) * PHASES) as f32;
    let mut best = (f64::INFINITY, offset);
    let turns = if rules.free_phase && count <= MANY { PHASES } else { 1 };
    for turn in 0..turns {
        let phase = offset + step * turn as f32;
        lay_out(slots, count, circle, phase);
        solve(assignment, members, slots, circle);
        // A turn must gain something: equally good ones differ by rounding only.
        if assignment.total() < best.0 - 1e-3 {
            best = (assignment.total(), phase);
            taken.clear();
            taken.extend_from_slice(assignment.columns());
        }
    }
    lay_out(slots, count, circle, best.1);
}

/// From how many members on places are dealt in the order of angles: the least sum would take seconds for a thousand.
const MANY: usize = 64;

/// Solves the assignment of `members` to `slots` as they are.
pub(super) fn solve(assignment: &mut Assignment, members: &[Member], slots: &[Slot], circle: &Circle) {
    let walk = |row: usize, column: usize| f64::from(circle.walk(members[row].position, &slots[column]));
    if members.len() <= MANY {
        assignment.solve(members.len(), slots.len(), walk);
        return;
    }
    let around = |member: &Member| angle_of(member.position - circle.centre);
    let turned = |slot: &Slot| wrap_angle(slot.angle);
    let (mut rows, mut columns) = std::mem::take(&mut assignment.orders);
    rows.clear();
    rows.extend(0..members.len() as u32);
    rows.sort_unstable_by(|a, b| {
        around(&members[*a as usize]).total_cmp(&around(&members[*b as usize])).then(a.cmp(b))
    });
    columns.clear();
    columns.extend(0..slots.len() as u32);
    columns
        .sort_by(|a, b| turned(&slots[*a as usize]).total_cmp(&turned(&slots[*b as usize])).then(a.cmp(b)));
    assignment.solve_in_order(&rows, &columns, walk);
    assignment.orders = (rows, columns);
}
