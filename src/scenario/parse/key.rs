//! `[[key]]`, and blackboard values.

use super::name_of;
use super::read::{Bounds, Fields, Item};
use crate::blackboard::{KeyDecl, Schema, Scope, Value, ValueType};
use crate::error::{Error, ErrorKind};

pub(super) fn key(mut fields: Fields<'_, '_>) -> Option<KeyDecl> {
    let name = name_of(&mut fields, "key");
    let scope = fields.need("scope", "agent, squad, team or world");
    let scope = scope.and_then(|item| word(&item, Scope::named, &Scope::ALL.map(Scope::name)));
    let ty = fields.need("type", "bool, integer, number, string, vec3 or list");
    let ty = ty.and_then(|item| word(&item, ValueType::named, &ValueType::ALL.map(ValueType::name)));
    let default = fields.get("default").and_then(|item| value(&item));
    let ttl = fields.number("ttl", Bounds::ABOVE_ZERO);
    let decl = name.zip(scope).zip(ty).map(|((name, scope), ty)| KeyDecl {
        default: default.unwrap_or_default(),
        ttl,
        ..KeyDecl::new(name, scope, ty).at(fields.place())
    });
    // The schema knows the rules of names and defaults: ask an empty one.
    if let Some(error) = decl.clone().and_then(|decl| Schema::default().declare(decl).err()) {
        fields.report(error);
    }
    fields.close();
    decl
}

/// One of a few words.
pub(super) fn word<T>(item: &Item<'_, '_>, named: impl Fn(&str) -> Option<T>, words: &[&str]) -> Option<T> {
    let text = item.text()?;
    let found = named(&text);
    if found.is_none() {
        let message = format!("'{}' takes {}, got '{text}'", item.name(), words.join(", "));
        item.report(Error::new(ErrorKind::UnknownName, message).near(&text, words.iter().copied()));
    }
    found
}

/// A value of a key: two or three numbers are a point, a list of those a list of points.
pub(super) fn value(item: &Item<'_, '_>) -> Option<Value> {
    if item.is_text() {
        return Some(Value::String(item.text()?.into()));
    }
    if let Some(flag) = item.as_flag() {
        return Some(Value::Bool(flag));
    }
    if item.is_whole() {
        return item.whole().map(Value::Integer);
    }
    if !item.is_list() {
        return item.number(Bounds::VALUE).map(Value::Number);
    }
    match item.list()?.first() {
        Some(first) if !first.is_list() => item.point().map(Value::Vec3),
        _ => item.points().map(|points| Value::List(points.into())),
    }
}
