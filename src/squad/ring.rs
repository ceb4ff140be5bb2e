//! The ring of a squad round its target.
//!
//! One ring per squad. It starts at the largest radius that anybody asks for; once it is *set* it closes in continuously. Places are
//! spread evenly, at world angles (they do not turn with the target), and dealt by least walking round the middle; each
//! member keeps its angle from wide to narrow. Places are dealt anew when the number of members changes or when a change
//! pays. Small moves of the target move nobody; when the ring follows, places carry the target's velocity with them.

use super::deal::{Circle, Slot, capacity, deal, solve};
use super::rules::is_somewhere;
use super::{Assignment, Member, RingRules};
use crate::math::{Vec3, approach, direction, flat, room};
use serde::{Deserialize, Serialize};
use std::f32::consts::TAU;

/// Whether and where a body can stand near a point; `None` where it cannot. It should leave room for the body's radius.
pub type Walkable<'a> = &'a dyn Fn(Vec3) -> Option<Vec3>;

/// Where a member stands in the ring.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Whose it is.
    pub key: u32,
    /// Its angle, rad from +x towards +z.
    pub angle: f32,
    /// Where it is, m.
    pub position: Vec3,
    /// How it moves, m/s.
    pub velocity: Vec3,
    /// Its row, 0 being the innermost.
    pub row: u32,
    /// How far its member is from it on the ground, m.
    pub error: f32,
    /// Whether its member is within [`RingRules::reach`], or direct.
    pub arrived: bool,
    /// Whether no free ground was found for it; its position is then where its member is.
    pub blocked: bool,
    slot: u32,
    /// What the ground shifts it by.
    shift: Vec3,
}

/// The ring: its state, which can be saved, and its rules.
///
/// ```
/// use warband::{math::vec3, squad::{Member, Ring, RingRules}};
/// let member = |key, x| Member {
///     key, position: vec3(x, 0.0, 20.0), radius: 0.5, ring: 12.0, close_in: true, hold: false, direct: false,
/// };
/// let mut ring = Ring::new(RingRules::default());
/// let still = vec3(0.0, 0.0, 0.0);
/// ring.update(&[member(7, 1.0), member(3, -1.0)], still, still, 1.0 / 60.0, &Some);
/// assert_eq!(ring.radius(), 12.0);
/// assert!(ring.place_of(7).unwrap().position.distance(ring.place_of(3).unwrap().position) > 23.9);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ring {
    /// Its numbers; they may be changed at any time.
    pub rules: RingRules,
    places: Vec<Place>,
    slots: Vec<Slot>,
    radius: f32,
    spacing: f32,
    anchor: Vec3,
    anchor_velocity: Vec3,
    still_at: Vec3,
    still_for: f32,
    since_refresh: f32,
    since_arrival: Option<f32>,
    broken_for: f32,
    set: bool,
    set_share: f32,
    #[serde(skip)]
    scratch: Scratch,
}

#[derive(Clone, Debug, Default)]
struct Scratch {
    members: Vec<Member>,
    taken: Vec<u32>,
    assignment: Assignment,
}

impl Ring {
    /// The bytes that it holds outside of itself.
    pub(crate) fn bytes(&self) -> usize {
        let Scratch { members, taken, assignment } = &self.scratch;
        room(&self.places) + room(&self.slots) + room(members) + room(taken) + assignment.bytes()
    }

    /// A ring without members.
    pub fn new(rules: RingRules) -> Self {
        Self {
            rules,
            places: Vec::new(),
            slots: Vec::new(),
            radius: 0.0,
            spacing: 0.0,
            anchor: Vec3::ZERO,
            anchor_velocity: Vec3::ZERO,
            still_at: Vec3::ZERO,
            still_for: 0.0,
            since_refresh: 0.0,
            since_arrival: None,
            broken_for: 0.0,
            set: false,
            set_share: 0.0,
            scratch: Scratch::default(),
        }
    }

    /// Goes on for `dt` seconds with the members as they are, round a target at `centre` that moves with `velocity`.
    ///
    /// The order of `members` does not matter; one that is not within 1000 km of the origin, and one of two with the same
    /// key, is passed over. Without members it ends, and the next update begins anew. A centre out there leaves it where it is. A step is at most 60 s.
    pub fn update(&mut self, members: &[Member], centre: Vec3, velocity: Vec3, dt: f32, walkable: Walkable) {
        self.rules = self.rules.within_range();
        self.take(members);
        if self.scratch.members.is_empty() {
            *self = Self { scratch: std::mem::take(&mut self.scratch), ..Self::new(self.rules) };
            return;
        }
        let dt = if dt.is_finite() { dt.clamp(0.0, 60.0) } else { 0.0 };
        if self.places.is_empty() {
            self.begin(centre);
        }
        self.follow(centre, velocity, dt);
        let closing = self.resize(dt);
        self.assign(dt, walkable);
        self.settle(closing);
        self.judge(dt);
    }

