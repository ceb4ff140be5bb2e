use super::prelude::*;
use crate::math::nanoseconds;

/// Does nothing for some time.
pub const DEF: NodeDef = NodeDef {
    params: &[Param::number("seconds", "how long").unit("s").range(0.0, 1e9).live()],
    running: "the time is not up, counted from the tick that entered it",
    success: "the time is up; with 0 s in the same tick",
    failure: "never",
    ends: Ends::SUCCESS,
    abort: "forgets the time",
    memory: &[("ends_at", SlotType::Time)],
    ..NodeDef::new("wait", Kind::Action, "does nothing for some time", |make| {
        Part::leaf(Wait { seconds: make.live("seconds")? })
    })
};

struct Wait {
    seconds: Live,
}

impl Leaf for Wait {
    fn enter(&self, cx: &mut Cx<'_>) {
        let time = nanoseconds(cx.view().number(self.seconds));
        let ends_at = cx.view().now().saturating_add(time);
        cx.store(0, ends_at);
    }
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        if cx.view().now() >= cx.load::<u64>(0) { Status::Success } else { Status::Running }
    }
    fn timed(&self) -> bool {
        true
    }
    fn wake(&self, cx: &Cx<'_>) -> Wake {
        Wake::at(cx.load(0))
    }
}
