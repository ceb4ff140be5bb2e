use super::prelude::*;

/// A part of a tree with a name and parameters of its own. In Lua it is made by `bt.subtree { … }` and called
/// with what it is to be given; inside it, `bt.param "name"` stands for a parameter.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[Param::text("name", "what it is called in paths and tools").default_text("")],
    running: "the child is running",
    success: "the child succeeded",
    failure: "the child failed",
    abort: "exits the child",
    ..NodeDef::new("subtree", Kind::Decorator, "a named part of a tree, with parameters", |_| {
        Ok(Part::Flow(Flow::Map { success: true, failure: false }))
    })
};
