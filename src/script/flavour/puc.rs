//! Lua 5.4 and LuaJIT: a hook counts, what is out of sight stands in for frozen, and the prelude's `puc.lua` for the
//! libraries that they lack.

use super::pattern::{self, Found};
use crate::entity::Entity;
use crate::error::{Error, ErrorKind, Place};
use crate::math::{Vec3, vec3};
use crate::script::fault::{PRELUDE, here, raise};
use crate::script::keys::number;
use crate::script::shared::{Phase, Shared, Stage};
use mlua::chunk::ChunkMode;
use mlua::{Function, HookTriggers, Lua, LuaOptions, LuaString, StdLib, Table, Value, Variadic, VmState};

/// A VM with the libraries that scripts may use, as the flavour has them.
pub(in crate::script) fn open() -> mlua::Result<Lua> {
    let libraries = StdLib::TABLE | StdLib::STRING | StdLib::MATH;
    #[cfg(feature = "lua54")]
    let lua = {
        use mlua::state::{GcIncParams, GcMode};
        let lua = Lua::new_with(libraries | StdLib::COROUTINE | StdLib::UTF8, LuaOptions::new())?;
        // By itself a step goes through a hundred times as much as was allocated: all there is.
        lua.gc_set_mode(GcMode::Incremental(
            GcIncParams::default().step_size(STEP_BITS as i32).step_multiplier(4),
        ));
        lua
    };
    #[cfg(feature = "luajit")]
    let lua = {
        let lua = Lua::new_with(libraries | StdLib::JIT, LuaOptions::new())?;
        // Compiled code calls no hook: a loop in it could not be stopped.
        lua.load("jit.off() jit.flush()").exec()?;
        lua
    };
    Ok(lua)
}

/// Bytes that one step of the collector goes through, as a power of two.
pub(in crate::script) const STEP_BITS: u32 = if cfg!(feature = "luajit") { 10 } else { 14 };

/// The keys that `puc.lua` and the prelude hide things under: the slots of a handle, of a vector, of a body, the table
/// behind a frozen one, and what tells that a metatable is nobody's business.
const SLOTS: std::ops::Range<usize> = 1..4;
const AXES: [usize; 3] = [4, 5, 6];
const BODY: usize = 7;
const CONTENT: usize = 8;
const PRIVATE: usize = 9;

/// Functions of `puc.lua` that Rust calls.
struct Makers {
    vector: Function,
    body: Function,
    freeze: Function,
    kinds: Function,
}

/// What the prelude needs besides the libraries that the VM came with.
pub(in crate::script) fn libraries(lua: &Lua, stage: &Shared<Stage>, rust: &Table) -> mlua::Result<()> {
    rust.raw_set("slots", lua.create_sequence_from(SLOTS.map(super::hidden))?)?;
    rust.raw_set("hidden", lua.create_sequence_from((0..=PRIVATE).map(super::hidden))?)?;
    rust.raw_set("is_fault", lua.create_function(|_, value: Value| Ok(value.is_error()))?)?;
    let shared = stage.clone();
    rust.raw_set("charge", lua.create_function(move |lua, bytes: f64| charge(lua, &shared, bytes, 64))?)?;
    let shared = stage.clone();
    rust.raw_set("rethrow", lua.create_function(move |lua, ()| rethrow(lua, &shared))?)?;
    let shared = stage.clone();
    rust.raw_set("match", lua.create_function(move |lua, sought: Sought| search(lua, &shared, &sought))?)?;
    let made: Table = lua
        .load(include_str!("puc.lua"))
        .set_name(format!("={PRELUDE}"))
        .set_mode(ChunkMode::Text)
        .call(rust)?;
    lua.set_app_data(Makers {
        vector: made.get("vector")?,
        body: made.get("body")?,
        freeze: made.get("freeze")?,
        kinds: made.get("kinds")?,
    });
    Ok(())
}

fn with<R>(lua: &Lua, work: impl FnOnce(&Makers) -> mlua::Result<R>) -> mlua::Result<R> {
    match lua.app_data_ref::<Makers>() {
        Some(makers) => work(&makers),
        None => Err(mlua::Error::runtime("the libraries are not there yet")),
    }
}

/// Counts `bytes` at once: no hook comes before the work is done.
fn charge(lua: &Lua, stage: &Shared<Stage>, bytes: f64, unit: u64) -> mlua::Result<()> {
    let memory = lua.used_memory();
    stage
        .with(|stage| stage.meter.steps(bytes as u64 / unit, memory, || here(lua)))
        .map_err(mlua::Error::external)
}

