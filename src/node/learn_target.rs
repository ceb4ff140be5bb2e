use super::prelude::*;
use crate::sense::{How, Report};

/// Reads keys that others write, and lets the squad know of the target that stands there, as news at second hand.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[
        Param::key("from", "an entity key: who it is"),
        Param::key("at", "a vec3 key: where it was perceived"),
        Param::key(
            "when",
            "a number key: when it was perceived, on the world's clock; while it stays so, the news grows old. Without it \
             the news is of now for as long as the keys hold it",
        )
        .optional(),
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
    abort: "exits the child; nothing is read any more",
    memory: &[("next_at", SlotType::Time)],
    ..NodeDef::new(
        "learn_target",
        Kind::Service,
        "takes over a target that others wrote to shared keys",
        |make| {
            Part::service(
                make.time("interval"),
                LearnTarget {
                    from: make.key_typed("from", &[ValueType::Entity])?,
                    at: make.key_typed("at", &[ValueType::Vec3])?,
                    when: match make.args.get("when") {
                        Some(_) => Some(make.key_typed("when", &[ValueType::Number])?),
                        None => None,
                    },
                },
            )
        },
    )
};

struct LearnTarget {
    from: KeyId,
    at: KeyId,
    when: Option<KeyId>,
}

impl LearnTarget {
    /// When it was perceived (ns); `None` while that is not known, though there is a key for it.
    fn seen_at(&self, view: &View<'_>) -> Option<u64> {
        let Some(when) = self.when else { return Some(view.now()) };
        let seconds = view.value(when).as_number()?;
        Some(((seconds.max(0.0) * 1e9).round() as u64).min(view.now()))
    }
}

impl Service for LearnTarget {
    fn run(&self, cx: &mut Cx<'_>) {
        let view = cx.view();
        let (Value::Entity(target), Value::Vec3(position)) = (view.value(self.from), view.value(self.at))
        else {
            return;
        };
        let known_better =
            view.tracks().iter().any(|track| track.target == target && track.lost_at.is_none());
        if known_better || !view.exists(target) {
            return;
        }
        let Some(at) = self.seen_at(&view) else { return };
        let by = view.agent().entity();
        cx.tell(Report { target, position, velocity: Vec3::ZERO, by, how: How::Told, at, hops: 1 });
    }
}
