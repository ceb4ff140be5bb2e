//! Between what agents want and how they move: nobody is run into, who stands makes way and comes back, and who finds
//! the goal occupied rests before it.
//!
//! Everybody reads how all stood at the end of the last step, and writes only what is its own: no order of agents can be felt.
//!
//! **Right of way.** Who has two ranks more ([`crate::AgentDesc::priority`]) yields nothing; equals share. Of two equals that do not get on the
//! one with more patience lost goes first, then the one with the lower number. Who merely stands is walked round; it makes way in
//! time for those of higher rank that press, and for none that wants to get to where it stands itself. Actors, and agents without
//! avoidance, yield nothing.

mod among;
mod packed;

use super::World;
use super::chunks::{Chosen, in_chunks};
use super::report::EventKind;
use super::steer::{Found, Room};
use super::view::{View, Written};
use crate::entity::AgentId;
use crate::math::{Vec3, flat, room};
use crate::space::{Grid, Shape};
use crate::steer::avoid::{Disc, Stance, horizon};
use crate::steer::{BEHAVIOURS, Class};
use crate::tree::Mind;
use crate::tree::{Anchor, Rule};
use among::Among;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// How many agents are avoided at most: the nearest.
const MOST: usize = 10;
/// How many actors, and how many walls.
const MOST_ACTORS: usize = 4;
const MOST_WALLS: usize = 5;
/// Radii beyond so many times one's own make the nearest middle another than the nearest rim.
const ALIKE: f32 = 1.5;
/// Below this share of the top speed nothing is wanted.
const STILL: f32 = 0.02;
/// How far (in radii) one may be off one's post before one goes back.
pub(super) const OFF_POST: f32 = 0.1;
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
    /// Of whom somebody comes who might want to pass: anybody may ask anybody, and whoever asked first is not felt.
    asked: Vec<AtomicBool>,
    /// Who is asked, by body index.
    pub who_is_asked: Vec<u32>,
    within: Vec<u32>,
    actors: Grid,
    widest: f32,
    fastest: f32,
    widest_actor: f32,
    fastest_actor: f32,
}

impl World {
    /// Whether an agent keeps out of the way of others from now on, see [`crate::AgentDesc::avoid`]. Of one that is gone it does nothing.
    pub fn set_avoid(&mut self, agent: AgentId, avoid: bool) {
        if let Some(index) = self.agent_index(agent) {
            self.scene_mut().agents[index].avoid = avoid;
            self.helm.wake(index);
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
            self.helm.wake(index);
        }
    }

    /// One that is put elsewhere does not walk back to where it stood.
    pub(super) fn leave_post(&mut self, index: usize, to: Vec3) {
        let from = self.scene.bodies.position[index];
        let far = flat(to - from).length() > self.scene.bodies.radius[index];
        if far {
            self.helm.coasts.release(index);
        }
        if let Some(mind) = self.minds.get_mut(index).filter(|_| far) {
            mind.stance = Stance::default();
        }
    }

    /// Turns what agents want into what they can have beside each other.
    pub(super) fn keep_clear(&mut self, dt: f32) {
        self.stand_all();
        self.index_actors();
        self.walk_all(dt);
        self.tell_blocked();
        self.rouse_asked();
        self.stand_by_all(dt);
    }

    /// Notes how those stand who do not stand still.
    fn stand_all(&mut self) {
        let widest = self.most().radius;
        let (view, Written { minds, helm, crowd, .. }) = self.apart();
        let agents = minds.len();
        crowd.make_room(agents);
        crowd.forget_asked(agents);
        let (chosen, Found { wish, .. }, rooms) = helm.chosen();
        let wish = &*wish;
        let work = |(chosen, minds, stands): (Chosen<'_>, &mut [Box<Mind>], &mut [Stand]), _: &mut Room| {
            for (index, at) in chosen.each() {
                stands[at] = view.stand(index, &minds[at], wish[index]);
            }
        };
        in_chunks(agents, (chosen, minds, &mut crowd.stands[..]), rooms, &work);
        crowd.widest = widest;
        // Who is left out stands.
        let speed = |index: &u32| flat(view.scene.bodies.velocity[*index as usize]).length_squared();
        crowd.fastest = libm::sqrtf(helm.quiet.active.iter().map(speed).fold(0.0, f32::max));
    }

    /// Notes how one stands that coasts.
    pub(super) fn note_stand(&mut self, index: usize, wish: Vec3) {
        self.crowd.stands[index] = self.view().stand(index, &self.minds[index], wish);
    }

