use super::prelude::*;

/// A selector that asks from its first child in each tick; the running child continues if it is reached again.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Many,
    running: "a child is running and all before it fail",
    success: "a child succeeded",
    failure: "all children failed",
    abort: "exits the running child",
    ..NodeDef::new(
        "reactive_selector",
        Kind::Composite,
        "does the first thing that can be done, asked anew each tick",
        |_| Ok(Part::Flow(Flow::Chain { on: false, reactive: true })),
    )
};
