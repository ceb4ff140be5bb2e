//! Perception: who can see whom, and what squads remember of it.
//!
//! Only this layer compares what is believed with what is true.

mod knowledge;
mod senses;

pub use knowledge::{How, Knowledge, KnowledgeRules, Report, Track, Turn};
pub use senses::{LineOfSight, Senses};
