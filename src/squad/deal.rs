//! Dealing places: rows of slots round a centre, and who gets which.

use super::shape::inner_share;
use super::walks::Walks;
use super::{Assignment, Member, RingRules};
use crate::math::{Vec3, room};
use serde::{Deserialize, Serialize};
use std::f32::consts::{PI, TAU};

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

/// How many bodies that need `spacing` find room in a row of `radius`; at least 1.
pub(super) fn capacity(radius: f32, spacing: f32) -> usize {
    let half = (0.5 * spacing / radius.max(1e-3)).clamp(1e-4, 1.0);
    ((PI / libm::asinf(half)) as usize).max(1)
}

/// Fills `slots` with `count` places: full rows from the inside, each evenly spread and turned by `phase`. Of two rings the inner one
/// holds [`inner_share`] at most.
pub(super) fn lay_out(slots: &mut Vec<Slot>, count: usize, circle: &Circle, rules: &RingRules, phase: f32) {
    slots.clear();
    let mut row = 0;
    while slots.len() < count {
        let radius = Slot { row, angle: 0.0 }.distance(circle.radius, circle.spacing);
        let wanted = if rules.rings == 2 && row == 0 { inner_share(count).max(1) } else { count };
        let in_row = capacity(radius, circle.spacing).min(wanted).min(count - slots.len());
        // Odd rows look through the gaps of the even ones.
        let start = phase + if row % 2 == 1 { PI / in_row as f32 } else { 0.0 };
        slots.extend((0..in_row).map(|i| Slot { row, angle: start + TAU * i as f32 / in_row as f32 }));
        row += 1;
    }
}

/// Deals places, and keeps the room that it takes.
#[derive(Clone, Debug, Default)]
pub(super) struct Dealer {
    pub assignment: Assignment,
    /// Which slot each member got in the last deal.
    pub taken: Vec<u32>,
    pub walks: Walks,
    orders: (Vec<u32>, Vec<u32>),
}

impl Dealer {
    /// The bytes that it holds outside of itself.
    pub fn bytes(&self) -> usize {
        let orders = room(&self.taken) + room(&self.orders.0) + room(&self.orders.1);
        orders + self.assignment.bytes() + self.walks.bytes()
    }

    /// The slots that make the walks of `members` shortest in sum, and in `taken` which member takes which.
    pub fn deal(&mut self, slots: &mut Vec<Slot>, members: &[Member], circle: &Circle, rules: &RingRules) {
        let count = members.len();
        let offset = rules.angle_offset.to_radians();
        lay_out(slots, count, circle, rules, offset);
        let in_row = slots.iter().filter(|slot| slot.row == 0).count().max(1);
        let (turns, step) = if rules.free_phase && count <= MANY { turns(in_row) } else { (1, 0.0) };
        let mut best = (f64::INFINITY, offset);
        self.walks.begin(members, circle);
        for turn in 0..turns {
            let phase = offset + step * turn as f32;
            lay_out(slots, count, circle, rules, phase);
            self.solve(members, slots, circle);
            // A turn must gain something: equally good ones differ by rounding only.
            if self.assignment.total() < best.0 - 1e-3 {
                best = (self.assignment.total(), phase);
                self.taken.clear();
                self.taken.extend_from_slice(self.assignment.columns());
            }
        }
        if rules.free_phase && count <= MANY && !self.taken.is_empty() {
            best.1 = self.turned(slots, circle, rules, best.1, step.max(0.5 * TURN));
        }
        lay_out(slots, count, circle, rules, best.1);
    }

    /// The phase within `reach` of this one with which those who have taken places walk least. Between two turns that are
    /// equally good a little would decide, and by a whole turn.
    fn turned(
        &mut self,
        slots: &mut Vec<Slot>,
        circle: &Circle,
        rules: &RingRules,
        phase: f32,
        reach: f32,
    ) -> f32 {
        let (mut low, mut high) = (phase - reach, phase + reach);
        // 0.1 mm in a ring of 12 m.
        let close = 1e-4 / 12.0 * f64::from(circle.radius);
        for _ in 0..6 {
            let (left, right) = (low + 0.45 * (high - low), low + 0.55 * (high - low));
            let [more, less] = [left, right].map(|phase| self.walked(slots, circle, rules, phase));
            let even = (more - less).abs() < close;
            low = if more > less || even { left } else { low };
            high = if more < less || even { right } else { high };
        }
        0.5 * (low + high)
    }

    /// How far all walk to the places that they have taken, with the ring turned by `phase`, m.
    fn walked(&mut self, slots: &mut Vec<Slot>, circle: &Circle, rules: &RingRules, phase: f32) -> f64 {
        lay_out(slots, self.taken.len(), circle, rules, phase);
        self.walks.end_at(slots, circle);
        let walk = |(member, slot): (usize, &u32)| f64::from(self.walks.length(member, *slot as usize));
        self.taken.iter().enumerate().map(walk).sum()
    }

    /// Solves the assignment of `members` to `slots` as they are.
    pub fn mend(&mut self, members: &[Member], slots: &[Slot], circle: &Circle) {
        self.walks.begin(members, circle);
        self.solve(members, slots, circle);
    }

    fn solve(&mut self, members: &[Member], slots: &[Slot], circle: &Circle) {
        self.walks.end_at(slots, circle);
        let walks = &self.walks;
        let walk = |row: usize, column: usize| f64::from(walks.length(row, column));
        if members.len() <= MANY {
            self.assignment.solve(members.len(), slots.len(), walk);
            return;
        }
        let (rows, columns) = &mut self.orders;
        in_order_of(rows, members.len(), |member| walks.start_angle(member));
        in_order_of(columns, slots.len(), |slot| walks.end_angle(slot));
        self.assignment.solve_in_order(rows, columns, walk);
    }
}

/// From how many members on places are dealt in the order of angles: the least sum would take seconds for a thousand.
const MANY: usize = 64;

/// How far a ring is turned from one try to the next, rad, at most.
const TURN: f32 = TAU / 96.0;

/// How many turns of a ring are tried within one step from place to place, and how far each is.
fn turns(in_row: usize) -> (usize, f32) {
    let step = TAU / in_row as f32;
    let turns = ((step / TURN) as usize).clamp(1, 24);
    (turns, step / turns as f32)
}

/// Fills `order` with 0.. in the order of `angle`.
fn in_order_of(order: &mut Vec<u32>, count: usize, angle: impl Fn(usize) -> f32) {
    order.clear();
    order.extend(0..count as u32);
    order.sort_unstable_by(|a, b| angle(*a as usize).total_cmp(&angle(*b as usize)).then(a.cmp(b)));
}
