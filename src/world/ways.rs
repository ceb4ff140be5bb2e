//! Ways round corners, under steering: who needs one gets it in turn, and heads for its next corner in place of the goal.

use super::World;
use super::steer::Helm;
use crate::entity::AgentId;
use crate::math::{Vec3, clamp_length, unit_or};
use crate::nav::{Walk, Way};
use crate::steer::{BEHAVIOURS, Me, Order, arrive};
use crate::tree::{Anchor, Intent, Rule};

/// The behaviours that lead somewhere; the first rule of one of them is what a way is for.
const LEADING: [&str; 5] = ["arrive", "follow_path", "hide", "pursue", "seek"];

impl World {
    /// The corners of the way that an agent is on, in metres, its end included; none while it goes straight.
    pub fn path(&self, agent: AgentId) -> &[Vec3] {
        self.agent_index(agent).map_or(&[], |index| self.minds[index].way.corners())
    }

    pub(super) fn ground_changed(&mut self) {
        self.minds.iter_mut().for_each(|mind| mind.way.ground_changed());
    }

    /// Lets every agent go on on its way, and finds new ways for those that have waited longest; among equals the order is
    /// that of squads' and agents' keys.
    pub(super) fn find_ways(&mut self) {
        if !self.scene.ground.leads() {
            self.minds.iter_mut().filter(|mind| mind.way != Way::default()).for_each(|mind| mind.way.clear());
            return;
        }
        let mut helm = std::mem::take(&mut self.helm);
        helm.waiting.clear();
        for index in 0..self.scene.agents.len() {
            let walk = self.walk(index);
            let way = &mut self.minds[index].way;
            match walk {
                Some(walk) => way.go(&*self.scene.ground, &walk),
                None => way.clear(),
            }
            helm.waiting.extend(way.asked().map(|since| (since, index as u32)));
        }
        self.answer_waiting(&mut helm);
        self.helm = helm;
    }

    fn answer_waiting(&mut self, helm: &mut Helm) {
        helm.waiting.sort_unstable();
        let answered = helm.waiting.len().min(helm.paths_left);
        helm.paths_left -= answered;
        for (_, index) in &helm.waiting[..answered] {
            let index = *index as usize;
            if let Some(walk) = self.walk(index) {
                self.minds[index].way.find(&*self.scene.ground, &walk);
            }
        }
    }

    /// Where an agent walks to, if it walks anywhere.
    fn walk(&self, index: usize) -> Option<Walk> {
        let (scene, facts) = (&self.scene, &self.scene.agents[index]);
        let rule = leading(&self.minds[index].intent).filter(|_| !facts.flies)?;
        let (from, radius) = (scene.bodies.position[index], facts.limits.radius);
        let order = self.order(index, &self.scene.me(index, &self.minds[index]), rule)?;
        let goal = match (rule.anchor, order.waypoint) {
            (Anchor::Place, _) => self.own_place(index).1?.position,
            // The point a little ahead on a path may lie in what the path leads through.
            (_, Some(waypoint)) if !scene.ground.straight(from, order.point, radius) => waypoint,
            _ => order.point,
        };
        (from.is_finite() && goal.is_finite()).then_some(Walk { from, goal, radius, now: scene.clock })
    }

    /// The order of a rule that a way leads, towards its next corner, but as far off as the way is long: so one brakes for the
    /// end alone. `None` when no way leads it.
    pub(super) fn led(&self, index: usize, me: &Me, rule: &Rule, order: Order) -> Option<Order> {
        let mind = &self.minds[index];
        let (corner, left) = mind.way.lead(me.position)?;
        let is_led = leading(&mind.intent).is_some_and(|leading| std::ptr::eq(leading, rule));
        let point = me.position + unit_or(me.to(corner), Vec3::ZERO) * left;
        is_led.then_some(Order { point, velocity: Vec3::ZERO, ..order })
    }

    /// `velocity`, but braked for the end of a way that does not lead to the goal: there one stands, and does not push on.
    pub(super) fn held_at_end(&self, index: usize, me: &Me, velocity: Vec3, dt: f32) -> Vec3 {
        let way = &self.minds[index].way;
        let Some((_, left)) = way.lead(me.position).filter(|_| way.is_short()) else { return velocity };
        let tolerance = 0.6 * me.radius;
        let speed =
            if left <= 0.5 * tolerance { 0.0 } else { arrive::braking_speed(me, left, tolerance, dt) };
        clamp_length(velocity, speed)
    }

    /// The velocity along the way to a place of the ring; `None` when one goes there straight.
    pub(super) fn along_way(&self, index: usize, me: &Me, dt: f32) -> Option<Vec3> {
        let (corner, _) = self.minds[index].way.lead(me.position)?;
        Some(self.held_at_end(index, me, unit_or(me.to(corner), Vec3::ZERO) * me.max_speed, dt))
    }
}

fn leading(intent: &Intent) -> Option<&Rule> {
    let leads =
        |rule: &&Rule| rule.weight > 0.0 && LEADING.contains(&BEHAVIOURS[usize::from(rule.behaviour)].name);
    intent.rules().iter().find(leads)
}
