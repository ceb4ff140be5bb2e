//! From triangles to a floor: convex polygons on which the middle of a body can be, with their heights, by the crate `rerecast`.
//!
//! The triangles are filled into columns of cells. Where a column has a top that is flat enough, with room for a body above it, one can
//! stand; tops of neighbouring columns that differ by no more than a step hang together, and what is nearer than a radius
//! to where they do not is taken away. The rest is cut into polygons.

use super::boxes::{Boxes, bounds};
use super::terrain::TerrainDesc;
use crate::error::{Error, ErrorKind, Result};
use crate::math::{Vec3, vec3};
use glam::{UVec3, Vec3A};
use rerecast::{
    Aabb3d, AreaType, BuildContoursFlags, CompactHeightfield, DetailNavmesh, HeightfieldBuilder,
    PolygonNavmesh, TriMesh,
};

/// More cells than this (seen from above) take more memory than they are worth.
const MOST_CELLS: f32 = 16e6;

/// Polygons with heights.
#[derive(Debug, Default)]
pub(super) struct Floor {
    pub points: Vec<Vec3>,
    /// Numbers of points, the inside on the left, as (x, z).
    pub polygons: Vec<Vec<u32>>,
    /// The triangles of each polygon, from which heights are taken, and where those of each polygon begin; one more at the end.
    fine: Vec<[Vec3; 3]>,
    starts: Vec<u32>,
    /// The triangles that are flat enough to stand on, as they were given, and where they are.
    given: Vec<[Vec3; 3]>,
    boxes: Boxes,
    /// By how much the heights of polygons may differ from those of the triangles they are made of, m.
    rough: f32,
    pub cell: f32,
}

impl Floor {
    /// The height of the ground at (x, z), on a polygon: that of the given triangle which is nearest to the polygon's own
    /// height, or that height itself where none is near.
    pub fn height(&self, polygon: u32, at: [f64; 2]) -> f32 {
        let rough = self.rough_height(polygon, at);
        let mut best = (self.rough, rough);
        self.boxes.near(at, 0.0, &mut |number, reach| {
            let (inside, height) = height_in(&self.given[number as usize], at);
            let away = (height as f32 - rough).abs();
            if inside >= -1e-6 && (away < best.0 || (away == best.0 && height as f32 > best.1)) {
                best = (away, height as f32);
            }
            reach
        });
        best.1
    }

    /// The height of a polygon, which is true to a cell or two.
    fn rough_height(&self, polygon: u32, at: [f64; 2]) -> f32 {
        let (from, to) = (self.starts[polygon as usize] as usize, self.starts[polygon as usize + 1] as usize);
        let mut best = (f64::NEG_INFINITY, 0.0);
        for triangle in &self.fine[from..to] {
            let (inside, height) = height_in(triangle, at);
            if inside > best.0 {
                best = (inside, height);
            }
        }
        best.1 as f32
    }
}

/// How far inside of a triangle (x, z) is, as a share of it, below 0 outside; and the triangle's height there.
fn height_in(triangle: &[Vec3; 3], at: [f64; 2]) -> (f64, f64) {
    let [a, b, c] = triangle.map(|corner| [f64::from(corner.x), f64::from(corner.z), f64::from(corner.y)]);
    let whole = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    if whole.abs() < 1e-9 {
        return (f64::NEG_INFINITY, 0.0);
    }
    let share = |p: [f64; 3], q: [f64; 3]| {
        ((p[0] - at[0]) * (q[1] - at[1]) - (q[0] - at[0]) * (p[1] - at[1])) / whole
    };
    let (of_a, of_b) = (share(b, c), share(c, a));
    let of_c = 1.0 - of_a - of_b;
    let inside = of_a.min(of_b).min(of_c);
    // Outside one goes on at the height of the nearest corner or side, and not up and up.
    let shares = [of_a, of_b, of_c].map(|share| share.max(0.0));
    let sum = shares[0] + shares[1] + shares[2];
    (inside, (a[2] * shares[0] + b[2] * shares[1] + c[2] * shares[2]) / sum)
}

/// The floor for bodies of one radius.
pub(super) fn floor(
    points: &[Vec3],
    triangles: &[[u32; 3]],
    desc: &TerrainDesc,
    radius: f32,
) -> Result<Floor> {
    let cell = desc.cell.unwrap_or(radius / 3.0);
    let tall = (cell * 0.5).min(desc.height / 3.0);
    let cells = |metres: f32| libm::ceilf(metres / tall - 1e-3).clamp(0.0, 60_000.0) as u16;
    let (height, climb) =
        (cells(desc.height).max(3), libm::floorf(desc.climb / tall + 1e-3).min(60_000.0) as u16);
    let aabb = around(points, triangles, cell, tall);
    let (wide, deep) = ((aabb.max.x - aabb.min.x) / cell, (aabb.max.z - aabb.min.z) / cell);
    let high = (aabb.max.y - aabb.min.y) / tall;
    if wide.max(deep).max(high) > 60_000.0 || wide * deep > MOST_CELLS {
        let message =
            format!("the ground would have {wide:.0} by {deep:.0} cells of {cell} m, {high:.0} high");
        return Err(Error::new(ErrorKind::OutOfRange, message).hint("make the cell of the terrain larger"));
    }
    let failed =
        |what: &str| Error::new(ErrorKind::OutOfRange, format!("the ground cannot be a mesh: {what}"));
    let mut field = HeightfieldBuilder { aabb, cell_size: cell, cell_height: tall }
        .build()
        .map_err(|error| failed(&error.to_string()))?;
    field
        .populate_from_trimesh(soup(points, triangles, desc.slope), height, climb)
        .map_err(|error| failed(&error.to_string()))?;
    let mut field = field.into_compact(height, climb).map_err(|error| failed(&error.to_string()))?;
    let by = libm::ceilf(radius / cell - 1e-3).clamp(1.0, 255.0) as u16;
    field.erode_walkable_area(by);
    field.build_distance_field();
    field.build_regions(0, 16, 400).map_err(|error| failed(&error.to_string()))?;
    let mut floor = polygons(&field, by, cell, tall).map_err(|error| failed(&error))?;
    floor.given = flat_enough(points, triangles, desc.slope);
    let around = |triangle: &[Vec3; 3]| bounds(triangle.map(|at| [f64::from(at.x), f64::from(at.z)]));
    floor.boxes = Boxes::new(&floor.given.iter().map(around).collect::<Vec<_>>());
    floor.rough = desc.climb + 3.0 * tall;
    Ok(floor)
}

