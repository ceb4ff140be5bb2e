//! The node library: one file per kind, each with its `DEF`.
//!
//! To add a node, write its file and name it in the two lists below; the constructor in Lua, the checks, the
//! reference and the contract tests come from its `DEF`. Steering behaviours are no files here: [`steering`] makes
//! a leaf of each.

mod action;
mod append;
mod arrived;
mod bands;
mod blend;
mod blocked;
mod chance;
mod clear;
mod command;
mod compare;
mod condition;
mod cooldown;
mod coroutine;
mod delay;
mod direct_chase;
mod fail;
mod finally;
mod find_place;
mod for_each;
mod force_failure;
mod force_success;
mod formation;
mod guard;
mod has_value;
mod if_then_else;
mod in_range;
mod increment;
mod invert;
mod learn_target;
mod lease;
mod leash;
mod log;
mod mode;
mod parallel;
mod patrol;
mod prefer_target;
mod race;
mod random_selector;
mod random_sequence;
mod reactive_selector;
mod reactive_sequence;
mod receive;
mod remembers_target;
mod repeat_times;
mod repeat_until;
mod retry;
mod ring_set;
mod run_limit;
mod run_once;
mod search;
mod sees_target;
mod selector;
mod send;
mod sequence;
mod service;
mod set;
mod share_target;
mod skip_if;
mod slot;
pub mod steering;
mod subtree;
mod succeed;
mod switch;
mod time_limit;
mod token_free;
mod try_catch;
mod utility_selector;
mod wait;
mod wait_for;
mod wait_random;
mod weighted_selector;
mod while_do;

use crate::tree::{NodeDef, Registry};

/// Every node kind but the steering leaves, by name.
pub const ALL: &[&NodeDef] = &[
    &action::DEF,
    &append::DEF,
    &arrived::DEF,
    &bands::DEF,
    &blend::DEF,
    &blocked::DEF,
    &chance::DEF,
    &clear::DEF,
    &command::DEF,
    &compare::DEF,
    &condition::DEF,
    &cooldown::DEF,
    &coroutine::DEF,
    &delay::DEF,
    &direct_chase::DEF,
    &fail::DEF,
    &finally::DEF,
    &find_place::DEF,
    &for_each::DEF,
    &force_failure::DEF,
    &force_success::DEF,
    &formation::DEF,
    &guard::DEF,
    &has_value::DEF,
    &if_then_else::DEF,
    &in_range::DEF,
    &increment::DEF,
    &invert::DEF,
    &learn_target::DEF,
    &lease::DEF,
    &leash::DEF,
    &log::DEF,
    &mode::DEF,
    &parallel::DEF,
    &patrol::DEF,
    &prefer_target::DEF,
    &race::DEF,
    &random_selector::DEF,
    &random_sequence::DEF,
    &reactive_selector::DEF,
    &reactive_sequence::DEF,
    &receive::DEF,
    &remembers_target::DEF,
    &repeat_times::DEF,
    &repeat_until::DEF,
    &retry::DEF,
    &ring_set::DEF,
    &run_limit::DEF,
    &run_once::DEF,
    &search::DEF,
    &sees_target::DEF,
    &selector::DEF,
    &send::DEF,
    &sequence::DEF,
    &service::DEF,
    &set::DEF,
    &share_target::DEF,
    &skip_if::DEF,
    &slot::DEF,
    &subtree::DEF,
    &succeed::DEF,
    &switch::DEF,
    &time_limit::DEF,
    &token_free::DEF,
    &try_catch::DEF,
    &utility_selector::DEF,
    &wait::DEF,
    &wait_for::DEF,
    &wait_random::DEF,
    &weighted_selector::DEF,
    &while_do::DEF,
];

/// A registry of all nodes of the library, steering leaves included.
pub fn registry() -> Registry {
    Registry::new(ALL.iter().copied().chain(steering::leaves().iter().copied()))
}

/// What a node waits for, and for how long at most, in words.
fn at_most(what: String, until: &str) -> String {
    if until.is_empty() { what } else { format!("{what}, {until} at most") }
}

/// What most node files need, also those of a game: `use warband::node::prelude::*`.
pub mod prelude {
    pub use crate::args::{Function, Named, Param};
    pub use crate::blackboard::{Change, Key, KeyId, Value, ValueType};
    pub use crate::entity::Entity;
    pub use crate::error::{Error, ErrorKind};
    pub use crate::math::{Vec3, flat, vec3};
    pub use crate::sense::{How, Report, Track};
    pub use crate::squad::{Standing, Wish};
    pub use crate::tree::{
        Aim, Anchor, Answer, Arity, Combine, Condition, Control, Cx, Ends, Evidence, Exit, Flow, Glance,
        Hook, Join, Kind, Leaf, Live, Look, Make, NodeDef, Part, RingWish, Rule, Service, Slot, SlotType,
        Status, Step, Symbol, Tally, View, Wake, What, Why,
    };
}
