//! Declared parameters: what a node or a steering behaviour can be given, and the check of what it was given.
//!
//! Everything that shows parameters (the reference, the Lua constructors, the editor's types) reads the same
//! [`Param`]s; everything that takes them goes through [`Args::check`].

use crate::error::{Error, ErrorKind, Result};
use crate::math::Vec3;
use serde::{Deserialize, Deserializer, Serialize};
use std::cell::Cell;

/// A value as an author writes it, in Lua or in Rust, before it is checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Arg {
    /// `true` or `false`.
    Bool(bool),
    /// A number, whole or not.
    Number(f64),
    /// A text, also the name of a choice, a key or a tree.
    Text(String),
    /// A point or direction.
    Vec3(Vec3),
    /// The value of a blackboard key, read whenever it is needed: `bt.key "name"`.
    Key(String),
    /// A parameter of the subtree around it: `bt.param "name"`.
    Param(String),
    /// A list.
    List(#[serde(deserialize_with = "nested")] Vec<Arg>),
    /// A function of a script.
    Function(Function),
}

/// Reads what may hold more of its own kind. What lies deeper than anything that was written does is refused: a damaged
/// file must not exhaust the stack.
pub(crate) fn nested<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Vec<T>, D::Error> {
    const DEEPEST: u32 = 128;
    thread_local! { static DEPTH: Cell<u32> = const { Cell::new(0) } }
    let depth = DEPTH.get();
    if depth >= DEEPEST {
        return Err(serde::de::Error::custom("nested too deeply"));
    }
    DEPTH.set(depth + 1);
    let read = Vec::deserialize(deserializer);
    DEPTH.set(depth);
    read
}

/// A function of a script: where the host keeps it, and who it is across reloads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Where the script host keeps it.
    pub handle: u32,
    /// A number made from its source: equal numbers mean the same code.
    pub source: u64,
    /// The line on which it starts.
    pub line: u32,
}

impl Arg {
    /// What to call its type in an error.
    pub fn type_name(&self) -> &'static str {
        match self {
            Arg::Bool(_) => "bool",
            Arg::Number(_) => "number",
            Arg::Text(_) => "string",
            Arg::Vec3(_) => "vec3",
            Arg::Key(_) => "key",
            Arg::Param(_) => "param",
            Arg::List(_) => "list",
            Arg::Function(_) => "function",
        }
    }
}

impl From<bool> for Arg {
    fn from(value: bool) -> Self {
        Arg::Bool(value)
    }
}
impl From<f64> for Arg {
    fn from(value: f64) -> Self {
        Arg::Number(value)
    }
}
impl From<f32> for Arg {
    fn from(value: f32) -> Self {
        Arg::Number(f64::from(value))
    }
}
impl From<i32> for Arg {
    fn from(value: i32) -> Self {
        Arg::Number(f64::from(value))
    }
}
impl From<&str> for Arg {
    fn from(value: &str) -> Self {
        Arg::Text(value.to_owned())
    }
}
impl From<String> for Arg {
    fn from(value: String) -> Self {
        Arg::Text(value)
    }
}
impl From<Vec3> for Arg {
    fn from(value: Vec3) -> Self {
        Arg::Vec3(value)
    }
}
impl<T: Into<Arg>> From<Vec<T>> for Arg {
    fn from(values: Vec<T>) -> Self {
        Arg::List(values.into_iter().map(Into::into).collect())
    }
}

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ParamType {
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A text.
    Text,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// A whole number or one of a few words.
    IntegerOr(&'static [&'static str]),
    /// A point or direction.
    Vec3,
    /// A place to go or look at: `"target"`, `"place"`, `"home"`, a vec3, or a key that holds a vec3 or an entity.
    Aim,
    /// The same, or `"self"`: where the agent is.
    AimOrSelf,
    /// A list of points.
    Points,
    /// A list of numbers.
    Numbers,
    /// The name of a blackboard key.
    Key,
    /// Any value that a blackboard key can hold.
    Value,
    /// A function of a script.
    Function,
}

