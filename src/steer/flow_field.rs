//! Flow field: as a grid of directions says.
//!
//! One grid leads everybody: each cell holds a vector, 0 to 1 long, which times the speed is the velocity wanted there. Between the middles of cells it is bilinear, so that nobody jerks from cell to cell. The
//! game fills a [`FlowField`] by itself (wind, currents, crowds through a station), or lets [`FlowField::towards`] compute it: Dijkstra from the goal over the walkable cells (eight
//! neighbours, no corner cut), each cell pointing down the steepest way. Computing it costs the whole grid once; following it costs four reads, whoever many follow.
//! (Reynolds 1999 for the rule; Elijah Emerson, "Crowd Pathfinding and Steering Using Flow Field Tiles", 2013, for the grid.)
//!
//! It feels like water. Take it when hundreds go to one goal; take a navmesh when each goes somewhere else. Outside the grid, and where no way leads, it wants nothing.

use super::{About, Behaviour, Class, Me, Near, Order, SPEED};
use crate::error::{Error, ErrorKind, Result};
use crate::math::{Vec3, clamp_length, flat, unit_or, vec3};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The declaration of `flow_field`. `Order::velocity` is the vector of the field where the agent is.
pub const DEF: Behaviour = Behaviour {
    name: "flow_field",
    class: Class::Goal,
    about: About::Field,
    doc: "goes as a field of directions says",
    formula: "field(p) * speed, bilinear between the middles of cells",
    params: &[SPEED],
    needs_edges: false,
    needs_neighbours: false,
    run,
};

fn run(me: &Me, order: &Order, _: &Near, _: f32) -> Vec3 {
    me.limited(clamp_length(me.plane(order.velocity), 1.0) * me.speed(order.numbers[0]))
}

/// The most cells of a field.
pub const MOST_CELLS: usize = 1 << 22;

/// A grid of directions over a piece of ground.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowField {
    low: Vec3,
    cell: f32,
    columns: usize,
    rows: usize,
    vectors: Vec<Vec3>,
}

impl FlowField {
    /// The field whose cells, `cell` metres wide, cover the ground from `low` to `high`, with what `vector` says for the middle of each; what is longer than 1 is
    /// shortened, heights and what is not finite are left out.
    ///
    /// ```
    /// use warband::{math::vec3, steer::FlowField};
    /// let east = FlowField::new(vec3(0.0, 0.0, 0.0), vec3(10.0, 0.0, 10.0), 1.0, |_| vec3(0.5, 0.0, 0.0))?;
    /// assert_eq!(east.at(vec3(3.0, 0.0, 7.2)), Some(vec3(0.5, 0.0, 0.0)));
    /// assert_eq!(east.at(vec3(-3.0, 0.0, 7.2)), None);
    /// # Ok::<(), warband::Error>(())
    /// ```
    ///
    /// # Errors
    /// Corners that are not finite or the wrong way round, cells that are not wider than 0, and more than [`MOST_CELLS`].
    pub fn new(low: Vec3, high: Vec3, cell: f32, vector: impl Fn(Vec3) -> Vec3) -> Result<Self> {
        let mut field = Self::empty(low, high, cell)?;
        for index in 0..field.vectors.len() {
            let given = flat(vector(field.middle(index)));
            field.vectors[index] = if given.is_finite() { clamp_length(given, 1.0) } else { Vec3::ZERO };
        }
        Ok(field)
    }

    /// The field that leads to `goal` over the cells whose middles are `walkable`.
    ///
    /// ```
    /// use warband::{math::vec3, steer::FlowField};
    /// let wall = |place: warband::Vec3| !(4.0..6.0).contains(&place.x) || place.z > 8.0;
    /// let (low, high, goal) = (vec3(0.0, 0.0, 0.0), vec3(10.0, 0.0, 10.0), vec3(9.0, 0.0, 1.0));
    /// let field = FlowField::towards(goal, low, high, 0.5, wall)?;
    /// let here = field.at(vec3(2.0, 0.0, 2.0)).expect("it is inside");
    /// assert!(here.z > 0.5, "up to the gap, and not straight at the wall");
    /// # Ok::<(), warband::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`FlowField::new`], and a goal outside.
    pub fn towards(
        goal: Vec3,
        low: Vec3,
        high: Vec3,
        cell: f32,
        walkable: impl Fn(Vec3) -> bool,
    ) -> Result<Self> {
        let mut field = Self::empty(low, high, cell)?;
        let Some(start) = field.cell_of(goal) else {
            let fault = format!("the goal {goal} of a flow field lies outside of it");
            return Err(Error::new(ErrorKind::OutOfRange, fault).hint("move its corners, 'low' and 'high'"));
        };
        let free: Vec<bool> = (0..field.vectors.len()).map(|index| walkable(field.middle(index))).collect();
        let costs = field.costs(start, &free);
        for index in 0..field.vectors.len() {
            field.vectors[index] = field.descent(index, start, goal, &free, &costs);
        }
        Ok(field)
    }

