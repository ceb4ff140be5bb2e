//! Walkable ground with heights, made of triangles: ramps, stairs, storeys above each other.

use super::pieces::{NONE, Pieces, Spot, cross, distance, dot, minus};
use super::search::{Found, Search, Stop};
use super::voxels::{Floor, floor};
use super::{Navigation, PathStatus};
use crate::error::{Error, ErrorKind, Result};
use crate::math::{Vec3, vec3};

/// Who walks on a [`Terrain`], and what stops them.
#[derive(Clone, Debug, PartialEq)]
pub struct TerrainDesc {
    /// The radii of those who walk, m, above 0. A question about one in between is answered for the next larger one, about one that
    /// is larger than all for the largest. Default 0.5.
    pub radii: Vec<f32>,
    /// How tall they are, m: what hangs lower is in their way. Default 1.8.
    pub height: f32,
    /// How high a step they take, up or down, m; more is a ledge. Default 0.4.
    pub climb: f32,
    /// How steep a slope they walk, in degrees from 0 to 85. Default 45.
    pub slope: f32,
    /// How fine the triangles are looked at, m: borders are true to about this. A third of the radius when `None`, which is the
    /// default. Half of it takes four times as long.
    pub cell: Option<f32>,
}

impl Default for TerrainDesc {
    fn default() -> Self {
        Self { radii: vec![0.5], height: 1.8, climb: 0.4, slope: 45.0, cell: None }
    }
}

/// Walkable ground with heights, made of triangles by the crate `rerecast`; places above one another are different places.
///
/// A way is as short as can be on the map, seen from above, and bends at the borders of the ground alone; going along, an agent is put
/// at the height of the ground. A goal that is on no ground stands for the nearest place in space. What is higher than a step is a
/// ledge: nobody goes over it, up or down. It is made once and never changes: when a door opens, make another.
///
/// Bodies that stand in the way are not walked round ([`path_around`](Navigation::path_around) is the path without regard to them).
///
/// ```
/// use warband::nav::{Navigation, PathStatus, Terrain, TerrainDesc};
/// use warband::vec3;
/// // A floor of 20 m by 20 m; seen from above, corners go round to the left or to the right, as they like.
/// let corners = [vec3(0.0, 0.0, 0.0), vec3(20.0, 0.0, 0.0), vec3(20.0, 0.0, 20.0), vec3(0.0, 0.0, 20.0)];
/// let terrain = Terrain::new(&corners, &[[0, 1, 2], [0, 2, 3]], &TerrainDesc::default())?;
/// let mut way = Vec::new();
/// let status = terrain.path(vec3(2.0, 0.0, 2.0), vec3(18.0, 0.0, 9.0), 0.5, &mut way);
/// assert_eq!((status, way.len()), (PathStatus::Complete, 1));
/// # Ok::<(), warband::Error>(())
/// ```
#[derive(Debug)]
pub struct Terrain {
    /// From small to large.
    storeys: Vec<(f32, Storeys)>,
    height: f32,
    climb: f32,
    budget: u32,
}

/// The ground for one radius.
#[derive(Debug)]
struct Storeys {
    pieces: Pieces,
    floor: Floor,
    /// The longest way between two voxels that are one, m.
    slack: f64,
}

/// How many nodes a search follows at most, unless the caller says otherwise.
const BUDGET: u32 = 8192;
/// How many borders a step goes along at most.
const TURNS: usize = 8;
/// How many pieces a step crosses at most.
const CROSSED: usize = 4096;

impl Terrain {
    /// The ground that is made of triangles, each three numbers of `points` (m). Which way round its corners go does not count;
    /// undersides are in the way of heads as tops are of feet.
    ///
    /// # Errors
    /// No triangle, a corner that is not there or not finite, a number of `desc` that is out of its range, or no room for a
    /// radius; more than 16 million cells: then make `cell` larger.
    pub fn new(points: &[Vec3], triangles: &[[u32; 3]], desc: &TerrainDesc) -> Result<Terrain> {
        check(points, triangles, desc)?;
        let mut radii = desc.radii.clone();
        radii.sort_unstable_by(f32::total_cmp);
        radii.dedup();
        let mut storeys = Vec::new();
        for radius in radii {
            let floor = floor(points, triangles, desc, radius)?;
            let points = floor.points.iter().map(|at| [f64::from(at.x), f64::from(at.z)]).collect();
            let pieces = Pieces::new(points, &floor.polygons);
            if !pieces.is_any() {
                let message = format!("a body of radius {radius} m has no room anywhere on the ground");
                return Err(Error::new(ErrorKind::OutOfRange, message)
                    .hint("give it more ground, allow it steeper slopes, or make the cell smaller"));
            }
            let slack = f64::from(floor.cell) * 2.0;
            storeys.push((radius, Storeys { pieces, floor, slack }));
        }
        Ok(Terrain { storeys, height: desc.height, climb: desc.climb, budget: BUDGET })
    }

