//! What there is at the start of a thought, the same for everybody who thinks in this tick.
//!
//! Trees see it through [`super::View`] only, which shows bodies of other factions as they are remembered.

use super::intent::Symbol;
use super::mind::Mind;
use super::request::CommandId;
use super::route::Route;
use crate::blackboard::{Board, KeyId, Schema, Scope};
use crate::entity::{AgentId, Entity, SquadId};
use crate::error::Problem;
use crate::math::{Vec3, room};
use crate::nav::Navigation;
use crate::query::Found;
use crate::rng::mix;
use crate::sense::{Belief, Knowledge, LineOfSight, Report};
use crate::space::Bodies;
use crate::squad::{Claim, Formation, Leases, Offers, Place, Ring};
use crate::steer::{FlowField, Limits, Me};
use std::ops::Range;
use std::sync::Arc;

/// What an agent is made of: how fast it moves and how well it perceives.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct AgentFacts {
    /// Which squad, by its place in [`Scene::squads`].
    pub squad: u32,
    /// Where it was spawned.
    pub home: Vec3,
    /// What its body can do.
    pub limits: Limits,
    /// Whether it moves in three dimensions.
    pub flies: bool,
    /// ns between two thoughts; 0 for each tick.
    pub think_interval: u64,
    /// Whether it keeps out of the way of others.
    pub avoid: bool,
    /// Whether its body and others push each other apart.
    pub collide: bool,
    /// How much more than others of its state it has right of way.
    pub priority: f32,
}

/// A squad at the start of a thought.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub struct SquadScene {
    /// Who it is.
    pub id: SquadId,
    /// Its name.
    pub name: Arc<str>,
    /// Its team, by its place in [`Scene::teams`].
    pub team: Option<u32>,
    /// Its members, by body index; `0..0` without any.
    pub members: Range<usize>,
    /// Its shared board.
    pub board: Board,
    /// What it knows of its targets.
    pub knowledge: Knowledge,
    /// Where its target may be, while members search together.
    #[serde(default)]
    pub belief: Belief,
    /// Its ring round the target.
    pub ring: Ring,
    /// The formation in which it walks.
    pub formation: Formation,
    /// Where it patrols.
    pub route: Route,
    /// What its members sent to each other.
    pub messages: Messages,
}

impl SquadScene {
    /// The place of a member, in the formation or on the ring.
    pub fn place_of(&self, key: u32) -> Option<&Place> {
        self.formation.place_of(key).or_else(|| self.ring.place_of(key))
    }
    /// The share of members in place, 0..1: of the formation if there is one, else of the ring.
    pub fn set_fraction(&self) -> f32 {
        let formed = !self.formation.places().is_empty();
        if formed { self.formation.set_fraction() } else { self.ring.set_fraction() }
    }
    /// The mean distance of the members from their places, m: of the formation if there is one, else of the ring.
    pub fn place_error(&self) -> f32 {
        let formed = !self.formation.places().is_empty();
        if formed { self.formation.place_error() } else { self.ring.place_error() }
    }
    /// The largest angle round the target without any of its hunters, degrees; 360 without a ring.
    pub fn largest_gap(&self) -> f32 {
        self.ring.largest_gap()
    }
}

/// What an agent says to its squad: each member, the sender included, hears it in its first thought after the tick in
/// which it was sent, and in no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Message {
    /// Who sent it.
    pub from: AgentId,
    /// What it is called.
    pub name: Symbol,
}

/// The messages of a squad that not every member has heard, numbered in the order in which they came.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Messages {
    dropped: u64,
    kept: Vec<Message>,
    sum: u64,
}

