//! What coroutines of scripts are given: times to wait for, the course of a walk, and words for what goes wrong.

use super::fault::raise;
use super::keys::number;
use super::shared::Stage;
use super::steering::numbers_of;
use super::words::word_for;
use crate::error::{Error, ErrorKind, Result};
use crate::math::{Vec3, angle_of};
use crate::steer::{BEHAVIOURS, Course};
use mlua::{Lua, Table, Value};

/// The time at which a wait of so many seconds is over, in ns of the world's clock; `word` is what was called.
pub(super) fn deadline(stage: &mut Stage, id: u64, word: &Value, seconds: &Value) -> Result<f64> {
    let now = stage.view(id)?.now() as f64;
    let word = || word.to_string().unwrap_or_default();
    match number(seconds) {
        Some(seconds) if seconds >= 0.0 => Ok(now + libm::round(seconds * 1e9)),
        Some(seconds) => Err(Error::new(
            ErrorKind::OutOfRange,
            format!("{} takes seconds, 0 or more, got {seconds}", word()),
        )),
        None => Err(Error::new(
            ErrorKind::WrongType,
            format!("{} takes seconds, got {}", word(), word_for(seconds)),
        )),
    }
}

/// The course of one who wanders without being told where: heading and rate of turn, nothing at first.
pub(super) type Bearing = (Option<f32>, Option<f32>);

/// The next heading, rate of turn, and direction.
pub(super) fn course(stage: &mut Stage, given: Bearing, numbers: [f32; 4]) -> Result<(f32, f32, Vec3)> {
    let id = stage.agent;
    let pen = stage.pen(id)?;
    let (dt, facing) = (pen.view().dt(), pen.view().facing());
    let heading = given.0.unwrap_or_else(|| angle_of(facing));
    let mut course = Course { heading, turn: given.1.unwrap_or(0.0) };
    let normal = pen.mind.dice.normal() as f32;
    course.step(dt, numbers[1], numbers[2], normal);
    Ok((course.heading, course.turn, course.direction()))
}

/// Gives the prelude what stories are told with.
pub(super) fn install(lua: &Lua, word: &super::install::Word<'_>, rust: &Table) -> mlua::Result<()> {
    word.add("deadline", |stage, (id, word, seconds): (u64, Value, Value)| {
        deadline(stage, id, &word, &seconds)
    })?;
    type Course = (usize, Option<f32>, Option<f32>, Option<Value>, Option<Value>, Option<Value>);
    word.add("bearing", |stage, (code, heading, turn, a, b, c): Course| {
        let numbers = numbers_of(BEHAVIOURS[code % BEHAVIOURS.len()], [&a, &b, &c, &None])?;
        let (heading, turn, to) = course(stage, (heading, turn), numbers)?;
        Ok((heading, turn, to.x, to.y, to.z))
    })?;
    faults(lua, rust)
}

fn faults(lua: &Lua, rust: &Table) -> mlua::Result<()> {
    rust.raw_set(
        "no_story",
        lua.create_function(|lua, (word, given): (String, Value)| -> mlua::Result<()> {
            let fault = Error::new(ErrorKind::Script, format!("{word} works only in a coroutine"));
            Err(raise(
                lua,
                match given {
                    // Whoever forgets `bt.` gives it what the node takes.
                    Value::Table(_) => fault.hint(format!("did you mean 'bt.{word}'?")),
                    _ => fault.hint("bt.coroutine { run = function(self) … wait(0.5) … end }"),
                },
            ))
        })?,
    )?;
    rust.raw_set(
        "no_test",
        lua.create_function(|lua, got: Value| -> mlua::Result<()> {
            let fault = format!("wait_until takes a function, got {}", word_for(&got));
            let fault = Error::new(ErrorKind::WrongType, fault);
            Err(raise(lua, fault.hint("wait_until(function() return … end, seconds)")))
        })?,
    )?;
    // A fault that leaves a coroutine loses its traceback: it is taken where the fault came up.
    rust.raw_set(
        "traced",
        lua.create_function(|lua, fault: mlua::LuaString| {
            let trace = lua.traceback(None, 1)?;
            let text = format!("{}\nstack traceback:\n{}", fault.to_string_lossy(), trace.to_string_lossy());
            Ok(Value::Error(Box::new(mlua::Error::RuntimeError(text))))
        })?,
    )
}
