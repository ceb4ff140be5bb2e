//! Functions of scripts that err in each call: after some faults in a row they are left alone for a while.
//!
//! It is counted for each agent, node and part of a node, so that a fault of one agent changes nothing for others. All
//! of it is data of the agent: it is saved with its [`Mind`], and goes with its tree.

use super::cx::Hook;
use super::mind::Mind;
use serde::{Deserialize, Serialize};

/// A function that erred when it was called last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mute {
    /// The node.
    pub node: u16,
    /// Which part of it: 0 what answers, 1 its enter or its service, 2 its exit.
    pub part: u8,
    /// How many calls in a row erred.
    pub faults: u32,
    /// Until when it is not called, ns of the world's clock.
    pub until: u64,
    /// How many calls were left out.
    pub skipped: u64,
    /// What it was muted for, as [`crate::Error::print`]; 0 while it is called.
    pub print: u64,
}

impl Mute {
    /// From how many faults in a row on it is not called for a while.
    pub const FAULTS: u32 = 8;
    /// How long the first time, ns; each further fault doubles it.
    const FIRST: u64 = 1_000_000_000;
    /// How long at most, ns.
    const LONGEST: u64 = 30_000_000_000;

    /// Whether it is left alone for now.
    pub fn is_muted(&self, now: u64) -> bool {
        now < self.until
    }

    /// Whether it can be one of a mind.
    pub(crate) fn is_sound(&self) -> bool {
        self.part < 3 && self.faults > 0 && self.until <= crate::math::MOST_COUNTED
    }

    fn fault(&mut self, now: u64) {
        self.faults = self.faults.saturating_add(1);
        if let Some(more) = self.faults.checked_sub(Self::FAULTS) {
            let wait = Self::FIRST.checked_shl(more.min(8)).unwrap_or(Self::LONGEST).min(Self::LONGEST);
            self.until = now.saturating_add(wait).min(crate::math::MOST_COUNTED);
        }
    }
}

/// Which part of a node a hook is.
fn part_of(hook: Hook) -> u8 {
    match hook {
        Hook::Tick | Hook::Resume | Hook::Check => 0,
        Hook::Enter => 1,
        Hook::Exit(_) => 2,
    }
}

impl Mind {
    fn mute_at(&self, node: u16, part: u8) -> Result<usize, usize> {
        self.mutes.binary_search_by_key(&(node, part), |mute| (mute.node, mute.part))
    }

    /// Leaves out a call, if its function is muted; what it was muted for.
    pub(super) fn skip_muted(&mut self, node: u16, hook: Hook, now: u64) -> Option<u64> {
        let at = self.mute_at(node, part_of(hook)).ok()?;
        let mute = &mut self.mutes[at];
        if !mute.is_muted(now) {
            return None;
        }
        mute.skipped += 1;
        Some(mute.print)
    }

    /// A call erred; whether its function is muted for the first time by that.
    pub(super) fn count_fault(&mut self, node: u16, hook: Hook, now: u64) -> bool {
        let part = part_of(hook);
        let at = self.mute_at(node, part).unwrap_or_else(|at| {
            self.mutes.insert(at, Mute { node, part, faults: 0, until: 0, skipped: 0, print: 0 });
            at
        });
        let mute = &mut self.mutes[at];
        mute.fault(now);
        mute.faults == Mute::FAULTS
    }

    /// Remembers what tells why a function is muted.
    pub(super) fn note_mute(&mut self, node: u16, hook: Hook, print: u64) {
        if let Ok(at) = self.mute_at(node, part_of(hook)) {
            self.mutes[at].print = print;
        }
    }

    /// A call went well: what came before is forgotten.
    pub(super) fn unmute(&mut self, node: u16, hook: Hook) {
        if let Ok(at) = self.mute_at(node, part_of(hook)) {
            self.mutes.remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn pauses_double_up_to_thirty_seconds() {
        let mut mind = Mind::default();
        let mut now = 0;
        let mut pauses = Vec::new();
        for fault in 1..=Mute::FAULTS + 7 {
            let told = mind.count_fault(3, Hook::Tick, now);
            assert_eq!(told, fault == Mute::FAULTS);
            let until = mind.mutes[0].until;
            if until > now {
                assert!(mind.skip_muted(3, Hook::Tick, until - 1).is_some());
                pauses.push((until - now) / SECOND);
                now = until;
            }
            assert!(mind.skip_muted(3, Hook::Tick, now).is_none());
        }
        assert_eq!(pauses, [1, 2, 4, 8, 16, 30, 30, 30]);
        assert_eq!(mind.mutes[0].skipped, 8);
        assert!(mind.mutes[0].is_sound());
    }

    #[test]
    fn success_forgets_and_parts_are_apart() {
        let mut mind = Mind::default();
        for _ in 0..Mute::FAULTS {
            mind.count_fault(3, Hook::Tick, 0);
            mind.count_fault(3, Hook::Enter, 0);
            mind.count_fault(2, Hook::Tick, 0);
        }
        assert!(mind.mutes.is_sorted_by_key(|mute| (mute.node, mute.part)));
        mind.unmute(3, Hook::Resume);
        assert!(mind.skip_muted(3, Hook::Check, 1).is_none());
        assert!(mind.skip_muted(3, Hook::Enter, 1).is_some() && mind.skip_muted(2, Hook::Tick, 1).is_some());
        mind.unmute(9, Hook::Tick);
        assert_eq!(mind.mutes.len(), 2);
    }

    #[test]
    fn seven_faults_and_a_success_are_never_muted() {
        let mut mind = Mind::default();
        for call in 0..800 {
            assert!(mind.skip_muted(0, Hook::Tick, call).is_none());
            if call % 8 == 7 {
                mind.unmute(0, Hook::Tick);
            } else {
                assert!(!mind.count_fault(0, Hook::Tick, call));
            }
        }
    }
}
