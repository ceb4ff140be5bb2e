//! The third stage: rings, and from what agents want to the velocity that each should have.

mod formations;
mod look;
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
    /// How many ways may still be searched for in this tick.
    pub(super) paths_left: usize,
    pub velocity: Vec<Vec3>,
    pub facing: Vec<Vec3>,
}

impl Helm {
    /// The bytes that it holds outside of itself.
    pub fn bytes(&self) -> usize {
        let near = room(&self.near.bodies) + room(&self.near.edges);
        let lists = room(&self.formed) + room(&self.corners) + near + room(&self.discs);
        let lists = lists + room(&self.waiting) + self.rings.bytes();
        lists + room(&self.velocity) + room(&self.facing)
    }
}

/// What is round an agent: bodies by index, and the edges of walls.
#[derive(Default)]
pub(super) struct Nearby {
    pub(in crate::world) bodies: Vec<u32>,
    edges: Vec<Edge>,
}

impl World {
    pub(super) fn steer(&mut self, dt: f32) {
        self.form_rings(dt);
        self.form_up(dt);
        self.find_ways();
        let mut helm = std::mem::take(&mut self.helm);
        let agents = self.scene.agents.len();
        helm.velocity.resize(agents, Vec3::ZERO);
        helm.facing.resize(agents, Vec3::X);
        for index in 0..agents {
            let mut me = self.me(index);
            // A place of the ring moves: there one walks on as soon as it does, without the latch of a rest.
            let placed = self.place_rule(&self.minds[index].intent).is_some();
            me.resting &= !placed;
            let desired = self.desired(index, &me, &mut helm.near, dt);
            me.resting = self.rests(index, &me, dt);
            self.minds[index].arrived = me.resting;
            let velocity =
                steer(&me, if me.resting && !placed { at_rest(desired, &me) } else { desired }, dt);
            helm.velocity[index] = if velocity.is_finite() { velocity } else { Vec3::ZERO };
            helm.facing[index] = self.look_to(index, &me, desired, dt);
        }
        let bodies = &mut self.scene_mut().bodies;
        bodies.velocity[..agents].copy_from_slice(&helm.velocity);
        bodies.facing[..agents].copy_from_slice(&helm.facing);
        self.helm = helm;
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
        let intent = &self.minds[index].intent;
        let goes = |rule: &&Rule| {
            matches!(BEHAVIOURS[usize::from(rule.behaviour)].name, "arrive" | "hide")
                || (BEHAVIOURS[usize::from(rule.behaviour)].name == "follow_path"
                    && rule.order.remaining.is_finite())
        };
        let Some(rule) = intent.rules().iter().find(goes) else { return false };
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
}

/// Who rests is moved by nothing small.
fn at_rest(desired: Vec3, me: &Me) -> Vec3 {
    dead_zone(desired, 0.15 * me.max_speed)
}
