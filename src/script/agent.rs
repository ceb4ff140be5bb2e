//! What a script sees of its agent and does for it: plain functions over numbers, called by the prelude.

use super::fault::raise;
use super::keys::{held, number, point};
use super::shared::{Shared, Stage, agent_name};
use super::words::word_for;
use crate::blackboard::{Change, KeyId, Scope, Value as Held};
use crate::entity::Entity;
use crate::error::{Error, ErrorKind, Result};
use crate::math::Vec3;
use crate::node::steering::rule;
use crate::steer::{BEHAVIOURS, Behaviour, Class};
use crate::tree::{Aim, View, anchor_of};
use mlua::{LightUserData, Lua, Table, Value, Vector};
use std::sync::Arc;

/// A value on its way to Lua.
enum Answer<'a> {
    Nothing,
    Bool(bool),
    Number(f64),
    Text(&'a str),
    Point(Vec3),
    Body(Entity),
}

/// What is read of an agent, by the name that scripts use.
const FIELDS: &[(&str, for<'a> fn(&View<'a>) -> Answer<'a>)] = &[
    ("position", |view| Answer::Point(view.position())),
    ("velocity", |view| Answer::Point(view.velocity())),
    ("facing", |view| Answer::Point(view.facing())),
    ("home", |view| Answer::Point(view.home())),
    ("radius", |view| Answer::Number(f64::from(view.radius()))),
    ("max_speed", |view| Answer::Number(f64::from(view.max_speed()))),
    ("key", |view| Answer::Number(f64::from(view.key()))),
    ("rank", |view| Answer::Number(view.rank() as f64)),
    ("squad", |view| Answer::Text(view.squad_name())),
    ("squad_centre", |view| Answer::Point(view.squad_centre())),
    ("mates", |view| Answer::Number(view.mates() as f64)),
    ("time", |view| Answer::Number(view.now() as f64 / 1e9)),
    ("dt", |view| Answer::Number(f64::from(view.dt()))),
    ("arrived", |view| Answer::Bool(view.arrived())),
    ("perceives_target", |view| Answer::Bool(view.perceives_target())),
    ("mode", mode),
];

/// What is read of the target that the agent's squad is after: what is believed.
const TARGET_FIELDS: &[(&str, for<'a> fn(&View<'a>) -> Answer<'a>)] = &[
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
    ("how", |view| view.target().map_or(Answer::Nothing, |track| Answer::Text(track.how.name()))),
    ("entity", |view| view.target().map_or(Answer::Nothing, |track| Answer::Body(track.target))),
];

fn mode<'a>(view: &View<'a>) -> Answer<'a> {
    let me = view.index as u32;
    let new = view.desk.modes.iter().find(|(writer, _)| *writer == me);
    let name = new.map_or_else(|| view.scene.symbols.name(view.mind.intent.mode), |(_, name)| name);
    if name.is_empty() { Answer::Nothing } else { Answer::Text(name) }
}

fn body(entity: Entity) -> Value {
    Value::LightUserData(LightUserData(std::ptr::without_provenance_mut(entity.pack() as usize)))
}

fn vector(v: Vec3) -> Value {
    Value::Vector(Vector::new(v.x, v.y, v.z))
}

/// Fields of the agent come first, those of the target behind them.
fn read(lua: &Lua, stage: &Shared<Stage>, id: u64, field: usize) -> mlua::Result<Value> {
    let read = FIELDS.iter().chain(TARGET_FIELDS).nth(field).map(|(_, read)| *read);
    let value = stage.with(|stage| -> Result<_> {
        let view = stage.view(id)?;
        Ok(match read.map_or(Answer::Nothing, |read| read(&view)) {
            Answer::Nothing => Ok(Value::Nil),
            Answer::Bool(value) => Ok(Value::Boolean(value)),
            Answer::Number(value) => Ok(Value::Number(value)),
            Answer::Text(text) => lua.create_string(text).map(Value::String),
            Answer::Point(point) => Ok(vector(point)),
            Answer::Body(entity) => Ok(if view.exists(entity) { body(entity) } else { Value::Nil }),
        })
    });
    value.map_err(|error| raise(lua, error))?
}

