use super::prelude::*;

/// Succeeds however its child ends.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    running: "the child is running",
    success: "the child ended",
    failure: "never",
    ends: Ends::SUCCESS,
    abort: "exits the child",
    ..NodeDef::new("force_success", Kind::Decorator, "succeeds however its child ends", |_| {
        Ok(Part::Flow(Flow::Map { success: true, failure: true }))
    })
};
