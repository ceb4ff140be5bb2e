use super::prelude::*;

/// Asks whether something is near.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::aim(
            "of",
            "what: \"target\", \"place\", \"home\", \"squad\", \"leader\", a vec3, or bt.key \"…\"",
        )
        .default_text("target"),
        Param::number("below", "how near, from centre to centre").unit("m").range(0.0, f64::INFINITY).live(),
    ],
    success: "it is nearer than that",
    failure: "it is not, or there is nothing there",
    ..NodeDef::new("in_range", Kind::Condition, "asks whether something is near", |make| {
        let of = make.aim("of")?.unwrap_or(Aim::Target);
        Part::condition(InRange { of, below: make.live("below")? })
    })
};

struct InRange {
    of: Aim,
    below: Live,
}

impl Condition for InRange {
    fn check(&self, view: &View<'_>) -> bool {
        let Some((point, _)) = view.aim(self.of) else { return false };
        view.distance(point) < view.number(self.below)
    }
    fn evidence(&self, view: &View<'_>) -> Evidence {
        let found = view.aim(self.of).map_or(Value::Nothing, |(point, _)| view.distance(point).into());
        Evidence::of(What::Distance, found).against(view.number(self.below))
    }
}
