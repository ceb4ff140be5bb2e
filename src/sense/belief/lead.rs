//! The way to a place of the search where the ground itself leads nowhere: along the places of the lattice.

use super::plot::AROUND;
use super::{Belief, Searcher};
use crate::math::{Vec3, flat};
use crate::nav::Navigation;

/// No place, and none that has been come to.
const NONE: u32 = u32::MAX;
/// How many places ahead one looks for the next that one can walk straight to.
const AHEAD: usize = 24;

/// Buffers of the search for a way.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// Of each place, the next one on the way to the goal.
    next: Vec<u32>,
    queue: Vec<u32>,
}

impl PartialEq for Trail {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Belief {
    /// Finds out where everybody walks next: straight to his place where he can, else along the lattice.
    pub(crate) fn lead(&mut self, searchers: &[Searcher], ground: &dyn Navigation) {
        for at in 0..self.leases.len() {
            let key = self.leases[at].key;
            let searcher = searchers.iter().find(|searcher| searcher.key == key);
            let (Some(searcher), Some(goal)) = (searcher, self.leases[at].goal) else { continue };
            let straight = |to: Vec3| ground.straight(searcher.position, to, 0.9 * searcher.radius);
            if ground.leads() || straight(self.plot.point(goal as usize)) {
                self.leases[at].via = None;
                continue;
            }
            let fits = self.leases[at].via.is_some_and(|via| {
                let via = self.plot.point(via as usize);
                flat(via - searcher.position).length() > self.plot.cell && straight(via)
            });
            if !fits {
                self.leases[at].via = self.via(searcher, goal, ground);
            }
        }
    }

    /// The farthest place on the way to the goal that can be walked straight to.
    fn via(&mut self, searcher: &Searcher, goal: u32, ground: &dyn Navigation) -> Option<u32> {
        let (x, z) = self.plot.nearest(searcher.position);
        let here = self.plot.at(x, z)? as u32;
        if !self.find_trail(here, goal, ground) {
            return None;
        }
        let mut place = here;
        let mut via = None;
        for _ in 0..AHEAD {
            place = self.trail.next[place as usize];
            let straight =
                ground.straight(searcher.position, self.plot.point(place as usize), 0.9 * searcher.radius);
            if via.is_some() && !straight {
                break;
            }
            via = Some(place);
            if place == goal {
                break;
            }
        }
        via
    }

    /// Goes out from the goal until it comes to `here`.
    fn find_trail(&mut self, here: u32, goal: u32, ground: &dyn Navigation) -> bool {
        let mut trail = std::mem::take(&mut self.trail);
        trail.next.clear();
        trail.next.resize(self.maybe.len(), NONE);
        trail.queue.clear();
        trail.queue.push(goal);
        trail.next[goal as usize] = goal;
        let mut done = 0;
        while done < trail.queue.len() && trail.next[here as usize] == NONE {
            let place = trail.queue[done];
            done += 1;
            for way in AROUND {
                let Some(to) = self.plot.next(place as usize, way, ground) else { continue };
                if trail.next[to] == NONE {
                    trail.next[to] = place;
                    trail.queue.push(to as u32);
                }
            }
        }
        let found = trail.next[here as usize] != NONE;
        self.trail = trail;
        found
    }
}
