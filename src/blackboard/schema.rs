//! Which keys exist.

use super::value::{Typed, Value, ValueType};
use crate::error::{Error, ErrorKind, Place, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// Whose a key is: who shares its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Each agent has its own value.
    Agent,
    /// One value for all members of a squad.
    Squad,
    /// One value for all squads of a team.
    Team,
    /// One value in the world.
    World,
}

impl Scope {
    /// All scopes, from the narrowest to the widest.
    pub const ALL: [Scope; 4] = [Scope::Agent, Scope::Squad, Scope::Team, Scope::World];

    /// Its name in Lua, TOML and errors.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Agent => "agent",
            Scope::Squad => "squad",
            Scope::Team => "team",
            Scope::World => "world",
        }
    }

    /// The scope of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A key as it is declared, in Rust, Lua or TOML.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyDecl {
    /// Its name: a legal identifier in Lua.
    pub name: String,
    /// Whose it is.
    pub scope: Scope,
    /// Its type.
    pub ty: ValueType,
    /// Its value before the first write and after a clear; [`Value::Nothing`] for none.
    pub default: Value,
    /// Seconds after which a written value goes back to the default; `None` for never.
    pub ttl: Option<f64>,
    /// Whether the game has a part in it: it reads or writes the key, so that a tree that does only one of both is no
    /// mistake. Default false.
    pub external: bool,
    /// Where it is declared.
    pub place: Option<Place>,
}

impl KeyDecl {
    /// A key without default that keeps its value for ever.
    pub fn new(name: impl Into<String>, scope: Scope, ty: ValueType) -> Self {
        Self {
            name: name.into(),
            scope,
            ty,
            default: Value::Nothing,
            ttl: None,
            external: false,
            place: None,
        }
    }
    /// Sets its default.
    #[must_use]
    pub fn default(mut self, value: impl Into<Value>) -> Self {
        self.default = value.into();
        self
    }
    /// Sets its time to live in seconds.
    #[must_use]
    pub fn ttl(mut self, seconds: f64) -> Self {
        self.ttl = Some(seconds);
        self
    }
    /// Says that the game reads or writes it.
    #[must_use]
    pub fn external(mut self) -> Self {
        self.external = true;
        self
    }
    /// Sets where it is declared.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    fn same_as(&self, info: &KeyInfo) -> bool {
        self.scope == info.id.scope
            && self.ty == info.ty
            && self.default == info.default
            && ttl(self.ttl) == info.ttl
    }
}

fn ttl(seconds: Option<f64>) -> Option<u64> {
    seconds.map(|seconds| (seconds * 1e9).round() as u64)
}

/// A key, with its type known only at run time: a scope and a place on the boards of that scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct KeyId {
    /// Whose it is.
    pub scope: Scope,
    pub(crate) slot: u16,
}

impl KeyId {
    /// Its place on the boards of its scope.
    #[inline]
    pub fn slot(self) -> usize {
        usize::from(self.slot)
    }
}

/// A key whose values are of type `T`.
pub struct Key<T> {
    id: KeyId,
    ty: PhantomData<fn() -> T>,
}

impl<T> Clone for Key<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Key<T> {}
impl<T> fmt::Debug for Key<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({} {})", self.id.scope, self.id.slot)
    }
}
impl<T> Key<T> {
    /// The same key without its type.
    #[inline]
    pub fn id(self) -> KeyId {
        self.id
    }
}

/// What the schema knows of a key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyInfo {
    /// Its name.
    pub name: Arc<str>,
    /// Scope and place.
    pub id: KeyId,
    /// Its type.
    pub ty: ValueType,
    /// Its value before the first write and after a clear.
    pub default: Value,
    /// Nanoseconds after which a written value goes back to the default.
    pub ttl: Option<u64>,
    /// Whether a declaration says that the game reads or writes it.
    #[serde(default)]
    pub external: bool,
    /// Where it was declared first.
    pub place: Option<Place>,
}

/// All declared keys. Names are unique over all scopes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Schema {
    keys: [Vec<KeyInfo>; 4],
    names: BTreeMap<Arc<str>, KeyId>,
}

impl Schema {
    /// Declares a key. To declare it again in the same words is the same key.
    ///
    /// # Errors
    /// A name that is no identifier, a default of another type, a time to live that is not above 0 and finite,
    /// or a name that is declared otherwise already.
    pub fn declare(&mut self, decl: KeyDecl) -> Result<KeyId> {
        if let Some(info) = self.find(&decl.name) {
            if !decl.same_as(info) {
                return Err(conflict(&decl, info));
            }
            let id = info.id;
            // One who knows of the game is enough.
            self.keys[id.scope as usize][id.slot()].external |= decl.external;
            return Ok(id);
        }
        let info = self.checked(decl)?;
        let id = info.id;
        self.names.insert(info.name.clone(), id);
        self.keys[id.scope as usize].push(info);
        Ok(id)
    }

