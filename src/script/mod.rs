//! Scripts in Lua: a sandboxed VM that makes trees and runs the leaves that are written in Lua.
//!
//! A [`Script`] is one VM. [`Script::load`] runs a file in a fresh environment and answers with the trees it
//! returned, as [`Spec`]s: whoever owns the script builds them, and decides when they take the place of older ones.
//! While trees run, the script is their [`crate::tree::Host`].
//!
//! Nothing here knows a world, watches files or keeps what an agent remembers: data lives in Rust, code in Lua.
//!
//! # Containment
//! Every entry into the VM has a budget of instructions that is counted, not timed; it holds through `pcall`,
//! coroutines, metamethods, comparators and string patterns. The VM has a memory limit. Scripts have no files, no
//! clock, no bytecode, no dice but the agent's, and see nothing of each other but what they `require`. This holds for
//! each flavour of Lua ([`FLAVOUR`]); the README has a table of what differs.
//!
//! A call that goes wrong has failed: what it asked of steering is not followed, what its leaf keeps is as it was before.
//! What it wrote to keys before its fault stays written. A function that errs in each call is left alone for a while, see
//! [`crate::tree::Mute`]. A script that holds too much memory in variables loses them, and is run anew by the world after a
//! while: 1 s, then 2 s, 4 s, up to 30 s, see [`Script::weigh`]; one that only lost them because it was suspected is run anew
//! at once. Neither its trees nor what its leaves keep is concerned; coroutines begin anew.
//!
//! # What a leaf is given
//! `self` is a small table, made once for each agent and good only inside a call for that agent. It has `position`,
//! `velocity`, `facing`, `home`, `radius`, `max_speed`, `key`, `rank`, `mates`, `squad`, `squad_centre`, `time`, `dt`,
//! `arrived`, `blocked`, `perceives_target`, `mode`, `largest_gap`, `set_fraction`, `place_error`; `board.NAME`, to be read and written;
//! `target` (what is believed: `position`, `velocity`, `distance`, `age`, `in_view`,
//! `awareness`, `score`, `source`, `how`, `entity`) or nil; `distance(point)`, `set_mode(name)`, `say(line)`,
//! `command(name)`, `increment(key, by)`, `append(key, point)`, `alive()`, and each steering behaviour by its name, as `self:seek(point, { speed = 2 })`.
//!
//! `self.memory` is a table that an action, a coroutine or a service keeps from its enter to its exit, for this agent and
//! this node. Its truth is in Rust ([`crate::tree::Keep`]): what a call has put there is taken over at its end, and what
//! is no plain data (truth values, numbers, texts, vectors, bodies, and tables of them; 16 tables deep, 256 values and
//! 4 KiB at most) is a fault of that call by its path, as is any other fault: the memory stays as it was before the call.
//! Only calls that asked for it pay for it; of a coroutine, all after the first that did, for it may have it in a variable.
//!
//! # Coroutines
//! The `run` of `bt.coroutine` is called once and goes on over the ticks. In it, and in coroutines that it makes:
//! - `wait(seconds)` goes on in the first tick in which so much of the world's time has passed, `wait()` in the next one.
//!   Every wait lets a tick pass. `wait_until(test, seconds)` asks at once and in each tick, answers true when `test`
//!   answered with anything but false and nil, and false in the first tick after the time; without one it asks for ever.
//! - A steering method whose behaviour can end (`seek`, `arrive`, `pursue`, `flee` with a radius, …) is followed in each
//!   tick until it ends, and answers `"success"` or `"failure"`.
//! - One without an end (`face`, `wander`, `flee` without a radius, and what only adds to where others lead) answers
//!   `"running"` at once and is held: it is followed in this tick and in each tick of the next wait or walk, and is over
//!   with that. Several are held together. `self:wander()` finds its own way then.
//! - `coroutine.yield()` outside of coroutines of its own waits for one tick.
//!
//! While it waits for a time and holds nothing, Lua is not called and the agent's tree can sleep. It ends with success
//! when `run` comes to its end; however it is left, the thread is closed before `exit` is called. A reload in which its
//! function is the same lets it go on; without its thread ([`Script::forget_threads`]) it begins anew, with its memory.
//!
//! # Which function is the same after a reload
//! A leaf runs on over a reload if its functions are the same by their words and by those of all that they lean on. That
//! is, besides the function itself, the outermost function or block in which it stands, whose locals it may use; each
//! statement at the top of its file that defines, assigns or is given a name which these use, and what that uses in
//! turn; and all of each file that such a statement requires, with what it requires itself. So a changed number, tree or
//! function elsewhere in the file leaves it alone, and a changed helper does not: it is exited with the code that it was
//! entered with, and begins anew with the new. Comments, blanks and where it stands do not count.
//!
//! Names are taken by their words: a local with the name of something at the top of the file counts as that. What a
//! function around it was called with does not count where it stands in no text that does: give such leaves an `id`, or
//! hand the value to the leaf by the board.
//!
//! # Queries
//! `query.ring(place, inner, outer, points)`, `query.grid(place, half, spacing)` and `query.points(list)` make queries (see
//! [`crate::query`]); `within`, `away_from`, `walkable`, `visible_from`, `hidden_from`, `near`, `far`, `rank` and `budget`
//! each make a new one with a word more; `best()`, `all(most)` and `count()` answer, in a function of a leaf. Their work
//! counts as instructions, four units as one.
//!
//! # What is repeatable
//! Everything but the order in which `pairs` walks a table whose *keys* are tables or functions: Lua sorts those by
//! address. (To Lua 5.4 and LuaJIT a vector is a table, but sorted by what it holds.) Numbers, strings, vectors and the handles of bodies are safe keys; for an agent, use `self.key`.

