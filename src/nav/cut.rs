//! What is left of an outline when holes are cut out: convex pieces that meet edge to edge.

use super::areas::Areas;
use crate::error::{Error, ErrorKind, Result};
use polyanya::geo::{self, BooleanOps, LineString, MultiPolygon};
use polyanya::{Mesh, Polygon, Vertex};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

/// A closed line as (x, z), without its first corner again at the end.
pub(super) type Ring = Vec<[f64; 2]>;

type Cut = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// The part of `outline` that is in none of the `holes`, which are convex with their insides on the left. `None` when nothing
/// is left.
///
/// # Errors
/// When there are more pieces than a mesh can number, or a coordinate is beyond all measure.
pub(super) fn cut(outline: &[[f64; 2]], holes: &[Ring]) -> Result<Option<Mesh>> {
    let mut cut = Cut::new();
    // Rings that cross each other are cut first: a triangulation that has to do it may bend lines by centimetres.
    for part in left_of(outline, holes) {
        let rings = std::iter::once(part.exterior()).chain(part.interiors());
        rings.into_iter().try_for_each(|ring| add_ring(&mut cut, ring))?;
    }
    let free = free_faces(&cut, outline, holes);
    let polygons: Vec<_> = cut
        .inner_faces()
        .filter(|face| free[face.index()] != u32::MAX)
        .map(|face| Polygon::new(face.vertices().map(|vertex| vertex.index() as u32).to_vec(), false))
        .collect();
    if polygons.is_empty() {
        return Ok(None);
    }
    let vertices = cut.vertices().map(|vertex| {
        let around = vertex.out_edges().map(|edge| free[edge.face().index()]).collect();
        let at = vertex.position();
        Vertex::new(polyanya_point(at), neighbours(around))
    });
    let mut mesh = Mesh::new(vertices.collect(), polygons).map_err(|error| {
        Error::new(ErrorKind::OutOfRange, format!("the ground cannot be a mesh: {error}"))
    })?;
    mesh.merge_polygons();
    Ok(Some(mesh))
}

fn polyanya_point(at: Point2<f64>) -> glam::Vec2 {
    glam::Vec2::new(at.x as f32, at.y as f32)
}

/// What the holes leave of the outline: polygons whose rings cross neither each other nor themselves.
fn left_of(outline: &[[f64; 2]], holes: &[Ring]) -> MultiPolygon<f64> {
    let polygon = |ring: &[[f64; 2]]| geo::Polygon::new(LineString::from(ring.to_vec()), Vec::new());
    let holes: Vec<_> = holes.iter().map(|hole| polygon(hole)).collect();
    polygon(outline).difference(&geo::unary_union(&holes))
}

/// Adds a ring whose last corner is its first again.
fn add_ring(cut: &mut Cut, ring: &LineString<f64>) -> Result<()> {
    let mut last = None;
    for at in &ring.0 {
        let vertex = cut.insert(Point2::new(at.x, at.y)).map_err(|_| {
            Error::new(ErrorKind::OutOfRange, format!("the ground cannot reach to ({}, {})", at.x, at.y))
        })?;
        if let Some(last) = last.filter(|last| *last != vertex) {
            cut.add_constraint_and_split(last, vertex, |between| between);
        }
        last = Some(vertex);
    }
    Ok(())
}

/// The polygons round a vertex, as the search wants them: without repeats, and a gap never first.
fn neighbours(mut around: Vec<u32>) -> Vec<u32> {
    let Some(first) = around.iter().position(|face| *face != u32::MAX) else { return vec![u32::MAX] };
    around.rotate_left(first);
    around.dedup();
    around
}

/// For each face the number that it gets among those that are free, or `u32::MAX`.
///
/// Faces that no line parts are one area, and its largest face speaks for all: the smallest are slivers between lines that
/// all but meet, whose middle may lie on either side by rounding.
fn free_faces(cut: &Cut, outline: &[[f64; 2]], holes: &[Ring]) -> Vec<u32> {
    let mut areas = Areas::new(cut.num_all_faces());
    for edge in cut.undirected_edges().filter(|edge| !edge.is_constraint_edge()) {
        let [a, b] = edge.as_directed().map_sides();
        areas.join(a, b);
    }
    let mut largest: Vec<Option<(f64, [f64; 2])>> = vec![None; cut.num_all_faces()];
    for face in cut.inner_faces() {
        let (size, middle) = (face.area(), face.center());
        let speaks = &mut largest[areas.of(face.index() as u32) as usize];
        if speaks.is_none_or(|(known, _)| size > known) {
            *speaks = Some((size, [middle.x, middle.y]));
        }
    }
    let is_free =
        |(_, at): (f64, [f64; 2])| inside(outline, at) && !holes.iter().any(|hole| inside_convex(hole, at));
    let free: Vec<bool> = largest.into_iter().map(|speaks| speaks.is_some_and(is_free)).collect();
    let mut numbers = vec![u32::MAX; cut.num_all_faces()];
    let mut next = 0;
    for face in cut.inner_faces() {
        if free[areas.of(face.index() as u32) as usize] {
            numbers[face.index()] = next;
            next += 1;
        }
    }
    numbers
}

/// The two faces beside an edge.
trait Sides {
    fn map_sides(&self) -> [u32; 2];
}

impl<V, DE, UE, F> Sides for spade::handles::DirectedEdgeHandle<'_, V, DE, UE, F> {
    fn map_sides(&self) -> [u32; 2] {
        [self.face().index() as u32, self.rev().face().index() as u32]
    }
}

/// Whether a point is in a ring of any form: an odd number of its edges is to the right.
pub(super) fn inside(ring: &[[f64; 2]], [x, z]: [f64; 2]) -> bool {
    let ends = ring.iter().zip(ring.iter().cycle().skip(1));
    let crossed = ends
        .filter(|(a, b)| (a[1] > z) != (b[1] > z) && x < (b[0] - a[0]) * (z - a[1]) / (b[1] - a[1]) + a[0]);
    crossed.count() % 2 == 1
}

fn inside_convex(ring: &[[f64; 2]], [x, z]: [f64; 2]) -> bool {
    let mut ends = ring.iter().zip(ring.iter().cycle().skip(1));
    ends.all(|(a, b)| (b[0] - a[0]) * (z - a[1]) - (b[1] - a[1]) * (x - a[0]) > 0.0)
}
