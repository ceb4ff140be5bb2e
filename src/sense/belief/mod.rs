//! Where a target that is out of sight may be: a belief that spreads over the ground and is cleared by what members see.
//!
//! It begins at the place where the target was perceived last and spreads at the target's top speed, one place of a
//! lattice further at a time, wherever one can walk. What a member overlooks is cleared in the moment in which the belief
//! spreads on, and can be entered again from what nobody has seen. So as long as the target is no faster than it is taken
//! to be, the belief holds where it truly is; and it never gets further from where it began than the target can. Nothing
//! is read but what the squad knows.
//!
//! Beside that, likelihood spreads as a crowd would that walks about at random, and what is seen loses it.

mod deal;
mod lead;
mod plot;

pub use deal::{Lease, Searcher};

use crate::entity::Entity;
use crate::math::{Vec3, flat};
use crate::nav::Navigation;
use plot::{AROUND, MOST, Plot};
use serde::{Deserialize, Serialize};

/// What a belief begins with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sighting {
    /// Who was perceived.
    pub target: Entity,
    /// Where, m.
    pub at: Vec3,
    /// When (ns).
    pub seen_at: u64,
    /// How fast it can be, m/s.
    pub speed: f32,
    /// From one place of the lattice to the next, m: about a body's width.
    pub cell: f32,
    /// How long it will be searched for at most, ns: with the speed, how much ground there is to think of.
    pub time: u64,
}

/// Where a target may be.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Belief {
    /// Whom it is about, as long as it is about anybody.
    target: Option<Entity>,
    seen_at: u64,
    speed: f32,
    /// Until when it holds all places where the target can be (ns).
    good_until: u64,
    /// Whether the target can have left the lattice.
    beyond: bool,
    plot: Plot,
    /// Of each place, whether the target may be there.
    maybe: Vec<bool>,
    /// How likely it is there, as a part of 1.
    weight: Vec<f32>,
    leases: Vec<Lease>,
    #[serde(skip)]
    next: (Vec<bool>, Vec<f32>),
    #[serde(skip)]
    old_leases: Vec<Lease>,
    #[serde(skip)]
    trail: lead::Trail,
}

impl Belief {
    /// Whom it is about, if about anybody.
    pub fn target(&self) -> Option<Entity> {
        self.target
    }
    /// When the sighting was with which it began (ns).
    pub fn seen_at(&self) -> u64 {
        self.seen_at
    }
    /// From one place to the next, m.
    pub fn cell(&self) -> f32 {
        self.plot.cell
    }
    /// Where it began.
    pub fn origin(&self) -> Vec3 {
        self.plot.origin
    }
    /// The sectors of those who search.
    pub fn leases(&self) -> &[Lease] {
        &self.leases
    }
    /// The places where the target may be, and how likely each is: all together 1 at most. Less right after something was
    /// seen, or given up.
    pub fn places(&self) -> impl Iterator<Item = (Vec3, f32)> {
        let held = self.maybe.iter().enumerate().filter(|(_, maybe)| **maybe && self.target.is_some());
        held.map(|(place, _)| (self.plot.point(place), self.weight[place]))
    }
    /// Whether the target may be at a point: at a place of the belief, or nearer to one than the next is.
    pub fn may_be_at(&self, point: Vec3) -> bool {
        if self.target.is_none() {
            return false;
        }
        let (x, z) = self.plot.nearest(point);
        let Some(_) = self.plot.at(x, z) else { return self.beyond };
        let held =
            |(by_x, by_z): &(i32, i32)| self.plot.at(x + by_x, z + by_z).is_some_and(|at| self.maybe[at]);
        held(&(0, 0)) || AROUND.iter().any(held)
    }

    /// It is about nobody any more. It keeps what room it has.
    pub(crate) fn clear(&mut self) {
        self.target = None;
        self.leases.clear();
    }
    /// The ground is another.
    pub(crate) fn ground_changed(&mut self) {
        if self.target.is_some() {
            self.plot.forget();
        }
    }

