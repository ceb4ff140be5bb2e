use super::prelude::*;
use crate::tree::Message;

/// Asks whether a member of the squad sent a message since the agent thought last: in the last tick, unless its tree
/// thinks less often.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::text("name", "what the message is called, as in `send`").names(Named::Heard),
        Param::choice("from", &["anybody", "others"], "whether the agent's own messages count")
            .default_text("anybody"),
    ],
    success: "such a message was sent since the last thought of the agent, before this tick",
    failure: "there was none; one that could be heard before is gone",
    ..NodeDef::new("receive", Kind::Condition, "asks whether a message came from the squad", |make| {
        let name = make.text("name").to_owned();
        Part::condition(Receive { name: make.symbol(&name), own: make.text("from") == "anybody" })
    })
};

struct Receive {
    name: Symbol,
    own: bool,
}

impl Condition for Receive {
    fn check(&self, view: &View<'_>) -> bool {
        heard(view, view.messages(), self.name, self.own)
    }
}

/// Whether one of the messages has this name; the agent's own count if `own`.
pub(super) fn heard(view: &View<'_>, messages: &[Message], name: Symbol, own: bool) -> bool {
    let me = view.agent();
    messages.iter().any(|message| message.name == name && (own || message.from != me))
}
