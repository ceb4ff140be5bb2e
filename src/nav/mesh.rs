//! Walkable ground as a mesh, made of an outline and walls.

use super::cut::{Ring, inside};
use super::ground::Ground;
use super::pieces::Spot;
use super::search::Found;
use super::{Disc, Navigation, PathStatus};
use crate::error::{Error, ErrorKind, Result};
use crate::math::{Vec3, vec3};
use crate::space::{Against, Wall, Walls};

/// How much further than its radius (metres) a way keeps a body away from walls, so that rounding brings it into none.
const MARGIN: f64 = 2e-3;
/// The largest extent of an outline in metres: the search reckons in f32.
const WIDEST: f64 = 8000.0;
/// How many nodes a search follows at most, unless the caller says otherwise.
const BUDGET: u32 = 8192;
/// Radii that differ by less than this share are one class.
const ALIKE: f32 = 0.1;

/// Walkable ground inside an outline and outside of walls: flat, with any-angle ways that are as short as can be.
///
/// For each class of radii it holds a mesh on which the middle of such a body can be. It is made once and never changes: when a
/// door opens, make another and give it to [`World::set_navigation`](crate::World::set_navigation).
///
/// **Radii.** Radii that are at most 10 % smaller than another are served by the mesh of that one, so a body may be sent round a gap
/// that it could just pass. A question about a radius in between is answered by the next larger class, about one that is
/// larger than all by the largest: name the radii of all who walk.
///
/// **Cost.** A way costs a search, which follows at most [so many](NavMesh::with_budget) nodes; when they are spent, it leads to the
/// place nearest to the goal that was found, and is [`PathStatus::Unfinished`]. Whether a goal can be reached at all is known without
/// a search. [`path_around`](Navigation::path_around) cuts a mesh for the one way, which costs about what making this one did.
///
/// ```
/// use warband::nav::{NavMesh, Navigation, PathStatus};
/// use warband::{Wall, Walls, vec3};
/// let yard = [vec3(-20.0, 0.0, -20.0), vec3(20.0, 0.0, -20.0), vec3(20.0, 0.0, 20.0), vec3(-20.0, 0.0, 20.0)];
/// let wall = Wall::segment(vec3(0.0, 0.0, -8.0), vec3(0.0, 0.0, 8.0))?;
/// let mesh = NavMesh::new(&yard, &Walls::new(vec![wall]), &[0.5])?;
///
/// let mut corners = Vec::new();
/// let status = mesh.path(vec3(-5.0, 0.0, 0.0), vec3(5.0, 0.0, 1.0), 0.5, &mut corners);
/// assert_eq!(status, PathStatus::Complete);
/// let end = corners.iter().map(|corner| corner.z).fold(f32::MIN, f32::max);
/// assert!((8.5..8.6).contains(&end), "round the nearer end of the wall");
/// assert_eq!(corners.last(), Some(&vec3(5.0, 0.0, 1.0)));
/// # Ok::<(), warband::Error>(())
/// ```
#[derive(Debug)]
pub struct NavMesh {
    /// What stops a body: the walls, and the edges of the outline.
    walls: Walls,
    outline: Ring,
    /// What the meshes are reckoned from, so that they are exact far from the origin too.
    origin: [f64; 2],
    height: f32,
    /// From small to large.
    grounds: Vec<Ground>,
    budget: u32,
}

