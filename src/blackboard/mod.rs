//! The blackboard: declared, typed keys in four scopes.
//!
//! A [`Schema`] says which keys exist, of what type, in which scope. A [`Board`] holds the values of one
//! owner: an agent, a squad, a team or the world. Reading with a [`Key`] is an array access. A write of
//! another type is refused where it happens; a write of an equal value changes nothing and wakes nobody.
//!
//! Knows nothing of trees or scripts, and not who owns a board.

mod board;
mod schema;
mod value;

pub use board::{Board, Change};
pub use schema::{Key, KeyDecl, KeyId, KeyInfo, Schema, Scope};
pub use value::{Typed, Value, ValueType};
