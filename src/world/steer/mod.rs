//! The third stage: rings, and from what agents want to the velocity that each should have.

mod coast;
mod formations;
mod kept;
mod look;
mod quiet;
mod rings;
mod wishes;

pub(super) use coast::{Coast, told};
pub(super) use quiet::is_idle;

use super::World;
use super::avoid::OFF_POST;
use super::chunks::{Chosen, chunks, in_chunks};
use super::view::{Agent, View, Written};
use crate::math::{Vec3, room};
use crate::space::Edge;
use crate::squad::Member;
use crate::steer::avoid::Avoidance;
use crate::steer::{BEHAVIOURS, Me, arrive, dead_zone, steer};
use crate::tree::{Anchor, Mind, Rule};

/// Buffers of the stage, and what it found: the new velocity and facing of each agent.
#[derive(Default)]
pub(super) struct Helm {
    rings: rings::Rings,
    formed: Vec<Member>,
    corners: Vec<Vec3>,
    /// Who waits for a way: since when, and its body index.
    pub(super) waiting: Vec<(u64, u32)>,
    /// Whether agents may be on ways.
    pub(super) led: bool,
    /// How many ways may still be searched for in this tick.
    pub(super) paths_left: usize,
    /// What each agent wants as if it were alone, and the velocity (m/s) that it wants beside others.
    pub wants: Vec<Want>,
    pub wish: Vec<Vec3>,
    pub velocity: Vec<Vec3>,
    pub facing: Vec<Vec3>,
    /// Who asked one that stands to make way.
    pub heeds: Vec<bool>,
    /// Who coasts.
    pub coasts: coast::Coasts,
    vicinity: kept::Vicinity,
    /// Who need not be steered.
    pub quiet: quiet::Quiet,
    /// Buffers of the chunks that the step is cut into, and of those that there once were.
    rooms: Vec<Room>,
    chunks: usize,
}

impl Helm {
    /// The bytes that it holds outside of itself.
    pub fn bytes(&self) -> usize {
        let lists = room(&self.formed) + room(&self.corners) + room(&self.waiting) + self.rings.bytes();
        let found = room(&self.wants) + room(&self.wish) + room(&self.velocity) + room(&self.facing);
        let found = found + room(&self.heeds) + self.coasts.bytes() + self.vicinity.bytes();
        lists + found + self.quiet.bytes() + self.rooms.iter().map(Room::bytes).sum::<usize>()
    }

    /// Makes room for what is found of so many agents, by so many chunks.
    fn make_room(&mut self, agents: usize, chunks: usize) {
        self.wants.resize(agents, Want::default());
        self.wish.resize(agents, Vec3::ZERO);
        self.velocity.resize(agents, Vec3::ZERO);
        self.facing.resize(agents, Vec3::X);
        self.heeds.resize(agents, false);
        self.chunks = chunks;
        self.have_rooms(chunks);
    }

    /// Makes buffers for so many chunks.
    fn have_rooms(&mut self, chunks: usize) {
        let agents = self.wants.len();
        if self.rooms.len() < chunks {
            self.rooms.resize_with(chunks, || Room::for_one_of(agents));
        }
    }

    /// An agent was changed: it is to be steered, wherever it is and whatever it does.
    pub fn wake(&mut self, index: usize) {
        self.quiet.wake(index);
        self.coasts.release(index);
    }

    /// Agents came, went or were changed: nobody is known to stand still.
    pub fn forget(&mut self) {
        self.quiet.forget();
        self.coasts.forget();
        self.vicinity.forget();
    }

    /// The buffers of the chunk that there always is.
    pub fn room(&mut self) -> &mut Room {
        &mut self.rooms[0]
    }

    /// Whom the step is about, what was found of all, and the buffers of its chunks.
    pub fn chosen(&mut self) -> (Chosen<'_>, Found<'_>, &mut [Room]) {
        let Self { quiet, wants, wish, velocity, facing, heeds, rooms, chunks, .. } = self;
        let found = Found { wants, wish, velocity, facing, heeds };
        (Chosen { first: 0, list: &quiet.steered }, found, &mut rooms[..*chunks])
    }

    /// Lists who waits for a way, who has waited longest first.
    pub fn list_waiting(&mut self) {
        let Self { rooms, waiting, chunks, .. } = self;
        waiting.clear();
        rooms[..*chunks].iter().for_each(|room| waiting.extend_from_slice(&room.waiting));
        waiting.sort_unstable();
    }
}

/// What the stage finds of each agent.
pub(super) struct Found<'a> {
    pub wants: &'a mut [Want],
    pub wish: &'a mut [Vec3],
    pub velocity: &'a mut [Vec3],
    pub facing: &'a mut [Vec3],
    pub heeds: &'a mut [bool],
}

/// What an agent wants, as if it were alone but for its flock.
#[derive(Clone, Copy, Default)]
pub(super) struct Want {
    /// m/s.
    pub velocity: Vec3,
    /// Where it wants to get to.
    pub goal: Option<Goal>,
    /// Whether it stands there.
    pub rests: bool,
}

