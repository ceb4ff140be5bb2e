//! From the rules of an agent to the velocity that it wants.

use super::Nearby;
use super::kept::{Kept, Refresh};
use crate::math::{Vec3, unit_or};
use crate::squad::skirt;
use crate::steer::{
    About, BEHAVIOURS, Class, DEFAULT_BIAS_SHARE, Me, Near, OnePass, Order, Wish, combine_context,
    combine_priority, combine_weighted,
};
use crate::tree::{Anchor, Combine, MAX_RULES, Rule};
use crate::world::view::{Agent, View};

/// How far ahead, in seconds at the speed that is wanted, a wall turns the course aside.
pub(super) const WALL_AHEAD: f32 = 0.4;

impl Agent<'_> {
    /// The velocity that the agent's rules come to, with walls looked after.
    pub(super) fn desired(
        &self,
        me: &Me,
        near: &mut Nearby,
        kept: Option<(&mut Kept, Refresh)>,
        dt: f32,
    ) -> Vec3 {
        let intent = &self.mind.intent;
        if intent.rules().is_empty() {
            return Vec3::ZERO;
        }
        self.neighbours(near, kept);
        let near = self.near(near);
        let desired = self.unbound(me, &near, dt);
        let bounds = intent.rules().iter().filter(|rule| class_of(rule) == Class::Bound && rule.weight > 0.0);
        let desired = bounds.fold(desired, |desired, rule| self.bound(me, rule, desired, &near, dt));
        // A way keeps clear of walls by itself, and ends where one wants to get to, also when that is by a wall.
        if self.mind.way.is_known() || self.has_clear_place(me) {
            desired
        } else {
            self.along_walls(me, desired)
        }
    }

    /// What the rules come to before anything trims it.
    pub(super) fn unbound(&self, me: &Me, near: &Near<'_>, dt: f32) -> Vec3 {
        let intent = &self.mind.intent;
        let mut wishes = [Wish { class: Class::Facing, weight: 0.0, velocity: Vec3::ZERO }; MAX_RULES];
        let named = |rule: &Rule| BEHAVIOURS[usize::from(rule.behaviour)].name;
        let fixed = intent.rules().iter().filter(|rule| rule.anchor == Anchor::Fixed);
        let flock = OnePass::new(me, near, fixed.map(|rule| (named(rule), &rule.order)));
        let unbound = |rule: &Rule| class_of(rule) != Class::Bound;
        for (wish, rule) in wishes.iter_mut().zip(intent.rules()).filter(|(_, rule)| unbound(rule)) {
            let known = flock.of(me, named(rule), &rule.order).filter(|_| rule.anchor == Anchor::Fixed);
            *wish = match known {
                Some(velocity) => Wish { class: Class::Bias, weight: rule.weight, velocity },
                None => self.wish(me, rule, near, dt),
            };
        }
        let wishes = &wishes[..intent.rules().len()];
        match (intent.combine, self.place_rule()) {
            (_, Some(_)) => self.walk_to_place(me, wishes, dt),
            (Combine::Weight, None) => combine_weighted(wishes, me.max_speed, DEFAULT_BIAS_SHARE),
            (Combine::Priority, None) => combine_priority(wishes, me.max_speed, 0.05 * me.max_speed),
            (Combine::Context, None) => combine_context(me, wishes, near, dt),
        }
    }

    /// What a rule that trims leaves of `desired`.
    pub(super) fn bound(&self, me: &Me, rule: &Rule, desired: Vec3, near: &Near<'_>, dt: f32) -> Vec3 {
        let Some(order) = self.order(me, rule) else { return desired };
        let order = Order { velocity: desired, ..order };
        let left = (BEHAVIOURS[usize::from(rule.behaviour)].run)(me, &order, near, dt);
        if left.is_finite() { left } else { Vec3::ZERO }
    }

    /// What the regions that an agent is to stay in leave of `velocity`: to avoid others is no reason to leave them.
    pub(in crate::world) fn in_regions(&self, velocity: Vec3) -> Vec3 {
        let stays = |rule: &&Rule| {
            rule.weight > 0.0 && BEHAVIOURS[usize::from(rule.behaviour)].about == About::Region
        };
        let trim = |velocity, rule| self.bound(&self.me(), rule, velocity, &Near::NOBODY, self.scene.dt);
        self.mind.intent.rules().iter().filter(stays).fold(velocity, trim)
    }

    pub(super) fn wish(&self, me: &Me, rule: &Rule, near: &Near<'_>, dt: f32) -> Wish {
        let behaviour = BEHAVIOURS[usize::from(rule.behaviour)];
        let velocity = match self.order(me, rule) {
            Some(order) => match self.led(me, rule, order) {
                Some(order) => self.held_at_end(me, (behaviour.run)(me, &order, near, dt), dt),
                None => (behaviour.run)(me, &order, near, dt),
            },
            None => Vec3::ZERO,
        };
        Wish { class: behaviour.class, weight: rule.weight, velocity }
    }

    /// The order of a rule, with its point where its anchor is now.
    pub(in crate::world) fn order(&self, me: &Me, rule: &Rule) -> Option<Order> {
        let mut order = rule.order;
        match rule.anchor {
            Anchor::Fixed => {}
            Anchor::Place => {
                let (ring, place) = self.own_place();
                let place = place?;
                order.point = skirt(me.position, place.position, ring.centre(), ring.inner());
                order.velocity = place.velocity;
            }
            Anchor::Body(entity) => {
                let known = self.scene.whereabouts(self.index, entity)?;
                (order.point, order.velocity, order.second) = (known.position, known.velocity, known.heading);
            }
            Anchor::Pair(first, second) => {
                if let Some(known) = self.scene.whereabouts(self.index, first) {
                    (order.point, order.velocity) = (known.position, known.velocity);
                }
                if let Some(known) = self.scene.whereabouts(self.index, second) {
                    (order.second, order.second_velocity) = (known.position, known.velocity);
                }
            }
            Anchor::Field(number) => {
                let (_, field) = self.scene.fields.get(usize::from(number))?;
                order.velocity = field.at(me.position)?;
            }
            Anchor::Target => {
                let track = self.squad().knowledge.target()?;
                order.velocity = track.velocity;
                order.point = track.position + unit_or(me.to(track.position), Vec3::ZERO) * -rule.stand_off;
            }
        }
        Some(order)
    }

    /// Finds the agents within the largest radius that a rule looks at.
    pub(super) fn neighbours(&self, near: &mut Nearby, kept: Option<(&mut Kept, Refresh)>) {
        let intent = &self.mind.intent;
        near.bodies.clear();
        near.edges.clear();
        let counts = |rule: &&Rule| rule.weight > 0.0;
        let looks = |rule: &&Rule| BEHAVIOURS[usize::from(rule.behaviour)].needs_neighbours;
        let facts = self.facts();
        let default = facts.limits.neighbour_radius;
        let radius = |rule: &Rule| if rule.order.numbers[0] > 0.0 { rule.order.numbers[0] } else { default };
        let mut widest = intent.rules().iter().filter(counts).filter(looks).map(radius).fold(0.0, f32::max);
        let place = self.scene.bodies.position[self.index];
        let context = intent.combine == Combine::Context;
        let edges = context
            || intent
                .rules()
                .iter()
                .filter(counts)
                .any(|rule| BEHAVIOURS[usize::from(rule.behaviour)].needs_edges);
        if edges {
            let look = self.scene.me(self.index, self.mind).look_ahead();
            self.walls.edges(place, look + 4.0 * facts.limits.radius, &mut near.edges);
            widest = if context { widest.max(look) } else { widest };
        }
        match kept {
            _ if widest <= 0.0 => {}
            Some((kept, refresh)) => {
                let bodies = &self.scene.bodies;
                let refresh = refresh.at(place);
                kept.within(
                    refresh,
                    self.grid,
                    (&bodies.position, bodies.tag[self.index]),
                    widest,
                    &mut near.bodies,
                );
            }
            None => self.grid.within(place, widest, &mut near.bodies),
        }
    }
}

impl<'a> View<'a> {
    pub(super) fn near(self, near: &'a Nearby) -> Near<'a> {
        let bodies = &self.scene.bodies;
        Near {
            indices: &near.bodies,
            position: &bodies.position,
            velocity: &bodies.velocity,
            radius: &bodies.radius,
            id: &bodies.tag,
            edges: &near.edges,
        }
    }

    /// Turns a course along a wall that it would run into: it never leads into the wall, and keeps its speed.
    fn along_walls(self, me: &Me, desired: Vec3) -> Vec3 {
        let speed = desired.length();
        if speed < 1e-4 * me.max_speed || self.walls.all().is_empty() {
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

fn class_of(rule: &Rule) -> Class {
    BEHAVIOURS[usize::from(rule.behaviour)].class
}