/// Raises once more what stopped the entry, if something did: no `pcall` outlives it.
fn rethrow(lua: &Lua, stage: &Shared<Stage>) -> mlua::Result<()> {
    charge(lua, stage, 0.0, 1)
}

type Sought = (LuaString, LuaString, usize, Option<usize>);

/// Steps of a search that count as one instruction.
const STEPS_PER_INSTRUCTION: u64 = 8;

/// Searches a text by a pattern: where it begins and ends, and the captures.
fn search(lua: &Lua, stage: &Shared<Stage>, sought: &Sought) -> mlua::Result<Variadic<Value>> {
    let (text, pattern, from, not_at) = sought;
    let (bytes, pattern) = (text.as_bytes(), pattern.as_bytes());
    let room = stage.with(|stage| stage.meter.room()).saturating_mul(STEPS_PER_INSTRUCTION);
    let mut steps = 0;
    let found = pattern::find(&bytes, &pattern, *from, *not_at, room, &mut steps);
    // One more, so that a search that gave up is over the limit, and not at it.
    charge(lua, stage, (steps + STEPS_PER_INSTRUCTION) as f64, STEPS_PER_INSTRUCTION)?;
    let found = found.map_err(|fault| raise(lua, Error::new(ErrorKind::Script, fault)))?;
    let Some(Found { start, end, captures }) = found else { return Ok(Variadic::new()) };
    let mut answer = vec![Value::Integer(start as i64 + 1), Value::Integer(end as i64)];
    for capture in captures {
        answer.push(match capture {
            pattern::Capture::Place(at) => Value::Integer(at as i64 + 1),
            pattern::Capture::Text(from, to) => Value::String(lua.create_string(&bytes[from..to])?),
        });
    }
    Ok(answer.into())
}

/// Gives vectors and bodies what scripts can do with them.
pub(in crate::script) fn kinds(lua: &Lua, vectors: Table, bodies: Table) -> mlua::Result<()> {
    with(lua, |makers| makers.kinds.call((vectors, bodies)))
}

/// Closes the sandbox; `globals` are what all files see.
pub(in crate::script) fn close(lua: &Lua, globals: &Table) -> mlua::Result<()> {
    for pair in globals.pairs::<Value, Value>() {
        if let (name, Value::Table(library)) = pair?
            && library.raw_get::<Value>(super::hidden(CONTENT))?.is_nil()
        {
            globals.raw_set(name, freeze(lua, library)?)?;
        }
    }
    Ok(())
}

/// Nothing here is compiled by what the environment promises.
pub(in crate::script) fn trust(_: &Table) {}

/// A table with the same content that nobody can change.
pub(in crate::script) fn freeze(lua: &Lua, table: Table) -> mlua::Result<Table> {
    with(lua, |makers| makers.freeze.call(table))
}

/// The table behind a frozen one.
pub(in crate::script) fn content(table: &Table) -> Table {
    table.raw_get(super::hidden(CONTENT)).unwrap_or_else(|_| table.clone())
}

/// A node stays as it is: what a script changes in it while it is loaded is what it says.
pub(in crate::script) fn seal(_: &Table) {}

/// Puts a metatable out of the reach of scripts.
pub(in crate::script) fn seal_meta(meta: &Table) -> mlua::Result<()> {
    meta.raw_set(super::hidden(PRIVATE), true)
}

pub(in crate::script) fn is_sealed(_: &Table) -> bool {
    false
}

/// VM instructions between two looks at the count.
const STRIDE: u32 = 1000;

/// VM instructions that count as one: about what Luau does between two of its looks.
const PER_INSTRUCTION: u32 = 4;

/// Counts what is done from now on; called once.
pub(in crate::script) fn count(lua: &Lua, stage: &Shared<Stage>) -> mlua::Result<()> {
    lua.set_app_data(LastLine::default());
    arm(lua, stage, STRIDE)
}

/// Begins an entry: nothing is left from the one before.
pub(in crate::script) fn begin(lua: &Lua, stage: &Shared<Stage>) {
    // What ends before the first look counts as half a stride.
    stage.with(|stage| stage.meter.charge(STRIDE as usize / PER_INSTRUCTION as usize / 2 * 64));
    if cfg!(feature = "luajit") {
        forget_line(lua);
    }
    // It fails only where a hook yields, which ours does not.
    let _ = arm(lua, stage, STRIDE);
}

