//! The third stage: rings, and from what agents want to the velocity that each should have.

mod formations;
mod look;
mod quiet;
mod rings;
mod wishes;

use super::World;
use crate::math::{Vec3, room};
use crate::space::Edge;
use crate::squad::Member;
use crate::steer::{BEHAVIOURS, Me, arrive, dead_zone, steer};
use crate::tree::{Anchor, Rule};

/// Buffers of the stage, and what it found: the new velocity and facing of each agent.
#[derive(Default)]
pub(super) struct Helm {
    rings: rings::Rings,
    formed: Vec<Member>,
    corners: Vec<Vec3>,
    pub(super) near: Nearby,
    /// What stands about one that comes no nearer.
    pub(super) discs: Vec<crate::nav::Disc>,
    /// Who waits for a way: since when, and its body index.
    pub(super) waiting: Vec<(u64, u32)>,
    /// Whether agents may be on ways.
    pub(super) led: bool,
    /// How many ways may still be searched for in this tick.
    pub(super) paths_left: usize,
    /// What each agent wants, m/s, before and after others are looked after.
    pub desired: Vec<Vec3>,
    pub wish: Vec<Vec3>,
    /// Where each agent wants to get to.
    pub goals: Vec<Option<Goal>>,
    /// Whether each agent stands where it wants to get to.
    pub rests: Vec<bool>,
    pub velocity: Vec<Vec3>,
    pub facing: Vec<Vec3>,
    /// Who need not be steered.
    pub quiet: quiet::Quiet,
}

impl Helm {
    /// The bytes that it holds outside of itself.
    pub fn bytes(&self) -> usize {
        let near = room(&self.near.bodies) + room(&self.near.edges);
        let lists = room(&self.formed) + room(&self.corners) + near + room(&self.discs);
        let lists = lists + room(&self.waiting) + self.rings.bytes();
        let wants = room(&self.desired) + room(&self.wish) + room(&self.goals) + room(&self.rests);
        lists + wants + room(&self.velocity) + room(&self.facing) + self.quiet.bytes()
    }
}

/// What is round an agent: bodies by index, and the edges of walls.
#[derive(Default)]
pub(super) struct Nearby {
    pub(in crate::world) bodies: Vec<u32>,
    edges: Vec<Edge>,
}

/// Where an agent wants to get to.
#[derive(Clone, Copy)]
pub(super) struct Goal {
    /// The place, or the target that it keeps off, m.
    pub at: Vec3,
    /// How far off it wants to stand, and how exactly, m.
    pub off: f32,
    pub tolerance: f32,
}

/// How far off its post (in radii) one that made way still counts as standing there.
const MADE_WAY: f32 = 4.0;

impl World {
    pub(super) fn steer(&mut self, dt: f32) {
        self.find_active();
        self.form_rings(dt);
        self.form_up(dt);
        self.note_forming();
        self.find_ways();
        let mut helm = std::mem::take(&mut self.helm);
        let agents = self.scene.agents.len();
        helm.desired.resize(agents, Vec3::ZERO);
        helm.wish.resize(agents, Vec3::ZERO);
        helm.goals.resize(agents, None);
        helm.rests.resize(agents, false);
        helm.velocity.resize(agents, Vec3::ZERO);
        helm.facing.resize(agents, Vec3::X);
        for at in 0..helm.quiet.active.len() {
            self.want(&mut helm, at, dt);
        }
        self.keep_clear(&mut helm, dt);
        for at in 0..helm.quiet.active.len() {
            let index = helm.quiet.active[at] as usize;
            let me = self.me(index);
            let velocity = steer(&me, helm.wish[index], dt);
            helm.velocity[index] = if velocity.is_finite() { velocity } else { Vec3::ZERO };
            helm.facing[index] = self.look_to(index, &me, helm.desired[index], dt);
            self.minds[index].arrived = helm.rests[index] || self.minds[index].stance.packed;
        }
        self.note_quiet(&mut helm);
        let bodies = &mut self.scene_mut().bodies;
        bodies.velocity[..agents].copy_from_slice(&helm.velocity);
        bodies.facing[..agents].copy_from_slice(&helm.facing);
        self.helm = helm;
    }