#[cfg(not(target_pointer_width = "64"))]
compile_error!("the feature `lua` needs a target of 64 bits: handles of bodies take 52");

mod advice;
mod agent;
mod call;
mod chunks;
mod collect;
mod convert;
mod fault;
mod flavour;
mod hoard;
mod install;
mod keys;
mod lex;
mod load;
mod memory;
mod meter;
mod numbers;
mod outline;
mod query;
mod shared;
mod source;
mod steering;
mod story;
mod vm;
mod words;
mod writing;

use crate::blackboard::{KeyDecl, Schema};
use crate::error::{Error, ErrorKind, Place, Result};
use crate::rng::Dice;
use crate::tree::{Desk, Mind, Registry, Spec};
pub use chunks::Chunks;
use convert::{Callable, Converter};
pub use flavour::FLAVOUR;
pub use hoard::Dropped;
use hoard::Environment;
use load::{Library, Loading};
use mlua::Lua;
use shared::{Phase, Shared, Stage};
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// How much a script may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptLimits {
    /// Instructions of one call of a leaf: turns of a loop, calls, steps of a pattern, and one for each 64 bytes of
    /// new memory. Lua 5.4 and LuaJIT count a quarter of what their VM runs, each 1,000. Default 200,000, which is some milliseconds. Too few stop honest scripts.
    pub instructions: u64,
    /// Instructions of all calls of one tick together. Default 4,000,000.
    pub per_tick: u64,
    /// Instructions of one load. Default 4,000,000.
    pub load_instructions: u64,
    /// Bytes that the VM may hold. Default 64 MiB; below 4 MiB the library itself may not fit. What scripts keep in
    /// variables of their files may be half of it; see [`Script::weigh`].
    pub memory: usize,
    /// Bytes that the collector goes through after a tick at most, by [`Script::collect`]: what a tick leaves behind is
    /// collected after it, what is over after the next ones. In whole steps of 16 KiB (LuaJIT: 1 KiB), one at least. Default 1 MiB. What
    /// scripts leave behind faster than that fills the memory, until all is collected at once where three quarters of it
    /// are in use.
    pub collection: usize,
}

impl Default for ScriptLimits {
    fn default() -> Self {
        Self {
            instructions: 200_000,
            per_tick: 4_000_000,
            load_instructions: 4_000_000,
            memory: 64 << 20,
            collection: 1 << 20,
        }
    }
}

/// What scripts did in a thought, or since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScriptWork {
    /// How many of their functions were called.
    pub calls: u64,
    /// The instructions that those calls took, counted as in [`ScriptLimits::instructions`].
    pub instructions: u64,
}

/// What a file gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The file, as it was asked for.
    pub file: String,
    /// The number of this load; the functions in its trees live until [`Script::drop_generation`].
    pub generation: u32,
    /// The trees that it returned, by name; none if it returned a module.
    pub trees: Vec<(String, Spec)>,
    /// The keys that it and the files it requires declare.
    pub keys: Vec<KeyDecl>,
    /// It and all files that it requires, with their text, in the order in which they were asked for.
    pub files: Vec<(String, String)>,
}

