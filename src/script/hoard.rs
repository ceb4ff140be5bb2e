//! Scripts that fill the memory of the VM: who holds it, and what becomes of them.
//!
//! What a call leaves behind is collected after the tick, and a call that meets the limit loses what it made. But what a
//! script keeps in variables of its files stays, and would starve all others in the end. So when more than three quarters of the
//! limit is in use after everything was collected, environments are dropped until it is less: that of the script first
//! whose calls have allocated the most. Who has allocated less than an eighth of the limit is never dropped.

use super::Script;
use crate::error::{Error, ErrorKind, Place};
use crate::tree::Cx;
use std::sync::Arc;

/// What one load made.
pub(super) struct Environment {
    pub generation: u32,
    pub file: Arc<str>,
    /// Bytes that its calls have allocated.
    pub allocated: u64,
    /// Whether it was dropped.
    pub dropped: bool,
}

/// An environment that was dropped, for its script held too much memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The number of its load.
    pub generation: u32,
    /// Its script.
    pub file: String,
    /// How many bytes were free by that.
    pub freed: usize,
    /// Whether it was worth it. One that held little only lost its variables: it should be run anew at once.
    pub guilty: bool,
}

/// What an environment must have held to be guilty, as a part of the limit.
const MUCH: usize = 8;

impl Script {
    /// How many bytes may be in use before everything is collected, and after that.
    pub(super) fn room(&self) -> usize {
        self.limits.memory / 4 * 3
    }

    /// To be called between two ticks: drops the environments of scripts that hold too much memory. See
    /// [`Script::take_dropped`].
    pub fn weigh(&mut self) {
        if self.lua.used_memory() > self.room() {
            self.collect_all();
            self.drop_hoarders();
        }
    }

    /// Drops environments until a quarter of the memory is free; all was collected just now.
    pub(super) fn drop_hoarders(&mut self) {
        let much = self.limits.memory / MUCH;
        while self.lua.used_memory() > self.room() {
            let can_be = |one: &&mut Environment| !one.dropped && one.allocated >= much as u64;
            let suspect = self.environments.iter_mut().filter(can_be);
            // Of several the oldest.
            let Some(one) =
                suspect.reduce(|most, one| if one.allocated > most.allocated { one } else { most })
            else {
                return;
            };
            one.dropped = true;
            let (generation, file) = (one.generation, one.file.to_string());
            let before = self.lua.used_memory();
            self.release(generation);
            let freed = before.saturating_sub(self.lua.used_memory());
            let guilty = freed >= much;
            self.dropped.push(Dropped { generation, file, freed, guilty });
        }
    }

    /// Lets go of all that the VM has for a load, threads included.
    fn release(&mut self, generation: u32) {
        for callable in self.functions.iter_mut().filter(|callable| callable.generation == generation) {
            callable.function = None;
        }
        for (stay, _) in self.threads.extract_if(.., |_, of| *of == generation) {
            // It runs nothing of the script's.
            let _ = self.entries.forget.call::<()>(stay);
        }
        self.collect_all();
    }

    /// The environments that were dropped since this was asked last. Until a script is loaded anew, its functions fail.
    pub fn take_dropped(&mut self) -> Vec<Dropped> {
        std::mem::take(&mut self.dropped)
    }

    /// Whether the environment of a load was dropped.
    pub fn is_dropped(&self, generation: u32) -> bool {
        self.environments.iter().any(|one| one.generation == generation && one.dropped)
    }

    /// Counts what a call has allocated.
    pub(super) fn charge_environment(&mut self, generation: u32, before: usize) {
        let new = self.lua.used_memory().saturating_sub(before);
        if new == 0 {
            return;
        }
        if let Ok(at) = self.environments.binary_search_by_key(&generation, |one| one.generation) {
            let one = &mut self.environments[at];
            one.allocated = one.allocated.saturating_add(new as u64);
        }
    }

    /// Remembers whose thread a leaf has.
    pub(super) fn note_thread(&mut self, cx: &Cx<'_>, generation: u32) {
        let stay = cx.mind.keep(cx.node()).map_or(0, |keep| keep.stay);
        if stay != 0 && self.threads.get(&stay) != Some(&generation) {
            self.threads.insert(stay, generation);
        }
    }

    /// Why a function of a dropped environment is not called.
    pub(super) fn dropped_fault(&self, generation: u32) -> Error {
        let file = self.environments.iter().find(|one| one.generation == generation);
        let file = file.map_or_else(|| "".into(), |one| one.file.clone());
        let message = format!("is not called: the variables of '{}' were dropped", Place::new(file, 0));
        Error::new(ErrorKind::Memory, message).hint("it held too much memory, and is run anew after a while")
    }
}
