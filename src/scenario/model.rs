//! A scenario as it was read: plain values, all checked.

use super::path::Path;
use crate::blackboard::{KeyDecl, Value};
use crate::error::Place;
use crate::math::Vec3;
use crate::sense::{Attitude, Senses};
use crate::space::Walls;
use crate::steer::Limits;
use crate::tree::{RouteOrder, Stop};
use std::path::PathBuf;

/// A world to run without a game. See the [module](super) for the file it is read from.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its name. Default the name of the file without its ending.
    pub name: String,
    /// What it shows, in a sentence; may be empty.
    pub about: String,
    /// The seed of all dice and of all clumps. Default 0.
    pub seed: u64,
    /// The length of a tick in seconds. Default 1/60.
    pub dt: f64,
    /// How long it runs, in seconds. Default 20.
    pub seconds: f64,
    /// The folder below which scripts are found. Default the folder of the file.
    pub script_root: PathBuf,
    /// The scripts to load, relative to the root.
    pub scripts: Vec<String>,
    /// Whether bodies push each other apart. Default `true`.
    pub collide: bool,
    /// The ground, if it has an edge.
    pub ground: Option<Ground>,
    /// What the walls look like.
    pub outlines: Vec<Outline>,
    /// The walls, with those round the ground.
    pub walls: Walls,
    /// Declared blackboard keys.
    pub keys: Vec<KeyDecl>,
    /// The bodies that follow a path.
    pub actors: Vec<ActorSpec>,
    /// The squads.
    pub squads: Vec<SquadSpec>,
    /// How factions regard each other, as far as it is said.
    pub attitudes: Vec<Regard>,
    /// How far a noise carries through a wall. Default 0.5; see [`crate::Config::wall_muffles`].
    pub wall_muffles: f32,
    /// Whether noises are heard round walls. Default `false`; see [`crate::Config::noise_round_walls`].
    pub noise_round_walls: bool,
    /// What happens at given times, in the order of time.
    pub events: Vec<EventSpec>,
}

/// How one faction regards another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regard {
    /// Who regards.
    pub of: String,
    /// Who is regarded.
    pub to: String,
    /// How.
    pub attitude: Attitude,
    /// Whether it goes the other way, too.
    pub mutual: bool,
}

/// The ground: what bodies cannot leave. Sight passes over its edge.
#[derive(Clone, Debug)]
pub struct Ground {
    /// Its corners in the order round it, in metres: a polygon of any form whose edges do not cross.
    pub outline: Vec<Vec3>,
    /// Whether agents walk by the ways of a mesh that is made of it and the walls. Default `false`. It needs the feature
    /// `navmesh`.
    pub navmesh: bool,
    /// Where it is written.
    pub place: Place,
}

impl Ground {
    /// Whether a point lies in the outline, or on its edge.
    pub fn contains(&self, point: Vec3) -> bool {
        let ends = self.outline.iter().zip(self.outline.iter().cycle().skip(1));
        let mut inside = false;
        for (a, b) in ends {
            let turn = (b.x - a.x) * (point.z - a.z) - (b.z - a.z) * (point.x - a.x);
            let between = |a: f32, b: f32, p: f32| (a.min(b)..=a.max(b)).contains(&p);
            if turn == 0.0 && between(a.x, b.x, point.x) && between(a.z, b.z, point.z) {
                return true;
            }
            // To its right the edge is crossed when the point is on the inner side of it, whichever way it runs.
            inside ^= (a.z > point.z) != (b.z > point.z) && (turn > 0.0) == (b.z > a.z);
        }
        inside
    }
}

/// What a wall looks like from above, for pictures.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A thin wall.
    Segment(Vec3, Vec3),
    /// A round pillar, with its radius in metres.
    Circle(Vec3, f32),
    /// A block.
    Polygon(Vec<Vec3>),
}

/// A body that follows a path.
#[derive(Clone, Debug)]
pub struct ActorSpec {
    /// Its name, unique among actors and squads.
    pub name: String,
    /// Whom it belongs to. Default `"hero"`.
    pub faction: String,
    /// Its radius in metres. Default 0.5.
    pub radius: f32,
    /// How high above its position others look for it, in metres. Default 1.6.
    pub eyes: f32,
    /// The tokens that it offers to whoever hunts it, and how many agents may hold each at once.
    pub tokens: Vec<(String, u32)>,
    /// Where it is when.
    pub path: Path,
}

