//! What a node can see ([`View`]) and do ([`Cx`]) for the agent that thinks.

use super::compile::Op;
use super::def::{Condition, Exit, Flow, Status};
use super::intent::{Aim, Anchor, Intent, Look, Rule, Symbol};
use super::memory::{Memory, Stored};
use super::mind::Mind;
use super::pen::Pen;
use super::scene::{Desk, Message, Route, Scene, Write};
use super::wake::Wake;
use crate::args::Function;
use crate::blackboard::{Change, Key, KeyId, Scope, Typed, Value};
use crate::entity::{AgentId, Entity};
use crate::error::{Error, Problem, Result};
use crate::math::Vec3;
use crate::rng::Dice;
use crate::sense::{Report, Track};
use crate::squad::{Leases, Ring};
use crate::steer::Me;
use std::sync::Arc;

/// When a function of a script is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// A leaf is ticked, or a service runs: answers with a status.
    Tick,
    /// A condition is asked.
    Check,
    /// A leaf or service begins.
    Enter,
    /// A leaf ends for this reason.
    Exit(Exit),
}

/// Whoever runs the functions of scripts.
pub trait Host {
    /// The scene of this tick's thought begins; the host may keep it until [`Host::end`].
    fn begin(&mut self, scene: &Arc<Scene>) {
        let _ = scene;
    }
    /// The thought of this tick is over; the host lets go of the scene.
    fn end(&mut self) {}
    /// Calls `function` for the agent of `cx`. What a hook without answer returns does not matter.
    ///
    /// # Errors
    /// Whatever the script did wrong, with its place.
    fn call(&mut self, function: &Function, hook: Hook, cx: &mut Cx<'_>) -> Result<Status>;
}

impl Host for Box<dyn Host + Send> {
    fn begin(&mut self, scene: &Arc<Scene>) {
        (**self).begin(scene);
    }
    fn end(&mut self) {
        (**self).end();
    }
    fn call(&mut self, function: &Function, hook: Hook, cx: &mut Cx<'_>) -> Result<Status> {
        (**self).call(function, hook, cx)
    }
}

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
    pub fn now(&self) -> u64 {
        self.scene.clock
    }
    /// The seconds since the agent thought last: of this tick, or of several when it thinks less often.
    pub fn dt(&self) -> f32 {
        match self.mind.thought_at {
            0 => self.scene.dt,
            before => ((self.scene.clock - before) as f64 * 1e-9) as f32,
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
        let facts = &self.scene.agents[self.index];
        let mut me =
            Me::new(self.scene.bodies.tag[self.index], self.position(), self.facing(), &facts.limits);
        me.velocity = self.velocity();
        me.ground = !facts.flies;
        me.resting = self.mind.arrived;
        me
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
    /// The ring of its squad.
    pub fn ring(&self) -> &'a Ring {
        &self.squad().ring
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
        let Some(board) = self.scene.shared_board(self.squad_index(), key.scope) else {
            return if key.scope == Scope::Agent {
                self.mind.board.value(key).clone()
            } else {
                Value::Nothing
            };
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
    pub fn get<T: Typed>(&self, key: Key<T>) -> Option<T> {
        T::read(&self.value(key.id()))
    }

    /// A number as it is now.
    pub fn number(&self, number: Live) -> f32 {
        match number {
            Live::Fixed(value) => value,
            Live::Key(key, otherwise) => self.value(key).as_number().map_or(otherwise, |value| value as f32),
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
            Aim::Place => self.ring().place_of(self.key()).and_then(|place| still(place.position)),
            Aim::Home => still(self.home()),
            Aim::Squad => still(self.squad_centre()),
            Aim::Point(point) => still(point),
            Aim::Key(key) => match self.value(key) {
                Value::Vec3(point) => still(point),
                Value::Entity(entity) => self.whereabouts(entity),
                _ => None,
            },
        }
    }

    /// Where a body is and how it moves: as it is for those of the own faction, as it is remembered for others.
    pub fn whereabouts(&self, entity: Entity) -> Option<(Vec3, Vec3)> {
        if let Some(track) = self.squad().knowledge.track(entity) {
            return Some((track.position, track.velocity));
        }
        let bodies = &self.scene.bodies;
        let at = bodies.index_of(entity)?;
        let own = bodies.faction[at] == bodies.faction[self.index];
        own.then(|| (bodies.position[at], bodies.velocity[at]))
    }
}

/// What a node does for the agent that thinks: everything of [`View`], and what it can write.
pub struct Cx<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) mind: &'a mut Box<Mind>,
    pub(crate) desk: &'a mut Desk,
    pub(crate) host: Option<&'a mut (dyn Host + 'static)>,
    pub(crate) index: usize,
    pub(super) slots: usize,
    pub(super) tree: &'a super::Tree,
    pub(super) node: u16,
    /// Nodes visited in this tick.
    pub(super) steps: usize,
    /// What all answers of this tick depend on, as far as nothing began or ended.
    pub(super) wake: Wake,
}

