//! Perception: who can see whom, and what squads remember of it.
//!
//! Only this layer compares what is believed with what is true.

mod attitude;
mod awareness;
mod belief;
mod knowledge;
mod senses;

pub use attitude::{Attitude, Attitudes};
pub use awareness::Awareness;
pub use belief::{Belief, Lease, Searcher, Sighting};
pub use knowledge::{ChoiceRules, How, Knowledge, KnowledgeRules, Report, Track, Turn};
pub use senses::{LineOfSight, Reach, Senses};
