//! How much a call may do: counted, not timed, so that a replay stops where the first run did.

use crate::error::{Error, ErrorKind, Place};

/// How many bytes of new memory count as one instruction. Copying long texts is work that Lua does not count.
const BYTES_PER_INSTRUCTION: usize = 64;

/// Steps between two looks at the memory: what it has grown by counts at the next one, and at the end of the entry. A single step may
/// fill all of it, so some more change nothing.
#[cfg(feature = "luau")]
const WEIGH: u32 = 8;

/// Counts the work of one entry into the VM.
#[derive(Default)]
pub(super) struct Meter {
    limit: u64,
    spent: u64,
    /// Whether the tick has less left than a call may spend, and whether most of that was spent by others.
    whole_tick: bool,
    crowded: bool,
    /// Bytes in use when the memory was looked at last, and steps since then.
    memory: usize,
    unweighed: u32,
    tick_spent: u64,
    tick_calls: u64,
    over: Option<Error>,
}

impl Meter {
    /// A new thought begins: the sum over its calls starts anew.
    pub fn begin_tick(&mut self) {
        (self.tick_spent, self.tick_calls) = (0, 0);
    }

    /// An entry begins that may spend `limit`, and with all others of the tick `per_tick`.
    pub fn begin(&mut self, limit: u64, per_tick: u64, memory: usize) {
        let rest = per_tick.saturating_sub(self.tick_spent);
        self.whole_tick = rest < limit;
        self.crowded = rest < limit.min(per_tick) / 2;
        self.limit = limit.min(rest);
        (self.spent, self.memory, self.unweighed, self.over) = (0, memory, 0, None);
    }

    /// The entry is over; the fault that stopped it, if it spent too much.
    pub fn finish(&mut self, memory: usize) -> Option<Error> {
        self.weigh(memory);
        self.tick_spent = self.tick_spent.saturating_add(self.spent);
        self.tick_calls += 1;
        (self.spent, self.limit) = (0, u64::MAX);
        self.over.take()
    }

    /// What the entries since the thought began came to.
    pub fn work(&self) -> super::ScriptWork {
        super::ScriptWork { calls: self.tick_calls, instructions: self.tick_spent }
    }

    /// One step more. Once it was too much, every further step is refused: no `pcall` outlives it.
    #[cfg(feature = "luau")]
    #[inline]
    pub fn step(
        &mut self,
        memory: impl FnOnce() -> usize,
        place: impl FnOnce() -> Option<Place>,
    ) -> Result<(), Error> {
        self.unweighed += 1;
        if self.unweighed < WEIGH && self.spent < self.limit {
            self.spent += 1;
            return Ok(());
        }
        self.steps(1, memory(), place)
    }

    /// Instructions that are left of this entry.
    #[cfg(not(feature = "luau"))]
    pub fn room(&self) -> u64 {
        self.limit.saturating_sub(self.spent)
    }

    /// So many steps more; see `step`.
    pub fn steps(
        &mut self,
        count: u64,
        memory: usize,
        place: impl FnOnce() -> Option<Place>,
    ) -> Result<(), Error> {
        self.spent = self.spent.saturating_add(count);
        self.weigh(memory);
        if self.spent <= self.limit {
            return Ok(());
        }
        let fault = match self.over.take() {
            Some(fault) => fault,
            None => self.fault().at_option(place().as_ref()),
        };
        self.over = Some(fault.clone());
        Err(fault)
    }

    /// Counts what came into use since the memory was looked at last.
    fn weigh(&mut self, memory: usize) {
        let grown = memory.saturating_sub(self.memory);
        (self.memory, self.unweighed) = (memory, 0);
        self.spent = self.spent.saturating_add((grown / BYTES_PER_INSTRUCTION) as u64);
    }

    /// Work on `bytes` that Lua does not see: copies made by the host. It is refused at the next step.
    pub fn charge(&mut self, bytes: usize) {
        self.spent = self.spent.saturating_add(1 + (bytes / BYTES_PER_INSTRUCTION) as u64);
    }

    /// The same, before the work is done: it is not begun when it would be too much. (Elsewhere a charge is a step.)
    #[cfg(feature = "luau")]
    pub fn allow(&mut self, bytes: usize) -> Result<(), Error> {
        self.charge(bytes);
        if self.spent <= self.limit {
            return Ok(());
        }
        // What is not done takes nothing from others.
        self.spent = self.limit.saturating_add(1);
        Err(self.fault())
    }

    fn fault(&self) -> Error {
        if self.whole_tick {
            let kind = if self.crowded { ErrorKind::TickBudget } else { ErrorKind::Budget };
            return Error::new(kind, "the scripts used up the instructions of this tick")
                .hint("spread the work over more ticks, or raise ScriptLimits::per_tick");
        }
        Error::new(ErrorKind::Budget, format!("used up its {} instructions", self.limit))
            .hint("an endless loop?")
    }
}
