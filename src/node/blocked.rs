use super::prelude::*;

/// Asks whether the agent wants to get on and cannot.
pub const DEF: NodeDef = NodeDef {
    success: "it has wanted to get on for three seconds and has not got anywhere, as steering found in the last tick",
    failure: "it gets on, or wants nothing",
    ..NodeDef::new("blocked", Kind::Condition, "asks whether the agent wants to get on and cannot", |_| {
        Part::condition(Blocked)
    })
};

struct Blocked;

impl Condition for Blocked {
    fn check(&self, view: &View<'_>) -> bool {
        view.blocked()
    }
    fn evidence(&self, view: &View<'_>) -> Evidence {
        Evidence::of(What::Blocked, view.blocked())
    }
}
