use super::prelude::*;

/// Fails however its child ends.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    running: "the child is running",
    success: "never",
    failure: "the child ended",
    ends: Ends::FAILURE,
    abort: "exits the child",
    ..NodeDef::new("force_failure", Kind::Decorator, "fails however its child ends", |_| {
        Ok(Part::Flow(Flow::Map { success: false, failure: false }))
    })
};
