use super::prelude::*;

/// Brings back the default of a key.
pub const DEF: NodeDef = NodeDef {
    params: &[Param::key("key", "what to clear").written()],
    success: "the key has its default again (on a shared board from the next tick on)",
    failure: "the key cannot be written",
    abort: "it is never running",
    ..NodeDef::new("clear", Kind::Action, "brings back the default of a key", |make| {
        Part::leaf(Clear { key: make.key("key")? })
    })
};

struct Clear {
    key: KeyId,
}

impl Leaf for Clear {
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        cx.write(self.key, Change::Set(Value::Nothing))
    }
}
