//! How a [`Grid`](super::Grid) lays its cells: a window over the bulk of the points, of bounded cell count.
//!
//! What lies outside the window is clamped into its border cells. The clamp never swaps two coordinates, and
//! queries clamp alike, so a query's block of cells holds every point that the query can find, wherever it is.

use super::{Metric, Shape};
use crate::math::{Vec3, vec3};

/// The edge of a cell in metres where the one asked for is not a number above 0: 2 m.
pub const DEFAULT_CELL: f32 = 2.0;
/// The smallest edge of a cell: 1 mm; smaller ones count as this.
pub const SMALLEST_CELL: f32 = 1e-3;
/// How far from 0 a coordinate may lie: 1e18 m, so that squares of distances stay finite. What is farther is
/// treated like what is not finite: never found.
pub const FARTHEST: f32 = 1e18;

/// How many points per axis are looked at to find where the bulk of them is.
pub(super) const SAMPLE: usize = 256;
/// One sixteenth of the sample on each side is taken to be outliers.
const TRIM: usize = 16;

/// Whether `position` can be found at all.
#[inline]
pub(super) fn indexable(position: Vec3) -> bool {
    // Written so that a NaN fails.
    position.abs().cmple(Vec3::splat(FARTHEST)).all()
}

/// The most cells that a grid of `count` points may have.
pub(super) fn budget(count: usize) -> usize {
    count.saturating_mul(4).saturating_add(64).min(1 << 28)
}

/// Into how many columns a cell is split along x: the first for which there are cells enough. With four, looking up the cells of a
/// hundred thousand points costs more than it saves.
const SPLITS: [u32; 2] = [2, 1];

/// A block of cells, both ends included, as (x, y, z).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Block {
    pub low: [u32; 3],
    pub high: [u32; 3],
}

#[derive(Clone, Debug)]
pub(super) struct Frame {
    origin: Vec3,
    inverse: Vec3,
    /// The edges of a cell, m. Along x it is `split` times as narrow as along the others: a row of cells is one piece, and so
    /// narrow cells cut what is looked at in vain from its ends at no cost.
    pub edges: Vec3,
    split: u32,
    /// How many cells there are along (x, y, z), each at least 1.
    pub dims: [u32; 3],
}

impl Default for Frame {
    fn default() -> Self {
        Self::of(Vec3::ZERO, DEFAULT_CELL, 1, [1; 3])
    }
}

impl Frame {
    /// The frame for `positions`, with cells of `cell` metres or, where that would be too many, larger ones.
    pub fn choose(positions: &[Vec3], cell: f32, shape: Shape, sample: &mut Vec<f32>) -> Frame {
        let mut cell = sound(cell);
        let Some(all) = extent(positions) else {
            return Frame::of(Vec3::ZERO, cell, 1, [1; 3]);
        };
        let budget = budget(positions.len());
        if let Some(frame) = Frame::fit(all, cell, shape, budget) {
            return frame;
        }
        let bulk = bulk(positions, all, sample);
        loop {
            match Frame::fit(bulk, cell, shape, budget) {
                Some(frame) => return frame,
                None => cell *= 1.25,
            }
        }
    }

    fn of(origin: Vec3, cell: f32, split: u32, dims: [u32; 3]) -> Frame {
        let edges = vec3(cell / split as f32, cell, cell);
        Frame { origin, inverse: 1.0 / edges, edges, split, dims }
    }

    /// The narrowest cells for the box that keep to the budget, if any do.
    fn fit((low, high): (Vec3, Vec3), cell: f32, shape: Shape, budget: usize) -> Option<Frame> {
        SPLITS.into_iter().find_map(|split| {
            let edge = f64::from(cell);
            let count = |axis: usize, edge: f64| {
                ((f64::from(high[axis]) - f64::from(low[axis])) / edge).floor() + 1.0
            };
            let y = if shape == Shape::Ground { 1.0 } else { count(1, edge) };
            let counts = [count(0, edge / f64::from(split)), y, count(2, edge)];
            let fits = counts.iter().product::<f64>() <= budget as f64;
            fits.then(|| Frame::of(low, cell, split, counts.map(|count| count as u32)))
        })
    }

    /// How many cells there are.
    pub fn count(&self) -> usize {
        self.dims.iter().map(|&count| count as usize).product()
    }