impl NavMesh {
    /// The ground inside `outline`, a polygon of any form whose edges do not cross, without what `walls` take of it, for bodies of
    /// these `radii` (metres, above 0; see the type for how they are merged).
    ///
    /// Walls count that stop bodies and stand at the height of the outline's first corner. The outline stops bodies as a wall
    /// does. Only x and z of its corners count else.
    ///
    /// # Errors
    /// An outline of fewer than three corners, with crossing edges, without an area, more than 8 km wide or not finite; no radius, or
    /// one that is not a finite number above 0, or one that has no room anywhere.
    pub fn new(outline: &[Vec3], walls: &Walls, radii: &[f32]) -> Result<NavMesh> {
        let ring = checked(outline)?;
        let origin = middle(&ring);
        let height = outline[0].y;
        let stops = |wall: &&Wall| wall.stops(Against::Bodies) && wall.stands_at(height);
        let mut standing: Vec<Wall> = walls.all().iter().filter(stops).cloned().collect();
        for (from, to) in outline.iter().zip(outline.iter().cycle().skip(1)) {
            standing.push(Wall::segment(*from, *to)?);
        }
        let mut mesh = NavMesh {
            walls: Walls::new(standing),
            outline: ring,
            origin,
            height,
            grounds: Vec::new(),
            budget: BUDGET,
        };
        for radius in classes(radii)? {
            mesh.add_class(radius)?;
        }
        Ok(mesh)
    }

    /// The same ground, on which a search follows at most `nodes` nodes, which are parts of edges of pieces. Default 8,192; with 0 only the
    /// piece that one stands on is known. What whole searches cost is measured by `cargo bench --features navmesh --bench nav`.
    pub fn with_budget(self, nodes: u32) -> NavMesh {
        NavMesh { budget: nodes, ..self }
    }

    /// The mesh for one radius, with these walls in addition; `None` when there is no room.
    fn cut(&self, radius: f32, more: &[Wall]) -> Result<Option<Ground>> {
        let by = f64::from(radius) + MARGIN;
        let walls = self.walls.all().iter().chain(more);
        let holes: Vec<_> = walls.map(|wall| self.moved(&wall.grown(by))).collect();
        Ground::new(radius, &self.moved(&self.outline), &holes)
    }

    fn add_class(&mut self, radius: f32) -> Result<()> {
        match self.cut(radius, &[])? {
            Some(ground) => self.grounds.push(ground),
            None => {
                let message = format!("a body of radius {radius} m has no room anywhere on the ground");
                return Err(Error::new(ErrorKind::OutOfRange, message)
                    .hint("make the outline wider, or leave the radius out"));
            }
        }
        Ok(())
    }

    fn moved(&self, ring: &[[f64; 2]]) -> Ring {
        ring.iter().map(|[x, z]| [x - self.origin[0], z - self.origin[1]]).collect()
    }

    /// The radii that meshes were made for, from small to large, in metres.
    pub fn radii(&self) -> impl Iterator<Item = f32> + '_ {
        self.grounds.iter().map(|ground| ground.radius)
    }

    /// How many convex pieces the meshes have together.
    pub fn pieces(&self) -> usize {
        self.grounds.iter().map(|ground| ground.pieces.count() as usize).sum()
    }

    fn ground(&self, radius: f32) -> &Ground {
        let fits = self.grounds.iter().find(|ground| ground.radius * 1.001 >= radius);
        fits.or(self.grounds.last()).expect("BUG: a mesh without a class cannot be made")
    }

    fn local(&self, point: Vec3) -> [f64; 2] {
        [f64::from(point.x) - self.origin[0], f64::from(point.z) - self.origin[1]]
    }

    fn world(&self, at: [f64; 2], y: f32) -> Vec3 {
        vec3((at[0] + self.origin[0]) as f32, y, (at[1] + self.origin[1]) as f32)
    }

    /// Whether a body of `radius` metres can stand at `point`: inside the outline, and in no wall.
    pub fn is_walkable(&self, point: Vec3, radius: f32) -> bool {
        let at = Vec3 { y: self.height, ..point };
        point.is_finite()
            && inside(&self.outline, [f64::from(point.x), f64::from(point.z)])
            && !self.walls.overlaps(at, radius)
    }

    /// How far a walkable place can be from the mesh of its radius by the rounding of corners and the merging of radii.
    fn slack(ground: &Ground, radius: f32) -> f64 {
        f64::from((ground.radius - radius).max(0.0)) + 0.03 * f64::from(ground.radius) + 0.02 + 2.0 * MARGIN
    }

    /// Where on the mesh a way can begin for who stands at `from`: pushed a little into a wall, or out of the outline, one steps back.
    fn start(&self, ground: &Ground, from: Vec3) -> Option<Spot> {
        ground.nearest(self.local(from), 2.0 * f64::from(ground.radius) + 0.5, None)
    }

    /// Writes the corners of a way on the mesh.
    fn find(
        &self,
        ground: &Ground,
        from: Vec3,
        to: Vec3,
        radius: f32,
        corners: &mut Vec<Vec3>,
    ) -> PathStatus {
        corners.clear();
        let Some(start) = self.start(ground, from) else { return PathStatus::None };
        let Some((end, reached)) = self.end(ground, to, radius, start.island) else {
            return PathStatus::None;
        };
        let mut way = Vec::new();
        let found = ground.way(&start, &end, self.budget, &mut way);
        corners.extend(way.iter().map(|stop| self.world(stop.at, to.y)));
        corners.dedup_by(|next, last| next.distance_squared(*last) < 1e-6);
        match corners.last_mut() {
            _ if found == Found::Best => PathStatus::Unfinished,
            Some(last) if reached => {
                *last = to;
                PathStatus::Complete
            }
            _ => PathStatus::Partial,
        }
    }

    /// The place of the island that is nearest to `to`, and whether that is as good as `to` itself.
    fn end(&self, ground: &Ground, to: Vec3, radius: f32, island: u32) -> Option<(Spot, bool)> {
        let spot = ground.nearest(self.local(to), f64::INFINITY, Some(island))?;
        Some((spot, spot.distance <= Self::slack(ground, radius) && self.is_walkable(to, radius)))
    }
}

