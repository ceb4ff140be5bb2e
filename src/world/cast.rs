//! Who is in the world: adding, moving and removing bodies and squads.

use super::report::EventKind;
use super::{ActorDesc, AgentDesc, SquadDesc, World};
use crate::blackboard::Board;
use crate::entity::{ActorId, AgentId, Entity, Ids, SquadId};
use crate::error::{Error, ErrorKind, Result};
use crate::math::{Vec3, nanoseconds, room, unit_or};
use crate::rng::Dice;
use crate::sense::{Attitudes, Belief, ChoiceRules, Knowledge, KnowledgeRules, Senses};
use crate::space::Body;
use crate::squad::{Formation, Ring, RingRules};
use crate::steer::Limits;
use crate::tree::{AgentFacts, Desk, Messages, Mind, Route, SquadScene, Why};
use slotmap::SlotMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Ids, names and what else is known of bodies outside of a thought.
#[derive(Clone, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Cast {
    pub ids: Ids,
    pub squads: SlotMap<SquadId, u32>,
    /// In the order of keys.
    pub facts: Vec<SquadFacts>,
    /// The names of all squads, once one was asked for.
    #[serde(skip)]
    names: BTreeSet<Arc<str>>,
    pub factions: Vec<String>,
    pub teams: BTreeMap<String, u32>,
    /// By body index of agents.
    pub senses: Vec<Senses>,
    /// When each agent tested its pairs last (ns), by body index.
    pub looked: Vec<u64>,
    /// How factions regard each other.
    pub attitudes: Attitudes,
    next_actor: u32,
}

/// What is known of a squad outside of a thought, in the order of [`crate::tree::Scene::squads`].
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct SquadFacts {
    pub key: u32,
    pub faction: u16,
    pub knowledge: KnowledgeRules,
    pub choice: ChoiceRules,
    pub forget: Option<u64>,
    next_key: u32,
}

impl Cast {
    /// The bytes that it holds outside of itself, without the names of factions and teams.
    pub fn bytes(&self) -> usize {
        let squads = self.squads.capacity() * size_of::<(u32, u32)>();
        let names = self.names.len() * size_of::<Arc<str>>();
        self.ids.bytes() + squads + names + room(&self.facts) + room(&self.senses)
    }
    pub fn squad(&self, id: SquadId) -> Option<usize> {
        self.squads.get(id).map(|index| *index as usize)
    }
    pub fn faction(&mut self, name: &str) -> Result<u16> {
        let found = self.factions.iter().position(|known| known == name).unwrap_or_else(|| {
            self.factions.push(name.to_owned());
            self.factions.len() - 1
        });
        u16::try_from(found).map_err(|_| Error::new(ErrorKind::TooMany, "more than 65,535 factions"))
    }
}

fn seconds(name: &str, value: f32) -> Result<u64> {
    if value.is_finite() && value >= 0.0 {
        Ok(nanoseconds(value))
    } else {
        Err(Error::new(ErrorKind::OutOfRange, format!("'{name}' must be at least 0 s, got {value}")))
    }
}

fn check(name: &str, value: f32, low: f32) -> Result<()> {
    if value >= low && !value.is_nan() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::OutOfRange, format!("'{name}' must be at least {low}, got {value}")))
}

/// When in its interval an agent thinks: spread evenly over squads and keys, without dice.
pub(super) fn phase(squad: u32, key: u32, interval: u64) -> u64 {
    // Multiples of the golden ratio and of √2 fall evenly into the unit interval.
    let turn = f64::from(key) * 0.618_033_988_749_895 + f64::from(squad) * std::f64::consts::SQRT_2;
    ((turn - turn.floor()) * interval as f64) as u64
}

fn check_point(name: &str, point: Vec3) -> Result<()> {
    if point.is_finite() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::NotFinite,
        format!("'{name}' must be finite, got ({}, {}, {})", point.x, point.y, point.z),
    ))
}