    /// The same ground, on which a search follows at most `nodes` nodes: parts of edges of pieces. Default 8,192.
    pub fn with_budget(self, nodes: u32) -> Terrain {
        Terrain { budget: nodes, ..self }
    }

    /// How many convex pieces the ground has, for all radii together.
    pub fn pieces(&self) -> usize {
        self.storeys.iter().map(|(_, storeys)| storeys.pieces.count() as usize).sum()
    }

    /// The height of the ground where a body of `radius` metres stands at `point`, or the nearest to it; `None` when there is no
    /// ground within two radii and the height of a body.
    pub fn height(&self, point: Vec3, radius: f32) -> Option<f32> {
        let storeys = self.storeys(radius);
        let reach = f64::from(2.0 * radius + self.height);
        let spot = point.is_finite().then(|| self.spot(storeys, point, reach, None)).flatten()?;
        Some(storeys.height(&spot))
    }

    fn storeys(&self, radius: f32) -> &Storeys {
        let fits = self.storeys.iter().find(|(own, _)| own * 1.001 >= radius);
        let last = || self.storeys.last().expect("BUG: ground without a radius cannot be made");
        &fits.unwrap_or_else(last).1
    }

    /// The place nearest to `point` in space. Heights that differ by less than a step do not count.
    fn spot(&self, storeys: &Storeys, point: Vec3, reach: f64, island: Option<u32>) -> Option<Spot> {
        let at = [f64::from(point.x), f64::from(point.z)];
        storeys.pieces.nearest_by(at, reach, island, |spot| {
            let up = f64::from((storeys.height(spot) - point.y).abs() - self.climb).max(0.0);
            libm::sqrt(spot.distance * spot.distance + up * up)
        })
    }

    /// Whether a place is as good as the goal itself.
    fn is_there(&self, storeys: &Storeys, spot: &Spot, goal: Vec3) -> bool {
        let away = distance(spot.at, [f64::from(goal.x), f64::from(goal.z)]);
        away <= storeys.slack && (storeys.height(spot) - goal.y).abs() <= self.height.max(self.climb)
    }

    /// Where one is that stands at `from`.
    fn start(&self, storeys: &Storeys, from: Vec3, radius: f32) -> Option<Spot> {
        self.spot(storeys, from, f64::from(2.0 * radius + self.height), None)
    }
}

impl Storeys {
    fn height(&self, spot: &Spot) -> f32 {
        self.floor.height(spot.piece, spot.at)
    }

    fn place(&self, spot: &Spot) -> Vec3 {
        vec3(spot.at[0] as f32, self.height(spot), spot.at[1] as f32)
    }

    /// Goes from a place straight to another, or to the border on the way: where it ends, and the border's edge.
    fn go(&self, from: &Spot, to: [f64; 2]) -> (Spot, Option<[[f64; 2]; 2]>) {
        let mut spot = *from;
        for _ in 0..CROSSED {
            let Some((edge, share)) = self.way_out(&spot, to) else {
                return (Spot { at: to, ..spot }, None);
            };
            let way = minus(to, spot.at);
            spot.at = [spot.at[0] + way[0] * share, spot.at[1] + way[1] * share];
            let beyond = self.pieces.beyond[edge];
            if beyond == NONE {
                // Rounding may leave one a hair outside.
                spot.at = self.pieces.nearest_in(spot.piece, spot.at);
                return (spot, Some(self.pieces.line(spot.piece, edge)));
            }
            spot.piece = beyond;
        }
        (spot, None)
    }

    /// The edge by which the way to a place leaves the piece that one is in, and after which share of it.
    fn way_out(&self, spot: &Spot, to: [f64; 2]) -> Option<(usize, f64)> {
        let way = minus(to, spot.at);
        let mut first: Option<(usize, f64)> = None;
        for edge in self.pieces.edges(spot.piece) {
            let [a, b] = self.pieces.line(spot.piece, edge);
            let along = minus(b, a);
            let (here, there) = (cross(along, minus(spot.at, a)), cross(along, minus(to, a)));
            // Only who goes from the inside out leaves by it.
            if there >= -1e-12 || cross(along, way) >= 0.0 {
                continue;
            }
            let share = (here / (here - there)).clamp(0.0, 1.0);
            if first.is_none_or(|(_, least)| share < least) {
                first = Some((edge, share));
            }
        }
        first
    }

