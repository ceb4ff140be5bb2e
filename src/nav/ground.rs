//! The mesh of one radius: the nearest place of it, and ways on it.

use super::cut::{Areas, Ring, cut};
use crate::error::Result;
use glam::Vec2;
use polyanya::{Coords, Mesh};
use std::collections::BTreeMap;

/// Where the middle of a body of one radius can be.
#[derive(Debug)]
pub(super) struct Ground {
    /// The radius it is made for, m.
    pub radius: f32,
    mesh: Mesh,
    /// The corners of all pieces, and where those of each begin; one more at the end.
    corners: Vec<[f64; 2]>,
    starts: Vec<u32>,
    /// Low x, low z, high x, high z of each piece.
    boxes: Vec<[f64; 4]>,
    /// Which pieces hang together; `u32::MAX` for one that is too small for anybody.
    islands: Vec<u32>,
}

/// A place on the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub at: [f64; 2],
    pub distance: f64,
    pub island: u32,
    piece: u32,
}

/// Pieces that hang together and are smaller than this (m²) come of rounding.
const SMALLEST_ISLAND: f64 = 1e-4;

impl Ground {
    /// The mesh for bodies of `radius`; `None` when they have no room.
    pub fn new(radius: f32, outline: &[[f64; 2]], holes: &[Ring]) -> Result<Option<Ground>> {
        let Some(mesh) = cut(outline, holes)? else { return Ok(None) };
        let mut ground = Ground {
            radius,
            corners: Vec::new(),
            starts: vec![0],
            boxes: Vec::new(),
            islands: islands(&mesh),
            mesh,
        };
        let layer = &ground.mesh.layers[0];
        for piece in &layer.polygons {
            let corners = piece.vertices.iter().map(|vertex| layer.vertices[*vertex as usize].coords);
            let from = ground.corners.len();
            ground.corners.extend(corners.map(|at| [f64::from(at.x), f64::from(at.y)]));
            ground.boxes.push(bounds(&ground.corners[from..]));
            ground.starts.push(ground.corners.len() as u32);
        }
        ground.drop_slivers();
        let any = ground.islands.iter().any(|island| *island != u32::MAX);
        Ok(any.then_some(ground))
    }

    /// How many convex pieces it has.
    pub fn pieces(&self) -> usize {
        self.boxes.len()
    }

    fn piece(&self, piece: usize) -> &[[f64; 2]] {
        &self.corners[self.starts[piece] as usize..self.starts[piece + 1] as usize]
    }

    fn drop_slivers(&mut self) {
        let mut sizes = BTreeMap::new();
        for piece in 0..self.pieces() {
            *sizes.entry(self.islands[piece]).or_insert(0.0) += area(self.piece(piece));
        }
        for island in &mut self.islands {
            if sizes[island] < SMALLEST_ISLAND {
                *island = u32::MAX;
            }
        }
    }

    /// The place nearest to `at` within `reach`, on `island` if that is given; of equally near ones that of the first piece.
    pub fn nearest(&self, at: [f64; 2], reach: f64, island: Option<u32>) -> Option<Spot> {
        let mut best: Option<Spot> = None;
        for (number, bounds) in self.boxes.iter().enumerate() {
            let own = self.islands[number];
            let limit = best.map_or(reach, |best| best.distance);
            if own == u32::MAX || island.is_some_and(|island| island != own) || outside(bounds, at) > limit {
                continue;
            }
            let place = nearest_in(self.piece(number), at);
            let distance = libm::hypot(place[0] - at[0], place[1] - at[1]);
            if distance <= reach && best.is_none_or(|best| distance < best.distance) {
                best = Some(Spot { at: place, distance, island: own, piece: number as u32 });
                if distance == 0.0 {
                    break;
                }
            }
        }
        best
    }

    /// Hands the corners of the shortest way to `corner`, the end included; says whether one was found. Both are on one island.
    pub fn way(&self, from: &Spot, to: &Spot, corner: impl FnMut([f64; 2])) -> bool {
        let (Some(start), Some(end)) = (self.coords(from), self.coords(to)) else { return false };
        let Some(path) = self.mesh.path(start, end) else { return false };
        if path.path.iter().any(|at| !at.is_finite()) {
            return false;
        }
        path.path.iter().map(|at| [f64::from(at.x), f64::from(at.y)]).for_each(corner);
        true
    }