/// Buffers of a chunk, and what it hands over.
#[derive(Default)]
pub(super) struct Room {
    pub near: Nearby,
    pub within: Vec<u32>,
    /// What stands about one that comes no nearer.
    pub discs: Vec<crate::nav::Disc>,
    pub avoidance: Avoidance,
    /// Who waits for a way, as in [`Helm`].
    pub waiting: Vec<(u64, u32)>,
    /// Who is blocked from this step on, and whom this chunk asked first to make way, by body index.
    pub blocked: Vec<u32>,
    pub asked: Vec<u32>,
}

/// How many stand about one where it is crowded.
const CROWDED: usize = 64;

impl Room {
    /// With room for all who crowd about one, so that it need not grow in a tick that is like all others.
    fn for_one_of(agents: usize) -> Self {
        let most = agents.min(CROWDED);
        Self {
            within: Vec::with_capacity(most),
            blocked: Vec::with_capacity(most),
            asked: Vec::with_capacity(agents),
            ..Self::default()
        }
    }

    fn bytes(&self) -> usize {
        let lists = room(&self.within) + room(&self.discs) + room(&self.waiting);
        let lists = lists + room(&self.blocked) + room(&self.asked);
        lists + room(&self.near.bodies) + room(&self.near.edges)
    }
}

/// What is round an agent: bodies by index, and the edges of walls.
#[derive(Default)]
pub(super) struct Nearby {
    bodies: Vec<u32>,
    edges: Vec<Edge>,
}

/// Where an agent wants to get to.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct Goal {
    /// The place, or the target that it keeps off, m.
    #[serde(with = "crate::math::any_number")]
    pub at: Vec3,
    /// How far off it wants to stand, and how exactly, m.
    #[serde(with = "crate::math::any_number")]
    pub off: f32,
    #[serde(with = "crate::math::any_number")]
    pub tolerance: f32,
}

/// How far off its post (in radii) one that made way still counts as standing there.
const MADE_WAY: f32 = 4.0;

impl World {
    pub(super) fn steer(&mut self, dt: f32) {
        self.find_active();
        self.find_coasting();
        self.form_rings(dt);
        self.form_up(dt);
        self.note_forming();
        let (agents, active) = (self.scene.agents.len(), self.helm.quiet.steered.len());
        self.helm.make_room(agents, chunks(active, self.config.threads));
        self.find_ways();
        self.find_wants(dt);
        self.recall_coasting();
        self.keep_clear(dt);
        self.find_courses(dt);
        self.coast(dt);
        self.note_quiet();
        let (helm, bodies) = (&self.helm, &mut Self::part(&mut self.scene).bodies);
        for index in helm.quiet.active.iter().map(|index| *index as usize) {
            bodies.velocity[index] = helm.velocity[index];
            bodies.facing[index] = helm.facing[index];
        }
    }

