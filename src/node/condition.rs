use super::prelude::*;

/// A question written in Lua, without effect.
pub const DEF: NodeDef = NodeDef {
    params: &[Param::function("test", "called with the agent; returns true or false, and changes nothing")],
    success: "test returned true",
    failure: "test returned false, or there was an error in the script",
    ..NodeDef::new("condition", Kind::Condition, "a question written in Lua", |make| {
        let test =
            make.function("test").ok_or_else(|| Error::new(ErrorKind::Missing, "'test' is no function"))?;
        Part::condition(ScriptCondition { test })
    })
};

struct ScriptCondition {
    test: Function,
}

impl Condition for ScriptCondition {
    fn check(&self, _: &View<'_>) -> bool {
        false
    }
    fn function(&self) -> Option<&Function> {
        Some(&self.test)
    }
}