/// One VM with everything that was loaded into it.
///
/// ```
/// use warband::script::{Script, ScriptLimits};
/// let mut script = Script::new(&warband::node::registry(), 7, ScriptLimits::default())?;
/// script.set_source("pause.lua", Some("return bt.wait { seconds = 2 }".into()));
/// let loaded = script.load("pause.lua")?;
/// assert_eq!(loaded.trees[0].0, "pause");
/// # Ok::<(), warband::error::Error>(())
/// ```
pub struct Script {
    lua: Lua,
    entries: vm::Entries,
    stage: Shared<Stage>,
    registry: Registry,
    limits: ScriptLimits,
    seed: u64,
    generation: u32,
    next_handle: u32,
    functions: Vec<Callable>,
    schema: Schema,
    touched: Vec<String>,
    /// Whether the memory limit was met: all is collected before the next entry.
    starved: bool,
    /// What was loaded and not dropped, by generation.
    environments: Vec<Environment>,
    dropped: Vec<Dropped>,
    /// The load whose function each thread of a leaf runs, by the number of its stay.
    threads: BTreeMap<u64, u32>,
    pace: collect::Pace,
}

impl Script {
    /// A VM that knows the nodes of `registry`; `seed` is the world's, for dice that are drawn while loading.
    ///
    /// # Errors
    /// A memory limit in which the library does not fit.
    pub fn new(registry: &Registry, seed: u64, limits: ScriptLimits) -> Result<Self> {
        let stage = Shared::new(Stage {
            phase: Phase::Idle,
            scene: None,
            mind: Box::new(Mind::default()),
            desk: Desk::default(),
            index: 0,
            agent: 0,
            node: 0,
            tale: false,
            touched: false,
            stays: 0,
            meter: meter::Meter::default(),
            library: Library::default(),
            loading: None,
            notes: Vec::new(),
            found: crate::query::Found::default(),
            asks: Vec::new(),
            asked: 0,
            dice: Dice::new(seed, &[]),
        });
        stage.with(|stage| stage.meter.begin(u64::MAX, u64::MAX, 0));
        let opened = vm::open(registry, &stage, limits.memory);
        let (lua, entries) = opened.map_err(|error| fault::translate(&error, limits.memory))?;
        let pace = collect::Pace::new(lua.used_memory());
        Ok(Self {
            lua,
            entries,
            stage,
            registry: registry.clone(),
            limits,
            seed,
            generation: 0,
            next_handle: 0,
            functions: Vec::new(),
            schema: Schema::default(),
            touched: Vec::new(),
            starved: false,
            environments: Vec::new(),
            dropped: Vec::new(),
            threads: BTreeMap::new(),
            pace,
        })
    }

    /// Pushes the text of a file, which then wins over the disk; `None` takes it away again.
    pub fn set_source(&mut self, path: &str, text: Option<String>) {
        self.stage.with(|stage| match text {
            Some(text) => drop(stage.library.pushed.insert(path.to_owned(), text)),
            None => drop(stage.library.pushed.remove(path)),
        });
    }

    /// Compiled texts to use and to add to from now on, in place of its own.
    pub fn set_chunks(&mut self, chunks: Chunks) {
        self.stage.with(|stage| stage.library.chunks = chunks);
    }

    /// Sets the folder that files are read from. Nothing outside it is ever read.
    pub fn set_root(&mut self, root: PathBuf) {
        self.stage.with(|stage| stage.library.root = Some(root));
    }

    /// Runs a file and all it requires in fresh environments. What was loaded before is untouched, also when it is
    /// the same file.
    ///
    /// # Errors
    /// A file that cannot be read, a fault in it or in what it requires, or nothing returned that is a tree. Nothing
    /// of it stays then.
    pub fn load(&mut self, path: &str) -> Result<Loaded> {
        self.make_room();
        self.generation += 1;
        let (limits, used, dice) = (self.limits, self.lua.used_memory(), Dice::new(self.seed, &[0x10ad]));
        self.stage.with(|stage| {
            stage.loading = Some(Loading::default());
            (stage.phase, stage.dice) = (Phase::Load, dice);
            stage.meter.begin(limits.load_instructions, u64::MAX, used);
        });
        flavour::begin(&self.lua, &self.stage);
        let ran = guarded(|| load::module(&self.lua, &self.stage, path, limits.memory));
        let after = self.lua.used_memory();
        let (over, loading) = self.stage.with(|stage| {
            stage.phase = Phase::Idle;
            (stage.meter.finish(after), stage.loading.take().unwrap_or_default())
        });
        self.touched = loading.files.iter().map(|(file, _)| file.to_string()).collect();
        let value = match (over, ran) {
            (Some(over), _) => Err(over),
            (None, ran) => ran.flatten(),
        };
        let loaded = value.and_then(|value| self.convert(path, &value, loading, used));
        self.collect_soon();
        loaded.map_err(|error| self.advise(error.at(Place::new(path, 0))))
    }

