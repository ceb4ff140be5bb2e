use super::prelude::*;

/// An action written in Lua as a story that waits.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::function(
            "run",
            "called once with the agent; it goes on over the ticks: wait(seconds) and wait_until(test, seconds) wait, and steering lasts until it ends",
        ),
        Param::function("enter", "called before it begins").optional(),
        Param::function(
            "exit",
            "called once when it is left, with the agent and \"success\", \"failure\" or \"aborted\"",
        )
        .optional(),
    ],
    running: "run waits, or steers towards an end",
    success: "run came to its end, or returned \"success\" or true",
    failure: "run returned \"failure\" or false, or there was an error in the script",
    abort: "closes the coroutine, and calls exit with \"aborted\"",
    memory: &[("waits_until", SlotType::Time), ("called_at", SlotType::Time)],
    ..NodeDef::new("coroutine", Kind::Action, "an action written in Lua as a story that waits", |make| {
        let run =
            make.function("run").ok_or_else(|| Error::new(ErrorKind::Missing, "'run' is no function"))?;
        Part::leaf(ScriptCoroutine { run, enter: make.function("enter"), exit: make.function("exit") })
    })
};

struct ScriptCoroutine {
    run: Function,
    enter: Option<Function>,
    exit: Option<Function>,
}

impl Leaf for ScriptCoroutine {
    fn enter(&self, cx: &mut Cx<'_>) {
        cx.forget();
        cx.store(0, 0_u64);
        if let Some(enter) = &self.enter {
            cx.call(enter, Hook::Enter);
        }
    }
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        let now = cx.view().now();
        // One without a thread begins anew, whatever it waited for.
        if now < cx.load::<u64>(0) && cx.is_kept_by_host() {
            return Status::Running;
        }
        cx.store(0, 0_u64);
        cx.store(1, now);
        cx.call(&self.run, Hook::Resume)
    }
    fn exit(&self, cx: &mut Cx<'_>, reason: Exit) {
        cx.close();
        if let Some(exit) = &self.exit {
            cx.call(exit, Hook::Exit(reason));
        }
        cx.forget();
    }
    fn waiting(&self, at: &Glance<'_>) -> String {
        match at.load::<u64>(0) {
            until if until > at.view().now() => at.until(until),
            _ => "for what its script asks in each tick".to_owned(),
        }
    }
    fn wake(&self, cx: &Cx<'_>) -> Wake {
        // In the tick of a call it may have steered: only the next one is like those after it.
        let called = cx.view().now() == cx.load::<u64>(1);
        if called { Wake::NOW } else { Wake::at(cx.load(0)) }
    }
}
