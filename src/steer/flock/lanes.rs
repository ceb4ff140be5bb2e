//! Eight agents at once, one to a lane: each candidate is shown to all of them, so that no lane waits for another's sum.
//!
//! Every lane adds up its neighbours in the order of the records, like [`super::flock`] over neighbours in that order. What is no
//! neighbour adds +0, which changes no bit of a sum that began with +0. So the results depend neither on how many lanes
//! a processor has nor on who shares them.

use super::SAME_POINT;
use super::vectors::Vectors;
use super::wide::{MOST, Wide};
use crate::math::Vec3;
use pulp::Simd;

/// A body as those near it see it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Candidate {
    pub position: [f32; 3],
    pub radius: f32,
    pub velocity: [f32; 3],
}

/// One number of each agent that goes at once.
pub(super) type Row = [f32; MOST];

/// What the agents in the lanes are. An idle lane has no radius to look within, and so no neighbour.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lanes {
    pub position: [Row; 3],
    pub velocity: [Row; 3],
    pub max_speed: Row,
    /// 1 for those to whom heights count, else 0.
    pub height: Row,
    pub radius: Row,
    pub separation: Row,
    pub alignment: Row,
    pub cohesion: Row,
    /// Where separation begins to fall and how steeply, where all bodies are of one radius.
    pub start: Row,
    pub steepness: Row,
}

/// The same in the processor's own form, and what has been summed up.
#[derive(Clone, Copy)]
pub(super) struct Meeting<S: Simd> {
    pub simd: S,
    zero: Wide<S>,
    one: Wide<S>,
    /// The turn of each lane: 0, 1, 2 …
    turn: Wide<S>,
    pub position: Vectors<S>,
    /// How they move themselves.
    pub mine: Vectors<S>,
    pub max_speed: Wide<S>,
    height: Wide<S>,
    radius: Wide<S>,
    separation: Wide<S>,
    alignment: Wide<S>,
    cohesion: Wide<S>,
    start: Wide<S>,
    steepness: Wide<S>,
    push: Vectors<S>,
    velocity: Vectors<S>,
    moving: Wide<S>,
    offset: Vectors<S>,
    standing: Wide<S>,
    /// How far off the nearest other is.
    closest: Wide<S>,
}

