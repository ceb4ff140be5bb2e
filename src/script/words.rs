//! The words that scripts build trees with: `bt.NAME { … }`, `bt.tree`, `bt.subtree`, `bt.param`, `bt.key`,
//! `blackboard { … }`.
//!
//! A word marks the table it is given and freezes it; what the table says is read when the load is over. So trees
//! cost memory of the VM, which has a limit, and not of the host.

use super::fault::{here, raise};
use super::shared::{Phase, Shared, Stage};
use crate::error::{Error, ErrorKind, Place};
use crate::tree::Registry;
use mlua::{LightUserData, Lua, Table, Value, Vector};

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
    fn code(self) -> f32 {
        match self {
            What::Node(number) => number as f32,
            What::Use => -1.0,
            What::Tree => -2.0,
            What::Key => -3.0,
            What::Param => -4.0,
        }
    }
    fn of(code: f32) -> Self {
        match code as i32 {
            -1 => What::Use,
            -2 => What::Tree,
            -3 => What::Key,
            -4 => What::Param,
            number => What::Node(number.max(0) as usize),
        }
    }
}

/// A number that no script can make and that is no entity: the key under which a table is marked.
const MARK: usize = 1 << 60;

pub(super) fn mark_key() -> Value {
    Value::LightUserData(LightUserData(std::ptr::without_provenance_mut(MARK)))
}

/// What a table was marked as, with line and number of the file.
pub(super) fn mark_of(table: &Table) -> Option<(What, u32, usize)> {
    match table.raw_get(mark_key()) {
        Ok(Value::Vector(mark)) => Some((What::of(mark.x()), mark.y() as u32, mark.z() as usize)),
        _ => None,
    }
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
    table.raw_set(mark_key(), Vector::new(what.code(), place.line as f32, file as f32))?;
    table.set_readonly(true);
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
    meta.set_readonly(true);
    bt.set_metatable(Some(meta))?;
    bt.set_readonly(true);
    Ok(bt)
}

fn plain_table(lua: &Lua, name: &str, given: Value) -> mlua::Result<Table> {
    match given {
        Value::Table(table) if mark_of(&table).is_none() && table.metatable().is_none() => {
            if table.is_readonly() {
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
    match value {
        Value::Nil => "nothing".to_owned(),
        Value::String(text) => format!("\"{}\"", text.to_string_lossy()),
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Boolean(value) => value.to_string(),
        Value::Vector(_) => "a vec3".to_owned(),
        Value::LightUserData(_) => "an entity".to_owned(),
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
        given.set_readonly(true);
        let table = lua.create_table()?;
        table.raw_set(1, template)?;
        table.raw_set(2, given)?;
        mark(lua, &stage, &table, What::Use)?;
        Ok(table)
    })?;
    meta.raw_set("__call", call)?;
    meta.set_readonly(true);
    Ok(meta)
}

/// Says why a script cannot do now what it does only while it is loaded.
pub(super) fn only_while_loading(stage: &Stage, what: &str) -> Result<(), Error> {
    if stage.phase == Phase::Load && stage.loading.is_some() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Script, format!("{what} only while a script is loaded")))
}
