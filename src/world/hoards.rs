//! The memory of scripts: its collection after each tick, and scripts whose variables were dropped, for they held too much
//! of it: they are run anew, each time after a longer while.
//!
//! What a script keeps in variables is in no snapshot, and neither is this.

use super::World;
use super::scripts::Version;
use crate::error::{Error, ErrorKind, Place};
use crate::script::{Dropped, Script};

/// How long a guilty script is left alone the first time, ns; each further time doubles it.
const FIRST: u64 = 1_000_000_000;
/// How long at most, ns.
const LONGEST: u64 = 30_000_000_000;

/// What is known of a script that was dropped.
#[derive(Clone, Copy, Default)]
pub(super) struct Hoard {
    /// How often it was guilty.
    times: u32,
    /// When it is to be run anew, ns of the world's clock.
    pub rerun_at: Option<u64>,
}

impl World {
    /// Before anything runs: makes room in the VM, and runs those anew whose time has come.
    pub(super) fn weigh_scripts(&mut self) {
        let Some(script) = &mut self.host else { return };
        script.weigh();
        for dropped in script.take_dropped() {
            self.note_dropped(&dropped);
        }
        let now = self.scene.clock;
        for at in 0..self.scripts.loaded.len() {
            if self.scripts.loaded[at].hoard.rerun_at.is_some_and(|time| time <= now) {
                self.run_anew(at);
            }
        }
    }

    /// The clock was put to another time: what waits for one is run anew now.
    pub(super) fn forget_waits(&mut self) {
        for taken in &mut self.scripts.loaded {
            taken.hoard.rerun_at = taken.hoard.rerun_at.map(|_| 0);
        }
    }

    fn note_dropped(&mut self, dropped: &Dropped) {
        let now = self.scene.clock;
        let of = |version: &Version| version.generation() == dropped.generation;
        let Some(taken) = self.scripts.loaded.iter_mut().find(|taken| of(&taken.version)) else { return };
        if !dropped.guilty {
            taken.hoard.rerun_at.get_or_insert(now);
            return;
        }
        let wait = FIRST.checked_shl(taken.hoard.times.min(8)).unwrap_or(LONGEST).min(LONGEST);
        taken.hoard.times = taken.hoard.times.saturating_add(1);
        taken.hoard.rerun_at = Some(now.saturating_add(wait));
        let message = format!("held {} MiB in its variables: they were dropped", dropped.freed >> 20);
        let fault = Error::new(ErrorKind::Memory, message)
            .hint("its functions fail until it is run anew, after 1 s, then 2 s, 4 s, up to 30 s")
            .at(Place::new(dropped.file.as_str(), 0));
        self.scripts.blame(&fault, self.ticks);
        self.report(fault);
    }

    /// Runs the text of a script again: its trees are the same, its variables are as at first. When its files have
    /// changed since, it waits for a reload, or for them to be as they were.
    fn run_anew(&mut self, at: usize) {
        self.scripts.loaded[at].hoard.rerun_at = None;
        let file = self.scripts.loaded[at].version.file().to_owned();
        let again = Some(self.scene.clock.saturating_add(LONGEST));
        let Some(Ok(loaded)) = self.host.as_mut().map(|script| script.load(&file)) else {
            self.scripts.loaded[at].hoard.rerun_at = again;
            return;
        };
        let prepared = self.prepare([&loaded]);
        let new = Version::new(loaded);
        match prepared {
            Ok(change) if new.changed_since(&self.scripts.loaded[at].version).is_empty() => {
                self.put_in_place(change);
                let old = std::mem::replace(&mut self.scripts.loaded[at].version, new);
                self.drop_version(&old);
            }
            _ => {
                self.scripts.loaded[at].hoard.rerun_at = again;
                self.drop_version(&new);
            }
        }
    }

    /// The scripts' garbage collection: what this tick left behind, as far as the budget reaches.
    pub(super) fn collect_garbage(&mut self) {
        if let Some(script) = &mut self.host {
            script.collect();
        }
    }

    /// The bytes that Lua's collector went through after the last tick: never more than [`super::Config::script_collection`].
    pub fn script_collected(&self) -> usize {
        self.host.as_ref().map_or(0, Script::collected)
    }

    /// The bytes that scripts use now.
    pub fn script_memory(&self) -> usize {
        self.host.as_ref().map_or(0, Script::used_memory)
    }
}