impl ParamType {
    /// What to call it in the reference and in errors.
    pub fn name(self) -> String {
        match self {
            ParamType::Bool => "bool".into(),
            ParamType::Integer => "integer".into(),
            ParamType::Number => "number".into(),
            ParamType::Text => "string".into(),
            ParamType::Choice(words) => quoted(words),
            ParamType::IntegerOr(words) => format!("integer | {}", quoted(words)),
            ParamType::Vec3 => "vec3".into(),
            ParamType::Aim => "aim".into(),
            ParamType::AimOrSelf => "aim | \"self\"".into(),
            ParamType::Points => "list of vec3".into(),
            ParamType::Numbers => "list of numbers".into(),
            ParamType::Key => "key".into(),
            ParamType::Value => "value".into(),
            ParamType::Function => "function".into(),
        }
    }

    fn takes(self, arg: &Arg) -> bool {
        match (self, arg) {
            (ParamType::Bool, Arg::Bool(_))
            | (ParamType::Number, Arg::Number(_))
            | (ParamType::Text | ParamType::Key, Arg::Text(_))
            | (ParamType::Vec3, Arg::Vec3(_))
            | (ParamType::Aim | ParamType::AimOrSelf, Arg::Text(_) | Arg::Vec3(_) | Arg::Key(_))
            | (ParamType::Value, Arg::Bool(_) | Arg::Number(_) | Arg::Text(_) | Arg::Vec3(_) | Arg::Key(_))
            | (ParamType::Function, Arg::Function(_)) => true,
            (ParamType::Choice(words), Arg::Text(word)) => words.contains(&word.as_str()),
            (ParamType::IntegerOr(words), Arg::Text(word)) => words.contains(&word.as_str()),
            (ParamType::Integer | ParamType::IntegerOr(_), Arg::Number(n)) => n.fract() == 0.0,
            (ParamType::Points, Arg::List(list)) => list.iter().all(|item| matches!(item, Arg::Vec3(_))),
            (ParamType::Numbers, Arg::List(list)) => list.iter().all(|item| matches!(item, Arg::Number(_))),
            (ParamType::Value, Arg::List(list)) => list.iter().all(|item| matches!(item, Arg::Vec3(_))),
            _ => false,
        }
    }
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" | ")
}

/// What a parameter is when it is not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DefaultValue {
    /// It must be given.
    Required,
    /// Nothing; the doc says what happens then.
    Absent,
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A text or word.
    Text(&'static str),
}

/// What a text is the name of: a name that nobody else has is a slip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Named {
    /// Nothing that others name.
    #[default]
    Nothing,
    /// A token that somebody offers.
    Token,
    /// A message that is sent.
    Sent,
    /// A message that is heard.
    Heard,
}

/// One declared parameter.
///
/// ```
/// use warband::args::Param;
/// const SECONDS: Param = Param::number("seconds", "how long").unit("s").range(0.0, f64::INFINITY).default(1.0);
/// assert_eq!(SECONDS.unit, "s");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Its name, the same in Lua, Rust, files and errors.
    pub name: &'static str,
    /// What it takes.
    pub ty: ParamType,
    /// Its unit, as in `"m"`, `"s"`, `"m/s"`, `"°"`; empty for none.
    pub unit: &'static str,
    /// The smallest number allowed.
    pub low: f64,
    /// The largest number allowed.
    pub high: f64,
    /// What it is when it is not given.
    pub default: DefaultValue,
    /// Whether a key may be given in place of a number, to be read whenever it is needed.
    pub live: bool,
    /// For the name of a key: whether the key is written, and not read.
    pub written: bool,
    /// For a text: what it is the name of, if of something that others have to name alike.
    pub names: Named,
    /// What it does, in one line: effect of too much and too little where that is not plain.
    pub doc: &'static str,
}

