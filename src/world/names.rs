//! Names of tokens that nobody offers, told once it is known what is offered.

use super::World;
use crate::error::Error;
use std::collections::BTreeSet;

/// Which tokens the game offered, and what was told of those that trees ask for.
#[derive(Default)]
pub(super) struct Names {
    offered: BTreeSet<String>,
    told: Vec<Error>,
    /// Whether something came that may change what is told.
    stale: bool,
}

impl World {
    /// The game offers a token of that name, whoever owns it.
    pub(super) fn note_offer(&mut self, name: &str) {
        if !self.names.offered.contains(name) {
            self.names.offered.insert(name.to_owned());
            self.names.stale = true;
        }
    }

    /// A tree came, or came anew.
    pub(super) fn note_names(&mut self) {
        self.names.stale = true;
    }

    /// Tells of tokens that trees ask for by a name that nobody offers, while one of nearly that name is offered.
    /// Squads and bodies come after trees, so it is looked at in the tick after either came.
    pub(super) fn check_names(&mut self) {
        if !std::mem::take(&mut self.names.stale) || self.names.offered.is_empty() {
            return;
        }
        let trees = self.trees.list.iter().map(|tree| &**tree);
        let now = crate::tree::token_warnings(trees, &self.names.offered);
        let told = std::mem::replace(&mut self.names.told, now.clone());
        self.report_new(now, &told);
    }
}