impl Navigation for NavMesh {
    fn nearest(&self, point: Vec3, radius: f32, reach: f32) -> Option<Vec3> {
        if !point.is_finite() || reach.is_nan() || reach < 0.0 {
            return None;
        }
        if self.is_walkable(point, radius) {
            return Some(point);
        }
        let spot = self.ground(radius).nearest(self.local(point), f64::from(reach), None)?;
        Some(self.world(spot.at, point.y))
    }

    fn path(&self, from: Vec3, to: Vec3, radius: f32, corners: &mut Vec<Vec3>) -> PathStatus {
        corners.clear();
        if !from.is_finite() || !to.is_finite() {
            return PathStatus::None;
        }
        if self.straight(from, to, radius) {
            corners.push(to);
            return PathStatus::Complete;
        }
        self.find(self.ground(radius), from, to, radius, corners)
    }

    fn path_around(
        &self,
        from: Vec3,
        to: Vec3,
        radius: f32,
        discs: &[Disc],
        corners: &mut Vec<Vec3>,
    ) -> PathStatus {
        if !from.is_finite() || !to.is_finite() {
            corners.clear();
            return PathStatus::None;
        }
        let stand: Vec<Wall> = discs.iter().filter_map(|disc| standing(disc, from, radius)).collect();
        match self.cut(self.ground(radius).radius, &stand) {
            Ok(Some(ground)) if !stand.is_empty() => self.find(&ground, from, to, radius, corners),
            _ => self.path(from, to, radius, corners),
        }
    }

    fn step(&self, from: Vec3, to: Vec3, radius: f32) -> Vec3 {
        let level = |point: Vec3| Vec3 { y: self.height, ..point };
        // A hair less: who leans on a wall is not in it.
        let slim = 0.98 * radius;
        if self.is_walkable(to, slim)
            && self.walls.ray_against(Against::Bodies, level(from), level(to)).is_none()
        {
            return to;
        }
        let start =
            if self.is_walkable(from, slim) { Some(from) } else { self.nearest(from, radius, f32::INFINITY) };
        let Some(start) = start else { return from };
        let end = self.walls.slide(level(start), level(to), radius);
        Vec3 { y: to.y, ..if self.is_walkable(end, slim) { end } else { start } }
    }

    fn straight(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        let level = |point: Vec3| Vec3 { y: self.height, ..point };
        from.is_finite()
            && inside(&self.outline, [f64::from(from.x), f64::from(from.z)])
            && self.is_walkable(to, radius)
            && self.walls.slide(level(from), level(to), radius).distance_squared(level(to)) <= 1e-6
    }
}

