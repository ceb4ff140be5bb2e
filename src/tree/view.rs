//! What the agent that thinks can see.

use super::intent::{Aim, Intent};
use super::mind::Mind;
use super::route::Route;
use super::scene::{Desk, Message, Scene, Write};
use crate::blackboard::{Key, KeyId, Scope, Typed, Value};
use crate::entity::{AgentId, Entity};
use crate::math::Vec3;
use crate::query::{Asker, Found, Place, Query};
use crate::sense::Track;
use crate::squad::{Leases, Ring};
use crate::steer::Me;
use std::borrow::Cow;

/// A number that is fixed or read from a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Live {
    /// As the author wrote it.
    Fixed(f32),
    /// What the key holds, or this while it holds nothing.
    Key(KeyId, f32),
}

/// What the agent that thinks can see: itself, its mates, and what its squad remembers of others.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) mind: &'a Mind,
    pub(crate) desk: &'a Desk,
    pub(crate) index: usize,
}

impl<'a> View<'a> {
    fn squad(&self) -> &'a super::scene::SquadScene {
        &self.scene.squads[self.squad_index()]
    }
    #[inline]
    pub(super) fn squad_index(&self) -> usize {
        self.scene.agents[self.index].squad as usize
    }
    /// Who thinks.
    pub fn agent(&self) -> AgentId {
        AgentId::new(self.scene.bodies.id[self.index])
    }
    /// Its key: unique in its squad, the same in every run.
    pub fn key(&self) -> u32 {
        self.scene.bodies.key[self.index]
    }
    /// The world's clock in nanoseconds.
    #[inline]
    pub fn now(&self) -> u64 {
        self.scene.clock
    }
    /// When in an interval of so many ns this agent's turn is: from 0 up to, not including, the interval; 0 for none.
    /// The turns of many agents are spread evenly, by squad and key and without dice.
    pub fn phase(&self, interval: u64) -> u64 {
        // Multiples of the golden ratio fall evenly into the unit interval, here of 32 bits.
        let turn = self.scene.bodies.tag[self.index].wrapping_mul(0x9e37_79b9);
        ((u128::from(interval) * u128::from(turn)) >> 32) as u64
    }
    /// The seconds since the agent thought last: of this tick, or of several when it thinks less often.
    pub fn dt(&self) -> f32 {
        match self.mind.thought_at {
            0 => self.scene.dt,
            before => (self.scene.clock.saturating_sub(before) as f64 * 1e-9) as f32,
        }
    }
    /// Where the agent is.
    pub fn position(&self) -> Vec3 {
        self.scene.bodies.position[self.index]
    }
    /// How it moves, m/s.
    pub fn velocity(&self) -> Vec3 {
        self.scene.bodies.velocity[self.index]
    }
    /// Where it looks.
    pub fn facing(&self) -> Vec3 {
        self.scene.bodies.facing[self.index]
    }
    /// Its radius in metres.
    pub fn radius(&self) -> f32 {
        self.scene.bodies.radius[self.index]
    }
    /// Its top speed in m/s.
    pub fn max_speed(&self) -> f32 {
        self.scene.agents[self.index].limits.max_speed
    }
    /// Its largest change of velocity in m/s².
    pub fn max_acceleration(&self) -> f32 {
        self.scene.agents[self.index].limits.max_acceleration
    }
    /// Whether it moves in three dimensions.
    pub fn flies(&self) -> bool {
        self.scene.agents[self.index].flies
    }
    /// The agent as steering sees it.
    pub fn me(&self) -> Me {
        self.scene.me(self.index, self.mind)
    }
    /// Which member of its squad it is, counted from 0 in the order of keys.
    pub fn rank(&self) -> usize {
        self.index - self.squad().members.start
    }
    /// Where it was spawned.
    pub fn home(&self) -> Vec3 {
        self.scene.agents[self.index].home
    }
    /// What it wants so far.
    pub fn intent(&self) -> &'a Intent {
        &self.mind.intent
    }
    /// How far it is on its route.
    pub fn route_cursor(&self) -> crate::steer::PathCursor {
        self.mind.route
    }
    /// Whether it stands where it wanted to get to, as steering found in the last tick.
    pub fn arrived(&self) -> bool {
        self.mind.arrived
    }
    /// Whether it has wanted to get on for three seconds and has not got anywhere, as steering found in the last tick.
    pub fn blocked(&self) -> bool {
        self.mind.stance.is_blocked()
    }
    /// Whether that is so on its way to `point`.
    pub fn blocked_from(&self, point: Vec3) -> bool {
        self.mind.stance.is_blocked_from(point, self.radius())
    }
    /// Whether it rested in the last tick for want of room at `point`: others rest there.
    pub fn packed_at(&self, point: Vec3) -> bool {
        let stance = &self.mind.stance;
        let near = |goal: Vec3| crate::math::flat(goal - point).length() <= self.radius();
        stance.packed && stance.goal.is_some_and(near)
    }
    /// Whether it stands where its way to `goal` ends before it, for there is no other: it will come no nearer.
    pub fn at_dead_end(&self, goal: Vec3) -> bool {
        self.mind.way.is_dead_end(self.position(), goal, self.radius())
    }
    /// The way that it has yet to walk to `goal`, m; `None` while it goes straight, or knows no way there.
    pub fn way_left(&self, goal: Vec3) -> Option<f32> {
        let way = &self.mind.way;
        let left = way.lead(self.position()).map(|(_, left)| left);
        left.filter(|_| way.is_for(self.position(), goal, self.radius()))
    }
    /// What its squad knows of whom it is after.
    pub fn target(&self) -> Option<&'a Track> {
        self.squad().knowledge.target()
    }
    /// What its squad knows of all targets.
    pub fn tracks(&self) -> &'a [Track] {
        self.squad().knowledge.tracks()
    }
    /// What members of its squad sent since it thought last, in the order of ticks and keys.
    pub fn messages(&self) -> &'a [Message] {
        self.squad().messages.since(self.mind.heard)
    }
    /// How many messages its squad ever had: the number of the next one.
    pub fn message_count(&self) -> u64 {
        self.squad().messages.count()
    }
    /// Those of [`View::messages`] that came from this number on.
    pub fn messages_from(&self, number: u64) -> &'a [Message] {
        self.squad().messages.since(self.mind.heard.max(number))
    }
    /// Where it is to look next in a search together with its mates; `None` while it has no place.
    pub fn search_goal(&self) -> Option<Vec3> {
        self.squad().belief.next_of(self.key())
    }
    /// The ring of its squad.
    pub fn ring(&self) -> &'a Ring {
        &self.squad().ring
    }
    /// The share of its squad's members in place, 0..1.
    pub fn set_fraction(&self) -> f32 {
        self.squad().set_fraction()
    }
    /// The mean distance of its squad's members from their places, m.
    pub fn place_error(&self) -> f32 {
        self.squad().place_error()
    }
    /// The largest angle round the target without any of its hunters, degrees; 360 without a ring.
    pub fn largest_gap(&self) -> f32 {
        self.squad().largest_gap()
    }
    /// The tokens of its squad.
    pub fn leases(&self) -> &'a Leases {
        &self.desk.leases
    }
    /// Where its squad patrols.
    pub fn route(&self) -> &'a Route {
        &self.squad().route
    }
    /// The name of its squad.
    pub fn squad_name(&self) -> &'a str {
        &self.squad().name
    }
    /// How many members its squad has.
    pub fn mates(&self) -> usize {
        self.squad().members.len()
    }
    /// Where the members of its squad are, itself included, in the order of their keys.
    pub fn mate_positions(&self) -> &'a [Vec3] {
        &self.scene.bodies.position[self.squad().members.clone()]
    }
    /// The middle of its squad.
    pub fn squad_centre(&self) -> Vec3 {
        let places = self.mate_positions();
        places.iter().copied().sum::<Vec3>() / places.len().max(1) as f32
    }
    /// The walkable place nearest to `point`, if there is one within `reach` metres.
    pub fn walkable(&self, point: Vec3, reach: f32) -> Option<Vec3> {
        self.scene.ground.nearest(point, self.radius(), reach)
    }

    /// The value of a key; what the agent wrote itself in this tick is in it already.
    pub fn value(&self, key: KeyId) -> Value {
        self.peek(key).into_owned()
    }

    /// The value of a key as it lies on its board, as in [`View::value`], which copies it.
    #[inline]
    pub fn peek(&self, key: KeyId) -> Cow<'a, Value> {
        match self.settled(key) {
            Some(value) => Cow::Borrowed(value),
            None => Cow::Owned(self.unsettled(key)),
        }
    }

    /// The value of a key on its board, unless the agent may have written to it in this tick without effect as yet.
    #[inline]
    fn settled(&self, key: KeyId) -> Option<&'a Value> {
        if key.scope == Scope::Agent {
            return Some(self.mind.board.value(key));
        }
        let board = match self.scene.shared_board(self.squad_index(), key.scope) {
            Some(board) => board,
            None => return Some(&Value::Nothing),
        };
        let wrote = self.desk.writes.last().is_some_and(|write| write.writer == self.index as u32);
        (!wrote).then(|| board.value(key))
    }

    /// The value of a shared key after what the agent wrote to it in this tick.
    #[cold]
    fn unsettled(self, key: KeyId) -> Value {
        let Some(board) = self.scene.shared_board(self.squad_index(), key.scope) else {
            return Value::Nothing;
        };
        let own = self.own_writes().iter().filter(|write| write.key == key);
        let info = self.scene.schema.info(key);
        own.fold(board.value(key).clone(), |value, write| write.change.applied(&value, info))
    }

    /// What the agent wrote to shared boards in this tick, in order: the last run of the desk's writes.
    fn own_writes(&self) -> &'a [Write] {
        let me = self.index as u32;
        let writes = &self.desk.writes;
        let others = writes.iter().rposition(|write| write.writer != me);
        &writes[others.map_or(0, |at| at + 1)..]
    }

    /// How often a key has changed; what was written to a shared board in this tick does not count yet.
    pub fn version(&self, key: KeyId) -> u32 {
        match self.scene.shared_board(self.squad_index(), key.scope) {
            Some(board) => board.version(key),
            None if key.scope == Scope::Agent => self.mind.board.version(key),
            None => 0,
        }
    }

    /// The value of a key of type `T`, if it has one.
    #[inline]
    pub fn get<T: Typed>(&self, key: Key<T>) -> Option<T> {
        match self.settled(key.id()) {
            Some(value) => T::read(value),
            None => T::read(&self.unsettled(key.id())),
        }
    }

    /// A number as it is now.
    pub fn number(&self, number: Live) -> f32 {
        match number {
            Live::Fixed(value) => value,
            Live::Key(key, otherwise) => self.peek(key).as_number().map_or(otherwise, |value| value as f32),
        }
    }

    /// How far off `point` is in metres: on the ground, or in space for those that fly.
    pub fn distance(&self, point: Vec3) -> f32 {
        let way = point - self.position();
        if self.flies() { way.length() } else { crate::math::flat(way).length() }
    }

    /// Whether the agent itself perceives the target in this tick.
    pub fn perceives_target(&self) -> bool {
        self.scene.perceives.get(self.index).copied().unwrap_or(false)
    }

    /// Whether there is such a body; nothing is said of where.
    pub fn exists(&self, entity: Entity) -> bool {
        self.scene.bodies.index_of(entity).is_some_and(|at| self.scene.bodies.present[at])
    }

    /// Where `aim` is and how it moves, or `None` while there is nothing there.
    pub fn aim(&self, aim: Aim) -> Option<(Vec3, Vec3)> {
        let still = |point| Some((point, Vec3::ZERO));
        match aim {
            Aim::Target => self.target().map(|track| (track.position, track.velocity)),
            Aim::Place => self.squad().place_of(self.key()).and_then(|place| still(place.position)),
            Aim::Home => still(self.home()),
            Aim::Squad => still(self.squad_centre()),
            Aim::Leader => self.whereabouts(self.leader()?),
            Aim::Point(point) => still(point),
            Aim::Key(key) => match *self.peek(key) {
                Value::Vec3(point) => still(point),
                Value::Entity(entity) => self.whereabouts(entity),
                _ => None,
            },
        }
    }

    /// Where a place of a query is, as the agent knows it; `given` are those that it means by number.
    pub fn place(&self, place: Place, given: &[Aim]) -> Option<Vec3> {
        let aim = match place {
            Place::Given(number) => *given.get(usize::from(number))?,
            Place::Me => return Some(self.position()),
            Place::Body(entity) => return self.whereabouts(entity).map(|(point, _)| point),
            Place::Point(point) => Aim::Point(point),
            Place::Target => Aim::Target,
            Place::Squad => Aim::Squad,
            Place::Home => Aim::Home,
        };
        self.aim(aim).map(|(point, _)| point)
    }

    /// Does `work` with the agent as one that asks queries; `given` are the places that they mean by number.
    pub fn asking<R>(&self, given: &[Aim], work: impl FnOnce(&Asker<'_>) -> R) -> R {
        work(&Asker {
            position: self.position(),
            radius: self.radius(),
            eyes: self.scene.bodies.eye(self.index).y - self.position().y,
            mates: self.mate_positions(),
            rank: self.rank(),
            ground: &*self.scene.ground,
            sight: &*self.scene.sight,
            find: &|place| self.place(place, given),
        })
    }

    /// Looks for up to `most` places, the best first: with what the agent knows, not with the truth.
    pub fn ask(&self, query: &Query, most: usize, found: &mut Found) {
        self.asking(&[], |asker| query.ask(asker, most, found));
    }

    /// Where a body is and how it moves: as it is for those of the own faction, as it is remembered for others.
    pub fn whereabouts(&self, entity: Entity) -> Option<(Vec3, Vec3)> {
        self.scene.whereabouts(self.index, entity).map(|known| (known.position, known.velocity))
    }

    /// Where a body is, how it moves and where it looks, as [`View::whereabouts`] has it.
    pub fn known(&self, entity: Entity) -> Option<super::scene::Known> {
        self.scene.whereabouts(self.index, entity)
    }

    /// Which flow field of the world is called `name`.
    pub fn field(&self, name: &str) -> Option<u16> {
        self.scene.fields.iter().position(|field| *field.0 == *name).map(|at| at as u16)
    }

    /// What the flow field of that number says where the agent is; `None` outside of it.
    pub fn drift(&self, field: u16) -> Option<Vec3> {
        self.scene.fields.get(usize::from(field))?.1.at(self.position())
    }

    /// The leader of its squad: the member with the lowest key that is there.
    pub fn leader(&self) -> Option<Entity> {
        let bodies = &self.scene.bodies;
        self.squad().members.clone().find(|index| bodies.present[*index]).map(|index| bodies.id[index])
    }

    /// The body that `aim` is, if it is one.
    pub fn body_of(&self, aim: Aim) -> Option<Entity> {
        match aim {
            Aim::Target => self.target().map(|track| track.target),
            Aim::Leader => self.leader(),
            Aim::Key(key) => match *self.peek(key) {
                Value::Entity(entity) => Some(entity),
                _ => None,
            },
            _ => None,
        }
    }
}
