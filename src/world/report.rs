//! What a world tells: outputs, events, problems, times.

use super::World;
use crate::entity::{AgentId, Entity, SquadId};
use crate::error::Problem;
use crate::math::Vec3;
use crate::nav::PathStatus;
use crate::sense::How;
use crate::tree::CommandId;
use std::sync::Arc;

/// What came up in a tick.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Event {
    /// When, in ns of the world's clock.
    pub at: u64,
    /// What.
    pub kind: EventKind,
    /// The agent it concerns, if it concerns one.
    pub agent: Option<AgentId>,
    /// The squad it concerns, if it concerns one.
    pub squad: Option<SquadId>,
}

impl Event {
    /// When, in seconds.
    pub fn seconds(&self) -> f64 {
        self.at as f64 * 1e-9
    }
}

/// What can come up.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum EventKind {
    /// An agent does something else now; names of modes are the scripts'.
    Mode {
        /// What it did; empty at first.
        from: Arc<str>,
        /// What it does.
        to: Arc<str>,
    },
    /// A squad perceives a target, or was told of it.
    Gained {
        /// Whom.
        target: Entity,
        /// Who perceived it.
        by: Entity,
        /// How.
        how: How,
    },
    /// A squad has lost a target from view for longer than its grace time.
    Lost {
        /// Whom.
        target: Entity,
        /// Since when, in ns: the tick in which nobody perceived it any more.
        since: u64,
    },
    /// A squad has forgotten a target, or it is gone.
    Forgotten {
        /// Whom.
        target: Entity,
    },
    /// An agent wants to get on and has not got anywhere for three seconds; see [`Output::blocked`].
    Blocked,
    /// An agent begins to suspect that it sees something: see [`crate::sense::Awareness`].
    Noticed {
        /// Whom.
        target: Entity,
    },
    /// An agent told squads near by of a target, and at least one had not known as much.
    Called {
        /// Whom.
        target: Entity,
        /// Through how many mouths the news has gone now: 1 when the caller's squad perceived it itself.
        hops: u8,
    },
    /// An agent joined a squad.
    Joined,
    /// An agent left its squad.
    Left,
    /// An agent no longer waits for the answer to a command: it does something else, its time was up, or it is gone.
    Cancelled {
        /// Which one, as it was in [`World::commands`].
        command: CommandId,
        /// What it is called.
        name: Arc<str>,
    },
    /// A script was taken over anew.
    Reload {
        /// Which file.
        script: Arc<str>,
    },
    /// A script that was taken over anew erred in its first ticks: the version before is back.
    Rollback {
        /// Which file.
        script: Arc<str>,
    },
}

impl EventKind {
    /// Its name in files and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            EventKind::Mode { .. } => "mode",
            EventKind::Gained { .. } => "gained",
            EventKind::Lost { .. } => "lost",
            EventKind::Forgotten { .. } => "forgotten",
            EventKind::Noticed { .. } => "noticed",
            EventKind::Called { .. } => "called",
            EventKind::Cancelled { .. } => "cancelled",
            EventKind::Blocked => "blocked",
            EventKind::Joined => "joined",
            EventKind::Left => "left",
            EventKind::Reload { .. } => "reload",
            EventKind::Rollback { .. } => "rollback",
        }
    }
}

/// What an agent wants of the game after a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Output<'a> {
    /// Which agent.
    pub agent: AgentId,
    /// Its squad.
    pub squad: SquadId,
    /// Its key in the squad.
    pub key: u32,
    /// Where it is, in metres.
    pub position: Vec3,
    /// How it moves, in m/s: with [`super::Drive::Game`] the velocity that it should get. It is one step on from the
    /// velocity that the game wrote back, and keeps to the body's acceleration: smoothed once more, a body is sluggish.
    pub velocity: Vec3,
    /// Where it should look: a unit vector.
    pub facing: Vec3,
    /// Where it wants to get to, if anywhere.
    pub goal: Option<Vec3>,
    /// What it calls what it does: a name of the scripts', empty for none.
    pub mode: &'a str,
    /// Whether it stands where it wanted to get to.
    pub arrived: bool,
    /// Whether it has wanted to get on for three seconds, and has not got anywhere.
    pub blocked: bool,
    /// What came of the search for a way to where it goes; `None` while it goes straight, or goes nowhere.
    pub path: Option<PathStatus>,
}

/// What one steering rule of an agent asked for, for drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuleVector {
    /// The behaviour.
    pub name: &'static str,
    /// How much it counts.
    pub weight: f32,
    /// What it asks for, in m/s (a direction for `face`).
    pub vector: Vec3,
}

