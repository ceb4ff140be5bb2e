use super::prelude::*;
use super::random_sequence::{ORDER, Shuffled};

/// A selector whose order is drawn anew on each enter.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Many,
    running: "a child is running",
    success: "a child succeeded; those that were to come are not entered",
    failure: "all children failed",
    abort: "exits the running child and forgets the order",
    memory: ORDER,
    ..NodeDef::new(
        "random_selector",
        Kind::Composite,
        "tries its children (16 at most) until one works, in an order drawn on enter",
        |make| Shuffled::make(make, false),
    )
};
