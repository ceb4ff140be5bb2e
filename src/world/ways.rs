//! Ways round corners, under steering: who needs one gets it in turn, and heads for its next corner in place of the goal.

use super::World;
use super::chunks::in_chunks;
use super::steer::{Helm, Room};
use super::view::{Agent, View, Written};
use crate::entity::AgentId;
use crate::error::{Error, ErrorKind};
use crate::math::{Vec3, clamp_length, unit_or};
use crate::nav::{Disc, Walk};
use crate::steer::{BEHAVIOURS, Me, Order, arrive};
use crate::tree::{Anchor, Intent, Mind, Rule};

/// The behaviours that lead somewhere; the first rule of one of them says where a way is to lead.
const LEADING: [&str; 5] = ["arrive", "follow_path", "hide", "pursue", "seek"];

/// The radius for which the waypoints of a squad without members are to have room, m.
const DEFAULT_RADIUS: f32 = 0.5;
/// How far about bodies count that stand in the way, in radii.
const ABOUT: f32 = 24.0;

impl World {
    /// The corners of the way that an agent is on, in metres, its end included; none while it goes straight.
    pub fn path(&self, agent: AgentId) -> &[Vec3] {
        self.agent_index(agent).map_or(&[], |index| self.minds[index].way.corners())
    }

    pub(super) fn ground_changed(&mut self) {
        self.minds.iter_mut().for_each(|mind| mind.way.ground_changed());
        self.helm.coasts.release_all();
        let squads = &mut self.scene_mut().squads;
        squads.iter_mut().for_each(|squad| {
            squad.formation.ground_changed();
            squad.belief.ground_changed();
        });
        (0..self.scene.squads.len()).for_each(|squad| self.mend_route(squad));
    }

    /// Moves waypoints of a squad that are on no ground to the nearest that is, for its widest member; says so once.
    pub(super) fn mend_route(&mut self, squad: usize) {
        let scene = &self.scene;
        if !scene.ground.leads() {
            return;
        }
        let widths = scene.squads[squad].members.clone().map(|member| scene.bodies.radius[member]);
        let widest = widths.fold(0.0, f32::max);
        let radius = if widest > 0.0 { widest } else { DEFAULT_RADIUS };
        let points = &scene.squads[squad].route.points;
        let moved = points.iter().enumerate().filter_map(|(number, point)| {
            let near = scene.ground.nearest(*point, radius, f32::MAX)?;
            (crate::math::flat(near - *point).length() > 0.1 * radius).then_some((number, *point, near))
        });
        let moved: Vec<_> = moved.collect();
        let Some((number, from, to)) = moved.first().copied() else { return };
        let more = if moved.len() > 1 { format!(", as {} more are", moved.len() - 1) } else { String::new() };
        let name = &scene.squads[squad].name;
        let fault = format!(
            "waypoint {} of squad '{name}' at {from} is on no walkable ground: moved to {to}{more}",
            number + 1
        );
        for (number, _, near) in moved {
            self.scene_mut().squads[squad].route.points[number] = near;
        }
        self.report(Error::new(ErrorKind::Warning, fault).hint("put it where a body has room"));
    }

    /// Lets every agent go on on its way, and finds new ways for those that have waited longest; among equals the order is
    /// that of squads' and agents' keys.
    pub(super) fn find_ways(&mut self) {
        let leads = self.scene.ground.leads();
        let (view, Written { minds, helm, .. }) = self.apart();
        if !leads {
            if std::mem::take(&mut helm.led) {
                minds.iter_mut().for_each(|mind| mind.way.clear());
            }
            return;
        }
        helm.led = true;
        let (chosen, _, rooms) = helm.chosen();
        in_chunks(minds.len(), (chosen, &mut *minds), rooms, &|(chosen, minds), room: &mut Room| {
            room.waiting.clear();
            for (index, at) in chosen.each() {
                let walk = view.agent(index, &minds[at]).walk();
                let way = &mut minds[at].way;
                match walk {
                    Some(walk) => way.go(&*view.scene.ground, &walk),
                    None => way.clear(),
                }
                room.waiting.extend(way.asked().map(|since| (since, index as u32)));
            }
        });
        helm.list_waiting();
        answer_waiting(view, minds, helm);
    }
}

/// Searches for the ways of those that have waited longest, as many as may be searched for.
fn answer_waiting(view: View<'_>, minds: &mut [Box<Mind>], helm: &mut Helm) {
    let ground = &*view.scene.ground;
    let answered = helm.waiting.len().min(helm.paths_left);
    helm.paths_left -= answered;
    for waiting in 0..answered {
        let index = helm.waiting[waiting].1 as usize;
        let Some(walk) = view.agent(index, &minds[index]).walk() else { continue };
        let way = &mut minds[index].way;
        if way.is_hindered(&walk) {
            let discs = view.standing(index, &walk, helm.room());
            if discs.iter().any(|disc| way.is_barred_by(&walk, disc)) {
                way.find_round(ground, &walk, discs);
                // Such a search is dear: it is the last of this tick.
                helm.paths_left = 0;
                return;
            }
        }
        way.find(ground, &walk);
    }
}

