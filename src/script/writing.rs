//! What a script adds to a key together with others, and what it hears when it has no point to give.

use super::agent::{find_key, key_of};
use super::fault::FAULT;
use super::keys::number;
use super::shared::Stage;
use super::words::word_for;
use crate::blackboard::{Change, KeyId, ValueType};
use crate::error::{Error, ErrorKind, Place, Problem, Result};
use crate::tree::Write;
use mlua::Value;

/// Adds to a number: all who add in one tick count, where a set is overruled by the next one.
pub(super) fn increment(stage: &mut Stage, id: u64, key: &Value, by: &Value) -> Result<()> {
    let key = key_for(stage, id, key, "increment", &[ValueType::Number, ValueType::Integer])?;
    let whole = stage.view(id)?.scene.schema.info(key).ty == ValueType::Integer;
    let by = match (by, number(by)) {
        (Value::Nil, _) => 1.0,
        (_, Some(by)) if by.is_finite() && !(whole && by.fract() != 0.0) => by,
        (_, Some(by)) => {
            let kind = if whole { "a whole" } else { "a finite" };
            let fault = format!("increment takes {kind} number for '{}', got {by}", name_of(stage, id, key)?);
            return Err(Error::new(ErrorKind::OutOfRange, fault));
        }
        (other, None) => {
            let fault = format!("increment takes a number, got {}", word_for(other));
            return Err(Error::new(ErrorKind::WrongType, fault).hint("self:increment(\"key\", 1)"));
        }
    };
    write(stage, id, key, Change::Increment(by))
}

/// Appends a point to a list: all who append in one tick count.
pub(super) fn append(stage: &mut Stage, id: u64, key: &Value, point: &Value) -> Result<()> {
    let key = key_for(stage, id, key, "append", &[ValueType::List])?;
    match super::steering::place(stage, id, point)? {
        Some(point) => write(stage, id, key, Change::Append(point)),
        None => {
            let fault =
                format!("append has no point for '{}': there is no such place now", name_of(stage, id, key)?);
            Err(Error::new(ErrorKind::Missing, fault).hint("ask whether it is nil first"))
        }
    }
}

/// Each is one write until the tick is over.
fn write(stage: &mut Stage, id: u64, key: KeyId, change: Change) -> Result<()> {
    stage.meter.charge(size_of::<Write>());
    stage.pen(id)?.change(key, change)
}

fn name_of(stage: &Stage, id: u64, key: KeyId) -> Result<String> {
    Ok(stage.view(id)?.scene.schema.info(key).name.to_string())
}

fn key_for(stage: &mut Stage, id: u64, name: &Value, word: &str, types: &[ValueType]) -> Result<KeyId> {
    let key = key_of(find_key(stage, id, name)?);
    let info = stage.view(id)?.scene.schema.info(key);
    if types.contains(&info.ty) {
        return Ok(key);
    }
    let wanted = types.iter().map(|ty| ty.name()).collect::<Vec<_>>().join(" or ");
    let fault = format!("{word} takes a key of type {wanted}, and '{}' is {}", info.name, info.ty);
    Err(Error::new(ErrorKind::WrongType, fault))
}

/// A steering method was given nil for its point: that is told, and the leaf goes on with a failure.
pub(super) fn no_point(stage: &mut Stage, id: u64, word: &str, place: Option<Place>) -> Result<()> {
    if word != "distance" {
        stage.pen(id)?;
    }
    let agent = stage.view(id)?.agent();
    stage.meter.charge(FAULT);
    // A version that is new is not taken back for it: it may have no goal yet.
    let fault = Error::new(ErrorKind::Warning, format!("{word} got nil: the key has no value?"))
        .hint("ask before; or say \"target\" if you mean it")
        .at_option(place.as_ref());
    stage.desk.problems.push(Problem { agent: Some(agent), error: fault, times: 1, tick: 0 });
    Ok(())
}
