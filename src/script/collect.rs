//! When the collector of the VM runs: after each tick a bounded part of its work, and all at once only where memory runs out.
//!
//! A tick pays for what it left behind, and never for more than [`super::ScriptLimits::collection`]: what is over, and all that
//! a load or a dropped one leaves, is spread over the ticks that follow. All of it is counted in steps, so that it is the
//! same in every run; no clock is asked. Everything is collected at once only by a load or a call that finds three quarters of the memory in use, by a load that finds half of it,
//! and where a script loses its variables.

use super::Script;
use super::flavour::STEP_BITS;

/// Where the collector is.
#[derive(Default)]
pub(super) struct Pace {
    /// Bytes in use after the last step.
    settled: usize,
    /// Bytes that came into use and were not paid for with steps yet.
    debt: usize,
    /// Whether a cycle is under way.
    underway: bool,
    /// How many cycles have ended.
    cycles: u64,
    /// The cycles are worked off without regard to the debt until so many have ended.
    owed: u64,
    /// More than half of the memory was in use: once so many cycles have ended, it is what is kept.
    judged: Option<u64>,
    /// The steps after the last tick.
    steps: usize,
}

impl Pace {
    pub fn new(used: usize) -> Self {
        Self { settled: used, ..Self::default() }
    }

    /// The number of ended cycles after which all is gone that is garbage now: one under way may have passed it by.
    fn fresh_cycle(&self) -> u64 {
        self.cycles + 1 + u64::from(self.underway)
    }

    /// How many steps the tick is to make that has come to `used` bytes, out of `most`.
    fn wanted(&mut self, used: usize, most: usize) -> usize {
        self.debt = self.debt.saturating_add(used.saturating_sub(self.settled));
        self.settled = used;
        if self.cycles < self.owed {
            return most;
        }
        // The one more gains on what is left over.
        let wanted = (self.debt >> STEP_BITS) + usize::from(self.debt > 0 || self.underway);
        wanted.min(most)
    }

    /// A step was made; says whether there is more to be done.
    fn stepped(&mut self, ended: bool) -> bool {
        self.steps += 1;
        self.debt = self.debt.saturating_sub(1 << STEP_BITS);
        self.underway = !ended;
        if ended {
            self.cycles += 1;
            self.debt = 0;
        }
        self.underway || self.cycles < self.owed
    }
}

impl Script {
    /// A part of the garbage collection, to be called at the end of a tick: as much as the tick left behind, what earlier ones
    /// owe, and [`super::ScriptLimits::collection`] at the most.
    pub fn collect(&mut self) {
        // Without a step there would never be an end to it.
        let most = (self.limits.collection >> STEP_BITS).max(1);
        self.pace.steps = 0;
        let used = self.lua.used_memory();
        let wanted = self.pace.wanted(used, most);
        if wanted == 0 {
            return;
        }
        for _ in 0..wanted {
            let ended = self.lua.gc_step().unwrap_or(true);
            if !self.pace.stepped(ended) {
                break;
            }
        }
        self.lua.gc_stop();
        self.pace.settled = self.lua.used_memory();
    }

    /// What the last [`Script::collect`] came to, in bytes: whole steps.
    pub fn collected(&self) -> usize {
        self.pace.steps << STEP_BITS
    }

    /// Something was let go of: from the next tick on the collector works until it is gone.
    pub(super) fn collect_soon(&mut self) {
        self.pace.owed = self.pace.fresh_cycle();
        // Loads without ticks between them.
        if self.lua.used_memory() > self.limits.memory / 2 {
            self.collect_all();
        }
    }

    /// Whether more than half of the memory is kept, and is not garbage: it is known once a cycle has ended since. There is no
    /// time to wait for that where another tick like the last would not fit.
    pub(super) fn keeps_too_much(&mut self) -> bool {
        let used = self.lua.used_memory();
        if used <= self.limits.memory / 2 {
            self.pace.judged = None;
            return false;
        }
        let fresh = self.pace.fresh_cycle();
        let judged = *self.pace.judged.get_or_insert(fresh);
        self.pace.owed = self.pace.owed.max(judged);
        let lately = self.environments.iter().map(|one| one.lately).sum::<u64>();
        self.pace.cycles >= judged || used.saturating_add(lately as usize) > self.room()
    }

    pub(super) fn collect_all(&mut self) {
        // Twice: the first may only finish a cycle that was begun.
        for _ in 0..2 {
            // It cannot fail: scripts have no finalizers.
            let _ = self.lua.gc_collect();
        }
        self.lua.gc_stop();
        let cycles = self.pace.cycles + 2;
        self.pace =
            Pace { cycles, owed: cycles, steps: self.pace.steps, ..Pace::new(self.lua.used_memory()) };
        self.starved = false;
    }

    /// Collects everything where the last entry met the limit, or the next one soon would. Answers the bytes in use.
    pub(super) fn make_room(&mut self) -> usize {
        let used = self.lua.used_memory();
        if !self.starved && used <= self.room() {
            return used;
        }
        self.collect_all();
        self.drop_hoarders(self.room(), |one| one.lately);
        self.lua.used_memory()
    }
}