    /// Begins with a sighting, unless it has begun with that already.
    pub(crate) fn begin(&mut self, sighting: &Sighting, ground: &dyn Navigation) {
        let same = self.target == Some(sighting.target) && self.seen_at == sighting.seen_at;
        if same && self.plot.origin == sighting.at {
            return;
        }
        let cell = sighting.cell.clamp(0.05, 100.0);
        self.speed = sighting.speed.clamp(0.01, 1e4);
        let reach = self.speed * (sighting.time as f64 * 1e-9) as f32 / cell;
        let half = (libm::ceilf(reach.min(1e4)) as i32 + 3).clamp(4, MOST);
        self.plot.lay(sighting.at, cell, half);
        let count = self.plot.count();
        self.maybe.clear();
        self.maybe.resize(count, false);
        self.weight.clear();
        self.weight.resize(count, 0.0);
        (self.target, self.seen_at) = (Some(sighting.target), sighting.seen_at);
        (self.good_until, self.beyond) = (sighting.seen_at, false);
        self.leases.clear();
        self.put_at_origin(ground);
    }

    /// The place where it was seen, and those around it that one gets to from there.
    fn put_at_origin(&mut self, ground: &dyn Navigation) {
        let origin = self.plot.origin;
        for (x, z) in std::iter::once((0, 0)).chain(AROUND) {
            let Some(place) = self.plot.at(x, z) else { continue };
            let near =
                self.plot.is_ground(place, ground) && ground.straight(origin, self.plot.point(place), 0.0);
            if near || (x, z) == (0, 0) {
                self.maybe[place] = true;
                self.weight[place] = if (x, z) == (0, 0) { 1.0 } else { 0.0 };
            }
        }
    }

    /// How long the target takes from one place to the next, ns.
    fn pace(&self) -> u64 {
        ((f64::from(self.plot.cell) / f64::from(self.speed.max(1e-3))) * 1e9).max(1.0) as u64
    }

    /// Goes on to `now`; the next tick is `dt` ns later. `sees` says whether a member overlooks a place with all that is
    /// round it within so many metres; it is asked once for each step of the belief, right before it spreads on.
    ///
    /// Answers whether it has spread.
    pub(crate) fn update(
        &mut self,
        now: u64,
        dt: u64,
        ground: &dyn Navigation,
        sees: &mut dyn FnMut(Vec3, f32) -> bool,
    ) -> bool {
        let mut spread = false;
        // What is missed after a long pause is more than there are places.
        for _ in 0..4 * MOST {
            if self.good_until >= now {
                break;
            }
            self.spread(ground, self.good_until.saturating_add(self.pace()));
            spread = true;
        }
        self.good_until = self.good_until.max(now);
        if now.saturating_add(dt) > self.good_until {
            self.look(sees);
            self.spread(ground, now.saturating_add(self.pace()));
            spread = true;
        }
        spread
    }

    /// Clears what is seen.
    fn look(&mut self, sees: &mut dyn FnMut(Vec3, f32) -> bool) {
        let cell = self.plot.cell;
        for place in 0..self.maybe.len() {
            let kept = self.beyond && self.plot.is_edge(place);
            if self.maybe[place] && !kept && sees(self.plot.point(place), cell) {
                (self.maybe[place], self.weight[place]) = (false, 0.0);
            }
        }
    }

