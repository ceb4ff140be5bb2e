//! Steering from a leaf of a script: each behaviour by its name, for this tick.

use super::flavour::{body_of, content, vector_of};
use super::keys::number;
use super::shared::Stage;
use super::words::word_for;
use crate::args::{DefaultValue, Param, ParamType};
use crate::entity::Entity;
use crate::error::{Error, ErrorKind, Result};
use crate::math::Vec3;
use crate::node::steering::{rests_at, rule};
use crate::steer::{About, BEHAVIOURS, Behaviour, Class, Order};
use crate::tree::{Aim, View, anchor_of};
use mlua::Value;

/// What a script gave as a point; where it may be left out, the prelude puts "target".
fn aim_of(point_given: &Value) -> Result<Spot> {
    if let Some(place) = vector_of(point_given) {
        if !place.is_finite() {
            return Err(Error::new(ErrorKind::OutOfRange, format!("the point {place} is not finite")));
        }
        return Ok(Spot::Aim(Aim::Point(place)));
    }
    if let Some(entity) = body_of(point_given) {
        return Ok(Spot::Body(entity));
    }
    Ok(match point_given {
        Value::String(word) => {
            let word = word.to_string_lossy();
            let found = Aim::WORDS.iter().find(|(known, _)| *known == word);
            let (_, aim) = found.ok_or_else(|| {
                Error::new(ErrorKind::UnknownName, format!("\"{word}\" is no place"))
                    .near(&word, Aim::WORDS.map(|(known, _)| known))
            })?;
            Spot::Aim(*aim)
        }
        other => {
            return Err(Error::new(
                ErrorKind::WrongType,
                format!("a point is needed, got {}", word_for(other)),
            )
            .hint("a vec3, a target, a body, or \"target\", \"place\", \"home\", \"squad\", \"leader\""));
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
pub(super) type Given =
    (Option<Value>, Option<Value>, Option<Value>, Option<Value>, Option<Value>, Option<Value>);

const SUCCESS: u8 = 1;
const FAILURE: u8 = 2;
const RUNNING: u8 = 3;
/// Running, and never anything else.
const ENDLESS: u8 = 4;

/// Follows a behaviour in this tick; answers as its node would.
pub(super) fn steer(stage: &mut Stage, id: u64, behaviour: usize, at: &Value, given: &Given) -> Result<u8> {
    let behaviour = BEHAVIOURS[behaviour % BEHAVIOURS.len()];
    let numbers = numbers_of(behaviour, [&given.2, &given.3, &given.4, &given.5])?;
    let weight = checked(&WEIGHT, &given.0)?;
    let stop = given.1.is_some().then(|| checked(&STOP, &given.1)).transpose()?;
    let mut rule = rule(behaviour.name, weight, numbers);
    let mut status = if has_end(behaviour, &numbers) { RUNNING } else { ENDLESS };
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
            if there(behaviour, &view, &rule.order, stop) {
                status = SUCCESS;
            }
            if behaviour.class == Class::Goal && !matches!(behaviour.name, "flee" | "evade") {
                pen.mind.intent.goal = Some(point);
            }
        }
    }
    if pen.mind.intent.follow(rule) {
        return Ok(status);
    }
    Err(too_many(stage.tale))
}

/// A coroutine that never waits gives all its rules in one tick.
fn too_many(tale: bool) -> Error {
    let most = crate::tree::MAX_RULES;
    if tale {
        return Error::new(
            ErrorKind::TooMany,
            format!("more than {most} steering rules without a wait between"),
        )
        .hint("a loop that never waits? call wait() in it");
    }
    Error::new(ErrorKind::TooMany, format!("more than {most} steering rules at once"))
}

/// The numbers of a behaviour, in the order of its DEF.
pub(super) fn numbers_of(behaviour: &Behaviour, values: [&Option<Value>; 4]) -> Result<[f32; 4]> {
    let mut numbers = [0.0; 4];
    for ((number, param), value) in numbers.iter_mut().zip(behaviour.params).zip(values) {
        *number = checked(param, value)?;
    }
    Ok(numbers)
}

/// Whether a behaviour can come to an end by success.
fn has_end(behaviour: &Behaviour, numbers: &[f32; 4]) -> bool {
    match behaviour.name {
        "flee" | "evade" => radius_of(behaviour, numbers) > 0.0,
        "face" => false,
        _ => wants(behaviour) == Wants::Point && behaviour.class == Class::Goal,
    }
}

fn radius_of(behaviour: &Behaviour, numbers: &[f32; 4]) -> f32 {
    numbers[behaviour.params.len().saturating_sub(1).min(3)]
}

/// Whether a behaviour has got where it wanted, by the rule of its node.
fn there(behaviour: &Behaviour, view: &View<'_>, order: &Order, stop: Option<f32>) -> bool {
    let distance = view.distance(order.point);
    match behaviour.name {
        "flee" | "evade" => {
            let radius = radius_of(behaviour, &order.numbers);
            radius > 0.0 && distance >= radius
        }
        "face" => false,
        "arrive" => rests_at(view, order),
        _ if behaviour.class == Class::Bound => false,
        _ => distance < stop.unwrap_or(view.radius()),
    }
}

/// What a behaviour is told where to go by.
#[derive(PartialEq)]
pub(super) enum Wants {
    Nothing,
    Direction,
    Point,
}

pub(super) fn wants(behaviour: &Behaviour) -> Wants {
    match behaviour.about {
        About::Nothing => Wants::Nothing,
        About::Direction => Wants::Direction,
        _ => Wants::Point,
    }
}

/// Whether a point and numbers are all that a behaviour is told: then scripts have it as a method.
pub(super) fn is_method(behaviour: &Behaviour) -> bool {
    matches!(behaviour.about, About::Nothing | About::Direction | About::Point)
}

fn direction_of(given: &Value) -> Result<Vec3> {
    vector_of(given).filter(|direction| direction.is_finite()).ok_or_else(|| {
        Error::new(ErrorKind::WrongType, format!("wander takes a direction, got {}", word_for(given)))
            .hint("a vec3; bt.wander {} finds its own")
    })
}

const WEIGHT: Param = Param::number("weight", "").range(0.0, 1000.0).default(1.0);
const STOP: Param = Param::number("stop", "").unit("m").range(0.0, f64::INFINITY).optional();

fn checked(param: &Param, value: &Option<Value>) -> Result<f32> {
    let otherwise = if let DefaultValue::Number(value) = param.default { value } else { 0.0 };
    let given = match value {
        None | Some(Value::Nil) => return Ok(otherwise as f32),
        Some(given) => given,
    };
    let name = param.name;
    let fits = |number: f64| param.ty != ParamType::Integer || number.fract() == 0.0;
    match number(given) {
        Some(number) if number.is_finite() && !fits(number) => Err(Error::new(
            ErrorKind::WrongType,
            format!("option '{name}' takes a whole number {}, got {number}", param.range_text()),
        )),
        Some(number) if number >= param.low && number <= param.high && number.is_finite() => {
            Ok(number as f32)
        }
        Some(number) if number.is_finite() => Err(Error::new(
            ErrorKind::OutOfRange,
            format!("option '{name}' must be {}, got {number}", param.range_text()),
        )),
        Some(number) => Err(Error::new(
            ErrorKind::OutOfRange,
            format!("option '{name}' must be a finite number, got {number}"),
        )),
        None => Err(Error::new(
            ErrorKind::WrongType,
            format!("option '{name}' takes a number, got {}", word_for(given)),
        )),
    }
}

pub(super) fn options(behaviour: usize, given: &Value) -> Result<()> {
    let behaviour = BEHAVIOURS[behaviour % BEHAVIOURS.len()];
    let Value::Table(given) = given else {
        return Err(Error::new(
            ErrorKind::WrongType,
            format!("{} takes a table of options, got {}", behaviour.name, word_for(given)),
        ));
    };
    let names = || behaviour.params.iter().map(|param| param.name).chain(["weight", "stop"]);
    let given = content(given);
    let keys = given.pairs::<Value, Value>().flatten().map(|(key, _)| key);
    let known = |key: &Value| matches!(key, Value::String(name) if names().any(|known| *name == known));
    // The order of a table's names is not the same in every run: the least is named.
    match keys.filter(|key| !known(key)).map(|key| key.to_string().unwrap_or_default()).min() {
        None => Ok(()),
        Some(word) => {
            Err(Error::new(ErrorKind::UnknownName, format!("{} takes no '{word}'", behaviour.name))
                .near(&word, names()))
        }
    }
}

/// Where a point is now, if there is such a place.
pub(super) fn place(stage: &mut Stage, id: u64, at: &Value) -> Result<Option<Vec3>> {
    if at.is_nil() {
        return Ok(None);
    }
    let spot = aim_of(at)?;
    Ok(spot.find(&stage.view(id)?).map(|(point, _)| point))
}

pub(super) fn distance(stage: &mut Stage, id: u64, to: &Value) -> Result<Option<f64>> {
    let spot = aim_of(to)?;
    let view = stage.view(id)?;
    Ok(spot.find(&view).map(|(point, _)| f64::from(view.distance(point))))
}
