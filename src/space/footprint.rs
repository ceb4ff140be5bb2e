//! What a wall covers on the ground: a segment, a disc or a convex polygon, and the geometry of each.
use super::boxes::Bounds;
use super::point::Point;

/// Lengths below this have no direction.
const POINT: f64 = 1e-9;
/// How far beyond its ends a segment still stops a ray, as a part of its length: no light between two that meet.
const ENDS: f64 = 1e-9;
/// A way against a normal by less than this part of its length runs along the wall.
const LEVEL: f64 = 1e-9;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Footprint {
    Segment(Point, Point),
    Disc {
        centre: Point,
        radius: f64,
    },
    /// Corners in the order that has the inside on the left of each edge.
    Polygon(Vec<Point>),
}

/// The place of a footprint's edge that is nearest to a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    /// From the edge to the point; negative inside.
    pub distance: f64,
    pub point: Point,
    /// Out of the wall, a unit vector.
    pub normal: Point,
}

/// The part of a way that lies in a footprint, as fractions of the way; they may be below 0, above 1, or infinite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub enter: f64,
    pub leave: f64,
    /// Out of the wall where the way enters; 0 when it does not enter.
    pub normal: Point,
}

impl Footprint {
    pub fn bounds(&self) -> Bounds {
        match self {
            Footprint::Segment(a, b) => Bounds::around(*a, *b),
            Footprint::Disc { centre, radius } => Bounds::around(*centre, *centre).grown(*radius),
            Footprint::Polygon(points) => points
                .iter()
                .fold(Bounds::around(points[0], points[0]), |all, &p| all.with(Bounds::around(p, p))),
        }
    }

    /// The nearest place of the edge. Where many are equally near, one of them, always the same.
    pub fn surface(&self, place: Point) -> Surface {
        match self {
            Footprint::Segment(a, b) => edge_surface(*a, *b, place),
            Footprint::Disc { centre, radius } => {
                let offset = place - *centre;
                let length = offset.length();
                let normal = if length > POINT { offset / length } else { Point::X };
                Surface { distance: length - radius, point: *centre + normal * *radius, normal }
            }
            Footprint::Polygon(points) => polygon_surface(points, place),
        }
    }

    /// Where the line from `from` by `delta` lies inside. A segment is entered and left at the same fraction; a
    /// line along an edge or a segment is not inside.
    pub fn crossing(&self, from: Point, delta: Point) -> Option<Crossing> {
        match self {
            Footprint::Segment(a, b) => segment_crossing(*a, *b, from, delta),
            Footprint::Disc { centre, radius } => disc_crossing(*centre, *radius, from, delta),
            Footprint::Polygon(points) => polygon_crossing(points, from, delta),
        }
    }

    /// The fraction of the way at which a disc of `radius` first touches on its way from `from` by `delta`, and
    /// the normal there. One that touches or overlaps at the start is stopped there if it moves further in, and
    /// is let go if it does not: from a convex thing that leads only out.
    pub fn sweep(&self, from: Point, delta: Point, radius: f64) -> Option<(f64, Point)> {
        let start = self.surface(from);
        if start.distance <= radius {
            return leads_in(delta, start.normal).then_some((0.0, start.normal));
        }
        let fraction = self.first_touch(from, delta, radius);
        let at = || self.surface(from + delta * fraction).normal;
        (fraction <= 1.0).then(|| (fraction, at()))
    }

    /// Infinite when there is none.
    fn first_touch(&self, from: Point, delta: Point, radius: f64) -> f64 {
        match self {
            Footprint::Segment(a, b) => {
                edge_touch(*a, *b, from, delta, radius).min(edge_touch(*b, *a, from, delta, radius))
            }
            Footprint::Disc { centre, radius: own } => disc_touch(*centre, own + radius, from, delta),
            Footprint::Polygon(points) => edges(points)
                .map(|(a, b)| edge_touch(a, b, from, delta, radius))
                .fold(f64::INFINITY, f64::min),
        }
    }
}

/// Whether the way `delta` goes against the unit vector `normal`, and not merely along it but for rounding.
pub(super) fn leads_in(delta: Point, normal: Point) -> bool {
    delta.dot(normal) < -LEVEL * delta.length()
}

/// The edges of a polygon, from each corner to the next.
pub(super) fn edges(points: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    points.iter().copied().zip(points.iter().copied().cycle().skip(1))
}

/// The unit vector to the right of the way from `a` to `b`: out of a polygon that has its inside on the left.
pub(super) fn outward(a: Point, b: Point) -> Point {
    (b - a).turned() / a.distance(b)
}