impl Param {
    const fn new(name: &'static str, ty: ParamType, doc: &'static str) -> Self {
        Self {
            name,
            ty,
            unit: "",
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            default: DefaultValue::Required,
            live: false,
            written: false,
            names: Named::Nothing,
            doc,
        }
    }
    /// A number.
    pub const fn number(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, ParamType::Number, doc)
    }
    /// A whole number.
    pub const fn integer(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, ParamType::Integer, doc)
    }
    /// A whole number or one of a few words.
    pub const fn integer_or(name: &'static str, words: &'static [&'static str], doc: &'static str) -> Self {
        Self::new(name, ParamType::IntegerOr(words), doc)
    }
    /// `true` or `false`.
    pub const fn bool(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, ParamType::Bool, doc)
    }
    /// A text.
    pub const fn text(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, ParamType::Text, doc)
    }
    /// One of a few words.
    pub const fn choice(name: &'static str, words: &'static [&'static str], doc: &'static str) -> Self {
        Self::new(name, ParamType::Choice(words), doc)
    }
    /// A vector.
    pub const fn vec3(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, ParamType::Vec3, doc)
    }
    /// A place to go or to look at.
    pub const fn aim(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, ParamType::Aim, doc)
    }
    /// As [`Param::aim`], or `"self"`: where the agent is.
    pub const fn aim_or_self(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, ParamType::AimOrSelf, doc)
    }
    /// A list of points.
    pub const fn points(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, ParamType::Points, doc)
    }
    /// A list of numbers.
    pub const fn numbers(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, ParamType::Numbers, doc)
    }
    /// The name of a blackboard key.
    pub const fn key(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, ParamType::Key, doc)
    }
    /// Any value of a blackboard key.
    pub const fn value(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, ParamType::Value, doc)
    }
    /// A function of a script.
    pub const fn function(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, ParamType::Function, doc)
    }
    /// Sets the unit.
    #[must_use]
    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }
    /// Sets the smallest and the largest number allowed.
    #[must_use]
    pub const fn range(mut self, low: f64, high: f64) -> Self {
        self.low = low;
        self.high = high;
        self
    }
    /// Sets the number it is when it is not given.
    #[must_use]
    pub const fn default(mut self, value: f64) -> Self {
        self.default = DefaultValue::Number(value);
        self
    }
    /// Sets the truth value it is when it is not given.
    #[must_use]
    pub const fn default_bool(mut self, value: bool) -> Self {
        self.default = DefaultValue::Bool(value);
        self
    }
    /// Sets the text or word it is when it is not given.
    #[must_use]
    pub const fn default_text(mut self, value: &'static str) -> Self {
        self.default = DefaultValue::Text(value);
        self
    }
    /// Lets it be left out; the doc says what happens then.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.default = DefaultValue::Absent;
        self
    }
    /// Lets a key be given in place of the number.
    #[must_use]
    pub const fn live(mut self) -> Self {
        self.live = true;
        self
    }
    /// Says that the key it names is written, and not read.
    #[must_use]
    pub const fn written(mut self) -> Self {
        self.written = true;
        self
    }

    /// Says what the text is the name of.
    #[must_use]
    pub const fn names(mut self, names: Named) -> Self {
        self.names = names;
        self
    }

    fn check(&self, arg: &Arg) -> Result<()> {
        let key_for_number = self.live && matches!(arg, Arg::Key(_));
        if key_for_number {
            return Ok(());
        }
        if !self.ty.takes(arg) {
            return Err(self.wrong_type(arg));
        }
        if !is_finite(arg) {
            return Err(Error::new(
                ErrorKind::NotFinite,
                format!("parameter '{}' must be finite", self.name),
            )
            .hint("a division by 0, or a number too large?"));
        }
        if let (ParamType::Numbers, Arg::List(list)) = (self.ty, arg) {
            let one = Param { ty: ParamType::Number, ..*self };
            return list.iter().try_for_each(|item| one.check(item));
        }
        if let Arg::Number(number) = arg {
            if !number.is_finite() {
                return Err(Error::new(
                    ErrorKind::OutOfRange,
                    format!("parameter '{}' must be a finite number, got {number}", self.name),
                ));
            }
            if *number < self.low || *number > self.high {
                return Err(Error::new(
                    ErrorKind::OutOfRange,
                    format!("parameter '{}' must be {}, got {number}", self.name, self.range_text()),
                ));
            }
        }
        Ok(())
    }

    fn wrong_type(&self, arg: &Arg) -> Error {
        let got = match arg {
            Arg::Text(text) => format!("\"{text}\""),
            Arg::Number(number) => format!("{number}"),
            other => other.type_name().to_owned(),
        };
        // A number that is not whole: which whole ones there are is said as well.
        let range = match (self.ty, arg) {
            (ParamType::Integer, Arg::Number(_)) => format!(" {}", self.range_text()),
            _ => String::new(),
        };
        let error = Error::new(
            ErrorKind::WrongType,
            format!("parameter '{}' takes {}{range}, got {got}", self.name, self.ty.name()),
        );
        match (self.ty, arg) {
            (ParamType::Choice(words) | ParamType::IntegerOr(words), Arg::Text(word)) => {
                error.near(word, words.iter().copied())
            }
            _ => error,
        }
    }

    /// The range in words: `at least 0 s`, `between 0 and 360 °`, or nothing.
    pub fn range_text(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => format!("between {} and {}{unit}", self.low, self.high),
            (true, false) => format!("at least {}{unit}", self.low),
            (false, true) => format!("at most {}{unit}", self.high),
            (false, false) => String::new(),
        }
    }
}

