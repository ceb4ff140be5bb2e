use super::prelude::*;

/// Chooses between two children by a condition, once.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Few(1, 2),
    condition: Some("when"),
    running: "the chosen child is running, whatever became of the condition",
    success: "the chosen child succeeded",
    failure: "the chosen child failed, or the condition did not hold and there is no second child",
    abort: "exits the chosen child",
    ..NodeDef::new(
        "if_then_else",
        Kind::Composite,
        "does its first child if a condition holds on enter, else its second",
        |make| Part::control(IfThenElse { otherwise: make.children() > 1 }),
    )
};

struct IfThenElse {
    otherwise: bool,
}

impl Control for IfThenElse {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        match (cx.condition_holds(), self.otherwise) {
            (true, _) => Step::Child(0),
            (false, true) => Step::Child(1),
            (false, false) => Step::Done(false),
        }
    }
}
