use super::prelude::*;

/// Turns success into failure and failure into success.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    running: "the child is running",
    success: "the child failed",
    failure: "the child succeeded",
    abort: "exits the child",
    ..NodeDef::new("invert", Kind::Decorator, "turns success into failure and failure into success", |_| {
        Ok(Part::Flow(Flow::Map { success: false, failure: true }))
    })
};
