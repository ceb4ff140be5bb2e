//! What was last read of each file, as a [hash](crate::hash).

use std::collections::BTreeMap;

/// The known content of each file, by name.
///
/// ```
/// use warband::{hash::hash, reload::Hashes};
/// let mut hashes = Hashes::default();
/// assert!(hashes.learn("guard.lua", hash(b"return 1")));
/// assert!(!hashes.learn("guard.lua", hash(b"return 1")));
/// assert!(hashes.learn("guard.lua", hash(b"return 2")));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Hashes(BTreeMap<String, u64>);

impl Hashes {
    /// Remembers `hash` for `name`; true if that is news.
    pub fn learn(&mut self, name: &str, hash: u64) -> bool {
        match self.0.get_mut(name) {
            Some(known) => std::mem::replace(known, hash) != hash,
            None => self.0.insert(name.to_string(), hash).is_none(),
        }
    }

    /// Forgets `name`; true if it was known.
    pub fn forget(&mut self, name: &str) -> bool {
        self.0.remove(name).is_some()
    }

    /// Whether `name` is known.
    pub fn knows(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Whether any known file lies in `folder` or below it.
    pub fn any_in(&self, folder: &str) -> bool {
        let start = format!("{folder}/");
        self.0.range(start.clone()..).next().is_some_and(|(name, _)| name.starts_with(&start))
    }

    /// All known names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
