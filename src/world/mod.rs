//! The façade: a world owns everything and ticks it.

mod config;

pub use config::{ActorDesc, AgentDesc, Config, Drive, SquadDesc};
