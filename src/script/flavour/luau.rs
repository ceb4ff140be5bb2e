//! Luau: interrupts count, tables can be frozen, vectors are values.

use crate::entity::Entity;
use crate::error::Place;
use crate::math::{Vec3, vec3};
use crate::script::fault::here;
use crate::script::fault::raise;
use crate::script::numbers;
use crate::script::shared::{Shared, Stage};
use mlua::chunk::Compiler;
use mlua::state::{GcIncParams, GcMode};
use mlua::{LightUserData, Lua, LuaOptions, StdLib, Table, Value, Vector, VmState};

/// A VM with the libraries that scripts may use, as the flavour has them.
pub(in crate::script) fn open() -> mlua::Result<Lua> {
    let libraries = StdLib::TABLE
        | StdLib::STRING
        | StdLib::MATH
        | StdLib::COROUTINE
        | StdLib::UTF8
        | StdLib::BIT
        | StdLib::VECTOR;
    let lua = Lua::new_with(libraries, LuaOptions::new())?;
    lua.gc_set_mode(GcMode::Incremental(GcIncParams::default().step_size(16)));
    lua.set_compiler(compiler());
    Ok(lua)
}

fn compiler() -> Compiler {
    Compiler::new().set_disabled_builtins(numbers::replaced())
}

/// What a text compiles to, for any VM of this flavour; nothing where it has a fault, or where that is not worth it.
pub(in crate::script) fn compile(text: &str) -> Option<Vec<u8>> {
    compiler().compile(text).ok()
}

/// Bytes that one step of the collector goes through, as a power of two.
pub(in crate::script) const STEP_BITS: u32 = 14;

/// What the prelude needs besides the libraries that the VM came with.
pub(in crate::script) fn libraries(lua: &Lua, stage: &Shared<Stage>, rust: &Table) -> mlua::Result<()> {
    let slots = [Value::Integer(1), Value::Integer(2), Value::String(lua.create_string("board")?)];
    rust.raw_set("slots", lua.create_sequence_from(slots)?)?;
    let stage = stage.clone();
    // What is too much is not begun.
    let charge = move |lua: &Lua, bytes: f64| {
        stage.with(|stage| stage.meter.allow(bytes as usize)).map_err(|error| raise(lua, error))?;
        Ok(())
    };
    rust.raw_set("charge", lua.create_function(charge)?)
}

/// Gives vectors and bodies what scripts can do with them.
pub(in crate::script) fn kinds(lua: &Lua, vectors: Table, bodies: Table) -> mlua::Result<()> {
    vectors.set_readonly(true);
    lua.set_type_metatable::<Vector>(Some(vectors));
    bodies.set_readonly(true);
    lua.set_type_metatable::<LightUserData>(Some(bodies));
    Ok(())
}

/// Closes the sandbox; `globals` are what all files see.
pub(in crate::script) fn close(lua: &Lua, globals: &Table) -> mlua::Result<()> {
    globals.set_readonly(true);
    globals.set_safeenv(true);
    lua.sandbox(true)
}

/// Tells the compiler's output that nobody replaces built-in functions in the environment of a file.
pub(in crate::script) fn trust(environment: &Table) {
    environment.set_safeenv(true);
}

/// A table with the same content that nobody can change.
pub(in crate::script) fn freeze(_: &Lua, table: Table) -> mlua::Result<Table> {
    table.set_readonly(true);
    Ok(table)
}

/// The table behind a frozen one.
pub(in crate::script) fn content(table: &Table) -> Table {
    table.clone()
}

/// Shuts a table that stays the one it is: a node.
pub(in crate::script) fn seal(table: &Table) {
    table.set_readonly(true);
}

/// Shuts a table that is the metatable of others.
pub(in crate::script) fn seal_meta(meta: &Table) -> mlua::Result<()> {
    meta.set_readonly(true);
    Ok(())
}

pub(in crate::script) fn is_sealed(table: &Table) -> bool {
    table.is_readonly()
}

/// Counts what is done from now on; called once.
pub(in crate::script) fn count(lua: &Lua, stage: &Shared<Stage>) -> mlua::Result<()> {
    let stage = stage.clone();
    lua.set_interrupt(move |lua| {
        stage
            .with(|stage| stage.meter.step(|| lua.used_memory(), || here(lua)))
            .map(|()| VmState::Continue)
            .map_err(mlua::Error::external)
    });
    Ok(())
}

/// Begins an entry: nothing is left from the one before.
pub(in crate::script) fn begin(_: &Lua, _: &Shared<Stage>) {}

/// Where a script stands whose frame is gone: here a frame stays as long as what it called.
pub(in crate::script) fn last_line(_: &Lua) -> Option<Place> {
    None
}

pub(in crate::script) fn vector(_: &Lua, v: Vec3) -> mlua::Result<Value> {
    Ok(Value::Vector(Vector::new(v.x, v.y, v.z)))
}

pub(in crate::script) fn vector_of(value: &Value) -> Option<Vec3> {
    match value {
        Value::Vector(v) => Some(vec3(v.x(), v.y(), v.z())),
        _ => None,
    }
}

pub(in crate::script) fn body(_: &Lua, entity: Entity) -> mlua::Result<Value> {
    Ok(Value::LightUserData(LightUserData(std::ptr::without_provenance_mut(entity.pack() as usize))))
}

pub(in crate::script) fn body_of(value: &Value) -> Option<Entity> {
    match value {
        Value::LightUserData(handle) => Some(Entity::unpack(handle.0.addr() as u64)),
        _ => None,
    }
}

/// A whole number, which Luau does not tell from others.
pub(in crate::script) fn whole(number: f64) -> Value {
    Value::Number(number)
}

/// Tells whether a text is a complete chunk.
pub(in crate::script) struct Reader(Compiler);

impl Reader {
    pub fn new() -> Self {
        Self(Compiler::new().set_optimization_level(0).set_debug_level(0))
    }
    pub fn takes(&self, text: &str) -> bool {
        self.0.compile(text).is_ok()
    }
}

/// What the text of a file must not hold, with its line.
pub(in crate::script) fn refused(_: &str) -> Option<(u32, &'static str)> {
    None
}
