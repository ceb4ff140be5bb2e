//! The flock rules of all agents of a grid in one go: row after row of cells, eight agents at a time.

use super::lanes::Candidate;
use super::meeting::Meeting;
use super::pass::{Finish, Pass, Room};
use super::{Flock, Me, Radii, Sums};
use crate::math::Vec3;
use crate::space::{Grid, Record};
use crate::steer::Near;
use pulp::Simd;

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
    /// How many neighbours count for each body, the nearest of those within its largest radius: 1..=64, what is outside counts as
    /// the nearer end. Default `None`: all of them. See [`flock_of_nearest`](super::flock_of_nearest).
    pub most: Option<usize>,
    candidates: Vec<Candidate>,
    room: Room,
}

/// What the bodies of a crowd have in common.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// All are of one radius, and look as far for all rules.
    alike: bool,
    /// Heights count to some.
    volume: bool,
}

/// Where a body of a velocity that is not finite is put, so that nobody is its neighbour, m: its square is infinite.
const NOWHERE: f32 = 1e37;

impl FlockKernel {
    /// Writes to `out`, by body index, what the rules want of each body, like [`flock`](super::flock) with the neighbours in the order
    /// of the grid's records, or like [`flock_of_nearest`](super::flock_of_nearest). What is not in the grid wants nothing.
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
        let kind = self.gather(grid, crowd, &flocker);
        self.each(grid, crowd.id, kind, &flocker, Wants { flocker: &flocker, out });
    }

    /// Lets `finish` make something of what each body that was gathered has summed up.
    pub(super) fn each(
        &mut self,
        grid: &Grid,
        id: &[u32],
        kind: Kind,
        flocker: impl Fn(usize) -> Flocker,
        finish: impl Finish,
    ) {
        let most = self.most.unwrap_or(usize::MAX);
        let pass = Pass { grid, id, candidates: &self.candidates, most, flocker };
        let room = self.room.of(self.candidates.len());
        match (kind.volume, kind.alike, self.most.is_some()) {
            (false, true, false) => pass.run::<false, true, false>(self.level, room, finish),
            (false, false, false) => pass.run::<false, false, false>(self.level, room, finish),
            (true, true, false) => pass.run::<true, true, false>(self.level, room, finish),
            (true, false, false) => pass.run::<true, false, false>(self.level, room, finish),
            (_, _, true) => pass.run::<true, false, true>(self.level, room, finish),
        }
    }

    /// Copies what others see of each body into the order of the records; what `crowd` is like.
    pub(super) fn gather(
        &mut self,
        grid: &Grid,
        crowd: &Crowd<'_>,
        flocker: impl Fn(usize) -> Flocker,
    ) -> Kind {
        self.candidates.clear();
        self.candidates.extend(grid.records().iter().map(|record| {
            let velocity = crowd.velocity[record.index as usize];
            let position = if velocity.is_finite() { record.position } else { Vec3::splat(NOWHERE) };
            let radius = crowd.radius[record.index as usize];
            Candidate { position: position.to_array(), radius, velocity: velocity.to_array() }
        }));
        let first = crowd.radius.first().copied().unwrap_or_default();
        let (mut alike, mut volume) = (crowd.radius.iter().all(|radius| *radius == first), false);
        for each in (0..crowd.radius.len()).map(flocker) {
            alike &= each.radii == Radii::all(each.radii.separation);
            volume |= !each.ground;
        }
        Kind { alike, volume }
    }
}

impl Crowd<'_> {
    pub(super) fn check(&self, count: usize) {
        let counts = [self.position.len(), self.velocity.len(), self.radius.len(), self.id.len()];
        assert!(counts == [count; 4], "the arrays of a crowd are of different lengths: {counts:?}, {count}");
    }
}

/// Writes down what the rules want.
struct Wants<'a, F> {
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
    fn lone(&mut self, index: usize, me: &Me, sums: Sums) {
        self.out[index] = sums.flock(me, &(self.flocker)(index).radii);
    }
}

impl Crowd<'_> {
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
