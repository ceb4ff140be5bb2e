//! The flock rules of all agents of a grid in one go: row after row of cells, eight agents at a time.

use super::lanes::{Candidate, Lanes, Meeting, reach};
use super::{Flock, Me, Radii, Sums};
use crate::math::Vec3;
use crate::space::{Grid, Metric, Record};
use crate::steer::{Near, Neighbour};
use pulp::{Simd, WithSimd};
use std::ops::Range;

/// The bodies that a [`Grid`] was built from, as flat arrays of one length.
#[derive(Clone, Copy, Debug)]
pub struct Crowd<'a> {
    /// Where each body is, m: what the grid was built from.
    pub position: &'a [Vec3],
    /// How each body moves, m/s.
    pub velocity: &'a [Vec3],
    /// The radius of each body, m.
    pub radius: &'a [f32],
    /// Who each body is: a number of its own, which decides where two on the same point part to.
    pub id: &'a [u32],
}

/// How one body takes part in a flock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flocker {
    /// How far off neighbours count; [`Radii::NONE`] for a body that only others look at.
    pub radii: Radii,
    /// Top speed, m/s.
    pub max_speed: f32,
    /// Whether it walks: heights are then left out.
    pub ground: bool,
}

/// Which instructions are used. It changes how fast the kernel is, never what it finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// The widest that this processor has, asked at run time.
    #[default]
    Detected,
    /// Those that the crate was compiled for.
    Baseline,
}

/// Separation, alignment and cohesion of all agents at once: exact neighbours, eight agents at a time.
///
/// Keeps buffers from run to run, and allocates only when there are more bodies than ever before.
///
/// ```
/// use warband::math::{Vec3, vec3};
/// use warband::space::{Grid, Shape};
/// use warband::steer::{Crowd, Flock, Flocker, FlockKernel, Radii};
/// let position = [vec3(0.0, 0.0, 0.0), vec3(1.5, 0.0, 0.0), vec3(90.0, 0.0, 0.0)];
/// let crowd = Crowd { position: &position, velocity: &[Vec3::ZERO; 3], radius: &[0.5; 3], id: &[0, 1, 2] };
/// let mut grid = Grid::default();
/// grid.rebuild(&position, 3.0, Shape::Ground);
/// let each = Flocker { radii: Radii::all(3.0), max_speed: 5.0, ground: true };
/// let mut flocks = [Flock::default(); 3];
/// FlockKernel::default().run(&grid, &crowd, |_| each, &mut flocks);
/// assert!(flocks[0].separation.x < 0.0 && flocks[1].separation.x > 0.0);
/// assert_eq!(flocks[2], Flock::default());
/// ```
#[derive(Clone, Debug, Default)]
pub struct FlockKernel {
    /// Which instructions are used. Default [`Level::Detected`].
    pub level: Level,
    candidates: Vec<Candidate>,
    near: Vec<u32>,
}

/// Where a body of a velocity that is not finite is put, so that nobody is its neighbour, m: its square is infinite.
const NOWHERE: f32 = 1e37;

impl FlockKernel {
    /// Writes to `out`, by body index, what the rules want of each body, like [`flock`](super::flock) with the neighbours in the order
    /// of the grid's records. What is not in the grid wants nothing.
    ///
    /// # Panics
    /// When the arrays of `crowd` and `out` are not all of one length, or the grid was built from more bodies.
    pub fn run(
        &mut self,
        grid: &Grid,
        crowd: &Crowd<'_>,
        flocker: impl Fn(usize) -> Flocker,
        out: &mut [Flock],
    ) {
        crowd.check(out.len());
        out.fill(Flock::default());
        self.each(grid, crowd, &flocker, Wants { crowd, flocker: &flocker, out });
    }

