//! Ground as convex pieces that meet edge to edge, flat or with heights: what is nearest, and what hangs together.

use super::boxes::{Bounds, Boxes, bounds};
use std::collections::BTreeMap;

/// No piece, no corner.
pub(super) const NONE: u32 = u32::MAX;
/// Pieces that hang together and are smaller than this (m²) come of rounding.
const SMALLEST_ISLAND: f64 = 1e-4;

/// Convex pieces, their insides on the left of their edges as (x, z).
#[derive(Debug)]
pub(super) struct Pieces {
    /// All corners, as (x, z).
    pub points: Vec<[f64; 2]>,
    /// Where the edges of each piece begin; one more at the end.
    starts: Vec<u32>,
    /// The corner at which an edge begins.
    pub corners: Vec<u32>,
    /// The piece beyond an edge.
    pub beyond: Vec<u32>,
    /// Whether a corner is on the border, so that a way may bend there.
    pub bends: Vec<bool>,
    /// Which pieces hang together; [`NONE`] for one that is too small for anybody.
    islands: Vec<u32>,
    boxes: Boxes,
}

/// A place on the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub at: [f64; 2],
    pub distance: f64,
    pub island: u32,
    pub piece: u32,
}

impl Pieces {
    /// The ground of these polygons, whose corners are numbers of points; those that share two neighbouring corners meet.
    pub fn new(points: Vec<[f64; 2]>, polygons: &[Vec<u32>]) -> Pieces {
        let mut pieces = Pieces {
            bends: vec![false; points.len()],
            points,
            starts: vec![0],
            corners: Vec::new(),
            beyond: Vec::new(),
            islands: Vec::new(),
            boxes: Boxes::default(),
        };
        for polygon in polygons {
            pieces.corners.extend(polygon);
            pieces.starts.push(pieces.corners.len() as u32);
        }
        pieces.meet();
        pieces.find_islands();
        let around = |piece| bounds(pieces.outline(piece));
        let boxes: Vec<Bounds> = (0..pieces.count()).map(around).collect();
        pieces.boxes = Boxes::new(&boxes);
        pieces
    }

    /// How many pieces there are.
    pub fn count(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The edges of a piece: numbers for `corners` and `beyond`.
    pub fn edges(&self, piece: u32) -> std::ops::Range<usize> {
        self.starts[piece as usize] as usize..self.starts[piece as usize + 1] as usize
    }

    /// The numbers of the corners at both ends of an edge of a piece.
    pub fn ends(&self, piece: u32, edge: usize) -> [u32; 2] {
        let edges = self.edges(piece);
        let after = if edge + 1 < edges.end { edge + 1 } else { edges.start };
        [self.corners[edge], self.corners[after]]
    }

    pub fn point(&self, corner: u32) -> [f64; 2] {
        self.points[corner as usize]
    }

    /// Both ends of an edge of a piece.
    pub fn line(&self, piece: u32, edge: usize) -> [[f64; 2]; 2] {
        self.ends(piece, edge).map(|corner| self.point(corner))
    }

    pub fn outline(&self, piece: u32) -> impl Iterator<Item = [f64; 2]> + Clone + '_ {
        self.corners[self.edges(piece)].iter().map(|corner| self.point(*corner))
    }

    pub fn island(&self, piece: u32) -> u32 {
        self.islands[piece as usize]
    }

    /// Whether anybody can stand anywhere.
    pub fn is_any(&self) -> bool {
        self.islands.iter().any(|island| *island != NONE)
    }

    /// Finds out which pieces are beyond which edges.
    fn meet(&mut self) {
        self.beyond = vec![NONE; self.corners.len()];
        let mut edges = BTreeMap::new();
        for piece in 0..self.count() {
            for edge in self.edges(piece) {
                let [a, b] = self.ends(piece, edge);
                if let Some((other, across)) = edges.insert((a, b), (piece, edge)) {
                    // Two pieces on one side of an edge: the first keeps it.
                    edges.insert((a, b), (other, across));
                } else if let Some((other, across)) = edges.get(&(b, a)).copied() {
                    (self.beyond[edge], self.beyond[across]) = (other, piece);
                }
            }
        }
        for piece in 0..self.count() {
            for edge in self.edges(piece).filter(|edge| self.beyond[*edge] == NONE) {
                for corner in self.ends(piece, edge) {
                    self.bends[corner as usize] = true;
                }
            }
        }
    }

    fn find_islands(&mut self) {
        let mut areas = super::areas::Areas::new(self.count() as usize);
        for piece in 0..self.count() {
            for edge in self.edges(piece).filter(|edge| self.beyond[*edge] != NONE) {
                areas.join(piece, self.beyond[edge]);
            }
        }
        self.islands = (0..self.count()).map(|piece| areas.of(piece)).collect();
        let mut sizes = BTreeMap::new();
        for piece in 0..self.count() {
            *sizes.entry(self.island(piece)).or_insert(0.0) += area(self.outline(piece));
        }
        for island in &mut self.islands {
            if sizes[island] < SMALLEST_ISLAND {
                *island = NONE;
            }
        }
    }

    /// The place nearest to `at` within `reach`, on `island` if that is given; of equally near ones that of the first piece.
    pub fn nearest(&self, at: [f64; 2], reach: f64, island: Option<u32>) -> Option<Spot> {
        self.nearest_by(at, reach, island, |spot| spot.distance)
    }

    /// The place that is nearest by a measure of its own, which is at least the distance on the plane.
    pub fn nearest_by(
        &self,
        at: [f64; 2],
        reach: f64,
        island: Option<u32>,
        measure: impl Fn(&Spot) -> f64,
    ) -> Option<Spot> {
        let mut best: Option<Spot> = None;
        self.boxes.near(at, reach, &mut |piece, reach| {
            let own = self.island(piece);
            if own == NONE || island.is_some_and(|island| island != own) {
                return reach;
            }
            let place = self.nearest_in(piece, at);
            let distance = distance(place, at);
            let mut spot = Spot { at: place, distance, island: own, piece };
            spot.distance = measure(&spot);
            let nearer = |best: Spot| (spot.distance, piece) < (best.distance, best.piece);
            if spot.distance > reach || !best.is_none_or(nearer) {
                return reach;
            }
            best = Some(spot);
            spot.distance
        });
        best
    }

    /// The place of a piece that is nearest to `at`: `at` itself when it is inside.
    pub fn nearest_in(&self, piece: u32, at: [f64; 2]) -> [f64; 2] {
        let mut inside = true;
        let mut best = (f64::INFINITY, at);
        for edge in self.edges(piece) {
            let [a, b] = self.line(piece, edge);
            let (along, offset) = (minus(b, a), minus(at, a));
            inside &= cross(along, offset) >= 0.0;
            let share = (dot(along, offset) / dot(along, along).max(1e-18)).clamp(0.0, 1.0);
            let place = [a[0] + along[0] * share, a[1] + along[1] * share];
            let away = distance(place, at);
            if away < best.0 {
                best = (away, place);
            }
        }
        if inside { at } else { best.1 }
    }
}

pub(super) fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Above 0 when `b` is to the left of `a`.
pub(super) fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub(super) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    let way = minus(a, b);
    libm::sqrt(dot(way, way))
}

fn area(corners: impl Iterator<Item = [f64; 2]> + Clone) -> f64 {
    let Some(first) = corners.clone().next() else { return 0.0 };
    let doubled: f64 =
        corners.clone().zip(corners.skip(1)).map(|(a, b)| cross(minus(a, first), minus(b, first))).sum();
    (doubled / 2.0).abs()
}