    fn convert(&mut self, path: &str, value: &mlua::Value, loading: Loading, used: usize) -> Result<Loaded> {
        let mut converter = Converter {
            registry: &self.registry,
            files: &loading.files,
            generation: self.generation,
            next_handle: self.next_handle,
            functions: Vec::new(),
            sources: source::Sources::new(),
            known: BTreeMap::new(),
            words: self.lua.globals().get("bt").ok(),
            room: self.limits.memory,
            limit: self.limits.memory,
            depth: 0,
        };
        let trees = converter.trees(path, value)?;
        self.next_handle = converter.next_handle;
        self.functions.append(&mut converter.functions);
        let allocated = self.lua.used_memory().saturating_sub(used) as u64;
        let file = path.into();
        self.environments.push(Environment {
            generation: self.generation,
            file,
            allocated,
            lately: 0,
            dropped: false,
        });
        let files =
            loading.files.iter().map(|(file, text)| (file.to_string(), text.clone().unwrap_or_default()));
        Ok(Loaded {
            file: path.to_owned(),
            generation: self.generation,
            trees,
            keys: loading.keys,
            files: files.collect(),
        })
    }

    /// The files that the last load asked for, in that order, also when it failed: a change of any of them is worth
    /// another try.
    pub fn touched(&self) -> &[String] {
        &self.touched
    }

    /// Frees the functions and environments of a load whose trees nobody runs any more.
    pub fn drop_generation(&mut self, generation: u32) {
        self.functions.retain(|function| function.generation != generation);
        self.environments.retain(|one| one.generation != generation);
        self.collect_soon();
    }

    /// Drops all threads of coroutines and all tables of what leaves keep: each coroutine begins anew when it is called
    /// next, with what it keeps. For a world that was put back to an earlier state; see also
    /// [`crate::tree::Mind::forget_threads`].
    pub fn forget_threads(&mut self) {
        // It runs nothing of the script's; a failure leaves threads that go on.
        let _ = self.with_room(|entries| entries.forget_all.call::<()>(()));
        self.threads.clear();
        self.collect_soon();
    }

    /// Takes what scripts printed while they were loaded.
    pub fn take_notes(&mut self) -> Vec<String> {
        self.stage.with(|stage| std::mem::take(&mut stage.notes))
    }

    /// What was done since the last [`crate::tree::Host::begin`].
    pub fn work(&self) -> ScriptWork {
        self.stage.with(|stage| stage.meter.work())
    }

    /// Bytes that the VM holds.
    pub fn used_memory(&self) -> usize {
        self.lua.used_memory()
    }
}

/// Runs what enters the VM: a panic of a function that Lua calls comes out as an error.
fn guarded<R>(work: impl FnOnce() -> R) -> Result<R> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panicked(panic.as_ref()))
}

fn panicked(panic: &(dyn Any + Send)) -> Error {
    let text =
        panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    Error::new(
        ErrorKind::Panic,
        format!("a function of the host panicked: {}", text.unwrap_or("without a word")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_a_host_function_is_an_error_and_the_vm_goes_on() {
        let script = Script::new(&crate::node::registry(), 7, ScriptLimits::default()).expect("a VM");
        let bomb =
            script.lua.create_function(|_, ()| -> mlua::Result<()> { panic!("boom") }).expect("a function");
        let call: mlua::Function =
            script.lua.load("local f = ... return f()").into_function().expect("a chunk");
        let fault = guarded(|| call.call::<()>(bomb)).expect_err("it panics");
        assert_eq!(fault.kind(), ErrorKind::Panic);
        assert_eq!(fault.to_string(), "a function of the host panicked: boom");
        let answer = guarded(|| script.lua.load("return 1 + 1").eval::<i64>());
        assert_eq!(answer.expect("no panic").expect("no fault"), 2);
    }
}
