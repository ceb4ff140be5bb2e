//! The ring of a squad round its target.
//!
//! One ring per squad. It starts at the largest radius that anybody asks for; once it is *set* it closes in continuously, and
//! when all hold, it goes to the radius they hold at once. Places are spread evenly, at world angles (they do not turn with the
//! target), and dealt by least walking round the middle; each member keeps its angle from wide to narrow. Places are looked at every
//! [`RingRules::refresh`] seconds: dealt anew when members have come or gone, else mended where that pays. Until then who came has a
//! place further out. Small moves of the target move nobody; when the ring follows, places carry the target's velocity with them.

use super::deal::{Circle, Dealer, Slot};
use super::ground::{FURTHER, Ground};
use super::rules::is_somewhere;
use super::{Member, RingRules, skirt_length};
use crate::math::{Vec3, angle_of, approach, direction, flat};
use serde::{Deserialize, Serialize};
use std::f32::consts::TAU;

/// The least pace in a ring that is to close in: below this share the last of eight are late on a walking target.
const HURRY: f32 = 0.6;

/// More rows than there ever are.
pub(super) const MOST_ROWS: u32 = 4096;

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
    pub(super) slot: u32,
    /// What the ground shifts it by.
    pub(super) shift: Vec3,
    /// Whether its member found no way to where its slot is.
    pub(super) shut: bool,
}

impl Place {
    /// The place of a member who has just got this slot.
    pub(super) fn begin(member: &Member, slot: u32) -> Self {
        Self {
            key: member.key,
            angle: 0.0,
            position: member.position,
            velocity: Vec3::ZERO,
            row: 0,
            error: 0.0,
            arrived: false,
            blocked: false,
            slot,
            shift: Vec3::ZERO,
            shut: false,
        }
    }
}

/// Somebody of another squad who hunts the same target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hunter {
    /// Where it is, m.
    pub position: Vec3,
    /// Where its place is, m, if nobody may take that.
    pub place: Option<Vec3>,
}

/// The ring: its state, which can be saved, and its rules.
///
/// ```
/// use warband::{math::vec3, squad::{Ground, Member, Ring, RingRules}};
/// let member = |key, x| Member { key, position: vec3(x, 0.0, 20.0), ring: 12.0, ..Member::default() };
/// let mut ring = Ring::new(RingRules::default());
/// let still = vec3(0.0, 0.0, 0.0);
/// ring.update(&[member(7, 1.0), member(3, -1.0)], still, still, 1.0 / 60.0, &Ground::OPEN);
/// assert_eq!(ring.radius(), 12.0);
/// assert!(ring.place_of(7).unwrap().position.distance(ring.place_of(3).unwrap().position) > 23.9);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ring {
    /// Its numbers; they may be changed at any time.
    pub rules: RingRules,
    pub(super) places: Vec<Place>,
    pub(super) slots: Vec<Slot>,
    pub(super) radius: f32,
    pub(super) spacing: f32,
    pub(super) anchor: Vec3,
    anchor_velocity: Vec3,
    still_at: Vec3,
    still_for: f32,
    pub(super) since_refresh: f32,
    since_arrival: Option<f32>,
    broken_for: f32,
    set: bool,
    set_fraction: f32,
    largest_gap: f32,
    place_error: f32,
    /// Whether its slots are not those that members and fellow hunters now come to.
    pub(super) stale: bool,
    /// How many hunters share the angles, those of other squads included, and how many slots the first row has for them.
    pub(super) crowd: u32,
    pub(super) inside: u32,
    #[serde(skip)]
    pub(super) scratch: Scratch,
}

/// What is worked out anew in each update.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub members: Vec<Member>,
    pub others: Vec<Hunter>,
    pub dealer: Dealer,
    pub spare: Vec<Slot>,
    angles: Vec<f32>,
    centre: Vec3,
    growing: f32,
    /// The longest walk that is left, m, and whether anybody wants the ring to close in.
    longest: f32,
    closes: bool,
    /// Whether places were dealt in this update.
    pub seated: bool,
}

