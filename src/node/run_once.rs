use super::prelude::*;

/// Runs its child once in the life of the agent's tree, and from then on ends as it did.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[Param::choice("on", &["finish", "success"], "what counts: any end, or success alone")
        .default_text("finish")],
    running: "the child is running",
    success: "the child succeeded, now or when it counted",
    failure: "the child failed, now or when it counted",
    abort: "exits the child, which may start again; an end that counted is not forgotten",
    memory: &[("ended", SlotType::Count)],
    ..NodeDef::new("run_once", Kind::Decorator, "runs its child once and then keeps its result", |make| {
        Part::control(RunOnce { success_only: make.text("on") == "success" })
    })
};

struct RunOnce {
    success_only: bool,
}

const NOT_YET: u64 = 0;
const SUCCEEDED: u64 = 1;
const FAILED: u64 = 2;

impl Control for RunOnce {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        match cx.load::<u64>(0) {
            NOT_YET => Step::Continue,
            ended => Step::Done(ended == SUCCEEDED),
        }
    }
    fn ended(&self, cx: &mut Cx<'_>, _: usize, success: bool) -> Step {
        if success || !self.success_only {
            cx.store(0, if success { SUCCEEDED } else { FAILED });
        }
        Step::Done(success)
    }
}