/// A function of a script that erred for an agent when it was called last, and how it goes on with it.
///
/// After [`crate::tree::Mute::FAULTS`] calls in a row that erred, a function is not called for a second: its node fails,
/// or goes without its enter, exit or service. Then it is tried again, and each further fault doubles the pause, up to
/// 30 s. A call that goes well, another tree, or a reload of the tree ends it. It is part of what the agent is: a
/// snapshot has it, and the digest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Muted<'a> {
    /// The agent.
    pub agent: AgentId,
    /// The node whose function it is.
    pub path: &'a str,
    /// How many calls in a row erred.
    pub faults: u32,
    /// How many calls were left out since the first of them.
    pub skipped: u64,
    /// From when on it is called again, in seconds of the world's clock; the past while it is called.
    pub until: f64,
}

/// How long the stages of a tick took, in seconds of the machine. They never enter a result.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timings {
    /// Perceiving and remembering.
    pub sense: f64,
    /// Running trees.
    pub think: f64,
    /// Rings and steering.
    pub steer: f64,
    /// Moving bodies.
    pub act: f64,
}

/// Measures the stages.
pub(super) struct Stopwatch(std::time::Instant);

#[allow(clippy::disallowed_methods, reason = "the times of stages are only reported, never used")]
impl Stopwatch {
    pub fn start() -> Self {
        Self(std::time::Instant::now())
    }
    pub fn lap(&mut self) -> f64 {
        let now = std::time::Instant::now();
        let lap = now.duration_since(self.0).as_secs_f64();
        self.0 = now;
        lap
    }
}

/// What went wrong, each fault once with a count.
#[derive(Default)]
pub(super) struct Problems {
    all: Vec<Problem>,
    fresh: Vec<Problem>,
    /// What came up between two ticks: it is told with the next.
    between: Vec<Problem>,
    pub ticking: bool,
    tick: u64,
}

/// How many different faults are kept.
const MOST: usize = 256;

impl Problems {
    pub fn begin(&mut self, tick: u64) {
        self.fresh.clear();
        self.fresh.append(&mut self.between);
        self.tick = tick;
        self.ticking = true;
    }
    pub fn end(&mut self) {
        self.ticking = false;
    }
    fn tell(&mut self, problem: Problem) {
        if self.ticking { self.fresh.push(problem) } else { self.between.push(problem) }
    }
    pub fn add(&mut self, mut problem: Problem) {
        let same = |known: &&mut Problem| {
            known.error.kind() == problem.error.kind()
                && known.error.message() == problem.error.message()
                && known.error.place() == problem.error.place()
                && known.error.path() == problem.error.path()
        };
        if let Some(known) = self.all.iter_mut().find(same) {
            known.times += problem.times;
            return;
        }
        if self.all.len() < MOST {
            problem.tick = self.tick;
            self.all.push(problem.clone());
            self.tell(problem);
        }
    }
    /// Tells of a fault as if for the first time: one that a person has made again.
    pub fn renew(&mut self, problem: Problem) {
        let told = self.fresh.len() + self.between.len();
        self.add(problem.clone());
        if self.fresh.len() + self.between.len() == told {
            self.tell(Problem { tick: self.tick, ..problem });
        }
    }
    pub fn fresh(&self) -> &[Problem] {
        &self.fresh
    }
    pub fn all(&self) -> &[Problem] {
        &self.all
    }
}

impl World {
    /// What every agent wants of the game, in the order of squads and keys.
    pub fn outputs(&self) -> impl Iterator<Item = Output<'_>> {
        (0..self.scene.agents.len()).map(|index| self.output_at(index))
    }

    /// What one agent wants of the game; `None` when it is gone.
    pub fn output(&self, agent: AgentId) -> Option<Output<'_>> {
        self.agent_index(agent).map(|index| self.output_at(index))
    }

    fn output_at(&self, index: usize) -> Output<'_> {
        let (scene, mind) = (&self.scene, &self.minds[index]);
        Output {
            agent: AgentId::new(scene.bodies.id[index]),
            squad: scene.squads[scene.agents[index].squad as usize].id,
            key: scene.bodies.key[index],
            position: scene.bodies.position[index],
            velocity: scene.bodies.velocity[index],
            facing: scene.bodies.facing[index],
            goal: mind.intent.goal,
            mode: scene.symbols.name(mind.intent.mode),
            arrived: mind.arrived,
            blocked: mind.stance.is_blocked(),
            path: mind.way.status(),
        }
    }

    /// The functions of scripts that erred when they were called last, by agent: those that are left alone for a while,
    /// and those that soon will be.
    pub fn muted(&self) -> impl Iterator<Item = Muted<'_>> {
        self.minds.iter().enumerate().flat_map(move |(index, mind)| {
            let tree = self.trees.of_agent(index);
            mind.mutes.iter().map(move |mute| Muted {
                agent: AgentId::new(self.scene.bodies.id[index]),
                path: tree.map_or("", |tree| tree.path(mute.node)),
                faults: mute.faults,
                skipped: mute.skipped,
                until: mute.until as f64 * 1e-9,
            })
        })
    }

    pub(super) fn event(&mut self, kind: EventKind, agent: Option<AgentId>, squad: Option<SquadId>) {
        let event = Event { at: self.scene.clock, kind, agent, squad };
        if self.problems.ticking { self.events.push(event) } else { self.between.push(event) }
    }
}
