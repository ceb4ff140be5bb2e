//! Between what agents want and how they move: nobody is run into, who stands makes way and comes back, and who finds
//! the goal occupied rests before it.
//!
//! Everybody reads how all stood at the end of the last step, and writes only what is its own: no order of agents can be felt.
//!
//! **Right of way.** Who has two ranks more ([`crate::AgentDesc::priority`]) yields nothing; equals share. Of two equals that do not get on the
//! one with more patience lost goes first, then the one with the lower number. Who merely stands is walked round; it makes way in
//! time for those of higher rank that press, and for none that wants to get to where it stands itself. Actors, and agents without
//! avoidance, yield nothing.

mod packed;

use super::World;
use super::report::EventKind;
use super::steer::{Goal, Helm};
use crate::entity::AgentId;
use crate::math::{Vec3, flat};
use crate::space::{Grid, Metric, NearWall, Neighbour, Shape};
use crate::steer::avoid::{Avoidance, Disc, Other, Stance, horizon};
use crate::steer::{BEHAVIOURS, Class, Me, Near, Order, arrive};
use crate::tree::{Anchor, Rule};

/// How many agents are avoided at most: the nearest.
const MOST: usize = 10;
/// How many stand about one where it is crowded.
const CROWDED: usize = 64;
/// How many actors, and how many walls.
const MOST_ACTORS: usize = 4;
const MOST_WALLS: usize = 5;
/// Radii beyond so many times one's own make the nearest middle another than the nearest rim.
const ALIKE: f32 = 1.5;
/// Below this share of the top speed nothing is wanted.
const STILL: f32 = 0.02;
/// How far (in radii) one may be off one's post before one goes back.
const OFF_POST: f32 = 0.1;
/// How near (in radii, from rim to rim) somebody must rest to be leant on.
const TOUCH: f32 = 0.3;
/// The share of the ground round the goal that must be taken before one rests there, and below which one goes on again.
const FULL: f32 = 0.4;
const EMPTY: f32 = 0.12;
/// How long one tries to come nearer to an occupied goal, s.
const TRIES: f32 = 1.0;
/// How often one looks whether there is room now, ns.
const LOOKS: u64 = 500_000_000;

/// How an agent stood when the step began.
#[derive(Clone, Copy, Debug, Default)]
struct Stand {
    /// Whether it takes part at all.
    avoids: bool,
    /// Whether it wants to go somewhere.
    walks: bool,
    presses: bool,
    rank: f32,
    /// For what it rests, if it rests.
    goal: Option<Vec3>,
    /// Whether it rests, and where it came to rest: nobody leans on one that only makes way.
    rests: bool,
    horizon: f32,
}

/// Buffers.
#[derive(Default)]
pub(super) struct Crowd {
    /// How everybody stands; of those who stand still, as they were found.
    stands: Vec<Stand>,
    /// Of whom somebody comes who might want to pass.
    asked: Vec<bool>,
    avoidance: Avoidance,
    within: Vec<u32>,
    actors: Grid,
    widest: f32,
    fastest: f32,
    widest_actor: f32,
    fastest_actor: f32,
}

/// The nearest bodies of one.
struct Around {
    agents: [u32; MOST],
    count: usize,
}

impl World {
    /// Whether an agent keeps out of the way of others from now on, see [`crate::AgentDesc::avoid`]. Of one that is gone it does nothing.
    pub fn set_avoid(&mut self, agent: AgentId, avoid: bool) {
        if let Some(index) = self.agent_index(agent) {
            self.scene_mut().agents[index].avoid = avoid;
            self.helm.quiet.wake(index);
        }
    }

    /// Whether an agent's body and others push each other apart from now on, see [`crate::AgentDesc::collide`]. Of one that is gone
    /// it does nothing.
    pub fn set_collide(&mut self, agent: AgentId, collide: bool) {
        if let Some(index) = self.agent_index(agent) {
            self.scene_mut().agents[index].collide = collide;
            self.look_for_contacts(index);
            self.helm.quiet.wake(index);
        }
    }

