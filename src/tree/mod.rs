//! The tree engine. It knows no concrete node.
//!
//! [`Spec`] (words) → [`build`] → [`Tree`] (immutable, shared by all agents that run it) → [`Runner`] (one tick for
//! one agent, whose [`Memory`] is a few words). What a node can be is in `def`, what it can see and do in `cx`.
//!
//! # How a tick runs
//! Nodes lie in one array in preorder. For every node it is known from the start where its success and its
//! failure lead: to a sibling, to a decorator that wants to be told, or out of the tree. In each *region* (the
//! tree, and every child of a fork) at most one node runs; the region's cursor names it, and its ancestors are
//! active because it runs. A tick therefore begins at the cursor and asks only those that have a say in it, from
//! the outermost: reactive composites, guards and decorators above it that want to be asked, and guards of higher
//! priority in selectors above it, which may take over. A child that is passed over leads on as if it were not there:
//! to its next sibling, or to the end that the others have settled. An abort walks from the cursor upwards and exits
//! what it meets, so every exit is called once, from the inside outwards.

mod build;
mod carry;
mod claim;
mod compile;
mod cx;
mod def;
mod enter;
mod explain;
mod fork;
mod history;
mod intent;
mod keep;
mod make;
mod memory;
mod mind;
mod mute;
mod names;
mod pen;
mod registry;
mod request;
mod route;
mod run;
mod scene;
mod service;
mod shape;
mod spec;
mod view;
mod wake;
mod warn;

pub use build::build;
pub(crate) use build::build_from;
pub use carry::{Carrier, carry};
pub use compile::Tree;
pub use cx::{Cx, Hook, Host, anchor_of};
pub use def::{
    Arity, Condition, Control, Ends, Exit, Flow, Join, Kind, Leaf, NodeDef, Part, Slot, SlotType, Status,
    Step, Why,
};
pub use explain::Glance;
pub use fork::Tally;
pub(crate) use history::Named;
pub use history::{Evidence, Happening, History, MOST_RECORDS, Record, What};
pub use intent::{Aim, Anchor, Combine, Intent, Look, MAX_RULES, RingWish, Rule, Symbol};
pub use keep::{Exact, Keep, Plain, PlainKey};
pub use make::Make;
pub use memory::{Memory, Stored};
pub use mind::Mind;
pub use mute::Mute;
pub use names::{message_warnings, token_warnings};
pub(crate) use pen::OLD_STAYS;
#[cfg(feature = "lua")]
pub(crate) use pen::Pen;
pub use registry::Registry;
pub(crate) use request::Refusal;
pub use request::{Answer, CommandId, Requests};
pub use route::{Route, RouteOrder, Stop};
pub use run::Runner;
pub use scene::{
    AgentFacts, Call, Command, Desk, Message, Messages, Minds, Scene, SquadScene, Symbols, Write,
};
pub use service::{Rhythm, Service};
pub use shape::Shape;
pub use spec::Spec;
pub use view::{Live, View};
pub use wake::{Sleep, Wake};
pub use warn::{key_warnings, warnings};
