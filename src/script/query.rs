//! Queries of scripts: expressions that are made in Lua and answered here, over flat arrays, never point by point.
//!
//! An expression is a list: the layout with its place and three numbers, then word, place and number of each step.

use super::fault::raise;
use super::flavour::{body_of, content, vector, vector_of};
use super::install::Word;
use super::keys::number;
use super::shared::{Shared, Stage};
use super::words::word_for;
use crate::error::{Error, ErrorKind, Result};
use crate::math::Vec3;
use crate::query::{Found, MOST_POINTS, MOST_STEPS, Place, Query, weight_of};
use crate::tree::Aim;
use mlua::{Lua, Table, Value};

/// The places that queries mean by number.
const GIVEN: [Aim; 1] = [Aim::Place];
const WORDS: [(&str, Place); 5] = [
    ("target", Place::Target),
    ("self", Place::Me),
    ("squad", Place::Squad),
    ("home", Place::Home),
    ("place", Place::Given(0)),
];

fn place(given: &Value) -> Result<Place> {
    if let Some(point) = vector_of(given) {
        if point.is_finite() {
            return Ok(Place::Point(point));
        }
        return Err(Error::new(ErrorKind::OutOfRange, format!("the point {point} is not finite")));
    }
    if let Some(entity) = body_of(given) {
        return Ok(Place::Body(entity));
    }
    if let Value::String(word) = given {
        let word = word.to_string_lossy();
        let found = WORDS.iter().find(|(known, _)| *known == word);
        return found.map(|(_, place)| *place).ok_or_else(|| {
            Error::new(ErrorKind::UnknownName, format!("\"{word}\" is no place"))
                .near(&word, WORDS.map(|(known, _)| known))
        });
    }
    Err(Error::new(ErrorKind::WrongType, format!("a place is needed, got {}", word_for(given)))
        .hint("a vec3, a body, or \"target\", \"self\", \"squad\", \"home\", \"place\""))
}

fn amount(what: &str, given: &Value) -> Result<f32> {
    match number(given) {
        Some(number) => Ok(number as f32),
        None if matches!(given, Value::Boolean(false)) => {
            Err(Error::new(ErrorKind::Missing, format!("'{what}' is missing: a number")))
        }
        None => {
            Err(Error::new(ErrorKind::WrongType, format!("'{what}' is a number, got {}", word_for(given))))
        }
    }
}

fn amount_or(what: &str, given: &Value, otherwise: f32) -> Result<f32> {
    if matches!(given, Value::Boolean(false)) { Ok(otherwise) } else { amount(what, given) }
}

fn count(what: &str, given: &Value) -> Result<usize> {
    let number = amount(what, given)?;
    if number >= 1.0 && number.fract() == 0.0 {
        return Ok(number as usize);
    }
    Err(Error::new(ErrorKind::OutOfRange, format!("'{what}' is a whole number from 1 up, got {number}")))
}

/// The query that a list says.
fn query_of(list: &Table) -> Result<Query> {
    let list = content(list);
    let at = |index: usize| list.raw_get::<Value>(index).unwrap_or(Value::Nil);
    let mut query = layout(&at(1), &at(2), [&at(3), &at(4), &at(5)])?;
    let steps = list.raw_len().saturating_sub(5) / 3;
    if steps > MOST_STEPS {
        return Err(Error::new(ErrorKind::TooMany, format!("a query has {MOST_STEPS} steps at most")));
    }
    for step in 0..steps {
        let first = 6 + 3 * step;
        query = with(query, &at(first), &at(first + 1), &at(first + 2))?;
    }
    Ok(query)
}

fn layout(word: &Value, around: &Value, numbers: [&Value; 3]) -> Result<Query> {
    match &*word.to_string().unwrap_or_default() {
        "ring" => Query::ring(
            place(around)?,
            amount("inner", numbers[0])?,
            amount("outer", numbers[1])?,
            count("points", numbers[2])?,
        ),
        "grid" => Query::grid(place(around)?, amount("half", numbers[0])?, amount("spacing", numbers[1])?),
        _ => Query::from_points(&points(around)?),
    }
}

fn points(list: &Value) -> Result<Vec<Vec3>> {
    let Value::Table(list) = list else {
        let fault = format!("query.points takes a list of vec3, got {}", word_for(list));
        return Err(Error::new(ErrorKind::WrongType, fault));
    };
    let list = content(list);
    let point = |index: usize| {
        let value = list.raw_get::<Value>(index).unwrap_or(Value::Nil);
        vector_of(&value).ok_or_else(|| {
            let fault = format!("query.points takes vec3s, and number {index} is {}", word_for(&value));
            Error::new(ErrorKind::WrongType, fault)
        })
    };
    (1..=list.raw_len().min(MOST_POINTS + 1)).map(point).collect()
}

fn with(query: Query, word: &Value, at: &Value, given: &Value) -> Result<Query> {
    match &*word.to_string().unwrap_or_default() {
        "within" => query.within(place(at)?, amount("distance", given)?),
        "away_from" => match place(at)? {
            Place::Squad => query.away_from_mates(amount("distance", given)?),
            place => query.away_from(place, amount("distance", given)?),
        },
        "near" => query.near(place(at)?, amount_or("weight", given, 1.0)?),
        "far" => query.far(place(at)?, amount_or("weight", given, 1.0)?),
        "visible_from" => Ok(query.visible_from(place(at)?)),
        "hidden_from" => Ok(query.hidden_from(place(at)?)),
        "budget" => Ok(query.budget(u32::try_from(count("units", given)?).unwrap_or(u32::MAX))),
        _ => Ok(query.walkable()),
    }
}

/// A query whose points are being ranked.
pub(super) struct Ask {
    number: u32,
    query: Query,
    found: Found,
}

