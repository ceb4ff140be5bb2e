use super::Rhythm;
use super::prelude::*;

/// Writes whom the squad sees, and where, to keys that others read: how one squad tells another.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[
        Param::key("to", "an entity key, of the team or the world: who it is").written(),
        Param::key("at", "a vec3 key: where it was perceived").written(),
        Param::number(
            "interval",
            "seconds between two writes, each agent at a time of its own; 0 writes each tick",
        )
        .unit("s")
        .range(0.0, 1e6)
        .default(0.0),
    ],
    running: "the child is running",
    success: "the child succeeded",
    failure: "the child failed",
    abort: "exits the child; nothing is written any more",
    memory: &[("next_at", SlotType::Time)],
    ..NodeDef::new(
        "share_target",
        Kind::Service,
        "tells others whom the squad itself perceives, on shared keys",
        |make| {
            Part::control(ShareTarget {
                rhythm: Rhythm { interval: make.time("interval") },
                to: make.key_typed("to", &[ValueType::Entity])?,
                at: make.key_typed("at", &[ValueType::Vec3])?,
            })
        },
    )
};

struct ShareTarget {
    rhythm: Rhythm,
    to: KeyId,
    at: KeyId,
}

impl ShareTarget {
    /// Only what is perceived right now is told, never what was told: news cannot go round in circles.
    fn share(&self, cx: &mut Cx<'_>) {
        let Some(track) = cx.view().target().filter(|track| track.lost_at.is_none()).cloned() else { return };
        if cx.write(self.to, Change::Set(Value::Entity(track.target))) == Status::Success {
            cx.write(self.at, Change::Set(Value::Vec3(track.position)));
        }
    }
}

impl Control for ShareTarget {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        self.rhythm.due_first(cx);
        self.share(cx);
        Step::Continue
    }
    fn tick(&self, cx: &mut Cx<'_>, _: bool) -> Step {
        if self.rhythm.due(cx) {
            self.share(cx);
        }
        Step::Continue
    }
    fn passes(&self) -> bool {
        true
    }
    fn asks(&self) -> bool {
        true
    }
    fn ends(&self, child: Ends) -> Ends {
        child
    }
    fn timed(&self) -> bool {
        self.rhythm.interval > 0
    }
}