    /// Lets those go on who want to go somewhere.
    fn walk_all(&mut self, dt: f32) {
        let (view, Written { minds, helm, crowd, .. }) = self.apart();
        let coasts = std::mem::take(&mut helm.coasts);
        let (chosen, Found { wants, wish, heeds, .. }, rooms) = helm.chosen();
        let among = Among { view, crowd, wants, dt };
        type Part<'a> = (Chosen<'a>, &'a mut [Box<Mind>], &'a mut [Vec3], &'a mut [bool]);
        let work = |(chosen, minds, wish, heeds): Part<'_>, room: &mut Room| {
            room.blocked.clear();
            for (index, at) in chosen.each().filter(|(index, _)| among.crowd.stands[*index].walks) {
                let among = Among { dt: dt + coasts.since(index), ..among };
                among.strive(index, &mut minds[at], wish[at], room);
                heeds[at] = false;
                if among.crowd.stands[index].avoids {
                    (wish[at], heeds[at]) = among.walk_on(index, &mut minds[at], wish[at], room);
                }
            }
        };
        in_chunks(minds.len(), (chosen, minds, wish, heeds), rooms, &work);
        helm.coasts = coasts;
    }

    /// Lets those go on who want to go nowhere.
    fn stand_by_all(&mut self, dt: f32) {
        let (view, Written { minds, helm, crowd, .. }) = self.apart();
        let (chosen, Found { wants, wish, .. }, rooms) = helm.chosen();
        let among = Among { view, crowd, wants, dt };
        let work = |(chosen, minds, wish): (Chosen<'_>, &mut [Box<Mind>], &mut [Vec3]), room: &mut Room| {
            for (index, at) in chosen.each().filter(|(index, _)| !among.crowd.stands[*index].walks) {
                minds[at].stance.stand(view.scene.bodies.position[index]);
                if among.crowd.stands[index].avoids {
                    wish[at] = among.stand_by(index, &mut minds[at], wish[at], room);
                }
            }
        };
        in_chunks(minds.len(), (chosen, minds, wish), rooms, &work);
    }

    /// Lets those join who stand still and are asked to make way.
    fn rouse_asked(&mut self) {
        let Self { helm, crowd, .. } = self;
        let (_, _, rooms) = helm.chosen();
        rooms.iter_mut().for_each(|room| crowd.who_is_asked.append(&mut room.asked));
        helm.quiet.rouse(crowd.who_is_asked.iter().copied());
    }

    /// Tells of those that have not got on for three seconds.
    fn tell_blocked(&mut self) {
        let (_, _, rooms) = self.helm.chosen();
        let mut blocked = std::mem::take(&mut rooms[0].blocked);
        rooms[1..].iter().for_each(|room| blocked.extend_from_slice(&room.blocked));
        for index in blocked.iter().map(|index| *index as usize) {
            let (agent, squad) = (self.scene.bodies.id[index], self.scene.agents[index].squad);
            let squad = self.scene.squads[squad as usize].id;
            self.event(EventKind::Blocked, Some(AgentId::new(agent)), Some(squad));
        }
        self.helm.room().blocked = blocked;
    }

    /// Indexes the actors, and asks those who stand in the way of one that moves.
    fn index_actors(&mut self) {
        let agents = self.scene.agents.len();
        let (bodies, crowd) = (&self.scene.bodies, &mut self.crowd);
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
                let Crowd { within, asked, who_is_asked, .. } = crowd;
                let fresh = |other: &&u32| !std::mem::replace(asked[**other as usize].get_mut(), true);
                who_is_asked.extend(within.iter().filter(fresh));
            }
        }
    }
}

impl Crowd {
    /// The bytes that it holds outside of itself, without the few that the index of actors has.
    pub fn bytes(&self) -> usize {
        room(&self.stands) + room(&self.asked) + room(&self.who_is_asked) + room(&self.within)
    }

    /// Makes room for how so many agents stand.
    pub(super) fn make_room(&mut self, agents: usize) {
        self.stands.resize(agents, Stand::default());
    }

    /// Nobody is asked, of so many.
    fn forget_asked(&mut self, agents: usize) {
        if self.asked.len() != agents {
            self.asked.clear();
            self.asked.resize_with(agents, AtomicBool::default);
            self.who_is_asked.clear();
            self.who_is_asked.reserve(agents);
        }
        for index in self.who_is_asked.drain(..) {
            *self.asked[index as usize].get_mut() = false;
        }
    }

    /// How much right of way one of so many agents has where bodies push each other.
    pub(super) fn right_of_way(&self, index: usize, agents: usize) -> f32 {
        self.stands.get(index).filter(|_| self.stands.len() == agents).map_or(0.0, |stand| stand.rank)
    }

    /// Whether somebody asks an agent to make way.
    pub(super) fn is_asked(&self, index: usize) -> bool {
        self.asked[index].load(Relaxed)
    }
}

impl View<'_> {
    fn stand(&self, index: usize, mind: &Mind, wish: Vec3) -> Stand {
        let facts = &self.scene.agents[index];
        let limits = &facts.limits;
        let avoids = facts.avoid && !facts.flies && self.scene.bodies.present[index];
        let walks = wish.length() > STILL * limits.max_speed.min(mind.intent.speed);
        let stop = limits.max_speed / limits.max_acceleration.max(1e-6);
        Stand {
            avoids,
            walks,
            presses: walks && mind.stance.presses(0.3 + stop.min(0.5)),
            rank: rank(mind, walks) + facts.priority,
            goal: mind.stance.goal,
            rests: !walks && mind.stance.goal.is_some() && self.off_post(index, mind) <= 2.0 * OFF_POST,
            horizon: horizon(limits),
        }
    }

    /// How far an agent is off its post, in radii.
    fn off_post(&self, index: usize, mind: &Mind) -> f32 {
        let (bodies, stance) = (&self.scene.bodies, &mind.stance);
        let off = |post: Vec3| flat(post - bodies.position[index]).length();
        stance.post.map_or(0.0, off) / bodies.radius[index].max(1e-6)
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
}

/// 3 attacks, 2 walks, 1 walks to a place of the ring, 0 stands.
fn rank(mind: &Mind, walks: bool) -> f32 {
    let rules = mind.intent.rules();
    let goal =
        |rule: &&Rule| rule.weight > 0.0 && BEHAVIOURS[usize::from(rule.behaviour)].class == Class::Goal;
    match rules.iter().find(goal).filter(|_| walks).map(|rule| rule.anchor) {
        None => 0.0,
        Some(Anchor::Place) => 1.0,
        Some(Anchor::Target) => 3.0,
        Some(Anchor::Fixed | Anchor::Body(_) | Anchor::Pair(..) | Anchor::Field(_)) => 2.0,
    }
}