    /// Declares a key in other words than before: what a reload does. Says whether its type changed.
    ///
    /// # Errors
    /// As [`Schema::declare`], and a changed scope.
    pub fn redeclare(&mut self, decl: KeyDecl) -> Result<(KeyId, bool)> {
        let Some(old) = self.find(&decl.name).cloned() else {
            return Ok((self.declare(decl)?, false));
        };
        if old.id.scope != decl.scope {
            return Err(conflict(&decl, &old));
        }
        let mut new = self.checked(decl)?;
        new.id = old.id;
        let changed = new.ty != old.ty;
        self.keys[old.id.scope as usize][old.id.slot()] = new;
        Ok((old.id, changed))
    }

    fn checked(&self, decl: KeyDecl) -> Result<KeyInfo> {
        let fault = |kind, message: String| Error::new(kind, message).at_option(decl.place.as_ref());
        let identifier = decl
            .name
            .chars()
            .enumerate()
            .all(|(i, c)| c == '_' || c.is_ascii_alphabetic() || (i > 0 && c.is_ascii_digit()));
        if decl.name.is_empty() || !identifier {
            return Err(fault(ErrorKind::Syntax, format!("key '{}' is not a legal name", decl.name))
                .hint("letters, digits and _, not beginning with a digit"));
        }
        if decl.ttl.is_some_and(|ttl| !(ttl > 0.0 && ttl.is_finite())) {
            return Err(fault(
                ErrorKind::OutOfRange,
                format!("the ttl of key '{}' must be above 0 s", decl.name),
            ));
        }
        let default = match decl.default.clone() {
            Value::Nothing => Value::Nothing,
            value => {
                let got = value.type_name();
                value.fit(decl.ty).ok_or_else(|| {
                    fault(
                        ErrorKind::WrongType,
                        format!("the default of key '{}' must be {}, got {got}", decl.name, decl.ty),
                    )
                })?
            }
        };
        let slot = u16::try_from(self.keys[decl.scope as usize].len())
            .map_err(|_| fault(ErrorKind::TooMany, "more than 65,535 keys in one scope".to_owned()))?;
        Ok(KeyInfo {
            name: decl.name.as_str().into(),
            id: KeyId { scope: decl.scope, slot },
            ty: decl.ty,
            default,
            ttl: ttl(decl.ttl),
            external: decl.external,
            place: decl.place,
        })
    }

    fn find(&self, name: &str) -> Option<&KeyInfo> {
        self.names.get(name).map(|id| self.info(*id))
    }

    /// What is known of a key.
    pub fn info(&self, key: KeyId) -> &KeyInfo {
        &self.keys[key.scope as usize][key.slot()]
    }

    /// The key of that name.
    ///
    /// # Errors
    /// An undeclared name, with a near one.
    pub fn id(&self, name: &str) -> Result<KeyId> {
        self.names.get(name).copied().ok_or_else(|| {
            Error::new(ErrorKind::UnknownName, format!("unknown key '{name}'"))
                .near(name, self.names.keys().map(|n| &**n))
        })
    }

    /// The key of that name, of type `T`.
    ///
    /// # Errors
    /// An undeclared name, or a key of another type.
    pub fn key<T: Typed>(&self, name: &str) -> Result<Key<T>> {
        let id = self.id(name)?;
        let ty = self.info(id).ty;
        if ty != T::TYPE {
            return Err(Error::new(ErrorKind::WrongType, format!("key '{name}' is {ty}, not {}", T::TYPE)));
        }
        Ok(Key { id, ty: PhantomData })
    }

    /// `value` as one of `key`, or an error that names key, expected and found.
    ///
    /// # Errors
    /// A value of another type, or one that is not finite.
    pub fn fit(&self, key: KeyId, value: Value) -> Result<Value> {
        if matches!(value, Value::Nothing) {
            return Ok(value);
        }
        let info = self.info(key);
        // Values share what they hold, so that a clone for the error costs nothing.
        let given = value.clone();
        value.fit(info.ty).ok_or_else(|| {
            let got = format!("{} {given}", given.type_name());
            Error::new(ErrorKind::WrongType, format!("key '{}' is {}, got {got}", info.name, info.ty))
        })
    }

    /// The keys of a scope, in order of declaration.
    pub fn keys(&self, scope: Scope) -> &[KeyInfo] {
        &self.keys[scope as usize]
    }

    /// All names in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(|name| &**name)
    }
}

fn conflict(decl: &KeyDecl, info: &KeyInfo) -> Error {
    let old = info.place.as_ref().map_or(String::new(), |place| format!(" in {place}"));
    Error::new(
        ErrorKind::Conflict,
        format!(
            "key '{}' is declared as {} {} here and as {} {} before{old}",
            decl.name, decl.scope, decl.ty, info.id.scope, info.ty
        ),
    )
    .hint("use one declaration, or make type, scope, default and ttl agree")
    .at_option(decl.place.as_ref())
}
