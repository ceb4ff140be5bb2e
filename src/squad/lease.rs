//! Tokens that few may hold at once: "two attack, the others hold the ring".
//!
//! A token has a name and a capacity. Who asks in vain may wait in a queue, which is served in the order of asking;
//! nobody is passed over. Members are asked in the order of their keys, so two runs are served alike. Whoever holds
//! a token returns it in one place, when the node that holds it is exited: on success, failure, abort, death and
//! reload alike. However many nodes of one agent hold or want a token, the agent takes one place.

use serde::{Deserialize, Serialize};

/// The tokens of one squad, whose members are known by their keys, or of one body, whose holders are agents of any
/// squad.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leases<K = u32> {
    tokens: Vec<Token<K>>,
}

impl<K> Default for Leases<K> {
    fn default() -> Self {
        Self { tokens: Vec::new() }
    }
}

/// One token: who holds it, and who waits for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Token<K = u32> {
    /// Its name, as a number of the world's.
    name: u16,
    /// How many may hold it at once.
    capacity: u32,
    /// Whether its owner said so, and not a node that wanted it.
    own: bool,
    /// Those who hold it, with the number of nodes that do so for each.
    holders: Vec<(K, u32)>,
    /// Those who wait, the longest first, with the number of nodes that do so for each.
    queue: Vec<(K, u32)>,
}

/// By how many of its nodes somebody holds a token, and by how many it waits for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Nodes that hold it.
    pub holds: u32,
    /// Nodes that wait.
    pub waits: u32,
}

impl Standing {
    /// After one node more has asked: who holds it already has it at once.
    #[must_use]
    pub fn asked(self) -> Self {
        match self.holds {
            0 => Self { waits: self.waits + 1, ..self },
            holds => Self { holds: holds + 1, ..self },
        }
    }
    /// After one node has let go of it, or of waiting.
    #[must_use]
    pub fn let_go(self) -> Self {
        match self.holds {
            0 => Self { waits: self.waits.saturating_sub(1), ..self },
            holds => Self { holds: holds - 1, ..self },
        }
    }
}

fn count_of<K: Copy + PartialEq>(list: &[(K, u32)], who: K) -> u32 {
    list.iter().find(|(one, _)| *one == who).map_or(0, |(_, nodes)| *nodes)
}

/// Writes a count where `who` stands in the list, behind all others if nowhere; 0 takes it out.
fn put<K: Copy + PartialEq>(list: &mut Vec<(K, u32)>, who: K, nodes: u32) {
    match list.iter().position(|(one, _)| *one == who) {
        Some(at) if nodes == 0 => drop(list.remove(at)),
        Some(at) => list[at].1 = nodes,
        None if nodes > 0 => list.push((who, nodes)),
        None => {}
    }
}

impl<K: Copy + PartialEq> Token<K> {
    fn new(name: u16, capacity: u32, own: bool) -> Self {
        Self { name, capacity, own, holders: Vec::new(), queue: Vec::new() }
    }
    /// Its name, as a number of the world's.
    pub fn name(&self) -> u16 {
        self.name
    }
    /// How many may hold it at once.
    pub fn capacity(&self) -> usize {
        self.capacity as usize
    }
    /// Those that hold it, in the order in which they got it.
    pub fn holders(&self) -> impl Iterator<Item = K> {
        self.holders.iter().map(|(who, _)| *who)
    }
    /// Those that wait for it, the longest first.
    pub fn queue(&self) -> impl Iterator<Item = K> {
        self.queue.iter().map(|(who, _)| *who)
    }
    /// How `who` stands to it.
    pub fn standing(&self, who: K) -> Standing {
        Standing { holds: count_of(&self.holders, who), waits: count_of(&self.queue, who) }
    }
    /// Whether `who` would get it now: there is one free beyond those who wait longer.
    fn is_free_for(&self, who: K) -> bool {
        self.is_free_beyond(who, self.standing(who))
    }
    /// Whether `who` would get it if it stood like this.
    pub(super) fn is_free_beyond(&self, who: K, now: Standing) -> bool {
        let before = self.standing(who);
        let given_up = usize::from(before.holds > 0 && now.holds == 0);
        let behind = self.queue.len() - usize::from(before.waits > 0);
        let place = self.queue().position(|waiting| waiting == who).filter(|_| now.waits > 0);
        self.holders.len() - given_up + place.unwrap_or(behind) < self.capacity as usize
    }
    pub(super) fn stand(&mut self, who: K, standing: Standing) {
        put(&mut self.holders, who, standing.holds);
        put(&mut self.queue, who, standing.waits);
    }
    /// Gives what is free to those who wait longest.
    pub(super) fn grant(&mut self) {
        let free = (self.capacity as usize).saturating_sub(self.holders.len());
        let served = free.min(self.queue.len());
        self.holders.extend(self.queue.drain(..served));
    }
    /// Nobody holds it or waits for it any more.
    pub(super) fn clear(&mut self) {
        self.holders.clear();
        self.queue.clear();
    }
}