    /// The place as the search knows it: nudged towards the middle of its piece when it lies a hair outside by rounding.
    fn coords(&self, spot: &Spot) -> Option<Coords> {
        let piece = self.piece(spot.piece as usize);
        let count = piece.len() as f64;
        let sum = piece.iter().fold([0.0, 0.0], |sum, at| [sum[0] + at[0], sum[1] + at[1]]);
        let inwards = [sum[0] / count - spot.at[0], sum[1] / count - spot.at[1]];
        let length = libm::hypot(inwards[0], inwards[1]).max(1e-9);
        [0.0, 1e-4, 1e-3].into_iter().find_map(|by: f64| {
            let share = by.min(length) / length;
            let at =
                Vec2::new((spot.at[0] + inwards[0] * share) as f32, (spot.at[1] + inwards[1] * share) as f32);
            self.mesh.get_point_layer(at).into_iter().find(|found| {
                // A point on an edge is on both pieces beside it: only an island counts.
                let piece = (found.polygon() & 0x00ff_ffff) as usize;
                self.islands.get(piece) == Some(&spot.island)
            })
        })
    }
}

/// The number of the island of each piece: pieces with an edge in common hang together, those that touch in a corner do not.
fn islands(mesh: &Mesh) -> Vec<u32> {
    let pieces = &mesh.layers[0].polygons;
    let mut areas = Areas((0..pieces.len() as u32).collect());
    let mut edges = BTreeMap::new();
    for (number, piece) in pieces.iter().enumerate() {
        for (a, b) in piece.vertices.iter().zip(piece.vertices.iter().cycle().skip(1)) {
            let other = *edges.entry((*a.min(b), *a.max(b))).or_insert(number as u32);
            areas.join(other, number as u32);
        }
    }
    (0..pieces.len() as u32).map(|piece| areas.of(piece)).collect()
}

pub(super) fn bounds(corners: &[[f64; 2]]) -> [f64; 4] {
    let none = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    corners
        .iter()
        .fold(none, |all, at| [all[0].min(at[0]), all[1].min(at[1]), all[2].max(at[0]), all[3].max(at[1])])
}

/// How far a point is outside of a box.
fn outside(bounds: &[f64; 4], at: [f64; 2]) -> f64 {
    let x = (bounds[0] - at[0]).max(at[0] - bounds[2]).max(0.0);
    let z = (bounds[1] - at[1]).max(at[1] - bounds[3]).max(0.0);
    libm::hypot(x, z)
}

fn area(corners: &[[f64; 2]]) -> f64 {
    let ends = corners.iter().zip(corners.iter().cycle().skip(1));
    let doubled: f64 = ends
        .map(|(a, b)| {
            (a[0] - corners[0][0]) * (b[1] - corners[0][1]) - (b[0] - corners[0][0]) * (a[1] - corners[0][1])
        })
        .sum();
    (doubled / 2.0).abs()
}

/// The place of a convex polygon, its inside on the left, that is nearest to `at`: `at` itself when it is inside.
fn nearest_in(corners: &[[f64; 2]], at: [f64; 2]) -> [f64; 2] {
    let mut inside = true;
    let mut best = (f64::INFINITY, at);
    for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let (edge, offset) = ([b[0] - a[0], b[1] - a[1]], [at[0] - a[0], at[1] - a[1]]);
        inside &= edge[0] * offset[1] - edge[1] * offset[0] >= 0.0;
        let square = (edge[0] * edge[0] + edge[1] * edge[1]).max(1e-18);
        let share = ((edge[0] * offset[0] + edge[1] * offset[1]) / square).clamp(0.0, 1.0);
        let place = [a[0] + edge[0] * share, a[1] + edge[1] * share];
        let distance = libm::hypot(place[0] - at[0], place[1] - at[1]);
        if distance < best.0 {
            best = (distance, place);
        }
    }
    if inside { at } else { best.1 }
}