    /// The cell of a place, as (x, y, z).
    #[inline]
    pub fn cell_of(&self, position: Vec3) -> [u32; 3] {
        let scaled = (position - self.origin) * self.inverse;
        // A cast to u32 takes what is below 0 to 0 and what is too large to the largest: the lower clamp for free.
        [
            (scaled.x as u32).min(self.dims[0] - 1),
            (scaled.y as u32).min(self.dims[1] - 1),
            (scaled.z as u32).min(self.dims[2] - 1),
        ]
    }

    /// The number of the cell (x, 0 or y, z): cells that follow each other along x have numbers that do.
    #[inline]
    pub fn number(&self, [x, y, z]: [u32; 3]) -> usize {
        ((y * self.dims[2] + z) * self.dims[0] + x) as usize
    }

    /// The cells in which everything within `radius` of `centre` lies.
    pub fn block(&self, centre: Vec3, radius: f32, metric: Metric) -> Block {
        // A little more than the radius, for what rounding does to offsets and squares.
        let rounding = (centre.abs().max_element() + radius) * (4.0 * f32::EPSILON) + 1e-18;
        let reach = Vec3::splat(radius + rounding);
        self.whole_height(
            Block { low: self.cell_of(centre - reach), high: self.cell_of(centre + reach) },
            metric,
        )
    }

    /// The cell of `centre` and those around it.
    pub fn surroundings(&self, centre: Vec3, metric: Metric) -> Block {
        let cell = self.cell_of(centre);
        self.grown(self.whole_height(Block { low: cell, high: cell }, metric))
    }

    /// `block` and as many more cells on each side, where there are any, as make about the same way along all axes.
    pub fn grown(&self, block: Block) -> Block {
        let mut grown = block;
        for (axis, by) in [self.split, 1, 1].into_iter().enumerate() {
            grown.low[axis] = block.low[axis].saturating_sub(by);
            grown.high[axis] = (block.high[axis] + by).min(self.dims[axis] - 1);
        }
        grown
    }

    fn whole_height(&self, mut block: Block, metric: Metric) -> Block {
        if metric == Metric::Ground {
            (block.low[1], block.high[1]) = (0, self.dims[1] - 1);
        }
        block
    }

    /// A distance that nothing outside `block` is nearer to `centre` than; infinite when nothing is outside.
    pub fn clearance(&self, block: &Block, centre: Vec3) -> f32 {
        let mut clearance = f32::INFINITY;
        let mut largest = centre.abs().max_element();
        for axis in 0..3 {
            let edge = |number: u32| self.origin[axis] + number as f32 * self.edges[axis];
            if block.low[axis] > 0 {
                clearance = clearance.min(centre[axis] - edge(block.low[axis]));
            }
            if block.high[axis] + 1 < self.dims[axis] {
                clearance = clearance.min(edge(block.high[axis] + 1) - centre[axis]);
            }
            largest = largest.max(self.origin[axis].abs()).max(self.dims[axis] as f32 * self.edges[axis]);
        }
        // Edges and the cells of points are rounded differently.
        clearance - largest * (16.0 * f32::EPSILON)
    }
}

fn sound(cell: f32) -> f32 {
    if cell.is_finite() && cell > 0.0 { cell.max(SMALLEST_CELL) } else { DEFAULT_CELL }
}

fn extent(positions: &[Vec3]) -> Option<(Vec3, Vec3)> {
    let mut low = Vec3::INFINITY;
    let mut high = Vec3::NEG_INFINITY;
    for &position in positions.iter().filter(|position| indexable(**position)) {
        low = low.min(position);
        high = high.max(position);
    }
    (low.x <= high.x).then_some((low, high))
}

/// The box in which most of `positions` lie: the middle of a sample on each axis, with a quarter added on both sides.
fn bulk(positions: &[Vec3], all: (Vec3, Vec3), sample: &mut Vec<f32>) -> (Vec3, Vec3) {
    let (mut low, mut high) = all;
    let stride = positions.len().div_ceil(SAMPLE);
    for axis in 0..3 {
        sample.clear();
        let taken = positions.iter().step_by(stride).filter(|position| indexable(**position));
        sample.extend(taken.map(|position| position[axis]));
        sample.sort_unstable_by(f32::total_cmp);
        let Some(last) = sample.len().checked_sub(1) else { return all };
        let (first, last) = (sample[last / TRIM], sample[last - last / TRIM]);
        let margin = (last - first) / 4.0;
        low[axis] = low[axis].max(first - margin);
        high[axis] = high[axis].min(last + margin);
    }
    (low, high)
}
