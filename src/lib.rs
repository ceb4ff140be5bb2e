//! Squads that hunt together: a behaviour-tree AI framework that games embed.
//!
//! Agents in squads run behaviour trees, perceive with memory, share typed blackboards, surround a target on a ring and
//! move as a flock. Trees are built in Rust as [`Spec`]s or written in Lua, and scripts can be changed while the game
//! runs. The world owns everything; the game ticks it once a frame and reads what came of it.
//!
//! ```
//! use warband::{ActorDesc, AgentDesc, Config, Spec, SquadDesc, World, vec3};
//!
//! // A tree: chase whoever is in sight, else walk the squad's route.
//! let mut world = World::new(Config { seed: 7, ..Config::default() });
//! world.add_tree("wolf", &Spec::new("reactive_selector")
//!     .with(Spec::new("guard").when(Spec::new("sees_target")).with(Spec::new("direct_chase")))
//!     .with(Spec::new("patrol")))?;
//!
//! // Bodies: an actor that the game moves, and a squad of agents that think.
//! let player = world.add_actor(ActorDesc::at(vec3(15.0, 0.0, 0.0)));
//! let pack = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() })?;
//! for z in [-2.0, 2.0] {
//!     world.spawn(pack, AgentDesc { tree: "wolf".into(), ..AgentDesc::at(vec3(0.0, 0.0, z)) })?;
//! }
//!
//! // The loop: say where actors are, tick, read what agents do.
//! for _ in 0..60 {
//!     world.set_actor(player, vec3(15.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
//!     world.tick(1.0 / 60.0);
//! }
//! assert!(world.outputs().all(|wolf| wolf.mode == "direct" && wolf.position.x > 3.0));
//! assert!(world.problems().is_empty());
//! # Ok::<(), warband::Error>(())
//! ```
//!
//! # Where to start
//! - The programs `e01_first_tree` to `e15_two_floors` in the folder `examples` take one step each; every head shows
//!   what its program prints.
//! - [`World`] is the whole surface for a game: what it is told, [`World::tick`], and what it says afterwards.
//! - [`node`] is the library of nodes; [`node::prelude`] is what a node of a game's own needs.
//! - [`Error`] is what loading returns; [`Problem`] is what a running world reports instead of failing.
//!
//! # Layers
//! Each layer uses only what stands above it, and each can be used alone.
//!
//! | layer | modules |
//! | --- | --- |
//! | words | [`error`], [`math`], [`rng`], [`args`], [`entity`] |
//! | memory | [`blackboard`]: typed keys of agents, squads, teams and the world |
//! | places | [`space`]: bodies and walls; [`nav`]: ground to walk on |
//! | senses | [`sense`]: who is in view, and what is remembered |
//! | movement | [`steer`]: pure behaviours and how they become one velocity; [`squad`]: rings |
//! | thought | [`tree`]: the engine, which knows no node; [`node`]: the nodes |
//! | scripts | `script`: Lua; [`reload`]: which files changed |
//! | façade | [`world`]: all of it, ticked `reload → sense → think → steer → act` |
//! | files | [`scenario`]: worlds and what is expected of them, written in TOML |
//!
//! # Units
//! Metres, seconds, metres per second; `y` is up and the ground is (`x`, `z`). Angles are degrees in what people write.
//! Same build, same inputs and same seed give the same [`World::digest`] after each tick.
//!
//! # Features
//! - `luau` (default), `lua54`, `luajit`: scripts, in one of three flavours of Lua through mlua; the README says what each
//!   needs and what it keeps in. Each turns on `lua`, which is what they have in common and has no Lua of its own.
//! - `reload` (default): [`WatchMode`](reload) and watching script folders.
//! - `navmesh`: [`nav`]`::NavMesh`, walkable ground with ways round corners, through polyanya.
//! - `parallel`: a tick works on several threads, with the same results for any number of them ([`Config::threads`]).
//! - `cli`: the command `warband`.
//! - `send`: a world with scripts can move between threads; calls from Rust into Lua cost about twice as much.
//!
//! Without features the core is plain Rust: trees as [`Spec`]s, everything else the same.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod args;
pub mod blackboard;
pub mod entity;
pub mod error;
pub mod hash;
pub mod math;
pub mod nav;
pub mod node;
pub mod query;
pub mod reload;
pub mod rng;
pub mod scenario;
#[cfg(feature = "lua")]
pub mod script;
pub mod sense;
pub mod space;
pub mod squad;
pub mod steer;
pub mod tree;
pub mod world;

pub use blackboard::{Key, KeyDecl, Schema, Scope, Value, ValueType};
pub use entity::{ActorId, AgentId, Entity, SquadId};
pub use error::{Error, ErrorKind, Place, Problem, Result};
pub use math::{Vec3, vec3};
#[cfg(feature = "reload")]
pub use reload::WatchMode;
pub use sense::{Attitude, Awareness, LineOfSight, Senses};
pub use space::{Wall, Walls};
pub use steer::Limits;
pub use tree::{Command, CommandId, NodeDef, RouteOrder, Spec, Status, Stop, Symbol};
pub use world::{
    ActorDesc, AgentDesc, BoardOf, Config, Drive, Event, EventKind, MemoryUse, Muted, Observer, Output,
    RuleVector, Snapshot, SquadDesc, Timings, TokensOf, World,
};

/// The Rust code of the README, compiled and run as tests.
#[cfg(all(doctest, feature = "lua"))]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
