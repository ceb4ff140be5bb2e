//! The words that scripts build trees with: `bt.NAME { … }`, `bt.tree`, `bt.subtree`, `bt.param`, `bt.key`,
//! `blackboard { … }`.
//!
//! A word marks the table it is given and freezes it; what the table says is read when the load is over. So trees
//! cost memory of the VM, which has a limit, and not of the host.

use super::fault::{here, raise};
use super::flavour::{self, mark_key};
use super::shared::{Phase, Shared, Stage};
use crate::error::{Error, ErrorKind, Place};
use crate::tree::Registry;
use mlua::{Lua, Table, Value};

/// What a marked table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A node, by its number in the registry.
    Node(usize),
    /// A node that uses a subtree.
    Use,
    /// `bt.tree(name, node)`.
    Tree,
    /// `bt.key "name"`.
    Key,
    /// `bt.param "name"`.
    Param,
}

impl What {
    fn code(self) -> u64 {
        match self {
            What::Use => 0,
            What::Tree => 1,
            What::Key => 2,
            What::Param => 3,
            What::Node(number) => number as u64 + 4,
        }
    }
    fn of(code: u64) -> Self {
        match code {
            0 => What::Use,
            1 => What::Tree,
            2 => What::Key,
            3 => What::Param,
            number => What::Node(number as usize - 4),
        }
    }
}

/// Bits of a mark that are the number of the file, and above them those of the line.
const FILE_BITS: u32 = 10;
const LINE_BITS: u32 = 26;

/// What a table was marked as, with line and number of the file.
pub(super) fn mark_of(table: &Table) -> Option<(What, u32, usize)> {
    let mark = super::keys::number(&table.raw_get(mark_key()).ok()?)? as u64;
    let (file, line) = (mark % (1 << FILE_BITS), (mark >> FILE_BITS) % (1 << LINE_BITS));
    Some((What::of(mark >> (FILE_BITS + LINE_BITS)), line as u32, file as usize))
}

fn mark(lua: &Lua, stage: &Shared<Stage>, table: &Table, what: What) -> mlua::Result<()> {
    let place = here(lua).unwrap_or_else(|| Place::new("", 0));
    let file = stage.with(|stage| stage.loading.as_ref().map(|loading| loading.number_of(&place.file)));
    let Some(file) = file else {
        return Err(raise(
            lua,
            Error::new(ErrorKind::Script, "trees are made only while a script is loaded")
                .hint("make them at the top of the file"),
        ));
    };
    let line = u64::from(place.line) % (1 << LINE_BITS);
    let mark = (((what.code() << LINE_BITS) | line) << FILE_BITS) | (file as u64 % (1 << FILE_BITS));
    table.raw_set(mark_key(), mark as f64)?;
    flavour::seal(table);
    Ok(())
}

/// The table `bt`.
pub(super) fn words(lua: &Lua, stage: &Shared<Stage>, registry: &Registry) -> mlua::Result<Table> {
    let bt = lua.create_table()?;
    let template = template(lua, stage)?;
    for (number, def) in registry.defs().iter().enumerate() {
        let (stage, template, name) = (stage.clone(), template.clone(), def.name);
        let make = lua.create_function(move |lua, (given, extra): (Value, Value)| {
            if !extra.is_nil() {
                let got = word_for(&extra);
                let fault = format!("'{name}' takes one table, and {got} comes after it");
                let fault = Error::new(ErrorKind::TooMany, fault);
                return Err(raise(lua, fault.hint("put it inside the braces")));
            }
            let table = plain_table(lua, name, given)?;
            if name == "subtree" {
                table.set_metatable(Some(template.clone()))?;
            }
            mark(lua, &stage, &table, What::Node(number))?;
            Ok(table)
        })?;
        bt.raw_set(name, make)?;
    }
    for (name, what) in [("key", What::Key), ("param", What::Param)] {
        let stage = stage.clone();
        bt.raw_set(
            name,
            lua.create_function(move |lua, given: Value| named(lua, &stage, name, what, &given))?,
        )?;
    }
    let shared = stage.clone();
    bt.raw_set("tree", lua.create_function(move |lua, given: (Value, Value)| tree(lua, &shared, given))?)?;
    let names =
        registry.defs().iter().map(|def| def.name).chain(["key", "param", "tree"]).collect::<Vec<_>>();
    let meta = lua.create_table()?;
    meta.raw_set(
        "__index",
        lua.create_function(move |lua, (_, name): (Value, Value)| -> mlua::Result<()> {
            let name = name.to_string().unwrap_or_default();
            let fault = Error::new(ErrorKind::UnknownName, format!("unknown node '{name}'"));
            Err(raise(lua, fault.near(&name, names.iter().copied())))
        })?,
    )?;
    flavour::seal_meta(&meta)?;
    bt.set_metatable(Some(meta))?;
    flavour::freeze(lua, bt)
}

