//! The neighbour index: points sorted by cell, rebuilt each tick into the same buffers.

use super::Shape;
use super::frame::{Block, Frame, SAMPLE, budget, indexable};
use crate::math::{Vec3, room};
use std::ops::Range;

/// A point in the index: where it is, and its place in the slice that the index was built from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Record {
    /// Where it is.
    pub position: Vec3,
    /// Its place in the slice of positions.
    pub index: u32,
}

/// An index of points for neighbour queries, rebuilt from scratch each tick.
///
/// All queries are exact, whatever the cell size: a cell near the usual radius of the queries is fastest, too
/// small ones cost visits of empty cells, too large ones cost distances. The memory is bounded by the number of
/// points, not by how far they are spread: a body at 1 000 km costs nothing but itself. Positions that are not
/// finite, or farther than [`FARTHEST`](super::FARTHEST) from 0 on an axis, are left out and never found.
///
/// ```
/// use warband::math::vec3;
/// use warband::space::{Grid, Shape};
/// let positions = [vec3(0.0, 0.0, 0.0), vec3(3.0, 0.0, 0.0), vec3(-40.0, 0.0, 9.0)];
/// let mut grid = Grid::default();
/// grid.rebuild(&positions, 2.0, Shape::Ground);
/// let mut found = Vec::new();
/// grid.within(vec3(1.0, 0.0, 0.0), 2.0, &mut found);
/// assert_eq!(found, [0, 1]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Grid {
    pub(super) frame: Frame,
    records: Vec<Record>,
    starts: Vec<u32>,
    cells: Vec<u32>,
    sample: Vec<f32>,
}

impl Grid {
    /// Indexes `positions` (fewer than 2³² − 1) anew, with cells of `cell` metres along y and z, and along x of half of that
    /// where there are cells enough.
    ///
    /// A `cell` that is not a finite number above 0 counts as [`DEFAULT_CELL`](super::DEFAULT_CELL), one below
    /// [`SMALLEST_CELL`](super::SMALLEST_CELL) as that. There are at most four cells per point and 64 more: where
    /// `cell` would make more, the window of cells shrinks to the bulk of the points and then the cells grow.
    /// Allocates only when there are more positions than ever before.
    pub fn rebuild(&mut self, positions: &[Vec3], cell: f32, shape: Shape) {
        self.reserve(positions.len());
        self.frame = Frame::choose(positions, cell, shape, &mut self.sample);
        self.count(positions);
        self.place(positions);
    }

    fn reserve(&mut self, count: usize) {
        // Room for as many cells as there can ever be, so that bodies that spread out cost no allocation later.
        self.starts.clear();
        self.starts.reserve(budget(count) + 3);
        self.cells.clear();
        self.cells.reserve(count);
        self.sample.clear();
        self.sample.reserve(SAMPLE);
    }

    /// Counts the points of each cell; those left out go into one more cell behind the last.
    fn count(&mut self, positions: &[Vec3]) {
        let nowhere = self.frame.count();
        self.starts.resize(nowhere + 3, 0);
        for &position in positions {
            let cell = match indexable(position) {
                true => self.frame.number(self.frame.cell_of(position)),
                false => nowhere,
            };
            self.cells.push(cell as u32);
            // Two further on: summing makes it the start of the next cell, placing moves it back by one.
            self.starts[cell + 2] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
    }

    fn place(&mut self, positions: &[Vec3]) {
        self.records.resize(positions.len(), Record::default());
        for (index, (&position, &cell)) in positions.iter().zip(&self.cells).enumerate() {
            let next = &mut self.starts[cell as usize + 1];
            self.records[*next as usize] = Record { position, index: index as u32 };
            *next += 1;
        }
        let nowhere = self.frame.count();
        self.starts.truncate(nowhere + 1);
        self.records.truncate(self.starts[nowhere] as usize);
    }

    /// The bytes that it holds outside of itself.
    pub fn bytes(&self) -> usize {
        room(&self.records) + room(&self.starts) + room(&self.cells) + room(&self.sample)
    }

    /// The points in the order of their cells, and of their indices within a cell.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Where the records of each cell start, and at the end how many records there are; empty before the first
    /// [`rebuild`](Grid::rebuild). Cell (x, y, z) is number `(y · dims[2] + z) · dims[0] + x`.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// How many cells there are along (x, y, z), each at least 1; 1 along y for [`Shape::Ground`].
    pub fn dims(&self) -> [u32; 3] {
        self.frame.dims
    }

    /// The longest edge of a cell in metres: what was asked for, or more (see [`rebuild`](Grid::rebuild)).
    pub fn cell(&self) -> f32 {
        self.frame.edges.z
    }

    /// The cell (x, y, z) of `position`; what lies outside the window of cells belongs to the nearest border cell.
    pub fn cell_of(&self, position: Vec3) -> [u32; 3] {
        self.frame.cell_of(position)
    }

    /// The records of the cells from (`first`, y, z) to (`last`, y, z), both included: one piece of [`records`](Grid::records).
    ///
    /// Empty when there are no such cells.
    #[inline]
    pub fn row(&self, first: u32, last: u32, y: u32, z: u32) -> &[Record] {
        self.records.get(self.span(first, last, y, z)).unwrap_or(&[])
    }

    /// Where the records of those cells lie.
    #[inline]
    pub(super) fn span(&self, first: u32, last: u32, y: u32, z: u32) -> Range<usize> {
        let [columns, floors, rows] = self.frame.dims;
        if last >= columns || first > last || y >= floors || z >= rows {
            return 0..0;
        }
        let from = self.frame.number([first, y, z]);
        let to = self.frame.number([last, y, z]) + 1;
        match (self.starts.get(from), self.starts.get(to)) {
            (Some(&from), Some(&to)) => from as usize..to as usize,
            _ => 0..0,
        }
    }

    /// Where the records of each whole row of cells lie, in order.
    pub fn lines(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let [columns, floors, rows] = self.frame.dims;
        (0..floors).flat_map(move |y| (0..rows).map(move |z| self.span(0, columns - 1, y, z)))
    }

    /// Calls `visit` with the records of each row of `block`.
    #[inline]
    pub(super) fn rows<'g>(&'g self, block: Block, mut visit: impl FnMut(&'g [Record])) {
        for y in block.low[1]..=block.high[1] {
            for z in block.low[2]..=block.high[2] {
                visit(self.row(block.low[0], block.high[0], y, z));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{direction, vec3};

    fn spread(count: usize, by: f32) -> Vec<Vec3> {
        (0..count).map(|i| direction(i as f32 * 2.4) * (i as f32).sqrt() * by).collect()
    }

    #[test]
    fn warm_buffers_never_grow() {
        let room = |grid: &Grid| {
            let Grid { records, starts, cells, sample, .. } = grid;
            [records.capacity(), starts.capacity(), cells.capacity(), sample.capacity()]
        };
        let mut grid = Grid::default();
        grid.rebuild(&spread(2000, 0.5), 2.0, Shape::Ground);
        let warm = room(&grid);
        // Far wider, with outliers, in the other shape, and with fewer bodies: none of it may need more room.
        let mut wide = spread(1900, 40.0);
        wide[3] = vec3(1e6, 1e6, -1e6);
        wide[4] = Vec3::NAN;
        for (cell, shape) in [(2.0, Shape::Volume), (0.1, Shape::Ground), (50.0, Shape::Ground)] {
            grid.rebuild(&wide, cell, shape);
            assert_eq!(room(&grid), warm);
        }
    }
}
