//! `blackboard { scope = { name = "type" } }`: keys that a script declares.

use super::fault::{here, raise};
use super::flavour::{body_of, content, vector_of};
use super::shared::{Shared, Stage};
use super::words::{only_while_loading, word_for};
use crate::blackboard::{KeyDecl, Scope, Value as Held, ValueType};
use crate::error::{Error, ErrorKind, Result};
use crate::math::Vec3;
use mlua::{Lua, Table, Value};

pub(super) fn blackboard(lua: &Lua, stage: &Shared<Stage>, given: &Value) -> mlua::Result<()> {
    let place = here(lua);
    let declared = read(given).map_err(|error| raise(lua, error))?;
    stage
        .with(|stage| {
            only_while_loading(stage, "keys are declared")?;
            if let Some(loading) = &mut stage.loading {
                loading
                    .keys
                    .extend(declared.into_iter().map(|decl| KeyDecl { place: place.clone(), ..decl }));
            }
            Ok(())
        })
        .map_err(|error| raise(lua, error))
}

fn read(given: &Value) -> Result<Vec<KeyDecl>> {
    let Value::Table(scopes) = given else {
        return Err(Error::new(
            ErrorKind::WrongType,
            format!("blackboard takes a table, got {}", word_for(given)),
        )
        .hint("blackboard { squad = { alarm = \"bool\" } }"));
    };
    let mut keys = Vec::new();
    for (name, entries) in named_fields(scopes, "blackboard")? {
        let scope = Scope::named(&name).ok_or_else(|| {
            let error = Error::new(ErrorKind::UnknownName, format!("unknown scope '{name}'"));
            match crate::error::near_name(&name, Scope::ALL.map(Scope::name)) {
                Some(near) => error.hint(format!("did you mean '{near}'?")),
                None => error.hint("agent, squad, team or world"),
            }
        })?;
        let Value::Table(entries) = entries else {
            return Err(Error::new(
                ErrorKind::WrongType,
                format!("scope '{name}' takes a table of keys, got {}", word_for(&entries)),
            ));
        };
        for (key, entry) in named_fields(&entries, &name)? {
            keys.push(declaration(&key, scope, &entry)?);
        }
    }
    keys.sort_by(|a, b| (a.scope, &a.name).cmp(&(b.scope, &b.name)));
    Ok(keys)
}

/// The named fields of a table, by name; anything else in it is a fault.
fn named_fields(table: &Table, what: &str) -> Result<Vec<(String, Value)>> {
    let mut fields = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        match pair {
            Ok((Value::String(name), value)) => fields.push((name.to_string_lossy(), value)),
            Ok((key, _)) => {
                let key = word_for(&key);
                return Err(Error::new(ErrorKind::WrongType, format!("'{what}' takes names, got {key}")));
            }
            Err(error) => return Err(super::fault::translate(&error, 0)),
        }
    }
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(fields)
}

fn declaration(name: &str, scope: Scope, entry: &Value) -> Result<KeyDecl> {
    let table = match entry {
        Value::String(word) => {
            return Ok(KeyDecl::new(name, scope, type_named(name, &word.to_string_lossy())?));
        }
        Value::Table(table) => table,
        other => {
            return Err(Error::new(
                ErrorKind::WrongType,
                format!("key '{name}' takes a type, got {}", word_for(other)),
            )
            .hint("\"bool\", or { \"integer\", default = 0, ttl = 5 }"));
        }
    };
    let Ok(Value::String(word)) = table.raw_get::<Value>(1) else {
        return Err(Error::new(ErrorKind::Missing, format!("key '{name}' has no type"))
            .hint("{ \"integer\", default = 0, ttl = 5 }"));
    };
    let mut decl = KeyDecl::new(name, scope, type_named(name, &word.to_string_lossy())?);
    for pair in table.pairs::<Value, Value>() {
        let (field, value) = pair.map_err(|error| super::fault::translate(&error, 0))?;
        option(&mut decl, &field, &value)?;
    }
    Ok(decl)
}

fn option(decl: &mut KeyDecl, field: &Value, value: &Value) -> Result<()> {
    let name = decl.name.clone();
    match field {
        Value::Integer(1) => {}
        Value::Number(1.0) => {}
        Value::String(word) if word == "default" => {
            let held = held(value).ok_or_else(|| {
                let got = word_for(value);
                Error::new(ErrorKind::WrongType, format!("the default of key '{name}' cannot be {got}"))
            })?;
            // As the schema would keep it, so that the same words twice are the same key.
            decl.default = held.clone().fit(decl.ty).unwrap_or(held);
        }
        Value::String(word) if word == "external" => match value {
            Value::Boolean(external) => decl.external = *external,
            other => {
                let fault = format!("'external' of key '{name}' is true or false, got {}", word_for(other));
                return Err(
                    Error::new(ErrorKind::WrongType, fault).hint("true, if the game reads or writes it")
                );
            }
        },
        Value::String(word) if word == "ttl" => match number(value) {
            Some(seconds) => decl.ttl = Some(seconds),
            None => {
                let got = word_for(value);
                return Err(Error::new(
                    ErrorKind::WrongType,
                    format!("the ttl of key '{name}' takes seconds, got {got}"),
                ));
            }
        },
        other => {
            let word = other.to_string().unwrap_or_default();
            return Err(Error::new(ErrorKind::UnknownName, format!("key '{name}' takes no '{word}'"))
                .near(&word, ["default", "external", "ttl"]));
        }
    }
    Ok(())
}

fn type_named(key: &str, word: &str) -> Result<ValueType> {
    ValueType::named(word).ok_or_else(|| {
        let error = Error::new(ErrorKind::UnknownName, format!("key '{key}' has the unknown type '{word}'"));
        match crate::error::near_name(word, ValueType::ALL.map(ValueType::name)) {
            Some(near) => error.hint(format!("did you mean '{near}'?")),
            None => error.hint(ValueType::ALL.map(ValueType::name).join(", ")),
        }
    })
}

pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number),
        Value::Integer(number) => Some(*number as f64),
        _ => None,
    }
}

/// A value of Lua as a board can hold it; `None` for what it cannot.
pub(super) fn held(value: &Value) -> Option<Held> {
    if let Some(point) = vector_of(value) {
        return Some(Held::Vec3(point));
    }
    if let Some(entity) = body_of(value) {
        return Some(Held::Entity(entity));
    }
    Some(match value {
        Value::Nil => Held::Nothing,
        Value::Boolean(value) => Held::Bool(*value),
        Value::Integer(number) => Held::Number(*number as f64),
        Value::Number(number) => Held::Number(*number),
        Value::String(text) => Held::String(text.to_str().ok()?.as_ref().into()),
        Value::Table(list) => Held::List(points(list)?.into()),
        _ => return None,
    })
}

/// A list of points without holes.
fn points(list: &Table) -> Option<Vec<Vec3>> {
    let list = content(list);
    let mut points = vec![None; list.raw_len()];
    for pair in list.pairs::<Value, Value>() {
        let (key, value) = pair.ok()?;
        let at = number(&key).filter(|at| at.fract() == 0.0 && *at >= 1.0)? as usize;
        *points.get_mut(at - 1)? = Some(vector_of(&value)?);
    }
    points.into_iter().collect()
}
