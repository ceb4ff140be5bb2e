//! A squad that walks in a [`Shape`] as one.
//!
//! The formation has a middle and a heading of its own. The middle begins where the members are on average and goes to the goal,
//! round corners where the ground knows ways, at four fifths of the slowest member's top speed, slower while few are in place, and stops when
//! the foremost place is near enough. The heading turns after the way that lies ahead at a capped rate, never so fast that the
//! outermost place outruns its member, and not at all for little: what members do, jammed or not, has no say in it.
//! Places are dealt by the least walking in sum, and dealt again when members come or go or when a change pays, as in a
//! ring. What falls into a wall or behind one moves in towards the middle, and at last falls in behind it: so a wedge
//! goes through a gate as a column.

use super::rules::is_somewhere;
use super::shape::{Shape, places};
use super::{Assignment, Ground, Member, Place};
use crate::math::{Vec3, angle_of, direction, flat, wrap_angle};
use crate::nav::{Navigation, Walk, Way};
use serde::{Deserialize, Serialize};

/// The numbers of a formation. Every number may be changed while it walks; what is out of range is brought into it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FormationRules {
    /// The shape; a line.
    pub shape: Shape,
    /// The least distance of two places, m; 2.
    pub spacing: f32,
    /// How far from the goal the foremost place stops, m; 12.
    pub stop: f32,
    /// How fast it turns at most, degrees/s; 45.
    pub turn_rate: f32,
    /// Within how much of its place a member is in place, m; 2.
    pub reach: f32,
    /// How often places are looked at anew, s; 0.2.
    pub refresh: f32,
    /// What a change of places must save, as a share of all walks left, 0..1; 0.1, and one `reach` at least.
    pub pays: f32,
}

impl Default for FormationRules {
    fn default() -> Self {
        Self {
            shape: Shape::Line,
            spacing: 2.0,
            stop: 12.0,
            turn_rate: 45.0,
            reach: 2.0,
            refresh: 0.2,
            pays: 0.1,
        }
    }
}

impl FormationRules {
    /// These rules with every number brought into its range; one that is not a number becomes its default.
    #[must_use]
    pub fn within_range(&self) -> Self {
        let usual = Self::default();
        let bring =
            |value: f32, high: f32, usual: f32| if value.is_nan() { usual } else { value.clamp(0.0, high) };
        Self {
            shape: self.shape,
            spacing: bring(self.spacing, 1000.0, usual.spacing),
            stop: bring(self.stop, 1e6, usual.stop),
            turn_rate: bring(self.turn_rate, 3600.0, usual.turn_rate),
            reach: bring(self.reach, 1e6, usual.reach),
            refresh: bring(self.refresh, 1e6, usual.refresh),
            pays: bring(self.pays, 1.0, usual.pays),
        }
    }
}

/// The share of the slowest top speed at which the middle walks: what is left is for catching up.
const CRUISE: f32 = 0.8;

/// The share of members in place from which it walks at full speed, and the least part of that speed.
const READY: f32 = 0.75;
const LEAST: f32 = 0.25;

/// How far the goal may move before a formation that stands walks again, m, and how far round before it turns, rad.
const DEAD_ZONE: f32 = 1.0;
const DEAD_ANGLE: f32 = 0.35;

/// How many members may go within the time from one deal to the next.
const MOST_GONE: usize = 1 << 16;

/// From how many members on places are dealt from left to right in place of by the least sum.
const MANY: usize = 64;

/// Where the squad is to go.
#[derive(Clone, Copy)]
pub struct Advance<'a> {
    /// Where to, m.
    pub goal: Vec3,
    /// The slowest member's top speed, m/s.
    pub top_speed: f32,
    /// ns of the world's clock, and the seconds of this step.
    pub now: u64,
    /// Seconds of this step.
    pub dt: f32,
    /// The ground, for the way of the middle.
    pub navigation: &'a dyn Navigation,
    /// The ground, for places.
    pub ground: &'a Ground<'a>,
}

/// The formation: its state, which can be saved, and its rules.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Formation {
    /// Its numbers.
    pub rules: FormationRules,
    places: Vec<Place>,
    centre: Vec3,
    /// rad from +x towards +z.
    heading: f32,
    speed: f32,
    turning: bool,
    walking: bool,
    /// For how many members places were dealt.
    dealt: u32,
    since_refresh: f32,
    set_fraction: f32,
    place_error: f32,
    way: Way,
    #[serde(skip)]
    scratch: Scratch,
}