impl Stage {
    /// Where the query of that number is, if it was asked in this call.
    fn ask_at(&self, number: u32) -> Result<usize> {
        self.asks.iter().position(|ask| ask.number == number).ok_or_else(|| {
            Error::new(ErrorKind::Script, "a query was left before it was answered")
                .hint("a rank function answers at once: it cannot wait")
        })
    }

    fn ask(&mut self, number: u32) -> Result<&mut Ask> {
        let at = self.ask_at(number)?;
        Ok(&mut self.asks[at])
    }
}

/// The first half of an answer; the number of the query.
fn gather(stage: &mut Stage, list: &Table) -> Result<u32> {
    if stage.agent == 0 {
        return Err(Error::new(ErrorKind::Script, "a query is asked in a function of a leaf")
            .hint("make it at the top of the file, and call best() in the leaf"));
    }
    let (query, mut found) = (query_of(list)?, std::mem::take(&mut stage.found));
    let view = stage.view(stage.agent)?;
    view.asking(&GIVEN, |asker| query.gather(asker, &mut found));
    stage.asked = stage.asked.wrapping_add(1);
    let number = stage.asked;
    stage.asks.push(Ask { number, query, found });
    Ok(number)
}

/// Adds what a function of the script makes of the points.
fn rank(stage: &mut Stage, number_of: u32, answer: &Value, weight: f32) -> Result<()> {
    let points = stage.ask(number_of)?.found.candidates().len();
    let Value::Table(ranks) = answer else {
        let fault = format!("the rank function returned {}", word_for(answer));
        return Err(
            Error::new(ErrorKind::WrongType, fault).hint("return a list with a number for each point")
        );
    };
    let ranks = content(ranks);
    let rank = |at: usize| {
        let given = ranks.raw_get::<Value>(at).unwrap_or(Value::Nil);
        number(&given).filter(|number| number.is_finite()).map(|number| number as f32).ok_or_else(|| {
            let fault = format!("the rank of point {at} of {points} is {}", word_for(&given));
            Error::new(ErrorKind::WrongType, fault).hint("return a finite number for each point")
        })
    };
    let ranks = (1..=points).map(rank).collect::<Result<Vec<_>>>()?;
    stage.meter.charge(64 * points);
    stage.ask(number_of)?.found.rank(ranks, weight);
    Ok(())
}

/// The second half: up to `most` places.
fn pick(stage: &mut Stage, number: u32, most: usize) -> Result<Vec<Vec3>> {
    let at = stage.ask_at(number)?;
    let Ask { query, mut found, .. } = stage.asks.swap_remove(at);
    let view = stage.view(stage.agent)?;
    view.asking(&GIVEN, |asker| query.pick(asker, most, &mut found));
    // A unit is a distance or so, and counts as a copy of 16 bytes.
    stage.meter.charge(16 * found.spent() as usize);
    let points = found.points().to_vec();
    stage.found = found;
    Ok(points)
}

fn list(lua: &Lua, points: &[Vec3]) -> mlua::Result<Table> {
    let list = lua.create_table_with_capacity(points.len(), 0)?;
    for (at, point) in points.iter().enumerate() {
        list.raw_set(at + 1, vector(lua, *point)?)?;
    }
    Ok(list)
}

/// Gives the prelude what queries are made and answered with.
pub(super) fn install(lua: &Lua, stage: &Shared<Stage>, word: &Word<'_>, rust: &Table) -> mlua::Result<()> {
    word.add("query_check", |_, list: Table| query_of(&list).map(drop))?;
    word.add("gather", |stage, list: Table| gather(stage, &list))?;
    word.add("rank", |stage, (number, answer, weight): (u32, Value, f32)| {
        rank(stage, number, &answer, weight)
    })?;
    word.add("most", |_, most: Value| {
        if most.is_nil() { Ok(MOST_POINTS) } else { count("most", &most).map(|most| most.min(MOST_POINTS)) }
    })?;
    word.add("check_rank", |_, (rank, weight): (Value, Value)| {
        if !matches!(rank, Value::Function(_)) {
            let fault = format!("rank takes a function, got {}", word_for(&rank));
            let fault = Error::new(ErrorKind::WrongType, fault);
            return Err(fault.hint("rank(function(points) return { … } end, weight)"));
        }
        let weight = if weight.is_nil() { 1.0 } else { amount("weight", &weight)? };
        weight_of(weight).map(drop)
    })?;
    word.add("no_query", |_, name: String| -> Result<()> {
        let fault = Error::new(ErrorKind::WrongType, format!("'{name}' needs a query"));
        Err(fault.hint(format!("call it with a colon: query.ring(…):{name}(…)")))
    })?;
    word.add("no_place", |_, name: String| -> Result<()> {
        let fault = Error::new(ErrorKind::Missing, format!("'{name}' needs a place"));
        Err(fault.hint("a vec3, a body, or \"target\", \"self\", \"squad\", \"home\", \"place\""))
    })?;
    word.add("no_write", |_, ()| -> Result<()> {
        Err(Error::new(ErrorKind::Script, "a query cannot be written").hint("each word makes a new one"))
    })?;
    let shared = stage.clone();
    rust.raw_set(
        "candidates",
        lua.create_function(move |lua, number: u32| {
            let points = shared.with(|stage| Ok(stage.ask(number)?.found.candidates().to_vec()));
            list(lua, &points.map_err(|error| raise(lua, error))?)
        })?,
    )?;
    let shared = stage.clone();
    rust.raw_set(
        "pick",
        lua.create_function(move |lua, (number, most): (u32, usize)| {
            let points = shared.with(|stage| pick(stage, number, most));
            list(lua, &points.map_err(|error| raise(lua, error))?)
        })?,
    )
}
