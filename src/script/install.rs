//! What the prelude is given: plain functions over numbers, and tables of names.

use super::agent::{self, FIELDS, TARGET_FIELDS};
use super::fault::{here, raise, sentence};
use super::flavour;
use super::shared::{Shared, Stage, agent_name};
use super::steering::{self, Wants, is_method, wants};
use super::{memory, numbers, query, story, writing};
use crate::entity::Entity;
use crate::error::{Error, ErrorKind, Result};
use crate::steer::BEHAVIOURS;
use mlua::{Lua, Table, Value};

/// Gives the prelude all that it calls for agents.
pub(super) fn install(lua: &Lua, stage: &Shared<Stage>, rust: &Table) -> mlua::Result<()> {
    tables(lua, rust)?;
    faults(lua, rust)?;
    let shared = stage.clone();
    rust.raw_set("sentence", lua.create_function(move |lua, fault: Value| caught(lua, &shared, &fault))?)?;
    let shared = stage.clone();
    // Numbers are given as Lua has them: to check that they are whole takes longer than the read.
    rust.raw_set(
        "read",
        lua.create_function(move |lua, (id, field): (f64, f64)| {
            agent::read(lua, &shared, id as u64, field as usize)
        })?,
    )?;
    let shared = stage.clone();
    rust.raw_set(
        "get",
        lua.create_function(move |lua, (id, key): (f64, f64)| {
            agent::get(lua, &shared, id as u64, key as u32)
        })?,
    )?;
    let shared = stage.clone();
    rust.raw_set(
        "recall",
        lua.create_function(move |lua, ()| {
            let kept = shared.with(|stage| stage.mind.keep(stage.node).map(|keep| keep.value.clone()));
            memory::recall(lua, &kept.unwrap_or_default())
        })?,
    )?;
    rust.raw_set("memories", lua.create_table()?)?;
    let word = Word { lua, stage, rust };
    story::install(lua, &word, rust)?;
    query::install(lua, stage, &word, rust)?;
    word.add("stay", |stage, id: u64| memory::stay(stage, id))?;
    word.add("set", |stage, (id, key, value): (f64, f64, Value)| {
        agent::set(stage, id as u64, key as u32, &value)
    })?;
    word.add("find_key", |stage, (id, name): (u64, Value)| agent::find_key(stage, id, &name))?;
    word.add("has_key", |stage, (id, name): (u64, Value)| Ok(agent::find_key(stage, id, &name).is_ok()))?;
    word.add("exists", |stage, id: u64| stage.view(id).map(|view| view.target().is_some()))?;
    word.add("alive", |stage, id: u64| Ok(stage.alive(id)))?;
    word.add("distance", |stage, (id, to): (u64, Value)| steering::distance(stage, id, &to))?;
    word.add("set_mode", |stage, (id, name): (u64, Value)| {
        let name = agent::word(&name, "set_mode")?;
        stage.pen(id)?.set_mode(&name);
        Ok(())
    })?;
    word.add("say", |stage, (id, line): (u64, String)| {
        stage.meter.charge(line.len());
        stage.pen(id)?.say(line);
        Ok(())
    })?;
    word.add("command", |stage, (id, name): (u64, Value)| agent::command(stage, id, &name))?;
    word.add("increment", |stage, (id, key, by): (u64, Value, Value)| {
        writing::increment(stage, id, &key, &by)
    })?;
    word.add("append", |stage, (id, key, point): (u64, Value, Value)| {
        writing::append(stage, id, &key, &point)
    })?;
    let shared = stage.clone();
    rust.raw_set(
        "no_point",
        lua.create_function(move |lua, (id, word): (u64, String)| {
            let place = here(lua);
            shared.with(|stage| writing::no_point(stage, id, &word, place)).map_err(|error| raise(lua, error))
        })?,
    )?;
    word.add("print", |stage, line: String| agent::print(stage, line))?;
    word.add("random", |stage, (low, high): (Value, Value)| numbers::random(stage, &low, &high))?;
    word.add("check_options", |_, (behaviour, given): (usize, Value)| steering::options(behaviour, &given))?;
    type Steer = (
        u64,
        usize,
        Value,
        Option<Value>,
        Option<Value>,
        Option<Value>,
        Option<Value>,
        Option<Value>,
        Option<Value>,
    );
    word.add("steer", |stage, (id, code, at, weight, stop, a, b, c, d): Steer| {
        steering::steer(stage, id, code, &at, &(weight, stop, a, b, c, d))
    })
}

/// A function over the stage, whose faults are raised where the script stands.
pub(super) struct Word<'a> {
    lua: &'a Lua,
    stage: &'a Shared<Stage>,
    rust: &'a Table,
}