impl<'a> Cx<'a> {
    /// What it can see.
    pub fn view(&self) -> View<'_> {
        View { scene: self.scene, mind: self.mind, desk: self.desk, index: self.index }
    }
    fn pen(&mut self) -> Pen<'_> {
        Pen { scene: self.scene, mind: self.mind, desk: self.desk, index: self.index }
    }
    /// What the agent wants, to be changed.
    pub fn intent(&mut self) -> &mut Intent {
        &mut self.mind.intent
    }
    /// The tokens of its squad.
    pub fn leases(&mut self) -> &mut Leases {
        &mut self.desk.leases
    }
    /// Its dice.
    pub fn dice(&mut self) -> &mut Dice {
        &mut self.mind.dice
    }
    /// Reads the node's memory at a word; a vec3 takes two.
    pub fn load<T: Stored>(&self, word: usize) -> T {
        self.mind.memory.load(self.slots + word)
    }
    /// Writes the node's memory at a word.
    pub fn store<T: Stored>(&mut self, word: usize, value: T) {
        self.mind.memory.store(self.slots + word, value);
    }
    /// Remembers how far the agent is on its route.
    pub fn set_route_cursor(&mut self, cursor: crate::steer::PathCursor) {
        self.mind.route = cursor;
    }

    /// Changes a key: on the agent's own board at once, on a shared one after the last agent has thought.
    ///
    /// # Errors
    /// A value of another type, or a key of a team for a squad without one; the old value stays.
    pub fn change(&mut self, key: KeyId, change: Change) -> Result<()> {
        self.pen().change(key, change)
    }

    /// Changes a key; a change that is refused is a problem and a failure.
    pub fn write(&mut self, key: KeyId, change: Change) -> Status {
        match self.change(key, change) {
            Ok(()) => Status::Success,
            Err(error) => {
                self.problem(error);
                Status::Failure
            }
        }
    }

    /// Writes a key of type `T`.
    ///
    /// # Errors
    /// As [`Cx::change`].
    pub fn set<T: Typed>(&mut self, key: Key<T>, value: T) -> Result<()> {
        self.change(key.id(), Change::Set(value.write()))
    }

    /// Follows a steering rule in this tick; one too many is left out with a problem.
    pub fn follow(&mut self, rule: Rule) {
        if !self.mind.intent.follow(rule) {
            self.problem(Error::new(
                crate::error::ErrorKind::TooMany,
                format!("more than {} steering rules at once", super::intent::MAX_RULES),
            ));
        }
    }

    /// Says where the agent wants to get to and what it looks at.
    pub fn head_for(&mut self, goal: Vec3, look: Look) {
        self.mind.intent.goal = Some(goal);
        self.mind.intent.look = look;
    }

    /// Tells the squad of a target, as news from outside; it counts from the next tick on.
    pub fn tell(&mut self, report: Report) {
        self.desk.news.push(report);
    }

    /// Asks something of the game.
    pub fn command(&mut self, name: std::sync::Arc<str>, target: Entity) {
        self.pen().command(name, target);
    }

    /// Sends a message to the squad, which its members, this agent included, hear in their next thought and in no other.
    pub fn send(&mut self, name: Symbol) {
        let from = self.view().agent();
        self.desk.messages.push(Message { from, name });
    }

    /// Says a line to whoever listens.
    pub fn say(&mut self, line: String) {
        self.pen().say(line);
    }

    /// Reports what went wrong, with the node and its path.
    pub fn problem(&mut self, error: Error) {
        let agent = Some(self.view().agent());
        let error = error.at_option(self.tree.place(self.node)).on_path(self.tree.path(self.node));
        self.desk.problems.push(Problem { agent, error, times: 1, tick: 0 });
    }

    /// Calls a function of a script; an error is a problem and a failure.
    pub fn call(&mut self, function: &Function, hook: Hook) -> Status {
        let Some(host) = self.host.take() else {
            return Status::Failure;
        };
        let answer = host.call(function, hook, self);
        self.host = Some(host);
        answer.unwrap_or_else(|error| {
            self.problem(error);
            Status::Failure
        })
    }

    /// What was sent until now has been heard in this thought.
    pub(super) fn hear(&mut self) {
        let squad = self.view().squad_index();
        self.mind.heard = self.scene.squads[squad].messages.count();
    }

    /// Asks the named condition of the node, its `when`; false for a node without one.
    pub fn condition_holds(&mut self) -> bool {
        let node = self.node;
        let named = self.tree.first_child(node) != node + 1;
        let holds = named && self.ask(node + 1);
        self.at(node);
        holds
    }

    /// Works on behalf of a node from now on.
    pub(super) fn at(&mut self, node: u16) -> &mut Self {
        self.node = node;
        self.slots = self.tree.node(node).slots as usize;
        self
    }

    /// The answer of a condition, or of plain flow over conditions.
    pub(super) fn ask(&mut self, node: u16) -> bool {
        let tree = self.tree;
        match &tree.node(node).op {
            Op::Condition(condition) => self.check(node, condition.as_ref()),
            Op::Flow(Flow::Chain { on, .. }) => {
                let mut child = node + 1;
                while child < tree.node(node).end {
                    if self.ask(child) != *on {
                        return !*on;
                    }
                    child = tree.node(child).end;
                }
                *on
            }
            Op::Flow(Flow::Map { success, failure }) => {
                if self.ask(node + 1) {
                    *success
                } else {
                    *failure
                }
            }
            _ => false,
        }
    }

    pub(super) fn check(&mut self, node: u16, condition: &dyn Condition) -> bool {
        self.steps += 1;
        let cx = self.at(node);
        if let Some(function) = condition.function() {
            cx.wake = Wake::NOW;
            return cx.call(function, Hook::Check) == Status::Success;
        }
        if !cx.wake.is_now() {
            cx.wake = cx.wake.or(condition.wake(&cx.view()));
        }
        condition.check(&cx.view())
    }

    pub(super) fn memory(&mut self) -> &mut Memory {
        &mut self.mind.memory
    }
}

/// What a rule's point follows, for an aim.
pub fn anchor_of(aim: Aim) -> Anchor {
    match aim {
        Aim::Target => Anchor::Target,
        Aim::Place => Anchor::Place,
        _ => Anchor::Fixed,
    }
}
