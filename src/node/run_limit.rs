use super::prelude::*;

/// Fails once its child has run a number of times in the life of the agent's tree.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[
        Param::integer("times", "how often it may run; 0 never enters the child").range(0.0, 1e9),
        Param::choice("on", &["finish", "success", "failure"], "the ends that count; an abort never does")
            .default_text("finish"),
    ],
    running: "the child is running",
    success: "the child succeeded",
    failure: "the child failed, or it has run that often",
    abort: "exits the child; the count is kept",
    memory: &[("count", SlotType::Count)],
    ..NodeDef::new(
        "run_limit",
        Kind::Decorator,
        "lets its child run a number of times, and no more",
        |make| {
            let on = make.text("on");
            Part::control(RunLimit {
                times: make.number("times") as u64,
                success: on != "failure",
                failure: on != "success",
            })
        },
    )
};

struct RunLimit {
    times: u64,
    success: bool,
    failure: bool,
}

impl Control for RunLimit {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        if cx.load::<u64>(0) >= self.times { Step::Done(false) } else { Step::Continue }
    }
    fn ended(&self, cx: &mut Cx<'_>, _: usize, success: bool) -> Step {
        if if success { self.success } else { self.failure } {
            let count = cx.load::<u64>(0).saturating_add(1);
            cx.store(0, count);
        }
        Step::Done(success)
    }
}
