//! An agent on its way: the corners that are left, and when another way is to be asked for.
//!
//! It is plain data, so that a saved world goes on with the same ways. Who finds ways, and how many in a tick, it does not know.

use super::{Disc, Navigation, PathStatus};
use crate::math::{MOST_COUNTED, Vec3};
use serde::{Deserialize, Serialize};

/// For how long (ns) one may come no nearer before another way is asked for: as long, then twice, four and eight times.
const PATIENCE: u64 = 1_000_000_000;
const MOST_WAITS: u8 = 3;

/// A way and how far one has come on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Way {
    corners: Vec<Vec3>,
    /// The corner one goes to.
    next: u32,
    /// The goal for which it was found.
    goal: Vec3,
    /// What came of the search; `None` when there was none yet.
    status: Option<PathStatus>,
    /// Whether the goal is in straight walkable line.
    straight: bool,
    /// Whether the ground is another one now.
    stale: bool,
    /// Since when a way is wanted, ns.
    asked: Option<u64>,
    /// The least that there ever was to go on this way, m, since when, ns, and how often one waited in vain.
    least: f32,
    since: u64,
    waits: u8,
    /// Whether it leads round bodies: it is kept to, without short cuts.
    detour: bool,
    /// Whether bodies stand in it and there is none round them.
    blocked: bool,
}

/// Who walks, from where to where, and when.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    /// Where it is, m.
    pub from: Vec3,
    /// Where it goes, m.
    pub goal: Vec3,
    /// The radius of its body, m.
    pub radius: f32,
    /// ns of the world's clock.
    pub now: u64,
}

impl Way {
    /// The corners that are left, the end included; none while one goes straight.
    pub fn corners(&self) -> &[Vec3] {
        if self.straight { &[] } else { self.corners.get(self.next as usize..).unwrap_or_default() }
    }
    /// The bytes that it holds outside of itself.
    pub(crate) fn bytes(&self) -> usize {
        crate::math::room(&self.corners)
    }
    /// What came of the last search for a way to the goal; `None` while one goes straight, or waits for the first answer.
    pub fn status(&self) -> Option<PathStatus> {
        let found = self.status.filter(|_| !self.straight);
        if self.blocked { Some(PathStatus::Blocked) } else { found }
    }
    /// Whether one knows how to go: straight, or by corners.
    pub fn is_known(&self) -> bool {
        self.straight || !self.corners().is_empty()
    }
    /// The goal for which the last way was found, m.
    pub fn goal(&self) -> Vec3 {
        self.goal
    }
    /// Since when it waits for a way, in ns of the clock; `None` if it wants none.
    pub fn asked(&self) -> Option<u64> {
        self.asked
    }
    /// Goes nowhere: forgets all but the room for corners.
    pub fn clear(&mut self) {
        let mut corners = std::mem::take(&mut self.corners);
        corners.clear();
        *self = Self { corners, ..Self::default() };
    }
    /// The ground is another one: the way holds until there is a new one.
    pub fn ground_changed(&mut self) {
        (self.stale, self.waits, self.blocked) = (true, 0, false);
    }

    /// Passes corners that are reached or need not be, and finds out whether a way is wanted.
    pub fn go(&mut self, ground: &dyn Navigation, walk: &Walk) {
        self.detour &= !self.has_moved(walk) && !self.is_at_end(walk.from, walk.radius);
        let straight = !self.detour && ground.straight(walk.from, walk.goal, walk.radius);
        if straight != self.straight {
            (self.straight, self.least, self.blocked) = (straight, f32::MAX, false);
            (self.since, self.waits) = (walk.now, 0);
        }
        if straight {
            self.asked = self.is_held(walk).then(|| self.asked.unwrap_or(walk.now));
            return;
        }
        self.pass(ground, walk);
        let wanted = self.status.is_none() || self.stale || self.has_moved(walk) || self.is_stuck(walk);
        let wanted = wanted || self.is_unfinished(walk);
        self.asked = wanted.then(|| self.asked.unwrap_or(walk.now));
    }

    fn pass(&mut self, ground: &dyn Navigation, walk: &Walk) {
        while let Some(after) = self.corners.get(self.next as usize + 1) {
            let corner = self.corners[self.next as usize];
            let near = if self.detour { 0.5 } else { 0.2 };
            let there = flat_distance(walk.from, corner) <= near * walk.radius;
            // Round bodies, which the ground knows nothing of, a corner is to be walked by.
            let may = !self.detour || (walk.from - corner).dot(*after - corner) > 0.0;
            let passes = there || (may && ground.straight(walk.from, *after, walk.radius));
            if !passes {
                return;
            }
            self.next += 1;
        }
    }

    /// Whether it comes no nearer to a goal in plain view, so that bodies must be in the way. A goal that moves is gone after.
    fn is_held(&mut self, walk: &Walk) -> bool {
        let left = flat_distance(walk.from, walk.goal);
        if left < self.least - 0.25 * walk.radius || left > self.least + walk.radius {
            (self.least, self.since, self.waits, self.blocked) = (left, walk.now, 0, false);
        }
        left > 3.0 * walk.radius && self.has_waited(walk)
    }

