//! Squads: who stands where. The ring round a target, and the assignment of members to places.
//!
//! Pure code over plain values: a [`Ring`] is told where its members and its centre are and answers with a [`Place`] for
//! each. [`Leases`] and [`Offers`] keep who holds which token. None of it knows boards, trees or how the ground is stored,
//! and of agents nothing but their keys and ids.

mod assignment;
mod deal;
mod lease;
mod offers;
mod ring;
mod rules;
pub mod shape;
mod walk;

pub use assignment::Assignment;
pub use lease::{Leases, Standing, Token};
pub use offers::{Claim, Offers, Wish};
pub use ring::{Place, Ring, Walkable};
pub use rules::{Member, RingRules};
pub use walk::{largest_gap, skirt, skirt_length, walk_to_place};
