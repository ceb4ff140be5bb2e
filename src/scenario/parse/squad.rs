//! `[[squad]]` and `[[route]]`.

use super::key::word;
use super::read::{Bounds, Fields, Item};
use super::sides::senses;
use super::{Known, name_of, tokens};
use crate::error::{Error, ErrorKind};
use crate::math::{Vec3, vec3};
use crate::scenario::model::{SquadSpec, Start};
use crate::steer::Limits;
use crate::tree::{RouteOrder, Stop};

/// Points and what comes after the last.
pub(super) type Route = (Vec<Vec3>, RouteOrder, Vec<(usize, Stop)>);

/// The most members that a squad may have.
const MOST: i64 = 100_000;

pub(super) fn squad(fields: &mut Fields<'_, '_>, known: &Known) -> Option<(String, Vec<SquadSpec>)> {
    let name = name_of(fields, "squad");
    let tree = fields.need("tree", "the name of the tree that its members run").and_then(|item| item.text());
    let limits = fields.get("body").and_then(|item| body(&item)).unwrap_or(Limits::of(0.5, 5.0));
    let (route, route_order, stops) =
        fields.get("route").and_then(|item| route(&item, known)).unwrap_or_default();
    let squad = SquadSpec {
        name: name.clone().unwrap_or_default(),
        faction: fields.text("faction").unwrap_or_else(|| "wolves".to_owned()),
        team: fields.text("team"),
        tree: tree.unwrap_or_default(),
        start: start(fields, known).unwrap_or(Start::Exactly(Vec::new())),
        facing: fields.get("facing").and_then(|item| facing(&item)).unwrap_or(Vec3::X),
        limits,
        senses: fields.get("senses").and_then(|item| senses(&item)).unwrap_or_default(),
        flies: fields.flag("flies").unwrap_or(false),
        avoid: fields.flag("avoid").unwrap_or(true),
        collide: fields.flag("collide").unwrap_or(true),
        priority: fields.number("priority", Bounds::between(-100.0, 100.0)).unwrap_or(0.0) as f32,
        route,
        route_order,
        stops,
        tokens: tokens(fields),
        grace: fields.number("grace", Bounds::POSITIVE).unwrap_or(0.3) as f32,
        forget: fields.number("forget", Bounds::POSITIVE).map(|seconds| seconds as f32),
        target_margin: fields.number("target_margin", Bounds::POSITIVE).unwrap_or(0.3) as f32,
        target_hold: fields.number("target_hold", Bounds::POSITIVE).unwrap_or(2.0) as f32,
        place: fields.place(),
    };
    let copies = copies(fields, squad);
    Some((name?, copies))
}

/// The `copies` of a squad, each with its start and route shifted by its place in a square lattice round the
/// first; the squad alone without that field.
fn copies(fields: &Fields<'_, '_>, squad: SquadSpec) -> Vec<SquadSpec> {
    let count = fields.get("copies").and_then(|item| count(&item));
    let apart = fields.number("apart", Bounds::POSITIVE).unwrap_or(20.0) as f32;
    let Some(count) = count else { return vec![squad] };
    let side = libm::ceil(libm::sqrt(f64::from(count))) as u32;
    let middle = (side - side.min(1)) as f32 / 2.0;
    let at = |number: u32| {
        let (row, column) = (number / side.max(1), number % side.max(1));
        vec3(column as f32 - middle, 0.0, row as f32 - middle) * apart
    };
    (0..count).map(|number| shifted(&squad, number + 1, at(number))).collect()
}

fn shifted(squad: &SquadSpec, number: u32, by: Vec3) -> SquadSpec {
    let mut copy = SquadSpec { name: format!("{}-{number}", squad.name), ..squad.clone() };
    copy.route.iter_mut().for_each(|point| *point += by);
    match &mut copy.start {
        Start::Clump { at, .. } => *at += by,
        Start::Exactly(positions) => positions.iter_mut().for_each(|position| *position += by),
    }
    copy
}

fn start(fields: &Fields<'_, '_>, known: &Known) -> Option<Start> {
    let item = fields.one_of(&["count", "positions"]);
    let at = fields.get("at");
    let spread = fields.get("spread");
    let item = item?;
    if item.name() == "count" {
        let (at, spread) =
            (at.and_then(|at| known.point(&at)), spread.map(|item| item.number(Bounds::POSITIVE)));
        if at.is_none() && fields.get("at").is_none() {
            fields.report(Error::new(
                ErrorKind::Missing,
                "field 'at' is missing: the middle of the clump, [x, z]",
            ));
        }
        let count = count(&item)?;
        return Some(Start::Clump { at: at?, spread: spread.flatten().unwrap_or(4.0) as f32, count });
    }
    for item in [at, spread].into_iter().flatten() {
        let message = format!("'{}' and 'positions' exclude each other", item.name());
        item.report(Error::new(ErrorKind::TooMany, message).hint("use count with at and spread"));
    }
    let positions = known.points(&item)?;
    if item.list()?.is_empty() {
        item.report(no_members("'positions' is empty"));
    }
    Some(Start::Exactly(positions))
}

