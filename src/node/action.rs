use super::prelude::*;

/// An action written in Lua.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::function(
            "tick",
            "called each tick with the agent; returns \"success\", \"failure\" or \"running\"",
        ),
        Param::function("enter", "called before the first tick").optional(),
        Param::function(
            "exit",
            "called once when it is left, with the agent and \"success\", \"failure\" or \"aborted\"",
        )
        .optional(),
    ],
    running: "tick returned \"running\"",
    success: "tick returned \"success\" or true",
    failure: "tick returned \"failure\" or false, or there was an error in the script",
    abort: "calls exit with \"aborted\"",
    ..NodeDef::new("action", Kind::Action, "an action written in Lua", |make| {
        let tick =
            make.function("tick").ok_or_else(|| Error::new(ErrorKind::Missing, "'tick' is no function"))?;
        Part::leaf(ScriptAction { tick, enter: make.function("enter"), exit: make.function("exit") })
    })
};

struct ScriptAction {
    tick: Function,
    enter: Option<Function>,
    exit: Option<Function>,
}

impl Leaf for ScriptAction {
    fn enter(&self, cx: &mut Cx<'_>) {
        cx.forget();
        if let Some(enter) = &self.enter {
            cx.call(enter, Hook::Enter);
        }
    }
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        cx.call(&self.tick, Hook::Tick)
    }
    fn exit(&self, cx: &mut Cx<'_>, reason: Exit) {
        if let Some(exit) = &self.exit {
            cx.call(exit, Hook::Exit(reason));
        }
        cx.forget();
    }
}
