//! Who searches where: each member has a sector of its own for as long as it searches, and in it a place to go to.

use super::Belief;
use crate::math::{Vec3, angle_of, wrap_angle};
use serde::{Deserialize, Serialize};
use std::f32::consts::TAU;

/// A member that searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Searcher {
    /// Its key in the squad.
    pub key: u32,
    /// Where it is, m.
    pub position: Vec3,
    /// Its radius, m.
    pub radius: f32,
    /// Its top speed, m/s.
    pub speed: f32,
}

/// A sector that a member has.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lease {
    /// Who has it.
    pub key: u32,
    /// The middle of its sector, rad from +x towards +z, seen from where the target was last perceived.
    pub angle: f32,
    /// Which place it goes to.
    pub goal: Option<u32>,
    /// By which place it walks there, where it cannot go straight.
    pub via: Option<u32>,
    /// When it gives up on that place (ns): it cannot get there, or sees nothing of it.
    pub until: u64,
}

/// How far apart the goals of two members are at least, in places, where a sector is searched out.
const APART: i32 = 4;
/// How much longer than the straight way a member is given to get to a place, and how long to look at it, s.
const PATIENCE: (f32, f32) = (2.0, 2.0);

impl Belief {
    /// Deals sectors to those who search, in the order of their directions, so that their ways do not cross. While they
    /// are the same, everybody keeps his own. They come in the order of keys.
    pub(crate) fn deal(&mut self, searchers: &[Searcher]) {
        let same = self.leases.len() == searchers.len()
            && searchers.iter().all(|searcher| self.lease_of(searcher.key).is_some());
        if same {
            return;
        }
        let old = std::mem::take(&mut self.old_leases);
        self.old_leases = std::mem::replace(&mut self.leases, old);
        self.leases.clear();
        let origin = self.plot.origin;
        let lease = |searcher: &Searcher| Lease {
            key: searcher.key,
            angle: angle_of(searcher.position - origin),
            goal: None,
            via: None,
            until: 0,
        };
        self.leases.extend(searchers.iter().map(lease));
        self.leases.sort_by(|a, b| a.angle.total_cmp(&b.angle).then(a.key.cmp(&b.key)));
        let share = TAU / self.leases.len().max(1) as f32;
        let first = self.leases.first().map_or(0.0, |lease| lease.angle);
        for (at, lease) in self.leases.iter_mut().enumerate() {
            lease.angle = wrap_angle(first + share * at as f32);
            // Whoever is on his way to a place goes on.
            let before = self.old_leases.iter().find(|old| old.key == lease.key);
            (lease.goal, lease.until) = before.map_or((None, 0), |old| (old.goal, old.until));
        }
    }

    /// The sector of a member.
    pub fn lease_of(&self, key: u32) -> Option<&Lease> {
        self.leases.iter().find(|lease| lease.key == key)
    }

    /// Where a member is to look next; `None` while it has no place.
    pub fn goal_of(&self, key: u32) -> Option<Vec3> {
        self.lease_of(key)?.goal.map(|goal| self.plot.point(goal as usize))
    }

    /// Where a member walks to next: to its place, or by another one on the way.
    pub fn next_of(&self, key: u32) -> Option<Vec3> {
        let lease = self.lease_of(key)?;
        lease.via.or(lease.goal).map(|place| self.plot.point(place as usize))
    }

    /// Gives a new place to each member whose place was seen, or who has tried for long enough.
    pub(crate) fn choose_goals(&mut self, searchers: &[Searcher], now: u64) {
        for at in 0..self.leases.len() {
            let lease = self.leases[at];
            let Some(searcher) = searchers.iter().find(|searcher| searcher.key == lease.key) else {
                continue;
            };
            if let Some(goal) = lease.goal.map(|goal| goal as usize) {
                if self.maybe[goal] && now < lease.until {
                    continue;
                }
                // What cannot be seen is the least likely place to be found in.
                self.weight[goal] = 0.0;
            }
            let goal = self.best_place(at, searcher);
            self.leases[at].goal = goal.map(|goal| goal as u32);
            self.leases[at].via = None;
            let way = goal.map_or(0.0, |goal| self.plot.point(goal).distance(searcher.position));
            let time = way / searcher.speed.max(0.1) * PATIENCE.0 + PATIENCE.1;
            self.leases[at].until = now.saturating_add(crate::math::nanoseconds(time));
        }
    }

    /// The place that is most worth a walk: a likely one that is not far; in the own sector, if there is any.
    fn best_place(&self, lease: usize, searcher: &Searcher) -> Option<usize> {
        let half = TAU / self.leases.len().max(1) as f32 * 0.5 + 1e-4;
        let angle = self.leases[lease].angle;
        let own = |place: usize| {
            let way = self.plot.point(place) - self.plot.origin;
            wrap_angle(angle_of(way) - angle).abs() <= half
        };
        let free = |place: usize| self.is_free(lease, place);
        self.best_of(searcher, |place| own(place) && free(place)).or_else(|| self.best_of(searcher, free))
    }

    fn best_of(&self, searcher: &Searcher, fits: impl Fn(usize) -> bool) -> Option<usize> {
        let mut best: Option<(f32, usize)> = None;
        for place in (0..self.maybe.len()).filter(|place| self.maybe[*place]) {
            let way = self.plot.point(place).distance(searcher.position);
            let worth = (self.weight[place] + 1e-9) / (way + 3.0 * self.plot.cell);
            if best.is_none_or(|(most, _)| worth > most) && fits(place) {
                best = Some((worth, place));
            }
        }
        best.map(|(_, place)| place)
    }

    /// Whether nobody else goes to a place near by.
    fn is_free(&self, lease: usize, place: usize) -> bool {
        let (x, z) = self.plot.steps(place);
        let mut others = self.leases.iter().enumerate().filter(|(other, _)| *other != lease);
        others.all(|(_, other)| {
            other.goal.is_none_or(|goal| {
                let (other_x, other_z) = self.plot.steps(goal as usize);
                (x - other_x).abs().max((z - other_z).abs()) >= APART
            })
        })
    }
}
