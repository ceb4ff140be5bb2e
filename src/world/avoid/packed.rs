//! Rests before a goal that is taken: who leans on whom, when the first of a crowd rests, and when there is room again.

use super::among::{Among, Around};
use super::{EMPTY, FULL, LOOKS, TOUCH, TRIES};
use crate::math::flat;
use crate::tree::Mind;
use crate::world::steer::{Goal, Room};

impl Among<'_> {
    /// Whether others rest where this one wants to get to, so that it may as well rest beside them.
    pub(super) fn finds_it_taken(
        &self,
        index: usize,
        mind: &Mind,
        goal: Goal,
        around: &Around,
        room: &mut Room,
    ) -> bool {
        let bodies = &self.scene.bodies;
        let (position, radius) = (bodies.position[index], bodies.radius[index]);
        let away = flat(goal.at - position).length();
        let leans = |other: &u32| {
            let at = *other as usize;
            let stand = &self.crowd.stands[at];
            let apart = flat(bodies.position[at] - position).length();
            let from_goal = flat(bodies.position[at] - goal.at).length();
            let occupies = from_goal < radius + bodies.radius[at] - goal.tolerance;
            stand.rests
                && (occupies || self.alike(Some(goal), stand.goal, index))
                && from_goal < away
                && apart <= radius * (1.0 + TOUCH) + bodies.radius[at]
        };
        around.agents[..around.count].iter().any(leans)
            && (mind.stance.stood() >= TRIES || self.taken(index, goal, room) >= FULL)
    }

    /// Whether it is by the goal, cannot get nearer for others who want to get there too, and is nearer than any of those.
    pub(super) fn is_foremost(&self, index: usize, mind: &Mind, goal: Goal, around: &Around) -> bool {
        let bodies = &self.scene.bodies;
        let place = |at: usize| (flat(bodies.position[at] - goal.at).length(), bodies.tag[at]);
        let (own, radius) = (place(index), bodies.radius[index]);
        if mind.stance.stood() < 0.5 * TRIES || own.0 > goal.off + 3.0 * radius {
            return false;
        }
        let rivals = around.agents[..around.count].iter().map(|other| *other as usize).filter(|at| {
            let its = self.wants[*at].goal.map(|goal| goal.at);
            let apart = flat(bodies.position[*at] - bodies.position[index]).length();
            self.alike(Some(goal), its, index) && apart <= radius * (1.0 + TOUCH) + bodies.radius[*at]
        });
        let (count, nearer) =
            rivals.fold((0, false), |(count, nearer), at| (count + 1, nearer || place(at) < own));
        count > 0 && !nearer
    }

    /// Which share of the ground between the goal and this agent those take that rest there, this one included.
    fn taken(&self, index: usize, goal: Goal, room: &mut Room) -> f32 {
        let bodies = &self.scene.bodies;
        let away = flat(goal.at - bodies.position[index]).length();
        let ground = away * away - goal.off * goal.off;
        self.grid.within(goal.at, away, &mut room.within);
        let rests = |other: &&u32| {
            let stand = &self.crowd.stands[**other as usize];
            **other as usize != index && stand.rests && self.alike(Some(goal), stand.goal, index)
        };
        let square = |at: usize| bodies.radius[at] * bodies.radius[at];
        let others: f32 = room.within.iter().filter(rests).map(|other| square(*other as usize)).sum();
        (others + square(index)) / ground.max(square(index))
    }

    /// Whether one that rests before its goal is to go on, for there is room now. Each looks in its own turn.
    pub(super) fn finds_room(&self, index: usize, goal: Goal, room: &mut Room) -> bool {
        let (clock, dt) = (self.scene.clock, (f64::from(self.scene.dt) * 1e9) as u64);
        let turn = u64::from(self.scene.bodies.tag[index] % 16) * (LOOKS / 16);
        let due = (clock + turn) / LOOKS != (clock + turn).saturating_sub(dt) / LOOKS;
        due && self.taken(index, goal, room) < EMPTY
    }
}
