//! What one does about those around: past whom it goes, who makes way for whom, and who goes back to its post.

use super::{ALIKE, Crowd, MOST, MOST_ACTORS, MOST_WALLS, OFF_POST, Stand};
use crate::math::{Vec3, flat};
use crate::space::{Metric, NearWall, Neighbour, insert_by};
use crate::steer::avoid::{Avoidance, Disc, Other};
use crate::steer::{Me, Near, Order, arrive};
use crate::tree::{Anchor, Mind, Rule};
use crate::world::steer::{Goal, Room, Want};
use crate::world::view::View;
use std::ops::Deref;
use std::sync::atomic::Ordering::Relaxed;

/// The nearest bodies of one.
pub(super) struct Around {
    pub agents: [u32; MOST],
    pub count: usize,
}

/// What all look at who keep clear of each other. Nobody writes to it, but for who is asked to make way.
#[derive(Clone, Copy)]
pub(super) struct Among<'a> {
    pub view: View<'a>,
    pub crowd: &'a Crowd,
    pub wants: &'a [Want],
    /// The length of the step, s.
    pub dt: f32,
}

impl<'a> Deref for Among<'a> {
    type Target = View<'a>;

    fn deref(&self) -> &View<'a> {
        &self.view
    }
}

impl Among<'_> {
    /// Lets one that wants to go somewhere find out whether it gets on.
    pub fn strive(&self, index: usize, mind: &mut Mind, wish: Vec3, room: &mut Room) {
        let was_blocked = mind.stance.is_blocked();
        let aim = mind.intent.goal.filter(|aim| aim.is_finite());
        mind.stance.strive(&self.disc(index), wish, aim, self.dt);
        if mind.stance.is_blocked() && !was_blocked {
            room.blocked.push(index as u32);
            self.give_way_up(index, mind, room);
        }
    }

    /// The velocity of one that wants to go somewhere: past the others, or none before a goal that is taken; and whether it asks one
    /// that stands to make way.
    pub fn walk_on(&self, index: usize, mind: &mut Mind, wish: Vec3, room: &mut Room) -> (Vec3, bool) {
        let around = self.around(index, room);
        let asks = self.ask(index, wish, &around, room);
        if let Some(goal) = self.wants[index].goal
            && (self.finds_it_taken(index, mind, goal, &around, room)
                || self.is_foremost(index, mind, goal, &around))
        {
            (mind.stance.packed, mind.stance.goal) = (true, Some(goal.at));
            return (Vec3::ZERO, asks);
        }
        let wish = mind.stance.wish(wish, self.scene.bodies.tag[index]);
        (self.past(index, mind, wish, &around, room), asks)
    }

    /// Asks those ahead to make way, unless one wants to get to where they are; says whether one of them stands.
    fn ask(&self, index: usize, wish: Vec3, around: &Around, room: &mut Room) -> bool {
        let (goal, mut any) = (self.wants[index].goal, false);
        for other in &around.agents[..around.count] {
            let at = *other as usize;
            let way = self.scene.bodies.position[at] - self.scene.bodies.position[index];
            let ahead = flat(way).dot(wish) >= 0.0;
            let asks = ahead && !self.alike(goal, self.crowd.stands[at].goal, index);
            any |= asks && !self.crowd.stands[at].walks;
            if asks && !self.crowd.is_asked(at) && !self.crowd.asked[at].swap(true, Relaxed) {
                room.asked.push(*other);
            }
        }
        any
    }

    /// The velocity of one that stands: it makes way for who asks, and goes back when nobody does.
    pub fn stand_by(&self, index: usize, mind: &mut Mind, wish: Vec3, room: &mut Room) -> Vec3 {
        let asked = self.crowd.is_asked(index);
        if mind.stance.packed
            && let Some(goal) = self.wants[index].goal
            && self.finds_room(index, goal, room)
        {
            mind.stance.packed = false;
        }
        self.keep_post(index, mind, wish, asked);
        let is_back = self.off_post(index, mind) <= OFF_POST;
        mind.stance.go_back(is_back || asked, self.dt);
        if !asked && is_back {
            return wish;
        }
        let back = if asked { Vec3::ZERO } else { self.way_back(index, mind, room) };
        let around = self.around(index, room);
        let wish = if back == Vec3::ZERO { wish } else { back };
        self.past(index, mind, wish, &around, room)
    }

    /// Takes a post where it comes to stand. Who moves a little by its own wish, or has no place of its own there, is as well here.
    fn keep_post(&self, index: usize, mind: &mut Mind, wish: Vec3, asked: bool) {
        let bodies = &self.scene.bodies;
        let (position, top) = (bodies.position[index], self.scene.agents[index].limits.max_speed);
        let slow = bodies.velocity[index].length() < 0.05 * top;
        let moves = wish.length() > 1e-4 * top;
        let stance = &mut mind.stance;
        if slow && (stance.post.is_none() || (!asked && (stance.packed || moves))) {
            stance.post = Some(position);
        }
    }

    /// The velocity back to one's post; where somebody else stands there now, one's post is here.
    fn way_back(&self, index: usize, mind: &mut Mind, room: &mut Room) -> Vec3 {
        let Some(post) = mind.stance.post else { return Vec3::ZERO };
        let bodies = &self.scene.bodies;
        let (position, radius) = (bodies.position[index], bodies.radius[index]);
        self.grid.within(post, radius + self.crowd.widest, &mut room.within);
        let taken = |other: &u32| {
            let other = *other as usize;
            let room = 0.98 * (radius + bodies.radius[other]);
            let stands = !self.crowd.stands[other].walks;
            other != index && stands && flat(bodies.position[other] - post).length() < room
        };
        if room.within.iter().any(taken) {
            let stance = &mut mind.stance;
            stance.post = Some(position);
            // Who rested there for a goal looks for itself whether this is near enough.
            stance.goal = stance.goal.filter(|_| stance.packed);
            return Vec3::ZERO;
        }
        let me = self.scene.me(index, mind);
        let me = Me { resting: false, max_speed: 0.5 * me.max_speed, ..me };
        let order = Order { numbers: [0.16 * radius, 0.0, 0.0, 0.0], ..Order::to(post) };
        (arrive::DEF.run)(&me, &order, &Near::NOBODY, self.scene.dt)
    }

    /// The agents nearest to one, rim to rim, that it could run into within its horizon.
    fn around(&self, index: usize, room: &mut Room) -> Around {
        let crowd = self.crowd;
        let bodies = &self.scene.bodies;
        let (position, radius) = (bodies.position[index], bodies.radius[index]);
        let speed = self.scene.agents[index].limits.max_speed;
        let reach = radius + crowd.widest + crowd.stands[index].horizon * (speed + crowd.fastest);
        let mut around = Around { agents: [0; MOST], count: 0 };
        let mut nearest = [Neighbour::default(); MOST];
        if crowd.widest <= ALIKE * radius {
            let skip = Some(index as u32);
            around.count = self.grid.nearest_into(Metric::Ground, position, reach, skip, &mut nearest);
        } else {
            self.grid.within(position, reach, &mut room.within);
            for other in room.within.iter().filter(|other| **other as usize != index) {
                let at = *other as usize;
                let gap = flat(bodies.position[at] - position).length() - bodies.radius[at];
                let one = Neighbour { index: *other, distance: gap };
                around.count = insert_by(&mut nearest, around.count, one, |near| (near.distance, near.index));
            }
        }
        for (agent, neighbour) in around.agents.iter_mut().zip(&nearest[..around.count]) {
            *agent = neighbour.index;
        }
        around
    }

    /// What is left of `wish` between walls, other agents and actors.
    fn past(&self, index: usize, mind: &Mind, wish: Vec3, around: &Around, room: &mut Room) -> Vec3 {
        let me = &self.disc(index);
        let (own, stands) = (&self.crowd.stands[index], &self.crowd.stands);
        let avoidance = &mut room.avoidance;
        avoidance.clear();
        for at in around.agents[..around.count].iter().map(|other| *other as usize) {
            if let Some(share) = self.share(index, at) {
                let mut body = self.disc(at);
                // Who cannot get on does not move: way is made for what it wants.
                if !own.walks && stands[at].presses {
                    body.velocity = self.wants[at].velocity;
                }
                avoidance.other(me, &Other { body, share, horizon: own.horizon });
            }
        }
        self.past_actors(index, mind, me, avoidance);
        // Alone one keeps to one's course along walls; who is pushed about must not be pushed into them.
        if !avoidance.is_empty() {
            self.past_walls(index, me, avoidance);
        }
        let top = self.scene.agents[index].limits.max_speed.min(mind.intent.speed.max(0.0));
        self.agent(index, mind).in_regions(avoidance.velocity(wish, top))
    }

    fn past_actors(&self, index: usize, mind: &Mind, me: &Disc, avoidance: &mut Avoidance) {
        let crowd = self.crowd;
        let agents = self.scene.agents.len();
        if agents == self.scene.bodies.len() {
            return;
        }
        let speed = self.scene.agents[index].limits.max_speed + crowd.fastest_actor;
        let stand = &crowd.stands[index];
        let mut near = [Neighbour::default(); MOST_ACTORS];
        let reach = me.radius + crowd.widest_actor + stand.horizon * speed;
        let found = crowd.actors.nearest_into(Metric::Ground, me.position, reach, None, &mut near);
        let prey = self.prey(index, mind);
        for neighbour in &near[..found] {
            let actor = agents + neighbour.index as usize;
            if self.scene.bodies.present[actor] && prey != Some(actor) && !self.off_level(index, actor) {
                let other = Other { body: self.disc(actor), share: 1.0, horizon: stand.horizon };
                avoidance.other(me, &other);
            }
        }
    }

    /// The body that one attacks: it is not avoided, but come to.
    fn prey(&self, index: usize, mind: &Mind) -> Option<usize> {
        let attacks = |rule: &Rule| rule.weight > 0.0 && rule.anchor == Anchor::Target;
        if !mind.intent.rules().iter().any(attacks) {
            return None;
        }
        let squad = &self.scene.squads[self.scene.agents[index].squad as usize];
        self.scene.bodies.index_of(squad.knowledge.target()?.target)
    }

    fn past_walls(&self, index: usize, me: &Disc, avoidance: &mut Avoidance) {
        if self.walls.all().is_empty() {
            return;
        }
        let limits = &self.scene.agents[index].limits;
        let stop = limits.max_speed / limits.max_acceleration.max(1e-6);
        let horizon = (0.5 * stop).clamp(0.05, 0.5);
        let mut near = [NearWall::default(); MOST_WALLS];
        let reach = me.radius + horizon * limits.max_speed;
        let found = self.walls.near(me.position, reach, &mut near);
        for wall in &near[..found] {
            avoidance.surface(wall.normal, wall.distance - me.radius, horizon);
        }
    }

    /// Which part of the avoiding is one's own; `None` when the other is not avoided at all.
    fn share(&self, index: usize, other: usize) -> Option<f32> {
        let (own, its) = (&self.crowd.stands[index], &self.crowd.stands[other]);
        let apart = self.off_level(index, other);
        if !self.scene.bodies.present[other] || self.scene.agents[other].flies || apart {
            return None;
        }
        if !its.avoids {
            return Some(1.0);
        }
        match (own.walks, its.walks) {
            (false, false) => Some(1.0),
            (true, false) if self.alike(self.wants[index].goal, its.goal, index) => Some(1.0),
            (true, false) => Some(if own.presses { 0.4 } else { 0.9 }),
            (false, true) if self.alike(self.wants[other].goal, own.goal, index) => None,
            (false, true) => Some(if its.presses { 1.0 } else { 0.28 }),
            (true, true) => Some(self.walkers_share(index, other, own, its)),
        }
    }

    /// Whether the other is on another storey.
    fn off_level(&self, index: usize, other: usize) -> bool {
        let bodies = &self.scene.bodies;
        let reach = bodies.radius[index] + bodies.radius[other];
        (bodies.position[other].y - bodies.position[index].y).abs() > 2.0 * reach
    }

    fn walkers_share(&self, index: usize, other: usize, own: &Stand, its: &Stand) -> f32 {
        let ahead = its.rank - own.rank;
        if ahead == 0.0 && (own.presses || its.presses) {
            let tag = &self.scene.bodies.tag;
            let first = (!own.presses, tag[index]) < (!its.presses, tag[other]);
            return if first { 0.1 } else { 0.9 };
        }
        (0.5 + 0.25 * ahead).clamp(0.0, 1.0)
    }

    /// Whether two goals are the same place for a body.
    pub(super) fn alike(&self, goal: Option<Goal>, other: Option<Vec3>, index: usize) -> bool {
        let radius = self.scene.bodies.radius[index];
        goal.zip(other).is_some_and(|(goal, other)| flat(goal.at - other).length() <= radius)
    }
}