    /// Lets `finish` make something of what each body that looks at others has summed up.
    pub(super) fn each(
        &mut self,
        grid: &Grid,
        crowd: &Crowd<'_>,
        flocker: impl Fn(usize) -> Flocker,
        finish: impl Finish,
    ) {
        let first = crowd.radius.first().copied().unwrap_or_default();
        let count = crowd.position.len();
        let one = |radii: Radii| radii == Radii::all(radii.separation);
        let alike = crowd.radius.iter().all(|radius| *radius == first)
            && (0..count).all(|index| one(flocker(index).radii));
        let volume = (0..count).any(|index| !flocker(index).ground);
        self.gather(grid, crowd);
        self.near.resize(self.candidates.len(), 0);
        let pass = Pass { grid, crowd, candidates: &self.candidates, flocker };
        let near = &mut self.near;
        match (volume, alike) {
            (false, true) => pass.run::<false, true>(self.level, near, finish),
            (false, false) => pass.run::<false, false>(self.level, near, finish),
            (true, true) => pass.run::<true, true>(self.level, near, finish),
            (true, false) => pass.run::<true, false>(self.level, near, finish),
        }
    }

    /// Copies what others see of each body into the order of the records.
    fn gather(&mut self, grid: &Grid, crowd: &Crowd<'_>) {
        self.candidates.clear();
        self.candidates.extend(grid.records().iter().map(|record| {
            let velocity = crowd.velocity[record.index as usize];
            let position = if velocity.is_finite() { record.position } else { Vec3::splat(NOWHERE) };
            let radius = crowd.radius[record.index as usize];
            Candidate { position: position.to_array(), radius, velocity: velocity.to_array() }
        }));
    }
}

impl Crowd<'_> {
    pub(super) fn check(&self, count: usize) {
        let counts = [self.position.len(), self.velocity.len(), self.radius.len(), self.id.len()];
        assert!(counts == [count; 4], "the arrays of a crowd are of different lengths: {counts:?}, {count}");
    }

    /// The body as steering sees it, as far as the rules of a flock ask.
    #[inline(always)]
    pub(super) fn me(&self, index: usize, flocker: &Flocker) -> Me {
        Me {
            id: self.id[index],
            position: self.position[index],
            velocity: self.velocity[index],
            facing: Vec3::X,
            radius: self.radius[index],
            max_speed: flocker.max_speed,
            max_acceleration: f32::INFINITY,
            response: 0.0,
            ground: flocker.ground,
            resting: false,
        }
    }
}

/// What becomes of the sums.
pub(super) trait Finish {
    /// For the agents of `records`, one to a lane.
    fn lanes<S: Simd>(&mut self, meeting: &Meeting<S>, records: &[Record]);
    /// For one agent, anew: somebody stands on its own point.
    fn lone(&mut self, index: usize, sums: Sums);
}

/// Writes down what the rules want.
struct Wants<'a, F> {
    crowd: &'a Crowd<'a>,
    flocker: F,
    out: &'a mut [Flock],
}

impl<F: Fn(usize) -> Flocker> Finish for Wants<'_, F> {
    #[inline(always)]
    fn lanes<S: Simd>(&mut self, meeting: &Meeting<S>, records: &[Record]) {
        let [separation, alignment, cohesion] = meeting.flock();
        let all = [separation.vectors(), alignment.vectors(), cohesion.vectors()];
        for (lane, record) in records.iter().enumerate() {
            let [separation, alignment, cohesion] = [all[0][lane], all[1][lane], all[2][lane]];
            self.out[record.index as usize] = Flock { separation, alignment, cohesion };
        }
    }
    fn lone(&mut self, index: usize, sums: Sums) {
        let each = (self.flocker)(index);
        self.out[index] = sums.flock(&self.crowd.me(index, &each), &each.radii);
    }
}

/// One run over a grid.
struct Pass<'a, F> {
    grid: &'a Grid,
    crowd: &'a Crowd<'a>,
    candidates: &'a [Candidate],
    flocker: F,
}

/// The pass, to be compiled once for each set of instructions.
struct Run<'a, 'p, F, G, const VOLUME: bool, const ALIKE: bool>(&'a Pass<'p, F>, &'a mut [u32], G);

impl<F: Fn(usize) -> Flocker, G: Finish, const VOLUME: bool, const ALIKE: bool> WithSimd
    for Run<'_, '_, F, G, VOLUME, ALIKE>
{
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        for line in self.0.grid.lines() {
            for start in line.clone().step_by(S::F32_LANES) {
                let places = start..line.end.min(start + S::F32_LANES);
                self.0.some::<S, VOLUME, ALIKE>(simd, places, self.1, &mut self.2);
            }
        }
    }
}

