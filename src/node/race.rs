use super::prelude::*;

/// Runs all its children; the first to end, either way, decides.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Many,
    running: "no child has ended",
    success: "a child ended first, with success; the others are exited",
    failure: "a child ended first, with failure, or two ended in one tick and one of them failed; the others are exited",
    abort: "exits all children, in order",
    ..NodeDef::new("race", Kind::Composite, "does several things at once until one of them ends", |_| {
        Ok(Part::Fork(Box::new(Race)))
    })
};

struct Race;

impl Join for Race {
    fn decide(&self, tally: Tally) -> Option<bool> {
        let ended = tally.success + tally.failure > 0;
        ended.then_some(tally.failure == 0)
    }
}
