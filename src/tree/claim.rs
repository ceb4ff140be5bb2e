//! Tokens of bodies, as the agent that thinks sees and claims them.

use super::cx::Cx;
use super::intent::Symbol;
use super::view::View;
use crate::entity::Entity;
use crate::squad::{Claim, Standing, Wish};

impl View<'_> {
    /// What this agent itself claimed in this tick: the last run of the desk's claims, as nobody else thinks meanwhile.
    fn own_claims(&self) -> &[Claim] {
        let (me, claims) = (self.agent(), &self.desk.claims);
        let others = claims.iter().rposition(|claim| claim.by != me);
        &claims[others.map_or(0, |at| at + 1)..]
    }

    /// How the agent stands to a token of a body: as it was settled after the last tick, and as its own claims of this
    /// tick have it.
    pub fn token_standing(&self, of: Entity, token: Symbol) -> Standing {
        self.scene.offers.standing(of, token.number(), self.agent(), self.own_claims())
    }

    /// Whether the agent holds a token of a body, or would get it if it asked in this tick and nobody else did. Nobody
    /// gets one of a body that is not there.
    pub fn token_is_free(&self, of: Entity, token: Symbol) -> bool {
        self.exists(of) && self.scene.offers.is_free_for(of, token.number(), self.agent(), self.own_claims())
    }

    /// Whether anybody waits for a token of a body.
    pub fn token_is_wanted(&self, of: Entity, token: Symbol) -> bool {
        self.scene.offers.token(of, token.number()).is_some_and(|token| token.queue().next().is_some())
    }

    /// How often a body took its tokens back from all: whoever claimed one in another round has lost it.
    pub fn token_round(&self, of: Entity) -> u64 {
        self.scene.offers.round(of)
    }
}

impl Cx<'_> {
    /// Claims a token of a body, or lets go of it; `round` is the [`View::token_round`] in which it was asked for. It is
    /// settled after the last agent has thought, in the order of squads and keys: what came of it is in
    /// [`View::token_standing`] from the next tick on.
    pub fn claim(&mut self, of: Entity, round: u64, token: Symbol, wish: Wish) {
        let by = self.view().agent();
        self.desk.claims.push(Claim { by, of, round, token: token.number(), wish });
    }
}
