use super::prelude::*;

/// Follows several steering leaves at once.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Many,
    params: &[Param::choice(
        "by",
        &["weight", "priority", "context"],
        "how they become one: all by their weights, the first that wants something, or the best course that obstacles and neighbours leave",
    )
    .default_text("weight")],
    running: "at least one child is running and none has ended",
    success: "a child succeeded; the others are exited",
    failure: "a child failed; the others are exited",
    abort: "exits all children, in order",
    ..NodeDef::new("blend", Kind::Composite, "follows several steering leaves at once", |make| {
        let combine = match make.text("by") {
            "priority" => Combine::Priority,
            "context" => Combine::Context,
            _ => Combine::Weight,
        };
        Ok(Part::Fork(Box::new(Blend { combine })))
    })
};

struct Blend {
    combine: Combine,
}

impl Join for Blend {
    fn tick(&self, cx: &mut Cx<'_>) {
        cx.intent().combine = self.combine;
    }
    fn decide(&self, tally: Tally) -> Option<bool> {
        if tally.failure > 0 {
            return Some(false);
        }
        (tally.success > 0).then_some(true)
    }
    fn ends(&self, children: &[Ends]) -> Ends {
        Ends::any(children.iter().copied())
    }
}
