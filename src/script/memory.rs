//! `self.memory`: what a leaf keeps, on its way between Rust, where it lives, and a table of Lua.

use super::fault::translate;
use super::flavour::{body, body_of, vector, vector_of, whole};
use super::keys::number;
use super::shared::{Phase, Stage};
use super::words::word_for;
use crate::entity::Entity;
use crate::error::{Error, ErrorKind, Result};
use crate::tree::{Exact, Plain, PlainKey};
use mlua::{Lua, Table, Value};

/// How deep tables may be nested.
const DEEPEST: usize = crate::tree::Plain::DEEPEST;
/// How many values one leaf may keep, those in nested tables counted.
const MOST_VALUES: usize = 256;
/// How many bytes: of texts, those under which something is kept included, and 8 for each value.
const MOST_BYTES: usize = 4096;
const VALUE: usize = 8;

/// A script asks for what its leaf keeps: the number of the table that it has for it.
pub(super) fn stay(stage: &mut Stage, id: u64) -> Result<u64> {
    if stage.phase == Phase::Check {
        return Err(Error::new(ErrorKind::Script, "a condition keeps nothing")
            .hint("keep it in an action, a coroutine or a service"));
    }
    stage.view(id)?;
    stage.touched = true;
    Ok(stage.number_of_stay())
}

/// What a leaf keeps, as a new table.
pub(super) fn recall(lua: &Lua, kept: &Plain) -> mlua::Result<Value> {
    match kept {
        Plain::Nothing => lua.create_table().map(Value::Table),
        kept => value_of(lua, kept),
    }
}

fn value_of(lua: &Lua, plain: &Plain) -> mlua::Result<Value> {
    Ok(match plain {
        Plain::Nothing => Value::Nil,
        Plain::Bool(value) => Value::Boolean(*value),
        Plain::Number(number) => number_of(*number),
        Plain::Text(text) => Value::String(lua.create_string(text)?),
        Plain::Vec3(place) => vector(lua, *place)?,
        Plain::Entity(entity) => body(lua, *entity)?,
        Plain::List(list) => {
            let table = lua.create_table()?;
            for (at, value) in list.iter().enumerate() {
                table.raw_set(at + 1, value_of(lua, value)?)?;
            }
            Value::Table(table)
        }
        Plain::Map(map) => {
            let table = lua.create_table()?;
            for (key, value) in map {
                let key = match key {
                    PlainKey::Bool(value) => Value::Boolean(*value),
                    PlainKey::Number(number) => number_of(*number),
                    PlainKey::Text(text) => Value::String(lua.create_string(text)?),
                    PlainKey::Entity(packed) => body(lua, Entity::unpack(*packed))?,
                };
                table.raw_set(key, value_of(lua, value)?)?;
            }
            Value::Table(table)
        }
    })
}

/// Where whole numbers are told from others, a number that is one comes back as one.
fn number_of(number: Exact) -> Value {
    let number = number.get();
    if number.fract() == 0.0 { whole(number) } else { Value::Number(number) }
}

/// The table of a leaf as plain data.
///
/// # Errors
/// The first thing in it that is none, by its path.
pub(super) fn plain(table: &Table) -> Result<Plain> {
    let mut reader = Reader { values: 0, bytes: 0, path: vec!["memory".to_owned()], inside: Vec::new() };
    reader.table(table).map_err(|error| error.hint("what was kept before stays"))
}

struct Reader {
    values: usize,
    bytes: usize,
    /// The names that lead to where it reads, with their dots and brackets.
    path: Vec<String>,
    /// The tables around what it reads.
    inside: Vec<*const std::ffi::c_void>,
}

impl Reader {
    fn fault(&self, what: &str) -> Error {
        Error::new(ErrorKind::WrongType, format!("{} {what}", self.path.concat()))
    }

