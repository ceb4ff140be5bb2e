//! What a key can hold.

use crate::entity::Entity;
use crate::math::Vec3;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The type of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueType {
    /// `true` or `false`.
    Bool,
    /// A whole number of 64 bits (through Lua: of 53).
    Integer,
    /// A number.
    Number,
    /// A text.
    String,
    /// A point or direction.
    Vec3,
    /// A body; reads as nothing when the body is gone.
    Entity,
    /// A list of points.
    List,
}

impl ValueType {
    /// All types, in the order of the reference.
    pub const ALL: [ValueType; 7] = [
        ValueType::Bool,
        ValueType::Integer,
        ValueType::Number,
        ValueType::String,
        ValueType::Vec3,
        ValueType::Entity,
        ValueType::List,
    ];

    /// Its name in Lua, TOML and errors.
    pub fn name(self) -> &'static str {
        match self {
            ValueType::Bool => "bool",
            ValueType::Integer => "integer",
            ValueType::Number => "number",
            ValueType::String => "string",
            ValueType::Vec3 => "vec3",
            ValueType::Entity => "entity",
            ValueType::List => "list",
        }
    }

    /// The type of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ty| ty.name() == name)
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A value of a key, or nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// Nothing: the key has no value and no default.
    #[default]
    Nothing,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A number; never NaN on a board.
    Number(f64),
    /// A text, shared.
    String(Arc<str>),
    /// A point or direction; always finite on a board.
    Vec3(Vec3),
    /// A body.
    Entity(Entity),
    /// A list of points, shared.
    List(Arc<[Vec3]>),
}

impl Value {
    /// Its type, or `None` for nothing.
    pub fn value_type(&self) -> Option<ValueType> {
        Some(match self {
            Value::Nothing => return None,
            Value::Bool(_) => ValueType::Bool,
            Value::Integer(_) => ValueType::Integer,
            Value::Number(_) => ValueType::Number,
            Value::String(_) => ValueType::String,
            Value::Vec3(_) => ValueType::Vec3,
            Value::Entity(_) => ValueType::Entity,
            Value::List(_) => ValueType::List,
        })
    }

    /// Whether there is a value at all.
    pub fn is_set(&self) -> bool {
        !matches!(self, Value::Nothing)
    }

    /// The name of its type, or `nothing`.
    pub fn type_name(&self) -> &'static str {
        self.value_type().map_or("nothing", ValueType::name)
    }

    /// It as a number, if it is a number or whole number.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Value::Number(number) => Some(*number),
            Value::Integer(number) => Some(*number as f64),
            _ => None,
        }
    }

    /// It as a value of `ty` where nothing is lost by that (a whole number as a number and back), else `None`.
    ///
    /// Numbers that are not finite fit nowhere.
    pub fn fit(self, ty: ValueType) -> Option<Value> {
        match (self, ty) {
            (Value::Integer(n), ValueType::Number) => Some(Value::Number(n as f64)),
            (Value::Number(n), ValueType::Integer)
                if n.fract() == 0.0 && n.abs() <= 9_007_199_254_740_992.0 =>
            {
                Some(Value::Integer(n as i64))
            }
            (Value::Number(n), _) if !n.is_finite() => None,
            (Value::Vec3(v), _) if !v.is_finite() => None,
            (Value::List(list), _) if !list.iter().all(|v| v.is_finite()) => None,
            (value, ty) if value.value_type() == Some(ty) => Some(value),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Nothing => f.write_str("nothing"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Integer(value) => write!(f, "{value}"),
            Value::Number(value) => write!(f, "{value}"),
            Value::String(value) => write!(f, "\"{value}\""),
            Value::Vec3(v) => write!(f, "({}, {}, {})", v.x, v.y, v.z),
            Value::Entity(entity) => write!(f, "{entity:?}"),
            Value::List(list) => write!(f, "list of {}", list.len()),
        }
    }
}

/// A Rust type that a key can have.
pub trait Typed: Sized {
    /// The type of such a key.
    const TYPE: ValueType;
    /// Reads it from a value of that type.
    fn read(value: &Value) -> Option<Self>;
    /// Makes a value of it.
    fn write(self) -> Value;
}

macro_rules! typed {
    ($($rust:ty, $ty:ident, $read:expr, $write:expr;)*) => {$(
        impl Typed for $rust {
            const TYPE: ValueType = ValueType::$ty;
            fn read(value: &Value) -> Option<Self> {
                #[allow(clippy::redundant_closure_call)]
                match value { Value::$ty(inner) => Some(($read)(inner)), _ => None }
            }
            fn write(self) -> Value {
                #[allow(clippy::redundant_closure_call)]
                Value::$ty(($write)(self))
            }
        }
        impl From<$rust> for Value {
            fn from(value: $rust) -> Self { value.write() }
        }
    )*};
}
typed! {
    bool, Bool, |v: &bool| *v, |v| v;
    i64, Integer, |v: &i64| *v, |v| v;
    f64, Number, |v: &f64| *v, |v| v;
    Arc<str>, String, |v: &Arc<str>| v.clone(), |v| v;
    Vec3, Vec3, |v: &Vec3| *v, |v| v;
    Entity, Entity, |v: &Entity| *v, |v| v;
    Arc<[Vec3]>, List, |v: &Arc<[Vec3]>| v.clone(), |v| v;
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Value::Integer(i64::from(number))
    }
}
impl From<f32> for Value {
    fn from(number: f32) -> Self {
        Value::Number(f64::from(number))
    }
}
impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::String(text.into())
    }
}
impl From<Vec<Vec3>> for Value {
    fn from(points: Vec<Vec3>) -> Self {
        Value::List(points.into())
    }
}