fn get(lua: &Lua, stage: &Shared<Stage>, id: u64, key: u32) -> mlua::Result<Value> {
    let value = stage.with(|stage| -> Result<_> {
        let view = stage.view(id)?;
        let value = view.value(key_of(key));
        Ok(
            if let Held::Entity(entity) = value
                && !view.exists(entity)
            {
                Held::Nothing
            } else {
                value
            },
        )
    });
    Ok(match value.map_err(|error| raise(lua, error))? {
        Held::Nothing => Value::Nil,
        Held::Bool(value) => Value::Boolean(value),
        Held::Integer(value) => Value::Number(value as f64),
        Held::Number(value) => Value::Number(value),
        Held::String(text) => Value::String(lua.create_string(&*text)?),
        Held::Vec3(point) => vector(point),
        Held::Entity(entity) => body(entity),
        Held::List(points) => {
            let list = lua.create_sequence_from(points.iter().map(|point| vector(*point)))?;
            // A change to the copy would be lost: it is refused instead.
            list.set_readonly(true);
            Value::Table(list)
        }
    })
}

/// A key as a number that Lua keeps: its scope above its slot.
fn number_of(key: KeyId) -> u32 {
    ((key.scope as u32) << 16) | u32::from(key.slot)
}

fn key_of(number: u32) -> KeyId {
    let scope = Scope::ALL[(number >> 16) as usize % Scope::ALL.len()];
    KeyId { scope, slot: number as u16 }
}

fn find_key(stage: &mut Stage, id: u64, name: &Value) -> Result<u32> {
    let view = stage.view(id)?;
    match name {
        Value::String(name) => view.scene.schema.id(&name.to_string_lossy()).map(number_of),
        other => Err(Error::new(ErrorKind::WrongType, format!("a key has a name, got {}", word_for(other)))),
    }
}

fn set(stage: &mut Stage, id: u64, key: u32, value: &Value) -> Result<()> {
    let key = key_of(key);
    let Some(value) = held(value) else {
        let view = stage.view(id)?;
        let name = &view.scene.schema.info(key).name;
        let ty = view.scene.schema.info(key).ty;
        let got = word_for(value);
        return Err(Error::new(ErrorKind::WrongType, format!("key '{name}' is {ty}, got {got}"))
            .hint("the old value stays"));
    };
    stage.pen(id)?.change(key, Change::Set(value))
}

/// What a script gave as a point: nothing and "target" are the target.
fn aim_of(point_given: &Value) -> Result<Spot> {
    Ok(match point_given {
        Value::Nil => Spot::Aim(Aim::Target),
        Value::Vector(given) => {
            let place = point(given);
            if !place.is_finite() {
                return Err(Error::new(ErrorKind::OutOfRange, format!("the point {place} is not finite")));
            }
            Spot::Aim(Aim::Point(place))
        }
        Value::LightUserData(handle) => Spot::Body(Entity::unpack(handle.0.addr() as u64)),
        Value::String(word) => {
            const WORDS: [(&str, Aim); 4] =
                [("target", Aim::Target), ("place", Aim::Place), ("home", Aim::Home), ("squad", Aim::Squad)];
            let word = word.to_string_lossy();
            let found = WORDS.iter().find(|(known, _)| *known == word);
            let (_, aim) = found.ok_or_else(|| {
                Error::new(ErrorKind::UnknownName, format!("\"{word}\" is no place"))
                    .near(&word, WORDS.map(|(known, _)| known))
            })?;
            Spot::Aim(*aim)
        }
        other => {
            return Err(Error::new(
                ErrorKind::WrongType,
                format!("a point is needed, got {}", word_for(other)),
            )
            .hint("a vec3, a target, a body, or \"target\", \"place\", \"home\", \"squad\""));
        }
    })
}

enum Spot {
    Aim(Aim),
    Body(Entity),
}

impl Spot {
    fn find(&self, view: &View<'_>) -> Option<(Vec3, Vec3)> {
        match self {
            Spot::Aim(aim) => view.aim(*aim),
            Spot::Body(entity) => view.whereabouts(*entity),
        }
    }
}

/// Numbers that a script gave a behaviour: weight, stop, then its own in the order of its DEF.
type Given = (Option<Value>, Option<Value>, Option<Value>, Option<Value>, Option<Value>, Option<Value>);

const SUCCESS: u8 = 1;
const FAILURE: u8 = 2;
const RUNNING: u8 = 3;

