//! One wall: how it is made and checked, and when it is in the way.

use super::footprint::{Footprint, edges, outward};
use super::point::Point;
use super::walls::Against;
use crate::error::{Error, ErrorKind, Result};
use crate::math::{Vec3, vec3};

/// A polygon thinner than this (metres) is no polygon, and a ray that is less than this inside of one or of a
/// circle only touches it.
const TOUCH: f64 = 1e-4;
/// How far a corner may lie beyond an edge, as a part of the polygon's size, through rounding of what was given.
const CONVEX_ROUNDING: f64 = 1e-5;

/// A static obstacle that stops sight and bodies: upright, with the same outline at every height between its foot and its top.
///
/// Only x and z of the points count; [`height`](Wall::height) says where it stands, by default from −∞ to +∞.
/// It is there at its lower height and no longer at its upper one, so a body at height 0 meets a wall from 0 to
/// 2, and one on its top does not.
///
/// ```
/// use warband::math::{Vec3, vec3};
/// use warband::space::Wall;
/// let fence = Wall::segment(Vec3::ZERO, vec3(10.0, 0.0, 0.0))?.height(0.0, 1.0)?;
/// let glass = Wall::circle(vec3(4.0, 0.0, 4.0), 1.5)?.see_through(true);
/// assert!(Wall::polygon(&[Vec3::ZERO, vec3(1.0, 0.0, 0.0)]).is_err());
/// # Ok::<(), warband::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Wall {
    pub(super) footprint: Footprint,
    low: f32,
    high: f32,
    see_through: bool,
    walk_through: bool,
}

impl Wall {
    /// A thin wall from `a` to `b`.
    ///
    /// # Errors
    /// When a coordinate is not finite, or `a` and `b` are the same point of the ground.
    pub fn segment(a: Vec3, b: Vec3) -> Result<Wall> {
        let (a, b) = (on_ground("the start of a wall", a)?, on_ground("the end of a wall", b)?);
        if a == b {
            return Err(out_of_range(format!("a wall from ({}, {}) to itself has no length", a.x, a.z)));
        }
        Ok(Wall::new(Footprint::Segment(a, b)))
    }

    /// A round pillar of `radius` metres, above 0.
    ///
    /// # Errors
    /// When a coordinate is not finite, or `radius` is not a finite number above 0.
    pub fn circle(centre: Vec3, radius: f32) -> Result<Wall> {
        let centre = on_ground("the centre of a round wall", centre)?;
        if !radius.is_finite() || radius <= 0.0 {
            return Err(out_of_range(format!("the radius of a round wall must be above 0 m, got {radius}")));
        }
        Ok(Wall::new(Footprint::Disc { centre, radius: f64::from(radius) }))
    }

    /// A solid block over a convex polygon of at least three corners, in either order around it.
    ///
    /// A ray exactly along the common edge of two blocks passes between them: let blocks overlap where that matters.
    ///
    /// # Errors
    /// When a coordinate is not finite, when there are fewer than three corners or two in a row are the same,
    /// when it is thinner than 0.1 mm, or when it is not convex.
    pub fn polygon(corners: &[Vec3]) -> Result<Wall> {
        if corners.len() < 3 {
            return Err(out_of_range(format!("a polygon needs at least 3 corners, got {}", corners.len())));
        }
        let mut points = Vec::with_capacity(corners.len());
        for (number, &corner) in (1..).zip(corners) {
            points.push(on_ground(&format!("corner {number} of a polygon"), corner)?);
        }
        if area(&points) < 0.0 {
            points.reverse();
        }
        check_convex(&points)?;
        Ok(Wall::new(Footprint::Polygon(points)))
    }

    fn new(footprint: Footprint) -> Wall {
        Wall {
            footprint,
            low: f32::NEG_INFINITY,
            high: f32::INFINITY,
            see_through: false,
            walk_through: false,
        }
    }

    /// Lets it stand from `low` to `high` (metres along y; default −∞ to +∞, which are allowed).
    ///
    /// # Errors
    /// When `low` is not below `high`, or one of them is NaN.
    pub fn height(self, low: f32, high: f32) -> Result<Wall> {
        if low.is_nan() || high.is_nan() || low >= high {
            return Err(out_of_range(format!(
                "the foot of a wall must be below its top, got {low} and {high}"
            )));
        }
        Ok(Wall { low, high, ..self })
    }

    /// Sets whether it lets sight pass, as glass does (default: no).
    #[must_use]
    pub fn see_through(self, see_through: bool) -> Wall {
        Wall { see_through, ..self }
    }

    /// Sets whether it lets bodies pass, as smoke does (default: no).
    #[must_use]
    pub fn walk_through(self, walk_through: bool) -> Wall {
        Wall { walk_through, ..self }
    }

    /// Whether it stops what is asked about.
    pub fn stops(&self, against: Against) -> bool {
        match against {
            Against::Anything => true,
            Against::Sight => !self.see_through,
            Against::Bodies => !self.walk_through,
        }
    }