fn flat_enough(points: &[Vec3], triangles: &[[u32; 3]], slope: f32) -> Vec<[Vec3; 3]> {
    let corners = triangles.iter().map(|triangle| triangle.map(|number| points[number as usize]));
    corners.filter(|triangle| up(triangle) > libm::cosf(slope.to_radians())).collect()
}

/// How far up, or down, a triangle faces: 1 when it is level.
fn up([a, b, c]: &[Vec3; 3]) -> f32 {
    (*b - *a).cross(*c - *a).normalize_or_zero().y.abs()
}

/// The polygons of a field of columns.
fn polygons(field: &CompactHeightfield, by: u16, cell: f32, tall: f32) -> std::result::Result<Floor, String> {
    let contours = field.build_contours(1.3, by.saturating_mul(24), BuildContoursFlags::DEFAULT);
    let mesh = contours.into_polygon_mesh(6).map_err(|error| error.to_string())?;
    let fine =
        DetailNavmesh::new(&mesh, field, (6.0 * cell).max(0.9), tall).map_err(|error| error.to_string())?;
    let corner = &mesh.aabb.min;
    let points = mesh.vertices.iter().map(|at| {
        let across = |cells: u16| f32::from(cells) * cell;
        vec3(corner.x + across(at.x), corner.y + f32::from(at.y) * tall, corner.z + across(at.z))
    });
    let mut floor = Floor { points: points.collect(), starts: vec![0], cell, ..Floor::default() };
    for (number, polygon) in mesh.polygons().enumerate() {
        let polygon: Vec<u32> = polygon.map(u32::from).collect();
        floor.add(&mesh, &fine, number, polygon);
    }
    Ok(floor)
}

impl Floor {
    fn add(&mut self, mesh: &PolygonNavmesh, fine: &DetailNavmesh, number: usize, mut polygon: Vec<u32>) {
        let (Some(area), Some(part)) = (mesh.areas.get(number), fine.meshes.get(number)) else { return };
        if !area.is_walkable() || polygon.len() < 3 {
            return;
        }
        if self.turn(&polygon) < 0.0 {
            polygon.reverse();
        }
        self.polygons.push(polygon);
        let triangles = fine.triangles.iter().skip(part.base_triangle_index as usize);
        for triangle in triangles.take(part.triangle_count as usize) {
            let at = triangle
                .map(|corner| fine.vertices.get(part.base_vertex_index as usize + usize::from(corner)));
            if let [Some(a), Some(b), Some(c)] = at {
                self.fine.push([*a, *b, *c]);
            }
        }
        self.starts.push(self.fine.len() as u32);
    }

    /// Above 0 when the inside is on the left.
    fn turn(&self, polygon: &[u32]) -> f64 {
        let at = |number: u32| self.points[number as usize].as_dvec3();
        let ends = polygon.iter().zip(polygon.iter().cycle().skip(1));
        ends.map(|(a, b)| at(*a).x * at(*b).z - at(*b).x * at(*a).z).sum()
    }
}

/// The box round the triangles and a cell more: `rerecast` cannot bear an empty one.
fn around(points: &[Vec3], triangles: &[[u32; 3]], cell: f32, tall: f32) -> Aabb3d {
    let corners = triangles.iter().flatten().map(|number| points[*number as usize]);
    let (low, high) =
        corners.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
    let room = vec3(cell, tall, cell);
    Aabb3d { min: low - room, max: high + room }
}

/// The triangles as `rerecast` takes them, those that are flat enough marked.
fn soup(points: &[Vec3], triangles: &[[u32; 3]], slope: f32) -> TriMesh {
    let steepest = libm::cosf(slope.to_radians());
    let mut soup = TriMesh {
        vertices: points.iter().map(|at| Vec3A::from(*at)).collect(),
        indices: Vec::with_capacity(triangles.len()),
        area_types: Vec::with_capacity(triangles.len()),
    };
    for triangle in triangles {
        let up = up(&triangle.map(|number| points[number as usize]));
        soup.indices.push(UVec3::from_array(*triangle));
        soup.area_types.push(if up > steepest { AreaType::DEFAULT_WALKABLE } else { AreaType::NOT_WALKABLE });
    }
    soup
}
