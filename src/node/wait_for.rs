use super::has_value::has_value;
use super::prelude::*;
use super::receive::heard;

/// Does nothing until a key has a value or changes, or a message comes.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::key(
            "key",
            "what it waits for: a value (a bool must be true, an entity must exist), or a change",
        )
        .optional(),
        Param::bool(
            "change",
            "whether it waits for a change since it was entered, and not for a value; a shared key changes after the \
             tick in which it is written, an equal value is none",
        )
        .default_bool(false),
        Param::text("message", "what it waits for in place of a key: a message of the squad, see `send`")
            .names(Named::Heard)
            .optional(),
        Param::choice("from", &["anybody", "others"], "whether the agent's own messages count")
            .default_text("anybody"),
        Param::number("seconds", "how long it waits at most; left out it waits for ever")
            .unit("s")
            .range(0.0, 1e9)
            .optional(),
    ],
    running: "the key has no value, or has not changed, or no message came, and the time is not up",
    success: "the key has a value, or has changed, or a message came after the tick of the enter; also in the tick in \
              which the time is up",
    failure: "the time is up; left out, never",
    abort: "forgets the time and the changes",
    memory: &[("ends_at", SlotType::Time), ("since", SlotType::Count)],
    ..NodeDef::new(
        "wait_for",
        Kind::Action,
        "does nothing until a key has a value or changes, or a message comes",
        |make| {
            let time = make.args.get("seconds").map_or(u64::MAX, |_| make.time("seconds"));
            Part::leaf(WaitFor { sought: sought(make)?, time })
        },
    )
};

fn sought(make: &mut Make<'_>) -> crate::Result<Sought> {
    match (make.args.get("key").is_some(), make.args.get("message").is_some()) {
        (true, false) if make.bool("change") => Ok(Sought::Change(make.key("key")?)),
        (true, false) => Ok(Sought::Value(make.key("key")?)),
        (false, true) => {
            let name = make.text("message").to_owned();
            Ok(Sought::Message(make.symbol(&name), make.text("from") == "anybody"))
        }
        (false, false) => Err(Error::new(ErrorKind::Missing, "'wait_for' needs a 'key' or a 'message'")),
        (true, true) => {
            Err(Error::new(ErrorKind::Conflict, "'wait_for' takes a 'key' or a 'message', not both")
                .hint("bt.race { bt.wait_for { key = … }, bt.wait_for { message = … } } waits for either"))
        }
    }
}

enum Sought {
    Value(KeyId),
    Change(KeyId),
    Message(Symbol, bool),
}

struct WaitFor {
    sought: Sought,
    time: u64,
}

impl WaitFor {
    fn came(&self, cx: &Cx<'_>) -> bool {
        let (view, since) = (cx.view(), cx.load::<u64>(1));
        match self.sought {
            Sought::Value(key) => has_value(&view, key),
            Sought::Change(key) => u64::from(view.version(key)) != since,
            Sought::Message(name, own) => heard(&view, view.messages_from(since), name, own),
        }
    }

    /// What it found.
    fn reason(&self, view: &View<'_>) -> Evidence {
        match self.sought {
            Sought::Value(key) | Sought::Change(key) => Evidence::of(What::Key(key), view.value(key)),
            Sought::Message(name, _) => {
                Evidence::of(What::Message, Value::String(view.scene.symbols.name(name).clone()))
            }
        }
    }
}

impl Leaf for WaitFor {
    fn enter(&self, cx: &mut Cx<'_>) {
        let ends_at = cx.begin_time().saturating_add(self.time);
        let since = match self.sought {
            Sought::Value(key) | Sought::Change(key) => u64::from(cx.view().version(key)),
            Sought::Message(..) => cx.view().message_count(),
        };
        cx.store(0, ends_at);
        cx.store(1, since);
    }
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        match self.came(cx) {
            true => {
                cx.because(|cx| self.reason(&cx.view()));
                Status::Success
            }
            false if cx.view().now() >= cx.load::<u64>(0) => {
                cx.because(super::wait::time_up);
                Status::Failure
            }
            false => Status::Running,
        }
    }
    fn waiting(&self, at: &Glance<'_>) -> String {
        let name = |key: KeyId| &at.view().scene.schema.info(key).name;
        let what = match self.sought {
            Sought::Value(key) => format!("for a value of key '{}'", name(key)),
            Sought::Change(key) => format!("for a change of key '{}'", name(key)),
            Sought::Message(message, _) => format!("for message '{}'", at.name(message)),
        };
        super::at_most(what, &at.until(at.load(0)))
    }
    fn wake(&self, cx: &Cx<'_>) -> Wake {
        match self.sought {
            // A message is heard in the next thought or never.
            Sought::Message(..) => Wake::NOW,
            // Whether an entity exists is no matter of boards.
            Sought::Value(key) | Sought::Change(key) if matches!(cx.view().value(key), Value::Entity(_)) => {
                Wake::NOW
            }
            Sought::Value(key) | Sought::Change(key) => Wake::at(cx.load(0)).or(Wake::on(key.scope)),
        }
    }
}
