//! A flock and nothing else: bodies of one kind that flock and swim to a point, a whole step in one pass.

use super::kernel::{Crowd, FlockKernel, Flocker, Level};
use super::meeting::Meeting;
use super::pass::Finish;
use super::vectors::Vectors;
use super::wide::Wide;
use super::{Radii, Sums, Weights};
use crate::math::Vec3;
use crate::space::{Grid, Record, Shape};
use crate::steer::limits::Pace;
use crate::steer::{Class, DEFAULT_BIAS_SHARE, Limits, Me, Near, Order, Wish, combine_weighted, seek, steer};
use pulp::Simd;

/// What the bodies of a [`School`] are and want.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SchoolRules {
    /// The body of each.
    pub limits: Limits,
    /// How far off neighbours count.
    pub radii: Radii,
    /// How many neighbours count for each: see [`FlockKernel::most`].
    pub most: Option<usize>,
    /// How much each rule counts.
    pub weights: Weights,
    /// Whether they walk: heights are then left out.
    pub ground: bool,
    /// Where all of them seek to; nowhere when `None`.
    pub goal: Option<Vec3>,
}

/// A crowd of bodies of one kind that only flock: for fish, birds and swarms that need no tree.
///
/// One [`step`](School::step) is the grid, the three rules, [`seek`], [`combine_weighted`], [`steer`] and the new positions,
/// equal bit for bit to those functions called one after the other. All bodies see the others as they were before the step.
///
/// ```
/// use warband::math::{Vec3, vec3};
/// use warband::steer::{Limits, Radii, School, SchoolRules, Weights};
/// let rules = SchoolRules {
///     limits: Limits::of(0.5, 5.0),
///     radii: Radii::all(3.0),
///     most: None,
///     weights: Weights::default(),
///     ground: true,
///     goal: Some(vec3(50.0, 0.0, 0.0)),
/// };
/// let mut position: Vec<Vec3> = (0..100).map(|i| vec3((i % 10) as f32, 0.0, (i / 10) as f32)).collect();
/// let mut velocity = vec![Vec3::ZERO; 100];
/// let mut school = School::default();
/// for _ in 0..60 {
///     school.step(&rules, &mut position, &mut velocity, 1.0 / 60.0);
/// }
/// assert!(position.iter().all(|place| place.x > 2.0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct School {
    grid: Grid,
    kernel: FlockKernel,
    radius: Vec<f32>,
    id: Vec<u32>,
}

impl School {
    /// One that uses the instructions of `level`.
    pub fn with_level(level: Level) -> Self {
        let mut school = Self::default();
        school.kernel.level = level;
        school
    }

    /// Moves all bodies on by `dt` seconds. Their indices are their ids.
    ///
    /// # Panics
    /// When the two arrays are not of one length.
    pub fn step(&mut self, rules: &SchoolRules, position: &mut [Vec3], velocity: &mut [Vec3], dt: f32) {
        let count = position.len();
        self.radius.clear();
        self.radius.resize(count, rules.limits.radius);
        self.id.truncate(count);
        self.id.extend(self.id.len() as u32..count as u32);
        let shape = if rules.ground { Shape::Ground } else { Shape::Volume };
        self.grid.rebuild(position, rules.radii.largest(), shape);
        let each = Flocker { radii: rules.radii, max_speed: rules.limits.max_speed, ground: rules.ground };
        let crowd = Crowd { position, velocity, radius: &self.radius, id: &self.id };
        crowd.check(count);
        let kind = self.kernel.gather(&self.grid, &crowd, |_| each);
        let pace = Pace::of(&rules.me(0, Vec3::ZERO, Vec3::ZERO), dt);
        self.kernel.most = rules.most;
        // The kernel sees the bodies as they were gathered, and so they can be moved in their places.
        let moves = Moves { rules, pace, dt, position, velocity };
        self.kernel.each(&self.grid, &self.id, kind, |_| each, moves);
    }
}

/// Moves each body on.
struct Moves<'a> {
    rules: &'a SchoolRules,
    pace: Pace,
    dt: f32,
    position: &'a mut [Vec3],
    velocity: &'a mut [Vec3],
}

