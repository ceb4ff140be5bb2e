use super::prelude::*;

/// Gives a name to what its branch does, for events, drawings and reports.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[Param::text("name", "what it is called: \"flee\", \"call_for_help\"")],
    running: "the child is running",
    success: "the child succeeded",
    failure: "the child failed",
    abort: "exits the child; the name stays until another branch gives one",
    ..NodeDef::new("mode", Kind::Decorator, "gives a name to what its branch does", |make| {
        let name = make.text("name").to_owned();
        Part::control(Mode { name: make.symbol(&name) })
    })
};

struct Mode {
    name: Symbol,
}

impl Control for Mode {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        cx.intent().mode = self.name;
        Step::Continue
    }
    fn running(&self, cx: &mut Cx<'_>) -> Step {
        cx.intent().mode = self.name;
        Step::Continue
    }
    fn passes(&self) -> bool {
        true
    }
    fn asks(&self) -> bool {
        true
    }
    fn wake(&self, _: &Cx<'_>) -> Wake {
        Wake::NEVER
    }
    fn ends(&self, child: Ends) -> Ends {
        child
    }
}
