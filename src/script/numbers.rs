//! Numbers that must be the same in every run: the dice, and functions that C libraries round each in its own way.

use super::flavour::whole as whole_number;
use super::keys::number;
use super::shared::Stage;
use super::words::word_for;
use crate::error::{Error, ErrorKind, Result};
use mlua::{Lua, Table, Value};

pub(super) fn random(stage: &mut Stage, low: &Value, high: &Value) -> Result<Value> {
    let whole = |value: &Value| match number(value) {
        Some(number) if number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 => Ok(number),
        _ => Err(Error::new(
            ErrorKind::WrongType,
            format!("math.random takes whole numbers, got {}", word_for(value)),
        )),
    };
    let (low, high) = match (low, high) {
        (Value::Nil, _) => return Ok(Value::Number(stage.dice()?.unit())),
        (high, Value::Nil) => (1.0, whole(high)?),
        (low, high) => (whole(low)?, whole(high)?),
    };
    if high < low {
        return Err(Error::new(
            ErrorKind::OutOfRange,
            format!("math.random has nothing between {low} and {high}"),
        ));
    }
    Ok(whole_number(low + stage.dice()?.below((high - low) as u64 + 1) as f64))
}

type Function = fn(f64) -> f64;

/// By name; those of two numbers stand in [`math`].
const MATH: &[(&str, Function)] = &[
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
#[cfg(feature = "luau")]
pub(super) fn replaced() -> impl Iterator<Item = String> {
    let ours = ["math.atan2", "math.pow", "math.log", "math.random", "tostring", "tonumber", "string.sub"];
    MATH.iter().map(|(name, _)| format!("math.{name}")).chain(ours.map(str::to_owned))
}

pub(super) fn math(lua: &Lua) -> mlua::Result<Table> {
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
