//! Squads: who stands where. The ring round a target, and the assignment of members to places.
//!
//! Pure code over plain values: a [`Ring`] is told where its members and its centre are and answers with a [`Place`] for
//! each. It must not know agents, boards, trees or how the ground is stored.

mod assignment;
mod deal;
mod lease;
mod ring;
mod rules;
mod walk;

pub use assignment::Assignment;
pub use lease::{Leases, Token};
pub use ring::{Place, Ring, Walkable};
pub use rules::{Member, RingRules};
pub use walk::{largest_gap, skirt, skirt_length, walk_to_place};