impl<K: Copy + PartialEq> Leases<K> {
    /// Offers a token with this capacity from now on, as its owner; who holds one already keeps it.
    pub fn offer(&mut self, name: u16, capacity: u32) {
        self.set_capacity(name, capacity, true);
    }

    /// The same as one who wants it, and who does not know better than its owner if that said anything.
    pub(super) fn propose(&mut self, name: u16, capacity: u32) {
        if !self.token(name).is_some_and(|token| token.own) {
            self.set_capacity(name, capacity, false);
        }
    }

    fn set_capacity(&mut self, name: u16, capacity: u32, own: bool) {
        match self.token_mut(name) {
            Some(token) => (token.capacity, token.own) = (capacity, own),
            None => self.tokens.push(Token::new(name, capacity, own)),
        }
    }

    /// The token of that name, if it is offered.
    pub fn token(&self, name: u16) -> Option<&Token<K>> {
        self.tokens.iter().find(|token| token.name == name)
    }

    fn token_mut(&mut self, name: u16) -> Option<&mut Token<K>> {
        self.tokens.iter_mut().find(|token| token.name == name)
    }

    /// Whether `who` holds the token or would get it now.
    pub fn is_free_for(&self, name: u16, who: K) -> bool {
        self.token(name).is_some_and(|token| token.is_free_for(who) || count_of(&token.holders, who) > 0)
    }

    /// Asks for a token; says whether it was given. Who asks again while holding it holds it twice, and takes no
    /// second place. Whoever waited with one node waits with one less when it is given.
    pub fn take(&mut self, name: u16, who: K) -> bool {
        let Some(token) = self.token_mut(name) else { return false };
        let Standing { holds, waits } = token.standing(who);
        if holds == 0 && !token.is_free_for(who) {
            return false;
        }
        token.stand(who, Standing { holds: holds + 1, waits: waits.saturating_sub(1) });
        true
    }

    /// Waits for a token with one node more, behind those who wait already.
    pub fn wait(&mut self, name: u16, who: K) {
        if let Some(token) = self.token_mut(name) {
            let waits = count_of(&token.queue, who);
            put(&mut token.queue, who, waits + 1);
        }
    }

    /// Goes on waiting: who has lost his place, as another node of his has got the token meanwhile, is the last now.
    pub fn stay(&mut self, name: u16, who: K) {
        if self.token(name).is_some_and(|token| count_of(&token.queue, who) == 0) {
            self.wait(name, who);
        }
    }

    /// Gives up waiting with one node.
    pub fn leave(&mut self, name: u16, who: K) {
        if let Some(token) = self.token_mut(name) {
            let waits = count_of(&token.queue, who);
            put(&mut token.queue, who, waits.saturating_sub(1));
        }
    }

    /// Returns a token; who held it twice holds it once.
    pub fn give_back(&mut self, name: u16, who: K) {
        if let Some(token) = self.token_mut(name) {
            let holds = count_of(&token.holders, who);
            put(&mut token.holders, who, holds.saturating_sub(1));
        }
    }

    /// Whether somebody holds a token or waits for one.
    pub(crate) fn concern(&self, who: K) -> bool {
        self.tokens.iter().any(|token| token.standing(who) != Standing::default())
    }

    /// Takes all tokens from somebody, and its places in all queues.
    pub(crate) fn forget(&mut self, who: K) {
        for token in &mut self.tokens {
            token.stand(who, Standing::default());
        }
    }

    /// Gives every token the number that `renamed` has for its name.
    pub(crate) fn rename(&mut self, renamed: impl Fn(u16) -> u16) {
        self.tokens.iter_mut().for_each(|token| token.name = renamed(token.name));
    }

    /// Whether every token has a name below `names`, and is held by and waited for by each member once.
    pub(crate) fn are_sound(&self, names: usize) -> bool {
        let counted = |list: &[(K, u32)]| {
            once(list.iter().map(|(who, _)| *who).collect())
                && list.iter().all(|(_, times)| (1..u32::MAX / 2).contains(times))
        };
        let sound = |token: &Token<K>| {
            usize::from(token.name) < names && counted(&token.holders) && counted(&token.queue)
        };
        self.tokens.iter().all(sound) && once(self.tokens.iter().map(|token| token.name).collect())
    }

    /// Whether anybody waits for a token.
    pub fn is_wanted(&self, name: u16) -> bool {
        self.token(name).is_some_and(|token| !token.queue.is_empty())
    }

    /// All tokens that are offered.
    pub fn tokens(&self) -> &[Token<K>] {
        &self.tokens
    }

    pub(super) fn tokens_mut(&mut self) -> &mut [Token<K>] {
        &mut self.tokens
    }

    pub(super) fn change(&mut self, name: u16, who: K, change: impl FnOnce(Standing) -> Standing) {
        if let Some(token) = self.token_mut(name) {
            token.stand(who, change(token.standing(who)));
        }
    }
}

fn once<T: PartialEq>(list: Vec<T>) -> bool {
    (1..list.len()).all(|at| !list[..at].contains(&list[at]))
}
