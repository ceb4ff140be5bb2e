use super::prelude::*;

/// Takes its child out of its parent's list while a condition holds. It is asked whenever the parent comes to it, not
/// while the child runs.
///
/// Decorators that remember nothing, as `invert` or `guard`, are passed over together with it; one that had to be
/// entered to get there, as `time_limit`, succeeds.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    condition: Some("when"),
    running: "the child is running",
    success: "the child succeeded; where all children are passed over, a sequence, parallel or decorator succeeds",
    failure: "the child failed; where all children are passed over, a selector fails",
    abort: "exits the child",
    ..NodeDef::new(
        "skip_if",
        Kind::Decorator,
        "is passed over while a condition holds: its parent goes on as if it were not there",
        |_| Ok(Part::Flow(Flow::Skip)),
    )
};
