//! Where agents look, and what their rules ask for.

use super::{Nearby, World};
use crate::entity::AgentId;
use crate::math::Vec3;
use crate::steer::{BEHAVIOURS, Class, Me, Near, turn};
use crate::tree::{Look, Rule};
use crate::world::report::RuleVector;
use crate::world::view::Agent;

impl Agent<'_> {
    /// Whether it looks where it wants to go.
    pub(super) fn looks_ahead(&self) -> bool {
        let faces = |rule: &Rule| BEHAVIOURS[usize::from(rule.behaviour)].class == Class::Facing;
        self.mind.intent.look == Look::Ahead && !self.mind.intent.rules().iter().any(faces)
    }

    pub(super) fn look_to(&self, me: &Me, desired: Vec3, dt: f32) -> Vec3 {
        let intent = &self.mind.intent;
        let target = self.squad().knowledge.target();
        let facing_rule =
            intent.rules().iter().find(|rule| BEHAVIOURS[usize::from(rule.behaviour)].class == Class::Facing);
        let mut turning = self.facts().limits.turning;
        let at = |point: Vec3| me.to(point);
        let wanted = match (facing_rule, intent.look, target) {
            (Some(rule), _, _) => self.wish(me, rule, &Near::NOBODY, dt).velocity,
            (None, Look::Target, Some(track)) => at(track.position),
            (None, Look::At(point), _) => at(point),
            // On top of where one wants to get to, the way there is mostly noise.
            _ if intent.goal.is_some_and(|goal| at(goal).length() <= 0.2 * me.radius) => return me.facing,
            _ => return turn(me.facing, desired, &turning, dt),
        };
        turning.floor = 0.2 * me.radius;
        turn(me.facing, wanted, &turning, dt)
    }
}

impl World {
    /// What each steering rule of an agent asks for now, for drawing.
    pub fn rule_vectors(&self, agent: AgentId) -> Vec<RuleVector> {
        let Some(index) = self.agent_index(agent) else { return Vec::new() };
        let agent = self.agent_view(index);
        let (me, dt) = (agent.me(), self.scene.dt.max(1e-3));
        let mut near = Nearby::default();
        agent.neighbours(&mut near, None);
        let near = agent.near(&near);
        let desired = agent.unbound(&me, &near, dt);
        let vector = |rule: &Rule| RuleVector {
            name: BEHAVIOURS[usize::from(rule.behaviour)].name,
            weight: rule.weight,
            // Of what trims the rest, what it adds to it.
            vector: match BEHAVIOURS[usize::from(rule.behaviour)].class {
                Class::Bound => agent.bound(&me, rule, desired, &near, dt) - desired,
                _ => agent.wish(&me, rule, &near, dt).velocity,
            },
        };
        agent.mind.intent.rules().iter().map(vector).collect()
    }
}