    /// The place of the member `key`, if it is one.
    pub fn place_of(&self, key: u32) -> Option<&Place> {
        self.places.binary_search_by_key(&key, |place| place.key).ok().map(|at| &self.places[at])
    }

    /// All places, by key.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The radius of the innermost row, m; 0 without members.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The radius that nobody should walk through, m: [`RingRules::keep_out`] of the radius.
    pub fn inner(&self) -> f32 {
        self.radius * self.rules.keep_out
    }

    /// Where its centre is, m: the target but for the dead zone.
    pub fn centre(&self) -> Vec3 {
        self.anchor
    }

    /// The share of members that have arrived, 0..1.
    pub fn set_fraction(&self) -> f32 {
        self.set_share
    }

    /// Whether it is set, and so may close in.
    pub fn is_set(&self) -> bool {
        self.set
    }

    /// The mean distance of the members from their places, m; direct ones count as 0.
    pub fn place_error(&self) -> f32 {
        self.places.iter().map(|place| place.error).sum::<f32>() / (self.places.len().max(1) as f32)
    }

    /// Whether it is a ring as updates leave it: finite, and each place in a slot of its own.
    pub(crate) fn is_sound(&self) -> bool {
        let rows = self.slots.len() as u32;
        let place = |place: &Place| {
            place.slot < rows
                && place.row <= rows + 2
                && place.position.is_finite()
                && place.velocity.is_finite()
                && place.shift.is_finite()
                && [place.angle, place.error].iter().all(|number| number.is_finite())
        };
        let numbers = [
            self.radius,
            self.spacing,
            self.still_for,
            self.since_refresh,
            self.since_arrival.unwrap_or_default(),
            self.broken_for,
            self.set_share,
        ];
        self.places.is_sorted_by(|a, b| a.key < b.key)
            && self.places.len() == self.slots.len()
            && self.places.iter().all(place)
            && self.slots.iter().all(|slot| slot.row <= rows && slot.angle.is_finite())
            && numbers.iter().all(|number| number.is_finite())
            && [self.anchor, self.anchor_velocity, self.still_at].iter().all(|vector| vector.is_finite())
    }

    /// Sorts the members by key and takes them over.
    fn take(&mut self, members: &[Member]) {
        let own = &mut self.scratch.members;
        own.clear();
        own.extend(members.iter().filter_map(Member::checked));
        own.sort_unstable_by(|a, b| {
            let by_place = a.position.x.total_cmp(&b.position.x).then(a.position.z.total_cmp(&b.position.z));
            a.key.cmp(&b.key).then(by_place)
        });
        own.dedup_by_key(|member| member.key);
    }

    fn begin(&mut self, centre: Vec3) {
        let centre = if is_somewhere(centre) { centre } else { Vec3::ZERO };
        self.radius = self.asked_for();
        (self.anchor, self.still_at, self.still_for) = (centre, centre, f32::MAX);
    }

    /// The largest radius that is asked for.
    fn asked_for(&self) -> f32 {
        self.scratch.members.iter().map(|member| member.ring).fold(0.0, f32::max)
    }

    /// Moves the anchor after the target, unless that keeps within the dead zone.
    fn follow(&mut self, centre: Vec3, velocity: Vec3, dt: f32) {
        if !is_somewhere(centre) {
            return;
        }
        let velocity = if is_somewhere(velocity) { flat(velocity) } else { Vec3::ZERO };
        let dead = self.rules.dead_zone.min(0.1 * self.radius);
        self.still_for += dt;
        if flat(centre - self.still_at).length() > dead {
            (self.still_at, self.still_for) = (centre, 0.0);
        }
        self.anchor_velocity = Vec3::ZERO;
        if self.still_for < self.rules.follow_for {
            let carried = self.anchor + velocity * dt;
            self.anchor = carried + (centre - carried) * approach(self.rules.catch_up, dt);
            self.anchor_velocity = velocity;
        }
        self.anchor.y = centre.y;
    }

