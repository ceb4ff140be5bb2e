use super::has_value::has_value;
use super::prelude::*;

/// Does nothing until a key has a value, or changes.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::key(
            "key",
            "what it waits for: a value (a bool must be true, an entity must exist), or a change",
        ),
        Param::bool(
            "change",
            "whether it waits for a change since it was entered, and not for a value; a shared key changes after the \
             tick in which it is written, an equal value is none",
        )
        .default_bool(false),
        Param::number("seconds", "how long it waits at most; left out it waits for ever")
            .unit("s")
            .range(0.0, 1e9)
            .optional(),
    ],
    running: "the key has no value, or has not changed, and the time is not up",
    success: "the key has a value, or has changed, also in the tick in which the time is up",
    failure: "the time is up; left out, never",
    abort: "forgets the time and the changes",
    memory: &[("ends_at", SlotType::Time), ("version", SlotType::Count)],
    ..NodeDef::new("wait_for", Kind::Action, "does nothing until a key has a value, or changes", |make| {
        let time = make.args.get("seconds").map_or(u64::MAX, |_| make.time("seconds"));
        Part::leaf(WaitFor { key: make.key("key")?, change: make.bool("change"), time })
    })
};

struct WaitFor {
    key: KeyId,
    change: bool,
    time: u64,
}

impl Leaf for WaitFor {
    fn enter(&self, cx: &mut Cx<'_>) {
        let ends_at = cx.begin_time().saturating_add(self.time);
        let version = u64::from(cx.view().version(self.key));
        cx.store(0, ends_at);
        cx.store(1, version);
    }
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        let came = if self.change {
            u64::from(cx.view().version(self.key)) != cx.load::<u64>(1)
        } else {
            has_value(&cx.view(), self.key)
        };
        match came {
            true => Status::Success,
            false if cx.view().now() >= cx.load::<u64>(0) => Status::Failure,
            false => Status::Running,
        }
    }
    fn wake(&self, cx: &Cx<'_>) -> Wake {
        // Whether an entity exists is no matter of boards.
        match cx.view().value(self.key) {
            Value::Entity(_) => Wake::NOW,
            _ => Wake::at(cx.load(0)).or(Wake::on(self.key.scope)),
        }
    }
}
