use super::prelude::*;

/// Asks whether the squad's ring stands.
pub const DEF: NodeDef = NodeDef {
    success: "enough members are at their places, or the first has waited long enough",
    failure: "it is still forming, or there is no ring",
    ..NodeDef::new("ring_set", Kind::Condition, "asks whether the squad's ring stands", |_| {
        Part::condition(RingSet)
    })
};

struct RingSet;

impl Condition for RingSet {
    fn check(&self, view: &View<'_>) -> bool {
        view.ring().is_set()
    }
    fn evidence(&self, view: &View<'_>) -> Evidence {
        Evidence::of(What::RingSet, view.ring().is_set())
    }
}
