//! Scenarios: a world described in TOML, to be run without a game.
//!
//! Stands above the world and drives it like any game would; the world does not know it.

mod clump;
mod model;
mod parse;
mod path;

pub use model::{ActorSpec, EventSpec, Ground, Happening, Outline, Owner, Scenario, SquadSpec, Start, Who};
pub use parse::parse_dt;
pub use path::{Path, Stand, Step};
