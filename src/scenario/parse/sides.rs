//! `[[attitude]]`, the `senses` of a squad, and the events about who is whose enemy, who is hit and who is seen.

use super::Known;
use super::event::{body, member};
use super::key::word;
use super::read::{Bounds, Fields, Item};
use crate::scenario::model::{Happening, Regard};
use crate::sense::{Attitude, Awareness, Senses};

const PART: Bounds = Bounds::between(0.0, 1.0);

pub(super) fn senses(item: &Item<'_, '_>) -> Option<Senses> {
    let fields = item.fields()?;
    let mut senses = Senses::default();
    fields.put("range", Bounds::POSITIVE, &mut senses.range);
    // Who is given a longer sight and no more is not to lose it at the usual distance.
    senses.lose_range = senses.lose_range.max(senses.range);
    fields.put("lose_range", Bounds::POSITIVE, &mut senses.lose_range);
    fields.put("angle", Bounds::between(0.0, 360.0), &mut senses.angle);
    fields.put("eyes", Bounds::POSITIVE, &mut senses.eyes);
    fields.put("near", Bounds::POSITIVE, &mut senses.near);
    fields.put("hearing", Bounds::POSITIVE, &mut senses.hearing);
    fields.put("extent", PART, &mut senses.extent);
    fields.put("vertical", Bounds::POSITIVE, &mut senses.vertical);
    senses.awareness = fields.get("awareness").and_then(|item| awareness(&item)).unwrap_or_default();
    fields.close();
    Some(senses)
}

fn awareness(item: &Item<'_, '_>) -> Option<Awareness> {
    let fields = item.fields()?;
    let mut awareness = Awareness::default();
    fields.put("seconds", Bounds::POSITIVE, &mut awareness.seconds);
    fields.put("far", PART, &mut awareness.far);
    fields.put("side", PART, &mut awareness.side);
    fields.put("fade", Bounds::POSITIVE, &mut awareness.fade);
    fields.put("suspicion", PART, &mut awareness.suspicion);
    fields.close();
    Some(awareness)
}

/// `of`, `to` and `is`; with `mutual = true` it goes for both.
pub(super) fn regard(fields: &Fields<'_, '_>) -> Option<Regard> {
    let of = fields.need("of", "which faction regards another").and_then(|item| item.text());
    let to = fields.need("to", "which faction is regarded").and_then(|item| item.text());
    let is = fields.need("is", "hostile, neutral or friendly");
    let is = is.and_then(|item| word(&item, Attitude::named, &Attitude::ALL.map(Attitude::name)));
    let mutual = fields.flag("mutual").unwrap_or(false);
    Some(Regard { of: of?, to: to?, attitude: is?, mutual })
}

pub(super) fn attitude(fields: Fields<'_, '_>) -> Option<Happening> {
    let regard = regard(&fields);
    fields.close();
    regard.map(Happening::Attitude)
}

pub(super) fn hit(fields: Fields<'_, '_>, known: &Known) -> Option<Happening> {
    let who = fields.need("who", "which member, as in wolves/3").and_then(|item| member(&item, known));
    let maker = fields.get("by");
    let by = maker.as_ref().and_then(|item| body(item, known));
    let from = fields.need("from", "where it came from, [x, z]").and_then(|item| item.point());
    fields.close();
    (maker.is_none() || by.is_some()).then_some(Happening::Hit { who: who?, by, from: from? })
}

pub(super) fn light(fields: Fields<'_, '_>, known: &Known) -> Option<Happening> {
    let who = fields.need("who", "an actor, or a member as in wolves/3");
    let who = who.and_then(|item| body(&item, known));
    let is = fields.need("is", "how well lit it is, 0 to 1").and_then(|item| item.number(PART));
    fields.close();
    Some(Happening::Light { who: who?, light: is? as f32 })
}

pub(super) fn eyes(fields: Fields<'_, '_>, known: &Known) -> Option<Happening> {
    let who = fields.need("who", "an actor, or a member as in wolves/3");
    let who = who.and_then(|item| body(&item, known));
    let is = fields.need("is", "how high its eyes are, in metres");
    let is = is.and_then(|item| item.number(Bounds::POSITIVE));
    fields.close();
    Some(Happening::Eyes { who: who?, eyes: is? as f32 })
}
