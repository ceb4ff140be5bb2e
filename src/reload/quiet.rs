//! Waiting for quiet: one save is many events, and a reload in the middle of it would read half a file.
//!
//! Knows no files and no clock: names and times are given.

use std::collections::BTreeSet;
use std::time::Duration;

/// The name that stands for all files: something happened, and nobody knows where.
pub const EVERYTHING: &str = "";

/// How long to wait before looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietRules {
    /// How long no event may have come, by default 80 ms. Shorter reads half-written files, longer feels slow.
    pub quiet: Duration,
    /// How long after the first event to look at the latest, by default 500 ms: a file that is written all the time
    /// must not wait for ever. Less than `quiet` acts as this value alone. It is also how long a file must stay gone
    /// or unreadable before that is believed.
    pub longest: Duration,
}

impl Default for QuietRules {
    fn default() -> Self {
        Self { quiet: Duration::from_millis(80), longest: Duration::from_millis(500) }
    }
}

/// Collects names until they are due, all together: a save of five files is one batch.
///
/// ```
/// use std::time::Duration;
/// use warband::reload::{Quiet, QuietRules};
/// let ms = Duration::from_millis;
/// let mut quiet = Quiet::new(QuietRules::default());
/// quiet.on_event("guard.lua", ms(0));
/// quiet.on_event("util.lua", ms(40));
/// assert_eq!(quiet.poll(ms(100)), None);
/// assert_eq!(quiet.poll(ms(120)), Some(vec!["guard.lua".to_string(), "util.lua".to_string()]));
/// assert_eq!(quiet.poll(ms(900)), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Quiet {
    rules: QuietRules,
    names: BTreeSet<String>,
    first: Duration,
    last: Duration,
}

impl Quiet {
    /// Nothing collected yet.
    pub fn new(rules: QuietRules) -> Self {
        Self { rules, ..Self::default() }
    }

    /// The rules it was made with.
    pub fn rules(&self) -> QuietRules {
        self.rules
    }

    /// Something happened to `name` at `now`, a time since any fixed moment that never runs backwards (if it does,
    /// the wait grows longer, no more).
    pub fn on_event(&mut self, name: &str, now: Duration) {
        if self.names.is_empty() {
            self.first = now;
        }
        self.last = now;
        if !self.names.contains(name) {
            self.names.insert(name.to_string());
        }
    }

    /// All names collected, sorted, each once, if they are due at `now`; they are forgotten with that.
    pub fn poll(&mut self, now: Duration) -> Option<Vec<String>> {
        let due = now.saturating_sub(self.last) >= self.rules.quiet
            || now.saturating_sub(self.first) >= self.rules.longest;
        (due && !self.names.is_empty()).then(|| std::mem::take(&mut self.names).into_iter().collect())
    }
}