    /// Closes in or opens by what is asked for; gives how fast the radius grows, m/s.
    fn resize(&mut self, dt: f32) -> f32 {
        let before = self.radius;
        let wanted = self.wanted_radius();
        let step = self.rules.close_rate * dt;
        self.radius = wanted.clamp(before - step, before + step);
        if dt > 0.0 { (self.radius - before) / dt } else { 0.0 }
    }

    fn wanted_radius(&self) -> f32 {
        let members = &self.scratch.members;
        let held =
            members.iter().filter(|member| member.hold).map(|member| member.ring).fold(f32::MAX, f32::min);
        let closes = members.iter().any(|member| member.close_in);
        match (self.set, held < f32::MAX, closes) {
            (false, false, _) => self.radius.max(self.asked_for()),
            (false, true, _) => self.radius.max(held),
            (true, true, _) => held,
            (true, false, true) => self.rules.close_to,
            (true, false, false) => self.asked_for(),
        }
    }

    fn circle(&self) -> Circle {
        Circle { centre: self.anchor, radius: self.radius, spacing: self.spacing, inner: self.inner() }
    }

    /// Deals places where it must, mends them where it pays, and finds ground for them.
    fn assign(&mut self, dt: f32, walkable: Walkable) {
        let widest = self.scratch.members.iter().map(|member| member.radius).fold(0.0, f32::max);
        self.spacing = (2.0 * widest * self.rules.room).max(1e-3);
        self.since_refresh += dt;
        let due = self.since_refresh >= self.rules.refresh;
        if self.has_changed() || self.is_too_full() {
            self.deal_anew();
        } else if due {
            self.mend();
        } else {
            return;
        }
        self.since_refresh = 0.0;
        self.find_ground(walkable);
    }

    fn has_changed(&self) -> bool {
        let keys = self.places.iter().map(|place| place.key);
        !keys.eq(self.scratch.members.iter().map(|member| member.key))
    }

    /// Whether the first row has shrunk below what it holds.
    fn is_too_full(&self) -> bool {
        let inside = self.slots.iter().filter(|slot| slot.row == 0).count();
        inside > capacity(self.radius, self.spacing)
    }

    fn deal_anew(&mut self) {
        let circle = self.circle();
        let Scratch { members, taken, assignment } = &mut self.scratch;
        deal(&mut self.slots, taken, assignment, members, &circle, &self.rules);
        self.places.clear();
        self.places.extend(members.iter().zip(taken.iter()).map(|(member, slot)| Place {
            key: member.key,
            angle: self.slots[*slot as usize].angle,
            position: member.position,
            velocity: Vec3::ZERO,
            row: self.slots[*slot as usize].row,
            error: 0.0,
            arrived: false,
            blocked: false,
            slot: *slot,
            shift: Vec3::ZERO,
        }));
    }

    /// Swaps places where that saves enough walking, or where two would both be much better off.
    fn mend(&mut self) {
        if self.places.iter().all(|place| place.arrived) {
            return;
        }
        let circle = self.circle();
        let Scratch { members, assignment, .. } = &mut self.scratch;
        let walk =
            |member: &Member, place: &Place| circle.walk(member.position, &self.slots[place.slot as usize]);
        let now: f32 = members.iter().zip(&self.places).map(|(member, place)| walk(member, place)).sum();
        solve(assignment, members, &self.slots, &circle);
        let saved = now - assignment.total() as f32;
        let pays = (self.rules.pays * now).max(self.rules.reach);
        if saved > pays
            || (saved > 1e-3 && some_pair_should_swap(members, &self.places, &self.slots, &circle))
        {
            for (place, slot) in self.places.iter_mut().zip(assignment.columns()) {
                place.slot = *slot;
                place.row = self.slots[*slot as usize].row;
            }
        }
    }

    /// Puts each place on ground where one can stand: free ones first, then the blocked ones slide along their row.
    fn find_ground(&mut self, walkable: Walkable) {
        for at in 0..self.places.len() {
            let angle = self.slots[self.places[at].slot as usize].angle;
            let found = self.ground_at(angle, self.places[at].row, walkable);
            let place = &mut self.places[at];
            place.angle = angle;
            place.blocked = found.is_none();
            place.shift = found.unwrap_or(Vec3::ZERO);
        }
        for at in 0..self.places.len() {
            if self.places[at].blocked {
                self.slide(at, walkable);
            }
        }
    }

