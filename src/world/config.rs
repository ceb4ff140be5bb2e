//! What a world, a squad, an agent and an actor are made from.

use crate::math::Vec3;
use crate::sense::Senses;
use crate::steer::Limits;
use crate::tree::{RouteOrder, Stop};

/// Who moves the bodies of agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Drive {
    /// The world: it integrates velocities, parts overlapping bodies and stops them at walls.
    #[default]
    World,
    /// The game's physics: it reads desired velocities and writes positions back.
    Game,
}

/// What a world is made from.
#[derive(Clone, Debug)]
pub struct Config {
    /// The seed of all dice. Default 0.
    pub seed: u64,
    /// Who moves the bodies of agents. Default [`Drive::World`].
    pub drive: Drive,
    /// Whether bodies that the world moves push each other apart. Default `true`.
    pub collide: bool,
    /// The longest step that movement is computed in, in seconds; longer ticks are cut. Default 1/20.
    pub longest_step: f32,
    /// The longest tick, in seconds; what is over is lost. Default 1.
    pub longest_tick: f32,
    /// Whether trees that wait for a time or a key are left alone until then. It is never visible in a result; tests
    /// turn it off to prove that. Default `true`.
    pub sleep: bool,
    /// How many nodes the trees of a tick may visit together before the rest of the agents wait for the next tick, those
    /// that have waited longest first; at least one agent thinks. `None` for no limit. Default `None`.
    pub think_budget: Option<u64>,
    /// How often agents think that are far from every focus (see [`super::World::set_focus`]): from so many metres on,
    /// at most once in so many seconds. In the order of distances. Default empty.
    pub detail: Vec<(f32, f32)>,
    /// How often agents are steered that walk far from every focus: from so many metres on, once in so many seconds, each in a turn of its
    /// own. In between the velocity goes on towards what was wanted then, by the limits as ever, so that nothing jumps; who stands, has to
    /// stop or turn, is by a wall or has somebody to mind is steered in every step all the same. In the order of distances, seconds above
    /// 0.25 count as 0.25, and what is no longer than a step as none. It is a list of its own beside [`Config::detail`]: thoughts can be seconds apart, and decide what is
    /// done; a movement that is looked at only now and then is just off by what one walks meanwhile. As that it is part of the result. Default empty.
    pub steer_detail: Vec<(f32, f32)>,
    /// For how many seconds an agent may keep the list of neighbours that its flock rules look at, before it asks the index anew in a turn of its own;
    /// 0 for every step, more than 1 counts as 1. No result depends on it: the list reaches farther by what bodies can come nearer meanwhile, and
    /// who is in it counts where it is now. Who has more than 28 about so far asks in every step.
    /// It saves next to nothing where few look at neighbours, and costs more than asking where flocks are on the move (`benches/detail`), so measure before it is set. Default 0.
    pub neighbour_refresh: f32,
    /// How many pairs of an agent and a target are looked at in a tick before they are spread over several; each is
    /// looked at at least every 0.25 s all the same. What is in view stays so until it is looked at again, where it was
    /// seen last. Default 768.
    pub sight_tests: usize,
    /// How far a noise or a call carries through a wall, as a part of how far it carries without; each further wall
    /// counts again. 0 to 1: at 0 nothing is heard through a wall, at 1 walls do not count. Default 0.5.
    pub wall_muffles: f32,
    /// Whether a noise is also heard by the way round walls, if that is not longer than it carries: one way for each
    /// hearer in range that does not hear it through them. On ground without ways, as [`crate::nav::OpenGround`], nothing
    /// leads round. Default `false`.
    pub noise_round_walls: bool,
    /// How many ways round corners are searched for in a tick, at least 1; who has waited longest comes first. Who waits keeps to the
    /// way it has, or goes straight. Only on ground that [leads](crate::nav::Navigation::leads). Default 16.
    pub paths_per_tick: usize,
    /// On how many threads a tick may work at once, with the feature `parallel`: 0 for all of rayon's pool, 1 for none but the
    /// one that ticks. No result depends on it, and few agents are never spread. Nodes of the game's own ([`super::World::register`])
    /// are then called from several threads: what they share beyond the agent is the game's to guard. Default 0.
    pub threads: usize,
    /// Instructions of a script call before it is stopped, in loop iterations and calls. Default 200,000.
    pub script_instructions: u64,
    /// Bytes that scripts may use in all. Default 64 MiB. When their variables hold more than half of it, the
    /// script that made them grow loses its variables, and is run anew after 1 s, then 2 s, 4 s, up to 30 s; others go on.
    pub script_memory: usize,
    /// Bytes that Lua's collector goes through after a tick at most, so that no tick is a hitch. A tick pays for what it left behind
    /// itself, mostly far less than this; what is over, and what a reload leaves, is spread over the ticks that follow.
    /// It is counted in steps of 16 KiB (LuaJIT: 1 KiB), one at least, and never timed: results do not depend on it. Default 1 MiB,
    /// which is about a millisecond. Scripts that leave behind more than that in each tick fill their memory, until all is
    /// collected at once where three quarters of [`Config::script_memory`] are in use.
    pub script_collection: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            seed: 0,
            drive: Drive::World,
            collide: true,
            longest_step: 0.05,
            longest_tick: 1.0,
            sleep: true,
            think_budget: None,
            detail: Vec::new(),
            steer_detail: Vec::new(),
            neighbour_refresh: 0.0,
            sight_tests: 768,
            wall_muffles: 0.5,
            noise_round_walls: false,
            paths_per_tick: 16,
            threads: 0,
            script_instructions: 200_000,
            script_memory: 64 << 20,
            script_collection: 1 << 20,
        }
    }
}

