//! The assignment of least total cost: the Hungarian method in the form of Jonker and Volgenant, O(n²·m).
//!
//! Rows are added one at a time; each looks for the cheapest chain of swaps that ends in a free column, with
//! potentials that keep all reduced costs at or above 0.

const NONE: u32 = u32::MAX;

/// How many offsets are tried when rows and columns are matched in order.
const OFFSETS: usize = 64;

/// Solves assignments and keeps its buffers, so that a second solution of the same size allocates nothing.
///
/// ```
/// use warband::squad::Assignment;
/// let cost = [[4.0, 1.0, 3.0], [2.0, 0.0, 5.0]];
/// let mut assignment = Assignment::default();
/// assert_eq!(assignment.solve(2, 3, |row, column| cost[row][column]), [1, 0]);
/// assert_eq!(assignment.total(), 3.0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    cost: Vec<f64>,
    row_potential: Vec<f64>,
    column_potential: Vec<f64>,
    row_of: Vec<u32>,
    from: Vec<u32>,
    slack: Vec<f64>,
    seen: Vec<bool>,
    column_of: Vec<u32>,
    total: f64,
    visits: u64,
}

impl Assignment {
    /// Gives each of `rows` rows a column of its own, so that the sum of `cost(row, column)` is least.
    ///
    /// With more rows than columns the last rows go without, as `u32::MAX`. A cost that is not finite counts as 1e12. Among equally
    /// good assignments the choice depends on the costs and on the order of rows and columns only.
    pub fn solve(&mut self, rows: usize, columns: usize, cost: impl Fn(usize, usize) -> f64) -> &[u32] {
        let served = rows.min(columns);
        self.reset(served, columns, cost);
        for row in 0..served {
            let end = self.cheapest_chain(row, columns);
            self.swap_along(end, columns);
        }
        self.read(rows, columns);
        &self.column_of
    }

    /// Gives each row the column of the same rank, both in their own order, all shifted by the best of a few offsets: not
    /// the least sum, but next to no crossing walks where both orders go round the same middle. O(n) per offset.
    ///
    /// `rows` and `columns` list each row and each column once and are of one length.
    pub fn solve_in_order(
        &mut self,
        rows: &[u32],
        columns: &[u32],
        cost: impl Fn(usize, usize) -> f64,
    ) -> &[u32] {
        let count = rows.len().min(columns.len());
        self.column_of.clear();
        self.column_of.resize(rows.len(), NONE);
        self.total = 0.0;
        if count == 0 {
            return &self.column_of;
        }
        let column = |rank: usize, offset: usize| columns[(rank + offset) % count] as usize;
        let sum = |offset: usize| {
            (0..count).map(|rank| cost(rows[rank] as usize, column(rank, offset))).sum::<f64>()
        };
        let stride = count.div_ceil(OFFSETS);
        let mut best = (f64::INFINITY, 0);
        for offset in (0..count).step_by(stride) {
            let total = sum(offset);
            self.visits += count as u64;
            if total < best.0 {
                best = (total, offset);
            }
        }
        self.total = best.0;
        for (rank, row) in rows.iter().enumerate().take(count) {
            self.column_of[*row as usize] = column(rank, best.1) as u32;
        }
        &self.column_of
    }

    /// The column of each row in the last solution.
    pub fn columns(&self) -> &[u32] {
        &self.column_of
    }

    /// The sum of the costs of the last solution.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// How many pairs of a row and a column were looked at in all solutions so far: what the work is measured by.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    fn reset(&mut self, rows: usize, columns: usize, cost: impl Fn(usize, usize) -> f64) {
        let finite = |cost: f64| if cost.is_finite() { cost } else { 1e12 };
        self.cost.clear();
        self.cost.extend((0..rows * columns).map(|at| finite(cost(at / columns, at % columns))));
        refill(&mut self.row_potential, rows, 0.0);
        // One more column, the last: where the row stands that is being added.
        refill(&mut self.column_potential, columns + 1, 0.0);
        refill(&mut self.row_of, columns + 1, NONE);
        refill(&mut self.from, columns + 1, NONE);
    }

    /// Adds `row` and finds the free column at the end of the cheapest chain of swaps.
    fn cheapest_chain(&mut self, row: usize, columns: usize) -> usize {
        refill(&mut self.slack, columns + 1, f64::INFINITY);
        refill(&mut self.seen, columns + 1, false);
        self.row_of[columns] = row as u32;
        let mut at = columns;
        while self.row_of[at] != NONE {
            self.seen[at] = true;
            let next = self.relax(at, columns);
            self.shift(self.slack[next], columns);
            at = next;
        }
        at
    }

    /// Looks from the row in column `at` at all columns not seen, and gives the nearest; the first of equals.
    fn relax(&mut self, at: usize, columns: usize) -> usize {
        self.visits += columns as u64;
        let row = self.row_of[at] as usize;
        let mut nearest = columns;
        for column in (0..columns).filter(|column| !self.seen[*column]) {
            let reduced =
                self.cost[row * columns + column] - self.row_potential[row] - self.column_potential[column];
            if reduced < self.slack[column] {
                self.slack[column] = reduced;
                self.from[column] = at as u32;
            }
            if nearest == columns || self.slack[column] < self.slack[nearest] {
                nearest = column;
            }
        }
        nearest
    }

    fn shift(&mut self, by: f64, columns: usize) {
        for column in 0..=columns {
            if self.seen[column] {
                self.row_potential[self.row_of[column] as usize] += by;
                self.column_potential[column] -= by;
            } else {
                self.slack[column] -= by;
            }
        }
    }

    fn swap_along(&mut self, end: usize, columns: usize) {
        let mut at = end;
        while at != columns {
            let before = self.from[at] as usize;
            self.row_of[at] = self.row_of[before];
            at = before;
        }
    }

    fn read(&mut self, rows: usize, columns: usize) {
        refill(&mut self.column_of, rows, NONE);
        self.total = 0.0;
        for column in 0..columns {
            let row = self.row_of[column];
            if row != NONE {
                self.column_of[row as usize] = column as u32;
                self.total += self.cost[row as usize * columns + column];
            }
        }
    }
}

fn refill<T: Clone>(buffer: &mut Vec<T>, length: usize, value: T) {
    buffer.clear();
    buffer.resize(length, value);
}
