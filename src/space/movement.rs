//! Bodies against walls: out of one, and along one.

use super::Walls;
use super::footprint::leads_in;
use super::point::Point;
use super::walls::CONTACT;
use crate::math::Vec3;

/// The smallest radius of a moving body: 1 cm, so that rounding never takes it to the other side of a thin wall.
const SMALLEST_RADIUS: f64 = 0.01;
/// How often a body is pushed out before it stays where it overlaps least.
const PUSHES: usize = 16;
/// How many walls a body can turn along in one step.
const TURNS: usize = 8;
/// Two walls whose normals are nearer to opposite than this (as a sine) leave no corner to go to.
const SHARPEST_CORNER: f64 = 0.05;

impl Walls {
    /// A near place at which a disc of `radius` metres overlaps no wall that stops bodies; `position` itself when
    /// it overlaps none there. The height stays.
    ///
    /// With a single wall it is the nearest such place; with several it is found by a few pushes, and where they
    /// leave no room it is the place of least overlap among those tried. It puts a body into the free and may take it
    /// past a thin wall for that, which [`slide`](Walls::slide) never does. From within a thin wall it goes to one
    /// side, always the same. A negative radius counts as 0; `position` comes back when a number is not finite.
    pub fn push_out(&self, position: Vec3, radius: f32) -> Vec3 {
        let radius = f64::from(radius.max(0.0));
        let mut place = position;
        let mut best = (f64::NEG_INFINITY, position);
        let mut last_normal = None;
        for _ in 0..PUSHES {
            let Some((_, surface)) = self.deepest(place, radius) else { return place };
            let room = surface.distance - radius;
            if room >= -CONTACT {
                return place;
            }
            if room > best.0 {
                best = (room, place);
            }
            let push = push(surface.normal, -room, last_normal);
            last_normal = Some(surface.normal);
            place = (Point::of(place) + push).at_height(place.y);
        }
        best.1
    }

    /// Where a disc of `radius` metres comes to rest that moves from `from` towards `to`: it stops at the walls
    /// that stop bodies and slides along them with what is left of the step.
    ///
    /// The whole way is swept, so a step however long passes through no wall. The ground part of the step is
    /// stopped by walls that stand anywhere between the two heights; the height becomes that of `to`. A body that
    /// overlaps at the start is pushed out first, if that leads through no wall. A radius below 1 cm counts as
    /// 1 cm. `from` comes back when a number is not finite.
    ///
    /// ```
    /// use warband::math::{Vec3, vec3};
    /// use warband::space::{Wall, Walls};
    /// let walls = Walls::new(vec![Wall::segment(vec3(5.0, 0.0, -50.0), vec3(5.0, 0.0, 50.0))?]);
    /// assert_eq!(walls.slide(Vec3::ZERO, vec3(30.0, 0.0, 10.0), 0.5), vec3(4.5, 0.0, 10.0));
    /// # Ok::<(), warband::error::Error>(())
    /// ```
    pub fn slide(&self, from: Vec3, to: Vec3, radius: f32) -> Vec3 {
        if !from.is_finite() || !to.is_finite() || !radius.is_finite() {
            return from;
        }
        let radius = f64::from(radius).max(SMALLEST_RADIUS);
        let heights = (from.y.min(to.y), from.y.max(to.y));
        let wanted = Point::of(to) - Point::of(from);
        let mut place = self.cleared(from, radius, heights);
        let mut left = wanted;
        let mut last_normal: Option<Point> = None;
        for _ in 0..TURNS {
            let Some((fraction, normal)) = self.sweep(place, left, radius, heights) else {
                place += left;
                break;
            };
            place += left * fraction;
            left = left * (1.0 - fraction);
            left -= normal * left.dot(normal);
            // Into the last wall again, or back: a corner, in which it rests.
            let cornered = last_normal.is_some_and(|last| leads_in(left, last));
            if cornered || left.dot(wanted) <= 0.0 {
                break;
            }
            last_normal = Some(normal);
        }
        place.at_height(to.y)
    }

    /// Where a sweep can start from: pushed out of walls, unless the centre would pass through one.
    fn cleared(&self, from: Vec3, radius: f64, heights: (f32, f32)) -> Point {
        let start = Point::of(from);
        let pushed = Point::of(self.push_out(from, radius as f32));
        if self.sweep(start, pushed - start, 0.0, heights).is_none() { pushed } else { start }
    }
}

/// The push that brings a disc out of a wall into which it reaches by `depth`: straight out, or, if that would lead
/// into the wall it was pushed out of `before`, along that one.
fn push(normal: Point, depth: f64, before: Option<Point>) -> Point {
    let straight = normal * depth;
    let Some(before) = before.filter(|before| before.dot(normal) < 0.0) else { return straight };
    let along = before.turned();
    let gain = along.dot(normal);
    if gain.abs() < SHARPEST_CORNER { straight } else { along * (depth / gain) }
}
