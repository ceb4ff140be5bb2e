use super::prelude::*;

/// Sends a message to the squad. Each member, the sender too, hears it in its first thought after this tick, and in no
/// other.
pub const DEF: NodeDef = NodeDef {
    params: &[Param::text("name", "what it is called: \"flank\", \"help\"").names(Named::Sent)],
    success: "it was sent; `receive` hears it from the next tick on, in the next thought of each member",
    failure: "never",
    abort: "it is never running",
    ends: Ends::SUCCESS,
    ..NodeDef::new("send", Kind::Action, "sends a message to the members of the squad", |make| {
        let name = make.text("name").to_owned();
        Part::leaf(Send { name: make.symbol(&name) })
    })
};

struct Send {
    name: Symbol,
}

impl Leaf for Send {
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        cx.send(self.name);
        Status::Success
    }
}