impl View<'_> {
    /// The bodies about an agent that stand.
    fn standing<'r>(&self, index: usize, walk: &Walk, room: &'r mut Room) -> &'r [Disc] {
        let bodies = &self.scene.bodies;
        let slow = 0.1 * self.scene.agents[index].limits.max_speed;
        let reach = ABOUT * walk.radius;
        self.grid.within(walk.from, reach, &mut room.within);
        room.within.extend(self.scene.agents.len() as u32..bodies.len() as u32);
        let stands = |other: &usize| {
            let way = bodies.position[*other] - walk.from;
            let level = way.y.abs() < 4.0 * walk.radius && crate::math::flat(way).length() < reach;
            *other != index && bodies.present[*other] && level && bodies.velocity[*other].length() < slow
        };
        let standing = room.within.iter().map(|other| *other as usize).filter(stands);
        room.discs.clear();
        room.discs.extend(
            standing.map(|other| Disc { centre: bodies.position[other], radius: bodies.radius[other] }),
        );
        &room.discs
    }

    /// One has not got on for long, as its stance says: if bodies stand in its way, that is blocked.
    pub(super) fn give_way_up(&self, index: usize, mind: &mut Mind, room: &mut Room) {
        let Some(walk) = self.agent(index, mind).walk().filter(|_| self.scene.ground.leads()) else { return };
        if self.standing(index, &walk, room).iter().any(|disc| mind.way.is_barred_by(&walk, disc)) {
            mind.way.give_up();
        }
    }
}

impl Agent<'_> {
    /// Where it walks to, if it walks anywhere.
    fn walk(&self) -> Option<Walk> {
        let (scene, facts) = (self.scene, self.facts());
        let rule = leading(&self.mind.intent).filter(|_| !facts.flies)?;
        let (from, radius) = (scene.bodies.position[self.index], facts.limits.radius);
        let order = self.order(&scene.me(self.index, self.mind), rule)?;
        let goal = match (rule.anchor, order.waypoint) {
            // Round the middle of the ring, where one can stand there: who was led straight across would turn back for the round
            // way as soon as the straight one is clear, and so on for ever.
            (Anchor::Place, _) => match scene.ground.nearest(order.point, radius, 0.1 * radius) {
                Some(_) => order.point,
                None => self.own_place().1?.position,
            },
            // The point a little ahead on a path may lie in what the path leads through.
            (_, Some(waypoint)) if !scene.ground.straight(from, order.point, radius) => waypoint,
            _ => order.point,
        };
        (from.is_finite() && goal.is_finite()).then_some(Walk { from, goal, radius, now: scene.clock })
    }

    /// The order of a rule that a way leads, towards its next corner, but as far off as the way is long: so one brakes for the
    /// end alone. The way is that to the goal of the first rule that leads somewhere; it leads the others too, but for those
    /// whose own goal is elsewhere and in plain view. `None` when no way leads it.
    pub(super) fn led(&self, me: &Me, rule: &Rule, order: Order) -> Option<Order> {
        let way = &self.mind.way;
        let (corner, left) = way.lead(me.position)?;
        let first = leading(&self.mind.intent)?;
        let elsewhere = || {
            !way.is_for(me.position, order.point, me.radius)
                && self.scene.ground.straight(me.position, order.point, me.radius)
        };
        let is_led = std::ptr::eq(first, rule) || (leads(&rule) && !elsewhere());
        let point = me.position + unit_or(me.to(corner), Vec3::ZERO) * left;
        is_led.then_some(Order { point, velocity: Vec3::ZERO, ..order })
    }

    /// Whether a way is still to be walked to a point that is near as the crow flies: round a wall, or up to another storey.
    pub(super) fn is_yet_to_walk(&self, me: &Me, tolerance: f32) -> bool {
        self.mind.way.lead(me.position).is_some_and(|(_, left)| left > 2.0 * tolerance + me.radius)
    }

    /// `velocity`, but braked for the end of a way that does not lead to the goal: there one stands, and does not push on.
    pub(super) fn held_at_end(&self, me: &Me, velocity: Vec3, dt: f32) -> Vec3 {
        let way = &self.mind.way;
        let Some((_, left)) = way.lead(me.position).filter(|_| way.is_short()) else { return velocity };
        let tolerance = 0.6 * me.radius;
        let speed =
            if left <= 0.5 * tolerance { 0.0 } else { arrive::braking_speed(me, left, tolerance, dt) };
        clamp_length(velocity, speed)
    }

    /// The velocity along the way to a place of the ring; `None` when one goes there straight.
    pub(super) fn along_way(&self, me: &Me, dt: f32) -> Option<Vec3> {
        let (corner, _) = self.mind.way.lead(me.position)?;
        Some(self.held_at_end(me, unit_or(me.to(corner), Vec3::ZERO) * me.max_speed, dt))
    }
}

fn leading(intent: &Intent) -> Option<&Rule> {
    intent.rules().iter().find(leads)
}

fn leads(rule: &&Rule) -> bool {
    rule.weight > 0.0 && LEADING.contains(&BEHAVIOURS[usize::from(rule.behaviour)].name)
}
