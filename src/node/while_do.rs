use super::prelude::*;

/// Chooses between two children by a condition that is asked in each tick.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Few(1, 2),
    condition: Some("when"),
    running: "the child that fits the condition is running; when the condition changes, it is aborted and the other \
              one is entered in the same tick",
    success: "the child that fits the condition succeeded",
    failure: "the child that fits the condition failed, or the condition does not hold and there is no second child",
    abort: "exits the running child",
    memory: &[("held", SlotType::Bool)],
    ..NodeDef::new(
        "while_do",
        Kind::Composite,
        "does its first child while a condition holds, and its second while it does not",
        |make| Part::control(WhileDo { otherwise: make.children() > 1 }),
    )
};

struct WhileDo {
    otherwise: bool,
}

impl WhileDo {
    fn choose(&self, cx: &mut Cx<'_>, holds: bool) -> Step {
        cx.store(0, holds);
        match (holds, self.otherwise) {
            (true, _) => Step::Child(0),
            (false, true) => Step::Child(1),
            (false, false) => Step::Done(false),
        }
    }
}

impl Control for WhileDo {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        let holds = cx.condition_holds();
        self.choose(cx, holds)
    }
    fn tick(&self, cx: &mut Cx<'_>, _: bool) -> Step {
        let holds = cx.condition_holds();
        if holds == cx.load::<bool>(0) { Step::Continue } else { self.choose(cx, holds) }
    }
    fn asks(&self) -> bool {
        true
    }
    fn wake(&self, _: &Cx<'_>) -> Wake {
        // What the condition depends on, it says itself.
        Wake::NEVER
    }
    fn why(&self) -> Why {
        Why::Guard
    }
}