fn arm(lua: &Lua, stage: &Shared<Stage>, stride: u32) -> mlua::Result<()> {
    let shared = stage.clone();
    let mut triggers = HookTriggers::new().every_nth_instruction(stride);
    triggers.every_line = cfg!(feature = "luajit") && stage.with(|stage| stage.phase == Phase::Load);
    lua.set_global_hook(triggers, move |lua, frame| {
        let memory = lua.used_memory();
        let is_line = frame.event() == mlua::debug::DebugEvent::Line;
        if is_line {
            keep_line(lua, frame);
        }
        let steps = if is_line { 1 } else { u64::from((stride / PER_INSTRUCTION).max(1)) };
        let counted = shared.with(|stage| stage.meter.steps(steps, memory, || here(lua)));
        match counted {
            Ok(()) => Ok(VmState::Continue),
            Err(over) => {
                // From now on each instruction is refused: what catches the fault gets no further.
                if stride > 1 {
                    arm(lua, &shared, 1)?;
                }
                Err(mlua::Error::external(over))
            }
        }
    })
}

/// The line that was begun last, while a file is loaded.
#[derive(Default)]
struct LastLine(std::sync::Mutex<Option<Place>>);

fn keep_line(lua: &Lua, frame: &mlua::debug::Debug<'_>) {
    let (Some(last), Some(line)) = (lua.app_data_ref::<LastLine>(), frame.current_line()) else { return };
    let source = frame.source().source;
    let Some(file) = source.as_deref().and_then(|source| source.strip_prefix('@')) else { return };
    let mut last = last.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    match &mut *last {
        Some(place) if &*place.file == file => place.line = line as u32,
        _ => *last = Some(Place::new(file, line as u32)),
    }
}

/// Where a script stands whose frame is gone: to LuaJIT, `return bt.wait {}` ends the file before the call.
pub(in crate::script) fn last_line(lua: &Lua) -> Option<Place> {
    let last = lua.app_data_ref::<LastLine>()?;
    last.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
}

fn forget_line(lua: &Lua) {
    if let Some(last) = lua.app_data_ref::<LastLine>() {
        *last.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
    }
}

pub(in crate::script) fn vector(lua: &Lua, v: Vec3) -> mlua::Result<Value> {
    with(lua, |makers| makers.vector.call((f64::from(v.x), f64::from(v.y), f64::from(v.z))))
}

pub(in crate::script) fn vector_of(value: &Value) -> Option<Vec3> {
    let Value::Table(table) = value else { return None };
    let axis = |at: usize| number(&table.raw_get(super::hidden(AXES[at])).ok()?).map(|axis| axis as f32);
    Some(vec3(axis(0)?, axis(1)?, axis(2)?))
}

pub(in crate::script) fn body(lua: &Lua, entity: Entity) -> mlua::Result<Value> {
    with(lua, |makers| makers.body.call(entity.pack() as f64))
}

pub(in crate::script) fn body_of(value: &Value) -> Option<Entity> {
    let Value::Table(table) = value else { return None };
    number(&table.raw_get(super::hidden(BODY)).ok()?).map(|id| Entity::unpack(id as u64))
}

/// A whole number, which Lua 5.4 tells from others: `3`, not `3.0`.
pub(in crate::script) fn whole(number: f64) -> Value {
    let is_exact = number.abs() < (1_u64 << 53) as f64 && (number != 0.0 || number.is_sign_positive());
    if is_exact { Value::Integer(number as i64) } else { Value::Number(number) }
}

/// Tells whether a text is a complete chunk, in a VM of its own: what it leaves is not the script's.
pub(in crate::script) struct Reader(Option<Lua>);

impl Reader {
    pub fn new() -> Self {
        Self(Lua::new_with(StdLib::NONE, LuaOptions::new()).ok())
    }
    pub fn takes(&self, text: &str) -> bool {
        self.0.as_ref().is_some_and(|lua| lua.load(text).set_mode(ChunkMode::Text).into_function().is_ok())
    }
}

/// What a text compiles to, for any VM of this flavour: its one pass over the text is quick, and what it makes holds the
/// name of its file.
pub(in crate::script) fn compile(_: &str) -> Option<Vec<u8>> {
    None
}

/// What the text of a file must not hold, with its line.
#[cfg(feature = "luajit")]
pub(in crate::script) fn refused(_: &str) -> Option<(u32, &'static str)> {
    None
}

/// What the text of a file must not hold, with its line: hooks are off while a variable is closed.
#[cfg(feature = "lua54")]
pub(in crate::script) fn refused(text: &str) -> Option<(u32, &'static str)> {
    let closing = crate::script::lex::attributes(text).into_iter().find(|(_, word)| *word == "close")?;
    Some((closing.0, "'<close>' variables are not for scripts"))
}