    /// Finds out what an agent wants, as if it were alone but for its flock.
    fn want(&mut self, helm: &mut Helm, at: usize, dt: f32) {
        let index = helm.quiet.active[at] as usize;
        let mut me = self.me(index);
        // A place of the ring moves: there one walks on as soon as it does, without the latch of a rest.
        let placed = self.place_rule(&self.minds[index].intent).is_some();
        me.resting &= !placed;
        let desired = self.desired(index, &me, &mut helm.near, dt);
        let goal = self.goal_of(index, &me);
        let there = self.rests(index, &me, dt);
        let stance = &self.minds[index].stance;
        // Who makes way for another has not left.
        let stays = !placed && me.resting && self.is_by_its_post(index, &me, goal);
        let packed = stance.packed && !there && stays;
        helm.rests[index] = there || (stays && !stance.packed);
        helm.desired[index] = desired;
        helm.goals[index] = goal;
        helm.wish[index] = match (there && !placed, stays || packed) {
            (true, _) => at_rest(desired, &me),
            (false, true) => Vec3::ZERO,
            (false, false) => desired,
        };
        let stands = goal.is_none() && helm.wish[index].length() <= 1e-3 * me.max_speed.max(1e-3);
        let stance = &mut self.minds[index].stance;
        stance.packed = packed;
        // Who wants nothing further still stands there for what it came for, and others may lean on it.
        if !(stays || stands) {
            stance.goal = goal.filter(|_| there).map(|goal| goal.at);
        }
    }

    /// Whether an agent that rested goes on resting, for the same goal and about where it stood.
    fn is_by_its_post(&self, index: usize, me: &Me, goal: Option<Goal>) -> bool {
        let stance = &self.minds[index].stance;
        let Some((goal, rested)) = goal.zip(stance.goal) else { return false };
        let post = stance.post.unwrap_or(me.position);
        let moved = if stance.packed { me.radius } else { 0.15 * me.radius };
        let off = me.plane(goal.at - post).length() - goal.off;
        let holds = stance.packed || off.abs() <= 1.5 * goal.tolerance;
        let same =
            me.plane(goal.at - rested).length() <= moved && (goal.at.y - rested.y).abs() <= 2.0 * me.radius;
        let near = me.to(post).length() <= MADE_WAY * me.radius;
        same && holds && near && !self.is_yet_to_walk(index, me, goal.tolerance)
    }

    /// Where the rule that leads to a rest leads, if the agent has one.
    fn goal_of(&self, index: usize, me: &Me) -> Option<Goal> {
        let rule = self.leads_to_rest(index).filter(|rule| rule.anchor != Anchor::Place)?;
        let order = self.order(index, me, rule)?;
        let tolerance = arrive::tolerance(me, &order);
        if rule.anchor == Anchor::Target {
            let squad = &self.scene.squads[self.scene.agents[index].squad as usize];
            let at = squad.knowledge.target()?.position;
            return Some(Goal { at, off: rule.stand_off, tolerance });
        }
        // On a path only its end is a goal.
        let left = order.remaining - me.to(order.point).length();
        let ends = !order.remaining.is_finite() || left.abs() <= 0.5 * me.radius;
        (order.point.is_finite() && ends).then_some(Goal { at: order.point, off: 0.0, tolerance })
    }

    fn me(&self, index: usize) -> Me {
        let mut me = self.scene.me(index, &self.minds[index]);
        // Standing still is not a change of what one may do: only the wish to go is limited.
        let speed = self.minds[index].intent.speed;
        me.max_speed = me.max_speed.min(speed.max(0.0));
        me
    }

    /// Whether the agent stands where it wants to get to.
    fn rests(&self, index: usize, me: &Me, dt: f32) -> bool {
        let Some(rule) = self.leads_to_rest(index) else { return false };
        if self.is_yet_to_walk(index, me, arrive::tolerance(me, &rule.order)) {
            return false;
        }
        if rule.anchor == Anchor::Place {
            return self
                .own_place(index)
                .1
                .is_some_and(|place| arrive::rests(me, place.position, rule.order.numbers[0], dt));
        }
        let Some(order) = self.order(index, me, rule) else { return false };
        // Below a place on another floor one has not got there.
        let level = (order.point.y - me.position.y).abs() <= self.cast.senses[index].vertical;
        level && arrive::rests(me, order.point, arrive::tolerance(me, &order), dt)
    }

    /// The rule that ends in a rest, if the agent follows one.
    fn leads_to_rest(&self, index: usize) -> Option<&Rule> {
        let goes = |rule: &&Rule| {
            matches!(BEHAVIOURS[usize::from(rule.behaviour)].name, "arrive" | "hide")
                || (BEHAVIOURS[usize::from(rule.behaviour)].name == "follow_path"
                    && rule.order.remaining.is_finite())
        };
        self.minds[index].intent.rules().iter().find(goes)
    }
}

/// Who rests is moved by nothing small.
fn at_rest(desired: Vec3, me: &Me) -> Vec3 {
    dead_zone(desired, 0.15 * me.max_speed)
}
