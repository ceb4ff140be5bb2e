//! How factions regard each other.

use serde::{Deserialize, Serialize};

/// How one faction regards another. It need not be mutual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attitude {
    /// Its bodies are targets. Between different factions the default.
    Hostile,
    /// It is left alone.
    Neutral,
    /// It is left alone, and told of targets. Within a faction always.
    Friendly,
}

impl Attitude {
    /// All of them.
    pub const ALL: [Attitude; 3] = [Attitude::Hostile, Attitude::Neutral, Attitude::Friendly];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Attitude::Hostile => "hostile",
            Attitude::Neutral => "neutral",
            Attitude::Friendly => "friendly",
        }
    }

    /// The attitude of that name.
    pub fn named(name: &str) -> Option<Attitude> {
        Self::ALL.into_iter().find(|attitude| attitude.name() == name)
    }
}

/// How factions regard each other, by their numbers, as far as it is not the default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Attitudes(Vec<(u16, u16, Attitude)>);

impl Attitudes {
    /// How faction `of` regards faction `to`.
    pub fn get(&self, of: u16, to: u16) -> Attitude {
        if of == to {
            return Attitude::Friendly;
        }
        let found = self.0.binary_search_by_key(&(of, to), |(of, to, _)| (*of, *to));
        found.map_or(Attitude::Hostile, |at| self.0[at].2)
    }

    /// Sets how faction `of` regards faction `to`. A faction stays friendly to itself.
    pub fn set(&mut self, of: u16, to: u16, attitude: Attitude) {
        if of == to {
            return;
        }
        match self.0.binary_search_by_key(&(of, to), |(of, to, _)| (*of, *to)) {
            Ok(at) => self.0[at].2 = attitude,
            Err(at) => self.0.insert(at, (of, to, attitude)),
        }
    }

    /// What was set, in the order of numbers.
    pub fn all(&self) -> &[(u16, u16, Attitude)] {
        &self.0
    }

    /// Whether it is in order, and speaks of factions below `factions` only.
    pub(crate) fn is_sound(&self, factions: usize) -> bool {
        let known = |number: u16| usize::from(number) < factions;
        self.0.is_sorted_by(|a, b| (a.0, a.1) < (b.0, b.1))
            && self.0.iter().all(|(of, to, _)| known(*of) && known(*to))
    }
}