    fn value(&mut self, value: &Value) -> Result<Plain> {
        self.count(VALUE)?;
        if let Some(place) = vector_of(value) {
            return if place.is_nan() { Err(self.fault("is not a number")) } else { Ok(Plain::Vec3(place)) };
        }
        if let Some(entity) = body_of(value) {
            return Ok(Plain::Entity(entity));
        }
        Ok(match value {
            Value::Nil => Plain::Nothing,
            Value::Boolean(value) => Plain::Bool(*value),
            Value::Integer(_) | Value::Number(_) => Plain::Number(self.number(value)?),
            Value::String(text) => Plain::Text(self.text(text)?),
            Value::Table(table) => self.table(table)?,
            other => return Err(self.fault(&format!("is {}, which is no plain data", word_for(other)))),
        })
    }

    fn number(&self, value: &Value) -> Result<Exact> {
        match number(value) {
            Some(number) if !number.is_nan() => Ok(Exact::new(number)),
            _ => Err(self.fault("is not a number")),
        }
    }

    fn text(&mut self, text: &mlua::LuaString) -> Result<String> {
        self.count_bytes(text.as_bytes().len())?;
        text.to_str().map(|text| text.to_owned()).map_err(|_| self.fault("is not UTF-8 text"))
    }

    fn count(&mut self, bytes: usize) -> Result<()> {
        self.values += 1;
        if self.values > MOST_VALUES {
            return Err(Error::new(ErrorKind::TooMany, format!("memory has more than {MOST_VALUES} values")));
        }
        self.count_bytes(bytes)
    }

    fn count_bytes(&mut self, bytes: usize) -> Result<()> {
        self.bytes += bytes;
        if self.bytes > MOST_BYTES {
            return Err(Error::new(ErrorKind::TooMany, format!("memory is larger than {MOST_BYTES} bytes")));
        }
        Ok(())
    }

    fn table(&mut self, table: &Table) -> Result<Plain> {
        if table.metatable().is_some() {
            return Err(self.fault("is a table with a metatable, which is no plain data"));
        }
        let address = table.to_pointer();
        if self.inside.contains(&address) {
            return Err(self.fault("is a table that holds itself"));
        }
        if self.inside.len() >= DEEPEST {
            return Err(self.fault(&format!("is nested deeper than {DEEPEST} tables")));
        }
        self.inside.push(address);
        let entries = self.entries(table)?;
        self.inside.pop();
        Ok(listed(entries))
    }

    fn entries(&mut self, table: &Table) -> Result<Vec<(PlainKey, Plain)>> {
        let mut entries = Vec::new();
        for pair in table.pairs::<Value, Value>() {
            let (key, value) = pair.map_err(|error| translate(&error, 0))?;
            let name = match &key {
                Value::String(name) => format!(".{}", name.to_string_lossy()),
                other => format!("[{}]", word_for(other)),
            };
            self.path.push(name);
            let key = self.key(&key)?;
            let value = self.value(&value)?;
            self.path.pop();
            entries.push((key, value));
        }
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(entries)
    }

    fn key(&mut self, key: &Value) -> Result<PlainKey> {
        if let Some(entity) = body_of(key) {
            return Ok(PlainKey::Entity(entity.pack()));
        }
        Ok(match key {
            Value::Boolean(value) => PlainKey::Bool(*value),
            Value::Integer(_) | Value::Number(_) => PlainKey::Number(self.number(key)?),
            Value::String(text) => PlainKey::Text(self.text(text)?),
            _ => return Err(self.fault("has a key that is no plain data")),
        })
    }
}

/// Keys from 1 on without a hole are a list.
fn listed(entries: Vec<(PlainKey, Plain)>) -> Plain {
    let numbered =
        |(at, (key, _)): (usize, &(PlainKey, Plain))| *key == PlainKey::Number(Exact::new(at as f64 + 1.0));
    if !entries.is_empty() && entries.iter().enumerate().all(numbered) {
        return Plain::List(entries.into_iter().map(|(_, value)| value).collect());
    }
    Plain::Map(entries)
}
