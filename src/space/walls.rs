//! All walls of a place, and what can be asked of them: rays, overlaps, the nearest one.

use super::boxes::{Bounds, Boxes};
use super::footprint::Surface;
use super::point::Point;
use super::wall::{Ray, Wall};
use crate::math::Vec3;

/// How deep (metres) a disc may reach into a wall and still only touch it.
pub(super) const CONTACT: f64 = 1e-4;

/// What a wall is asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// Whatever the wall stops: all walls count.
    Anything,
    /// Sight: [`see_through`](Wall::see_through) walls do not count.
    Sight,
    /// Bodies: [`walk_through`](Wall::walk_through) walls do not count.
    Bodies,
}

/// Where a ray meets a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Where.
    pub point: Vec3,
    /// Out of the wall, a unit vector; back along the ray where it starts inside, and 0 if it has no length.
    pub normal: Vec3,
    /// The part of the way to there, from 0 to 1.
    pub fraction: f32,
    /// Which wall: its place in the list given to [`Walls::new`].
    pub wall: u32,
}

/// The wall nearest to a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NearWall {
    /// From the wall's surface to the place, on the ground, in metres; negative inside.
    pub distance: f32,
    /// The nearest place of the surface, at the height that was asked about.
    pub point: Vec3,
    /// Out of the wall, a unit vector on the ground.
    pub normal: Vec3,
    /// Which wall: its place in the list given to [`Walls::new`].
    pub wall: u32,
}

/// The static obstacles of a place, with an index over them: hundreds cost little more than one.
///
/// ```
/// use warband::math::{Vec3, vec3};
/// use warband::space::{Wall, Walls};
/// let walls = Walls::new(vec![Wall::segment(vec3(5.0, 0.0, -5.0), vec3(5.0, 0.0, 5.0))?]);
/// let hit = walls.ray(Vec3::ZERO, vec3(10.0, 0.0, 0.0)).expect("there is a wall");
/// assert_eq!((hit.point, hit.normal, hit.fraction), (vec3(5.0, 0.0, 0.0), -Vec3::X, 0.5));
/// assert!(walls.blocked(Vec3::ZERO, vec3(10.0, 0.0, 0.0)));
/// assert_eq!(walls.push_out(vec3(4.8, 0.0, 1.0), 0.5), vec3(4.5, 0.0, 1.0));
/// # Ok::<(), warband::error::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Walls {
    walls: Vec<Wall>,
    boxes: Boxes,
}

impl Walls {
    /// An index over `walls`.
    pub fn new(walls: Vec<Wall>) -> Walls {
        let bounds: Vec<_> = walls.iter().map(|wall| wall.footprint.bounds()).collect();
        Walls { boxes: Boxes::new(&bounds), walls }
    }

    /// The walls, in the order in which they were given.
    pub fn all(&self) -> &[Wall] {
        &self.walls
    }

    /// Calls `visit` with each wall whose box `meets`, in a fixed order.
    pub(super) fn visit(&self, meets: impl Fn(&Bounds) -> bool, mut visit: impl FnMut(&Wall)) {
        self.boxes.visit(meets, |wall| self.walls.get(wall as usize).into_iter().for_each(&mut visit));
    }

    /// The first wall of any kind on the straight way from `from` to `to`.
    ///
    /// Heights count: a ray above or below a wall does not meet it. A ray that starts inside a wall meets it at
    /// once, at fraction 0. Touching is not inside: less than 0.1 mm of way through a solid wall is no hit, a
    /// thin one is met up to the very end of the ray but not at its start, and a ray along its face is no hit.
    /// `None` also when a coordinate is not finite.
    pub fn ray(&self, from: Vec3, to: Vec3) -> Option<Hit> {
        self.ray_against(Against::Anything, from, to)
    }

