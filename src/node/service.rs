use super::prelude::*;

/// Calls a function of a script at intervals while its branch is active.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[
        Param::number(
            "interval",
            "seconds between two calls, each agent at a time of its own; 0 calls each tick",
        )
        .unit("s")
        .range(0.0, 1e6)
        .default(0.5),
        Param::function(
            "run",
            "called with the agent, first when the branch is entered; what it returns does not matter",
        ),
    ],
    running: "the child is running",
    success: "the child succeeded",
    failure: "the child failed",
    abort: "exits the child; it is not called any more",
    memory: &[("next_at", SlotType::Time)],
    ..NodeDef::new(
        "service",
        Kind::Service,
        "calls a function of a script while its branch is active",
        |make| {
            let run =
                make.function("run").ok_or_else(|| Error::new(ErrorKind::Missing, "'run' is no function"))?;
            Part::service(make.time("interval"), ScriptService { run })
        },
    )
};

struct ScriptService {
    run: Function,
}

impl Service for ScriptService {
    fn run(&self, cx: &mut Cx<'_>) {
        cx.call(&self.run, Hook::Enter);
    }
    fn exit(&self, cx: &mut Cx<'_>) {
        cx.forget();
    }
}
