use super::prelude::*;
use crate::math::nanoseconds;

/// Lets its child start only after some time.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[Param::number("seconds", "how long it waits; 0 starts the child in the same tick")
        .unit("s")
        .range(0.0, 1e9)
        .live()],
    running: "the time is not up, counted from the tick that entered it, or the child is running",
    success: "the child succeeded",
    failure: "the child failed",
    abort: "exits the child, if it has started; the time starts anew on the next enter",
    memory: &[("starts_at", SlotType::Time)],
    ..NodeDef::new("delay", Kind::Decorator, "lets its child start after some time", |make| {
        Part::control(Delay { seconds: make.live("seconds")? })
    })
};

struct Delay {
    seconds: Live,
}

impl Control for Delay {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        let time = nanoseconds(cx.view().number(self.seconds));
        let starts_at = cx.view().now().saturating_add(time);
        cx.store(0, starts_at);
        self.tick(cx, true)
    }
    fn tick(&self, cx: &mut Cx<'_>, _: bool) -> Step {
        if cx.view().now() >= cx.load::<u64>(0) { Step::Child(0) } else { Step::Yield }
    }
    fn waiting(&self, at: &Glance<'_>) -> String {
        at.until(at.load(0))
    }
}
