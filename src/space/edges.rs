//! Walls as plain edges: what a pure function on the ground needs of those about it.

use super::Walls;
use super::boxes::Bounds;
use super::footprint::{Footprint, edges};
use super::point::Point;
use super::walls::Against;
use crate::math::{Vec3, flat, unit_or};

/// One edge of an obstacle: a line on the ground from a point to another, as thick as its radius; a disc when both are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Where it begins, m.
    pub from: Vec3,
    /// Where it ends, m.
    pub to: Vec3,
    /// How far the obstacle reaches round the line, m; 0 for flat walls.
    pub radius: f32,
    /// The middle of the whole obstacle that it is an edge of, m: what is passed on the nearer side.
    pub centre: Vec3,
}

impl Edge {
    /// A disc.
    pub fn disc(centre: Vec3, radius: f32) -> Self {
        Self { from: centre, to: centre, radius, centre }
    }

    /// A thin wall.
    pub fn wall(from: Vec3, to: Vec3) -> Self {
        Self { from, to, radius: 0.0, centre: (from + to) * 0.5 }
    }

    /// How far `place` is from the edge on the ground, m (negative within its radius), and the unit vector from it to the place;
    /// on the very line the one to the right of it.
    pub fn surface(&self, place: Vec3) -> (f32, Vec3) {
        let along = flat(self.to - self.from);
        let squared = along.length_squared();
        let offset = flat(place - self.from);
        let share = if squared > 0.0 { (offset.dot(along) / squared).clamp(0.0, 1.0) } else { 0.0 };
        let away = offset - along * share;
        let right = unit_or(Vec3::new(-along.z, 0.0, along.x), Vec3::X);
        (away.length() - self.radius, unit_or(away, right))
    }

    /// How far a disc of `radius` goes from `place` along the unit vector `ahead` until it touches, m; infinite when it never does. One that touches already is
    /// stopped at 0 if it moves further in.
    pub fn sweep(&self, place: Vec3, ahead: Vec3, radius: f32) -> f32 {
        let reach = self.radius + radius;
        let (distance, normal) = self.surface(place);
        if distance <= radius {
            return if ahead.dot(normal) < -1e-6 { 0.0 } else { f32::INFINITY };
        }
        let ends = disc_touch(self.from, place, ahead, reach).min(disc_touch(self.to, place, ahead, reach));
        ends.min(self.flank_touch(place, ahead, reach))
    }

    fn flank_touch(&self, place: Vec3, ahead: Vec3, reach: f32) -> f32 {
        let along = flat(self.to - self.from);
        let length = along.length();
        let along = unit_or(along, Vec3::ZERO);
        let across = Vec3::new(-along.z, 0.0, along.x);
        let offset = flat(place - self.from);
        let (side, speed) = (offset.dot(across), ahead.dot(across));
        if side * speed >= 0.0 || side.abs() <= reach {
            return f32::INFINITY;
        }
        let touch = (side.abs() - reach) / speed.abs();
        let met = (offset + ahead * touch).dot(along);
        if (0.0..=length).contains(&met) { touch } else { f32::INFINITY }
    }
}

/// When a point that moves along a unit vector comes within `reach` of `centre`; it starts outside.
fn disc_touch(centre: Vec3, place: Vec3, ahead: Vec3, reach: f32) -> f32 {
    let offset = flat(place - centre);
    let closing = -offset.dot(ahead);
    let square = closing * closing - (offset.length_squared() - reach * reach);
    if closing <= 0.0 || square < 0.0 { f32::INFINITY } else { (closing - libm::sqrtf(square)).max(0.0) }
}

impl Walls {
    /// Puts into `out` the edges of walls that stop bodies at the height of `place` and come within `range` metres of it, in the order of walls.
    ///
    /// ```
    /// use warband::math::{Vec3, vec3};
    /// use warband::space::{Wall, Walls};
    /// let walls = Walls::new(vec![Wall::circle(vec3(5.0, 0.0, 0.0), 1.0)?, Wall::circle(vec3(50.0, 0.0, 0.0), 1.0)?]);
    /// let mut edges = Vec::new();
    /// walls.edges(Vec3::ZERO, 10.0, &mut edges);
    /// assert_eq!(edges.len(), 1);
    /// assert_eq!(edges[0].surface(Vec3::ZERO), (4.0, -Vec3::X));
    /// assert_eq!(edges[0].sweep(Vec3::ZERO, Vec3::X, 0.5), 3.5);
    /// # Ok::<(), warband::error::Error>(())
    /// ```
    pub fn edges(&self, place: Vec3, range: f32, out: &mut Vec<Edge>) {
        out.clear();
        if !place.is_finite() || !range.is_finite() {
            return;
        }
        let (at, reach) = (Point::of(place), f64::from(range.max(0.0)));
        self.visit(
            |bounds: &Bounds| bounds.grown(reach).contains(at),
            |wall| {
                if wall.stops(Against::Bodies) && wall.stands_between(place.y, place.y) {
                    add(&wall.footprint, place, range, out);
                }
            },
        );
    }
}

fn add(footprint: &Footprint, place: Vec3, range: f32, out: &mut Vec<Edge>) {
    let at = |point: &Point| point.at_height(place.y);
    let within = |edge: &Edge| edge.surface(place).0 <= range;
    match footprint {
        Footprint::Segment(a, b) => out.extend(Some(Edge::wall(at(a), at(b))).filter(within)),
        Footprint::Disc { centre, radius } => {
            out.extend(Some(Edge::disc(at(centre), *radius as f32)).filter(within));
        }
        Footprint::Polygon(points) => {
            let centre = points.iter().map(at).sum::<Vec3>() / points.len() as f32;
            let all = edges(points).map(|(a, b)| Edge { centre, ..Edge::wall(at(&a), at(&b)) });
            out.extend(all.filter(within));
        }
    }
}
