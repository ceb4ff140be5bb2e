//! Making a VM: which libraries there are, what is taken away, and the two limits.

use super::chunks::Chunks;
use super::fault::{PRELUDE, raise};
use super::flavour;
use super::install::install;
use super::keys::blackboard;
use super::load::require;
use super::shared::{Shared, Stage};
use super::words::words;
use crate::error::{Error, ErrorKind, near_name};
use crate::tree::Registry;
use mlua::{Function, Lua, Table, Value};
use std::sync::OnceLock;

/// The functions of the prelude that a call goes through.
pub(super) struct Entries {
    pub tick: Function,
    pub check: Function,
    pub enter: Function,
    pub exit: Function,
    pub begin: Function,
    pub resume: Function,
    pub untell: Function,
    pub forget: Function,
    pub forget_all: Function,
    pub forget_keys: Function,
    pub tidy: Function,
    /// What leaves keep, by the number of their stay, as far as a script has asked for it.
    pub memories: Table,
}

/// A VM with the sandbox closed.
pub(super) fn open(
    registry: &Registry,
    stage: &Shared<Stage>,
    memory: usize,
) -> mlua::Result<(Lua, Entries)> {
    let lua = flavour::open()?;
    // Collected between ticks only: so that what a call costs does not depend on what others left behind.
    lua.gc_stop();
    lua.set_app_data(stage.clone());
    let rust = lua.create_table()?;
    flavour::libraries(&lua, stage, &rust)?;
    rust.raw_set("bt", words(&lua, stage, registry)?)?;
    let shared = stage.clone();
    rust.raw_set(
        "blackboard",
        lua.create_function(move |lua, given: Value| blackboard(lua, &shared, &given))?,
    )?;
    let shared = stage.clone();
    rust.raw_set(
        "require",
        lua.create_function(move |lua, name: Value| require(lua, &shared, &name, memory))?,
    )?;
    rust.raw_set("queries", own_chunk(&lua, include_str!("query.lua"))?)?;
    install(&lua, stage, &rust)?;
    super::hoard::install(&lua, &rust, memory)?;
    rust.raw_set("stories", own_chunk(&lua, include_str!("story.lua"))?.call::<Table>(&rust)?)?;
    let prelude: Table = own_chunk(&lua, include_str!("prelude.lua"))?.call(&rust)?;
    close(&lua, &prelude, registry)?;
    let calls: Table = prelude.get("entries")?;
    let entries = Entries {
        tick: calls.get("tick")?,
        check: calls.get("check")?,
        enter: calls.get("enter")?,
        exit: calls.get("exit")?,
        begin: calls.get("begin")?,
        resume: calls.get("resume")?,
        untell: calls.get("untell")?,
        forget: calls.get("forget")?,
        forget_all: calls.get("forget_all")?,
        memories: rust.raw_get("memories")?,
        forget_keys: calls.get("forget_keys")?,
        tidy: calls.get("tidy")?,
    };
    flavour::count(&lua, stage)?;
    lua.set_memory_limit(memory)?;
    Ok((lua, entries))
}

/// A chunk of ours, compiled once in a process: its frames are not shown.
fn own_chunk(lua: &Lua, text: &str) -> mlua::Result<Function> {
    static OWN: OnceLock<Chunks> = OnceLock::new();
    OWN.get_or_init(Chunks::default).load(lua, format!("={PRELUDE}"), text, None)
}

/// Freezes the libraries and makes the environment that every file's own one looks through to.
fn close(lua: &Lua, prelude: &Table, registry: &Registry) -> mlua::Result<()> {
    flavour::kinds(lua, prelude.get("vector")?, bodies(lua)?)?;
    let globals: Table = prelude.get("globals")?;
    let names = globals
        .pairs::<String, Value>()
        .map(|pair| pair.map(|(name, _)| name))
        .collect::<mlua::Result<Vec<_>>>()?;
    // The loader resolves names against the VM's own globals first: they must be ours, and nothing else.
    let own = lua.globals();
    own.clear()?;
    globals.for_each(|name: Value, value: Value| own.raw_set(name, value))?;
    let nodes = registry.defs().iter().map(|def| def.name).collect::<Vec<_>>();
    let strict = lua.create_table()?;
    strict.raw_set(
        "__index",
        lua.create_function(move |lua, (_, name): (Value, Value)| -> mlua::Result<()> {
            let name = name.to_string().unwrap_or_default();
            let fault = Error::new(ErrorKind::UnknownName, format!("unknown global '{name}'"));
            Err(raise(lua, near_global(fault, &name, &names, &nodes)))
        })?,
    )?;
    flavour::seal_meta(&strict)?;
    globals.set_metatable(Some(strict))?;
    let environment = lua.create_table()?;
    environment.raw_set("__index", &globals)?;
    environment.raw_set(
        "__newindex",
        lua.create_function(|lua, (_, name): (Value, Value)| -> mlua::Result<()> {
            let name = name.to_string().unwrap_or_default();
            let fault = Error::new(ErrorKind::Script, format!("global '{name}' cannot be written"));
            Err(raise(lua, fault.hint("declare it with local")))
        })?,
    )?;
    environment.raw_set("__metatable", false)?;
    flavour::seal_meta(&environment)?;
    lua.set_named_registry_value("environment", environment)?;
    flavour::close(lua, &globals)
}

/// A forgotten `bt.` is as near as a misspelled name.
fn near_global(fault: Error, name: &str, globals: &[String], nodes: &[&str]) -> Error {
    match near_name(name, nodes.iter().copied()) {
        Some(node) if near_name(name, globals.iter().map(String::as_str)).is_none() => {
            fault.hint(format!("did you mean 'bt.{node}'?"))
        }
        _ => fault.near(name, globals.iter().map(String::as_str).chain(["true", "false", "nil"])),
    }
}

/// What scripts can do with the handle of a body: compare it and name it.
fn bodies(lua: &Lua) -> mlua::Result<Table> {
    let meta = lua.create_table()?;
    meta.raw_set(
        "__tostring",
        lua.create_function(|_, handle: Value| {
            let id = flavour::body_of(&handle).unwrap_or_default().pack();
            Ok(super::shared::agent_name(id).replace("agent", "body"))
        })?,
    )?;
    meta.raw_set(
        "__index",
        lua.create_function(|lua, (_, name): (Value, Value)| -> mlua::Result<()> {
            let name = name.to_string().unwrap_or_default();
            let fault = Error::new(ErrorKind::UnknownName, format!("a body has no '{name}'"));
            Err(raise(lua, fault.hint("give it to self:distance, to a steering rule or to a key")))
        })?,
    )?;
    Ok(meta)
}
