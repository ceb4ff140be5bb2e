use super::prelude::*;

/// Fails for some time after its child was started, ended or succeeded.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[
        Param::number("seconds", "how long it fails").unit("s").range(0.0, 1e9),
        Param::choice("on", &["start", "finish", "success"], "what the time is counted from")
            .default_text("finish"),
        Param::choice(
            "keep",
            &["persist", "reset"],
            "whether the time goes on when a branch that holds this node is aborted or halted, or is forgotten then",
        )
        .default_text("persist"),
    ],
    running: "the child is running",
    success: "the child succeeded",
    failure: "the child failed, or it is too early to start it",
    abort: "exits the child; with keep = \"persist\" the time goes on, and an aborted child counts as finished; with \"reset\" the time is forgotten, also when the child had ended before",
    memory: &[("ready_at", SlotType::Time)],
    ..NodeDef::new(
        "cooldown",
        Kind::Decorator,
        "lets its child start only some time after the last time",
        |make| {
            Part::control(Cooldown {
                time: make.time("seconds"),
                on_start: make.text("on") == "start",
                success_only: make.text("on") == "success",
                persist: make.text("keep") == "persist",
            })
        },
    )
};

struct Cooldown {
    time: u64,
    on_start: bool,
    success_only: bool,
    persist: bool,
}

impl Cooldown {
    fn start_time(&self, cx: &mut Cx<'_>) {
        let ready_at = cx.view().now().saturating_add(self.time);
        cx.store(0, ready_at);
    }
}

impl Control for Cooldown {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        if cx.view().now() < cx.load::<u64>(0) {
            return Step::Done(false);
        }
        if self.on_start {
            self.start_time(cx);
        }
        Step::Continue
    }
    fn ended(&self, cx: &mut Cx<'_>, _: usize, success: bool) -> Step {
        if !self.on_start && (success || !self.success_only) {
            self.start_time(cx);
        }
        Step::Done(success)
    }
    fn exit(&self, cx: &mut Cx<'_>, reason: Exit) {
        if let Exit::Aborted(_) = reason
            && !self.on_start
            && !self.success_only
        {
            self.start_time(cx);
        }
    }
    fn forgets(&self) -> bool {
        !self.persist
    }
    fn ends(&self, child: Ends) -> Ends {
        child.or(Ends::FAILURE)
    }
}
