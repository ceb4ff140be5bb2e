use super::prelude::*;

/// Runs its child a number of times, one attempt a tick.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[Param::integer(
        "times",
        "how often it must succeed; 0 succeeds at once without entering the child, \
                              and left out it goes on for ever",
    )
    .range(0.0, 1e9)
    .optional()],
    running: "the child is running, or the next attempt waits for the next tick",
    success: "the child succeeded that often, counted from this enter",
    failure: "the child failed",
    abort: "exits the child; the count starts from zero on the next enter",
    memory: &[("count", SlotType::Count)],
    ..NodeDef::new(
        "repeat_times",
        Kind::Decorator,
        "runs its child a number of times, once a tick at most",
        |make| {
            let times = make.args.get("times").map(|_| make.number("times") as u64);
            Part::control(RepeatTimes { times: times.unwrap_or(u64::MAX) })
        },
    )
};

struct RepeatTimes {
    times: u64,
}

impl Control for RepeatTimes {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        cx.store(0, 0_u64);
        if self.times == 0 { Step::Done(true) } else { Step::Continue }
    }
    fn ended(&self, cx: &mut Cx<'_>, _: usize, success: bool) -> Step {
        if !success {
            return Step::Done(false);
        }
        let count = cx.load::<u64>(0).saturating_add(1);
        cx.store(0, count);
        if count >= self.times { Step::Done(true) } else { Step::Yield }
    }
    fn ends(&self, child: Ends) -> Ends {
        match self.times {
            0 => Ends::SUCCESS,
            u64::MAX => Ends { success: false, ..child },
            _ => child,
        }
    }
    fn yields(&self) -> bool {
        self.times > 1
    }
}
