//! From events to changes: wait for quiet, look at the disk, compare with what was known.

use std::collections::BTreeMap;
use std::time::Duration;

use super::content::Hashes;
use super::quiet::{EVERYTHING, Quiet, QuietRules};
use crate::error::Error;
use crate::hash::hash;
use crate::rng::mix;

/// A file that reads otherwise than it last did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file, relative to the watched folder, with `/` between folders on every system.
    pub path: String,
    /// What it reads now; `None` when it is gone.
    pub text: Option<String>,
}

/// What a look at one file found.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// Its text.
    Text(String),
    /// No such file.
    Gone,
    /// A file that cannot be read as text.
    Bad(Error),
}

/// Where files are looked at: a folder, or a map in a test.
pub trait Disk {
    /// Reads the file `name`.
    fn read(&mut self, name: &str) -> Found;
    /// Adds the names of all script files there are, in any order.
    fn names(&mut self, names: &mut Vec<String>);
}

/// Turns events into changes, over a given time and a given disk.
///
/// - Events of a file lead to a look once they are over (see [`QuietRules`]), those of several files to one.
/// - A look that finds what was known reports nothing.
/// - A known file that is gone is looked for again; only if it stays gone for `longest` is it reported as removed.
/// - A file that cannot be read is treated alike, and then noted as an error, once. When it reads again, that is a
///   change.
#[derive(Clone, Debug, Default)]
pub struct Settling {
    quiet: Quiet,
    hashes: Hashes,
    /// Since when a file has been gone or unreadable.
    waiting: BTreeMap<String, Duration>,
    notes: Vec<Error>,
}

impl Settling {
    /// Knows no file yet.
    pub fn new(rules: QuietRules) -> Self {
        Self { quiet: Quiet::new(rules), ..Self::default() }
    }

    /// Something happened to `name` at `now`; [`EVERYTHING`] when it is not known to what.
    pub fn on_event(&mut self, name: &str, now: Duration) {
        self.quiet.on_event(name, now);
    }

    /// `text` of `name` is in use. If that is news, the file is looked at soon: it may have changed since it was
    /// read.
    pub fn knows(&mut self, name: &str, text: &str, now: Duration) {
        if self.hashes.learn(name, hash(text.as_bytes())) {
            self.on_event(name, now);
        }
    }

    /// Takes what `disk` holds as known, so that only what changes from here on is reported.
    pub fn prime(&mut self, disk: &mut dyn Disk, now: Duration) {
        let mut names = Vec::new();
        disk.names(&mut names);
        for name in names {
            match disk.read(&name) {
                Found::Text(text) => drop(self.hashes.learn(&name, hash(text.as_bytes()))),
                Found::Gone | Found::Bad(_) => self.on_event(&name, now),
            }
        }
    }

    /// The known content.
    pub fn hashes(&self) -> &Hashes {
        &self.hashes
    }

    /// Looks at what is due at `now` and returns what changed, sorted by path. Costs nothing when nothing is due.
    pub fn poll(&mut self, disk: &mut dyn Disk, now: Duration) -> Vec<Change> {
        let mut due = self.quiet.poll(now).unwrap_or_default();
        self.add_overdue(&mut due, now);
        if due.first().is_some_and(|name| name == EVERYTHING) {
            due.remove(0);
            disk.names(&mut due);
            due.extend(self.hashes.names().map(str::to_string));
        }
        due.sort_unstable();
        due.dedup();
        due.into_iter().filter_map(|name| self.look(name, disk, now)).collect()
    }

    /// Faults found since the last call: files that could not be read as text, each once.
    pub fn take_notes(&mut self) -> Vec<Error> {
        std::mem::take(&mut self.notes)
    }

    fn add_overdue(&self, due: &mut Vec<String>, now: Duration) {
        let longest = self.quiet.rules().longest;
        let overdue = self.waiting.iter().filter(|(_, since)| now.saturating_sub(**since) >= longest);
        due.extend(overdue.map(|(name, _)| name.clone()));
    }

    fn look(&mut self, name: String, disk: &mut dyn Disk, now: Duration) -> Option<Change> {
        match disk.read(&name) {
            Found::Text(text) => {
                self.waiting.remove(&name);
                let news = self.hashes.learn(&name, hash(text.as_bytes()));
                news.then_some(Change { path: name, text: Some(text) })
            }
            Found::Gone if !self.hashes.knows(&name) => {
                self.waiting.remove(&name);
                None
            }
            Found::Gone => {
                let gone = self.stayed_so(&name, now) && self.hashes.forget(&name);
                gone.then_some(Change { path: name, text: None })
            }
            Found::Bad(error) => {
                // Mixed once more, so that no text has the hash of a fault: when it reads again, that is news.
                let fault = mix(hash(error.message().as_bytes()));
                if self.stayed_so(&name, now) && self.hashes.learn(&name, fault) {
                    self.notes.push(error);
                }
                None
            }
        }
    }

    /// Whether `name` has been gone or unreadable for long enough to be believed; starts the wait if it has not.
    fn stayed_so(&mut self, name: &str, now: Duration) -> bool {
        let since = *self.waiting.entry(name.to_string()).or_insert(now);
        let stayed = now.saturating_sub(since) >= self.quiet.rules().longest;
        if stayed {
            self.waiting.remove(name);
        }
        stayed
    }
}