    /// How much more right of way than others an agent has from now on, see [`crate::AgentDesc::priority`]; a number that is not finite
    /// counts as 0. Of one that is gone it does nothing.
    pub fn set_priority(&mut self, agent: AgentId, priority: f32) {
        if let Some(index) = self.agent_index(agent) {
            let priority = if priority.is_finite() { priority } else { 0.0 };
            self.scene_mut().agents[index].priority = priority;
            self.helm.quiet.wake(index);
        }
    }

    /// One that is put elsewhere does not walk back to where it stood.
    pub(super) fn leave_post(&mut self, index: usize, to: Vec3) {
        let from = self.scene.bodies.position[index];
        let far = flat(to - from).length() > self.scene.bodies.radius[index];
        if let Some(mind) = self.minds.get_mut(index).filter(|_| far) {
            mind.stance = Stance::default();
        }
    }

    /// Turns what agents want into what they can have beside each other.
    pub(super) fn keep_clear(&mut self, helm: &mut Helm, dt: f32) {
        let mut crowd = std::mem::take(&mut self.crowd);
        self.stand_all(&mut crowd, helm);
        self.index_actors(&mut crowd);
        for at in 0..helm.quiet.active.len() {
            let index = helm.quiet.active[at] as usize;
            if crowd.stands[index].walks {
                self.strive(helm, index, dt);
                if crowd.stands[index].avoids {
                    self.walk_on(&mut crowd, helm, index);
                }
            }
        }
        helm.quiet.rouse(&crowd.asked, self.config.sleep);
        for at in 0..helm.quiet.active.len() {
            let index = helm.quiet.active[at] as usize;
            if !crowd.stands[index].walks {
                let position = self.scene.bodies.position[index];
                self.minds[index].stance.stand(position);
                if crowd.stands[index].avoids {
                    self.stand_by(&mut crowd, helm, index, dt);
                }
            }
        }
        self.crowd = crowd;
    }

    /// Whether somebody asks an agent to make way.
    pub(super) fn is_asked(&self, index: usize) -> bool {
        self.crowd.asked[index]
    }

    /// Notes how those stand who do not stand still.
    fn stand_all(&mut self, crowd: &mut Crowd, helm: &Helm) {
        let (bodies, agents) = (&self.scene.bodies, self.scene.agents.len());
        crowd.stands.resize(agents, Stand::default());
        // Room for all who crowd about one, so that it need not grow in a tick that is like all others.
        crowd.within.clear();
        crowd.within.reserve(agents.min(CROWDED));
        crowd.asked.clear();
        crowd.asked.resize(agents, false);
        for index in helm.quiet.active.iter().map(|index| *index as usize) {
            crowd.stands[index] = self.stand_of(index, helm);
        }
        crowd.widest = bodies.radius[..agents].iter().copied().fold(0.0, f32::max);
        let speeds = bodies.velocity[..agents].iter().map(|velocity| flat(*velocity).length_squared());
        crowd.fastest = libm::sqrtf(speeds.fold(0.0, f32::max));
    }

    fn stand_of(&self, index: usize, helm: &Helm) -> Stand {
        let (facts, mind) = (&self.scene.agents[index], &self.minds[index]);
        let limits = &facts.limits;
        let avoids = facts.avoid && !facts.flies && self.scene.bodies.present[index];
        let walks = helm.wish[index].length() > STILL * limits.max_speed.min(mind.intent.speed);
        let stop = limits.max_speed / limits.max_acceleration.max(1e-6);
        Stand {
            avoids,
            walks,
            presses: walks && mind.stance.presses(0.3 + stop.min(0.5)),
            rank: self.rank(index, walks) + facts.priority,
            goal: mind.stance.goal,
            rests: !walks && mind.stance.goal.is_some() && self.off_post(index) <= 2.0 * OFF_POST,
            horizon: horizon(limits),
        }
    }

    /// How far an agent is off its post, in radii.
    fn off_post(&self, index: usize) -> f32 {
        let (bodies, stance) = (&self.scene.bodies, &self.minds[index].stance);
        let off = |post: Vec3| flat(post - bodies.position[index]).length();
        stance.post.map_or(0.0, off) / bodies.radius[index].max(1e-6)
    }

