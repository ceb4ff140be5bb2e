use super::prelude::*;

/// Lets the squad be after the body that a key holds, whatever the scores of targets are, as long as anything is known of it.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[
        Param::key(
            "from",
            "an entity key: whom to be after; while it holds nothing, the squad goes by scores",
        ),
        Param::number(
            "interval",
            "seconds between two looks, each agent at a time of its own; 0 looks each tick",
        )
        .unit("s")
        .range(0.0, 1e6)
        .default(0.0),
    ],
    running: "the child is running",
    success: "the child succeeded",
    failure: "the child failed",
    abort: "exits the child; the squad goes by scores again",
    memory: &[("next_at", SlotType::Time)],
    ..NodeDef::new(
        "prefer_target",
        Kind::Service,
        "lets the squad be after the body that a key holds, whatever the scores are",
        |make| {
            let from = make.key_typed("from", &[ValueType::Entity])?;
            Part::service(make.time("interval"), PreferTarget { from })
        },
    )
};

struct PreferTarget {
    from: KeyId,
}

impl Service for PreferTarget {
    fn run(&self, cx: &mut Cx<'_>) {
        let wanted = match cx.view().value(self.from) {
            Value::Entity(target) => Some(target),
            _ => None,
        };
        cx.prefer_target(wanted);
    }
    fn exit(&self, cx: &mut Cx<'_>) {
        cx.prefer_target(None);
    }
}