#[derive(Clone, Debug, Default)]
struct Scratch {
    members: Vec<Member>,
    assignment: Assignment,
    /// The places of the shape, straight ahead, and for which rules they are.
    offsets: Vec<Vec3>,
    shape: Option<(Shape, f32)>,
    orders: (Vec<u32>, Vec<u32>),
    turn: f32,
    /// Whether a place before the one that is looked at is not where the shape has it.
    moved: bool,
}

impl Formation {
    /// Goes on with the members as they are. Their order does not matter; one that is nowhere, and one of two with the same key, is
    /// passed over. Without members it ends, and the next update begins anew.
    pub fn update(&mut self, members: &[Member], advance: &Advance) {
        self.rules = self.rules.within_range();
        Member::take_sorted(&mut self.scratch.members, members);
        if self.scratch.members.is_empty() || !is_somewhere(advance.goal) {
            self.end();
            return;
        }
        let dt = if advance.dt.is_finite() { advance.dt.clamp(0.0, 60.0) } else { 0.0 };
        if self.places.is_empty() {
            self.begin(advance.goal);
        }
        self.since_refresh += dt;
        self.lay_out();
        let (corner, left) = self.way_ahead(advance);
        self.turn(corner, advance.top_speed, dt);
        self.walk(corner, left, advance.top_speed, dt);
        self.assign(advance.ground);
        self.settle();
    }

    /// The ground is another one now.
    pub fn ground_changed(&mut self) {
        self.way.ground_changed();
    }

    /// The place of the member `key`, if it is one.
    pub fn place_of(&self, key: u32) -> Option<&Place> {
        self.places.binary_search_by_key(&key, |place| place.key).ok().map(|at| &self.places[at])
    }

    /// All places, by key.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Where its middle is, m.
    pub fn centre(&self) -> Vec3 {
        self.centre
    }

    /// Where it is headed, a unit vector.
    pub fn heading(&self) -> Vec3 {
        direction(self.heading)
    }

    /// How fast its middle walks, m/s.
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// The share of members in place, 0..1.
    pub fn set_fraction(&self) -> f32 {
        self.set_fraction
    }

    /// The mean distance of the members from their places, m.
    pub fn place_error(&self) -> f32 {
        self.place_error
    }

    /// Whether it is a formation as updates leave it.
    pub(crate) fn is_sound(&self, now: u64) -> bool {
        let place = |place: &Place| {
            place.slot < self.dealt
                && [place.position, place.velocity, place.shift].iter().all(|v| v.is_finite())
        };
        let numbers = [self.heading, self.speed, self.since_refresh, self.set_fraction, self.place_error];
        self.places.is_sorted_by(|a, b| a.key < b.key)
            && self.places.iter().all(place)
            && self.centre.is_finite()
            && numbers.iter().all(|number| number.is_finite())
            && self.way.is_sound(now)
            && self.dealt as usize <= self.places.len() + MOST_GONE
    }

    fn end(&mut self) {
        self.places.clear();
        self.way.clear();
        (self.speed, self.walking, self.turning) = (0.0, true, true);
        (self.set_fraction, self.place_error, self.since_refresh) = (0.0, 0.0, 0.0);
    }

    fn begin(&mut self, goal: Vec3) {
        let members = &self.scratch.members;
        self.centre =
            members.iter().map(|member| member.position).sum::<Vec3>() / members.len().max(1) as f32;
        self.heading = angle_of(goal - self.centre);
        (self.walking, self.turning) = (true, true);
        self.dealt = members.len() as u32;
    }

    /// Works out the shape when it is another one.
    fn lay_out(&mut self) {
        let widest = self.scratch.members.iter().map(|member| member.radius).fold(0.0, f32::max);
        let spacing = self.rules.spacing.max(2.1 * widest);
        let (Scratch { offsets, shape, .. }, count) = (&mut self.scratch, self.dealt as usize);
        if *shape != Some((self.rules.shape, spacing)) || offsets.len() != count {
            offsets.clear();
            offsets.extend(places(self.rules.shape, count, spacing, Vec3::X));
            *shape = Some((self.rules.shape, spacing));
        }
    }