impl Ring {
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
            set_fraction: 0.0,
            largest_gap: 360.0,
            place_error: 0.0,
            stale: true,
            crowd: 0,
            inside: 0,
            scratch: Scratch::default(),
        }
    }

    /// Goes on for `dt` seconds with the members as they are, round a target at `centre` that moves with `velocity`.
    ///
    /// The order of `members` does not matter; one that is not within 1000 km of the origin, and one of two with the same
    /// key, is passed over. Without members it ends, and the next update begins anew. A centre out there leaves it where it is. A step is at most 60 s.
    pub fn update(&mut self, members: &[Member], centre: Vec3, velocity: Vec3, dt: f32, ground: &Ground) {
        if self.prepare(members, centre, velocity, dt, 0) {
            self.finish(dt, &[], ground);
        }
    }

    /// The first half of an update, up to the dealing of places: whether there is a ring. `others` is how many of other squads hunt
    /// the same target; when there are some, [`Table`](super::Table) deals for all of them between the halves.
    pub fn prepare(
        &mut self,
        members: &[Member],
        centre: Vec3,
        velocity: Vec3,
        dt: f32,
        others: usize,
    ) -> bool {
        self.rules = self.rules.within_range();
        Member::take_sorted(&mut self.scratch.members, members);
        if self.scratch.members.is_empty() {
            *self = Self { scratch: std::mem::take(&mut self.scratch), ..Self::new(self.rules) };
            return false;
        }
        let dt = step_of(dt);
        let begins = self.places.is_empty();
        if begins {
            self.begin(centre);
        }
        self.follow(centre, velocity, dt);
        self.scratch.growing = self.resize(dt);
        let widest = self.scratch.members.iter().map(|member| member.radius).fold(0.0, f32::max);
        self.spacing = self.rules.spacing.max(2.0 * widest * self.rules.room).max(1e-3);
        self.since_refresh += dt;
        let crowd = (self.scratch.members.len() + others) as u32;
        self.stale |= crowd != self.crowd || self.has_changed() || self.is_too_full();
        self.crowd = crowd;
        true
    }

    /// Whether places are to be dealt anew in this update.
    pub fn wants_deal(&self) -> bool {
        self.stale && self.may_deal()
    }

    /// Whether it is not too soon to deal places.
    pub fn may_deal(&self) -> bool {
        self.places.is_empty() || self.is_due()
    }

    /// Where a place would be without obstacles, if it is there; `None` for one that slid or is blocked.
    pub fn own_point(&self, place: &Place) -> Option<Vec3> {
        let slot = self.slots.get(place.slot as usize)?;
        let slid = place.blocked || (place.row, place.angle) != (slot.row, slot.angle);
        (!slid).then(|| self.point(slot.angle, slot.row) + place.shift)
    }

    /// The second half of an update: deals or mends places where that is still to be done, and finds ground for them beside the
    /// places of the `others` who hunt the same target.
    pub fn finish(&mut self, dt: f32, others: &[Hunter], ground: &Ground) {
        self.scratch.others.clear();
        self.scratch.others.extend_from_slice(others);
        self.assign(ground);
        self.settle();
        self.look_round();
        self.judge(step_of(dt));
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
        self.set_fraction
    }

    /// Whether it is set, and so may close in.
    pub fn is_set(&self) -> bool {
        self.set
    }

    /// The mean distance of the members from their places, m; direct ones count as 0.
    pub fn place_error(&self) -> f32 {
        self.place_error
    }

    /// The largest angle without any hunter of its target, as seen from there, degrees: those of other squads count as its own
    /// do. 360 for fewer than two directions.
    pub fn largest_gap(&self) -> f32 {
        self.largest_gap
    }

    /// The share of its top speed at which who has `left` metres to go walks, 0..1: until the ring is set the nearer ones take
    /// their time, so that all arrive at about the same time and the ring is nowhere open for long. A ring that is to close in is in more of
    /// a hurry.
    pub fn pace(&self, left: f32) -> f32 {
        let (longest, closes) = (self.scratch.longest, self.scratch.closes);
        if self.set || longest <= self.rules.reach {
            return 1.0;
        }
        let least = if closes { self.rules.pace.max(HURRY) } else { self.rules.pace };
        (left / longest).clamp(least, 1.0)
    }

    /// How many pairs of a member and a place were looked at in all its dealing so far; see [`Assignment::visits`](super::Assignment::visits).
    pub fn visits(&self) -> u64 {
        self.scratch.dealer.assignment.visits()
    }

    /// Whether it is a ring as updates leave it: finite, and each place in a slot of its own.
    pub(crate) fn is_sound(&self) -> bool {
        let rows = self.slots.len() as u32;
        let place = |place: &Place| {
            place.slot < rows
                && place.row <= MOST_ROWS + FURTHER
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
            self.set_fraction,
            self.largest_gap,
            self.place_error,
        ];
        self.places.is_sorted_by(|a, b| a.key < b.key)
            && self.places.len() == self.slots.len()
            && self.places.iter().all(place)
            && self.slots.iter().all(|slot| slot.row <= MOST_ROWS && slot.angle.is_finite())
            && numbers.iter().all(|number| number.is_finite())
            && [self.anchor, self.anchor_velocity, self.still_at].iter().all(|vector| vector.is_finite())
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
        self.scratch.centre = if is_somewhere(centre) { centre } else { self.anchor };
        if !is_somewhere(centre) {
            return;
        }
        let velocity = if is_somewhere(velocity) { flat(velocity) } else { Vec3::ZERO };
        let dead = self.rules.dead_zone.min(0.1 * self.radius);
        self.still_for += dt;
        if flat(centre - self.still_at).length() > dead {
            (self.still_at, self.still_for) = (centre, 0.0);
            self.places.iter_mut().for_each(|place| place.shut = false);
        }
        self.anchor_velocity = Vec3::ZERO;
        if self.still_for < self.rules.follow_for {
            let carried = self.anchor + velocity * dt;
            self.anchor = carried + (centre - carried) * approach(self.rules.catch_up, dt);
            self.anchor_velocity = velocity;
        }
        self.anchor.y = centre.y;
    }

    /// Closes in or opens by what is asked for; gives how fast the radius grows, m/s. A radius that all hold is an order: the ring is
    /// there at once, and its members walk.
    fn resize(&mut self, dt: f32) -> f32 {
        let before = self.radius;
        let wanted = self.wanted_radius();
        if self.scratch.members.iter().all(|member| member.hold) {
            if (wanted - before).abs() > self.rules.reach {
                (self.set, self.since_arrival, self.broken_for) = (false, None, 0.0);
            }
            self.radius = wanted;
            return 0.0;
        }
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
            (_, true, _) if members.iter().all(|member| member.hold) => held,
            (false, false, _) => self.radius.max(self.asked_for()),
            (false, true, _) => self.radius.max(held),
            (true, true, _) => held,
            (true, false, true) => self.rules.close_to,
            (true, false, false) => self.asked_for(),
        }
    }

    pub(super) fn circle(&self) -> Circle {
        Circle { centre: self.anchor, radius: self.radius, spacing: self.spacing, inner: self.inner() }
    }

    /// The point of row `row` at `angle`.
    pub(super) fn point(&self, angle: f32, row: u32) -> Vec3 {
        self.anchor + direction(angle) * Slot { row, angle }.distance(self.radius, self.spacing)
    }

    /// Where the places are now, and how far their members are from them.
    fn settle(&mut self) {
        let (growing, inner) = (self.scratch.growing, self.inner());
        self.scratch.longest = 0.0;
        self.scratch.closes = self.scratch.members.iter().any(|member| member.close_in);
        for at in 0..self.places.len() {
            let (place, member) = (self.places[at], self.scratch.members[at]);
            let (position, velocity) = match place.blocked {
                true => (member.position, Vec3::ZERO),
                false => (
                    self.point(place.angle, place.row) + place.shift,
                    self.anchor_velocity + direction(place.angle) * growing,
                ),
            };
            let error = if member.direct { 0.0 } else { flat(position - member.position).length() };
            self.places[at] =
                Place { position, velocity, error, arrived: error <= self.rules.reach, ..place };
            if !member.direct {
                let left = skirt_length(member.position, position, self.anchor, inner);
                self.scratch.longest = self.scratch.longest.max(left);
            }
        }
    }

    /// Finds the largest empty angle.
    fn look_round(&mut self) {
        let Scratch { members, others, angles, centre, .. } = &mut self.scratch;
        let positions =
            members.iter().map(|member| member.position).chain(others.iter().map(|other| other.position));
        angles.clear();
        angles.extend(positions.map(|position| angle_of(position - *centre)));
        angles.sort_unstable_by(f32::total_cmp);
        let across = TAU + angles.first().unwrap_or(&0.0) - angles.last().unwrap_or(&0.0);
        self.largest_gap =
            angles.windows(2).map(|pair| pair[1] - pair[0]).fold(across, f32::max).to_degrees();
    }

    /// Whether it is set, or broken.
    fn judge(&mut self, dt: f32) {
        let errors: f32 = self.places.iter().map(|place| place.error).sum();
        self.place_error = errors / self.places.len().max(1) as f32;
        let share = |near: f32| {
            let count = self.places.iter().filter(|place| place.error <= near).count();
            count as f32 / self.places.len().max(1) as f32
        };
        let (arrived, nearly) = (share(self.rules.reach), share(2.0 * self.rules.reach));
        self.set_fraction = arrived;
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

/// The seconds of a step that may be anything.
fn step_of(dt: f32) -> f32 {
    if dt.is_finite() { dt.clamp(0.0, 60.0) } else { 0.0 }
}
