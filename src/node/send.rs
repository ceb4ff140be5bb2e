use super::prelude::*;

/// Sends a message to the squad. All members hear it in the next tick, the sender too, and in no other.
pub const DEF: NodeDef = NodeDef {
    params: &[Param::text("name", "what it is called: \"flank\", \"help\"")],
    success: "it was sent; `receive` hears it in the next tick, whoever thinks first",
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
