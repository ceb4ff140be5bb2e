use super::prelude::*;

/// Tries its children in order until one does not fail; remembers where it is.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Many,
    running: "a child is running",
    success: "a child succeeded; those behind it are not entered",
    failure: "all children failed",
    abort: "exits the running child and forgets where it was",
    ..NodeDef::new("selector", Kind::Composite, "tries one thing after the other until one works", |_| {
        Ok(Part::Flow(Flow::Chain { on: false, reactive: false }))
    })
};