/// What a disc takes of the ground, as far as it leaves room for who stands at `from`.
fn standing(disc: &Disc, from: Vec3, radius: f32) -> Option<Wall> {
    let away = crate::math::flat(disc.centre - from).length();
    let own = disc.radius.min(away - radius - 0.01);
    if own > 0.0 { Wall::circle(disc.centre, own).ok() } else { None }
}

/// The classes of these radii, from small to large: the largest of those that are alike.
fn classes(radii: &[f32]) -> Result<Vec<f32>> {
    if let Some(radius) = radii.iter().find(|radius| !radius.is_finite() || **radius <= 0.0) {
        let message = format!("the radius of a body must be above 0 m, got {radius}");
        return Err(Error::new(ErrorKind::OutOfRange, message));
    }
    let mut sorted = radii.to_vec();
    sorted.sort_unstable_by(|a, b| b.total_cmp(a));
    let mut classes: Vec<f32> = Vec::new();
    for radius in sorted {
        if classes.last().is_none_or(|class| radius < class * (1.0 - ALIKE)) {
            classes.push(radius);
        }
    }
    if classes.is_empty() {
        return Err(Error::new(
            ErrorKind::Missing,
            "a mesh needs the radii of those who walk on it, got none",
        ));
    }
    classes.reverse();
    Ok(classes)
}

/// The outline as (x, z).
fn checked(outline: &[Vec3]) -> Result<Ring> {
    let wrong = |message: String| Err(Error::new(ErrorKind::OutOfRange, message));
    if outline.len() < 3 {
        return wrong(format!("the outline of the ground needs at least 3 corners, got {}", outline.len()));
    }
    if let Some(at) = outline.iter().position(|corner| !corner.is_finite()) {
        return Err(Error::new(
            ErrorKind::NotFinite,
            format!("corner {} of the outline must be finite", at + 1),
        ));
    }
    let ring: Ring = outline.iter().map(|corner| [f64::from(corner.x), f64::from(corner.z)]).collect();
    if let Some((first, second)) = crossing(&ring) {
        return wrong(format!("edges {first} and {second} of the outline cross"));
    }
    let [low_x, low_z, high_x, high_z] = super::boxes::bounds(ring.iter().copied());
    if high_x - low_x > WIDEST || high_z - low_z > WIDEST {
        return wrong(format!("the ground can be at most {WIDEST} m wide"));
    }
    Ok(ring)
}

fn middle(ring: &[[f64; 2]]) -> [f64; 2] {
    let [low_x, low_z, high_x, high_z] = super::boxes::bounds(ring.iter().copied());
    [libm::floor((low_x + high_x) / 2.0), libm::floor((low_z + high_z) / 2.0)]
}

/// The numbers, from 1, of the first two edges that cross, or touch without being neighbours.
fn crossing(ring: &[[f64; 2]]) -> Option<(usize, usize)> {
    let count = ring.len();
    let end = |edge: usize| (ring[edge], ring[(edge + 1) % count]);
    (0..count).find_map(|first| {
        let others = first + 2..count.min(count - 1 + first);
        others
            .into_iter()
            .find(|second| cross(end(first), end(*second)))
            .map(|second| (first + 1, second + 1))
    })
}

fn cross((a, b): ([f64; 2], [f64; 2]), (c, d): ([f64; 2], [f64; 2])) -> bool {
    let side = |a: [f64; 2], b: [f64; 2], p: [f64; 2]| {
        let turn = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        if turn == 0.0 { 0.0 } else { turn.signum() }
    };
    let apart = |axis: usize| {
        a[axis].max(b[axis]) < c[axis].min(d[axis]) || c[axis].max(d[axis]) < a[axis].min(b[axis])
    };
    !apart(0) && !apart(1) && side(a, b, c) * side(a, b, d) <= 0.0 && side(c, d, a) * side(c, d, b) <= 0.0
}