    fn empty(low: Vec3, high: Vec3, cell: f32) -> Result<Self> {
        let size = high - low;
        let sound = low.is_finite()
            && size.is_finite()
            && size.x > 0.0
            && size.z > 0.0
            && cell.is_finite()
            && cell > 0.0;
        let cells = (libm::ceilf(size.x / cell), libm::ceilf(size.z / cell));
        let few = cells.0 * cells.1 <= MOST_CELLS as f32;
        if !(sound && few) {
            let fault = format!("a flow field from {low} to {high} cannot have cells {cell} m wide");
            let hint =
                format!("'low' must be below 'high' in x and z, and it has {MOST_CELLS} cells at most");
            return Err(Error::new(ErrorKind::OutOfRange, fault).hint(hint));
        }
        let (columns, rows) = ((cells.0 as usize).max(1), (cells.1 as usize).max(1));
        Ok(Self { low, cell, columns, rows, vectors: vec![Vec3::ZERO; columns * rows] })
    }

    /// The vector at `place`, 0 to 1 long; `None` outside.
    pub fn at(&self, place: Vec3) -> Option<Vec3> {
        self.cell_of(place)?;
        let x = ((place.x - self.low.x) / self.cell - 0.5).clamp(0.0, (self.columns - 1) as f32);
        let z = ((place.z - self.low.z) / self.cell - 0.5).clamp(0.0, (self.rows - 1) as f32);
        let (left, top) = (x as usize, z as usize);
        let (right, foot) = ((left + 1).min(self.columns - 1), (top + 1).min(self.rows - 1));
        let (across, down) = (x - left as f32, z - top as f32);
        let at = |column: usize, row: usize| self.vectors[row * self.columns + column];
        let upper = at(left, top) * (1.0 - across) + at(right, top) * across;
        let lower = at(left, foot) * (1.0 - across) + at(right, foot) * across;
        Some(upper * (1.0 - down) + lower * down)
    }

    fn cell_of(&self, place: Vec3) -> Option<usize> {
        let (x, z) = ((place.x - self.low.x) / self.cell, (place.z - self.low.z) / self.cell);
        let inside = x >= 0.0 && z >= 0.0 && x <= self.columns as f32 && z <= self.rows as f32;
        inside.then(|| (z as usize).min(self.rows - 1) * self.columns + (x as usize).min(self.columns - 1))
    }

    fn middle(&self, index: usize) -> Vec3 {
        let (column, row) = (index % self.columns, index / self.columns);
        self.low + vec3(column as f32 + 0.5, 0.0, row as f32 + 0.5) * self.cell
    }

    /// The free neighbours of a cell, in a fixed order, with the way to each in cells; past a corner none.
    fn neighbours<'a>(&'a self, index: usize, free: &'a [bool]) -> impl Iterator<Item = (usize, f32)> + 'a {
        let (column, row) = ((index % self.columns) as i64, (index / self.columns) as i64);
        let at = move |dx: i64, dz: i64| {
            let (x, z) = (column + dx, row + dz);
            let inside = x >= 0 && z >= 0 && x < self.columns as i64 && z < self.rows as i64;
            let index = (z * self.columns as i64 + x) as usize;
            (inside && free[index]).then_some(index)
        };
        AROUND.into_iter().filter_map(move |(dx, dz)| {
            let found = at(dx, dz)?;
            let clear = dx == 0 || dz == 0 || (at(dx, 0).is_some() && at(0, dz).is_some());
            clear.then_some((found, if dx == 0 || dz == 0 { 1.0 } else { std::f32::consts::SQRT_2 }))
        })
    }

    /// The length of the shortest way from each cell to the start, in cells; infinite where none leads.
    fn costs(&self, start: usize, free: &[bool]) -> Vec<f32> {
        let mut costs = vec![f32::INFINITY; self.vectors.len()];
        let mut open = BinaryHeap::new();
        costs[start] = 0.0;
        // Costs are never negative, and the bits of such numbers sort as they do.
        open.push(Reverse((0_u32, start)));
        while let Some(Reverse((cost, index))) = open.pop() {
            if cost > costs[index].to_bits() {
                continue;
            }
            for (next, way) in self.neighbours(index, free) {
                let through = costs[index] + way;
                if through < costs[next] {
                    costs[next] = through;
                    open.push(Reverse((through.to_bits(), next)));
                }
            }
        }
        costs
    }

    fn descent(&self, index: usize, start: usize, goal: Vec3, free: &[bool], costs: &[f32]) -> Vec3 {
        let own = costs[index];
        if index == start {
            return unit_or(flat(goal - self.middle(index)), Vec3::ZERO);
        }
        // From a cell that is not walkable the cheapest neighbour leads out.
        let fall =
            |next: usize, way: f32| if own.is_finite() { (own - costs[next]) / way } else { -costs[next] };
        let floor = if own.is_finite() { 0.0 } else { f32::NEG_INFINITY };
        let steepest = self.neighbours(index, free).fold((floor, None), |best, (next, way)| {
            if fall(next, way) > best.0 { (fall(next, way), Some(next)) } else { best }
        });
        let Some(down) = steepest.1 else { return Vec3::ZERO };
        unit_or(flat(self.middle(down) - self.middle(index)), Vec3::ZERO)
    }
}

const AROUND: [(i64, i64); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