    /// Spreads by one place, to where the target can have got until `until`.
    fn spread(&mut self, ground: &dyn Navigation, until: u64) {
        let count = self.maybe.len();
        let (mut maybe, mut weight) = std::mem::take(&mut self.next);
        maybe.clear();
        maybe.resize(count, false);
        weight.clear();
        weight.resize(count, 0.0);
        let reach = self.reach(until);
        for place in 0..count {
            if !self.maybe[place] {
                continue;
            }
            let mut ways = [place; 9];
            let mut open = 1;
            for way in AROUND {
                if let Some(to) = self.step(place, way, ground).filter(|to| self.is_within(*to, reach)) {
                    ways[open] = to;
                    open += 1;
                }
            }
            let share = self.weight[place] / open as f32;
            for to in &ways[..open] {
                maybe[*to] = true;
                weight[*to] += share;
                self.beyond |= self.plot.is_edge(*to);
            }
        }
        self.good_until = until;
        self.next = (std::mem::replace(&mut self.maybe, maybe), std::mem::replace(&mut self.weight, weight));
        self.come_back(ground);
        self.even_out();
    }

    /// The place in a direction that can be got to in one step, also round the tip of a wall.
    fn step(&mut self, from: usize, (x, z): (i32, i32), ground: &dyn Navigation) -> Option<usize> {
        if let Some(to) = self.plot.next(from, (x, z), ground) {
            return Some(to);
        }
        if x == 0 || z == 0 {
            return None;
        }
        let mut round = |first, second| {
            let corner = self.plot.next(from, first, ground)?;
            self.plot.next(corner, second, ground)
        };
        round((x, 0), (0, z)).or_else(|| round((0, z), (x, 0)))
    }

    /// How far from where it was seen the target can be, m, with what the lattice cannot tell.
    fn reach(&self, until: u64) -> f32 {
        let seconds = (until.saturating_sub(self.seen_at) as f64 * 1e-9) as f32;
        self.speed * seconds + 1.5 * self.plot.cell
    }
    fn is_within(&self, place: usize, reach: f32) -> bool {
        flat(self.plot.point(place) - self.plot.origin).length_squared() <= reach * reach
    }

    /// Whoever has left the lattice can come back over its edge.
    fn come_back(&mut self, ground: &dyn Navigation) {
        if !self.beyond {
            return;
        }
        for place in 0..self.maybe.len() {
            if self.plot.is_edge(place) && self.plot.is_ground(place, ground) {
                self.maybe[place] = true;
            }
        }
    }

    /// Lets all likelihoods together be 1 again.
    fn even_out(&mut self) {
        let sum: f32 = self.weight.iter().sum();
        let count = self.maybe.iter().filter(|maybe| **maybe).count().max(1);
        for (weight, maybe) in self.weight.iter_mut().zip(&self.maybe) {
            *weight = match (sum > 1e-6, maybe) {
                (true, _) => *weight / sum,
                (false, true) => 1.0 / count as f32,
                (false, false) => 0.0,
            };
        }
    }

    /// A number made from all of it, for a digest.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> {
        let held = self.maybe.iter().zip(&self.weight).enumerate().filter(|(_, (maybe, _))| **maybe);
        let places = held.map(|(at, (_, weight))| at as u64 | u64::from(weight.to_bits()) << 32);
        let goals =
            self.leases.iter().map(|lease| u64::from(lease.key) | u64::from(lease.goal.unwrap_or(0)) << 32);
        let about = [self.good_until, self.seen_at, self.leases.len() as u64];
        about.into_iter().chain(places).chain(goals).filter(|_| self.target.is_some())
    }

    /// Whether it can be one.
    pub(crate) fn is_sound(&self) -> bool {
        if self.target.is_none() {
            return self.leases.is_empty();
        }
        let count = self.plot.count();
        let placed =
            |lease: &Lease| [lease.goal, lease.via].iter().flatten().all(|place| (*place as usize) < count);
        self.plot.is_sound()
            && self.maybe.len() == count
            && self.weight.len() == count
            && self.weight.iter().all(|weight| (0.0..=1.01).contains(weight))
            && (0.01..=1e4).contains(&self.speed)
            && self.good_until <= crate::math::MOST_COUNTED
            && self.leases.iter().all(|lease| placed(lease) && lease.angle.is_finite())
    }
}
