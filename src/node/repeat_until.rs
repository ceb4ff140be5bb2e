use super::prelude::*;

/// Runs its child until it ends in a certain way, one attempt a tick.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[Param::choice("on", &["success", "failure"], "the end that ends it")],
    running: "the child is running, or it ended the other way and the next attempt waits for the next tick",
    success: "the child succeeded, with on = \"success\"",
    failure: "the child failed, with on = \"failure\"",
    abort: "exits the child",
    ..NodeDef::new(
        "repeat_until",
        Kind::Decorator,
        "runs its child until it succeeds, or until it fails, once a tick at most",
        |make| Part::control(RepeatUntil { on: make.text("on") == "success" }),
    )
};

struct RepeatUntil {
    on: bool,
}

impl Control for RepeatUntil {
    fn ended(&self, _: &mut Cx<'_>, _: usize, success: bool) -> Step {
        if success == self.on { Step::Done(success) } else { Step::Yield }
    }
}
