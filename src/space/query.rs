//! What lies within a distance or a cone.

use super::frame::{Block, indexable};
use super::{Grid, Metric, Record};
use crate::math::Vec3;

/// How much a cosine may be off through rounding: about a ten-thousandth of a degree for what lies straight ahead.
const COSINE_ROUNDING: f64 = 1e-12;

impl Grid {
    /// Calls `visit` with each point at most `radius` metres from `centre` and the square of its distance, in the
    /// order of the cells: the form for kernels, which need no list.
    ///
    /// Finds nothing for a negative or NaN radius or a centre that is not finite.
    #[inline]
    pub fn visit(&self, metric: Metric, centre: Vec3, radius: f32, mut visit: impl FnMut(&Record, f32)) {
        if !indexable(centre) || radius.is_nan() || radius < 0.0 {
            return;
        }
        let limit = radius * radius;
        self.rows(self.frame.block(centre, radius, metric), |row| {
            for record in row {
                let squared = metric.of(record.position - centre).length_squared();
                if squared <= limit {
                    visit(record, squared);
                }
            }
        });
    }

    /// Calls `visit` with pieces of [`records`](Grid::records) in which every point lies that is at most `radius` metres from
    /// some place of the box from `low` to `high`, in the order of the records: for kernels that work on columns beside
    /// the records. Other points lie in them too.
    // Always, so that kernels keep the instructions that they were compiled for.
    #[inline(always)]
    pub fn pieces(
        &self,
        metric: Metric,
        (low, high): (Vec3, Vec3),
        radius: f32,
        mut visit: impl FnMut(std::ops::Range<usize>),
    ) {
        let block = Block {
            low: self.frame.block(low, radius, metric).low,
            high: self.frame.block(high, radius, metric).high,
        };
        for y in block.low[1]..=block.high[1] {
            for z in block.low[2]..=block.high[2] {
                visit(self.span(block.low[0], block.high[0], y, z));
            }
        }
    }

    /// Fills `out` with the indices of all points at most `radius` metres from `centre`, in ascending order.
    ///
    /// Finds nothing for a negative or NaN radius or a centre that is not finite; an infinite radius finds all.
    pub fn within(&self, centre: Vec3, radius: f32, out: &mut Vec<u32>) {
        self.within_unordered(Metric::Volume, centre, radius, out);
        out.sort_unstable();
    }

    /// Like [`within`](Grid::within), with distances on the ground.
    pub fn within_ground(&self, centre: Vec3, radius: f32, out: &mut Vec<u32>) {
        self.within_unordered(Metric::Ground, centre, radius, out);
        out.sort_unstable();
    }

    /// Like [`within`](Grid::within) by either measure, in the order of the [`records`](Grid::records): the fastest form.
    ///
    /// That order changes with the extent of all points: what is summed up in it is the same in each run, and yet feels
    /// points that are far away in its last bits.
    pub fn within_unordered(&self, metric: Metric, centre: Vec3, radius: f32, out: &mut Vec<u32>) {
        out.clear();
        if !indexable(centre) || radius.is_nan() || radius < 0.0 {
            return;
        }
        let limit = radius * radius;
        let mut found = 0;
        self.rows(self.frame.block(centre, radius, metric), |row| {
            // Every index is written down and the next one over it, unless it counts: no branch to be guessed.
            out.resize(found + row.len(), 0);
            let room = &mut out[found..];
            let mut taken = 0;
            for record in row {
                let squared = metric.of(record.position - centre).length_squared();
                room[taken] = record.index;
                taken += usize::from(squared <= limit);
            }
            found += taken;
        });
        out.truncate(found);
    }

    /// Fills `out` with the indices of all points that lie at most `range` metres from `apex` and at most
    /// `half_angle` radians off `direction`, in ascending order.
    ///
    /// A point exactly at the apex is inside. `half_angle` is brought into [0, π]; π is a whole ball. `direction`
    /// should be a unit vector; one of another length is brought to it, and with one that has no direction only points at the apex are found.
    /// Finds nothing for a NaN.
    ///
    /// ```
    /// use warband::math::{Vec3, vec3};
    /// use warband::space::{Grid, Shape};
    /// let mut grid = Grid::default();
    /// grid.rebuild(&[vec3(5.0, 0.0, 0.0), vec3(0.0, 0.0, 5.0), vec3(4.0, 0.0, -3.0)], 2.0, Shape::Ground);
    /// let mut seen = Vec::new();
    /// grid.in_cone(Vec3::ZERO, Vec3::X, 45_f32.to_radians(), 10.0, &mut seen);
    /// assert_eq!(seen, [0, 2]);
    /// ```
    pub fn in_cone(&self, apex: Vec3, direction: Vec3, half_angle: f32, range: f32, out: &mut Vec<u32>) {
        self.cone(Metric::Volume, apex, direction, half_angle, range, out);
    }

    /// Like [`in_cone`](Grid::in_cone) on the ground: a sector, in which heights count neither for the distance
    /// nor for the angle.
    pub fn in_cone_ground(
        &self,
        apex: Vec3,
        direction: Vec3,
        half_angle: f32,
        range: f32,
        out: &mut Vec<u32>,
    ) {
        self.cone(Metric::Ground, apex, direction, half_angle, range, out);
    }

    fn cone(&self, metric: Metric, apex: Vec3, axis: Vec3, half_angle: f32, range: f32, out: &mut Vec<u32>) {
        let axis = unit(metric.of(axis));
        let half_angle = f64::from(half_angle).clamp(0.0, std::f64::consts::PI);
        let narrowest = libm::cos(half_angle) - COSINE_ROUNDING;
        let range = if half_angle.is_nan() { f32::NAN } else { range };
        self.collect(metric, apex, range, out, |position| {
            let Some(offset) = unit(metric.of(position - apex)) else { return true };
            axis.is_some_and(|axis| dot(offset, axis) >= narrowest)
        });
    }

    fn collect(
        &self,
        metric: Metric,
        centre: Vec3,
        radius: f32,
        out: &mut Vec<u32>,
        accept: impl Fn(Vec3) -> bool,
    ) {
        out.clear();
        self.visit(metric, centre, radius, |record, _| {
            if accept(record.position) {
                out.push(record.index);
            }
        });
        out.sort_unstable();
    }
}

/// The unit vector of `v`, in f64 so that a narrow cone keeps what lies straight ahead; `None` when it has no length.
fn unit(v: Vec3) -> Option<[f64; 3]> {
    let v = v.to_array().map(f64::from);
    let length = libm::sqrt(dot(v, v));
    (length > 0.0 && length.is_finite()).then(|| v.map(|part| part / length))
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