impl Messages {
    /// The bytes that they hold outside of themselves.
    pub(crate) fn bytes(&self) -> usize {
        room(&self.kept)
    }
    /// How many there ever were: the number of the next one.
    pub fn count(&self) -> u64 {
        self.dropped + self.kept.len() as u64
    }
    /// Those from this number on.
    pub fn since(&self, number: u64) -> &[Message] {
        let heard = number.saturating_sub(self.dropped).min(self.kept.len() as u64);
        &self.kept[heard as usize..]
    }
    /// A number made from all there ever were, for a digest.
    pub fn sum(&self) -> u64 {
        self.sum
    }
    /// Takes over what was `sent` in a tick, in the order of senders' keys, and drops what everybody has heard.
    pub fn deliver(&mut self, sent: &mut Vec<Message>, heard_by_all: u64, symbols: &Symbols) {
        let gone = self.kept.len() - self.since(heard_by_all).len();
        self.kept.drain(..gone);
        self.dropped += gone as u64;
        let mixed = |sum, message: &Message| {
            let from = mix(sum ^ message.from.entity().pack());
            symbols.name(message.name).bytes().fold(from, |sum, byte| mix(sum ^ u64::from(byte)))
        };
        self.sum = sent.iter().fold(self.sum, mixed);
        self.kept.append(sent);
    }
    /// Whether they have names below `names`, and can be counted on.
    pub(crate) fn is_sound(&self, names: usize) -> bool {
        self.dropped <= crate::math::MOST_COUNTED
            && self.kept.iter().all(|message| usize::from(message.name.0) < names)
    }
    /// Those that not every member has heard, to be changed.
    pub(crate) fn kept_mut(&mut self) -> &mut [Message] {
        &mut self.kept
    }
}

/// A body as it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// Where it is, m.
    pub position: Vec3,
    /// How it moves, m/s.
    pub velocity: Vec3,
    /// Where it looks, a direction.
    pub heading: Vec3,
}

/// What there is at the start of a thought.
pub struct Scene {
    /// The world's clock, ns.
    pub clock: u64,
    /// How many ticks there were, this one included.
    pub tick: u64,
    /// Seconds of this tick.
    pub dt: f32,
    /// Which keys exist.
    pub schema: Schema,
    /// Where everybody is.
    pub bodies: Bodies,
    /// What agents are made of, by body index.
    pub agents: Vec<AgentFacts>,
    /// Whether each agent itself perceives its squad's target, by body index.
    pub perceives: Vec<bool>,
    /// All squads.
    pub squads: Vec<SquadScene>,
    /// The tokens that bodies offer.
    pub offers: Offers,
    /// The shared boards of teams.
    pub teams: Vec<Board>,
    /// The board of the world.
    pub board: Board,
    /// Walkable ground.
    pub ground: Arc<dyn Navigation>,
    /// What blocks the view.
    pub sight: Arc<dyn LineOfSight>,
    /// The names that the world has numbered.
    pub symbols: Symbols,
    /// Flow fields by name.
    pub fields: Vec<(Arc<str>, FlowField)>,
}

impl Scene {
    /// An agent as steering sees it, by body index.
    pub fn me(&self, index: usize, mind: &Mind) -> Me {
        let (bodies, facts) = (&self.bodies, &self.agents[index]);
        let mut me = Me::new(bodies.tag[index], bodies.position[index], bodies.facing[index], &facts.limits);
        me.velocity = bodies.velocity[index];
        me.ground = !facts.flies;
        me.resting = mind.arrived;
        me
    }

    /// A body as the agent of that body index knows it: as it is for those of the own faction, as it is remembered for others.
    pub fn whereabouts(&self, index: usize, entity: Entity) -> Option<Known> {
        let squad = &self.squads[self.agents[index].squad as usize];
        if let Some(track) = squad.knowledge.track(entity) {
            // Where it looks nobody remembers: as it moves, or the way it was last seen to be.
            return Some(Known {
                position: track.position,
                velocity: track.velocity,
                heading: track.velocity,
            });
        }
        let bodies = &self.bodies;
        let at = bodies.index_of(entity)?;
        let own = bodies.faction[at] == bodies.faction[index];
        own.then(|| Known {
            position: bodies.position[at],
            velocity: bodies.velocity[at],
            heading: bodies.facing[at],
        })
    }

    /// The board on which a shared key lies for a squad; `None` for a key of agents, or without a team.
    #[inline]
    pub fn shared_board(&self, squad: usize, scope: Scope) -> Option<&Board> {
        match scope {
            Scope::Agent => None,
            Scope::Squad => Some(&self.squads[squad].board),
            Scope::Team => self.squads[squad].team.map(|team| &self.teams[team as usize]),
            Scope::World => Some(&self.board),
        }
    }
}

/// The numbered names of a world.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Symbols {
    names: Vec<Arc<str>>,
}

impl Default for Symbols {
    fn default() -> Self {
        Self { names: vec!["".into()] }
    }
}

