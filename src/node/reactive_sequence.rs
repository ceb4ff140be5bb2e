use super::prelude::*;

/// A sequence that asks from its first child in each tick; the running child continues if it is reached again.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Many,
    running: "a child is running and all before it succeed",
    success: "all children succeeded in the same tick, or the running one as the last",
    failure: "a child failed; a running one behind it is exited first",
    abort: "exits the running child",
    ..NodeDef::new(
        "reactive_sequence",
        Kind::Composite,
        "does something for as long as all before it succeed, asked anew each tick",
        |_| Ok(Part::Flow(Flow::Chain { on: true, reactive: true })),
    )
};
