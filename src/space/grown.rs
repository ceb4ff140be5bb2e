//! Walls as the middle of a body sees them: grown by its radius, as convex polygons that nowhere cut off a bit of it.

use super::footprint::{Footprint, edges};
use super::point::Point;
use super::wall::Wall;

/// How finely a full turn is cut up: a walk along the polygon is at most 0.9 % longer than one along the arc.
const STEPS: f64 = 20.0;
/// How far (metres) the polygon round a pillar may stand off from it, and the most corners that it gets for that.
const STAND_OFF: f64 = 0.02;
const MOST_CORNERS: f64 = 96.0;

impl Wall {
    /// The corners, as (x, z), of a convex polygon round all places that are at most `by` metres (above 0) away from it,
    /// with its inside on the left of each edge.
    #[cfg_attr(not(feature = "navmesh"), allow(dead_code, reason = "only meshes are made of grown walls"))]
    pub(crate) fn grown(&self, by: f64) -> Vec<[f64; 2]> {
        match &self.footprint {
            Footprint::Segment(a, b) => grown_corners(&[*a, *b], by),
            Footprint::Disc { centre, radius } => round(*centre, radius + by),
            Footprint::Polygon(points) => grown_corners(points, by),
        }
    }
}

fn direction(angle: f64) -> Point {
    Point { x: libm::cos(angle), z: libm::sin(angle) }
}

/// Round each corner an arc, cut up into pieces; the corners of the result are where tangents at the ends of a piece meet.
fn grown_corners(points: &[Point], by: f64) -> Vec<[f64; 2]> {
    let mut corners = Vec::new();
    let angle = |(a, b): (Point, Point)| libm::atan2(-(b.x - a.x), b.z - a.z);
    let last = (points[points.len() - 1], points[0]);
    let mut before = angle(last);
    for (a, b) in edges(points) {
        // Out of the polygon is to the right of an edge.
        let after = angle((a, b));
        let turn = (after - before).rem_euclid(std::f64::consts::TAU);
        // Three corners in a line turn by nothing, or by rounding a hair backwards.
        let turn = if turn > 1.5 * std::f64::consts::PI { 0.0 } else { turn };
        let pieces = libm::ceil(turn / std::f64::consts::TAU * STEPS - 1e-9).max(1.0);
        let piece = turn / pieces;
        corners.extend((0..pieces as usize).map(|number| {
            let middle = before + piece * (number as f64 + 0.5);
            let corner = a + direction(middle) * (by / libm::cos(piece / 2.0));
            [corner.x, corner.z]
        }));
        before = after;
    }
    corners
}

fn round(centre: Point, radius: f64) -> Vec<[f64; 2]> {
    let fine = libm::ceil(std::f64::consts::PI / libm::acos(radius / (radius + STAND_OFF)));
    let count = fine.clamp(STEPS, MOST_CORNERS);
    let piece = std::f64::consts::TAU / count;
    let corner =
        |number: usize| centre + direction(piece * number as f64) * (radius / libm::cos(piece / 2.0));
    (0..count as usize).map(|number| [corner(number).x, corner(number).z]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Vec3, vec3};

    /// Each corner stands off by the radius or a little more, and each edge by the radius at its nearest: nothing is cut off.
    #[test]
    fn a_grown_wall_holds_all_that_is_near() {
        let walls = [
            Wall::segment(vec3(-1.0, 0.0, 2.0), vec3(3.0, 0.0, 1.0)),
            Wall::circle(vec3(1.0, 0.0, -2.0), 1.5),
            Wall::polygon(&[
                vec3(0.0, 0.0, 0.0),
                vec3(4.0, 0.0, 0.0),
                vec3(4.0, 0.0, 1.0),
                vec3(0.0, 0.0, 3.0),
            ]),
            Wall::polygon(&[Vec3::ZERO, vec3(0.0, 0.0, 2.0), vec3(1.0, 0.0, 1.0)]),
        ];
        for wall in walls.map(|wall| wall.expect("it is a wall")) {
            let corners = wall.grown(0.5);
            let points: Vec<_> = corners.iter().map(|[x, z]| Point { x: *x, z: *z }).collect();
            for (a, b) in edges(&points) {
                let (off, middle) = (wall.footprint.surface(a).distance, (a + b) * 0.5);
                assert!((0.5..0.53).contains(&(off + 1e-9)), "{wall:?}: {off}");
                let nearest = (0..=200)
                    .map(|part| wall.footprint.surface(a + (b - a) * (f64::from(part) / 200.0)).distance);
                let nearest = nearest.fold(f64::INFINITY, f64::min);
                assert!((0.5..0.501).contains(&(nearest + 1e-9)), "{wall:?}: {nearest}");
                let outside = (b - a).turned() / (b - a).length();
                assert!(
                    wall.footprint.surface(middle).normal.dot(outside) > 0.9,
                    "the inside is left of each edge"
                );
            }
        }
    }
}
