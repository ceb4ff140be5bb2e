//! One run of the flock kernel over a grid.

use super::Sums;
use super::kernel::{Flocker, Level};
use super::lanes::{Candidate, Lanes, reach};
use super::meeting::Meeting;
use super::nearest::Few;
use super::wide::MOST;
use crate::math::Vec3;
use crate::space::{Grid, Metric, Record};
use crate::steer::{Me, Neighbour};
use pulp::{Simd, WithSimd};
use std::ops::Range;

/// What becomes of the sums.
pub(super) trait Finish {
    /// For the agents of `records`, one to a lane.
    fn lanes<S: Simd>(&mut self, meeting: &Meeting<S>, records: &[Record]);
    /// For one agent, anew: somebody stands on its own point.
    fn lone(&mut self, index: usize, me: &Me, sums: Sums);
}

/// One run over a grid.
///
/// `VOLUME`: heights count to some. `ALIKE`: all bodies have one radius, and look as far for all rules. `CAPPED`: just the `most`
/// nearest count.
pub(super) struct Pass<'a, F> {
    pub grid: &'a Grid,
    /// Who each body is, by its index.
    pub id: &'a [u32],
    /// What others see of each body, in the order of the records.
    pub candidates: &'a [Candidate],
    pub most: usize,
    pub flocker: F,
}

/// Room for those that are near the agents in the lanes, kept from run to run.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    /// The places of those that are near any of them.
    near: Vec<u32>,
    /// The nearest of each.
    few: Vec<Few>,
}

impl Room {
    /// With places for `count` bodies.
    pub fn of(&mut self, count: usize) -> &mut Self {
        self.near.resize(count, 0);
        self
    }
}

/// The pass, to be compiled once for each set of instructions.
struct Run<'a, 'p, F, G, const VOLUME: bool, const ALIKE: bool, const CAPPED: bool>(
    &'a Pass<'p, F>,
    &'a mut Room,
    G,
);

impl<F: Fn(usize) -> Flocker, G: Finish, const VOLUME: bool, const ALIKE: bool, const CAPPED: bool> WithSimd
    for Run<'_, '_, F, G, VOLUME, ALIKE, CAPPED>
{
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        for line in self.0.grid.lines() {
            for start in line.clone().step_by(S::F32_LANES) {
                let places = start..line.end.min(start + S::F32_LANES);
                self.0.some::<S, VOLUME, ALIKE, CAPPED>(simd, places, self.1, &mut self.2);
            }
        }
    }
}

