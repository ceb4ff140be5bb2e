//! The nearest few: cells are looked through in growing blocks until nothing outside can be nearer.

use super::frame::{Block, indexable};
use super::{Grid, Metric, Record};
use crate::math::Vec3;

/// A point that was found, and how far it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Neighbour {
    /// Its place in the slice of positions.
    pub index: u32,
    /// Its distance in metres.
    pub distance: f32,
}

impl Grid {
    /// Fills `out` with the `k` points nearest to `centre` that are at most `max_radius` metres away and are not
    /// `skip`, nearest first; of two equally near ones the lower index comes first.
    ///
    /// There are fewer than `k` when there are no more. Finds nothing for a negative or NaN radius or a centre
    /// that is not finite; the radius may be infinite.
    ///
    /// ```
    /// use warband::math::vec3;
    /// use warband::space::{Grid, Shape};
    /// let positions = [vec3(0.0, 0.0, 0.0), vec3(3.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0)];
    /// let mut grid = Grid::default();
    /// grid.rebuild(&positions, 2.0, Shape::Ground);
    /// let mut nearest = Vec::new();
    /// grid.nearest(positions[0], 1, 10.0, Some(0), &mut nearest);
    /// assert_eq!((nearest[0].index, nearest[0].distance), (2, 1.0));
    /// ```
    pub fn nearest(
        &self,
        centre: Vec3,
        k: usize,
        max_radius: f32,
        skip: Option<u32>,
        out: &mut Vec<Neighbour>,
    ) {
        out.clear();
        out.resize(k.min(self.records().len()), Neighbour::default());
        let found = self.nearest_into(Metric::Volume, centre, max_radius, skip, out);
        out.truncate(found);
    }

    /// Like [`nearest`](Grid::nearest), with distances on the ground.
    pub fn nearest_ground(
        &self,
        centre: Vec3,
        k: usize,
        max_radius: f32,
        skip: Option<u32>,
        out: &mut Vec<Neighbour>,
    ) {
        out.clear();
        out.resize(k.min(self.records().len()), Neighbour::default());
        let found = self.nearest_into(Metric::Ground, centre, max_radius, skip, out);
        out.truncate(found);
    }

    /// Like [`nearest`](Grid::nearest), for as many as `out` has places; says how many were found. The form for kernels.
    pub fn nearest_into(
        &self,
        metric: Metric,
        centre: Vec3,
        max_radius: f32,
        skip: Option<u32>,
        out: &mut [Neighbour],
    ) -> usize {
        if !indexable(centre) || max_radius.is_nan() || max_radius < 0.0 || out.is_empty() {
            return 0;
        }
        let mut search =
            Search { metric, centre, skip, limit: max_radius * max_radius, found: 0, nearest: out };
        search.run(self);
        search.finish()
    }
}

/// A search under way. Until it ends, the distances in `nearest` are squares.
struct Search<'o> {
    metric: Metric,
    centre: Vec3,
    skip: Option<u32>,
    /// The square of the distance beyond which nothing is wanted.
    limit: f32,
    found: usize,
    nearest: &'o mut [Neighbour],
}

impl Search<'_> {
    fn run(&mut self, grid: &Grid) {
        let mut block = grid.frame.surroundings(self.centre, self.metric);
        grid.rows(block, |row| self.offer_row(row));
        loop {
            let clearance = grid.frame.clearance(&block, self.centre);
            if clearance > 0.0 && clearance * clearance > self.limit || clearance == f32::INFINITY {
                return;
            }
            let grown = grid.frame.grown(block);
            self.offer_ring(grid, block, grown);
            block = grown;
        }
    }

    /// Offers what is in `outer` and not in `inner`.
    fn offer_ring(&mut self, grid: &Grid, inner: Block, outer: Block) {
        for y in outer.low[1]..=outer.high[1] {
            for z in outer.low[2]..=outer.high[2] {
                let apart = y < inner.low[1] || y > inner.high[1] || z < inner.low[2] || z > inner.high[2];
                if apart {
                    self.offer_row(grid.row(outer.low[0], outer.high[0], y, z));
                    continue;
                }
                if outer.low[0] < inner.low[0] {
                    self.offer_row(grid.row(outer.low[0], inner.low[0] - 1, y, z));
                }
                if outer.high[0] > inner.high[0] {
                    self.offer_row(grid.row(inner.high[0] + 1, outer.high[0], y, z));
                }
            }
        }
    }

    #[inline]
    fn offer_row(&mut self, row: &[Record]) {
        for record in row {
            let squared = self.metric.of(record.position - self.centre).length_squared();
            if squared <= self.limit {
                self.offer(record.index, squared);
            }
        }
    }

    fn offer(&mut self, index: u32, squared: f32) {
        if self.skip == Some(index) {
            return;
        }
        let full = self.found == self.nearest.len();
        let mut place = if full { self.found - 1 } else { self.found };
        let after = |other: &Neighbour| (other.distance, other.index) > (squared, index);
        if full && !after(&self.nearest[place]) {
            return;
        }
        while place > 0 && after(&self.nearest[place - 1]) {
            self.nearest[place] = self.nearest[place - 1];
            place -= 1;
        }
        self.nearest[place] = Neighbour { index, distance: squared };
        self.found += usize::from(!full);
        if self.found == self.nearest.len() {
            self.limit = self.nearest[self.found - 1].distance;
        }
    }

    fn finish(self) -> usize {
        for neighbour in &mut self.nearest[..self.found] {
            neighbour.distance = libm::sqrtf(neighbour.distance);
        }
        self.found
    }
}