impl<F: Fn(usize) -> Flocker> Pass<'_, F> {
    fn run<const VOLUME: bool, const ALIKE: bool>(
        &self,
        level: Level,
        near: &mut [u32],
        finish: impl Finish,
    ) {
        let run = Run::<_, _, VOLUME, ALIKE>(self, near, finish);
        match (level, pulp::Arch::new()) {
            (Level::Baseline, _) | (_, pulp::Arch::Scalar) => run.with_simd(pulp::Scalar128b),
            (Level::Detected, arch) => arch.dispatch(run),
        }
    }

    /// As many agents that follow each other in a row of cells as there are lanes.
    #[inline(always)]
    fn some<S: Simd, const VOLUME: bool, const ALIKE: bool>(
        &self,
        simd: S,
        places: Range<usize>,
        near: &mut [u32],
        finish: &mut impl Finish,
    ) {
        let records = &self.grid.records()[places.clone()];
        let mut lanes = Lanes::default();
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (mut widest, mut metric) = (0.0_f32, Metric::Volume);
        for (lane, (record, own)) in records.iter().zip(&self.candidates[places.clone()]).enumerate() {
            let each = (self.flocker)(record.index as usize);
            self.take(&mut lanes, lane, record, own, &each);
            (low, high) = (low.min(record.position), high.max(record.position));
            widest = widest.max(each.radii.largest());
            metric = if each.ground { Metric::Ground } else { metric };
        }
        if widest == 0.0 {
            return;
        }
        let meeting = Meeting::new(simd, &lanes);
        let mut found = 0;
        self.grid.pieces(
            metric,
            (low, high),
            widest,
            #[inline(always)]
            |piece| found = meeting.sift::<VOLUME>(self.candidates, piece, near, found),
        );
        let meeting = meeting.meet::<VOLUME, ALIKE>(self.candidates, &near[..found], places.start).settled();
        finish.lanes(&meeting, records);
        let same = meeting.same();
        for (record, _) in records.iter().zip(same).filter(|(_, same)| *same) {
            finish.lone(record.index as usize, self.lone(record.index as usize));
        }
    }

    /// Puts an agent into a lane.
    #[inline(always)]
    fn take(&self, lanes: &mut Lanes, lane: usize, record: &Record, own: &Candidate, each: &Flocker) {
        for axis in 0..3 {
            lanes.position[axis][lane] = record.position[axis];
            lanes.velocity[axis][lane] = own.velocity[axis];
        }
        lanes.max_speed[lane] = each.max_speed;
        lanes.height[lane] = if each.ground { 0.0 } else { 1.0 };
        lanes.radius[lane] = own.radius;
        lanes.separation[lane] = each.radii.separation;
        lanes.alignment[lane] = each.radii.alignment;
        lanes.cohesion[lane] = each.radii.cohesion;
        lanes.reach[lane] = reach(each.radii.largest());
    }

    /// The sums of one agent, one neighbour after the other: for those that stand on the same point as another, who
    /// part by their ids.
    #[cold]
    #[inline(never)]
    fn lone(&self, index: usize) -> Sums {
        let each = (self.flocker)(index);
        let me = self.crowd.me(index, &each);
        let metric = if each.ground { Metric::Ground } else { Metric::Volume };
        let mut sums = Sums::default();
        self.grid.pieces(metric, (me.position, me.position), each.radii.largest(), |piece| {
            for record in &self.grid.records()[piece] {
                if record.index as usize != index {
                    sums.meet(&me, &self.crowd.seen(record.index as usize), &each.radii);
                }
            }
        });
        sums
    }
}

impl Crowd<'_> {
    fn seen(&self, index: usize) -> Neighbour {
        Neighbour {
            position: self.position[index],
            velocity: self.velocity[index],
            radius: self.radius[index],
            id: self.id[index],
        }
    }

    /// The bodies as neighbours: those at `indices`.
    pub fn near<'b>(&'b self, indices: &'b [u32]) -> Near<'b> {
        Near {
            indices,
            position: self.position,
            velocity: self.velocity,
            radius: self.radius,
            id: self.id,
            edges: &[],
        }
    }
}
