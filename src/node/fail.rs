use super::prelude::*;
use super::succeed::Always;

/// Fails.
pub const DEF: NodeDef = NodeDef {
    success: "never",
    failure: "always, at once",
    ends: Ends::FAILURE,
    ..NodeDef::new("fail", Kind::Condition, "fails at once", |_| Part::condition(Always(false)))
};
