use super::prelude::*;

/// Does its second child when the first has ended, either way. Work for an abort belongs into the exit of a leaf: no
/// branch can begin while one is made to stop.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Few(2, 2),
    running: "the first child is running, or it has ended and the second is running",
    success: "the first child succeeded and the second has ended, either way",
    failure: "the first child failed and the second has ended, either way",
    abort: "exits the running child; the second child is not entered, since nothing can begin in an abort",
    memory: &[("succeeded", SlotType::Bool)],
    ..NodeDef::new(
        "finally",
        Kind::Composite,
        "does its first child and then, however that ended, its second; the first decides",
        |_| Part::control(Finally),
    )
};

struct Finally;

impl Control for Finally {
    fn ended(&self, cx: &mut Cx<'_>, child: usize, success: bool) -> Step {
        if child > 0 {
            return Step::Done(cx.load(0));
        }
        cx.store(0, success);
        Step::Child(1)
    }
    fn skipped(&self, cx: &mut Cx<'_>, child: usize) -> Step {
        self.ended(cx, child, true)
    }
}
