use super::prelude::*;

/// Says a line to whoever listens: `world.said()`, the command's output.
pub const DEF: NodeDef = NodeDef {
    params: &[Param::text("text", "what to say")],
    success: "it was said",
    failure: "never",
    ends: Ends::SUCCESS,
    abort: "it is never running",
    ..NodeDef::new("log", Kind::Action, "says a line to whoever listens", |make| {
        Part::leaf(Log { text: make.text("text").to_owned() })
    })
};

struct Log {
    text: String,
}

impl Leaf for Log {
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        cx.say(self.text.clone());
        Status::Success
    }
}
