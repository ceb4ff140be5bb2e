//! `[[actor]]` and its path.

use super::read::{Bounds, Fields, Item};
use super::{Known, name_of, tokens};
use crate::error::{Error, ErrorKind};
use crate::math::Vec3;
use crate::scenario::model::ActorSpec;
use crate::scenario::path::{Path, Step};

/// How fast an actor walks if nothing else is said, in m/s.
const SPEED: f32 = 3.0;

pub(super) fn actor(fields: &mut Fields<'_, '_>, known: &Known) -> Option<(String, ActorSpec)> {
    let name = name_of(fields, "actor");
    let at = fields.need("at", "where it starts, [x, z]").and_then(|item| known.point(&item));
    let radius = fields.number("radius", Bounds::ABOVE_ZERO).unwrap_or(0.5);
    let eyes = fields.number("eyes", Bounds::POSITIVE).unwrap_or(1.6);
    let faction = fields.text("faction").unwrap_or_else(|| "hero".to_owned());
    let tokens = tokens(fields);
    let path = path(fields, at.unwrap_or(Vec3::ZERO));
    let name = name?;
    Some((name.clone(), ActorSpec { name, faction, radius: radius as f32, eyes: eyes as f32, tokens, path }))
}

fn path(fields: &Fields<'_, '_>, at: Vec3) -> Path {
    let mut speed = SPEED;
    fields.put("speed", Bounds::ABOVE_ZERO, &mut speed);
    let loops = fields.flag("loop").unwrap_or(false);
    let mut steps = Vec::new();
    for item in fields.get("path").and_then(|item| item.list()).unwrap_or_default() {
        read_step(&item, at, speed, loops, &mut steps);
    }
    let path = Path::new(at, &steps, loops);
    if loops && path.ends() <= 0.0 {
        fields.report(Error::new(ErrorKind::OutOfRange, "a path that takes no time cannot loop"));
    }
    path
}

fn read_step(item: &Item<'_, '_>, at: Vec3, speed: f32, loops: bool, steps: &mut Vec<Step>) {
    let Some(fields) = item.fields() else { return };
    if let Some(item) = fields.get("at_time") {
        steps.extend(until(&item, &Path::new(at, steps, false), loops));
    }
    let what = fields.one_of(&["walk", "wait", "teleport", "vanish", "return"]);
    let step = what.as_ref().and_then(|item| match item.name() {
        "walk" => {
            let own = fields.number("speed", Bounds::ABOVE_ZERO).map_or(speed, |own| own as f32);
            Some(Step::Walk(item.point()?, own))
        }
        "wait" => Some(Step::Wait(item.number(Bounds::POSITIVE)?)),
        "teleport" => Some(Step::Teleport(item.point()?)),
        "vanish" => yes(item, Step::Vanish),
        _ => yes(item, Step::Return),
    });
    steps.extend(step);
    fields.close();
}

/// Stands until the time at which a step is to begin.
fn until(item: &Item<'_, '_>, before: &Path, loops: bool) -> Option<Step> {
    let time = item.number(Bounds::POSITIVE)?;
    if loops {
        let message = "'at_time' has no meaning in a path that loops";
        item.report(Error::new(ErrorKind::Conflict, message).hint("use wait"));
    } else if before.ends() > time + 1e-6 {
        let message = format!("'at_time' is {time} s, but the steps before end at {:.3} s", before.ends());
        item.fault(ErrorKind::OutOfRange, message);
    }
    Some(Step::Until(time))
}

fn yes(item: &Item<'_, '_>, step: Step) -> Option<Step> {
    if !item.flag()? {
        let message = format!("'{}' can only be true", item.name());
        item.report(Error::new(ErrorKind::OutOfRange, message).hint("leave the step out"));
    }
    Some(step)
}