impl Symbols {
    /// The number of a name, a new one if need be; no name when 65,535 are taken.
    pub fn number(&mut self, name: &str) -> Symbol {
        if let Some(found) = self.find(name) {
            return found;
        }
        let Ok(number) = u16::try_from(self.names.len()) else {
            return Symbol::NONE;
        };
        self.names.push(name.into());
        Symbol(number)
    }
    /// The number of a name that is known already.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.names.iter().position(|known| &**known == name).map(|at| Symbol(at as u16))
    }
    /// All names by number, the first for no name.
    pub(crate) fn names(&self) -> &[Arc<str>] {
        &self.names
    }
    /// The name of a number; empty for no name.
    pub fn name(&self, symbol: Symbol) -> &Arc<str> {
        self.names.get(usize::from(symbol.0)).unwrap_or(&self.names[0])
    }
}

/// A write to a shared board, to be done after the last agent has thought.
#[derive(Clone, Debug, PartialEq)]
pub struct Write {
    /// Who writes, by body index.
    pub writer: u32,
    /// What is written.
    pub key: KeyId,
    /// What it does to the value.
    pub change: crate::blackboard::Change,
}

/// Something an agent asks of the game.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Command {
    /// Its name among all commands of the world, for [`World::answer`](crate::World::answer).
    pub id: CommandId,
    /// Who asks.
    pub agent: AgentId,
    /// What for, by name.
    pub name: Arc<str>,
    /// Where the agent believes its target to be, if it has one.
    #[serde(with = "crate::math::any_number")]
    pub at: Option<Vec3>,
    /// Whom it concerns; nobody if nobody in particular.
    pub target: Entity,
    /// Whether the agent waits for [`World::answer`](crate::World::answer).
    pub waits: bool,
}

/// News that a member calls out to friendly squads near by.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Call {
    /// Who calls.
    pub agent: AgentId,
    /// From where.
    pub at: Vec3,
    /// How far it is heard, m.
    pub radius: f32,
    /// What it is about.
    pub report: Report,
}

impl Desk {
    /// The bytes that it holds outside of itself, without its tokens and what texts there are.
    pub(crate) fn bytes(&self) -> usize {
        let lists = [room(&self.claims), room(&self.writes), room(&self.news), room(&self.commands)];
        let more = [room(&self.cancelled), room(&self.messages), room(&self.problems), room(&self.log)];
        lists.iter().chain(&more).sum::<usize>() + room(&self.modes)
    }
}

/// What the members of one squad hand over in a tick, empty between ticks; and its tokens, which are asked for and
/// given at once.
///
/// An exit between two ticks, as of an agent that is removed, may leave something on it for the next: that is part of a
/// snapshot.
#[derive(Clone, Default, serde::Serialize, serde::Deserialize)]
pub struct Desk {
    /// The squad's tokens.
    pub leases: Leases,
    /// What members want of the tokens that bodies offer.
    pub claims: Vec<Claim>,
    /// Writes to shared boards. They are done after each exit, too: there are none between two ticks.
    #[serde(skip)]
    pub writes: Vec<Write>,
    /// News of targets from others.
    pub news: Vec<Report>,
    /// News that members call out to others.
    #[serde(default)]
    pub calls: Vec<Call>,
    /// Whom members want the squad to be after.
    #[serde(default)]
    pub prefers: Vec<Option<Entity>>,
    /// What agents ask of the game.
    pub commands: Vec<Command>,
    /// Commands whose answer nobody waits for any more, with their names.
    pub cancelled: Vec<(CommandId, Arc<str>)>,
    /// What agents say to their squad.
    pub messages: Vec<Message>,
    /// What went wrong.
    #[serde(skip)]
    pub problems: Vec<Problem>,
    /// Lines that agents say, to whoever listens.
    pub log: Vec<(AgentId, String)>,
    /// Names of modes that scripts gave and that have no number yet, by body index: whoever commits the desk numbers
    /// them in this order and writes them to the intents.
    pub modes: Vec<(u32, Arc<str>)>,
    /// Room in which queries are answered.
    #[serde(skip)]
    pub found: Found,
}

/// The longest line that an agent can say, in bytes; what is beyond is cut off.
const LONGEST_LINE: usize = 1000;

impl Desk {
    /// Notes a line that an agent says, cut at 1,000 bytes: whoever keeps lines is not to be filled up by them.
    pub fn say(&mut self, agent: AgentId, mut line: String) {
        if line.len() > LONGEST_LINE {
            let end = line.floor_char_boundary(LONGEST_LINE);
            line.truncate(end);
            line.push('…');
        }
        self.log.push((agent, line));
    }
}

/// The private side of all agents, by body index.
#[allow(clippy::vec_box, reason = "a script call moves a mind out and back: a pointer, not half a kilobyte")]
pub type Minds = Vec<Box<Mind>>;
