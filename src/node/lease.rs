use super::prelude::*;

/// Lets its child run while the agent holds a token of its squad that few may hold at once.
///
/// The token is returned when the node is left, however that comes about.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[
        Param::text("token", "what it is called: \"melee\""),
        Param::integer(
            "capacity",
            "how many members may hold it at once; what the squad offers when left out, or 1",
        )
        .range(1.0, 10_000.0)
        .optional(),
        Param::bool("wait", "whether it waits in the queue when none is free; else it fails at once")
            .default_bool(false),
        Param::number("hold", "how long it may be held while others wait; no limit when left out")
            .unit("s")
            .range(0.0, 1e6)
            .optional(),
    ],
    running: "the child is running, or it waits for the token",
    success: "the child succeeded",
    failure: "the child failed, no token is free, or it was held long enough and another waits",
    abort: "exits the child and returns the token",
    memory: &[("held", SlotType::Bool), ("since", SlotType::Time)],
    ..NodeDef::new("lease", Kind::Decorator, "lets its child run while the agent holds a token", |make| {
        let token = make.text("token").to_owned();
        Part::control(Lease {
            token: make.symbol(&token),
            capacity: make.args.get("capacity").map(|_| make.number("capacity") as u32),
            wait: make.bool("wait"),
            hold: make.args.get("hold").map(|_| make.time("hold")),
        })
    })
};

struct Lease {
    token: Symbol,
    capacity: Option<u32>,
    wait: bool,
    hold: Option<u64>,
}

impl Lease {
    fn take(&self, cx: &mut Cx<'_>) -> bool {
        let (key, now) = (cx.view().key(), cx.view().now());
        let got = cx.leases().take(self.token.number(), key);
        cx.store(0, got);
        cx.store(1, now);
        got
    }
}

impl Control for Lease {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        cx.store(0, false);
        let offered = cx.leases().token(self.token.number()).is_some();
        if self.capacity.is_some() || !offered {
            cx.leases().offer(self.token.number(), self.capacity.unwrap_or(1));
        }
        if self.take(cx) {
            return Step::Continue;
        }
        if !self.wait {
            return Step::Done(false);
        }
        let key = cx.view().key();
        cx.leases().wait(self.token.number(), key);
        Step::Yield
    }
    fn tick(&self, cx: &mut Cx<'_>, idle: bool) -> Step {
        if idle {
            return if self.take(cx) { Step::Child(0) } else { Step::Yield };
        }
        let over = self.hold.is_some_and(|hold| cx.view().now() >= cx.load::<u64>(1).saturating_add(hold));
        if over && cx.leases().is_wanted(self.token.number()) { Step::Done(false) } else { Step::Continue }
    }
    fn exit(&self, cx: &mut Cx<'_>, _: Exit) {
        let key = cx.view().key();
        if cx.load::<bool>(0) {
            cx.leases().give_back(self.token.number(), key);
        } else {
            cx.leases().leave(self.token.number(), key);
        }
        cx.store(0, false);
    }
    fn asks(&self) -> bool {
        self.hold.is_some()
    }
}
