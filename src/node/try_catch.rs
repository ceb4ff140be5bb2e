use super::prelude::*;

/// Cleans up after a failure. The cleanup does not hide it.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Few(2, 2),
    running: "the first child is running, or it has failed and the second is running",
    success: "the first child succeeded; the second is not entered",
    failure: "the first child failed and the second has ended, either way",
    abort: "exits the running child; an abort is no failure, so the second child is not entered",
    ..NodeDef::new(
        "try_catch",
        Kind::Composite,
        "does its first child and, if that fails, its second, and then fails",
        |_| Part::control(TryCatch),
    )
};

struct TryCatch;

impl Control for TryCatch {
    fn ended(&self, _: &mut Cx<'_>, child: usize, success: bool) -> Step {
        match (child, success) {
            (0, true) => Step::Done(true),
            (0, false) => Step::Child(1),
            _ => Step::Done(false),
        }
    }
    fn skipped(&self, cx: &mut Cx<'_>, child: usize) -> Step {
        self.ended(cx, child, true)
    }
}
