//! Compiled texts: what one VM has compiled is not compiled again by the next.
//!
//! A VM trusts bytecode, whoever wrote it. So it is made here alone, from text and in this process; it is neither read
//! from anywhere nor given to anybody.

use super::flavour;
use mlua::{Function, Lua, Table, chunk::ChunkMode};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Scripts as they were compiled, for many worlds that run the same ones. Clones are the same shelf, and may be used by
/// several threads.
///
/// A text is known by all that stands in it, not by its name: a file that has changed is another one. Results are the
/// same with and without, and each world runs each script on its own. What is kept takes 16 MiB at most: above that, what
/// was used longest ago goes first. Lua 5.4 and LuaJIT compile in one quick pass, so nothing is kept for them, and each
/// load counts.
///
/// ```
/// use warband::script::{Chunks, Script, ScriptLimits};
/// let chunks = Chunks::default();
/// for seed in 0..3 {
///     let mut script = Script::new(&warband::node::registry(), seed, ScriptLimits::default())?;
///     script.set_chunks(chunks.clone());
///     script.set_source("pause.lua", Some("return bt.wait { seconds = 2 }".into()));
///     script.load("pause.lua")?;
/// }
/// # #[cfg(feature = "luau")]
/// assert_eq!(chunks.compiled(), 1);
/// # Ok::<(), warband::error::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Chunks(Arc<Mutex<Shelf>>);

/// Bytes of texts and code that are kept.
const MOST: usize = 16 << 20;

#[derive(Debug, Default)]
struct Shelf {
    known: BTreeMap<Arc<str>, Kept>,
    /// Bytes of all texts and codes.
    bytes: usize,
    compiled: u64,
    /// How often anything was asked for.
    turn: u64,
}

#[derive(Debug)]
struct Kept {
    code: Arc<[u8]>,
    /// The turn in which it was asked for last.
    used: u64,
}

impl Chunks {
    /// How many texts were compiled so far, those that had a fault included.
    pub fn compiled(&self) -> u64 {
        self.with(|shelf| shelf.compiled)
    }

    /// The bytes that are kept, of texts and of what they were compiled to.
    pub fn bytes(&self) -> usize {
        self.with(|shelf| shelf.bytes)
    }

    fn with<R>(&self, work: impl FnOnce(&mut Shelf) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The function that a text is, under a name for its faults.
    pub(super) fn load(
        &self,
        lua: &Lua,
        name: String,
        text: &str,
        environment: Option<Table>,
    ) -> mlua::Result<Function> {
        let code = self.with(|shelf| shelf.code(text, MOST));
        let chunk = match &code {
            Some(code) => lua.load(&**code).set_mode(ChunkMode::Binary),
            // Also what has a fault: the VM tells it with name and line.
            None => lua.load(text).set_mode(ChunkMode::Text),
        };
        let chunk = chunk.set_name(name);
        match environment {
            Some(environment) => chunk.set_environment(environment),
            None => chunk,
        }
        .into_function()
    }
}

impl Shelf {
    /// What a text compiles to; nothing where it has a fault.
    fn code(&mut self, text: &str, most: usize) -> Option<Arc<[u8]>> {
        self.turn += 1;
        if let Some(kept) = self.known.get_mut(text) {
            kept.used = self.turn;
            return Some(kept.code.clone());
        }
        self.compiled += 1;
        let code: Arc<[u8]> = flavour::compile(text)?.into();
        self.bytes += text.len() + code.len();
        self.known.insert(text.into(), Kept { code: code.clone(), used: self.turn });
        while self.bytes > most && self.drop_oldest() {}
        Some(code)
    }

    fn drop_oldest(&mut self) -> bool {
        let oldest = self.known.iter().min_by_key(|(_, kept)| kept.used).map(|(text, _)| text.clone());
        let gone = oldest.and_then(|text| Some((text.len(), self.known.remove(&text)?)));
        self.bytes -= gone.as_ref().map_or(0, |(text, kept)| text + kept.code.len());
        gone.is_some()
    }
}

#[cfg(all(test, feature = "luau"))]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_longest_ago_goes_first_and_bytes_are_counted() {
        let mut shelf = Shelf::default();
        let text = |number: u32| format!("return {number}");
        let one = text(0).len() + shelf.code(&text(0), MOST).expect("good").len();
        assert_eq!(shelf.bytes, one);
        for number in 1..4 {
            shelf.code(&text(number), 4 * one);
        }
        shelf.code(&text(0), 4 * one);
        shelf.code(&text(4), 4 * one);
        assert_eq!((shelf.compiled, shelf.known.len(), shelf.bytes), (5, 4, 4 * one));
        assert!(!shelf.known.contains_key(&*text(1)), "it was used before all others");
        shelf.code(&text(0), 4 * one);
        assert_eq!(shelf.compiled, 5, "it is still there");
        let code = shelf.code(&text(5), 1);
        assert!(code.is_some() && shelf.known.is_empty() && shelf.bytes == 0, "larger than the room");
    }

    #[test]
    fn a_fault_is_not_kept() {
        let mut shelf = Shelf::default();
        assert!(shelf.code("return (", MOST).is_none());
        assert_eq!((shelf.compiled, shelf.known.len(), shelf.bytes), (1, 0, 0));
    }
}