impl Word<'_> {
    pub fn add<A, R>(
        &self,
        name: &str,
        work: impl Fn(&mut Stage, A) -> Result<R> + mlua::MaybeSend + 'static,
    ) -> mlua::Result<()>
    where
        A: mlua::FromLuaMulti,
        R: mlua::IntoLuaMulti,
    {
        let stage = self.stage.clone();
        let call = self.lua.create_function(move |lua, given: A| {
            stage.with(|stage| work(stage, given)).map_err(|error| raise(lua, error))
        })?;
        self.rust.raw_set(name, call)
    }
}

fn tables(lua: &Lua, rust: &Table) -> mlua::Result<()> {
    let fields = lua.create_table()?;
    for (at, (name, _)) in FIELDS.iter().enumerate() {
        fields.raw_set(*name, at)?;
    }
    rust.raw_set("fields", fields)?;
    let fields = lua.create_table()?;
    for (at, (name, _)) in TARGET_FIELDS.iter().enumerate() {
        fields.raw_set(*name, FIELDS.len() + at)?;
    }
    rust.raw_set("target_fields", fields)?;
    let behaviours = lua.create_table()?;
    for (code, behaviour) in BEHAVIOURS.iter().enumerate().filter(|(_, behaviour)| is_method(behaviour)) {
        let entry = lua.create_table()?;
        entry.raw_set("name", behaviour.name)?;
        entry
            .raw_set("params", lua.create_sequence_from(behaviour.params.iter().map(|param| param.name))?)?;
        entry.raw_set("point", wants(behaviour) != Wants::Nothing)?;
        behaviours.raw_set(code, entry)?;
    }
    rust.raw_set("behaviours", behaviours)?;
    rust.raw_set("math", numbers::math(lua)?)?;
    rust.raw_set("entity", lua.create_function(|lua, id: u64| flavour::body(lua, Entity::unpack(id)))?)?;
    rust.raw_set("name", lua.create_function(|_, id: u64| Ok(agent_name(id)))?)?;
    rust.raw_set("freeze", lua.create_function(flavour::freeze)?)?;
    rust.raw_set(
        "seal",
        lua.create_function(|_, table: Table| {
            flavour::seal(&table);
            Ok(table)
        })?,
    )?;
    rust.raw_set("seal_meta", lua.create_function(|_, meta: Table| flavour::seal_meta(&meta).map(|()| meta))?)
}

/// A fault with its traceback takes long to make: one that is caught counts as this many bytes.
const FAULT: usize = 6400;

/// The sentence of a fault of ours that a script caught.
fn caught(lua: &Lua, stage: &Shared<Stage>, fault: &Value) -> mlua::Result<mlua::LuaString> {
    stage.with(|stage| stage.meter.charge(FAULT));
    lua.create_string(match fault {
        Value::Error(error) => sentence(error),
        other => other.to_string().unwrap_or_default(),
    })
}

/// Faults that the prelude finds.
fn faults(lua: &Lua, rust: &Table) -> mlua::Result<()> {
    rust.raw_set(
        "no_field",
        lua.create_function(|lua, given: (String, String, Vec<String>, Option<bool>)| -> mlua::Result<()> {
            let (name, what, names, is_key) = given;
            let fault = Error::new(ErrorKind::UnknownName, format!("{what} has no '{name}'"));
            let begun = names.iter().find(|known| name.len() > 2 && known.starts_with(&name));
            Err(raise(
                lua,
                match begun {
                    _ if is_key == Some(true) => fault.hint(format!("did you mean self.board.{name}?")),
                    Some(known) => fault.hint(format!("did you mean '{known}'?")),
                    None => fault.near(&name, names.iter().map(String::as_str)),
                },
            ))
        })?,
    )?;
    rust.raw_set(
        "unwritable",
        lua.create_function(|lua, name: String| -> mlua::Result<()> {
            let fault = Error::new(ErrorKind::Script, format!("an agent's '{name}' cannot be written"));
            Err(raise(
                lua,
                match name.as_str() {
                    "memory" => fault.hint("write its fields: self.memory.NAME = …"),
                    _ => fault.hint("what is to last goes to a key: self.board.NAME = …"),
                },
            ))
        })?,
    )?;
    rust.raw_set(
        "no_agent",
        lua.create_function(|lua, name: String| -> mlua::Result<()> {
            let fault = Error::new(ErrorKind::Script, format!("{name} needs its agent"));
            Err(raise(lua, fault.hint(format!("self:{name}(…), with a colon"))))
        })?,
    )?;
    rust.raw_set(
        "randomseed",
        lua.create_function(|lua, _: Value| -> mlua::Result<()> {
            let fault = Error::new(ErrorKind::Script, "the dice have their seed from the world");
            Err(raise(lua, fault.hint("set the seed of the world instead")))
        })?,
    )
}