/// A squad and its members.
#[derive(Clone, Debug)]
pub struct SquadSpec {
    /// Its name, unique among actors and squads.
    pub name: String,
    /// The faction it fights for. Default `"wolves"`.
    pub faction: String,
    /// The team with which it shares a board.
    pub team: Option<String>,
    /// The tree that its members run.
    pub tree: String,
    /// Where its members start.
    pub start: Start,
    /// Where they look at the start. Default +x.
    pub facing: Vec3,
    /// What their bodies can do.
    pub limits: Limits,
    /// How well they perceive.
    pub senses: Senses,
    /// Whether they move in three dimensions.
    pub flies: bool,
    /// Whether they keep out of the way of others.
    pub avoid: bool,
    /// Whether their bodies and others push each other apart.
    pub collide: bool,
    /// How much more right of way they have than others that do what they do.
    pub priority: f32,
    /// Where it patrols; empty for nowhere.
    pub route: Vec<Vec3>,
    /// What comes after the last waypoint.
    pub route_order: RouteOrder,
    /// What to do at which waypoint, from 0.
    pub stops: Vec<(usize, Stop)>,
    /// The tokens that it offers, and how many members may hold each at once.
    pub tokens: Vec<(String, u32)>,
    /// Breaks in sight that are shorter go unnoticed, in seconds. Default 0.3.
    pub grace: f32,
    /// How long after the break a target is forgotten, in seconds; `None` for as long as its trees ask.
    pub forget: Option<f32>,
    /// By which part another target must be better for it to turn to that. Default 0.3.
    pub target_margin: f32,
    /// How long it stays with a target in view, in seconds. Default 2.
    pub target_hold: f32,
    /// Where it is written.
    pub place: Place,
}

/// Where the members of a squad start.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// In a clump of `count` round `at`, within `spread` metres if they find room there: another one for each seed.
    Clump {
        /// The middle.
        at: Vec3,
        /// The radius in metres.
        spread: f32,
        /// How many.
        count: u32,
    },
    /// Exactly there.
    Exactly(Vec<Vec3>),
}

impl Start {
    /// How many start.
    pub fn count(&self) -> usize {
        match self {
            Start::Clump { count, .. } => *count as usize,
            Start::Exactly(positions) => positions.len(),
        }
    }
}

/// Who is meant: an actor, a squad, or a member of a squad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// The actor of this place in the list.
    Actor(usize),
    /// The squad of this place in the list.
    Squad(usize),
    /// The member of this key (from 0, in the order of spawning) of the squad of this place in the list.
    Member(usize, u32),
}

/// Something that happens at a given time.
#[derive(Clone, Debug)]
pub struct EventSpec {
    /// When, in seconds: in the first tick that ends then or later.
    pub at: f64,
    /// What.
    pub what: Happening,
    /// Where it is written.
    pub place: Place,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// A body is gone for good.
    Kill(Who),
    /// A key gets a value.
    Set {
        /// The key.
        key: String,
        /// Its new value.
        value: Value,
        /// Whose board; `None` for the world's.
        on: Option<Owner>,
    },
    /// A noise.
    Noise {
        /// Where.
        at: Vec3,
        /// How far it is heard, in metres.
        reach: f32,
        /// Who makes it: an actor or a member; `None` for nobody that one could hunt.
        by: Option<Who>,
    },
    /// A script is replaced, as if its file had been saved.
    Swap {
        /// The script, as in `scripts`.
        script: String,
        /// Its new text.
        text: String,
    },
    /// A further member of a squad appears.
    Spawn {
        /// The squad's place in the list.
        squad: usize,
        /// Where.
        at: Vec3,
    },
    /// A body is put somewhere else. (Actors have `teleport` in their path.)
    Teleport {
        /// Who.
        who: Who,
        /// Where to.
        to: Vec3,
    },
    /// A member is hit.
    Hit {
        /// Who.
        who: Who,
        /// By whom; `None` for nobody in particular.
        by: Option<Who>,
        /// From where.
        from: Vec3,
    },
    /// A faction regards another in another way.
    Attitude(Regard),
    /// A body is lit in another way.
    Light {
        /// Who.
        who: Who,
        /// How well, 0 to 1.
        light: f32,
    },
    /// A body crouches or stands up.
    Eyes {
        /// Who.
        who: Who,
        /// How high its eyes are, in metres.
        eyes: f32,
    },
    /// From now on commands of a name are answered, those too that wait already.
    Answer {
        /// What the command is called.
        command: String,
        /// Whether it was done.
        success: bool,
        /// What came of it, for the command's `into`.
        value: Value,
        /// How long after it was asked, in seconds.
        after: f64,
    },
}

/// Whose board is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A squad's or a member's.
    Who(Who),
    /// A team's, by name.
    Team(String),
}
