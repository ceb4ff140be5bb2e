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
pub mod sense;
pub mod space;
pub mod squad;
pub mod steer;
pub mod tree;
pub mod world;
