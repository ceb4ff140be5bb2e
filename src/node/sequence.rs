use super::prelude::*;

/// Runs its children in order, for as long as they succeed; remembers where it is.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Many,
    running: "a child is running",
    success: "all children succeeded, one after the other",
    failure: "a child failed; those behind it are not entered",
    abort: "exits the running child and forgets where it was",
    ..NodeDef::new("sequence", Kind::Composite, "does one thing after the other", |_| {
        Ok(Part::Flow(Flow::Chain { on: true, reactive: false }))
    })
};
