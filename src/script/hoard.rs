//! Scripts that fill the memory of the VM: who holds it, and what becomes of them.
//!
//! What a call leaves behind is collected after the tick, and a call that meets the limit loses what it made. But what a
//! script keeps in variables of its files stays, and would starve all others in the end. So half of the memory is for
//! variables: when more is held between two ticks, environments are dropped until it is less, that of the script first
//! whose calls have allocated the most. Within a tick that is done only where three quarters are held, by what was
//! allocated in that tick. Who has allocated less than an eighth of the limit is never dropped.

use super::Script;
use super::fault::{out_of_memory, raise};
use super::vm::Entries;
use crate::error::{Error, ErrorKind, Place};
use crate::tree::Cx;
use mlua::{Lua, Table};
use std::sync::Arc;

/// What one load made.
pub(super) struct Environment {
    pub generation: u32,
    pub file: Arc<str>,
    /// Bytes that its calls have allocated.
    pub allocated: u64,
    /// Those of this tick.
    pub lately: u64,
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

/// Bytes beyond the limit that our own functions may take.
const OURS: usize = 1 << 20;

/// Bytes that must be free for a script to close or resume a thread of its own.
const FOR_THREADS: usize = 512 << 10;

/// What an environment must have held to be guilty, as a part of the limit.
const MUCH: usize = 8;

/// Gives the prelude `spare()`, which is a fault where there is too little memory to touch another thread: Luau raises
/// its own error on that thread then, where nobody is prepared for it.
pub(super) fn install(lua: &Lua, rust: &Table, limit: usize) -> mlua::Result<()> {
    let spare = move |lua: &Lua, ()| {
        if is_full(lua, limit) { Err(raise(lua, out_of_memory(limit))) } else { Ok(()) }
    };
    rust.raw_set("spare", lua.create_function(spare)?)
}

fn is_full(lua: &Lua, limit: usize) -> bool {
    lua.used_memory().saturating_add(FOR_THREADS) > limit
}

impl Script {
    /// Whether next to nothing is free.
    pub(super) fn is_full(&self) -> bool {
        is_full(&self.lua, self.limits.memory)
    }

    /// How many bytes may be in use within a tick before everything is collected, and after that.
    pub(super) fn room(&self) -> usize {
        self.limits.memory / 4 * 3
    }

    /// To be called between two ticks: drops the environments of scripts that hold too much memory. See
    /// [`Script::take_dropped`].
    pub fn weigh(&mut self) {
        if self.keeps_too_much() {
            self.collect_all();
            self.drop_hoarders(self.limits.memory / 2, |one| one.allocated);
        }
    }

    /// Drops environments until no more than `room` is in use, those first that have allocated the most; all was
    /// collected just now.
    pub(super) fn drop_hoarders(&mut self, room: usize, allocated: impl Fn(&Environment) -> u64) {
        let much = self.limits.memory / MUCH;
        while self.lua.used_memory() > room {
            let can_be = |one: &&mut Environment| !one.dropped && allocated(one) >= much as u64;
            let suspect = self.environments.iter_mut().filter(can_be);
            // Of several the oldest.
            let Some(one) =
                suspect.reduce(|most, one| if allocated(one) > allocated(most) { one } else { most })
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
        let threads = self.threads.extract_if(.., |_, of| *of == generation).collect::<Vec<_>>();
        for (stay, _) in threads {
            // It runs nothing of the script's.
            let _ = self.with_room(|entries| entries.forget.call::<()>(stay));
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

    /// A tick begins.
    pub(super) fn forget_lately(&mut self) {
        self.environments.iter_mut().for_each(|one| one.lately = 0);
    }

    /// Counts the bytes that a call has allocated.
    pub(super) fn charge_environment(&mut self, generation: u32, new: usize) {
        if new == 0 {
            return;
        }
        if let Ok(at) = self.environments.binary_search_by_key(&generation, |one| one.generation) {
            let one = &mut self.environments[at];
            one.allocated = one.allocated.saturating_add(new as u64);
            one.lately = one.lately.saturating_add(new as u64);
        }
    }

    /// Remembers whose thread a leaf has.
    pub(super) fn note_thread(&mut self, cx: &Cx<'_>, generation: u32) {
        let stay = cx.mind.keep(cx.node()).map_or(0, |keep| keep.stay);
        if stay != 0 && self.threads.get(&stay) != Some(&generation) {
            self.threads.insert(stay, generation);
        }
    }

    /// Does what is ours to do in the VM: a little more memory is there for it, so that it succeeds however much scripts
    /// hold. (Luau built with its assertions ends the process when it cannot close a thread for want of memory.)
    pub(super) fn with_room<R>(&self, work: impl FnOnce(&Entries) -> R) -> R {
        // The limit can be set: the VM was made with one.
        let _ = self.lua.set_memory_limit(self.limits.memory.saturating_add(OURS));
        let answer = work(&self.entries);
        let _ = self.lua.set_memory_limit(self.limits.memory);
        answer
    }

    /// Why a function of a dropped environment is not called.
    pub(super) fn dropped_fault(&self, generation: u32) -> Error {
        let file = self.environments.iter().find(|one| one.generation == generation);
        let file = file.map_or_else(|| "".into(), |one| one.file.clone());
        let message = format!("is not called: the variables of '{}' were dropped", Place::new(file, 0));
        Error::new(ErrorKind::Memory, message).hint("it held too much memory, and is run anew after a while")
    }
}
