//! `warband types`: what scripts can use, for the language server of an editor.
//!
//! Nodes and steering rules come from their DEFs. What else a script sees of its agent is listed here; a test compares
//! it with the script layer.

mod docs;
mod luals;
mod luau;

use super::arguments::TypesOptions;
use super::{Outcome, Result, print};
use warband::args::{DefaultValue, Param, ParamType};
use warband::steer::{About, BEHAVIOURS, Behaviour};
use warband::tree::NodeDef;

pub fn types(options: &TypesOptions) -> Result<Outcome> {
    let text = match options {
        TypesOptions { lua: true, .. } => luals(),
        TypesOptions { docs: true, .. } => docs(&luau())?,
        _ => luau(),
    };
    print(&text)?;
    Ok(Outcome::Good)
}

/// Definitions for luau-lsp.
pub fn luau() -> String {
    luau::write(warband::node::registry().defs())
}

/// Annotations for LuaLS.
pub fn luals() -> String {
    luals::write(warband::node::registry().defs())
}

/// What luau-lsp shows of its definitions.
pub fn docs(luau: &str) -> Result<String> {
    docs::write(luau)
}

/// The type of a value, which each writer spells its own way.
#[derive(Clone, Copy)]
enum Ty {
    Bool,
    Number,
    Text,
    Vec3,
    Entity,
}

/// A field or method: its name, its type, whether it may be nothing, and what it is.
type Field = (&'static str, Ty, bool, &'static str);

/// What is read of an agent.
const AGENT: [Field; 20] = [
    ("position", Ty::Vec3, false, "where it is, m"),
    ("velocity", Ty::Vec3, false, "how it moves, m/s"),
    ("facing", Ty::Vec3, false, "where it looks, a unit vector"),
    ("home", Ty::Vec3, false, "where it was spawned, m"),
    ("radius", Ty::Number, false, "the radius of its body, m"),
    ("max_speed", Ty::Number, false, "its top speed, m/s"),
    ("key", Ty::Number, false, "its number in the squad, from 0"),
    ("rank", Ty::Number, false, "how many members have a smaller key"),
    ("squad", Ty::Text, false, "the name of its squad"),
    ("squad_centre", Ty::Vec3, false, "the middle of its squad, m"),
    ("mates", Ty::Number, false, "how many members its squad has"),
    ("time", Ty::Number, false, "the world's clock, s"),
    ("dt", Ty::Number, false, "the length of the tick, s"),
    ("arrived", Ty::Bool, false, "whether it stands where it wanted to get to"),
    (
        "blocked",
        Ty::Bool,
        false,
        "whether it has wanted to get on for three seconds and has not got anywhere",
    ),
    ("perceives_target", Ty::Bool, false, "whether it perceives the target itself"),
    ("mode", Ty::Text, true, "what it calls what it does"),
    ("largest_gap", Ty::Number, false, "the largest angle round the target without any hunter, in degrees"),
    ("set_fraction", Ty::Number, false, "the share of its squad's members that are in place, 0 to 1"),
    (
        "place_error",
        Ty::Number,
        false,
        "the mean distance of its squad's members from their places, in metres",
    ),
];

/// What is read of the target: what the squad believes, never the truth.
const TARGET: [Field; 10] = [
    ("position", Ty::Vec3, false, "where it was perceived last, m"),
    ("velocity", Ty::Vec3, false, "how it moved then, m/s"),
    ("distance", Ty::Number, false, "how far that place is from the agent, m"),
    ("age", Ty::Number, false, "how long ago that was, s"),
    ("in_view", Ty::Bool, false, "whether the squad counts it as in view"),
    (
        "awareness",
        Ty::Number,
        false,
        "how sure the surest member is of seeing it, 0 to 1; 0 while nobody sees it",
    ),
    ("score", Ty::Number, false, "how good a target it is: 1 at hand and in view, half of that 10 m off"),
    ("source", Ty::Text, false, "from whom it is known: \"own\" eyes, a \"mate\", a \"noise\" or a \"hit\""),
    ("how", Ty::Text, false, "how it was perceived: sight, near, noise, told, hit or glimpse"),
    ("entity", Ty::Entity, true, "its handle, for keys and steering; nothing when it is gone"),
];

/// The steering rules that leaves written in Lua can follow: `self:seek("target")`.
fn behaviours() -> impl Iterator<Item = &'static Behaviour> {
    let told =
        |behaviour: &&Behaviour| matches!(behaviour.about, About::Nothing | About::Direction | About::Point);
    BEHAVIOURS.iter().copied().filter(told)
}

/// Whether a steering rule is about a place: its leaf takes one, then. Who wanders can be given a direction.
fn has_point(behaviour: &Behaviour, defs: &[&NodeDef]) -> bool {
    if behaviour.name == "wander" {
        return true;
    }
    let leaf = defs.iter().find(|def| def.name == behaviour.name);
    leaf.is_some_and(|def| def.params.iter().any(|param| param.name == "to"))
}

/// The options of a steering rule: its own parameters, and those that all have.
fn options(behaviour: &'static Behaviour) -> impl Iterator<Item = &'static str> {
    behaviour.params.iter().map(|param| param.name).chain(["weight", "stop"])
}

fn is_optional(param: &Param) -> bool {
    param.default != DefaultValue::Required
}

/// The doc of a parameter with unit, range and default.
fn doc(param: &Param) -> String {
    let unit = if param.unit.is_empty() { String::new() } else { format!(" {}", param.unit) };
    let default = match param.default {
        DefaultValue::Number(number) => format!("; default {number}{unit}"),
        DefaultValue::Bool(value) => format!("; default {value}"),
        DefaultValue::Text(text) if !text.is_empty() => format!("; default \"{text}\""),
        _ => String::new(),
    };
    let range = param.range_text();
    let range = if range.is_empty() { range } else { format!("; {range}") };
    format!("{}{range}{default}", param.doc)
}

/// What a node says of itself beside its first line: how it ends, and what it can be told.
fn details(def: &NodeDef) -> Vec<String> {
    let ends =
        [("running", def.running), ("success", def.success), ("failure", def.failure), ("abort", def.abort)];
    let ends = ends.into_iter().filter(|(_, what)| !what.is_empty());
    let of_child = def.edge.iter().map(|param| format!("of each child, `{}`: {}", param.name, doc(param)));
    ends.map(|(end, what)| format!("{end}: {what}")).chain(of_child).collect()
}

/// What is common to both languages of types: both spell unions of words alike.
fn words(ty: ParamType) -> Option<String> {
    let quoted =
        |words: &[&str]| words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" | ");
    match ty {
        ParamType::Choice(choices) => Some(quoted(choices)),
        ParamType::IntegerOr(choices) => Some(format!("number | {}", quoted(choices))),
        _ => None,
    }
}