/// Follows a behaviour in this tick; answers as its node would.
fn steer(stage: &mut Stage, id: u64, behaviour: usize, at: &Value, given: &Given) -> Result<u8> {
    let behaviour = BEHAVIOURS[behaviour % BEHAVIOURS.len()];
    let mut numbers = [0.0; 4];
    let values = [&given.2, &given.3, &given.4, &given.5];
    for ((number, param), value) in numbers.iter_mut().zip(behaviour.params).zip(values) {
        let otherwise =
            if let crate::args::DefaultValue::Number(value) = param.default { value } else { 0.0 };
        *number = checked(param.name, value, otherwise, param.low, param.high)?;
    }
    let weight = checked("weight", &given.0, 1.0, 0.0, 1000.0)?;
    let stop = checked("stop", &given.1, 0.5, 0.0, f64::INFINITY)?;
    let mut rule = rule(behaviour.name, weight, numbers);
    let mut status = RUNNING;
    let pen = stage.pen(id)?;
    match wants(behaviour) {
        Wants::Nothing => {}
        Wants::Direction => rule.order.point = direction_of(at)?,
        Wants::Point => {
            let spot = aim_of(at)?;
            let view = pen.view();
            let Some((point, velocity)) = spot.find(&view) else { return Ok(FAILURE) };
            if let Spot::Aim(aim) = spot {
                rule.anchor = anchor_of(aim);
            }
            (rule.order.point, rule.order.velocity) = (point, velocity);
            if there(behaviour, &view, point, stop, &numbers) {
                status = SUCCESS;
            }
            if !matches!(behaviour.name, "flee" | "evade" | "face") {
                pen.mind.intent.goal = Some(point);
            }
        }
    }
    if pen.mind.intent.follow(rule) {
        return Ok(status);
    }
    Err(Error::new(
        ErrorKind::TooMany,
        format!("more than {} steering rules at once", crate::tree::MAX_RULES),
    ))
}

/// Whether a behaviour has got where it wanted, by the rule of its node.
fn there(behaviour: &Behaviour, view: &View<'_>, point: Vec3, stop: f32, numbers: &[f32; 4]) -> bool {
    let distance = view.distance(point);
    match behaviour.name {
        "flee" | "evade" => {
            let radius = numbers[behaviour.params.len().saturating_sub(1).min(3)];
            radius > 0.0 && distance >= radius
        }
        "face" => false,
        "arrive" => view.arrived() && view.intent().goal == Some(point),
        _ => distance < stop,
    }
}

/// What a behaviour is told where to go by.
#[derive(PartialEq)]
enum Wants {
    Nothing,
    Direction,
    Point,
}

fn wants(behaviour: &Behaviour) -> Wants {
    match (behaviour.class, behaviour.name) {
        (Class::Bias, _) => Wants::Nothing,
        (_, "wander") => Wants::Direction,
        _ => Wants::Point,
    }
}

fn direction_of(given: &Value) -> Result<Vec3> {
    match given {
        Value::Vector(given) if point(given).is_finite() => Ok(point(given)),
        other => Err(Error::new(
            ErrorKind::WrongType,
            format!("wander takes a direction, got {}", word_for(other)),
        )
        .hint("a vec3; bt.wander {} finds its own")),
    }
}

fn checked(name: &str, value: &Option<Value>, otherwise: f64, low: f64, high: f64) -> Result<f32> {
    let given = match value {
        None | Some(Value::Nil) => return Ok(otherwise as f32),
        Some(given) => given,
    };
    match number(given) {
        Some(number) if number >= low && number <= high && number.is_finite() => Ok(number as f32),
        Some(number) => Err(Error::new(
            ErrorKind::OutOfRange,
            format!("option '{name}' must be between {low} and {high}, got {number}"),
        )),
        None => Err(Error::new(
            ErrorKind::WrongType,
            format!("option '{name}' takes a number, got {}", word_for(given)),
        )),
    }
}