    /// Like [`ray`](Walls::ray), for the walls that stop `against` only: a feeler of a body, or a line of sight.
    pub fn ray_against(&self, against: Against, from: Vec3, to: Vec3) -> Option<Hit> {
        if !from.is_finite() || !to.is_finite() {
            return None;
        }
        let ray = Ray::new(from, to);
        let mut first: Option<(f64, u32, Vec3)> = None;
        let swept = Bounds::swept(ray.from, ray.delta, 0.0);
        let meets = |bounds: &Bounds| swept.meets(bounds) && bounds.crossed(ray.from, ray.delta);
        self.boxes.visit(meets, |wall| {
            let Some((fraction, normal)) = self.stopping(wall, against).and_then(|w| w.ray(&ray)) else {
                return;
            };
            if first.is_none_or(|first| (fraction, wall) < (first.0, first.1)) {
                first = Some((fraction, wall, normal));
            }
        });
        first.map(|(fraction, wall, normal)| Hit {
            point: ray.at(fraction),
            normal,
            fraction: fraction as f32,
            wall,
        })
    }

    /// Whether a wall that stops sight is between `from` and `to`, by the rules of [`ray`](Walls::ray).
    pub fn blocked(&self, from: Vec3, to: Vec3) -> bool {
        self.ray_against(Against::Sight, from, to).is_some()
    }

    /// How many walls that stop sight are between `from` and `to`, by the rules of [`ray`](Walls::ray).
    pub fn count_between(&self, from: Vec3, to: Vec3) -> u32 {
        if !from.is_finite() || !to.is_finite() {
            return 0;
        }
        let ray = Ray::new(from, to);
        let mut count = 0;
        let swept = Bounds::swept(ray.from, ray.delta, 0.0);
        let meets = |bounds: &Bounds| swept.meets(bounds) && bounds.crossed(ray.from, ray.delta);
        self.boxes.visit(meets, |wall| {
            let stops = self.stopping(wall, Against::Sight).and_then(|wall| wall.ray(&ray)).is_some();
            count += u32::from(stops);
        });
        count
    }

    /// Whether a disc of `radius` metres at `position` reaches more than 0.1 mm into a wall that stops bodies.
    ///
    /// A negative radius counts as 0; `false` when a number is not finite.
    pub fn overlaps(&self, position: Vec3, radius: f32) -> bool {
        let radius = f64::from(radius.max(0.0));
        self.deepest(position, radius).is_some_and(|(_, surface)| surface.distance < radius - CONTACT)
    }

    /// The nearest wall that stops bodies at the height of `position`, if one is at most `range` metres away on the
    /// ground. Of equally near ones the first in the list.
    ///
    /// Inside a wall the distance is negative; of several the deepest counts. `None` when a number is not finite,
    /// or `range` is negative and no wall so deep.
    pub fn nearest(&self, position: Vec3, range: f32) -> Option<NearWall> {
        let (wall, surface) = self.deepest(position, f64::from(range))?;
        (surface.distance <= f64::from(range)).then(|| near_wall(wall, &surface, position.y))
    }

    /// Fills `near` with the walls nearest to `position` that stop bodies at its height and are at most `range` metres away on the
    /// ground, each with its nearest place, from near to far; says how many there are. Of equally near ones the first in the
    /// list comes first.
    ///
    /// Nothing is found when a number is not finite, or `range` is negative.
    ///
    /// ```
    /// use warband::math::{Vec3, vec3};
    /// use warband::space::{NearWall, Wall, Walls};
    /// let (left, right) = (Wall::circle(vec3(-3.0, 0.0, 0.0), 1.0)?, Wall::circle(vec3(2.0, 0.0, 0.0), 0.5)?);
    /// let mut near = [NearWall::default(); 4];
    /// assert_eq!(Walls::new(vec![left, right]).near(Vec3::ZERO, 5.0, &mut near), 2);
    /// assert_eq!((near[0].wall, near[0].distance, near[1].distance), (1, 1.5, 2.0));
    /// # Ok::<(), warband::error::Error>(())
    /// ```
    pub fn near(&self, position: Vec3, range: f32, near: &mut [NearWall]) -> usize {
        if !position.is_finite() || !range.is_finite() || range < 0.0 {
            return 0;
        }
        let place = Point::of(position);
        let reach = |bounds: &Bounds| bounds.grown(f64::from(range)).contains(place);
        let mut found = 0;
        self.boxes.visit(reach, |wall| {
            let stopping = self.stopping(wall, Against::Bodies);
            let Some(stopping) = stopping.filter(|wall| wall.stands_between(position.y, position.y)) else {
                return;
            };
            let surface = stopping.footprint.surface(place);
            if surface.distance <= f64::from(range) {
                found = insert_by(near, found, near_wall(wall, &surface, position.y), |near| {
                    (near.distance, near.wall)
                });
            }
        });
        found
    }

