use super::prelude::*;
use crate::math::nanoseconds;

/// Does nothing for a time that is drawn on each enter.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::number("low", "the shortest time").unit("s").range(0.0, 1e9).live(),
        Param::number(
            "high",
            "the longest time; one that is below the shortest (from a key) is taken for it",
        )
        .unit("s")
        .range(0.0, 1e9)
        .live(),
    ],
    running: "the time is not up, counted from the tick that entered it, or from when a wait with carry before it was up",
    success: "the time is up; with 0 s in the same tick",
    failure: "never",
    abort: "forgets the time; the next enter draws anew",
    memory: &[("ends_at", SlotType::Time)],
    ends: Ends::SUCCESS,
    ..NodeDef::new("wait_random", Kind::Action, "does nothing for a time between two", |make| {
        let (low, high) = (make.live("low")?, make.live("high")?);
        if let (Live::Fixed(low), Live::Fixed(high)) = (low, high)
            && high < low
        {
            let message = format!("parameter 'high' must be at least 'low', {low} s, got {high}");
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        Part::leaf(WaitRandom { low, high })
    })
};

struct WaitRandom {
    low: Live,
    high: Live,
}

impl Leaf for WaitRandom {
    fn enter(&self, cx: &mut Cx<'_>) {
        let [low, high] = [self.low, self.high].map(|live| nanoseconds(cx.view().number(live)));
        let spread = high.saturating_sub(low).saturating_add(1);
        let time = low.saturating_add(cx.dice().below(spread));
        let ends_at = cx.begin_time().saturating_add(time);
        cx.store(0, ends_at);
    }
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        if cx.view().now() < cx.load::<u64>(0) {
            return Status::Running;
        }
        cx.because(super::wait::time_up);
        Status::Success
    }
    fn waiting(&self, at: &Glance<'_>) -> String {
        at.until(at.load(0))
    }
    fn wake(&self, cx: &Cx<'_>) -> Wake {
        Wake::at(cx.load(0))
    }
}
