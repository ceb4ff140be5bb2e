//! Work in progress: the façade documentation follows with the world.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod args;
pub mod error;
pub mod math;
pub mod rng;
pub mod squad;
pub mod steer;