    /// The next corner of the way to the goal, and how long the way is, m.
    fn way_ahead(&mut self, advance: &Advance) -> (Vec3, f32) {
        let straight = (advance.goal, flat(advance.goal - self.centre).length());
        if !advance.navigation.leads() {
            return straight;
        }
        let radius = self.scratch.members.iter().map(|member| member.radius).fold(0.0, f32::max);
        let walk = Walk { from: self.centre, goal: advance.goal, radius, now: advance.now };
        self.way.go(advance.navigation, &walk);
        if self.way.asked().is_some() && self.since_refresh >= self.rules.refresh {
            self.way.find(advance.navigation, &walk);
        }
        self.way.lead(self.centre).unwrap_or(straight)
    }

    fn turn(&mut self, corner: Vec3, top_speed: f32, dt: f32) {
        let way = flat(corner - self.centre);
        let off = if way.length() > 0.1 { wrap_angle(angle_of(way) - self.heading) } else { 0.0 };
        self.turning = self.walking || off.abs() > if self.turning { 0.02 } else { DEAD_ANGLE };
        let width = self.scratch.offsets.iter().map(|offset| offset.length()).fold(0.0, f32::max);
        let rate = self.rules.turn_rate.to_radians().min(0.5 * top_speed.max(0.0) / width.max(0.1));
        let step = if self.turning { off.clamp(-rate * dt, rate * dt) } else { 0.0 };
        self.heading = wrap_angle(self.heading + step);
        self.scratch.turn = if dt > 0.0 { step / dt } else { 0.0 };
    }

    fn walk(&mut self, corner: Vec3, left: f32, top_speed: f32, dt: f32) {
        let front = self.scratch.offsets.iter().map(|offset| offset.x).fold(0.0, f32::max);
        let left = left - front - self.rules.stop;
        self.walking = left > if self.walking { 0.05 } else { DEAD_ZONE };
        let ready = (self.set_fraction / READY).clamp(LEAST, 1.0);
        let cruise = CRUISE * top_speed.clamp(0.0, 1e4) * ready;
        // A second to its top speed, and a second to brake.
        let braking = libm::sqrtf(2.0 * top_speed.clamp(0.0, 1e4) * left.max(0.0));
        let ahead = flat(corner - self.centre).normalize_or_zero().dot(self.heading()).max(0.0);
        let wanted = if self.walking { cruise.min(braking) * ahead } else { 0.0 };
        let change = top_speed.clamp(0.0, 1e4) * dt;
        self.speed = wanted.clamp((self.speed - change).max(0.0), self.speed + change);
        self.centre += self.heading() * (self.speed * dt).min(left.max(0.0));
        self.centre.y = corner.y;
    }

    /// Deals places where it must, mends them where it pays, and finds ground for them.
    fn assign(&mut self, ground: &Ground) {
        let due = self.since_refresh >= self.rules.refresh;
        let keys = self.scratch.members.iter().map(|member| member.key);
        let changed = !keys.eq(self.places.iter().map(|place| place.key));
        if changed && (due || self.places.is_empty()) {
            self.deal();
        } else if changed {
            // Who is gone leaves a gap, and who came waits, until places are dealt again.
            self.keep_known();
            return;
        } else if due {
            self.mend();
        } else {
            return;
        }
        self.since_refresh = 0.0;
        self.find_ground(ground);
    }

    fn keep_known(&mut self) {
        let members = &self.scratch.members;
        let known = |place: &Place| members.binary_search_by_key(&place.key, |member| member.key).is_ok();
        self.places.retain(known);
    }

    fn deal(&mut self) {
        self.dealt = self.scratch.members.len() as u32;
        self.lay_out();
        self.solve();
        let Scratch { members, assignment, .. } = &self.scratch;
        self.places.clear();
        let seats = members.iter().zip(assignment.columns());
        self.places.extend(seats.map(|(member, slot)| Place::begin(member, *slot)));
    }

    fn mend(&mut self) {
        if self.places.iter().all(|place| place.arrived) || self.places.len() != self.scratch.offsets.len() {
            return;
        }
        self.solve();
        let now: f32 = self.places.iter().map(|place| place.error).sum();
        let saved = now - self.scratch.assignment.total() as f32;
        if saved > (self.rules.pays * now).max(self.rules.reach) {
            for (place, slot) in self.places.iter_mut().zip(self.scratch.assignment.columns()) {
                place.slot = *slot;
            }
        }
    }