    /// The point of row `row` at `angle`.
    fn point(&self, angle: f32, row: u32) -> Vec3 {
        self.anchor + direction(angle) * Slot { row, angle }.distance(self.radius, self.spacing)
    }

    /// What the ground shifts a place by, or `None` where it cannot be.
    fn ground_at(&self, angle: f32, row: u32, walkable: Walkable) -> Option<Vec3> {
        let wanted = self.point(angle, row);
        let shift = walkable(wanted)? - wanted;
        (shift.is_finite() && flat(shift).length() <= self.rules.snap).then_some(shift)
    }

    /// Looks for the nearest free angle, first with plenty of room beside others, then with just enough, then further out.
    fn slide(&mut self, at: usize, walkable: Walkable) {
        let first = self.slots[self.places[at].slot as usize].row;
        for row in first..first + 3 {
            for room in [2.0 * self.spacing, self.spacing] {
                if let Some((angle, shift)) = self.free_angle(at, row, room, walkable) {
                    self.places[at] = Place { angle, row, shift, blocked: false, ..self.places[at] };
                    return;
                }
            }
        }
    }

    /// The angle in `row` nearest to that of the place, on either side, where the ground is free and others are `room` away.
    fn free_angle(&self, at: usize, row: u32, room: f32, walkable: Walkable) -> Option<(f32, Vec3)> {
        let base = self.places[at].angle;
        let radius = Slot { row, angle: base }.distance(self.radius, self.spacing);
        let step = (0.5 * self.spacing / radius.max(1e-3)).clamp(0.01, 0.5);
        (1..=(TAU / step) as u32).find_map(|turn| {
            let side = if turn % 2 == 1 { 1.0 } else { -1.0 };
            let angle = base + side * step * turn.div_ceil(2) as f32;
            let shift = self.ground_at(angle, row, walkable)?;
            self.has_room(at, self.point(angle, row) + shift, room).then_some((angle, shift))
        })
    }

    fn has_room(&self, at: usize, point: Vec3, room: f32) -> bool {
        self.places.iter().enumerate().all(|(other, place)| {
            let there = self.point(place.angle, place.row) + place.shift;
            other == at || place.blocked || flat(there - point).length() >= room
        })
    }

    /// Where the places are now, and how far their members are from them.
    fn settle(&mut self, growing: f32) {
        for at in 0..self.places.len() {
            let (place, member) = (self.places[at], self.scratch.members[at]);
            let position = match place.blocked {
                true => member.position,
                false => self.point(place.angle, place.row) + place.shift,
            };
            let error = flat(position - member.position).length();
            self.places[at] = Place {
                position,
                velocity: if place.blocked {
                    Vec3::ZERO
                } else {
                    self.anchor_velocity + direction(place.angle) * growing
                },
                error: if member.direct { 0.0 } else { error },
                arrived: member.direct || error <= self.rules.reach,
                ..place
            };
        }
    }

    /// Whether it is set, or broken.
    fn judge(&mut self, dt: f32) {
        let share = |near: f32| {
            let count = self.places.iter().filter(|place| place.error <= near).count();
            count as f32 / self.places.len().max(1) as f32
        };
        let (arrived, nearly) = (share(self.rules.reach), share(2.0 * self.rules.reach));
        self.set_share = arrived;
        if arrived > 0.0 || self.since_arrival.is_some() {
            self.since_arrival = Some(self.since_arrival.map_or(0.0, |time| time + dt));
        }
        self.set |= arrived >= self.rules.set_fraction;
        self.set |= self.since_arrival.is_some_and(|time| time >= self.rules.set_after);
        self.broken_for =
            if self.set && nearly < self.rules.broken_fraction { self.broken_for + dt } else { 0.0 };
        if self.broken_for > self.rules.set_after {
            (self.set, self.since_arrival, self.broken_for) = (false, None, 0.0);
            self.radius = self.asked_for();
        }
    }
}

/// Whether two members that still walk would, with their places swapped, halve the longer of their two walks.
fn some_pair_should_swap(members: &[Member], places: &[Place], slots: &[Slot], circle: &Circle) -> bool {
    let walk = |member: usize, place: usize| {
        circle.walk(members[member].position, &slots[places[place].slot as usize])
    };
    let longer = |a: f32, b: f32| a.max(b);
    (0..places.len()).any(|a| {
        (0..a).any(|b| {
            let now = longer(walk(a, a), walk(b, b));
            now > 1.0 && longer(walk(a, b), walk(b, a)) <= 0.5 * now
        })
    })
}
