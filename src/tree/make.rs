//! What a node is made from.

use super::def::NodeDef;
use super::intent::{Aim, Symbol};
use super::scene::Symbols;
use super::view::Live;
use crate::args::{Arg, Args, Function};
use crate::blackboard::{KeyId, Schema, Value, ValueType};
use crate::error::{Error, ErrorKind, Result};

/// What a node is made from: its checked parameters, and what they refer to.
pub struct Make<'a> {
    /// Its parameters.
    pub args: Args,
    /// What it was told about each child.
    pub edges: Vec<Args>,
    pub(super) def: &'static NodeDef,
    pub(super) schema: &'a Schema,
    pub(super) symbols: &'a mut Symbols,
    pub(super) remember: &'a mut Option<u64>,
}

impl Make<'_> {
    /// The name of the node kind.
    pub fn name(&self) -> &'static str {
        self.def.name
    }
    /// Whether the node kind has a parameter of that name.
    pub fn declares(&self, name: &str) -> bool {
        self.def.params.iter().any(|param| param.name == name)
    }
    /// How many children it has, named ones not counted.
    pub fn children(&self) -> usize {
        self.edges.len()
    }
    /// A number.
    pub fn number(&self, name: &str) -> f32 {
        self.args.number(name) as f32
    }
    /// A time given in seconds, as nanoseconds.
    pub fn time(&self, name: &str) -> u64 {
        (self.args.number(name) * 1e9).round().clamp(0.0, 9e18) as u64
    }
    /// A truth value.
    pub fn bool(&self, name: &str) -> bool {
        self.args.bool(name)
    }
    /// A text or word.
    pub fn text(&self, name: &str) -> &str {
        self.args.text(name)
    }
    /// A number that may be read from a key; an optional one that was left out is 0.
    ///
    /// # Errors
    /// A key that is not declared or holds no number.
    pub fn live(&self, name: &str) -> Result<Live> {
        self.live_of(&self.args, name)
    }
    /// As [`Make::live`], of what was told about a child (counted from 0).
    ///
    /// # Errors
    /// As [`Make::live`].
    pub fn edge_live(&self, child: usize, name: &str) -> Result<Live> {
        self.live_of(&self.edges[child], name)
    }
    fn live_of(&self, args: &Args, name: &str) -> Result<Live> {
        match args.get(name) {
            Some(Arg::Key(key)) => {
                let id = self.key_of(key, &[ValueType::Number, ValueType::Integer])?;
                let otherwise = self.schema.info(id).default.as_number().unwrap_or(0.0);
                Ok(Live::Key(id, otherwise as f32))
            }
            _ => Ok(Live::Fixed(args.number(name) as f32)),
        }
    }
    /// A place to go or look at; `None` when it is optional and was left out.
    ///
    /// # Errors
    /// A word that names no place, or a key that is not declared or holds neither vec3 nor entity.
    pub fn aim(&self, name: &str) -> Result<Option<Aim>> {
        match self.args.get(name) {
            None => Ok(None),
            Some(Arg::Vec3(point)) => Ok(Some(Aim::Point(*point))),
            Some(Arg::Key(key)) => {
                Ok(Some(Aim::Key(self.key_of(key, &[ValueType::Vec3, ValueType::Entity])?)))
            }
            Some(Arg::Text(word)) => {
                let found = Aim::WORDS.iter().find(|(known, _)| known == word).map(|(_, aim)| Some(*aim));
                found.ok_or_else(|| {
                    let fault =
                        Error::new(ErrorKind::UnknownName, format!("'{word}' is no place for '{name}'"));
                    fault.hint(
                        "\"target\", \"place\", \"home\", \"squad\", \"leader\", a vec3, or bt.key \"…\"",
                    )
                })
            }
            Some(other) => {
                Err(Error::new(ErrorKind::WrongType, format!("'{name}' cannot be {}", other.type_name())))
            }
        }
    }
    /// The key that a parameter names.
    ///
    /// # Errors
    /// A key that is not declared.
    pub fn key(&self, name: &str) -> Result<KeyId> {
        self.schema.id(self.args.text(name))
    }
    /// The key that a parameter names, of one of these types.
    ///
    /// # Errors
    /// A key that is not declared or of another type.
    pub fn key_typed(&self, name: &str, types: &[ValueType]) -> Result<KeyId> {
        self.key_of(self.args.text(name), types)
    }
    fn key_of(&self, key: &str, types: &[ValueType]) -> Result<KeyId> {
        let id = self.schema.id(key)?;
        let ty = self.schema.info(id).ty;
        if types.contains(&ty) {
            return Ok(id);
        }
        let wanted = types.iter().map(|ty| ty.name()).collect::<Vec<_>>().join(" or ");
        Err(Error::new(ErrorKind::WrongType, format!("key '{key}' is {ty}, and {wanted} is needed here")))
    }
    /// The value that a parameter gives, as one of `key`; or the other key that it is to be read from.
    ///
    /// # Errors
    /// A value of another type than the key's.
    pub fn value_for(&self, name: &str, key: KeyId) -> Result<std::result::Result<Value, KeyId>> {
        self.value_of(&self.args, name, key)
    }
    /// As [`Make::value_for`], of what was told about a child (counted from 0).
    ///
    /// # Errors
    /// As [`Make::value_for`].
    pub fn edge_value_for(
        &self,
        child: usize,
        name: &str,
        key: KeyId,
    ) -> Result<std::result::Result<Value, KeyId>> {
        self.value_of(&self.edges[child], name, key)
    }
    fn value_of(&self, args: &Args, name: &str, key: KeyId) -> Result<std::result::Result<Value, KeyId>> {
        let value = match args.get(name) {
            None => Value::Nothing,
            Some(Arg::Key(other)) => return Ok(Err(self.key_of(other, &[self.schema.info(key).ty])?)),
            Some(arg) => value_of(arg),
        };
        self.schema.fit(key, value).map(Ok)
    }
    /// The function that a parameter gives.
    pub fn function(&self, name: &str) -> Option<Function> {
        match self.args.get(name) {
            Some(Arg::Function(function)) => Some(function.clone()),
            _ => None,
        }
    }
    /// The number of a name.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        self.symbols.number(name)
    }
    /// The schema, to look up further keys.
    pub fn schema(&self) -> &Schema {
        self.schema
    }
    /// Asks for targets to be remembered for `time` ns after they were lost.
    pub fn remember_for(&mut self, time: u64) {
        *self.remember = Some(self.remember.map_or(time, |longest| longest.max(time)));
    }
}

/// A value as an author wrote it.
fn value_of(arg: &Arg) -> Value {
    match arg {
        Arg::Bool(value) => Value::Bool(*value),
        Arg::Number(value) => Value::Number(*value),
        Arg::Text(text) => Value::String(text.as_str().into()),
        Arg::Vec3(point) => Value::Vec3(*point),
        Arg::List(list) => Value::List(
            list.iter()
                .filter_map(|item| if let Arg::Vec3(point) = item { Some(*point) } else { None })
                .collect(),
        ),
        Arg::Key(_) | Arg::Param(_) | Arg::Function(_) => Value::Nothing,
    }
}