/// Whether all vectors in it are finite.
fn is_finite(arg: &Arg) -> bool {
    match arg {
        Arg::Vec3(v) => v.is_finite(),
        Arg::List(list) => list.iter().all(is_finite),
        _ => true,
    }
}

/// A name as it is looked for: others call `exit` `on_exit`.
fn meant_by(name: &str) -> &str {
    name.strip_prefix("on_").unwrap_or(name)
}

/// What a node was given, checked against what it declares, with defaults filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Args {
    values: Vec<(&'static str, Option<Arg>)>,
}

impl Args {
    /// Checks `given` against `params`: unknown names, missing ones, types and ranges.
    ///
    /// # Errors
    /// Every fault found, as one error: the first, with the others behind it.
    pub fn check(params: &[Param], given: &[(String, Arg)]) -> Result<Args> {
        let names = || params.iter().map(|param| param.name);
        let unknown =
            || given.iter().map(|(name, _)| name).filter(|name| !names().any(|known| known == *name));
        let mut errors = Vec::new();
        for name in unknown() {
            let error = Error::new(ErrorKind::UnknownName, format!("unknown parameter '{name}'"));
            errors.push(error.near(meant_by(name), names()));
        }
        // One that is missing because its name was misspelt is told of already.
        let meant = |param: &Param| {
            unknown().any(|name| crate::error::near_name(meant_by(name), names()) == Some(param.name))
        };
        for (at, (name, _)) in given.iter().enumerate() {
            if given[..at].iter().any(|(other, _)| other == name) {
                errors.push(Error::new(ErrorKind::TooMany, format!("parameter '{name}' is given twice")));
            }
        }
        let mut values = Vec::with_capacity(params.len());
        for param in params {
            match given.iter().find(|(name, _)| name == param.name) {
                Some((_, arg)) => match param.check(arg) {
                    Ok(()) => values.push((param.name, Some(arg.clone()))),
                    Err(error) => errors.push(error),
                },
                None => match default_of(param) {
                    Ok(value) => values.push((param.name, value)),
                    Err(_) if meant(param) => {}
                    Err(error) => errors.push(error),
                },
            }
        }
        Error::all(errors).map_or(Ok(Args { values }), Err)
    }

    /// What was given for `name` or is its default; `None` when it is optional and was left out.
    ///
    /// # Panics
    /// When `name` is not declared: a fault of the node's code, not of its user.
    pub fn get(&self, name: &str) -> Option<&Arg> {
        match self.values.iter().find(|(declared, _)| *declared == name) {
            Some((_, value)) => value.as_ref(),
            None => panic!("BUG: the node reads parameter '{name}', which its DEF does not declare"),
        }
    }
    /// A number; 0 when it is optional and was left out.
    pub fn number(&self, name: &str) -> f64 {
        match self.get(name) {
            Some(Arg::Number(number)) => *number,
            _ => 0.0,
        }
    }
    /// A truth value; `false` when it is optional and was left out.
    pub fn bool(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Arg::Bool(true)))
    }
    /// A text or word; empty when it is optional and was left out.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Some(Arg::Text(text)) => text,
            _ => "",
        }
    }
    /// All values in the order of declaration.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Option<&Arg>)> {
        self.values.iter().map(|(name, value)| (*name, value.as_ref()))
    }
}

fn default_of(param: &Param) -> Result<Option<Arg>> {
    match param.default {
        DefaultValue::Required => Err(Error::new(
            ErrorKind::Missing,
            format!("parameter '{}' is missing: {}", param.name, param.doc),
        )),
        DefaultValue::Absent => Ok(None),
        DefaultValue::Bool(value) => Ok(Some(Arg::Bool(value))),
        DefaultValue::Number(value) => Ok(Some(Arg::Number(value))),
        DefaultValue::Text(value) => Ok(Some(Arg::Text(value.to_owned()))),
    }
}
