use super::prelude::*;

/// Asks whether the agent stands where it wanted to get to.
pub const DEF: NodeDef = NodeDef {
    success: "it stands there, as steering found in the last tick",
    failure: "it is still on its way, or wanted nothing",
    ..NodeDef::new(
        "arrived",
        Kind::Condition,
        "asks whether the agent stands where it wanted to get to",
        |_| Part::condition(Arrived),
    )
};

struct Arrived;

impl Condition for Arrived {
    fn check(&self, view: &View<'_>) -> bool {
        view.arrived()
    }
    fn evidence(&self, view: &View<'_>) -> Evidence {
        Evidence::of(What::Arrived, view.arrived())
    }
}
