use super::prelude::*;

/// Asks whether the agent holds a token or would get it now.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::text("token", "what it is called: \"melee\"").names(Named::Token),
        Param::choice("of", &["squad", "target"], "whose token it is, as in `lease`").default_text("squad"),
    ],
    success: "the agent holds it, or one is free beyond those who wait for it",
    failure: "none is free; of the target also if there is none",
    ..NodeDef::new("token_free", Kind::Condition, "asks whether a token is free", |make| {
        let token = make.text("token").to_owned();
        let token = make.symbol(&token);
        if make.text("of") == "target" {
            Part::condition(OfTarget { token })
        } else {
            Part::condition(OfSquad { token })
        }
    })
};

struct OfSquad {
    token: Symbol,
}

impl Condition for OfSquad {
    fn check(&self, view: &View<'_>) -> bool {
        // A token that nobody has asked for yet is free: its lease will offer it.
        let leases = view.leases();
        leases.token(self.token.number()).is_none() || leases.is_free_for(self.token.number(), view.key())
    }
    fn evidence(&self, view: &View<'_>) -> Evidence {
        Evidence::of(What::TokenFree, self.check(view))
    }
}

struct OfTarget {
    token: Symbol,
}

impl Condition for OfTarget {
    fn check(&self, view: &View<'_>) -> bool {
        view.target().is_some_and(|track| view.token_is_free(track.target, self.token))
    }
    fn wake(&self, _: &View<'_>) -> Wake {
        Wake::on_target().or(Wake::on_offers())
    }
    fn evidence(&self, view: &View<'_>) -> Evidence {
        match view.target() {
            None => Evidence::of(What::TargetInView, Value::Nothing),
            Some(_) => Evidence::of(What::TokenFree, self.check(view)),
        }
    }
}
