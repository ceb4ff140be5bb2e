//! From TOML to a [`Scenario`]: everything is read and checked in one go, and every mistake found is reported.

mod actor;
mod event;
mod key;
mod read;
mod sides;
mod squad;
mod wall;

use super::model::{ActorSpec, EventSpec, Ground, Outline, Regard, Scenario, SquadSpec};
use crate::blackboard::KeyDecl;
use crate::error::{Error, ErrorKind, Place, Result};
use crate::math::Vec3;
use crate::space::{Wall, Walls};
use read::{Bounds, Fields, Item, Source};
use std::path::Path;

impl Scenario {
    /// Reads a scenario from a file; scripts are looked for from its folder.
    ///
    /// # Errors
    /// A file that cannot be read, and every mistake in it, as [`Scenario::parse`].
    pub fn load(path: impl AsRef<Path>) -> Result<Scenario> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = read_text(path).map_err(|why| {
            let message = format!("the scenario cannot be read: {why}");
            Error::new(ErrorKind::File, message).at(Place::new(name.as_str(), 0))
        })?;
        Self::parse(&text, &name, path.parent().unwrap_or(Path::new("")))
    }

    /// Reads a scenario from `text`, called `file` in errors; scripts are looked for from `folder`.
    ///
    /// # Errors
    /// Every mistake that is found, each with its line, as one error.
    ///
    /// ```
    /// use warband::scenario::Scenario;
    /// let text = "[[actor]]\nname = \"player\"\nat = [0, 0]\nradus = 1\n";
    /// let error = Scenario::parse(text, "hunt.toml", "".as_ref()).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "hunt.toml:4: unknown field 'radus' (did you mean 'radius'?) (at actor 'player')"
    /// );
    /// ```
    pub fn parse(text: &str, file: &str, folder: &Path) -> Result<Scenario> {
        let source = Source::new(file, text);
        let table = source.parse();
        let fields = Fields::new(&source, table.get_ref(), 0, "");
        let scenario = scenario(fields, file, folder);
        Error::all(source.into_faults()).map_or(Ok(scenario), Err)
    }
}

/// The text of a file, or why there is none, in words that are the same on every system.
fn read_text(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::InvalidData => "it is no text in UTF-8".to_owned(),
        other => other.to_string(),
    })
}

/// What is known by name while the rest is read. What was faulty is there too, so that one mistake is one error.
#[derive(Default)]
struct Known {
    ground: Option<Ground>,
    routes: Vec<(String, squad::Route)>,
    keys: Vec<KeyDecl>,
    actors: Vec<ActorSpec>,
    squads: Vec<SquadSpec>,
}

fn scenario(fields: Fields<'_, '_>, file: &str, folder: &Path) -> Scenario {
    let mut known = Known { ground: ground(&fields), ..Known::default() };
    let (outlines, walls) = walls(&fields, known.ground.as_ref());
    known.keys = fields.tables("key").into_iter().filter_map(|fields| key::key(fields)).collect();
    known.routes = named(&fields, "route", |fields| squad::named_route(fields, &known));
    let attitudes = attitudes(&fields);
    known.actors = actors(&fields, &known);
    known.squads = squads(&fields, &known);
    let events = events(&fields, &known, folder);
    let stem = Path::new(file).file_stem().map_or_else(String::new, |stem| stem.display().to_string());
    let scenario = Scenario {
        name: fields.text("name").unwrap_or(stem),
        about: fields.text("about").unwrap_or_default(),
        seed: fields.get("seed").and_then(|item| seed(&item)).unwrap_or(0),
        dt: fields.get("dt").and_then(|item| dt(&item)).unwrap_or(1.0 / 60.0),
        seconds: fields.number("seconds", SECONDS).unwrap_or(20.0),
        script_root: folder.join(fields.text("script_root").unwrap_or_default()),
        scripts: fields.get("scripts").map(|item| texts(&item)).unwrap_or_default(),
        collide: fields.flag("collide").unwrap_or(true),
        wall_muffles: fields.number("wall_muffles", Bounds::between(0.0, 1.0)).unwrap_or(0.5) as f32,
        noise_round_walls: fields.flag("noise_round_walls").unwrap_or(false),
        ground: known.ground,
        outlines,
        walls,
        keys: known.keys,
        actors: known.actors,
        squads: known.squads,
        attitudes,
        events,
    };
    fields.close();
    scenario
}