fn count(item: &Item<'_, '_>) -> Option<u32> {
    let count = item.whole()?;
    if count == 0 {
        item.report(no_members(&format!("'{}' is 0", item.name())));
    } else if !(1..=MOST).contains(&count) {
        let message = format!("'{}' must be between 1 and {MOST}, got {count}", item.name());
        item.fault(ErrorKind::OutOfRange, message);
    }
    u32::try_from(count.clamp(0, MOST)).ok()
}

fn no_members(why: &str) -> Error {
    Error::new(ErrorKind::OutOfRange, format!("a squad needs at least one member: {why}"))
}

fn facing(item: &Item<'_, '_>) -> Option<Vec3> {
    let facing = item.point()?;
    if facing.length() < 1e-6 {
        item.fault(ErrorKind::OutOfRange, "'facing' must have a direction, got (0, 0)");
    }
    Some(facing)
}

fn body(item: &Item<'_, '_>) -> Option<Limits> {
    let fields = item.fields()?;
    let (mut radius, mut max_speed) = (0.5, 5.0);
    fields.put("radius", Bounds::ABOVE_ZERO, &mut radius);
    fields.put("max_speed", Bounds::POSITIVE, &mut max_speed);
    let (mut speed_up, mut turn_round) = (0.25, 0.5);
    fields.put("speed_up", Bounds::POSITIVE, &mut speed_up);
    fields.put("turn_round", Bounds::POSITIVE, &mut turn_round);
    let mut limits = Limits::with_times(radius, max_speed, speed_up, turn_round);
    fields.put("max_acceleration", Bounds::POSITIVE, &mut limits.max_acceleration);
    fields.put("response", Bounds::POSITIVE, &mut limits.response);
    fields.put("tolerance", Bounds::POSITIVE, &mut limits.tolerance);
    fields.put("neighbour_radius", Bounds::POSITIVE, &mut limits.neighbour_radius);
    fields.put("turn_rate", Bounds::POSITIVE, &mut limits.turning.rate);
    fields.put("max_turn", Bounds::POSITIVE, &mut limits.turning.max_turn);
    fields.close();
    Some(limits)
}

pub(super) fn named_route(fields: &mut Fields<'_, '_>, known: &Known) -> Option<(String, Route)> {
    let name = name_of(fields, "route");
    let route = route_of(fields, known);
    Some((name?, route))
}

/// A route of a squad: the name of one, or one of its own.
fn route(item: &Item<'_, '_>, known: &Known) -> Option<Route> {
    if !item.is_text() {
        let fields = item.fields()?;
        let route = route_of(&fields, known);
        fields.close();
        return Some(route);
    }
    let name = item.text()?;
    let found = known.routes.iter().find(|(own, _)| *own == name);
    if found.is_none() {
        let names = known.routes.iter().map(|(name, _)| name.as_str());
        item.report(Error::new(ErrorKind::UnknownName, format!("unknown route '{name}'")).near(&name, names));
    }
    found.map(|(_, route)| route.clone())
}

fn route_of(fields: &Fields<'_, '_>, known: &Known) -> Route {
    let order = fields.get("order").and_then(|item| order(&item)).unwrap_or_default();
    let item = fields.need("points", "one or more places, [[x, z], [x, z]]");
    let points = item.as_ref().and_then(|item| waypoints(item, known)).unwrap_or_default();
    let stops = fields.get("stops").and_then(|item| item.list()).unwrap_or_default();
    let stops = stops.iter().filter_map(|item| stop(item, points.len())).collect();
    (points, order, stops)
}

/// What to do at a waypoint: `at` is its number from 0.
fn stop(item: &Item<'_, '_>, points: usize) -> Option<(usize, Stop)> {
    let fields = item.fields()?;
    let at = fields.need("at", "which waypoint, from 0");
    let number = at.as_ref().and_then(Item::whole);
    let found = number.and_then(|at| usize::try_from(at).ok()).filter(|at| *at < points);
    if let (Some(item), Some(number), None) = (&at, number, found) {
        let message = format!("'at' is {number}, and the route has {points} points, counted from 0");
        item.fault(ErrorKind::OutOfRange, message);
    }
    let wait = fields.need("wait", "how long it stands there, in seconds");
    let wait = wait.and_then(|item| item.number(Bounds::POSITIVE)).unwrap_or(0.0) as f32;
    let look = fields.number("look", Bounds::between(-360.0, 360.0)).map(|look| look as f32);
    let sweep = fields.number("sweep", Bounds::between(0.0, 360.0)).unwrap_or(0.0) as f32;
    fields.close();
    Some((found?, Stop { wait, look, sweep }))
}

fn waypoints(item: &Item<'_, '_>, known: &Known) -> Option<Vec<Vec3>> {
    if item.list()?.is_empty() {
        let error = Error::new(ErrorKind::OutOfRange, "a route needs at least 1 point, got 0");
        item.report(error.hint("with one point it stands guard there; without a route it stays where it is"));
    }
    let points = known.points(item)?;
    if let Some(at) = points.windows(2).position(|pair| pair[0] == pair[1]) {
        let message = format!("points {} and {} of a route are the same", at + 1, at + 2);
        item.fault(ErrorKind::OutOfRange, message);
    }
    Some(points)
}

fn order(item: &Item<'_, '_>) -> Option<RouteOrder> {
    word(item, RouteOrder::named, &RouteOrder::ALL.map(RouteOrder::name))
}
