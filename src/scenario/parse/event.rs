//! `[[event]]`.

use super::key::value;
use super::read::{Bounds, Fields, Item};
use super::{Known, sides};
use crate::blackboard::{Scope, Value, ValueType};
use crate::error::{Error, ErrorKind};
use crate::scenario::model::{EventSpec, Happening, Owner, Who};
use std::path::Path;

const KINDS: [&str; 11] =
    ["kill", "set", "noise", "swap", "spawn", "teleport", "answer", "hit", "attitude", "light", "eyes"];

pub(super) fn event(fields: Fields<'_, '_>, known: &Known, folder: &Path) -> Option<EventSpec> {
    let at = fields.need("at", "when it happens, in seconds");
    let at = at.and_then(|item| item.number(Bounds::POSITIVE));
    let item = fields.one_of(&KINDS);
    let what = item.as_ref().and_then(|item| match item.name() {
        "kill" => Some(Happening::Kill(body(item, known)?)),
        "set" => set(item.fields()?, known),
        "noise" => noise(item.fields()?, known),
        "swap" => swap(item.fields()?, folder),
        "spawn" => spawn(item.fields()?, known),
        "answer" => answer(item.fields()?),
        "hit" => sides::hit(item.fields()?, known),
        "attitude" => sides::attitude(item.fields()?),
        "light" => sides::light(item.fields()?, known),
        "eyes" => sides::eyes(item.fields()?, known),
        _ => teleport(item.fields()?, known),
    });
    let place = fields.place();
    fields.close();
    Some(EventSpec { at: at?, what: what?, place })
}

fn set(fields: Fields<'_, '_>, known: &Known) -> Option<Happening> {
    let key_item = fields.need("key", "which key");
    let key = key_item.as_ref().and_then(Item::text);
    let value_item = fields.need("value", "what it becomes");
    let mut value = value_item.as_ref().and_then(value);
    let who = fields.get("on");
    let team = fields.get("team");
    if let (Some(_), Some(team)) = (&who, &team) {
        team.fault(ErrorKind::TooMany, "'on' and 'team' exclude each other");
    }
    let given = who.is_some() || team.is_some();
    let on = match (&who, &team) {
        (Some(who), _) => reference(who, known).map(Owner::Who),
        (_, Some(team)) => team_of(team, known),
        _ => None,
    };
    let declared = known.keys.iter().find(|decl| Some(&decl.name) == key.as_ref());
    if let (Some(decl), Some(item), true) = (declared, &key_item, on.is_some() || !given) {
        check_owner(item, decl.scope, on.as_ref());
    }
    if let (Some(decl), Some(item), Some(given)) = (declared, &value_item, &value) {
        value = fit(item, &decl.name, given, decl.ty);
    }
    fields.close();
    (on.is_some() || !given).then_some(Happening::Set { key: key?, value: value?, on })
}

fn fit(item: &Item<'_, '_>, key: &str, value: &Value, ty: ValueType) -> Option<Value> {
    let fitting = value.clone().fit(ty);
    if fitting.is_none() {
        let message = format!("key '{key}' is {ty}, got {} {value}", value.type_name());
        item.fault(ErrorKind::WrongType, message);
    }
    fitting
}

/// A key of a scope needs an owner of that scope.
fn check_owner(item: &Item<'_, '_>, scope: Scope, on: Option<&Owner>) {
    let fits = matches!(
        (scope, on),
        (Scope::World, None)
            | (Scope::Team, Some(Owner::Team(_)))
            | (Scope::Squad, Some(Owner::Who(Who::Squad(_))))
            | (Scope::Agent, Some(Owner::Who(Who::Member(..))))
    );
    if !fits {
        let hint = match scope {
            Scope::World => "leave 'on' and 'team' out",
            Scope::Team => "say whose: team = \"name\"",
            Scope::Squad => "say whose: on = \"squad\"",
            Scope::Agent => "say whose: on = \"squad/0\"",
        };
        item.report(Error::new(ErrorKind::Conflict, format!("the key belongs to a {scope}")).hint(hint));
    }
}

fn noise(fields: Fields<'_, '_>, known: &Known) -> Option<Happening> {
    let at = fields.need("at", "where, [x, z]").and_then(|item| item.point());
    let reach = fields.need("reach", "how far it is heard, in metres");
    let reach = reach.and_then(|item| item.number(Bounds::ABOVE_ZERO));
    let maker = fields.get("by");
    let by = maker.as_ref().and_then(|item| body(item, known));
    fields.close();
    // A maker that does not exist is a mistake, and not the same as none.
    (maker.is_none() || by.is_some()).then_some(Happening::Noise { at: at?, reach: reach? as f32, by })
}

