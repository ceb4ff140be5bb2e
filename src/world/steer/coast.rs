//! Who is far from every focus coasts: between its turns it goes on with what it wanted in the last one.
//!
//! What an agent wants, and what others leave of it, is most of what steering costs. Far away it is found out once in an interval
//! ([`crate::Config::steer_detail`]), in a turn of the agent's own; in every step between, the velocity goes on towards what was wanted
//! then, and the facing with it, by the same limits as ever. So nothing ever jumps, neither where one is nor how one moves: not in
//! a turn, and not when a focus comes near.
//!
//! Only who walks freely coasts. Whoever stands, has somewhere to stop or to turn within reach, is near a wall, minds another
//! body, was pushed or put elsewhere, or wants something else than it did, is steered in every step, wherever it is.

use super::{Found, Goal, Helm, Want};
use crate::math::{Vec3, any_number, flat, nanoseconds, room, unit_or};
use crate::rng::mix;
use crate::steer::{About, BEHAVIOURS, Behaviour, Class, Me, steer, turn};
use crate::tree::{Anchor, Combine, Intent, Look, Mind, Rule};
use crate::world::World;
use crate::world::chunks::{Chosen, chunks, in_chunks};
use crate::world::think::Turns;
use crate::world::view::{Agent, View, Written};

/// The longest that anybody coasts, s: at the edge of what is seen nobody is off by more than what one walks in that time.
pub(in crate::world) const LONGEST: f32 = 0.25;
/// The share of the top speed below which one does not walk.
const WALKS: f32 = 0.1;
/// By how much of the top speed others may bend a course on which one coasts.
const BENT: f32 = 0.05;
/// How wide (in radii) the course must be clear of walls to either side.
const CLEAR: f32 = 1.6;
/// How far (in radii) one may be off the straight line to one's waypoint at the end of a turn.
const ASTRAY: f32 = 0.5;

/// With what an agent goes on until its next turn.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(in crate::world) struct Coast {
    /// When its turn comes, ns of the clock; 0 for one that does not coast.
    until: u64,
    /// For how long it has coasted, s.
    pub since: f32,
    /// What it was told, see [`told`].
    told: u32,
    /// The velocity that it wants beside others and as if it were alone, m/s.
    #[serde(with = "any_number")]
    wish: Vec3,
    #[serde(with = "any_number")]
    alone: Vec3,
    /// How fast it may go, m/s.
    #[serde(with = "any_number")]
    top: f32,
    /// Whether it looks where it goes.
    looks_ahead: bool,
    goal: Option<Goal>,
}

impl Coast {
    /// That of one that is steered.
    const NONE: Self = Self {
        until: 0,
        since: 0.0,
        told: 0,
        wish: Vec3::ZERO,
        alone: Vec3::ZERO,
        top: 0.0,
        looks_ahead: false,
        goal: None,
    };

    /// Whether it can be one.
    pub fn is_sound(&self) -> bool {
        let goal = self.goal.is_none_or(|goal| goal.at.is_finite());
        let times = self.since >= 0.0 && self.since.is_finite() && self.top >= 0.0;
        times && self.wish.is_finite() && self.alone.is_finite() && goal
    }
}

/// Who coasts.
#[derive(Default)]
pub(in crate::world) struct Coasts {
    /// With what each agent goes on, by body index; empty while nobody ever coasted.
    all: Vec<Coast>,
    /// Who coasts in this step, by body index.
    list: Vec<u32>,
    /// What each agent was told last, see [`told`], by body index; and whether that is known of all.
    pub told: Vec<u32>,
    pub knows_told: bool,
    /// Whether what others read of those who coast is still to be noted: agents came or went, or the world was restored.
    anew: bool,
    /// The time at the end of the step, ns of the clock.
    pub now: u64,
}

impl Coasts {
    /// The bytes that they hold outside of themselves.
    pub fn bytes(&self) -> usize {
        room(&self.all) + room(&self.list) + room(&self.told)
    }

    /// An agent came, with that body index.
    pub fn insert(&mut self, index: usize) {
        if !self.all.is_empty() {
            self.all.insert(index, Coast::NONE);
        }
    }

    /// The agent of that body index is gone.
    pub fn remove(&mut self, index: usize) {
        if !self.all.is_empty() {
            self.all.remove(index);
        }
    }

    /// Agents came, went or were changed: what is noted of them by body index is another's.
    pub fn forget(&mut self) {
        (self.knows_told, self.anew) = (false, true);
    }