/// What a squad is made from.
#[derive(Clone, Debug)]
pub struct SquadDesc {
    /// Its name, for events and files; unique in the world.
    pub name: String,
    /// The faction it fights for: bodies of other factions are its targets. Default `"wolves"`.
    pub faction: String,
    /// The team with which it shares a board; `None` for none.
    pub team: Option<String>,
    /// Where it patrols. Default nowhere.
    pub route: Vec<Vec3>,
    /// What comes after the last waypoint. Default the first.
    pub route_order: RouteOrder,
    /// What to do at which waypoint of the route, counted from 0: how long to stand there, and where to look. Default
    /// nothing.
    pub stops: Vec<(usize, Stop)>,
    /// The tokens that it offers, and how many members may hold each at once. Default none.
    pub tokens: Vec<(String, u32)>,
    /// Breaks in sight that are shorter go unnoticed, in seconds. Default 0.3.
    pub grace: f32,
    /// How long after the break a target is forgotten, in seconds; `None` for as long as its trees ask
    /// (`remembers_target { within }`), or 5. Default `None`.
    pub forget: Option<f32>,
    /// By which part another target in view must be better than the one that it is after, for the squad to turn to it.
    /// How good one is, is [`crate::sense::Track::score`]. Default 0.3.
    pub target_margin: f32,
    /// How long it stays with a target in view before it turns to a better one, in seconds. Default 2.
    pub target_hold: f32,
    /// Its key: a number of its own among the squads, which decides order and dice. Default its turn of adding.
    pub key: Option<u32>,
}

impl Default for SquadDesc {
    fn default() -> Self {
        Self {
            name: String::new(),
            faction: "wolves".to_owned(),
            team: None,
            route: Vec::new(),
            route_order: RouteOrder::Loop,
            stops: Vec::new(),
            tokens: Vec::new(),
            grace: 0.3,
            forget: None,
            target_margin: 0.3,
            target_hold: 2.0,
            key: None,
        }
    }
}

/// What an agent is made from.
#[derive(Clone, Debug)]
pub struct AgentDesc {
    /// The tree it runs, by name; empty for none yet.
    pub tree: String,
    /// Where it stands, in metres.
    pub position: Vec3,
    /// Where it looks; need not be a unit vector. Default +x.
    pub facing: Vec3,
    /// What its body can do. Default radius 0.5 m, top speed 5 m/s, 20 m/s², half a second to turn round.
    pub limits: Limits,
    /// How well it perceives.
    pub senses: Senses,
    /// Whether it moves in three dimensions. Default `false`.
    pub flies: bool,
    /// Seconds between two thoughts of its tree; 0 thinks in each tick. Agents of one interval are spread over it, so
    /// that a thousand do not think in the same tick. Timers stay right at any rate. Default 0.
    pub think_interval: f32,
    /// Whether it keeps out of the way of other bodies and of walls while it walks, and makes way while it stands. Without it
    /// others still avoid it. Those that [fly](AgentDesc::flies) never do: they have `separation`. Default `true`.
    pub avoid: bool,
    /// Whether its body and others push each other apart when they overlap, if the world does that at all
    /// ([`Config::collide`]). Default `true`.
    pub collide: bool,
    /// How much more right of way it has than others that do what it does: who stands has 0, who walks to a place of
    /// the ring 1, who walks 2, who attacks its target 3, and this is added. Two more, and the other does all of the avoiding. Any finite number; default 0.
    pub priority: f32,
    /// Its key: a number of its own in the squad, which decides order, ties and dice. Default its turn of spawning.
    pub key: Option<u32>,
}

impl AgentDesc {
    /// An agent at `position` with the default body.
    pub fn at(position: Vec3) -> Self {
        Self { position, ..Self::default() }
    }
}

impl Default for AgentDesc {
    fn default() -> Self {
        Self {
            tree: String::new(),
            position: Vec3::ZERO,
            facing: Vec3::X,
            limits: Limits::of(0.5, 5.0),
            senses: Senses::default(),
            flies: false,
            think_interval: 0.0,
            avoid: true,
            collide: true,
            priority: 0.0,
            key: None,
        }
    }
}

/// What an actor, a body that the game moves, is made from.
#[derive(Clone, Debug)]
pub struct ActorDesc {
    /// Whom it belongs to. Default `"hero"`.
    pub faction: String,
    /// Where it stands, in metres.
    pub position: Vec3,
    /// Its radius in metres. Default 0.5.
    pub radius: f32,
    /// How high above its position others look for it, in metres. Default 1.6.
    pub eyes: f32,
    /// The tokens that it offers to whoever hunts it, and how many agents, of all squads together, may hold each at
    /// once: `bt.lease { token = "melee", of = "target" }`. Default none.
    pub tokens: Vec<(String, u32)>,
    /// Its key: a number of its own among the actors. Default its turn of adding.
    pub key: Option<u32>,
}

impl ActorDesc {
    /// An actor at `position`.
    pub fn at(position: Vec3) -> Self {
        Self { position, ..Self::default() }
    }
}

impl Default for ActorDesc {
    fn default() -> Self {
        Self {
            faction: "hero".to_owned(),
            position: Vec3::ZERO,
            radius: 0.5,
            eyes: 1.6,
            tokens: Vec::new(),
            key: None,
        }
    }
}