    fn has_waited(&self, walk: &Walk) -> bool {
        walk.now.saturating_sub(self.since) > PATIENCE << self.waits.min(MOST_WAITS)
    }

    /// Whether one is at the end of what a search that was stopped had found.
    fn is_unfinished(&self, walk: &Walk) -> bool {
        self.status == Some(PathStatus::Unfinished) && self.is_at_end(walk.from, 2.0 * walk.radius)
    }

    /// Whether the goal is too far from where it was when the way was found: a body, or a tenth of the distance.
    fn has_moved(&self, walk: &Walk) -> bool {
        let bound = walk.radius.max(0.1 * flat_distance(walk.from, walk.goal));
        flat_distance(walk.goal, self.goal) > bound
    }

    fn is_stuck(&mut self, walk: &Walk) -> bool {
        let left = self.remaining(walk.from);
        // Pushed or put somewhere else, one is not to walk back for the corner.
        if left > self.least + 4.0 * walk.radius {
            return true;
        }
        if left < self.least - 0.25 * walk.radius {
            (self.least, self.since, self.waits, self.blocked) = (left, walk.now, 0, false);
        }
        let waits = !(self.is_at_end(walk.from, walk.radius) && self.status == Some(PathStatus::Partial));
        waits && self.has_waited(walk)
    }

    /// Whether bodies are to be looked for that stand in its way, before a way is asked for.
    pub fn is_hindered(&self, walk: &Walk) -> bool {
        let known = self.straight || (self.status.is_some() && !self.stale && !self.has_moved(walk));
        let far = self.straight || self.remaining(walk.from) > 3.0 * walk.radius;
        known && far && self.has_waited(walk)
    }

    /// Whether a body stands on the way that one goes: ways round others are not worth a search.
    pub fn is_barred_by(&self, walk: &Walk, disc: &Disc) -> bool {
        let goal = [walk.goal];
        let corners = if self.straight { &goal[..] } else { self.corners() };
        let room = disc.radius + walk.radius;
        let starts = std::iter::once(&walk.from).chain(corners);
        starts.zip(corners).any(|(a, b)| {
            let (leg, to) = (crate::math::flat(*b - *a), crate::math::flat(disc.centre - *a));
            let share = (to.dot(leg) / leg.length_squared().max(1e-12)).clamp(0.0, 1.0);
            (to - leg * share).length() < room
        })
    }

    /// Asks the ground for the way that is wanted.
    pub fn find(&mut self, ground: &dyn Navigation, walk: &Walk) {
        let again = self.status.is_some() && !self.has_moved(walk);
        let mut status = ground.path(walk.from, walk.goal, walk.radius, &mut self.corners);
        if self.corners.is_empty() || self.corners.iter().any(|corner| !corner.is_finite()) {
            self.corners.clear();
            status = PathStatus::None;
        }
        // A search that is stopped where it was stopped before will get no further.
        let end = self.corners.last().copied().unwrap_or(walk.from);
        if status == PathStatus::Unfinished && flat_distance(walk.from, end) <= 2.0 * walk.radius {
            status = PathStatus::Partial;
        }
        (self.next, self.goal, self.status) = (0, walk.goal, Some(status));
        (self.stale, self.asked, self.since) = (false, None, walk.now);
        (self.detour, self.blocked) = (false, self.blocked && again);
        self.least = self.remaining(walk.from);
        self.waits = if again { (self.waits + 1).min(MOST_WAITS) } else { 0 };
    }

    /// Asks the ground for a way round bodies that stand. Where there is none, it goes on as before, and after a few times it is
    /// [`PathStatus::Blocked`] until it comes nearer.
    pub fn find_round(&mut self, ground: &dyn Navigation, walk: &Walk, discs: &[Disc]) {
        let occupied = |disc: &Disc| flat_distance(disc.centre, walk.goal) < disc.radius + walk.radius;
        let mut corners = Vec::new();
        let found = !discs.iter().any(occupied)
            && ground.path_around(walk.from, walk.goal, walk.radius, discs, &mut corners)
                == PathStatus::Complete
            && corners.iter().all(|corner| corner.is_finite());
        self.waits = (self.waits + 1).min(MOST_WAITS);
        (self.asked, self.since) = (None, walk.now);
        if !found {
            self.blocked |= self.waits == MOST_WAITS;
            // It may as well have lost its way.
            self.stale = !self.straight;
            return;
        }
        (self.corners, self.next, self.goal, self.status) =
            (corners, 0, walk.goal, Some(PathStatus::Complete));
        (self.straight, self.detour, self.blocked) = (false, true, false);
        self.least = self.remaining(walk.from);
    }

    /// Bodies stand in the way, and one has not got on for long: it is [`PathStatus::Blocked`] until it comes nearer, unless it
    /// leads round bodies already, or not to the goal anyhow.
    pub fn give_up(&mut self) {
        let leads_there = self.straight || self.status == Some(PathStatus::Complete);
        self.blocked |= leads_there && !self.detour;
    }