    /// How much right of way an agent has where bodies push each other.
    pub(super) fn right_of_way(&self, index: usize) -> f32 {
        let stand =
            self.crowd.stands.get(index).filter(|_| self.crowd.stands.len() == self.scene.agents.len());
        stand.map_or(0.0, |stand| stand.rank)
    }

    /// 3 attacks, 2 walks, 1 walks to a place of the ring, 0 stands.
    fn rank(&self, index: usize, walks: bool) -> f32 {
        let rules = self.minds[index].intent.rules();
        let goal =
            |rule: &&Rule| rule.weight > 0.0 && BEHAVIOURS[usize::from(rule.behaviour)].class == Class::Goal;
        match rules.iter().find(goal).filter(|_| walks).map(|rule| rule.anchor) {
            None => 0.0,
            Some(Anchor::Place) => 1.0,
            Some(Anchor::Target) => 3.0,
            Some(Anchor::Fixed | Anchor::Body(_) | Anchor::Pair(..) | Anchor::Field(_)) => 2.0,
        }
    }

    /// Indexes the actors, and asks those who stand in the way of one that moves.
    fn index_actors(&self, crowd: &mut Crowd) {
        let agents = self.scene.agents.len();
        let bodies = &self.scene.bodies;
        (crowd.widest_actor, crowd.fastest_actor) = (0.0, 0.0);
        if bodies.len() == agents || !crowd.stands.iter().any(|stand| stand.avoids) {
            return;
        }
        crowd.actors.rebuild(&bodies.position[agents..], 4.0, Shape::Ground);
        for actor in (agents..bodies.len()).filter(|actor| bodies.present[*actor]) {
            let speed = flat(bodies.velocity[actor]).length();
            crowd.widest_actor = crowd.widest_actor.max(bodies.radius[actor]);
            crowd.fastest_actor = crowd.fastest_actor.max(speed);
            if speed > 1e-3 && speed.is_finite() {
                let reach = bodies.radius[actor] + crowd.widest + speed;
                self.grid.within(bodies.position[actor], reach, &mut crowd.within);
                let Crowd { within, asked, .. } = crowd;
                within.iter().for_each(|other| asked[*other as usize] = true);
            }
        }
    }

    /// Lets one that wants to go somewhere find out whether it gets on.
    fn strive(&mut self, helm: &mut Helm, index: usize, dt: f32) {
        let me = self.disc(index);
        let mind = &mut self.minds[index];
        let was_blocked = mind.stance.is_blocked();
        let aim = mind.intent.goal.filter(|aim| aim.is_finite());
        mind.stance.strive(&me, helm.wish[index], aim, dt);
        if mind.stance.is_blocked() && !was_blocked {
            let (agent, squad) = (self.scene.bodies.id[index], self.scene.agents[index].squad);
            let squad = self.scene.squads[squad as usize].id;
            self.event(EventKind::Blocked, Some(AgentId::new(agent)), Some(squad));
            self.give_way_up(helm, index);
        }
    }

    /// One that wants to go somewhere: past the others, or to rest before a goal that is taken.
    fn walk_on(&mut self, crowd: &mut Crowd, helm: &mut Helm, index: usize) {
        let around = self.around(crowd, index);
        self.ask(crowd, helm, index, &around);
        if let Some(goal) = helm.goals[index]
            && (self.finds_it_taken(crowd, index, goal, &around)
                || self.is_foremost(helm, index, goal, &around))
        {
            let stance = &mut self.minds[index].stance;
            (stance.packed, stance.goal) = (true, Some(goal.at));
            helm.wish[index] = Vec3::ZERO;
            return;
        }
        let wish = self.minds[index].stance.wish(helm.wish[index], self.scene.bodies.tag[index]);
        helm.wish[index] = self.past(crowd, index, wish, &around, helm);
    }

    /// Asks those who stand ahead to make way, unless one wants to get to where they are.
    fn ask(&self, crowd: &mut Crowd, helm: &Helm, index: usize, around: &Around) {
        let (goal, wish) = (helm.goals[index], helm.wish[index]);
        for other in &around.agents[..around.count] {
            let at = *other as usize;
            let way = self.scene.bodies.position[at] - self.scene.bodies.position[index];
            let ahead = flat(way).dot(wish) >= 0.0;
            if ahead && !self.alike(goal, crowd.stands[at].goal, index) {
                crowd.asked[at] = true;
            }
        }
    }

