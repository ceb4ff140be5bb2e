//! What a script sees of its agent and does for it: plain functions over numbers, called by the prelude.

use super::fault::raise;
use super::flavour::{self, body, vector};
use super::keys::held;
use super::shared::{Shared, Stage};
use super::words::word_for;
use crate::blackboard::{Change, KeyId, Scope, Value as Held};
use crate::entity::Entity;
use crate::error::{Error, ErrorKind, Result};
use crate::math::Vec3;
use crate::sense::Track;
use crate::tree::View;
use mlua::{Lua, Value};
use std::sync::Arc;

/// A value on its way to Lua.
pub(super) enum Answer<'a> {
    Nothing,
    Bool(bool),
    Number(f64),
    Whole(f64),
    Text(&'a str),
    Point(Vec3),
    Body(Entity),
}

type Read = for<'a> fn(&View<'a>) -> Answer<'a>;

/// What is read of an agent, by the name that scripts use.
pub(super) const FIELDS: &[(&str, Read)] = &[
    ("position", |view| Answer::Point(view.position())),
    ("velocity", |view| Answer::Point(view.velocity())),
    ("facing", |view| Answer::Point(view.facing())),
    ("home", |view| Answer::Point(view.home())),
    ("radius", |view| Answer::Number(f64::from(view.radius()))),
    ("max_speed", |view| Answer::Number(f64::from(view.max_speed()))),
    ("key", |view| Answer::Whole(f64::from(view.key()))),
    ("rank", |view| Answer::Whole(view.rank() as f64)),
    ("squad", |view| Answer::Text(view.squad_name())),
    ("squad_centre", |view| Answer::Point(view.squad_centre())),
    ("mates", |view| Answer::Whole(view.mates() as f64)),
    ("time", |view| Answer::Number(view.now() as f64 / 1e9)),
    ("dt", |view| Answer::Number(f64::from(view.dt()))),
    ("arrived", |view| Answer::Bool(view.arrived())),
    ("blocked", |view| Answer::Bool(view.blocked())),
    ("perceives_target", |view| Answer::Bool(view.perceives_target())),
    ("mode", mode),
    ("largest_gap", |view| Answer::Number(f64::from(view.largest_gap()))),
    ("set_fraction", |view| Answer::Number(f64::from(view.set_fraction()))),
    ("place_error", |view| Answer::Number(f64::from(view.place_error()))),
];

/// What is read of the target that the agent's squad is after: what is believed.
pub(super) const TARGET_FIELDS: &[(&str, Read)] = &[
    ("position", |view| view.target().map_or(Answer::Nothing, |track| Answer::Point(track.position))),
    ("velocity", |view| view.target().map_or(Answer::Nothing, |track| Answer::Point(track.velocity))),
    ("distance", |view| {
        view.target()
            .map_or(Answer::Nothing, |track| Answer::Number(f64::from(view.distance(track.position))))
    }),
    ("age", |view| {
        let age = |seen_at| view.now().saturating_sub(seen_at) as f64 / 1e9;
        view.target().map_or(Answer::Nothing, |track| Answer::Number(age(track.seen_at)))
    }),
    ("in_view", |view| Answer::Bool(view.target().is_some_and(|track| track.in_view))),
    ("awareness", |view| {
        view.target().map_or(Answer::Nothing, |track| Answer::Number(f64::from(track.awareness)))
    }),
    ("score", |view| view.target().map_or(Answer::Nothing, |track| Answer::Number(f64::from(track.score)))),
    ("source", |view| {
        let me = view.agent().entity();
        let source = |track: &Track| if view.perceives_target() { "own" } else { track.source(me) };
        view.target().map_or(Answer::Nothing, |track| Answer::Text(source(track)))
    }),
    ("how", |view| view.target().map_or(Answer::Nothing, |track| Answer::Text(track.how.name()))),
    ("entity", |view| view.target().map_or(Answer::Nothing, |track| Answer::Body(track.target))),
];

fn mode<'a>(view: &View<'a>) -> Answer<'a> {
    let me = view.index as u32;
    let new = view.desk.modes.iter().find(|(writer, _)| *writer == me);
    let name = new.map_or_else(|| view.scene.symbols.name(view.mind.intent.mode), |(_, name)| name);
    if name.is_empty() { Answer::Nothing } else { Answer::Text(name) }
}