fn check_agent(desc: &AgentDesc) -> Result<()> {
    check_point("position", desc.position)?;
    check_point("facing", desc.facing)?;
    check_able(&desc.limits, &desc.senses)?;
    check("think_interval", desc.think_interval, 0.0)?;
    let sound = desc.priority.is_finite();
    let unsound =
        || Error::new(ErrorKind::NotFinite, format!("'priority' must be finite, got {}", desc.priority));
    if sound { Ok(()) } else { Err(unsound()) }
}

/// Whether a body can be like this.
pub(super) fn check_able(limits: &Limits, senses: &Senses) -> Result<()> {
    check("radius", limits.radius, 1e-3)?;
    check("max_speed", limits.max_speed, 0.0)?;
    check("max_acceleration", limits.max_acceleration, 0.0)?;
    check("range", senses.range, 0.0)?;
    check("lose_range", senses.lose_range, 0.0)?;
    check("angle", senses.angle, 0.0)?;
    check("near", senses.near, 0.0)?;
    check("hearing", senses.hearing, 0.0)?;
    check("extent", senses.extent, 0.0)?;
    check("vertical", senses.vertical, 0.0)?;
    let awareness = &senses.awareness;
    check("awareness.seconds", awareness.seconds, 0.0)?;
    check("awareness.far", awareness.far, 0.0)?;
    check("awareness.side", awareness.side, 0.0)?;
    check("awareness.fade", awareness.fade, 0.0)?;
    check("awareness.suspicion", awareness.suspicion, 0.0)
}

/// The most of what agents can do, all together.
#[derive(Clone, Copy, Default)]
pub(super) struct Most {
    /// Metres.
    pub neighbour_radius: f32,
    /// m/s.
    pub speed: f32,
    /// Metres.
    pub radius: f32,
    /// How far any of them sees, metres.
    pub sight: f32,
    /// Whether any flies.
    pub flies: bool,
}

impl World {
    /// Agents came or went, or are others: what was noted by body index is forgotten.
    pub(super) fn roster_changed(&mut self) {
        self.agenda.naps.clear();
        self.helm.forget();
        self.contacts.forget();
        self.eyes.forget_squads();
        self.most = None;
        self.forget_sides();
    }

    /// The most of what agents can do.
    pub(super) fn most(&mut self) -> Most {
        let (agents, bodies) = (&self.scene.agents, &self.scene.bodies);
        *self.most.get_or_insert_with(|| Most {
            neighbour_radius: agents.iter().map(|agent| agent.limits.neighbour_radius).fold(0.0, f32::max),
            speed: agents.iter().map(|agent| agent.limits.max_speed).fold(0.0, f32::max),
            radius: bodies.radius[..agents.len()].iter().copied().fold(0.0, f32::max),
            sight: self.cast.senses.iter().map(Senses::farthest).fold(0.0, f32::max),
            flies: agents.iter().any(|agent| agent.flies),
        })
    }

    /// Adds a squad without members.
    ///
    /// # Errors
    /// A name or key that is taken, or a time that is negative or not a number.
    pub fn add_squad(&mut self, desc: SquadDesc) -> Result<SquadId> {
        if self.squad_names().contains(desc.name.as_str()) {
            return Err(Error::new(ErrorKind::Conflict, format!("there is a squad '{}' already", desc.name)));
        }
        let next = self.cast.facts.last().map_or(0, |squad| squad.key.saturating_add(1));
        let key = desc.key.unwrap_or(next);
        let Err(index) = self.cast.facts.binary_search_by_key(&key, |squad| squad.key) else {
            return Err(Error::new(
                ErrorKind::Conflict,
                format!("there is a squad with the key {key} already"),
            ));
        };
        let grace = seconds("grace", desc.grace)?;
        let forget = desc.forget.map(|forget| seconds("forget", forget)).transpose()?;
        check("target_margin", desc.target_margin, 0.0)?;
        let choice =
            ChoiceRules { margin: desc.target_margin, hold: seconds("target_hold", desc.target_hold)? };
        let default = KnowledgeRules::default().forget;
        let facts = SquadFacts {
            key,
            faction: self.cast.faction(&desc.faction)?,
            knowledge: KnowledgeRules { grace, forget: forget.unwrap_or(default) },
            choice,
            forget,
            next_key: 0,
        };
        let team = desc.team.as_deref().map(|name| self.team(name));
        let id = self.cast.squads.insert(index as u32);
        self.cast.facts.insert(index, facts);
        let mut desk = Desk::default();
        for (name, capacity) in &desc.tokens {
            self.note_offer(name);
            desk.leases.offer(self.scene_mut().symbols.number(name).number(), *capacity);
        }
        self.desks.insert(index, desk);
        self.insert_squad(index, id, desc, team);
        Ok(id)
    }

