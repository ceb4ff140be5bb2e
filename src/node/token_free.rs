use super::prelude::*;

/// Asks whether the agent holds a token or would get it now.
pub const DEF: NodeDef = NodeDef {
    params: &[Param::text("token", "what it is called: \"melee\"")],
    success: "the agent holds it, or one is free beyond those who wait for it",
    failure: "none is free",
    ..NodeDef::new("token_free", Kind::Condition, "asks whether a token is free", |make| {
        let token = make.text("token").to_owned();
        Part::condition(TokenFree { token: make.symbol(&token) })
    })
};

struct TokenFree {
    token: Symbol,
}

impl Condition for TokenFree {
    fn check(&self, view: &View<'_>) -> bool {
        // A token that nobody has asked for yet is free: its lease will offer it.
        let leases = view.leases();
        leases.token(self.token.number()).is_none() || leases.is_free_for(self.token.number(), view.key())
    }
    fn evidence(&self, view: &View<'_>) -> Evidence {
        Evidence::of(What::TokenFree, self.check(view))
    }
}