fn attitudes(fields: &Fields<'_, '_>) -> Vec<Regard> {
    let read = |fields: Fields<'_, '_>| {
        let regard = sides::regard(&fields);
        fields.close();
        regard
    };
    fields.tables("attitude").into_iter().filter_map(read).collect()
}

/// How long a scenario may run: a day.
const SECONDS: Bounds = Bounds::between(0.001, 86_400.0);

fn seed(item: &Item<'_, '_>) -> Option<u64> {
    let number = item.whole()?;
    let seed = u64::try_from(number).ok();
    if seed.is_none() {
        item.fault(ErrorKind::OutOfRange, format!("'seed' must be at least 0, got {number}"));
    }
    seed
}

/// A tick in seconds, as a number or as a fraction in a string.
fn dt(item: &Item<'_, '_>) -> Option<f64> {
    if !item.is_text() {
        return item.number(Bounds::between(1e-4, 1.0));
    }
    let dt = parse_dt(&item.text()?);
    dt.map_err(|error| item.report(error)).ok()
}

/// A tick in seconds from a text: `0.02` or `1/60`.
///
/// # Errors
/// A text that is neither, and a time that is not between 0.0001 and 1 s.
pub fn parse_dt(text: &str) -> Result<f64> {
    let number = |part: &str| part.trim().parse::<f64>().ok();
    let seconds = match text.split_once('/') {
        Some((above, below)) => number(above).zip(number(below)).map(|(above, below)| above / below),
        None => number(text),
    };
    match seconds {
        Some(seconds) if (1e-4..=1.0).contains(&seconds) => Ok(seconds),
        _ => Err(Error::new(
            ErrorKind::OutOfRange,
            format!("'dt' must be between 0.0001 and 1 s, got '{text}'"),
        )
        .hint("a number or a fraction, as in 1/60")),
    }
}

fn texts(item: &Item<'_, '_>) -> Vec<String> {
    item.list().unwrap_or_default().iter().filter_map(Item::text).collect()
}

fn ground(fields: &Fields<'_, '_>) -> Option<Ground> {
    let inner = fields.get("ground")?.fields()?;
    let outline = match inner.get("outline") {
        Some(item) => polygon(&item),
        None => rectangle(&inner),
    };
    let navmesh = inner.get("navmesh").and_then(|item| navmesh(&item)).unwrap_or(false);
    let place = inner.place();
    inner.close();
    Some(Ground { outline: outline?, navmesh, place })
}

fn polygon(item: &Item<'_, '_>) -> Option<Vec<Vec3>> {
    let outline = item.points()?;
    if outline.len() < 3 {
        let message = format!("'outline' needs at least 3 corners, got {}", outline.len());
        item.fault(ErrorKind::OutOfRange, message);
        return None;
    }
    Some(outline)
}

fn rectangle(inner: &Fields<'_, '_>) -> Option<Vec<Vec3>> {
    let low = inner.need("low", "the corner with the smallest x and z").and_then(|item| item.point());
    let high = inner.need("high", "the corner with the largest x and z").and_then(|item| item.point());
    let (low, high) = low.zip(high)?;
    if low.x >= high.x || low.z >= high.z {
        let message = "'low' must be below 'high' in x and in z";
        inner.report(Error::new(ErrorKind::OutOfRange, message));
    }
    let corner = |x: f32, z: f32| crate::math::vec3(x, 0.0, z);
    Some(vec![corner(low.x, low.z), corner(high.x, low.z), corner(high.x, high.z), corner(low.x, high.z)])
}

/// Whether a mesh is wanted: a build that has none says so, rather than let agents walk into corners.
fn navmesh(item: &Item<'_, '_>) -> Option<bool> {
    let wanted = item.flag()?;
    if wanted && !cfg!(feature = "navmesh") {
        let error = Error::new(
            ErrorKind::Missing,
            "'navmesh' needs the feature 'navmesh', which this build is without",
        );
        item.report(error.hint("build with it, or leave the field out"));
    }
    Some(wanted)
}

fn walls(fields: &Fields<'_, '_>, ground: Option<&Ground>) -> (Vec<Outline>, Walls) {
    let read = fields.tables("wall").into_iter().filter_map(|fields| wall::wall(fields));
    let (outlines, mut walls): (Vec<Outline>, Vec<Wall>) = read.unzip();
    walls.extend(ground.into_iter().flat_map(wall::edge));
    (outlines, Walls::new(walls))
}