fn swap(fields: Fields<'_, '_>, folder: &Path) -> Option<Happening> {
    let script = fields.need("script", "which script, as in 'scripts'").and_then(|item| item.text());
    let item = fields.one_of(&["text", "with"]);
    let text = item.as_ref().and_then(|item| match item.name() {
        "text" => item.text(),
        _ => read_file(item, folder),
    });
    fields.close();
    Some(Happening::Swap { script: script?, text: text? })
}

fn read_file(item: &Item<'_, '_>, folder: &Path) -> Option<String> {
    let name = item.text()?;
    let text = super::read_text(&folder.join(&name));
    text.map_err(|why| item.fault(ErrorKind::File, format!("'{name}' cannot be read: {why}"))).ok()
}

fn spawn(fields: Fields<'_, '_>, known: &Known) -> Option<Happening> {
    let at = fields.need("at", "where, [x, z]").and_then(|item| known.point(&item));
    let squad = fields.need("squad", "which squad it joins");
    let squad = squad.and_then(|item| match reference(&item, known)? {
        Who::Squad(at) => Some(at),
        _ => {
            item.fault(ErrorKind::WrongType, "'squad' takes the name of a squad");
            None
        }
    });
    fields.close();
    Some(Happening::Spawn { squad: squad?, at: at? })
}

fn teleport(fields: Fields<'_, '_>, known: &Known) -> Option<Happening> {
    let who = fields.need("who", "which member, as in wolves/3");
    let who = who.and_then(|item| match body(&item, known)? {
        who @ Who::Member(..) => Some(who),
        _ => {
            let error = Error::new(ErrorKind::WrongType, "an actor follows its path");
            item.report(error.hint("put a teleport step into the path"));
            None
        }
    });
    let to = fields.need("to", "where to, [x, z]").and_then(|item| known.point(&item));
    fields.close();
    Some(Happening::Teleport { who: who?, to: to? })
}

fn answer(fields: Fields<'_, '_>) -> Option<Happening> {
    let command = fields.need("command", "which command, as a tree calls it").and_then(|item| item.text());
    let success = fields.flag("success").unwrap_or(true);
    let item = fields.get("value");
    let value = item.as_ref().map_or(Some(Value::Nothing), value);
    let after = fields.number("after", Bounds::POSITIVE).unwrap_or(0.0);
    fields.close();
    Some(Happening::Answer { command: command?, success, value: value?, after })
}

/// A member.
pub(super) fn member(item: &Item<'_, '_>, known: &Known) -> Option<Who> {
    match body(item, known)? {
        who @ Who::Member(..) => Some(who),
        _ => {
            item.fault(ErrorKind::WrongType, format!("'{}' takes a member, as in wolves/0", item.name()));
            None
        }
    }
}

/// An actor or a member.
pub(super) fn body(item: &Item<'_, '_>, known: &Known) -> Option<Who> {
    let who = reference(item, known)?;
    if let Who::Squad(at) = who {
        let message = format!("'{}' takes one body, and '{}' is a squad", item.name(), known.squads[at].name);
        let hint = format!("'{}/0' is its first member", known.squads[at].name);
        item.report(Error::new(ErrorKind::WrongType, message).hint(hint));
        return None;
    }
    Some(who)
}

/// `player`, `wolves` or `wolves/3`.
fn reference(item: &Item<'_, '_>, known: &Known) -> Option<Who> {
    let text = item.text()?;
    let (name, member) = text.split_once('/').map_or((text.as_str(), None), |(name, key)| (name, Some(key)));
    if let Some(at) = known.actors.iter().position(|actor| actor.name == name)
        && member.is_none()
    {
        return Some(Who::Actor(at));
    }
    let Some(at) = known.squads.iter().position(|squad| squad.name == name) else {
        let names = known.actors.iter().map(|actor| &*actor.name);
        let names = names.chain(known.squads.iter().map(|squad| &*squad.name));
        let message = format!("there is no actor or squad '{name}'");
        item.report(Error::new(ErrorKind::UnknownName, message).near(name, names));
        return None;
    };
    let Some(member) = member else { return Some(Who::Squad(at)) };
    let key = member.parse().ok();
    if key.is_none() {
        let message = format!("a member is named by its number, as in '{name}/0', got '{text}'");
        item.fault(ErrorKind::Syntax, message);
    }
    Some(Who::Member(at, key?))
}

fn team_of(item: &Item<'_, '_>, known: &Known) -> Option<Owner> {
    let name = item.text()?;
    let teams = || known.squads.iter().filter_map(|squad| squad.team.as_deref());
    if !teams().any(|team| team == name) {
        item.report(
            Error::new(ErrorKind::UnknownName, format!("no squad is of team '{name}'")).near(&name, teams()),
        );
        return None;
    }
    Some(Owner::Team(name))
}
