//! Scenarios: a world described in TOML, to be run without a game.
//!
//! Stands above the world and drives it like any game would; the world does not know it.

mod canvas;
mod clump;
mod figures;
mod model;
mod parse;
mod path;
mod picture;
mod recording;
mod report;
mod run;
mod trace;

pub use figures::{Best, Figures, Spread, StageMs, Worst};
pub use model::{ActorSpec, EventSpec, Ground, Happening, Outline, Owner, Scenario, SquadSpec, Start, Who};
pub use parse::parse_dt;
pub use path::{Path, Stand, Step};
pub use recording::Recording;
pub use report::{Entry, ProblemEntry, Report};
pub use run::Run;
pub use trace::{Frame, FrameActor, FrameAgent, TraceHead};
