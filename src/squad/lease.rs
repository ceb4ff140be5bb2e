//! Tokens that few may hold at once: "two attack, the others hold the ring".
//!
//! A token has a name and a capacity. Who asks in vain may wait in a queue, which is served in the order of asking;
//! nobody is passed over. Members are asked in the order of their keys, so two runs are served alike. Whoever holds
//! a token returns it in one place, when the node that holds it is exited: on success, failure, abort, death and
//! reload alike.

use serde::{Deserialize, Serialize};

/// The tokens of one squad.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Leases {
    tokens: Vec<Token>,
}

/// One token: who holds it, and who waits for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Token {
    /// Its name, as a number of the world's.
    name: u16,
    /// How many may hold it at once.
    capacity: u32,
    /// The keys of those who hold it, with the number of nodes that do so for each.
    holders: Vec<(u32, u32)>,
    /// The keys of those who wait, the longest first.
    queue: Vec<u32>,
}

impl Token {
    /// How many may hold it at once.
    pub fn capacity(&self) -> usize {
        self.capacity as usize
    }
    /// The keys of the members that hold it, in the order in which they got it.
    pub fn holders(&self) -> impl Iterator<Item = u32> {
        self.holders.iter().map(|(key, _)| *key)
    }
    /// The keys of the members that wait for it, the longest first.
    pub fn queue(&self) -> &[u32] {
        &self.queue
    }
    /// Whether `key` would get it now: there is one free beyond those who wait longer.
    fn is_free_for(&self, key: u32) -> bool {
        let ahead = self.queue.iter().position(|waiting| *waiting == key).unwrap_or(self.queue.len());
        self.holders.len() + ahead < self.capacity as usize
    }
}

impl Leases {
    /// Offers a token with this capacity from now on; who holds one already keeps it.
    pub fn offer(&mut self, name: u16, capacity: u32) {
        match self.tokens.iter_mut().find(|token| token.name == name) {
            Some(token) => token.capacity = capacity,
            None => self.tokens.push(Token { name, capacity, ..Token::default() }),
        }
    }

    /// The token of that name, if it is offered.
    pub fn token(&self, name: u16) -> Option<&Token> {
        self.tokens.iter().find(|token| token.name == name)
    }

    /// Whether `key` holds the token or would get it now.
    pub fn is_free_for(&self, name: u16, key: u32) -> bool {
        self.token(name)
            .is_some_and(|token| token.is_free_for(key) || token.holders().any(|holder| holder == key))
    }

    /// Asks for a token; says whether it was given. Who asks again while holding it holds it twice, and takes no
    /// second place.
    pub fn take(&mut self, name: u16, key: u32) -> bool {
        let Some(token) = self.tokens.iter_mut().find(|token| token.name == name) else {
            return false;
        };
        if let Some((_, times)) = token.holders.iter_mut().find(|(holder, _)| *holder == key) {
            *times += 1;
            return true;
        }
        if !token.is_free_for(key) {
            return false;
        }
        token.queue.retain(|waiting| *waiting != key);
        token.holders.push((key, 1));
        true
    }

    /// Waits for a token, behind those who wait already.
    pub fn wait(&mut self, name: u16, key: u32) {
        if let Some(token) = self.tokens.iter_mut().find(|token| token.name == name)
            && !token.queue.contains(&key)
        {
            token.queue.push(key);
        }
    }

    /// Gives up waiting.
    pub fn leave(&mut self, name: u16, key: u32) {
        if let Some(token) = self.tokens.iter_mut().find(|token| token.name == name) {
            token.queue.retain(|waiting| *waiting != key);
        }
    }

    /// Returns a token; who held it twice holds it once.
    pub fn give_back(&mut self, name: u16, key: u32) {
        let Some(token) = self.tokens.iter_mut().find(|token| token.name == name) else { return };
        for (holder, times) in &mut token.holders {
            *times -= u32::from(*holder == key);
        }
        token.holders.retain(|(_, times)| *times > 0);
    }

    /// Takes all tokens from a member, and its places in all queues.
    pub(crate) fn forget(&mut self, key: u32) {
        for token in &mut self.tokens {
            token.holders.retain(|(holder, _)| *holder != key);
            token.queue.retain(|waiting| *waiting != key);
        }
    }

    /// Gives every token the number that `renamed` has for its name.
    pub(crate) fn rename(&mut self, renamed: impl Fn(u16) -> u16) {
        self.tokens.iter_mut().for_each(|token| token.name = renamed(token.name));
    }

    /// Whether every token has a name below `names`, and is held by and waited for by each member once.
    pub(crate) fn are_sound(&self, names: usize) -> bool {
        let once = |keys: Vec<u32>| (1..keys.len()).all(|at| !keys[..at].contains(&keys[at]));
        let sound = |token: &Token| {
            usize::from(token.name) < names
                && once(token.holders().collect())
                && once(token.queue.clone())
                && token.holders.iter().all(|(_, times)| (1..u32::MAX / 2).contains(times))
        };
        self.tokens.iter().all(sound) && once(self.tokens.iter().map(|token| u32::from(token.name)).collect())
    }

    /// Whether anybody waits for a token.
    pub fn is_wanted(&self, name: u16) -> bool {
        self.token(name).is_some_and(|token| !token.queue.is_empty())
    }

    /// All tokens that are offered.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }
}
