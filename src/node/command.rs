use super::prelude::*;
use std::sync::Arc;

/// Asks something of the game: it finds the command in the agent's output of this tick.
pub const DEF: NodeDef = NodeDef {
    params: &[Param::text("name", "what for, as the game calls it: \"attack\", \"howl\"")],
    success: "it was asked; what the game makes of it is the game's",
    failure: "never",
    ends: Ends::SUCCESS,
    abort: "it is never running",
    ..NodeDef::new("command", Kind::Action, "asks something of the game", |make| {
        Part::leaf(Command { name: make.text("name").into() })
    })
};

struct Command {
    name: Arc<str>,
}

impl Leaf for Command {
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        let target = cx.view().target().map(|track| track.target).unwrap_or_default();
        cx.command(self.name.clone(), target);
        Status::Success
    }
}