impl<F: Fn(usize) -> Flocker> Pass<'_, F> {
    pub fn run<const VOLUME: bool, const ALIKE: bool, const CAPPED: bool>(
        &self,
        level: Level,
        room: &mut Room,
        finish: impl Finish,
    ) {
        if CAPPED {
            room.few.resize(MOST, Few::default());
        }
        let run = Run::<_, _, VOLUME, ALIKE, CAPPED>(self, room, finish);
        match (level, pulp::Arch::new()) {
            (Level::Baseline, _) | (_, pulp::Arch::Scalar) => run.with_simd(pulp::Scalar128b),
            (Level::Detected, arch) => arch.dispatch(run),
        }
    }

    /// As many agents that follow each other in a row of cells as there are lanes.
    #[inline(always)]
    fn some<S: Simd, const VOLUME: bool, const ALIKE: bool, const CAPPED: bool>(
        &self,
        simd: S,
        places: Range<usize>,
        room: &mut Room,
        finish: &mut impl Finish,
    ) {
        let records = &self.grid.records()[places.clone()];
        let (lanes, bounds) = self.lanes(places.clone());
        let first = places.start;
        let meeting = Meeting::new(simd, &lanes);
        let mut found = 0;
        self.grid.pieces(
            bounds.metric,
            (bounds.low, bounds.high),
            bounds.widest,
            #[inline(always)]
            |piece| found = meeting.sift::<VOLUME>(self.candidates, piece, &mut room.near, found),
        );
        let near = &room.near[..found];
        let meeting = if CAPPED {
            let few = &mut room.few[..records.len()];
            few.iter_mut().for_each(|few| few.begin(self.most));
            meeting.nearest(
                self.candidates,
                (near, first),
                self.most,
                #[inline(always)]
                |lane, squared, place| {
                    if let Some(few) = few.get_mut(lane) {
                        few.offer(
                            squared,
                            self.id[self.grid.records()[place as usize].index as usize],
                            place,
                        );
                    }
                },
            );
            meeting.meet_few(self.candidates, few)
        } else {
            meeting.meet::<VOLUME, ALIKE>(self.candidates, near, first)
        };
        let meeting = meeting.settled();
        finish.lanes(&meeting, records);
        let same = meeting.same();
        for (lane, record) in records.iter().enumerate().filter(|(lane, _)| same[*lane]) {
            let (me, sums) = self.lone(first + lane, CAPPED.then(|| &room.few[lane]));
            finish.lone(record.index as usize, &me, sums);
        }
    }

    /// The agents at `places`, one to a lane.
    #[inline(always)]
    fn lanes(&self, places: Range<usize>) -> (Lanes, Bounds) {
        let (mut lanes, mut bounds) = (Lanes::default(), Bounds::NONE);
        let records = &self.grid.records()[places.clone()];
        for (lane, (record, own)) in records.iter().zip(&self.candidates[places]).enumerate() {
            let each = (self.flocker)(record.index as usize);
            lanes.take(lane, record, own, &each);
            bounds.take(record, &each);
        }
        (lanes, bounds)
    }

    /// The agent at `place` and its sums, one neighbour after the other: for those that stand on the same point as another, who
    /// part by their ids.
    #[cold]
    #[inline(never)]
    fn lone(&self, place: usize, few: Option<&Few>) -> (Me, Sums) {
        let each = (self.flocker)(self.grid.records()[place].index as usize);
        let me = self.me(place, &each);
        let mut sums = Sums::default();
        let mut meet = |other: usize| {
            if other != place {
                sums.meet(&me, &self.seen(other), &each.radii);
            }
        };
        match few {
            Some(few) => few.places().for_each(|other| meet(other as usize)),
            None => {
                self.grid.pieces(each.metric(), (me.position, me.position), each.radii.largest(), |piece| {
                    piece.for_each(&mut meet)
                })
            }
        }
        (me, sums)
    }

    /// What others see of the body at `place`.
    fn seen(&self, place: usize) -> Neighbour {
        let Candidate { position, radius, velocity } = self.candidates[place];
        let id = self.id[self.grid.records()[place].index as usize];
        Neighbour { position: Vec3::from_array(position), velocity: Vec3::from_array(velocity), radius, id }
    }

    /// The body at `place` as steering sees it, as far as the rules of a flock ask.
    fn me(&self, place: usize, flocker: &Flocker) -> Me {
        let Neighbour { velocity, radius, id, .. } = self.seen(place);
        Me {
            id,
            position: self.grid.records()[place].position,
            velocity,
            facing: Vec3::X,
            radius,
            max_speed: flocker.max_speed,
            max_acceleration: f32::INFINITY,
            response: 0.0,
            ground: flocker.ground,
            resting: false,
        }
    }
}

/// Where the agents in the lanes are, and how far any of them looks.
struct Bounds {
    low: Vec3,
    high: Vec3,
    widest: f32,
    metric: Metric,
}

impl Bounds {
    const NONE: Bounds =
        Bounds { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY, widest: 0.0, metric: Metric::Volume };

    #[inline(always)]
    fn take(&mut self, record: &Record, each: &Flocker) {
        (self.low, self.high) = (self.low.min(record.position), self.high.max(record.position));
        self.widest = self.widest.max(each.radii.largest());
        self.metric = if each.ground { Metric::Ground } else { self.metric };
    }
}

impl Lanes {
    /// Puts an agent into a lane.
    #[inline(always)]
    fn take(&mut self, lane: usize, record: &Record, own: &Candidate, each: &Flocker) {
        for axis in 0..3 {
            self.position[axis][lane] = record.position[axis];
            self.velocity[axis][lane] = own.velocity[axis];
        }
        self.max_speed[lane] = each.max_speed;
        self.height[lane] = if each.ground { 0.0 } else { 1.0 };
        self.radius[lane] = own.radius;
        self.separation[lane] = each.radii.separation;
        self.alignment[lane] = each.radii.alignment;
        self.cohesion[lane] = each.radii.cohesion;
        self.reach[lane] = reach(each.radii.largest());
    }
}

impl Flocker {
    fn metric(&self) -> Metric {
        if self.ground { Metric::Ground } else { Metric::Volume }
    }
}
