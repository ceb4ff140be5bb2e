use super::prelude::*;

/// Asks whether a key has a value. A truth value counts only when it is true.
pub const DEF: NodeDef = NodeDef {
    params: &[Param::key(
        "key",
        "the key to ask; a bool counts only when it is true, an entity only while it exists",
    )],
    success: "it has a value",
    failure: "it has none",
    ..NodeDef::new("has_value", Kind::Condition, "asks whether a key has a value, or is true", |make| {
        Part::condition(HasValue { key: make.key("key")? })
    })
};

struct HasValue {
    key: KeyId,
}

impl Condition for HasValue {
    fn check(&self, view: &View<'_>) -> bool {
        has_value(view, self.key)
    }
    fn wake(&self, view: &View<'_>) -> Wake {
        // Whether an entity exists is no matter of boards.
        match *view.peek(self.key) {
            Value::Entity(_) => Wake::NOW,
            _ => Wake::on(self.key.scope),
        }
    }
    fn evidence(&self, view: &View<'_>) -> Evidence {
        Evidence::of(What::Key(self.key), view.value(self.key))
    }
}

/// Whether a key has a value: a bool that is true, an entity that exists, anything of another type.
pub(super) fn has_value(view: &View<'_>, key: KeyId) -> bool {
    match *view.peek(key) {
        Value::Nothing | Value::Bool(false) => false,
        Value::Entity(entity) => view.exists(entity),
        _ => true,
    }
}