    fn solve(&mut self) {
        let (ahead, centre) = (self.heading(), self.centre);
        let Scratch { members, assignment, offsets, orders, .. } = &mut self.scratch;
        let point = |slot: usize| centre + turned(offsets[slot], ahead);
        let walk = |row: usize, slot: usize| f64::from(flat(members[row].position - point(slot)).length());
        if members.len() <= MANY {
            assignment.solve(members.len(), offsets.len(), walk);
            return;
        }
        let right = turned(Vec3::Z, ahead);
        let aside = |member: usize| right.dot(members[member].position - centre);
        in_order_of(&mut orders.0, members.len(), aside);
        in_order_of(&mut orders.1, offsets.len(), |slot| offsets[slot].z);
        assignment.solve_in_order(&orders.0, &orders.1, walk);
    }

    fn point(&self, slot: u32) -> Vec3 {
        let offset = self.scratch.offsets.get(slot as usize).copied().unwrap_or_default();
        self.centre + turned(offset, self.heading())
    }

    fn find_ground(&mut self, ground: &Ground) {
        self.scratch.moved = false;
        for at in 0..self.places.len() {
            let wanted = self.point(self.places[at].slot);
            let found = self.free(at, wanted, ground).or_else(|| self.fall_in(at, wanted, ground));
            self.places[at].blocked = found.is_none();
            self.scratch.moved |= found != Some(wanted);
            self.places[at].shift = found.map_or(Vec3::ZERO, |point| point - wanted);
        }
    }

    /// The point, or one next to it, if one can stand there, get there from the middle, and nobody before has it.
    fn free(&self, at: usize, point: Vec3, ground: &Ground) -> Option<Vec3> {
        let found = (ground.stand)(point)?;
        let room = 0.9 * self.scratch.shape.map_or(0.0, |(_, spacing)| spacing);
        // The shape itself keeps its spacing: only what was moved may be in somebody's way.
        let moved = self.scratch.moved || found != point;
        let before = |place: &Place| {
            let there = self.point(place.slot) + place.shift;
            place.blocked || flat(there - found).length() >= room
        };
        let near = flat(found - point).length() <= 0.5 * room;
        (near && (!moved || self.places[..at].iter().all(before)) && (ground.reaches)(self.centre, found))
            .then_some(found)
    }

    /// A place nearer to the middle, or in the file behind it.
    fn fall_in(&self, at: usize, wanted: Vec3, ground: &Ground) -> Option<Vec3> {
        let spacing = self.scratch.shape.map_or(1.0, |(_, spacing)| spacing);
        let in_between = (1..4).map(|part| wanted + (self.centre - wanted) * (part as f32 / 4.0));
        let behind =
            (0..=self.places.len()).map(|rank| self.centre - self.heading() * (spacing * rank as f32));
        in_between.chain(behind).find_map(|point| self.free(at, point, ground))
    }

    /// Where the places are now, and how far their members are from them.
    fn settle(&mut self) {
        let mut arrived = 0;
        let (mut sum, ahead) = (0.0, self.heading() * self.speed);
        for at in 0..self.places.len() {
            let place = self.places[at];
            let key = |member: &Member| member.key;
            let Ok(rank) = self.scratch.members.binary_search_by_key(&place.key, key) else { continue };
            let member = self.scratch.members[rank].position;
            let own = self.point(place.slot) + place.shift;
            let (position, velocity) = match place.blocked {
                true => (member, Vec3::ZERO),
                false => (own, ahead + turned(own - self.centre, Vec3::Z) * self.scratch.turn),
            };
            let error = flat(position - member).length();
            let angle = angle_of(position - self.centre);
            let there = error <= self.rules.reach && !place.blocked;
            self.places[at] = Place { position, velocity, error, angle, arrived: there, ..place };
            (sum, arrived) = (sum + error, arrived + usize::from(there));
        }
        let count = self.scratch.members.len().max(1) as f32;
        (self.set_fraction, self.place_error) = (arrived as f32 / count, sum / count);
    }
}

/// `offset`, given for +x ahead, for this heading.
fn turned(offset: Vec3, ahead: Vec3) -> Vec3 {
    Vec3::new(offset.x * ahead.x - offset.z * ahead.z, 0.0, offset.x * ahead.z + offset.z * ahead.x)
}

fn in_order_of(order: &mut Vec<u32>, count: usize, rank: impl Fn(usize) -> f32) {
    order.clear();
    order.extend(0..count as u32);
    order.sort_unstable_by(|a, b| rank(*a as usize).total_cmp(&rank(*b as usize)).then(a.cmp(b)));
}