fn options(behaviour: usize, given: &Value) -> Result<()> {
    let behaviour = BEHAVIOURS[behaviour % BEHAVIOURS.len()];
    let Value::Table(given) = given else {
        return Err(Error::new(
            ErrorKind::WrongType,
            format!("{} takes a table of options, got {}", behaviour.name, word_for(given)),
        ));
    };
    let names = || behaviour.params.iter().map(|param| param.name).chain(["weight", "stop"]);
    for pair in given.pairs::<Value, Value>() {
        let Ok((key, _)) = pair else { continue };
        let known = matches!(&key, Value::String(name) if names().any(|known| *name == known));
        if !known {
            let word = key.to_string().unwrap_or_default();
            return Err(Error::new(ErrorKind::UnknownName, format!("{} takes no '{word}'", behaviour.name))
                .near(&word, names()));
        }
    }
    Ok(())
}

fn distance(stage: &mut Stage, id: u64, to: &Value) -> Result<Option<f64>> {
    let spot = aim_of(to)?;
    let view = stage.view(id)?;
    Ok(spot.find(&view).map(|(point, _)| f64::from(view.distance(point))))
}

fn word(value: &Value, what: &str) -> Result<String> {
    match value {
        Value::String(text) => Ok(text.to_string_lossy()),
        other => {
            Err(Error::new(ErrorKind::WrongType, format!("{what} takes a name, got {}", word_for(other))))
        }
    }
}

fn command(stage: &mut Stage, id: u64, name: &Value) -> Result<()> {
    let name = word(name, "command")?;
    let mut pen = stage.pen(id)?;
    let target = pen.view().target().map(|track| track.target).unwrap_or_default();
    let known = pen.scene.symbols.find(&name).map(|symbol| pen.scene.symbols.name(symbol).clone());
    pen.command(known.unwrap_or_else(|| Arc::from(name)), target);
    Ok(())
}

fn print(stage: &mut Stage, line: String) -> Result<()> {
    if stage.agent == 0 {
        stage.notes.push(line);
        return Ok(());
    }
    // A line said is no change that anyone could feel: conditions may print.
    let id = stage.agent;
    let agent = stage.view(id)?.agent();
    stage.desk.log.push((agent, line));
    Ok(())
}

fn random(stage: &mut Stage, low: &Value, high: &Value) -> Result<f64> {
    let whole = |value: &Value| match number(value) {
        Some(number) if number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 => Ok(number),
        _ => Err(Error::new(
            ErrorKind::WrongType,
            format!("math.random takes whole numbers, got {}", word_for(value)),
        )),
    };
    let (low, high) = match (low, high) {
        (Value::Nil, _) => return Ok(stage.dice()?.unit()),
        (high, Value::Nil) => (1.0, whole(high)?),
        (low, high) => (whole(low)?, whole(high)?),
    };
    if high < low {
        return Err(Error::new(
            ErrorKind::OutOfRange,
            format!("math.random has nothing between {low} and {high}"),
        ));
    }
    Ok(low + stage.dice()?.below((high - low) as u64 + 1) as f64)
}

/// Functions of numbers that must give the same on every machine.
const MATH: &[(&str, fn(f64) -> f64)] = &[
    ("sin", libm::sin),
    ("cos", libm::cos),
    ("tan", libm::tan),
    ("asin", libm::asin),
    ("acos", libm::acos),
    ("atan", libm::atan),
    ("sinh", libm::sinh),
    ("cosh", libm::cosh),
    ("tanh", libm::tanh),
    ("exp", libm::exp),
    ("log10", libm::log10),
];

/// The names of built-in functions that are replaced, for the compiler.
pub(super) fn replaced() -> impl Iterator<Item = String> {
    let ours = ["math.atan2", "math.pow", "math.log", "math.random", "tostring"];
    MATH.iter().map(|(name, _)| format!("math.{name}")).chain(ours.map(str::to_owned))
}

fn math(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    for (name, call) in MATH {
        table.raw_set(*name, lua.create_function(move |_, x: f64| Ok(call(x)))?)?;
    }
    table.raw_set("atan2", lua.create_function(|_, (y, x): (f64, f64)| Ok(libm::atan2(y, x)))?)?;
    table.raw_set("pow", lua.create_function(|_, (x, y): (f64, f64)| Ok(libm::pow(x, y)))?)?;
    table.raw_set(
        "log",
        lua.create_function(|_, (x, base): (f64, Option<f64>)| {
            Ok(match base {
                None => libm::log(x),
                Some(2.0) => libm::log2(x),
                Some(10.0) => libm::log10(x),
                Some(base) => libm::log(x) / libm::log(base),
            })
        })?,
    )?;
    Ok(table)
}

