use super::prelude::*;

/// Asks whether the target was in view not long ago.
pub const DEF: NodeDef = NodeDef {
    params: &[Param::number("within", "how long ago at most; counted from when the last member lost it")
        .unit("s")
        .range(0.0, 1e6)
        .default(5.0)],
    success: "the target is in view, or was within that time",
    failure: "it was lost longer ago, or there is none",
    ..NodeDef::new(
        "remembers_target",
        Kind::Condition,
        "asks whether the target was in view not long ago",
        |make| {
            let within = make.time("within");
            make.remember_for(within);
            Part::condition(RemembersTarget { within })
        },
    )
};

struct RemembersTarget {
    within: u64,
}

impl Condition for RemembersTarget {
    fn check(&self, view: &View<'_>) -> bool {
        let Some(track) = view.target() else { return false };
        track.lost_at.is_none_or(|lost_at| view.now().saturating_sub(lost_at) < self.within)
    }
    fn wake(&self, view: &View<'_>) -> Wake {
        let lost_at = view.target().and_then(|track| track.lost_at);
        let ends =
            lost_at.map(|lost_at| lost_at.saturating_add(self.within)).filter(|ends| *ends > view.now());
        Wake::on_target().or(ends.map_or(Wake::NEVER, Wake::at))
    }
    fn evidence(&self, view: &View<'_>) -> Evidence {
        let lost_for =
            view.target().map(|track| track.lost_at.map_or(0, |lost_at| view.now().saturating_sub(lost_at)));
        let found = lost_for.map_or(Value::Nothing, |time| Value::Number(time as f64 * 1e-9));
        Evidence::of(What::TargetLostFor, found).against(self.within as f64 * 1e-9)
    }
}
