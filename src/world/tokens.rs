//! Tokens that squads and bodies offer, from the game's side.

use super::World;
use crate::entity::{ActorId, AgentId, Entity, SquadId};
use crate::error::{Error, ErrorKind};
use crate::squad::Token;

/// Whose tokens: a squad's, for its members, or a body's, for the agents of all squads that hunt it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokensOf {
    /// A squad's.
    Squad(SquadId),
    /// A body's.
    Body(Entity),
}

impl From<SquadId> for TokensOf {
    fn from(squad: SquadId) -> Self {
        TokensOf::Squad(squad)
    }
}
impl From<Entity> for TokensOf {
    fn from(body: Entity) -> Self {
        TokensOf::Body(body)
    }
}
impl From<ActorId> for TokensOf {
    fn from(actor: ActorId) -> Self {
        TokensOf::Body(actor.entity())
    }
}
impl From<AgentId> for TokensOf {
    fn from(agent: AgentId) -> Self {
        TokensOf::Body(agent.entity())
    }
}

impl World {
    /// Offers a token of a squad or of a body from now on, for `capacity` holders at once; of one that is offered
    /// already this changes the capacity. Who holds one keeps it, also if they are too many now; with 0 nobody gets one
    /// any more. What a body offers stands, whatever capacity a `lease` asks for; a squad takes over what its leases
    /// say. An owner that is gone is a problem.
    ///
    /// ```
    /// use warband::{ActorDesc, Config, World, vec3};
    /// let mut world = World::new(Config::default());
    /// let desc = ActorDesc { tokens: vec![("melee".into(), 2)], ..ActorDesc::at(vec3(0.0, 0.0, 0.0)) };
    /// let player = world.add_actor(desc);
    /// world.offer_token(player, "melee", 3);   // he is surrounded now
    /// assert_eq!(world.token_of(player, "melee").map(|token| token.capacity()), Some(3));
    /// ```
    pub fn offer_token(&mut self, of: impl Into<TokensOf>, name: &str, capacity: u32) {
        let of = of.into();
        let there = match of {
            TokensOf::Squad(squad) => self.cast.squad(squad),
            TokensOf::Body(body) => self.scene.bodies.index_of(body),
        };
        let Some(at) = there else {
            let message = format!("{of:?} is gone and cannot offer the token '{name}'");
            return self.report(Error::new(ErrorKind::Gone, message));
        };
        self.note_offer(name);
        let number = self.scene_mut().symbols.number(name).number();
        match of {
            TokensOf::Squad(_) => self.desks[at].leases.offer(number, capacity),
            TokensOf::Body(body) => self.scene_mut().offers.offer(body, number, capacity),
        }
    }

    /// Who holds and who waits for a token of a squad, by the keys of members; `None` when it is not offered (yet).
    pub fn token(&self, squad: SquadId, name: &str) -> Option<&Token> {
        let symbol = self.scene.symbols.find(name)?;
        self.cast.squad(squad).and_then(|at| self.desks[at].leases.token(symbol.number()))
    }

    /// Who holds and who waits for a token of a body, in whatever squad; `None` when it is not offered (yet).
    pub fn token_of(&self, body: impl Into<Entity>, name: &str) -> Option<&Token<AgentId>> {
        let symbol = self.scene.symbols.find(name)?;
        self.scene.offers.token(body.into(), symbol.number())
    }

    /// Does what agents want of the tokens of bodies, in the order of squads and keys.
    pub(super) fn settle_claims(&mut self) {
        let offers = &mut Self::part(&mut self.scene).offers;
        let mut any = false;
        for squad in &self.agenda.open {
            any |= offers.note(self.desks[*squad as usize].claims.drain(..));
        }
        if any {
            offers.grant();
        }
    }
}
