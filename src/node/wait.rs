use super::prelude::*;
use crate::math::nanoseconds;

/// Does nothing for some time.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::number("seconds", "how long").unit("s").range(0.0, 1e9).live(),
        Param::bool(
            "carry",
            "whether what is left of the tick when the time is up counts for the next wait, wait_random or wait_for \
             that this tick begins after it, which it shortens; a parallel passes it in to its children, not out",
        )
        .default_bool(false),
    ],
    running: "the time is not up, counted from the tick that entered it, or from when a wait with carry before it was up",
    success: "the time is up; with 0 s in the same tick",
    failure: "never",
    ends: Ends::SUCCESS,
    abort: "forgets the time",
    memory: &[("ends_at", SlotType::Time)],
    ..NodeDef::new("wait", Kind::Action, "does nothing for some time", |make| {
        Part::leaf(Wait { seconds: make.live("seconds")?, carry: make.bool("carry") })
    })
};

/// What a wait ends for: the time in its first word is over.
pub(super) fn time_up(cx: &Cx<'_>) -> Evidence {
    Evidence::of(What::TimeUp, cx.load::<u64>(0) as f64 * 1e-9)
}

struct Wait {
    seconds: Live,
    carry: bool,
}

impl Leaf for Wait {
    fn enter(&self, cx: &mut Cx<'_>) {
        let time = nanoseconds(cx.view().number(self.seconds));
        let ends_at = cx.begin_time().saturating_add(time);
        cx.store(0, ends_at);
    }
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        let ends_at = cx.load::<u64>(0);
        if cx.view().now() < ends_at {
            return Status::Running;
        }
        cx.because(time_up);
        if self.carry {
            cx.carry_time(ends_at);
        }
        Status::Success
    }
    fn timed(&self) -> bool {
        true
    }
    fn waiting(&self, at: &Glance<'_>) -> String {
        at.until(at.load(0))
    }
    fn wake(&self, cx: &Cx<'_>) -> Wake {
        Wake::at(cx.load(0))
    }
}