impl Finish for Moves<'_> {
    #[inline(always)]
    fn lanes<S: Simd>(&mut self, meeting: &Meeting<S>, records: &[Record]) {
        let velocity = self.wanted(meeting);
        let position = (meeting.position + velocity * Wide::all(meeting.simd, self.dt)).vectors();
        let velocity = velocity.vectors();
        for (lane, record) in records.iter().enumerate() {
            let index = record.index as usize;
            (self.position[index], self.velocity[index]) = (position[lane], velocity[lane]);
        }
    }
    fn lone(&mut self, index: usize, me: &Me, sums: Sums) {
        let me = self.rules.me(index, me.position, me.velocity);
        let bias = sums.flock(&me, &self.rules.radii).sum(&self.rules.weights);
        (self.position[index], self.velocity[index]) = self.rules.moved(&me, bias, self.dt);
    }
}

impl Moves<'_> {
    /// What [`combine_weighted`] and [`steer`] make of goal and flock, in lanes.
    #[inline(always)]
    fn wanted<S: Simd>(&self, meeting: &Meeting<S>) -> Vectors<S> {
        let top = meeting.max_speed;
        let zero = top.same(0.0);
        let [separation, alignment, cohesion] = meeting.flock();
        let weights = &self.rules.weights;
        let bias = separation * top.same(weights.separation)
            + alignment * top.same(weights.alignment)
            + cohesion * top.same(weights.cohesion);
        let bias = bias.finite().clamped(top * top.same(DEFAULT_BIAS_SHARE));
        let desired = match self.rules.goal {
            Some(goal) => self.seek(meeting, goal) + bias,
            None => bias,
        };
        let mine = meeting.mine.finite();
        let gap = desired.clamped(top).finite().clamped(top) - mine;
        let length = gap.length();
        let mut change = length.numbers();
        for change in &mut change {
            *change = self.pace.step(*change);
        }
        let share = zero.below(length).pick(Wide::of(meeting.simd, &change) / length, zero);
        let speed = mine.length();
        (mine + gap * share).clamped(top.larger(speed))
    }

    /// [`seek`] in lanes.
    #[inline(always)]
    fn seek<S: Simd>(&self, meeting: &Meeting<S>, goal: Vec3) -> Vectors<S> {
        let way = meeting.plane(Vectors::all(meeting.simd, goal) - meeting.position);
        let length = way.length();
        let zero = length.same(0.0);
        let speed = if self.dt > 0.0 {
            meeting.max_speed.smaller(length / length.same(self.dt))
        } else {
            meeting.max_speed
        };
        let far = length.same(1e-6).below(length);
        let unit = way.over(length).kept(
            #[inline(always)]
            |part| far.pick(part, zero),
        );
        (unit * speed).clamped(meeting.max_speed)
    }
}

impl SchoolRules {
    /// A body as steering sees it.
    fn me(&self, index: usize, position: Vec3, velocity: Vec3) -> Me {
        let limits = &self.limits;
        let mut me = Me::new(index as u32, position, Vec3::X, limits);
        me.velocity = velocity;
        me.max_speed = limits.max_speed.max(0.0);
        me.ground = self.ground;
        me
    }

    /// Where a body is after `dt` seconds, and how it then moves, when its flock wants `bias`.
    fn moved(&self, me: &Me, bias: Vec3, dt: f32) -> (Vec3, Vec3) {
        let bias = Wish { class: Class::Bias, weight: 1.0, velocity: bias };
        let desired = match self.goal {
            None => combine_weighted(&[bias], me.max_speed, DEFAULT_BIAS_SHARE),
            Some(goal) => {
                let velocity = (seek::DEF.run)(me, &Order::to(goal), &Near::NOBODY, dt);
                let goal = Wish { class: Class::Goal, weight: 1.0, velocity };
                combine_weighted(&[goal, bias], me.max_speed, DEFAULT_BIAS_SHARE)
            }
        };
        let velocity = steer(me, desired, dt);
        (me.position + velocity * dt, velocity)
    }
}