impl<S: Simd> Meeting<S> {
    /// The agents of `lanes`, who have met nobody yet.
    #[inline(always)]
    pub fn new(simd: S, lanes: &Lanes) -> Self {
        let none = Vectors::all(simd, Vec3::ZERO);
        let (zero, of) = (Wide::all(simd, 0.0), |row: &Row| Wide::of(simd, row));
        Self {
            simd,
            zero,
            one: Wide::all(simd, 1.0),
            turn: of(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]),
            position: Vectors::of(simd, &lanes.position),
            mine: Vectors::of(simd, &lanes.velocity),
            max_speed: of(&lanes.max_speed),
            height: of(&lanes.height),
            radius: of(&lanes.radius),
            separation: of(&lanes.separation),
            alignment: of(&lanes.alignment),
            cohesion: of(&lanes.cohesion),
            start: of(&lanes.start),
            steepness: of(&lanes.steepness),
            push: none,
            velocity: none,
            moving: zero,
            offset: none,
            standing: zero,
            closest: Wide::all(simd, f32::INFINITY),
        }
    }

    /// Shows them the `candidates`, the first of which is `ahead` records ahead of the first lane's own.
    ///
    /// `VOLUME`: heights count to some of them. `ALIKE`: all bodies have one radius, and look as far for all rules.
    #[inline(always)]
    pub fn meet<const VOLUME: bool, const ALIKE: bool>(self, candidates: &[Candidate], ahead: i64) -> Self {
        let mut met = self;
        for (turn, other) in (ahead..).zip(candidates) {
            // What is far from 0 need not be exact: only 0 to 7 are anybody's turn.
            met.add::<VOLUME, ALIKE>(Wide::all(met.simd, turn as f32), other);
        }
        if ALIKE {
            met.standing = met.moving;
        }
        met
    }

    #[inline(always)]
    fn add<const VOLUME: bool, const ALIKE: bool>(&mut self, turn: Wide<S>, other: &Candidate) {
        let all = |number: f32| Wide::all(self.simd, number);
        let x = all(other.position[0]) - self.position.x;
        let z = all(other.position[2]) - self.position.z;
        let y = if VOLUME { (all(other.position[1]) - self.position.y) * self.height } else { self.zero };
        let squared = if VOLUME { x * x + y * y + z * z } else { x * x + z * z };
        let distance = turn.equals(self.turn).pick(all(f32::INFINITY), squared.sqrt());
        let (start, steepness) =
            if ALIKE { (self.start, self.steepness) } else { self.edge(all(other.radius)) };
        let near = self.one - ((distance - start) * steepness).unit();
        let fall = near * near * (self.one + (self.one + self.one) * (self.one - near));
        let repels = distance.below(self.separation);
        let close = repels.pick(fall / distance, self.zero);
        let moves = if ALIKE { repels } else { distance.below(self.alignment) };
        let stands = if ALIKE { repels } else { distance.below(self.cohesion) };
        let is = |number: f32| moves.pick(all(number), self.zero);
        let velocity = other.velocity.map(is);
        self.push.x = self.push.x - x * close;
        self.push.z = self.push.z - z * close;
        self.velocity.x = self.velocity.x + velocity[0];
        self.velocity.z = self.velocity.z + velocity[2];
        self.offset.x = self.offset.x + stands.pick(x, self.zero);
        self.offset.z = self.offset.z + stands.pick(z, self.zero);
        if VOLUME {
            self.push.y = self.push.y - y * close;
            self.velocity.y = self.velocity.y + velocity[1] * self.height;
            self.offset.y = self.offset.y + stands.pick(y, self.zero);
        }
        self.moving = self.moving + moves.pick(self.one, self.zero);
        if !ALIKE {
            self.standing = self.standing + stands.pick(self.one, self.zero);
        }
        self.closest = self.closest.smaller(distance);
    }

    /// Where separation from a body of `radius` begins to fall, and how steeply: [`edge`] in lanes.
    #[inline(always)]
    fn edge(&self, radius: Wide<S>) -> (Wide<S>, Wide<S>) {
        let half = Wide::all(self.simd, 0.5) * self.separation;
        let start = (self.radius + radius).smaller(half).larger(self.zero);
        let smallest = Wide::all(self.simd, SMALLEST_FALL);
        (start, self.one / (self.separation - start).larger(smallest))
    }

    /// In which lanes somebody stood on the same point: there the sums are not to be used.
    #[inline(always)]
    pub fn same(&self) -> [bool; MOST] {
        self.closest.numbers().map(|closest| closest <= SAME_POINT)
    }

    /// What separation, alignment and cohesion want: [`Sums::flock`](super::Sums::flock) in lanes.
    #[inline(always)]
    pub fn flock(&self) -> [Vectors<S>; 3] {
        let (zero, top) = (self.zero, self.max_speed.larger(self.zero));
        let separation = (self.push * self.max_speed).finite().clamped(top);
        let alignment = (self.velocity.over(self.moving) - self.plane(self.mine)).finite();
        let moving = zero.below(self.moving);
        let middle = self.offset.over(self.standing).over(self.cohesion) * self.max_speed;
        let cohesion = middle.finite().clamped(top);
        let standing = zero.below(self.standing);
        [
            separation,
            alignment.kept(
                #[inline(always)]
                |part| moving.pick(part, zero),
            ),
            cohesion.kept(
                #[inline(always)]
                |part| standing.pick(part, zero),
            ),
        ]
    }

    /// Vectors without their heights for those that walk.
    #[inline(always)]
    pub fn plane(&self, v: Vectors<S>) -> Vectors<S> {
        Vectors { y: v.y * self.height, ..v }
    }
}

/// Separation falls over at least this way, m.
const SMALLEST_FALL: f32 = 1e-6;

/// Where separation within `radius` begins to fall for bodies that touch at `contact`, and how steeply.
pub(super) fn edge(contact: f32, radius: f32) -> (f32, f32) {
    let start = contact.min(0.5 * radius).max(0.0);
    (start, 1.0 / (radius - start).max(SMALLEST_FALL))
}