    /// The names of all squads: after a restore they are those of the snapshot.
    fn squad_names(&mut self) -> &mut BTreeSet<Arc<str>> {
        let (names, squads) = (&mut self.cast.names, &self.scene.squads);
        if names.len() != squads.len() {
            *names = squads.iter().map(|squad| squad.name.clone()).collect();
        }
        names
    }

    /// Where the first member of a squad stands that has none yet: behind those of all before it. Until then its members
    /// are `0..0`, so that whoever adds agents in order touches no squad that is still to be filled.
    fn first_of(&self, squad: usize) -> usize {
        let before = self.scene.squads[..squad].iter().rev().find(|one| !one.members.is_empty());
        before.map_or(0, |one| one.members.end)
    }

    /// Puts a squad in at `index`; what is behind it moves up, and nothing else is touched.
    fn insert_squad(&mut self, index: usize, id: SquadId, desc: SquadDesc, team: Option<u32>) {
        let name: Arc<str> = desc.name.as_str().into();
        self.squad_names().insert(name.clone());
        let last = index == self.scene.squads.len();
        let behind = if last { self.scene.agents.len() } else { self.first_of(index) };
        let scene = Self::part(&mut self.scene);
        let mut board = Board::default();
        board.grow(scene.schema.keys(crate::blackboard::Scope::Squad));
        let squad = SquadScene {
            id,
            name,
            team,
            members: 0..0,
            board,
            knowledge: Knowledge::default(),
            belief: Belief::default(),
            ring: Ring::new(RingRules::default()),
            formation: Formation::default(),
            route: Route::new(desc.route, desc.route_order, &desc.stops),
            messages: Messages::default(),
        };
        scene.squads.insert(index, squad);
        for agent in &mut scene.agents[behind..] {
            agent.squad += 1;
        }
        for later in &scene.squads[index + 1..] {
            self.cast.squads[later.id] += 1;
        }
        self.mend_route(index);
    }

    fn team(&mut self, name: &str) -> u32 {
        if let Some(team) = self.cast.teams.get(name) {
            return *team;
        }
        let scene = self.scene_mut();
        let team = scene.teams.len() as u32;
        let mut board = Board::default();
        board.grow(scene.schema.keys(crate::blackboard::Scope::Team));
        scene.teams.push(board);
        self.cast.teams.insert(name.to_owned(), team);
        team
    }

