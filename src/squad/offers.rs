//! Tokens that bodies offer to whoever hunts them: two squads share the two places to attack one target.
//!
//! While agents think nobody changes this ledger. What they ask for, and what they let go of, are [`Claim`]s; those
//! are settled after the last agent has thought, in the order of squads and keys, and the answer is known in the next
//! tick. So no squad's thought depends on that of another, and squads could think side by side; among those who ask
//! in one tick the order of keys decides, and among all others who asked first. A target is not asked at once, as a
//! squad's own tokens are, for the one who thinks first would then see another ledger than the one who thinks last.

use super::lease::{Leases, Standing, Token};
use crate::entity::{AgentId, Entity};
use serde::{Deserialize, Serialize};

/// What one agent wants of a token that a body offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Who wants it.
    pub by: AgentId,
    /// Whose token it is.
    pub of: Entity,
    /// The body's [round](Offers::round) for which it is meant; in another it counts for nothing.
    pub round: u64,
    /// Which token, by the number of its name.
    pub token: u16,
    /// What.
    pub wish: Wish,
}

/// What an agent may want.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wish {
    /// To hold it, or to wait for it. It counts for so many as long as its owner says nothing; without a number for as
    /// many as it did, or for one.
    Ask(Option<u32>),
    /// To hold it no longer, or to wait no longer.
    LetGo,
}

/// What one body offers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Ledger {
    of: Entity,
    round: u64,
    leases: Leases<AgentId>,
}

/// The tokens of all bodies that offer any.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Offers {
    /// In the order of ids, which only serves to find them.
    ledgers: Vec<Ledger>,
    changes: u64,
}