    /// The corner to go to and the way that is left, m; `None` while one goes straight or knows no way.
    pub fn lead(&self, from: Vec3) -> Option<(Vec3, f32)> {
        self.corners().first().map(|corner| (*corner, self.remaining(from)))
    }

    /// Whether it ends short of the goal.
    pub fn is_short(&self) -> bool {
        !self.straight && self.status == Some(PathStatus::Partial)
    }

    /// Whether the way to `goal` is known to come to an end before it, and one has come to that end: it is where the way ends, there is
    /// no way, or bodies block it.
    pub fn is_dead_end(&self, from: Vec3, goal: Vec3, radius: f32) -> bool {
        let ends = match self.status() {
            Some(PathStatus::None | PathStatus::Blocked) => true,
            Some(PathStatus::Partial) => self.is_at_end(from, radius),
            _ => false,
        };
        ends && (self.blocked || self.is_for(from, goal, radius))
    }

    /// Whether it leads to `goal`, or to where that was a little ago.
    pub fn is_for(&self, from: Vec3, goal: Vec3, radius: f32) -> bool {
        !self.has_moved(&Walk { from, goal, radius, now: 0 })
    }

    /// Whether one is at the end of a way, within half a body.
    pub fn is_at_end(&self, from: Vec3, radius: f32) -> bool {
        self.corners().last().is_some_and(|end| flat_distance(from, *end) <= 0.5 * radius)
    }

    fn remaining(&self, from: Vec3) -> f32 {
        let left = self.corners.get(self.next as usize..).unwrap_or_default();
        let legs: f32 = left.windows(2).map(|leg| flat_distance(leg[0], leg[1])).sum();
        left.first().map_or(f32::MAX, |corner| flat_distance(from, *corner) + legs)
    }

    /// Whether it can be one.
    pub(crate) fn is_sound(&self, now: u64) -> bool {
        let points = self.corners.iter().all(|corner| corner.is_finite()) && self.goal.is_finite();
        let times = self.since <= now && self.asked.is_none_or(|asked| asked <= now);
        let inside = self.next as usize <= self.corners.len();
        points && times && inside && now <= MOST_COUNTED && self.waits <= MOST_WAITS
    }
}

fn flat_distance(a: Vec3, b: Vec3) -> f32 {
    crate::math::flat(a - b).length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec3;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// A corner at (0, 0) between those with x below and above 0; it counts how often it was asked for a way.
    #[derive(Default)]
    struct Bend(AtomicU32);

    impl Navigation for Bend {
        fn nearest(&self, point: Vec3, _: f32, _: f32) -> Option<Vec3> {
            Some(point)
        }
        fn path(&self, _: Vec3, to: Vec3, _: f32, corners: &mut Vec<Vec3>) -> PathStatus {
            self.0.fetch_add(1, Ordering::Relaxed);
            corners.clear();
            corners.extend([Vec3::ZERO, to]);
            PathStatus::Complete
        }
        fn straight(&self, from: Vec3, to: Vec3, _: f32) -> bool {
            from.x * to.x >= 0.0
        }
    }

    fn walk(x: f32, goal: f32, seconds: f32) -> Walk {
        Walk { from: vec3(x, 0.0, 0.0), goal: vec3(goal, 0.0, 0.0), radius: 0.5, now: (seconds * 1e9) as u64 }
    }

    #[test]
    fn a_way_is_asked_for_when_it_must_be() {
        let (ground, mut way) = (Bend::default(), Way::default());
        let go = |way: &mut Way, x: f32, goal: f32, seconds: f32| {
            let walk = walk(x, goal, seconds);
            way.go(&ground, &walk);
            let asked = way.asked().is_some();
            if asked {
                way.find(&ground, &walk);
            }
            asked
        };
        assert!(!go(&mut way, -5.0, -9.0, 0.0), "straight on there is no need");
        assert_eq!((way.corners(), way.status()), (&[][..], None));
        assert!(go(&mut way, -5.0, 5.0, 0.1));
        assert_eq!(way.lead(vec3(-5.0, 0.0, 0.0)), Some((Vec3::ZERO, 10.0)));
        assert!(!go(&mut way, -4.0, 5.4, 0.5), "a goal that moves by less than a body");
        assert!(go(&mut way, -4.0, 7.0, 0.6), "one that moves further");
        assert!(!go(&mut way, -4.0, 7.0, 1.5) && go(&mut way, -4.0, 7.0, 1.7), "no nearer for a second");
        assert!(!go(&mut way, -4.0, 7.0, 3.6) && go(&mut way, -4.0, 7.0, 3.8), "then for two");
        assert!(!go(&mut way, -3.0, 7.0, 5.0), "nearer");
        assert!(go(&mut way, -6.0, 7.0, 5.05), "put somewhere else");
        assert!(!go(&mut way, -3.0, 7.0, 5.07));
        way.ground_changed();
        assert!(go(&mut way, -3.0, 7.0, 5.1), "another ground");
        assert!(!go(&mut way, -0.05, 7.0, 5.2));
        assert_eq!(way.corners(), [vec3(7.0, 0.0, 0.0)], "the corner is reached");
        way.clear();
        assert!(way.lead(Vec3::ZERO).is_none() && way.is_sound(0));
    }
}
