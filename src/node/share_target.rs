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
            Part::service(
                make.time("interval"),
                ShareTarget {
                    to: make.key_typed("to", &[ValueType::Entity])?,
                    at: make.key_typed("at", &[ValueType::Vec3])?,
                },
            )
        },
    )
};

struct ShareTarget {
    to: KeyId,
    at: KeyId,
}

impl Service for ShareTarget {
    /// Only what is perceived right now is told, never what was told: news cannot go round in circles.
    fn run(&self, cx: &mut Cx<'_>) {
        let Some(track) = cx.view().target().filter(|track| track.lost_at.is_none()).cloned() else { return };
        if cx.write(self.to, Change::Set(Value::Entity(track.target))) == Status::Success {
            cx.write(self.at, Change::Set(Value::Vec3(track.position)));
        }
    }
}
