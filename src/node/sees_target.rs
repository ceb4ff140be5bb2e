use super::prelude::*;

/// Asks whether the target is in view.
pub const DEF: NodeDef = NodeDef {
    params: &[Param::choice(
        "by",
        &["squad", "self"],
        "who must perceive it: any member of the squad (breaks shorter than the grace time do not count), or the \
         agent itself right now",
    )
    .default_text("squad")],
    success: "the target is in view",
    failure: "it is not, or there is none",
    ..NodeDef::new("sees_target", Kind::Condition, "asks whether the target is in view", |make| {
        Part::condition(SeesTarget { own: make.text("by") == "self" })
    })
};

struct SeesTarget {
    own: bool,
}

impl Condition for SeesTarget {
    fn check(&self, view: &View<'_>) -> bool {
        if self.own { view.perceives_target() } else { view.target().is_some_and(|track| track.in_view) }
    }
    fn wake(&self, _: &View<'_>) -> Wake {
        if self.own { Wake::NOW } else { Wake::on_target() }
    }
    fn evidence(&self, view: &View<'_>) -> Evidence {
        match view.target() {
            None => Evidence::of(What::TargetInView, Value::Nothing),
            Some(_) => Evidence::of(What::TargetInView, self.check(view)),
        }
    }
}