    /// Notes what all were told, where it is asked for.
    pub fn learn_told(&mut self, minds: &[Box<Mind>], asked: bool) {
        self.told.resize(minds.len(), 0);
        if asked && !self.knows_told {
            self.told.iter_mut().zip(minds).for_each(|(known, mind)| *known = told(&mind.intent));
        }
        self.knows_told = asked;
    }

    /// An agent is to be steered in the next step.
    pub fn release(&mut self, index: usize) {
        if let Some(coast) = self.all.get_mut(index) {
            coast.until = 0;
        }
    }

    /// All are to be steered in the next step.
    pub fn release_all(&mut self) {
        self.all.iter_mut().for_each(|coast| coast.until = 0);
    }

    /// For how long an agent has coasted until its turn came, s.
    pub fn since(&self, index: usize) -> f32 {
        self.all.get(index).map_or(0.0, |coast| coast.since)
    }

    /// Those that coast, or did so in the last step, by body index.
    pub fn saved(&self) -> Vec<(u32, Coast)> {
        let coasting = self.all.iter().enumerate().filter(|(_, coast)| **coast != Coast::NONE);
        coasting.map(|(index, coast)| (index as u32, *coast)).collect()
    }

    /// Goes on with those that were saved, of so many agents.
    pub fn restore(&mut self, saved: &[(u32, Coast)], agents: usize) {
        self.all.clear();
        if !saved.is_empty() {
            self.all.resize(agents, Coast::NONE);
        }
        saved.iter().for_each(|(index, coast)| self.all[*index as usize] = *coast);
    }

    /// All that they are, in words for a digest.
    pub fn words(&self) -> impl Iterator<Item = (u64, Vec3)> + '_ {
        let coasting = self.all.iter().filter(|coast| **coast != Coast::NONE);
        coasting.flat_map(|coast| {
            let since = u64::from(coast.since.to_bits()) | u64::from(coast.told) << 32;
            [(coast.until, coast.wish), (since, coast.alone)]
        })
    }
}

/// A number of what an agent was told, which is another one as soon as it is told something else. Where a path is followed,
/// it is the next waypoint that counts, not the point that runs ahead of one.
pub(in crate::world) fn told(intent: &Intent) -> u32 {
    let pair = |one: f32, other: f32| u64::from(one.to_bits()) | u64::from(other.to_bits()) << 32;
    let look = match intent.look {
        Look::Ahead => 0,
        Look::Target => 1,
        Look::At(_) => 2,
    };
    let mut sum = pair(intent.speed, f32::from(intent.combine as u8)) ^ mix(look);
    let mut eat = |word: u64| sum = mix(sum ^ word);
    for rule in intent.rules() {
        let about = behaviour(rule).about;
        eat(pair(f32::from(rule.behaviour), rule.weight));
        let point = match (rule.anchor, rule.order.waypoint) {
            (_, Some(waypoint)) if about == About::Path => waypoint,
            (Anchor::Fixed, _) if about == About::Point => rule.order.point,
            (Anchor::Body(body), _) => {
                eat(body.pack());
                Vec3::ONE
            }
            (Anchor::Target, _) => Vec3::X,
            (Anchor::Place, _) => Vec3::Y,
            _ => Vec3::ZERO,
        };
        eat(pair(point.x, point.y));
        eat(pair(point.z, rule.stand_off));
    }
    (sum ^ (sum >> 32)) as u32
}

fn behaviour(rule: &Rule) -> &'static Behaviour {
    BEHAVIOURS[usize::from(rule.behaviour)]
}

impl World {
    /// How many agents far from every focus went on in the last step as they wanted to before, see [`crate::Config::steer_detail`].
    pub fn coasting(&self) -> usize {
        self.helm.coasts.list.len()
    }

    /// Finds out who of those that do not stand still coasts in this step: the step is about the others.
    pub(super) fn find_coasting(&mut self) {
        let Helm { quiet, coasts, .. } = &mut self.helm;
        quiet.steered.clear();
        coasts.list.clear();
        if coasts.all.is_empty() {
            quiet.steered.extend_from_slice(&quiet.active);
            return;
        }
        coasts.list.reserve(coasts.all.len());
        for at in quiet.active.iter().copied() {
            let coast = &mut coasts.all[at as usize];
            if coast.until > coasts.now && coast.told == coasts.told[at as usize] {
                coasts.list.push(at);
            } else {
                coast.until = 0;
                quiet.steered.push(at);
            }
        }
    }