/// Gives the prelude all that it calls for agents.
pub(super) fn install(lua: &Lua, stage: &Shared<Stage>, rust: &Table) -> mlua::Result<()> {
    tables(lua, rust)?;
    faults(lua, rust)?;
    let shared = stage.clone();
    rust.raw_set(
        "read",
        lua.create_function(move |lua, (id, field): (u64, usize)| read(lua, &shared, id, field))?,
    )?;
    let shared = stage.clone();
    rust.raw_set("get", lua.create_function(move |lua, (id, key): (u64, u32)| get(lua, &shared, id, key))?)?;
    let word = Word { lua, stage, rust };
    word.add("set", |stage, (id, key, value): (u64, u32, Value)| set(stage, id, key, &value))?;
    word.add("find_key", |stage, (id, name): (u64, Value)| find_key(stage, id, &name))?;
    word.add("exists", |stage, id: u64| stage.view(id).map(|view| view.target().is_some()))?;
    word.add("alive", |stage, id: u64| Ok(stage.alive(id)))?;
    word.add("distance", |stage, (id, to): (u64, Value)| distance(stage, id, &to))?;
    word.add("set_mode", |stage, (id, name): (u64, Value)| {
        let name = self::word(&name, "set_mode")?;
        stage.pen(id)?.set_mode(&name);
        Ok(())
    })?;
    word.add("say", |stage, (id, line): (u64, String)| {
        stage.pen(id)?.say(line);
        Ok(())
    })?;
    word.add("command", |stage, (id, name): (u64, Value)| command(stage, id, &name))?;
    word.add("print", |stage, line: String| print(stage, line))?;
    word.add("random", |stage, (low, high): (Value, Value)| random(stage, &low, &high))?;
    word.add("check_options", |_, (behaviour, given): (usize, Value)| options(behaviour, &given))?;
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
        steer(stage, id, code, &at, &(weight, stop, a, b, c, d))
    })
}

/// A function over the stage, whose faults are raised where the script stands.
struct Word<'a> {
    lua: &'a Lua,
    stage: &'a Shared<Stage>,
    rust: &'a Table,
}

impl Word<'_> {
    fn add<A, R>(
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
    for (code, behaviour) in
        BEHAVIOURS.iter().enumerate().filter(|(_, behaviour)| behaviour.name != "follow_path")
    {
        let entry = lua.create_table()?;
        entry.raw_set("name", behaviour.name)?;
        entry
            .raw_set("params", lua.create_sequence_from(behaviour.params.iter().map(|param| param.name))?)?;
        entry.raw_set("point", wants(behaviour) != Wants::Nothing)?;
        behaviours.raw_set(code, entry)?;
    }
    rust.raw_set("behaviours", behaviours)?;
    rust.raw_set("math", math(lua)?)?;
    rust.raw_set("entity", lua.create_function(|_, id: u64| Ok(body(Entity::unpack(id))))?)?;
    rust.raw_set("name", lua.create_function(|_, id: u64| Ok(agent_name(id)))?)?;
    rust.raw_set(
        "freeze",
        lua.create_function(|_, table: Table| {
            table.set_readonly(true);
            Ok(table)
        })?,
    )
}

/// Faults that the prelude finds.
fn faults(lua: &Lua, rust: &Table) -> mlua::Result<()> {
    rust.raw_set(
        "no_field",
        lua.create_function(|lua, (name, what, names): (String, String, Vec<String>)| -> mlua::Result<()> {
            let fault = Error::new(ErrorKind::UnknownName, format!("{what} has no '{name}'"));
            Err(raise(lua, fault.near(&name, names.iter().map(String::as_str))))
        })?,
    )?;
    rust.raw_set(
        "unwritable",
        lua.create_function(|lua, name: String| -> mlua::Result<()> {
            let fault = Error::new(ErrorKind::Script, format!("an agent's '{name}' cannot be written"));
            Err(raise(lua, fault.hint("what is to last goes to a key: self.board.NAME = …")))
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
        "sentence",
        lua.create_function(|lua, fault: Value| {
            let text = match fault {
                Value::Error(error) => super::fault::sentence(&error),
                other => other.to_string().unwrap_or_default(),
            };
            lua.create_string(text)
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