    /// Finds out what each agent wants, as if it were alone but for its flock.
    fn find_wants(&mut self, dt: f32) {
        let refresh = self.keep_neighbours(dt);
        let mut lists = std::mem::take(&mut self.helm.vicinity.lists);
        let (view, Written { minds, helm, .. }) = self.apart();
        let (chosen, Found { wants, wish, .. }, rooms) = helm.chosen();
        if refresh.is_none() {
            let work =
                |(chosen, minds, wants, wish): (Chosen<'_>, &mut [Box<Mind>], &mut [Want], &mut [Vec3]),
                 room: &mut Room| {
                    for (index, at) in chosen.each() {
                        (wants[at], wish[at]) = view.want(index, &mut minds[at], &mut room.near, None, dt);
                    }
                };
            in_chunks(minds.len(), (chosen, minds, wants, wish), rooms, &work);
        } else {
            type Part<'a> =
                ((Chosen<'a>, &'a mut [kept::Kept]), &'a mut [Box<Mind>], &'a mut [Want], &'a mut [Vec3]);
            let work = |((chosen, lists), minds, wants, wish): Part<'_>, room: &mut Room| {
                for (index, at) in chosen.each() {
                    let kept = refresh.map(|refresh| (&mut lists[at], refresh));
                    (wants[at], wish[at]) = view.want(index, &mut minds[at], &mut room.near, kept, dt);
                }
            };
            in_chunks(minds.len(), ((chosen, &mut lists[..]), minds, wants, wish), rooms, &work);
        }
        self.helm.vicinity.lists = lists;
    }

    /// From what each agent wants beside others to how it moves and looks.
    fn find_courses(&mut self, dt: f32) {
        let (view, Written { minds, helm, .. }) = self.apart();
        let (chosen, Found { wants, wish, velocity, facing, .. }, rooms) = helm.chosen();
        let (wants, wish) = (&*wants, &*wish);
        let work =
            |(chosen, minds, velocity, facing): (Chosen<'_>, &mut [Box<Mind>], &mut [Vec3], &mut [Vec3]),
             _: &mut Room| {
                for (index, at) in chosen.each() {
                    let agent = view.agent(index, &minds[at]);
                    let me = agent.me();
                    let course = steer(&me, wish[index], dt) + Vec3::ZERO;
                    velocity[at] = if course.is_finite() { course } else { Vec3::ZERO };
                    facing[at] = agent.look_to(&me, wants[index].velocity, dt);
                    minds[at].arrived = wants[index].rests || minds[at].stance.packed;
                }
            };
        in_chunks(minds.len(), (chosen, minds, velocity, facing), rooms, &work);
    }
}

impl View<'_> {
    /// What an agent wants, and the velocity that it wants: none to speak of where it rests.
    fn want(
        self,
        index: usize,
        mind: &mut Mind,
        near: &mut Nearby,
        kept: Option<(&mut kept::Kept, kept::Refresh)>,
        dt: f32,
    ) -> (Want, Vec3) {
        let agent = self.agent(index, mind);
        let mut me = agent.me();
        // A place of the ring moves: there one walks on as soon as it does, without the latch of a rest.
        let placed = agent.place_rule().is_some();
        me.resting &= !placed;
        let velocity = agent.desired(&me, near, kept, dt);
        let goal = agent.goal(&me);
        let there = agent.rests(&me, dt);
        // Who makes way for another has not left.
        let stays = !placed && me.resting && agent.is_by_its_post(&me, goal);
        let packed = mind.stance.packed && !there && stays;
        let rests = there || (stays && !mind.stance.packed);
        let wish = match (there && !placed, stays || packed) {
            (true, _) => at_rest(velocity, &me),
            (false, true) => Vec3::ZERO,
            (false, false) => velocity,
        };
        let stands = goal.is_none() && wish.length() <= 1e-3 * me.max_speed.max(1e-3);
        mind.stance.packed = packed;
        // Who wants nothing further still stands there for what it came for, and others may lean on it.
        if !(stays || stands) {
            mind.stance.goal = goal.filter(|_| there).map(|goal| goal.at);
        }
        (Want { velocity, goal, rests }, wish)
    }
}

impl Agent<'_> {
    /// Whether one that rested goes on resting, for the same goal and about where it stood.
    fn is_by_its_post(&self, me: &Me, goal: Option<Goal>) -> bool {
        let stance = &self.mind.stance;
        let Some((goal, rested)) = goal.zip(stance.goal) else { return false };
        let post = stance.post.unwrap_or(me.position);
        let moved = if stance.packed { me.radius } else { 0.15 * me.radius };
        let off = me.plane(goal.at - post).length() - goal.off;
        let holds = stance.packed || off.abs() <= 1.5 * goal.tolerance;
        let same =
            me.plane(goal.at - rested).length() <= moved && (goal.at.y - rested.y).abs() <= 2.0 * me.radius;
        let off_post = me.to(post).length();
        let near = off_post <= MADE_WAY * me.radius;
        // Who is so near its post that it goes no nearer must be near enough to its goal by itself.
        let there = me.to(goal.at).length() - goal.off;
        let strays = off_post <= OFF_POST * me.radius && there.abs() > 1.5 * goal.tolerance;
        same && holds && near && (stance.packed || !strays) && !self.is_yet_to_walk(me, goal.tolerance)
    }

    /// Where the rule that leads to a rest leads, if it has one.
    fn goal(&self, me: &Me) -> Option<Goal> {
        let rule = self.leads_to_rest().filter(|rule| rule.anchor != Anchor::Place)?;
        let order = self.order(me, rule)?;
        let tolerance = arrive::tolerance(me, &order);
        if rule.anchor == Anchor::Target {
            let at = self.squad().knowledge.target()?.position;
            return Some(Goal { at, off: rule.stand_off, tolerance });
        }
        // On a path only its end is a goal.
        let left = order.remaining - me.to(order.point).length();
        let ends = !order.remaining.is_finite() || left.abs() <= 0.5 * me.radius;
        (order.point.is_finite() && ends).then_some(Goal { at: order.point, off: 0.0, tolerance })
    }

    /// Whether it stands where it wants to get to.
    fn rests(&self, me: &Me, dt: f32) -> bool {
        let Some(rule) = self.leads_to_rest() else { return false };
        if self.is_yet_to_walk(me, arrive::tolerance(me, &rule.order)) {
            return false;
        }
        if rule.anchor == Anchor::Place {
            return self
                .own_place()
                .1
                .is_some_and(|place| arrive::rests(me, place.position, rule.order.numbers[0], dt));
        }
        let Some(order) = self.order(me, rule) else { return false };
        // Below a place on another floor one has not got there.
        let level = (order.point.y - me.position.y).abs() <= self.senses[self.index].vertical;
        level && arrive::rests(me, order.point, arrive::tolerance(me, &order), dt)
    }

    /// The rule that ends in a rest, if it follows one.
    fn leads_to_rest(&self) -> Option<&Rule> {
        let goes = |rule: &&Rule| {
            matches!(BEHAVIOURS[usize::from(rule.behaviour)].name, "arrive" | "hide")
                || (BEHAVIOURS[usize::from(rule.behaviour)].name == "follow_path"
                    && rule.order.remaining.is_finite())
        };
        self.mind.intent.rules().iter().find(goes)
    }
}

/// Who rests is moved by nothing small.
fn at_rest(desired: Vec3, me: &Me) -> Vec3 {
    dead_zone(desired, 0.15 * me.max_speed)
}
