//! From the rules of an agent to the velocity that it wants.

use super::World;
use crate::math::{Vec3, unit_or};
use crate::squad::skirt;
use crate::steer::{
    BEHAVIOURS, Class, DEFAULT_BIAS_SHARE, Me, Near, Order, Wish, combine_priority, combine_weighted,
};
use crate::tree::{Anchor, Combine, Intent, MAX_RULES, Rule};

/// How far ahead, in seconds at the speed that is wanted, a wall turns the course aside.
const WALL_AHEAD: f32 = 0.4;

impl World {
    /// The velocity that the agent's rules come to, with walls looked after.
    pub(super) fn desired(&self, index: usize, me: &Me, near: &mut Vec<u32>, dt: f32) -> Vec3 {
        let intent = &self.minds[index].intent;
        if intent.rules().is_empty() {
            return Vec3::ZERO;
        }
        self.neighbours(index, intent, near);
        let near = self.near(near);
        let mut wishes = [Wish { class: Class::Facing, weight: 0.0, velocity: Vec3::ZERO }; MAX_RULES];
        for (wish, rule) in wishes.iter_mut().zip(intent.rules()) {
            *wish = self.wish(index, me, rule, &near, dt);
        }
        let wishes = &wishes[..intent.rules().len()];
        let desired = match (intent.combine, self.place_rule(intent)) {
            (_, Some(_)) => self.to_place(index, me, wishes, dt),
            (Combine::Weight, None) => combine_weighted(wishes, me.max_speed, DEFAULT_BIAS_SHARE),
            (Combine::Priority, None) => combine_priority(wishes, me.max_speed, 0.05 * me.max_speed),
        };
        // A way keeps clear of walls by itself, and ends where one wants to get to, also when that is by a wall.
        if self.minds[index].way.is_known() || self.has_clear_place(index, me) {
            desired
        } else {
            self.along_walls(me, desired)
        }
    }
    pub(super) fn wish(&self, index: usize, me: &Me, rule: &Rule, near: &Near<'_>, dt: f32) -> Wish {
        let behaviour = BEHAVIOURS[usize::from(rule.behaviour)];
        let velocity = match self.order(index, me, rule) {
            Some(order) => match self.led(index, me, rule, order) {
                Some(order) => self.held_at_end(index, me, (behaviour.run)(me, &order, near, dt), dt),
                None => (behaviour.run)(me, &order, near, dt),
            },
            None => Vec3::ZERO,
        };
        Wish { class: behaviour.class, weight: rule.weight, velocity }
    }

    /// The order of a rule, with its point where its anchor is now.
    pub(in crate::world) fn order(&self, index: usize, me: &Me, rule: &Rule) -> Option<Order> {
        let mut order = rule.order;
        match rule.anchor {
            Anchor::Fixed => {}
            Anchor::Place => {
                let (ring, place) = self.own_place(index);
                let place = place?;
                order.point = skirt(me.position, place.position, ring.centre(), ring.inner());
                order.velocity = place.velocity;
            }
            Anchor::Target => {
                let track = self.scene.squads[self.scene.agents[index].squad as usize].knowledge.target()?;
                order.velocity = track.velocity;
                order.point = track.position + unit_or(me.to(track.position), Vec3::ZERO) * -rule.stand_off;
            }
        }
        Some(order)
    }

    /// Finds the agents within the largest radius that a rule looks at.
    pub(super) fn neighbours(&self, index: usize, intent: &Intent, near: &mut Vec<u32>) {
        near.clear();
        let looks =
            |rule: &&Rule| rule.weight > 0.0 && BEHAVIOURS[usize::from(rule.behaviour)].needs_neighbours;
        let default = self.scene.agents[index].limits.neighbour_radius;
        let radius = |rule: &Rule| if rule.order.numbers[0] > 0.0 { rule.order.numbers[0] } else { default };
        let widest = intent.rules().iter().filter(looks).map(radius).fold(0.0, f32::max);
        if widest > 0.0 {
            self.grid.within(self.scene.bodies.position[index], widest, near);
        }
    }

    pub(super) fn near<'a>(&'a self, indices: &'a [u32]) -> Near<'a> {
        let bodies = &self.scene.bodies;
        Near {
            indices,
            position: &bodies.position,
            velocity: &bodies.velocity,
            radius: &bodies.radius,
            id: &bodies.tag,
        }
    }

    /// Turns a course along a wall that it would run into: it never leads into the wall, and keeps its speed.
    fn along_walls(&self, me: &Me, desired: Vec3) -> Vec3 {
        let speed = desired.length();
        if speed < 1e-3 || self.walls.all().is_empty() {
            return desired;
        }
        let ahead = me.position + desired * WALL_AHEAD;
        let Some(wall) = self
            .walls
            .nearest(ahead, me.radius * 1.2)
            .or_else(|| self.walls.nearest(me.position, me.radius * 1.2))
        else {
            return desired;
        };
        let inwards = desired.dot(wall.normal).min(0.0);
        let along = desired - wall.normal * inwards;
        // Straight at the wall there is no side to prefer: the agent's own number decides.
        let side = Vec3::Y.cross(wall.normal) * if me.id.is_multiple_of(2) { 1.0 } else { -1.0 };
        unit_or(along, side) * speed
    }
}
