use super::prelude::*;

/// Writes a value to a blackboard.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::key("key", "what to write").written(),
        Param::value("to", "the value, of the key's type; or bt.key \"…\" of the same type"),
    ],
    success: "the value was written (on a shared board it counts from the next tick on)",
    failure: "the key cannot be written",
    abort: "it is never running",
    ..NodeDef::new("set", Kind::Action, "writes a value to a blackboard", |make| {
        let key = make.key("key")?;
        let to = make.value_for("to", key)?;
        Part::leaf(Set { key, to })
    })
};

struct Set {
    key: KeyId,
    to: Result<Value, KeyId>,
}

impl Leaf for Set {
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        let value = match &self.to {
            Ok(value) => value.clone(),
            Err(other) => cx.view().value(*other),
        };
        cx.write(self.key, Change::Set(value))
    }
}
