use super::prelude::*;

/// Appends a point to a list on a blackboard.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::key("key", "the list to append to").written(),
        Param::aim(
            "point",
            "what to append: \"target\", \"place\", \"home\", \"squad\", \"leader\", a vec3, or bt.key \"…\"",
        ),
    ],
    success: "the point was appended",
    failure: "there is no such point now, or the key cannot be written",
    abort: "it is never running",
    ..NodeDef::new("append", Kind::Action, "appends a point to a list on a blackboard", |make| {
        let key = make.key_typed("key", &[ValueType::List])?;
        let point = make.aim("point")?.unwrap_or(Aim::Target);
        Part::leaf(Append { key, point })
    })
};

struct Append {
    key: KeyId,
    point: Aim,
}

impl Leaf for Append {
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        let Some((point, _)) = cx.view().aim(self.point) else { return Status::Failure };
        cx.write(self.key, Change::Append(point))
    }
}
