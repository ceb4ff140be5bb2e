use super::prelude::*;

/// A part of a tree that the game can swap by name while agents run: `world.set_slot("attack", &spec)`. Every slot
/// of that name, in every tree, runs what was set in place of its child until it is cleared; what is unchanged runs
/// on. The parameters of a subtree around it do not reach into what was set.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[Param::text("name", "by which the game swaps it; slots of one name are swapped together")],
    running: "the child, or what was set in its place, is running",
    success: "it succeeded",
    failure: "it failed",
    abort: "exits it",
    ..NodeDef::new(
        "slot",
        Kind::Decorator,
        "a part of a tree that can be swapped by name while it runs",
        |_| Ok(Part::Flow(Flow::Map { success: true, failure: false })),
    )
};