fn edge_surface(a: Point, b: Point, place: Point) -> Surface {
    let along = b - a;
    let fraction = ((place - a).dot(along) / along.dot(along)).clamp(0.0, 1.0);
    let point = a + along * fraction;
    let distance = place.distance(point);
    let normal = if distance > POINT { (place - point) / distance } else { outward(a, b) };
    Surface { distance, point, normal }
}

fn polygon_surface(points: &[Point], place: Point) -> Surface {
    let depth = |(a, b): (Point, Point)| outward(a, b).dot(place - a);
    let mut nearest = (f64::NEG_INFINITY, points[0], points[1]);
    for (a, b) in edges(points) {
        if depth((a, b)) > nearest.0 {
            nearest = (depth((a, b)), a, b);
        }
    }
    let (depth, a, b) = nearest;
    if depth <= POINT {
        let normal = outward(a, b);
        return Surface { distance: depth, point: place - normal * depth, normal };
    }
    let first = edge_surface(points[0], points[1], place);
    edges(points)
        .map(|(a, b)| edge_surface(a, b, place))
        .fold(first, |best, other| if other.distance < best.distance { other } else { best })
}

fn segment_crossing(a: Point, b: Point, from: Point, delta: Point) -> Option<Crossing> {
    let along = b - a;
    let turn = delta.cross(along);
    if turn == 0.0 {
        return None;
    }
    let fraction = (a - from).cross(along) / turn;
    let place = (a - from).cross(delta) / turn;
    let normal = if delta.dot(outward(a, b)) < 0.0 { outward(a, b) } else { outward(b, a) };
    let met = (-ENDS..=1.0 + ENDS).contains(&place);
    met.then_some(Crossing { enter: fraction, leave: fraction, normal })
}

fn disc_crossing(centre: Point, radius: f64, from: Point, delta: Point) -> Option<Crossing> {
    let offset = from - centre;
    let (a, c) = (delta.dot(delta), offset.dot(offset) - radius * radius);
    if a == 0.0 {
        return (c < 0.0).then_some(ALWAYS);
    }
    let b = offset.dot(delta) / a;
    let square = b * b - c / a;
    if square <= 0.0 {
        return None;
    }
    let half = libm::sqrt(square);
    let (enter, leave) = (-b - half, -b + half);
    Some(Crossing { enter, leave, normal: (offset + delta * enter) / radius })
}

fn polygon_crossing(points: &[Point], from: Point, delta: Point) -> Option<Crossing> {
    let mut crossing = ALWAYS;
    for (a, b) in edges(points) {
        let normal = outward(a, b);
        let (outside, speed) = (normal.dot(from - a), normal.dot(delta));
        if speed == 0.0 {
            if outside >= 0.0 {
                return None;
            }
            continue;
        }
        let fraction = -outside / speed;
        if speed > 0.0 {
            crossing.leave = crossing.leave.min(fraction);
        } else if fraction > crossing.enter {
            crossing = Crossing { enter: fraction, normal, ..crossing };
        }
    }
    (crossing.enter < crossing.leave).then_some(crossing)
}

const ALWAYS: Crossing = Crossing { enter: f64::NEG_INFINITY, leave: f64::INFINITY, normal: Point::ZERO };

/// When a disc of `radius` touches the edge from `a` to `b` from its outer side, or the corner `a`.
fn edge_touch(a: Point, b: Point, from: Point, delta: Point, radius: f64) -> f64 {
    let corner = disc_touch(a, radius, from, delta);
    let (normal, along) = (outward(a, b), b - a);
    let outside = normal.dot(from - a);
    if outside <= 0.0 || !leads_in(delta, normal) {
        return corner;
    }
    // Not below 0: one that starts outside touches already if rounding says that it is inside.
    let fraction = ((outside - radius) / -normal.dot(delta)).max(0.0);
    let place = (from + delta * fraction - a).dot(along) / along.dot(along);
    if (-ENDS..=1.0 + ENDS).contains(&place) { corner.min(fraction) } else { corner }
}

/// When a point reaches the disc at `centre`; it starts outside.
fn disc_touch(centre: Point, radius: f64, from: Point, delta: Point) -> f64 {
    let offset = from - centre;
    if !leads_in(delta, offset / offset.length()) {
        return f64::INFINITY;
    }
    disc_crossing(centre, radius, from, delta).map_or(f64::INFINITY, |crossing| crossing.enter.max(0.0))
}