    /// The wall that stops bodies whose surface is nearest to `position`, among those within `range` and perhaps others.
    pub(super) fn deepest(&self, position: Vec3, range: f64) -> Option<(u32, Surface)> {
        if !position.is_finite() || !range.is_finite() {
            return None;
        }
        let place = Point::of(position);
        let mut deepest: Option<(u32, Surface)> = None;
        let near = |bounds: &Bounds| bounds.grown(range.max(0.0)).contains(place);
        self.boxes.visit(near, |wall| {
            let Some(stopping) = self.stopping(wall, Against::Bodies) else { return };
            if !stopping.stands_between(position.y, position.y) {
                return;
            }
            let surface = stopping.footprint.surface(place);
            if deepest.is_none_or(|(old, best)| (surface.distance, wall) < (best.distance, old)) {
                deepest = Some((wall, surface));
            }
        });
        deepest
    }

    /// Where a disc first touches a wall that stops bodies and stands between the heights `low` and `high`, on
    /// its way from `from` by `delta`: the fraction of the way and the normal.
    pub(super) fn sweep(
        &self,
        from: Point,
        delta: Point,
        radius: f64,
        (low, high): (f32, f32),
    ) -> Option<(f64, Point)> {
        let mut first: Option<(f64, u32, Point)> = None;
        let swept = Bounds::swept(from, delta, radius);
        let meets = |bounds: &Bounds| swept.meets(bounds) && bounds.grown(radius).crossed(from, delta);
        self.boxes.visit(meets, |wall| {
            let stopping = self.stopping(wall, Against::Bodies).filter(|wall| wall.stands_between(low, high));
            let touch = stopping.and_then(|stopping| stopping.footprint.sweep(from, delta, radius));
            let Some((fraction, normal)) = touch else { return };
            if first.is_none_or(|first| (fraction, wall) < (first.0, first.1)) {
                first = Some((fraction, wall, normal));
            }
        });
        first.map(|(fraction, _, normal)| (fraction, normal))
    }

    fn stopping(&self, wall: u32, against: Against) -> Option<&Wall> {
        self.walls.get(wall as usize).filter(|wall| wall.stops(against))
    }
}

fn near_wall(wall: u32, surface: &Surface, height: f32) -> NearWall {
    NearWall {
        distance: surface.distance as f32,
        point: surface.point.at_height(height),
        normal: surface.normal.at_height(0.0),
        wall,
    }
}

/// Puts `one` among the first `found` of `nearest`, which are sorted by `key`; says how many there are then. What there is no room for falls out.
pub(crate) fn insert_by<T, K: PartialOrd>(
    nearest: &mut [T],
    found: usize,
    one: T,
    key: impl Fn(&T) -> K,
) -> usize {
    let own = key(&one);
    let mut place = nearest[..found].iter().position(|other| key(other) > own).unwrap_or(found);
    let count = (found + 1).min(nearest.len());
    let mut carried = one;
    while place < count {
        std::mem::swap(&mut nearest[place], &mut carried);
        place += 1;
    }
    count
}
