use super::prelude::*;

/// Runs its child until it succeeds, one attempt a tick.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[Param::integer(
        "times",
        "how many attempts; 0 fails at once without entering the child, and left \
                              out it goes on for ever",
    )
    .range(0.0, 1e9)
    .optional()],
    running: "the child is running, or the next attempt waits for the next tick",
    success: "the child succeeded",
    failure: "the child failed that often, counted from this enter",
    abort: "exits the child; the count starts from zero on the next enter",
    memory: &[("count", SlotType::Count)],
    ..NodeDef::new(
        "retry",
        Kind::Decorator,
        "runs its child until it succeeds, once a tick at most",
        |make| {
            let times = make.args.get("times").map(|_| make.number("times") as u64);
            Part::control(Retry { times: times.unwrap_or(u64::MAX) })
        },
    )
};

struct Retry {
    times: u64,
}

impl Control for Retry {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        cx.store(0, 0_u64);
        if self.times == 0 { Step::Done(false) } else { Step::Continue }
    }
    fn ended(&self, cx: &mut Cx<'_>, _: usize, success: bool) -> Step {
        if success {
            return Step::Done(true);
        }
        let count = cx.load::<u64>(0).saturating_add(1);
        cx.store(0, count);
        if count >= self.times { Step::Done(false) } else { Step::Yield }
    }
    fn ends(&self, child: Ends) -> Ends {
        match self.times {
            0 => Ends::FAILURE,
            u64::MAX => Ends { failure: false, ..child },
            _ => child,
        }
    }
    fn yields(&self) -> bool {
        self.times > 1
    }
}