    /// Whether it stands somewhere between the heights `low` and `high`, both included.
    pub(super) fn stands_between(&self, low: f32, high: f32) -> bool {
        self.low <= high && low < self.high
    }

    /// Whether it stands at this height.
    #[cfg_attr(not(feature = "navmesh"), allow(dead_code, reason = "only meshes ask about one height"))]
    pub(crate) fn stands_at(&self, height: f32) -> bool {
        self.stands_between(height, height)
    }

    /// Where `ray` first meets it: the fraction of the way and the normal.
    pub(super) fn ray(&self, ray: &Ray) -> Option<(f64, Vec3)> {
        let crossing = self.footprint.crossing(ray.from, ray.delta)?;
        let normal = crossing.normal.at_height(0.0);
        if crossing.enter == crossing.leave {
            let y = (ray.low + ray.rise * crossing.enter) as f32;
            let hit = crossing.enter > 0.0 && crossing.enter <= 1.0 && self.stands_between(y, y);
            return hit.then_some((crossing.enter, normal));
        }
        let (up_enter, up_leave) = self.rise(ray.low, ray.rise)?;
        let (enter, leave) = (crossing.enter.max(up_enter), crossing.leave.min(up_leave));
        let inside = (leave.min(1.0) - enter.max(0.0)) * ray.length();
        let all_inside = enter < 0.0 && leave > 1.0;
        if inside <= TOUCH && !all_inside {
            return None;
        }
        let normal = match () {
            () if enter < 0.0 => -ray.direction(),
            () if up_enter > crossing.enter => vec3(0.0, -ray.rise.signum() as f32, 0.0),
            () => normal,
        };
        Some((enter.max(0.0), normal))
    }

    /// The part of a way from height `y` by `rise` at which it is as high as the wall.
    fn rise(&self, y: f64, rise: f64) -> Option<(f64, f64)> {
        if rise == 0.0 {
            return self.stands_between(y as f32, y as f32).then_some((f64::NEG_INFINITY, f64::INFINITY));
        }
        let (a, b) = ((f64::from(self.low) - y) / rise, (f64::from(self.high) - y) / rise);
        Some((a.min(b), a.max(b)))
    }
}

/// A straight way: its ground part, and the height at which it starts and by which it rises.
pub(super) struct Ray {
    pub from: Point,
    pub delta: Point,
    low: f64,
    rise: f64,
}

impl Ray {
    pub fn new(from: Vec3, to: Vec3) -> Ray {
        let rise = f64::from(to.y) - f64::from(from.y);
        Ray { from: Point::of(from), delta: Point::of(to) - Point::of(from), low: f64::from(from.y), rise }
    }

    pub fn at(&self, fraction: f64) -> Vec3 {
        (self.from + self.delta * fraction).at_height((self.low + self.rise * fraction) as f32)
    }

    fn length(&self) -> f64 {
        libm::sqrt(self.delta.dot(self.delta) + self.rise * self.rise)
    }

    /// Its unit vector; 0 when it has no length.
    fn direction(&self) -> Vec3 {
        let length = self.length();
        let unit = (self.delta / length).at_height((self.rise / length) as f32);
        if length > 0.0 { unit } else { Vec3::ZERO }
    }
}

fn on_ground(what: &str, point: Vec3) -> Result<Point> {
    match point.is_finite() {
        true => Ok(Point::of(point)),
        false => Err(Error::new(
            ErrorKind::NotFinite,
            format!("{what} must be finite, got ({}, {}, {})", point.x, point.y, point.z),
        )),
    }
}

fn out_of_range(message: String) -> Error {
    Error::new(ErrorKind::OutOfRange, message)
}

/// The area of a polygon, negative when it runs with its inside on the right.
fn area(points: &[Point]) -> f64 {
    // Relative to a corner: far from the origin the products would drown the area.
    edges(points).map(|(a, b)| (a - points[0]).cross(b - points[0])).sum::<f64>() / 2.0
}

fn check_convex(points: &[Point]) -> Result<()> {
    for (number, (a, b)) in (1..).zip(edges(points)) {
        if a == b {
            return Err(out_of_range(format!("corner {number} of a polygon and the next are the same")));
        }
    }
    let around: f64 = edges(points).map(|(a, b)| a.distance(b)).sum();
    if area(points) < TOUCH * around {
        return Err(out_of_range("a polygon is thinner than 0.1 mm".to_owned()).hint("use a segment"));
    }
    for (number, (a, b)) in (1..).zip(edges(points)) {
        let beyond = points.iter().any(|&point| outward(a, b).dot(point - a) > CONVEX_ROUNDING * around);
        if beyond {
            let message = format!("a polygon must be convex, but has corners on both sides of edge {number}");
            return Err(out_of_range(message).hint("cut it into convex pieces"));
        }
    }
    Ok(())
}
