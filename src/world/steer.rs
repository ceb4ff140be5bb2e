//! The third stage: rings, and from what agents want to the velocity that each should have.

use super::World;
use super::report::RuleVector;
use crate::entity::AgentId;
use crate::math::{Vec3, unit_or};
use crate::squad::{Member, Place, Ring, skirt, walk_to_place};
use crate::steer::{
    BEHAVIOURS, Class, DEFAULT_BIAS_SHARE, Me, Near, Order, Wish, arrive, combine_heading, combine_priority,
    combine_weighted, dead_zone, steer, turn,
};
use crate::tree::{Anchor, Combine, Intent, Look, MAX_RULES, Rule};

/// Buffers of the stage, and what it found: the new velocity and facing of each agent.
#[derive(Default)]
pub(super) struct Helm {
    members: Vec<Member>,
    near: Vec<u32>,
    /// Who waits for a way: since when, and its body index.
    pub(super) waiting: Vec<(u64, u32)>,
    /// How many ways may still be searched for in this tick.
    pub(super) paths_left: usize,
    pub velocity: Vec<Vec3>,
    pub facing: Vec<Vec3>,
}

/// How far ahead, in seconds at the speed that is wanted, a wall turns the course aside.
const WALL_AHEAD: f32 = 0.4;

impl World {
    pub(super) fn steer(&mut self, dt: f32) {
        self.form_rings(dt);
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

    /// Lets every ring go on, with those members whose trees ask for a place.
    fn form_rings(&mut self, dt: f32) {
        let mut members = std::mem::take(&mut self.helm.members);
        let scene = Self::part(&mut self.scene);
        for squad in &mut scene.squads {
            members.clear();
            for index in squad.members.clone() {
                if let Some(wish) = self.minds[index].intent.ring {
                    if let Some(rules) = wish.rules {
                        squad.ring.rules = rules;
                    }
                    members.push(Member {
                        key: scene.bodies.key[index],
                        position: scene.bodies.position[index],
                        radius: scene.bodies.radius[index],
                        ring: wish.radius,
                        close_in: wish.close_in,
                        hold: wish.hold,
                        direct: wish.direct,
                    });
                }
            }
            if members.is_empty() && squad.ring.places().is_empty() {
                continue;
            }
            let (centre, velocity) = match squad.knowledge.target() {
                // What is out of sight is believed to stand where it was lost.
                Some(track) if track.lost_at.is_some() => (track.position, Vec3::ZERO),
                Some(track) => (track.position, track.velocity),
                None => (squad.ring.centre(), Vec3::ZERO),
            };
            let widest = members.iter().map(|member| member.radius).fold(0.0, f32::max);
            let ground = &scene.ground;
            let walkable = |point: Vec3| ground.nearest(point, widest, 2.0);
            squad.ring.update(&members, centre, velocity, dt, &walkable);
        }
        self.helm.members = members;
    }

    pub(super) fn own_place(&self, index: usize) -> (&Ring, Option<&Place>) {
        let ring = &self.scene.squads[self.scene.agents[index].squad as usize].ring;
        (ring, ring.place_of(self.scene.bodies.key[index]))
    }

    /// The velocity that the agent's rules come to, with walls looked after.
    fn desired(&self, index: usize, me: &Me, near: &mut Vec<u32>, dt: f32) -> Vec3 {
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
        if self.minds[index].way.is_known() { desired } else { self.along_walls(me, desired) }
    }

    fn place_rule<'a>(&self, intent: &'a Intent) -> Option<&'a Rule> {
        intent.rules().iter().find(|rule| rule.anchor == Anchor::Place)
    }

    /// On the way to a place of the ring: round its middle, with the flock, and with the ring as it moves.
    fn to_place(&self, index: usize, me: &Me, wishes: &[Wish], dt: f32) -> Vec3 {
        let (ring, place) = self.own_place(index);
        let bias = wishes
            .iter()
            .filter(|wish| wish.class == Class::Bias)
            .map(|wish| wish.velocity * wish.weight)
            .sum();
        if let Some(own) = self.along_way(index, me, dt) {
            return combine_heading(own, bias, ring.rules.flock_share, me.max_speed);
        }
        place.map_or(Vec3::ZERO, |place| walk_to_place(me, ring, place, bias, dt))
    }

    fn wish(&self, index: usize, me: &Me, rule: &Rule, near: &Near<'_>, dt: f32) -> Wish {
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
    pub(super) fn order(&self, index: usize, me: &Me, rule: &Rule) -> Option<Order> {
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
    fn neighbours(&self, index: usize, intent: &Intent, near: &mut Vec<u32>) {
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

    fn near<'a>(&'a self, indices: &'a [u32]) -> Near<'a> {
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

    /// Whether the agent stands where it wants to get to.
    fn rests(&self, index: usize, me: &Me, dt: f32) -> bool {
        let intent = &self.minds[index].intent;
        let goes = |rule: &&Rule| {
            BEHAVIOURS[usize::from(rule.behaviour)].name == "arrive"
                || (BEHAVIOURS[usize::from(rule.behaviour)].name == "follow_path"
                    && rule.order.remaining.is_finite())
        };
        let Some(rule) = intent.rules().iter().find(goes) else { return false };
        if rule.anchor == Anchor::Place {
            return self
                .own_place(index)
                .1
                .is_some_and(|place| arrive::rests(me, place.position, rule.order.numbers[0], dt));
        }
        let Some(order) = self.order(index, me, rule) else { return false };
        arrive::rests(me, order.point, arrive::tolerance(me, &order), dt)
    }

    fn look_to(&self, index: usize, me: &Me, desired: Vec3, dt: f32) -> Vec3 {
        let intent = &self.minds[index].intent;
        let facts = &self.scene.agents[index];
        let target = self.scene.squads[facts.squad as usize].knowledge.target();
        let facing_rule =
            intent.rules().iter().find(|rule| BEHAVIOURS[usize::from(rule.behaviour)].class == Class::Facing);
        let mut turning = facts.limits.turning;
        let at = |point: Vec3| me.to(point);
        let wanted = match (facing_rule, intent.look, target) {
            (Some(rule), _, _) => self.wish(index, me, rule, &Near::NOBODY, dt).velocity,
            (None, Look::Target, Some(track)) => at(track.position),
            (None, Look::At(point), _) => at(point),
            _ => return turn(me.facing, desired, &turning, dt),
        };
        turning.floor = 0.2 * me.radius;
        turn(me.facing, wanted, &turning, dt)
    }

    /// What each steering rule of an agent asks for now, for drawing.
    pub fn rule_vectors(&self, agent: AgentId) -> Vec<RuleVector> {
        let Some(index) = self.agent_index(agent) else { return Vec::new() };
        let (me, intent) = (self.me(index), &self.minds[index].intent);
        let mut near = Vec::new();
        self.neighbours(index, intent, &mut near);
        let near = self.near(&near);
        let vector = |rule: &Rule| RuleVector {
            name: BEHAVIOURS[usize::from(rule.behaviour)].name,
            weight: rule.weight,
            vector: self.wish(index, &me, rule, &near, self.scene.dt.max(1e-3)).velocity,
        };
        intent.rules().iter().map(vector).collect()
    }
}

/// Who rests is moved by nothing small.
fn at_rest(desired: Vec3, me: &Me) -> Vec3 {
    dead_zone(desired, 0.15 * me.max_speed)
}
