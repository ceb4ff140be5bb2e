use super::prelude::*;

/// Lets its child run with a certain probability, drawn once on each enter.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[Param::number("probability", "how likely it is: 0 never, 1 always").range(0.0, 1.0).live()],
    running: "the child is running",
    success: "the child succeeded",
    failure: "the dice were against it, or the child failed",
    abort: "exits the child; the next enter draws anew",
    ..NodeDef::new("chance", Kind::Decorator, "lets its child run with a certain probability", |make| {
        Part::control(Chance { probability: make.live("probability")? })
    })
};

struct Chance {
    probability: Live,
}

impl Control for Chance {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        let probability = f64::from(cx.view().number(self.probability));
        if cx.dice().unit() < probability { Step::Continue } else { Step::Done(false) }
    }
}