    /// Adds an agent to a squad.
    ///
    /// # Errors
    /// A squad that is gone, an unknown tree, a key that is taken, a place that is not finite, or a number out of
    /// range.
    pub fn spawn(&mut self, squad: SquadId, desc: AgentDesc) -> Result<AgentId> {
        check_agent(&desc)?;
        let at = self.cast.squad(squad).ok_or_else(|| Error::new(ErrorKind::Gone, "the squad is gone"))?;
        let tree = if desc.tree.is_empty() { None } else { Some(self.trees.number(&desc.tree)?) };
        let mut members = self.scene.squads[at].members.clone();
        if members.is_empty() {
            let first = self.first_of(at);
            members = first..first;
        }
        let facts = &mut self.cast.facts[at];
        let key = desc.key.unwrap_or(facts.next_key);
        if self.scene.bodies.key[members.clone()].contains(&key) {
            let name = &self.scene.squads[at].name;
            return Err(Error::new(
                ErrorKind::Conflict,
                format!("squad '{name}' has an agent with the key {key} already"),
            ));
        }
        facts.next_key = facts.next_key.max(key.saturating_add(1));
        let (squad_key, faction) = (facts.key, facts.faction);
        let index = members.start + self.scene.bodies.key[members].partition_point(|known| *known < key);
        let id = self.cast.ids.give();
        let mut mind =
            Box::new(Mind::new(Dice::new(self.config.seed, &[u64::from(squad_key), u64::from(key)])));
        mind.board.grow(self.scene.schema.keys(crate::blackboard::Scope::Agent));
        mind.heard = self.scene.squads[at].messages.count();
        mind.due = self.scene.clock + phase(squad_key, key, nanoseconds(desc.think_interval));
        self.minds.insert(index, mind);
        self.helm.coasts.insert(index);
        self.roster_changed();
        self.cast.senses.insert(index, desc.senses);
        self.cast.looked.insert(index, self.scene.clock);
        self.eyes_make_room(index);
        self.trees.insert_agent(index, tree);
        self.insert_agent(
            index,
            at,
            &desc,
            Body {
                id,
                key,
                tag: squad_key.wrapping_add(1).wrapping_mul(4099).wrapping_add(key),
                position: desc.position,
                facing: unit_or(desc.facing, Vec3::X),
                radius: desc.limits.radius,
                eyes: desc.senses.eyes,
                faction,
            },
        );
        self.remember_as_trees_ask(at);
        self.event(EventKind::Joined, Some(AgentId::new(id)), Some(squad));
        Ok(AgentId::new(id))
    }

    fn insert_agent(&mut self, index: usize, squad: usize, desc: &AgentDesc, body: Body) {
        let scene = self.scene_mut();
        scene.bodies.insert(index, body);
        scene.perceives.insert(index, false);
        let facts = AgentFacts {
            squad: squad as u32,
            home: desc.position,
            limits: desc.limits,
            flies: desc.flies,
            think_interval: nanoseconds(desc.think_interval),
            avoid: desc.avoid,
            collide: desc.collide,
            priority: desc.priority,
        };
        scene.agents.insert(index, facts);
        let members = scene.squads[squad].members.clone();
        let first = if members.is_empty() { index } else { members.start };
        scene.squads[squad].members = first..first + members.len() + 1;
        if index + 1 == scene.agents.len() {
            return;
        }
        for later in scene.squads[squad + 1..].iter_mut().filter(|later| !later.members.is_empty()) {
            later.members = later.members.start + 1..later.members.end + 1;
        }
    }

    /// Adds a body that the game moves.
    ///
    /// A place that is not finite becomes the origin, a radius that is negative or not a number becomes 0; each with
    /// a problem.
    pub fn add_actor(&mut self, mut desc: ActorDesc) -> ActorId {
        if let Err(error) = check_point("position", desc.position) {
            desc.position = Vec3::ZERO;
            self.report(error);
        }
        if let Err(error) = check("radius", desc.radius, 0.0) {
            desc.radius = 0.0;
            self.report(error);
        }
        let faction = self.cast.faction(&desc.faction).unwrap_or(u16::MAX);
        let key = desc.key.unwrap_or(self.cast.next_actor);
        self.cast.next_actor = self.cast.next_actor.max(key.saturating_add(1));
        let id = self.cast.ids.give();
        self.forget_sides();
        let scene = self.scene_mut();
        let first = scene.agents.len();
        let index = first + scene.bodies.key[first..].partition_point(|known| *known <= key);
        scene.bodies.insert(
            index,
            Body {
                id,
                key,
                tag: u32::MAX.wrapping_sub(key),
                position: desc.position,
                facing: Vec3::X,
                radius: desc.radius,
                eyes: desc.eyes,
                faction,
            },
        );
        for (name, capacity) in &desc.tokens {
            self.offer_token(id, name, *capacity);
        }
        ActorId::new(id)
    }

    /// Puts an actor where the game has it. What is gone or not finite is left out, with a problem.
    pub fn set_actor(&mut self, actor: ActorId, position: Vec3, velocity: Vec3) {
        self.set_body(actor.entity(), position, velocity);
    }