    /// Goes towards a place and along the borders that are in the way.
    fn slide(&self, from: &Spot, to: [f64; 2]) -> Spot {
        let mut spot = *from;
        let mut goal = to;
        for _ in 0..TURNS {
            let (end, border) = self.go(&spot, goal);
            spot = end;
            let Some([a, b]) = border else { break };
            let along = minus(b, a);
            let left = minus(goal, spot.at);
            let share = dot(left, along) / dot(along, along).max(1e-18);
            let next = [spot.at[0] + along[0] * share, spot.at[1] + along[1] * share];
            // No way back: in a corner one stops.
            if dot(minus(next, spot.at), minus(to, from.at)) <= 0.0 {
                break;
            }
            goal = next;
        }
        spot
    }
}

impl Navigation for Terrain {
    fn nearest(&self, point: Vec3, radius: f32, reach: f32) -> Option<Vec3> {
        if !point.is_finite() || reach.is_nan() || reach < 0.0 {
            return None;
        }
        let storeys = self.storeys(radius);
        let spot = self.spot(storeys, point, f64::from(reach), None)?;
        Some(storeys.place(&spot))
    }

    fn path(&self, from: Vec3, to: Vec3, radius: f32, corners: &mut Vec<Vec3>) -> PathStatus {
        corners.clear();
        if !from.is_finite() || !to.is_finite() {
            return PathStatus::None;
        }
        let storeys = self.storeys(radius);
        let Some(start) = self.start(storeys, from, radius) else { return PathStatus::None };
        let end = self.spot(storeys, to, f64::INFINITY, Some(start.island));
        let Some(end) = end else { return PathStatus::None };
        let mut way = Vec::new();
        let found = Search::run(&storeys.pieces, &start, &end, self.budget, &mut way);
        let place = |stop: &Stop| storeys.place(&Spot { at: stop.at, piece: stop.piece, ..start });
        corners.extend(way.iter().map(place));
        match found {
            Found::Best => PathStatus::Unfinished,
            Found::Goal if self.is_there(storeys, &end, to) => PathStatus::Complete,
            Found::Goal => PathStatus::Partial,
        }
    }

    fn step(&self, from: Vec3, to: Vec3, radius: f32) -> Vec3 {
        if !from.is_finite() || !to.is_finite() {
            return from;
        }
        let storeys = self.storeys(radius);
        let Some(start) = self.spot(storeys, from, f64::INFINITY, None) else { return from };
        storeys.place(&storeys.slide(&start, [f64::from(to.x), f64::from(to.z)]))
    }

    fn straight(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        if !from.is_finite() || !to.is_finite() {
            return false;
        }
        let storeys = self.storeys(radius);
        let Some(start) = self.start(storeys, from, radius) else { return false };
        let (end, border) = storeys.go(&start, [f64::from(to.x), f64::from(to.z)]);
        border.is_none() && self.is_there(storeys, &end, to)
    }
}

fn check(points: &[Vec3], triangles: &[[u32; 3]], desc: &TerrainDesc) -> Result<()> {
    let wrong = |kind, message: String| Err(Error::new(kind, message));
    if triangles.is_empty() || desc.radii.is_empty() {
        let what = if triangles.is_empty() { "triangles" } else { "the radii of those who walk on it" };
        return wrong(ErrorKind::Missing, format!("a terrain needs {what}, got none"));
    }
    if let Some(at) = points.iter().position(|point| !point.is_finite()) {
        return wrong(ErrorKind::NotFinite, format!("point {at} of the terrain must be finite"));
    }
    let missing = |triangle: &[u32; 3]| triangle.iter().any(|point| *point as usize >= points.len());
    if let Some(at) = triangles.iter().position(missing) {
        let message = format!("triangle {at} of the terrain has a corner beyond its {} points", points.len());
        return wrong(ErrorKind::OutOfRange, message);
    }
    let cells = desc.cell.iter().map(|cell| ("cell", *cell, f32::MIN_POSITIVE, 1e6));
    let radii = desc.radii.iter().map(|radius| ("radius", *radius, 1e-3, 1e6));
    let rest = [
        ("height", desc.height, 1e-3, 1e6),
        ("climb", desc.climb, 0.0, 1e6),
        ("slope", desc.slope, 0.0, 85.0),
    ];
    for (name, value, low, high) in cells.chain(radii).chain(rest) {
        if !(low..=high).contains(&value) {
            return wrong(
                ErrorKind::OutOfRange,
                format!("the {name} of a terrain must be {low} to {high}, got {value}"),
            );
        }
    }
    Ok(())
}
