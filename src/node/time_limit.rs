use super::prelude::*;

/// Aborts its child when it takes too long. The child is ticked first: one that ends on the late tick keeps its result.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[Param::number("seconds", "how long the child may run").unit("s").range(0.0, 1e9)],
    running: "the child is running and the time is not up",
    success: "the child succeeded",
    failure: "the child failed, or its time was up",
    abort: "exits the child; the time starts anew on the next enter",
    memory: &[("ends_at", SlotType::Time)],
    ..NodeDef::new("time_limit", Kind::Decorator, "aborts its child when it takes too long", |make| {
        Part::control(TimeLimit { time: make.time("seconds") })
    })
};

struct TimeLimit {
    time: u64,
}

impl Control for TimeLimit {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        let ends_at = cx.view().now().saturating_add(self.time);
        cx.store(0, ends_at);
        Step::Continue
    }
    fn running(&self, cx: &mut Cx<'_>) -> Step {
        if cx.view().now() >= cx.load::<u64>(0) { Step::Done(false) } else { Step::Continue }
    }
    fn asks(&self) -> bool {
        true
    }
    fn why(&self) -> Why {
        Why::TimeLimit
    }
    fn wake(&self, cx: &Cx<'_>) -> Wake {
        Wake::at(cx.load(0))
    }
    fn ends(&self, child: Ends) -> Ends {
        child.or(Ends::FAILURE)
    }
    fn timed(&self) -> bool {
        true
    }
    fn evidence(&self, cx: &Cx<'_>) -> Evidence {
        Evidence::of(What::TimerEnds, cx.load::<u64>(0) as f64 * 1e-9)
    }
}