    /// Puts an agent where the game's physics has it: for [`super::Drive::Game`], and to teleport.
    pub fn set_agent(&mut self, agent: AgentId, position: Vec3, velocity: Vec3) {
        self.write_back.done = true;
        self.set_body(agent.entity(), position, velocity);
    }

    fn set_body(&mut self, body: Entity, position: Vec3, velocity: Vec3) {
        let Some(index) = self.scene.bodies.index_of(body) else {
            return self
                .report(Error::new(ErrorKind::Gone, format!("{body:?} is gone and cannot be placed")));
        };
        if let Err(error) = check_point("position", position).and(check_point("velocity", velocity)) {
            return self.report(error.hint("the body stays where it was"));
        }
        self.leave_post(index, position);
        let bodies = &mut self.scene_mut().bodies;
        bodies.position[index] = position;
        bodies.velocity[index] = velocity;
        self.helm.quiet.wake(index);
    }

    /// Turns an agent, or what an actor is seen to look at.
    pub fn set_facing(&mut self, body: impl Into<Entity>, facing: Vec3) {
        if let Some(index) = self.scene.bodies.index_of(body.into()) {
            let bodies = &mut self.scene_mut().bodies;
            bodies.facing[index] = unit_or(facing, bodies.facing[index]);
            self.helm.quiet.wake(index);
        }
    }

    /// Says whether a body is to be perceived: the dead and the hidden are not, and squads forget them at once. Who held
    /// a token of theirs has lost it.
    pub fn set_present(&mut self, body: impl Into<Entity>, present: bool) {
        if let Some(index) = self.scene.bodies.index_of(body.into()) {
            self.forget_sides();
            self.helm.wake(index);
            let scene = self.scene_mut();
            let vanishes = std::mem::replace(&mut scene.bodies.present[index], present) && !present;
            if vanishes {
                scene.offers.recall(scene.bodies.id[index]);
            }
        }
    }

    /// Takes a body out of the world. An agent's tree is exited first; squads forget it at once. To remove what is
    /// gone does nothing.
    pub fn remove(&mut self, body: impl Into<Entity>) {
        let body = body.into();
        let Some(index) = self.scene.bodies.index_of(body) else { return };
        if index < self.scene.agents.len() {
            self.halt_agent(index, Why::Removed);
            self.remove_agent(index);
        } else {
            self.scene_mut().bodies.remove(index);
            self.forget_sides();
        }
        self.cast.ids.take_back(body);
        self.scene_mut().offers.remove(body);
        self.clear_gone(body);
    }

    fn remove_agent(&mut self, index: usize) {
        let squad = self.scene.agents[index].squad as usize;
        let (agent, id) = (AgentId::new(self.scene.bodies.id[index]), self.scene.squads[squad].id);
        self.minds.remove(index);
        self.helm.coasts.remove(index);
        self.roster_changed();
        self.cast.senses.remove(index);
        self.cast.looked.remove(index);
        self.eyes_close(index);
        self.trees.remove_agent(index);
        let scene = self.scene_mut();
        scene.bodies.remove(index);
        scene.agents.remove(index);
        scene.perceives.remove(index);
        let members = &mut scene.squads[squad].members;
        *members = if members.len() == 1 { 0..0 } else { members.start..members.end - 1 };
        for later in scene.squads[squad + 1..].iter_mut().filter(|later| !later.members.is_empty()) {
            later.members = later.members.start - 1..later.members.end - 1;
        }
        self.event(EventKind::Left, Some(agent), Some(id));
    }

    /// A squad remembers for as long as the most patient tree of its members asks, unless it was told how long.
    pub(super) fn remember_as_trees_ask(&mut self, squad: usize) {
        let members = self.scene.squads[squad].members.clone();
        let asked = members.filter_map(|index| self.trees.of_agent(index)?.remember()).max();
        let facts = &mut self.cast.facts[squad];
        facts.knowledge.forget = facts.forget.or(asked).unwrap_or(KnowledgeRules::default().forget);
    }
}
