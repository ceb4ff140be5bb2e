//! Work in progress: the façade documentation follows with the world.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod args;
pub mod blackboard;
pub mod entity;
pub mod error;
pub mod math;
pub mod nav;
pub mod node;
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
pub use sense::{LineOfSight, Senses};
pub use space::{Wall, Walls};
pub use steer::Limits;
pub use tree::{NodeDef, RouteOrder, Spec, Status, Symbol};
pub use world::{
    ActorDesc, AgentDesc, BoardOf, Config, Drive, Event, EventKind, Observer, Output, RuleVector, SquadDesc,
    Timings, World,
};