    /// One that stands: it makes way for who asks, and goes back when nobody does.
    fn stand_by(&mut self, crowd: &mut Crowd, helm: &mut Helm, index: usize, dt: f32) {
        let asked = crowd.asked[index];
        if self.minds[index].stance.packed
            && let Some(goal) = helm.goals[index]
            && self.finds_room(crowd, index, goal)
        {
            self.minds[index].stance.packed = false;
        }
        self.keep_post(helm, index, asked);
        let is_back = self.off_post(index) <= OFF_POST;
        self.minds[index].stance.go_back(is_back || asked, dt);
        if !asked && is_back {
            return;
        }
        let back = if asked { Vec3::ZERO } else { self.way_back(crowd, index) };
        let around = self.around(crowd, index);
        let wish = if back == Vec3::ZERO { helm.wish[index] } else { back };
        helm.wish[index] = self.past(crowd, index, wish, &around, helm);
    }

    /// Takes a post where it comes to stand. Who moves a little by its own wish, or has no place of its own there, is as well here.
    fn keep_post(&mut self, helm: &Helm, index: usize, asked: bool) {
        let bodies = &self.scene.bodies;
        let (position, top) = (bodies.position[index], self.scene.agents[index].limits.max_speed);
        let slow = bodies.velocity[index].length() < 0.05 * top;
        let moves = helm.wish[index].length() > 1e-4 * top;
        let stance = &mut self.minds[index].stance;
        if slow && (stance.post.is_none() || (!asked && (stance.packed || moves))) {
            stance.post = Some(position);
        }
    }

    /// The velocity back to one's post; where somebody else stands there now, one's post is here.
    fn way_back(&mut self, crowd: &mut Crowd, index: usize) -> Vec3 {
        let Some(post) = self.minds[index].stance.post else { return Vec3::ZERO };
        let bodies = &self.scene.bodies;
        let (position, radius) = (bodies.position[index], bodies.radius[index]);
        self.grid.within(post, radius + crowd.widest, &mut crowd.within);
        let taken = |other: &u32| {
            let other = *other as usize;
            let room = 0.98 * (radius + bodies.radius[other]);
            let stands = !crowd.stands[other].walks;
            other != index && stands && flat(bodies.position[other] - post).length() < room
        };
        if crowd.within.iter().any(taken) {
            let stance = &mut self.minds[index].stance;
            stance.post = Some(position);
            // Who rested there for a goal looks for itself whether this is near enough.
            stance.goal = stance.goal.filter(|_| stance.packed);
            return Vec3::ZERO;
        }
        let me = self.scene.me(index, &self.minds[index]);
        let me = Me { resting: false, max_speed: 0.5 * me.max_speed, ..me };
        let order = Order { numbers: [0.16 * radius, 0.0, 0.0, 0.0], ..Order::to(post) };
        (arrive::DEF.run)(&me, &order, &Near::NOBODY, self.scene.dt)
    }

    fn top_speed(&self, index: usize) -> f32 {
        self.scene.agents[index].limits.max_speed.min(self.minds[index].intent.speed.max(0.0))
    }

    fn disc(&self, index: usize) -> Disc {
        let bodies = &self.scene.bodies;
        Disc {
            id: bodies.tag[index],
            position: bodies.position[index],
            velocity: bodies.velocity[index],
            radius: bodies.radius[index],
        }
    }

