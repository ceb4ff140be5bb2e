//! Squads: who stands where. The ring round a target, formations that walk as one, and the assignment of members to places.
//!
//! Pure code over plain values: a [`Ring`] is told where its members and its centre are and answers with a [`Place`] for
//! each. [`Leases`] and [`Offers`] keep who holds which token. None of it knows boards, trees or how the ground is stored,
//! and of agents nothing but their keys and ids.

mod assignment;
mod deal;
mod formation;
mod ground;
mod lease;
mod offers;
mod ring;
mod rules;
mod seats;
pub mod shape;
mod table;
mod walk;
mod walks;

pub use assignment::Assignment;
pub use formation::{Advance, Formation, FormationRules};
pub use ground::Ground;
pub use lease::{Leases, Standing, Token};
pub use offers::{Claim, Offers, Wish};
pub use ring::{Hunter, Place, Ring};
pub use rules::{Member, RingRules};
pub use table::Table;
pub use walk::{largest_gap, skirt, skirt_length, walk_to_place};