/// Fields of the agent come first, those of the target behind them.
pub(super) fn read(lua: &Lua, stage: &Shared<Stage>, id: u64, field: usize) -> mlua::Result<Value> {
    let read = FIELDS.iter().chain(TARGET_FIELDS).nth(field).map(|(_, read)| *read);
    let value = stage.with(|stage| -> Result<_> {
        let view = stage.view(id)?;
        Ok(match read.map_or(Answer::Nothing, |read| read(&view)) {
            Answer::Nothing => Ok(Value::Nil),
            Answer::Bool(value) => Ok(Value::Boolean(value)),
            Answer::Number(value) => Ok(Value::Number(value)),
            Answer::Whole(value) => Ok(flavour::whole(value)),
            Answer::Text(text) => lua.create_string(text).map(Value::String),
            Answer::Point(point) => vector(lua, point),
            Answer::Body(entity) if view.exists(entity) => body(lua, entity),
            Answer::Body(_) => Ok(Value::Nil),
        })
    });
    value.map_err(|error| raise(lua, error))?
}

pub(super) fn get(lua: &Lua, stage: &Shared<Stage>, id: u64, key: u32) -> mlua::Result<Value> {
    let value = stage.with(|stage| -> Result<_> {
        let view = stage.view(id)?;
        let value = view.value(key_of(key));
        let gone = matches!(value, Held::Entity(entity) if !view.exists(entity));
        let bytes = bytes_of(&value);
        stage.meter.charge(bytes);
        Ok(if gone { Held::Nothing } else { value })
    });
    Ok(match value.map_err(|error| raise(lua, error))? {
        Held::Nothing => Value::Nil,
        Held::Bool(value) => Value::Boolean(value),
        Held::Integer(value) => flavour::whole(value as f64),
        Held::Number(value) => Value::Number(value),
        Held::String(text) => Value::String(lua.create_string(&*text)?),
        Held::Vec3(point) => vector(lua, point)?,
        Held::Entity(entity) => body(lua, entity)?,
        Held::List(points) => {
            let list = lua.create_table_with_capacity(points.len(), 0)?;
            for (at, point) in points.iter().enumerate() {
                list.raw_set(at + 1, vector(lua, *point)?)?;
            }
            // A change to the copy would be lost: it is refused instead.
            Value::Table(flavour::freeze(lua, list)?)
        }
    })
}

/// A key as a number that Lua keeps: its scope above its slot.
fn number_of(key: KeyId) -> u32 {
    ((key.scope as u32) << 16) | u32::from(key.slot)
}

pub(super) fn key_of(number: u32) -> KeyId {
    let scope = Scope::ALL[(number >> 16) as usize % Scope::ALL.len()];
    KeyId { scope, slot: number as u16 }
}

/// Bytes that are copied with a value.
fn bytes_of(value: &Held) -> usize {
    match value {
        Held::String(text) => text.len(),
        Held::List(points) => size_of_val(&**points),
        _ => 0,
    }
}

pub(super) fn find_key(stage: &mut Stage, id: u64, name: &Value) -> Result<u32> {
    let view = stage.view(id)?;
    match name {
        Value::String(name) => view.scene.schema.id(&name.to_string_lossy()).map(number_of),
        other => Err(Error::new(ErrorKind::WrongType, format!("a key has a name, got {}", word_for(other)))),
    }
}

pub(super) fn set(stage: &mut Stage, id: u64, key: u32, value: &Value) -> Result<()> {
    let key = key_of(key);
    let Some(value) = held(value) else {
        let view = stage.view(id)?;
        let name = &view.scene.schema.info(key).name;
        let ty = view.scene.schema.info(key).ty;
        let got = word_for(value);
        return Err(Error::new(ErrorKind::WrongType, format!("key '{name}' is {ty}, got {got}"))
            .hint("the old value stays"));
    };
    stage.meter.charge(bytes_of(&value));
    stage.pen(id)?.change(key, Change::Set(value))
}

pub(super) fn word(value: &Value, what: &str) -> Result<String> {
    match value {
        Value::String(text) => Ok(text.to_string_lossy()),
        other => {
            Err(Error::new(ErrorKind::WrongType, format!("{what} takes a name, got {}", word_for(other))))
        }
    }
}

pub(super) fn command(stage: &mut Stage, id: u64, name: &Value) -> Result<()> {
    let name = word(name, "command")?;
    stage.meter.charge(size_of::<crate::tree::Command>() + name.len());
    let mut pen = stage.pen(id)?;
    let target = pen.view().target().map(|track| track.target).unwrap_or_default();
    let known = pen.scene.symbols.find(&name).map(|symbol| pen.scene.symbols.name(symbol).clone());
    pen.command(known.unwrap_or_else(|| Arc::from(name)), target, false);
    Ok(())
}

pub(super) fn print(stage: &mut Stage, line: String) -> Result<()> {
    stage.meter.charge(line.len());
    if stage.agent == 0 {
        stage.notes.push(line);
        return Ok(());
    }
    // A line said is no change that anyone could feel: conditions may print.
    let id = stage.agent;
    let agent = stage.view(id)?.agent();
    stage.desk.say(agent, line);
    Ok(())
}
