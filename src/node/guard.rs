use super::prelude::*;

/// Lets its child run while a condition holds.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    condition: Some("when"),
    params: &[Param::choice(
        "abort",
        &["both", "self", "lower", "none"],
        "what a change of the condition aborts: the own child when it fails (self), running branches of lower \
         priority when it comes true (lower), both or none",
    )
    .default_text("both")],
    running: "the condition holds and the child is running",
    success: "the child succeeded",
    failure: "the condition does not hold, or the child failed",
    abort: "exits the child",
    ..NodeDef::new("guard", Kind::Decorator, "lets its child run while a condition holds", |make| {
        let abort = make.text("abort");
        Ok(Part::Flow(Flow::Guard {
            own: matches!(abort, "both" | "self"),
            lower: matches!(abort, "both" | "lower"),
        }))
    })
};
