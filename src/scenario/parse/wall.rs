//! `[[wall]]`.

use super::read::{Bounds, Fields, Item};
use crate::error::Result;
use crate::scenario::model::{Ground, Outline};
use crate::space::Wall;

pub(super) fn wall(fields: Fields<'_, '_>) -> Option<(Outline, Wall)> {
    let shape = fields.one_of(&["segment", "circle", "polygon"]);
    let foot = fields.number("foot", Bounds::ANY);
    let height = fields.number("height", Bounds::ABOVE_ZERO);
    let see_through = fields.flag("see_through").unwrap_or(false);
    let walk_through = fields.flag("walk_through").unwrap_or(false);
    fields.close();
    let item = shape?;
    let outline = match item.name() {
        "segment" => segment(&item),
        "circle" => circle(&item),
        _ => item.points().map(Outline::Polygon),
    }?;
    let wall = stand(&outline, foot, height).map_err(|error| item.report(error)).ok()?;
    Some((outline, wall.see_through(see_through).walk_through(walk_through)))
}

fn stand(outline: &Outline, foot: Option<f64>, height: Option<f64>) -> Result<Wall> {
    let wall = match outline {
        Outline::Segment(from, to) => Wall::segment(*from, *to),
        Outline::Circle(at, radius) => Wall::circle(*at, *radius),
        Outline::Polygon(corners) => Wall::polygon(corners),
    }?;
    let low = foot.or(height.map(|_| 0.0)).map_or(f32::NEG_INFINITY, |foot| foot as f32);
    wall.height(low, height.map_or(f32::INFINITY, |height| low + height as f32))
}

fn segment(item: &Item<'_, '_>) -> Option<Outline> {
    let ends = item.list()?;
    if ends.len() != 2 {
        let message = format!("'segment' takes two points, got {}", ends.len());
        item.fault(crate::error::ErrorKind::WrongType, message);
        return None;
    }
    let (from, to) = (ends[0].point(), ends[1].point());
    Some(Outline::Segment(from?, to?))
}

fn circle(item: &Item<'_, '_>) -> Option<Outline> {
    let fields = item.fields()?;
    let at = fields.need("at", "its centre").and_then(|item| item.point());
    let radius = fields.need("radius", "how wide it is, in metres");
    let radius = radius.and_then(|item| item.number(Bounds::ABOVE_ZERO));
    fields.close();
    Some(Outline::Circle(at?, radius? as f32))
}

/// The walls round the ground: they stop bodies and no sight. None between two corners that are the same.
pub(super) fn edge(ground: &Ground) -> Vec<Wall> {
    let ends = ground.outline.iter().zip(ground.outline.iter().cycle().skip(1));
    ends.filter_map(|(from, to)| Wall::segment(*from, *to).ok()).map(|wall| wall.see_through(true)).collect()
}