    /// Who coasts wants what it wanted, and stands as it stood; that stays as it was noted, but for what has become another's.
    pub(super) fn recall_coasting(&mut self) {
        if !std::mem::take(&mut self.helm.coasts.anew) {
            return;
        }
        let coasts = std::mem::take(&mut self.helm.coasts);
        self.crowd.make_room(self.minds.len());
        for index in coasts.list.iter().map(|index| *index as usize) {
            self.note_coasting(index, &coasts.all[index]);
        }
        self.helm.coasts = coasts;
    }

    /// Notes what others read of one that coasts.
    fn note_coasting(&mut self, index: usize, coast: &Coast) {
        let Coast { alone, goal, wish, .. } = *coast;
        self.helm.wants[index] = Want { velocity: alone, goal, rests: false };
        self.helm.wish[index] = wish;
        self.note_stand(index, wish);
    }

    /// Lets those go on who coast, and finds out who does so from the next step on.
    pub(super) fn coast(&mut self, dt: f32) {
        self.go_on(dt);
        if self.agenda.steer_detail.is_empty() || self.agenda.focus.is_empty() {
            self.helm.coasts.all.clear();
            return;
        }
        let agents = self.scene.agents.len();
        if self.helm.coasts.all.len() != agents {
            self.helm.coasts.all.clear();
            self.helm.coasts.all.resize(agents, Coast::NONE);
        }
        self.let_coast(dt);
    }

    fn go_on(&mut self, dt: f32) {
        let mut coasts = std::mem::take(&mut self.helm.coasts);
        let chunks = chunks(coasts.list.len(), self.config.threads);
        let (view, Written { minds, helm, .. }) = self.apart();
        helm.have_rooms(chunks);
        let (_, Found { velocity, facing, .. }, rooms) = helm.chosen();
        let chosen = Chosen { first: 0, list: &coasts.list };
        type Part<'a> =
            ((Chosen<'a>, &'a mut [Box<Mind>]), (&'a mut [Vec3], &'a mut [Vec3]), &'a mut [Coast]);
        let work = |((chosen, minds), (velocity, facing), all): Part<'_>, _: &mut super::Room| {
            for (index, at) in chosen.each() {
                let Coast { wish, alone, top, looks_ahead, .. } = all[at];
                let me = view.coaster(index, top);
                let course = steer(&me, wish, dt) + Vec3::ZERO;
                velocity[at] = if course.is_finite() { course } else { Vec3::ZERO };
                facing[at] = match looks_ahead {
                    true if is_along(me.facing, alone) => me.facing,
                    true => turn(me.facing, alone, &view.scene.agents[index].limits.turning, dt),
                    false => view.agent(index, &minds[at]).look_to(&me, alone, dt),
                };
                all[at].since += dt;
            }
        };
        if !chosen.list.is_empty() {
            let parts = ((chosen, &mut *minds), (velocity, facing), &mut coasts.all[..]);
            in_chunks(view.scene.agents.len(), parts, &mut rooms[..chunks], &work);
        }
        self.helm.coasts = coasts;
    }

    /// Notes with what those go on who are far from every focus and walk freely.
    fn let_coast(&mut self, dt: f32) {
        let steered = std::mem::take(&mut self.helm.quiet.steered);
        for index in steered.iter().map(|index| *index as usize) {
            let coast = self.coast_of(index, dt);
            self.helm.coasts.all[index] = coast.unwrap_or(Coast::NONE);
            if let Some(coast) = coast {
                self.helm.coasts.told[index] = coast.told;
                self.note_coasting(index, &coast);
            }
        }
        self.helm.quiet.steered = steered;
    }

    /// With what an agent goes on until its next turn; `None` for one that is to be steered in the next step.
    fn coast_of(&self, index: usize, dt: f32) -> Option<Coast> {
        let Helm { coasts, wants, wish, heeds, .. } = &self.helm;
        let turns = Turns {
            scene: &self.scene,
            facts: &self.cast.facts,
            focus: &self.agenda.focus,
            detail: &self.agenda.steer_detail,
        };
        let seconds = turns.coarse(index).filter(|seconds| *seconds > dt && !heeds[index])?;
        let until = turns.next(index, coasts.now, nanoseconds(seconds.min(LONGEST)));
        if until <= coasts.now + nanoseconds(dt) {
            return None;
        }
        let agent = self.agent_view(index);
        let (want, wish) = (wants[index], wish[index]);
        let longest = (until - coasts.now) as f32 * 1e-9 + dt;
        let intent = &agent.mind.intent;
        agent.walks_freely(want.velocity, wish, longest).then(|| Coast {
            until,
            since: 0.0,
            told: told(intent),
            wish,
            alone: want.velocity,
            top: agent.me().max_speed,
            looks_ahead: agent.looks_ahead(),
            goal: want.goal,
        })
    }
}