impl Offers {
    /// How often any of it changed: it only grows.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    fn find(&self, of: Entity) -> Option<&Ledger> {
        self.ledgers.binary_search_by(|ledger| ledger.of.cmp(&of)).ok().map(|at| &self.ledgers[at])
    }

    fn ledger(&mut self, of: Entity) -> &mut Ledger {
        let at = self.ledgers.binary_search_by(|ledger| ledger.of.cmp(&of)).unwrap_or_else(|at| {
            self.ledgers.insert(at, Ledger { of, round: 0, leases: Leases::default() });
            at
        });
        &mut self.ledgers[at]
    }

    /// How often a body took its tokens from all that held them. Who got one in an earlier round has lost it.
    pub fn round(&self, of: Entity) -> u64 {
        self.find(of).map_or(0, |ledger| ledger.round)
    }

    /// A token of a body, if it is offered.
    pub fn token(&self, of: Entity, name: u16) -> Option<&Token<AgentId>> {
        self.find(of).and_then(|ledger| ledger.leases.token(name))
    }

    /// All tokens of a body.
    pub fn tokens(&self, of: Entity) -> &[Token<AgentId>] {
        self.find(of).map_or(&[], |ledger| ledger.leases.tokens())
    }

    /// How `who` stands to a token after its own `claims` of this tick, which are not settled yet.
    pub fn standing(&self, of: Entity, name: u16, who: AgentId, claims: &[Claim]) -> Standing {
        let round = self.round(of);
        let before = self.token(of, name).map(|token| token.standing(who)).unwrap_or_default();
        let own = claims
            .iter()
            .filter(|claim| (claim.by, claim.of, claim.token, claim.round) == (who, of, name, round));
        own.fold(before, |standing, claim| claim.wish.applied(standing))
    }

    /// Whether `who` holds a token after its own `claims`, or would get it if it asked and nobody else did. A token
    /// that nobody has offered yet is free: whoever asks for it offers it.
    pub fn is_free_for(&self, of: Entity, name: u16, who: AgentId, claims: &[Claim]) -> bool {
        let Some(token) = self.token(of, name) else { return true };
        let now = self.standing(of, name, who, claims);
        now.holds > 0 || token.is_free_beyond(who, now)
    }

    /// Offers a token for so many from now on; who holds one already keeps it. What is free now is given at once.
    pub fn offer(&mut self, of: Entity, name: u16, capacity: u32) {
        let ledger = self.ledger(of);
        ledger.leases.offer(name, capacity);
        ledger.grant();
        self.changes += 1;
    }

    /// Takes all tokens of a body from those that hold them, and forgets who waits: it is not there to be hunted.
    pub fn recall(&mut self, of: Entity) {
        if self.find(of).is_none() {
            return;
        }
        let ledger = self.ledger(of);
        ledger.round += 1;
        ledger.leases.tokens_mut().iter_mut().for_each(Token::clear);
        self.changes += 1;
    }

    /// A body is gone: what it offered, and what it still held or waited for, which is nothing if its nodes were
    /// exited.
    pub fn remove(&mut self, gone: Entity) {
        self.ledgers.retain(|ledger| ledger.of != gone);
        for ledger in &mut self.ledgers {
            for token in ledger.leases.tokens_mut() {
                token.stand(AgentId::new(gone), Standing::default());
            }
            ledger.grant();
        }
        self.changes += 1;
    }

    /// Whether an agent holds a token of anybody or waits for one.
    pub(crate) fn concern(&self, who: AgentId) -> bool {
        self.ledgers.iter().any(|ledger| ledger.leases.concern(who))
    }

    /// Takes all tokens from an agent, and its places in all queues.
    pub(crate) fn forget(&mut self, who: AgentId) {
        for ledger in &mut self.ledgers {
            ledger.leases.forget(who);
            ledger.grant();
        }
        self.changes += 1;
    }

    /// Gives every token the number that `renamed` has for its name.
    pub(crate) fn rename(&mut self, renamed: impl Fn(u16) -> u16) {
        self.ledgers.iter_mut().for_each(|ledger| ledger.leases.rename(&renamed));
    }

    /// Whether every body is there once, and its tokens are sound.
    pub(crate) fn are_sound(&self, names: usize) -> bool {
        self.changes < u64::MAX / 2
            && self.ledgers.is_sorted_by(|a, b| a.of < b.of)
            && self.ledgers.iter().all(|ledger| ledger.round < u64::MAX / 2 && ledger.leases.are_sound(names))
    }

    /// Does what agents want, in this order, and gives what is free to those who wait longest.
    pub fn settle(&mut self, claims: impl IntoIterator<Item = Claim>) {
        if self.note(claims) {
            self.grant();
        }
    }

    /// Notes what agents want, in this order; says whether anything of it counts. [`Offers::grant`] follows, after all of a tick.
    pub fn note(&mut self, claims: impl IntoIterator<Item = Claim>) -> bool {
        let before = self.changes;
        for claim in claims {
            self.changes += u64::from(self.take_in(&claim));
        }
        self.changes != before
    }

    /// Gives what is free to those who wait longest.
    pub fn grant(&mut self) {
        self.ledgers.iter_mut().for_each(Ledger::grant);
    }

    /// Says whether the claim counts.
    fn take_in(&mut self, claim: &Claim) -> bool {
        let lost = claim.round != self.round(claim.of);
        if lost || (claim.wish == Wish::LetGo && self.find(claim.of).is_none()) {
            return false;
        }
        let leases = &mut self.ledger(claim.of).leases;
        if let Wish::Ask(capacity) = claim.wish
            && (capacity.is_some() || leases.token(claim.token).is_none())
        {
            leases.propose(claim.token, capacity.unwrap_or(1));
        }
        leases.change(claim.token, claim.by, |standing| claim.wish.applied(standing));
        true
    }
}

impl Wish {
    fn applied(self, standing: Standing) -> Standing {
        match self {
            Wish::Ask(_) => standing.asked(),
            Wish::LetGo => standing.let_go(),
        }
    }
}

impl Ledger {
    fn grant(&mut self) {
        self.leases.tokens_mut().iter_mut().for_each(Token::grant);
    }
}
