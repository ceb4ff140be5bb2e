use super::prelude::*;

/// Adds to a number on a blackboard. Several agents that add in one tick all count.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::key("key", "the number or whole number to add to").written(),
        Param::number("by", "how much; negative takes away. A whole number takes whole numbers only")
            .default(1.0),
    ],
    success: "it was added (on a shared board it counts from the next tick on)",
    failure: "the key cannot be written",
    abort: "it is never running",
    ..NodeDef::new("increment", Kind::Action, "adds to a number on a blackboard", |make| {
        let key = make.key_typed("key", &[ValueType::Number, ValueType::Integer])?;
        let by = make.args.number("by");
        if make.schema().info(key).ty == ValueType::Integer && by.fract() != 0.0 {
            return Err(Error::new(
                ErrorKind::WrongType,
                format!("parameter 'by' must be whole for an integer, got {by}"),
            ));
        }
        Part::leaf(Increment { key, by })
    })
};

struct Increment {
    key: KeyId,
    by: f64,
}

impl Leaf for Increment {
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        cx.write(self.key, Change::Increment(self.by))
    }
}