    /// The agents nearest to one, rim to rim, that it could run into within its horizon.
    fn around(&self, crowd: &mut Crowd, index: usize) -> Around {
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
            self.grid.within(position, reach, &mut crowd.within);
            for other in crowd.within.iter().filter(|other| **other as usize != index) {
                let at = *other as usize;
                let gap = flat(bodies.position[at] - position).length() - bodies.radius[at];
                let one = Neighbour { index: *other, distance: gap };
                around.count = insert(&mut nearest, around.count, one);
            }
        }
        for (agent, neighbour) in around.agents.iter_mut().zip(&nearest[..around.count]) {
            *agent = neighbour.index;
        }
        around
    }

    /// What is left of `wish` between walls, other agents and actors.
    fn past(&self, crowd: &mut Crowd, index: usize, wish: Vec3, around: &Around, helm: &Helm) -> Vec3 {
        let me = &self.disc(index);
        let mut avoidance = std::mem::take(&mut crowd.avoidance);
        avoidance.clear();
        for other in &around.agents[..around.count] {
            let at = *other as usize;
            if let Some(share) = self.share(crowd, index, at, helm) {
                let mut body = self.disc(at);
                // Who cannot get on does not move: way is made for what it wants.
                if !crowd.stands[index].walks && crowd.stands[at].presses {
                    body.velocity = helm.desired[at];
                }
                let horizon = crowd.stands[index].horizon;
                avoidance.other(me, &Other { body, share, horizon });
            }
        }
        self.past_actors(crowd, index, me, &mut avoidance);
        // Alone one keeps to one's course along walls; who is pushed about must not be pushed into them.
        if !avoidance.is_empty() {
            self.past_walls(index, me, &mut avoidance);
        }
        let velocity = avoidance.velocity(wish, self.top_speed(index));
        crowd.avoidance = avoidance;
        self.in_regions(index, velocity)
    }

    fn past_actors(&self, crowd: &Crowd, index: usize, me: &Disc, avoidance: &mut Avoidance) {
        let agents = self.scene.agents.len();
        if agents == self.scene.bodies.len() {
            return;
        }
        let speed = self.scene.agents[index].limits.max_speed + crowd.fastest_actor;
        let stand = &crowd.stands[index];
        let mut near = [Neighbour::default(); MOST_ACTORS];
        let reach = me.radius + crowd.widest_actor + stand.horizon * speed;
        let found = crowd.actors.nearest_into(Metric::Ground, me.position, reach, None, &mut near);
        let prey = self.prey(index);
        for neighbour in &near[..found] {
            let actor = agents + neighbour.index as usize;
            if self.scene.bodies.present[actor] && prey != Some(actor) && !self.off_level(index, actor) {
                let other = Other { body: self.disc(actor), share: 1.0, horizon: stand.horizon };
                avoidance.other(me, &other);
            }
        }
    }

    /// The body that one attacks: it is not avoided, but come to.
    fn prey(&self, index: usize) -> Option<usize> {
        let attacks = |rule: &Rule| rule.weight > 0.0 && rule.anchor == Anchor::Target;
        if !self.minds[index].intent.rules().iter().any(attacks) {
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
    fn share(&self, crowd: &Crowd, index: usize, other: usize, helm: &Helm) -> Option<f32> {
        let (own, its) = (&crowd.stands[index], &crowd.stands[other]);
        let apart = self.off_level(index, other);
        if !self.scene.bodies.present[other] || self.scene.agents[other].flies || apart {
            return None;
        }
        if !its.avoids {
            return Some(1.0);
        }
        match (own.walks, its.walks) {
            (false, false) => Some(1.0),
            (true, false) if self.alike(helm.goals[index], its.goal, index) => Some(1.0),
            (true, false) => Some(if own.presses { 0.4 } else { 0.9 }),
            (false, true) if self.alike(helm.goals[other], own.goal, index) => None,
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
    fn alike(&self, goal: Option<Goal>, other: Option<Vec3>, index: usize) -> bool {
        let radius = self.scene.bodies.radius[index];
        goal.zip(other).is_some_and(|(goal, other)| flat(goal.at - other).length() <= radius)
    }
}

/// Puts `one` among the first `found` of `nearest`, which are from near to far; says how many there are then.
fn insert(nearest: &mut [Neighbour], found: usize, one: Neighbour) -> usize {
    let after = |other: &Neighbour| (other.distance, other.index) > (one.distance, one.index);
    let mut place = nearest[..found].iter().position(after).unwrap_or(found);
    let count = (found + 1).min(nearest.len());
    let mut carried = one;
    while place < count {
        std::mem::swap(&mut nearest[place], &mut carried);
        place += 1;
    }
    count
}