/// Whether one that wants to go with `wish` looks there.
fn is_along(facing: Vec3, wish: Vec3) -> bool {
    let length = wish.length();
    facing.dot(wish) >= (1.0 - 1e-6) * length
}

impl View<'_> {
    /// The body of one that coasts, no faster than it wants to go.
    fn coaster(&self, index: usize, top: f32) -> Me {
        let (bodies, facts) = (&self.scene.bodies, &self.scene.agents[index]);
        let me = Me::new(bodies.tag[index], bodies.position[index], bodies.facing[index], &facts.limits);
        Me { velocity: bodies.velocity[index], ground: !facts.flies, max_speed: top, ..me }
    }
}

impl Agent<'_> {
    /// Whether one that wants `alone` as if it were alone, and `wish` beside others, may go on so for so many seconds: nothing is to be minded
    /// within the way that it goes meanwhile, and then needs to stop.
    fn walks_freely(&self, alone: Vec3, wish: Vec3, seconds: f32) -> bool {
        let (facts, intent) = (self.facts(), &self.mind.intent);
        let top = facts.limits.max_speed.min(intent.speed.max(0.0));
        let walks = wish.length() > WALKS * top && (wish - alone).length() <= BENT * top;
        if !walks || !self.scene.bodies.present[self.index] || self.mind.stance.stood() > seconds + LONGEST {
            return false;
        }
        let me = self.me();
        let pace = wish.length().max(me.velocity.length());
        let ahead = pace * seconds;
        let stop = pace / (2.0 * me.max_acceleration.max(1e-6)) + me.response.max(0.0);
        let reach = ahead + pace * stop + me.radius;
        let free = |rule: &Rule| self.leaves_free(&me, rule, ahead, reach, seconds);
        let rules = intent.rules().iter().filter(|rule| rule.weight > 0.0);
        rules.clone().all(free)
            && self.mind.way.asked().is_none()
            && !self.nears_wall(&me, rules, wish, reach)
            && self.mind.way.lead(me.position).is_none_or(|(corner, _)| me.to(corner).length() > reach)
    }

    /// Whether a rule asks for no stop and no turn before one has gone so far.
    fn leaves_free(&self, me: &Me, rule: &Rule, ahead: f32, reach: f32, seconds: f32) -> bool {
        let behaviour = behaviour(rule);
        match (behaviour.class, behaviour.about) {
            (Class::Bias | Class::Facing, _) => true,
            // Walls are looked for by themselves; a region's edge, and who queues, may be anywhere.
            (Class::Bound, _) => behaviour.name == "obstacle_avoidance",
            (Class::Goal, About::Direction | About::Field) => true,
            (Class::Goal, About::Point | About::Path) => {
                let Some(order) = self.order(me, rule) else { return false };
                let (to, moves) = (me.to(order.point), order.velocity.length() * seconds);
                if rule.anchor == Anchor::Place {
                    let place = self.own_place().1.map(|place| me.to(place.position).length());
                    return place.is_some_and(|away| away > reach + moves);
                }
                let Some(waypoint) = order.waypoint.filter(|_| behaviour.about == About::Path) else {
                    return to.length() > reach + moves;
                };
                let way = me.to(waypoint);
                // The point that one steers for runs round the corner by so much before one is there.
                let runs_ahead = to.length();
                let across = flat(to).cross(flat(way)).length() / (runs_ahead * way.length()).max(1e-6);
                way.length() > reach + runs_ahead && across * ahead <= ASTRAY * me.radius
            }
            (Class::Goal, _) => false,
        }
    }

    /// Whether a wall may turn the course within the way `reach`.
    fn nears_wall<'r>(
        &self,
        me: &Me,
        rules: impl Iterator<Item = &'r Rule>,
        course: Vec3,
        reach: f32,
    ) -> bool {
        if self.walls.all().is_empty() {
            return false;
        }
        let looks = rules.map(behaviour).filter(|behaviour| behaviour.needs_edges).count();
        if looks > 0 || self.mind.intent.combine == Combine::Context {
            let about = reach + me.look_ahead() + 4.0 * me.radius;
            return self.walls.nearest(me.position, about).is_some();
        }
        let ahead = reach + super::wishes::WALL_AHEAD * me.max_speed;
        let end = me.position + unit_or(course, Vec3::ZERO) * ahead;
        self.walls.slide(me.position, end, CLEAR * me.radius).distance_squared(end) > 1e-6
    }
}