fn actors(fields: &Fields<'_, '_>, known: &Known) -> Vec<ActorSpec> {
    named(fields, "actor", |fields| actor::actor(fields, known)).into_iter().map(|(_, actor)| actor).collect()
}

fn squads(fields: &Fields<'_, '_>, known: &Known) -> Vec<SquadSpec> {
    let taken: Vec<_> = known.actors.iter().map(|actor| actor.name.clone()).collect();
    let read = |fields: &mut Fields<'_, '_>| {
        let (name, squad) = squad::squad(fields, known)?;
        if taken.contains(&name) {
            let message = format!("'{name}' is the name of an actor and of a squad");
            fields.report(Error::new(ErrorKind::Conflict, message).hint("give them different names"));
        }
        Some((name, squad))
    };
    named(fields, "squad", read).into_iter().flat_map(|(_, squads)| squads).collect()
}

fn events(fields: &Fields<'_, '_>, known: &Known, folder: &Path) -> Vec<EventSpec> {
    let tables = fields.tables("event").into_iter();
    let mut events: Vec<_> = tables.filter_map(|fields| event::event(fields, known, folder)).collect();
    events.sort_by(|a, b| a.at.total_cmp(&b.at));
    events
}

/// All things of `[[name]]`, with their names; a name that was there before is reported.
fn named<T>(
    fields: &Fields<'_, '_>,
    name: &'static str,
    read: impl Fn(&mut Fields<'_, '_>) -> Option<(String, T)>,
) -> Vec<(String, T)> {
    let mut all: Vec<(String, T)> = Vec::new();
    for mut fields in fields.tables(name) {
        let thing = read(&mut fields);
        if let Some((own, _)) = &thing
            && all.iter().any(|(other, _)| other == own)
        {
            let message = format!("there are two of the name '{own}'");
            fields.report(Error::new(ErrorKind::Conflict, message).hint("give each a name of its own"));
        }
        all.extend(thing);
        fields.close();
    }
    all
}

/// The name in `fields`, by which they are known from now on.
fn name_of(fields: &mut Fields<'_, '_>, what: &str) -> Option<String> {
    let item = fields.need("name", "what it is called in events and references")?;
    let name = item.text()?;
    if name.contains('/') {
        item.report(
            Error::new(ErrorKind::Syntax, format!("'name' must not contain '/', got '{name}'"))
                .hint("'wolves/3' means a member of a squad"),
        );
    }
    fields.rename(&format!("{what} '{name}'"));
    Some(name)
}

/// The most that may hold a token at once.
const MOST_HOLDERS: i64 = 10_000;

/// The tokens that somebody offers, as in `tokens = { melee = 2 }`.
fn tokens(fields: &Fields<'_, '_>) -> Vec<(String, u32)> {
    let entries = fields.get("tokens").and_then(|item| item.entries()).unwrap_or_default();
    let token = |item: &Item<'_, '_>| {
        let capacity = item.whole()?;
        if !(0..=MOST_HOLDERS).contains(&capacity) {
            let message = format!("'{}' must be between 0 and {MOST_HOLDERS}, got {capacity}", item.name());
            item.fault(ErrorKind::OutOfRange, message);
        }
        Some((item.name().to_owned(), capacity.clamp(0, MOST_HOLDERS) as u32))
    };
    entries.iter().filter_map(token).collect()
}

impl Known {
    /// A point, which must lie on the ground.
    fn point(&self, item: &Item<'_, '_>) -> Option<Vec3> {
        let point = item.point()?;
        self.check(item, point);
        Some(point)
    }

    /// A list of points, which must lie on the ground.
    fn points(&self, item: &Item<'_, '_>) -> Option<Vec<Vec3>> {
        Some(item.list()?.iter().filter_map(|item| self.point(item)).collect())
    }

    fn check(&self, item: &Item<'_, '_>, point: Vec3) {
        if self.ground.as_ref().is_some_and(|ground| !ground.contains(point)) {
            let message =
                format!("'{}' is outside of the ground, at ({}, {})", item.name(), point.x, point.z);
            item.report(Error::new(ErrorKind::OutOfRange, message).hint("make [ground] larger"));
        }
    }
}