fn plain_table(lua: &Lua, name: &str, given: Value) -> mlua::Result<Table> {
    match given {
        Value::Table(table) if mark_of(&table).is_none() && table.metatable().is_none() => {
            if flavour::is_sealed(&table) {
                let fault = Error::new(ErrorKind::WrongType, format!("'{name}' was given a frozen table"));
                return Err(raise(lua, fault.hint("give it a table of its own")));
            }
            Ok(table)
        }
        Value::Table(_) => {
            let fault =
                Error::new(ErrorKind::WrongType, format!("'{name}' was given a node in place of a table"));
            Err(raise(lua, fault.hint(format!("put it in braces: bt.{name} {{ … }}"))))
        }
        other => {
            let fault =
                Error::new(ErrorKind::WrongType, format!("'{name}' takes a table, got {}", word_for(&other)));
            Err(raise(lua, fault.hint(format!("bt.{name} {{ … }}"))))
        }
    }
}

/// What to call a value in an error.
pub(super) fn word_for(value: &Value) -> String {
    if flavour::vector_of(value).is_some() {
        return "a vec3".to_owned();
    }
    if flavour::body_of(value).is_some() {
        return "an entity".to_owned();
    }
    match value {
        Value::Nil => "nothing".to_owned(),
        Value::String(text) => format!("\"{}\"", text.to_string_lossy()),
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Boolean(value) => value.to_string(),
        other => format!("a {}", other.type_name()),
    }
}

fn named(lua: &Lua, stage: &Shared<Stage>, word: &str, what: What, given: &Value) -> mlua::Result<Table> {
    let Value::String(name) = given else {
        let fault =
            Error::new(ErrorKind::WrongType, format!("bt.{word} takes a name, got {}", word_for(given)));
        return Err(raise(lua, fault.hint(format!("bt.{word} \"name\""))));
    };
    let table = lua.create_table()?;
    table.raw_set(1, name)?;
    mark(lua, stage, &table, what)?;
    Ok(table)
}

fn tree(lua: &Lua, stage: &Shared<Stage>, given: (Value, Value)) -> mlua::Result<Table> {
    let fault = match &given {
        (Value::String(_), Value::Table(node))
            if matches!(mark_of(node), Some((What::Node(_) | What::Use, ..))) =>
        {
            None
        }
        (Value::String(_), other) => {
            Some(format!("bt.tree takes a node after the name, got {}", word_for(other)))
        }
        (other, _) => Some(format!("bt.tree takes a name first, got {}", word_for(other))),
    };
    if let Some(fault) = fault {
        let fault = Error::new(ErrorKind::WrongType, fault).hint("bt.tree(\"name\", bt.selector { … })");
        return Err(raise(lua, fault));
    }
    let table = lua.create_table()?;
    table.raw_set(1, given.0)?;
    table.raw_set(2, given.1)?;
    mark(lua, stage, &table, What::Tree)?;
    Ok(table)
}

/// What makes a subtree callable: `patrol { speed = 3 }` is a use of it.
fn template(lua: &Lua, stage: &Shared<Stage>) -> mlua::Result<Table> {
    let meta = lua.create_table()?;
    let stage = stage.clone();
    let call = lua.create_function(move |lua, (template, given): (Table, Value)| {
        let given = plain_table(lua, "subtree", given)?;
        flavour::seal(&given);
        let table = lua.create_table()?;
        table.raw_set(1, template)?;
        table.raw_set(2, given)?;
        mark(lua, &stage, &table, What::Use)?;
        Ok(table)
    })?;
    meta.raw_set("__call", call)?;
    flavour::seal_meta(&meta)?;
    Ok(meta)
}

/// Says why a script cannot do now what it does only while it is loaded.
pub(super) fn only_while_loading(stage: &Stage, what: &str) -> Result<(), Error> {
    if stage.phase == Phase::Load && stage.loading.is_some() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Script, format!("{what} only while a script is loaded")))
}
