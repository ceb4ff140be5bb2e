//! Eight agents at once (four without AVX2), one to a lane: each candidate is shown to all of them, so that no lane waits for another's sum.
//!
//! Every lane adds up its neighbours in the order of the records, like [`super::flock`] over neighbours in that order. What is no
//! neighbour adds +0, which changes no bit of a sum that began with +0. So the results depend neither on how many lanes
//! a processor has nor on who shares them.
//!
//! It goes in two steps: [`Meeting::sift`] lists whom any lane can see at all, which costs a few products for each candidate, and
//! [`Meeting::meet`] does the dear part, a root and a division, for those alone.

use super::SAME_POINT;
use super::lanes::{Candidate, Lanes, Row, SMALLEST_FALL};
use super::nearest::{Few, MOST_NEIGHBOURS};
use super::vectors::Vectors;
use super::wide::{MOST, Mask, Wide};
use crate::math::Vec3;
use pulp::Simd;
use std::ops::Range;

/// Agents, one to a lane, in the processor's own form, and what has been summed up.
#[derive(Clone, Copy)]
pub(super) struct Meeting<S: Simd> {
    pub simd: S,
    zero: Wide<S>,
    one: Wide<S>,
    pub position: Vectors<S>,
    /// How they move themselves.
    pub mine: Vectors<S>,
    pub max_speed: Wide<S>,
    height: Wide<S>,
    radius: Wide<S>,
    separation: Wide<S>,
    alignment: Wide<S>,
    cohesion: Wide<S>,
    reach: Wide<S>,
    /// Where separation begins to fall and how steeply, where all bodies are of one radius.
    edge: (Wide<S>, Wide<S>),
    push: Vectors<S>,
    velocity: Vectors<S>,
    moving: Wide<S>,
    offset: Vectors<S>,
    standing: Wide<S>,
    /// Where somebody stands on the same point.
    same: Mask<S>,
}

impl<S: Simd> Meeting<S> {
    /// The agents of `lanes`, who have met nobody yet.
    #[inline(always)]
    pub fn new(simd: S, lanes: &Lanes) -> Self {
        let none = Vectors::all(simd, Vec3::ZERO);
        let (zero, of) = (Wide::all(simd, 0.0), |row: &Row| Wide::of(simd, row));
        let mut meeting = Self {
            simd,
            zero,
            one: Wide::all(simd, 1.0),
            position: Vectors::of(simd, &lanes.position),
            mine: Vectors::of(simd, &lanes.velocity),
            max_speed: of(&lanes.max_speed),
            height: of(&lanes.height),
            radius: of(&lanes.radius),
            separation: of(&lanes.separation),
            alignment: of(&lanes.alignment),
            cohesion: of(&lanes.cohesion),
            reach: of(&lanes.reach),
            edge: (zero, zero),
            push: none,
            velocity: none,
            moving: zero,
            offset: none,
            standing: zero,
            same: zero.below(zero),
        };
        meeting.edge = meeting.edge(meeting.radius);
        meeting
    }

    /// Writes the places of those candidates of `piece` that some lane may see to `near`, behind the `found` that are there;
    /// how many there are then.
    ///
    /// `VOLUME`: heights count to some of the lanes.
    #[inline(always)]
    pub fn sift<const VOLUME: bool>(
        &self,
        candidates: &[Candidate],
        piece: Range<usize>,
        near: &mut [u32],
        mut found: usize,
    ) -> usize {
        for (place, other) in piece.clone().zip(&candidates[piece]) {
            // Every place is written down and the next one over it, unless it counts: no branch to be guessed.
            near[found] = place as u32;
            let squared =
                self.squared::<VOLUME>(self.to::<VOLUME>(Vectors::each(self.simd, &other.position)));
            found += usize::from(squared.below(self.reach).any());
        }
        found
    }

    /// Shows them the candidates at the places `near`. The first lane's own place is `first`, and so on.
    ///
    /// `ALIKE`: all bodies have one radius, and look as far for all rules.
    #[inline(always)]
    pub fn meet<const VOLUME: bool, const ALIKE: bool>(
        self,
        candidates: &[Candidate],
        near: &[u32],
        first: usize,
    ) -> Self {
        let mut met = self;
        for &place in near {
            let other = &candidates[place as usize];
            let turn = (place as usize).wrapping_sub(first).min(MOST);
            let position = Vectors::each(met.simd, &other.position);
            let velocity = Vectors::each(met.simd, &other.velocity);
            let radius = Wide::all(met.simd, other.radius);
            met.add::<VOLUME, ALIKE>(position, velocity, radius, Wide::of(met.simd, &ITSELF[turn]));
        }
        if ALIKE {
            met.standing = met.moving;
        }
        met
    }

    /// Calls `offer` with the lane, the square of the distance, and the place of those `near` that are among the `most` nearest of a
    /// lane: of each lane all that are no farther than the last of them, and so a few more where several are equally far.
    #[inline(always)]
    pub fn nearest(
        &self,
        candidates: &[Candidate],
        (near, first): (&[u32], usize),
        most: usize,
        mut offer: impl FnMut(usize, f32, u32),
    ) {
        let squared = |place: u32| self.apart::<true>(&candidates[place as usize], place, first);
        let mut limits = [self.reach.same(f32::INFINITY); MOST_NEIGHBOURS];
        let limits = &mut limits[..most.clamp(1, MOST_NEIGHBOURS)];
        if near.len() > limits.len() {
            for &place in near {
                // Whoever is nearer takes the place, and the one that was there moves on by one.
                let mut farther = squared(place);
                for limit in &mut *limits {
                    (*limit, farther) = (limit.smaller(farther), limit.larger(farther));
                }
            }
        }
        let last = limits[limits.len() - 1].smaller(self.reach).smaller(self.reach.same(f32::MAX));
        for &place in near {
            let squared = squared(place);
            let numbers = squared.numbers();
            squared.at_most(last).lanes().for_each(
                #[inline(always)]
                |lane| offer(lane, numbers[lane], place),
            );
        }
    }

    /// The square of the distance of the candidate at `place`, infinite from itself.
    #[inline(always)]
    fn apart<const VOLUME: bool>(&self, other: &Candidate, place: u32, first: usize) -> Wide<S> {
        let turn = (place as usize).wrapping_sub(first).min(MOST);
        let way = self.to::<VOLUME>(Vectors::each(self.simd, &other.position));
        self.squared::<VOLUME>(way) + Wide::of(self.simd, &ITSELF[turn])
    }

    /// Shows each lane the `few` of its own, nearest first.
    #[inline(always)]
    pub fn meet_few(self, candidates: &[Candidate], few: &[Few]) -> Self {
        let mut met = self;
        let most = few.iter().map(Few::count).max().unwrap_or_default();
        for turn in 0..most {
            let others = Others::of(turn, candidates, few);
            let position = Vectors::of(met.simd, &others.position);
            let velocity = Vectors::of(met.simd, &others.velocity);
            let [radius, apart] = [&others.radius, &others.apart].map(|row| Wide::of(met.simd, row));
            met.add::<true, false>(position, velocity, radius, apart);
        }
        met
    }

    /// The same. Where there are four lanes, compilers without wide instructions of their own would take the sums apart into
    /// single numbers for what comes after, and so make the loop that sums up half as fast again: they may not look across.
    #[inline(always)]
    pub fn settled(self) -> Self {
        if S::F32_LANES < MOST { std::hint::black_box(self) } else { self }
    }

    /// From each lane to a place.
    #[inline(always)]
    fn to<const VOLUME: bool>(&self, place: Vectors<S>) -> Vectors<S> {
        let x = place.x - self.position.x;
        let z = place.z - self.position.z;
        let y = if VOLUME { (place.y - self.position.y) * self.height } else { self.zero };
        Vectors { x, y, z }
    }

    #[inline(always)]
    fn squared<const VOLUME: bool>(&self, way: Vectors<S>) -> Wide<S> {
        if VOLUME { way.squared() } else { way.x * way.x + way.z * way.z }
    }

    /// One other for each lane; its square of distance grows by `apart`.
    #[inline(always)]
    fn add<const VOLUME: bool, const ALIKE: bool>(
        &mut self,
        position: Vectors<S>,
        velocity: Vectors<S>,
        radius: Wide<S>,
        apart: Wide<S>,
    ) {
        let way = self.to::<VOLUME>(position);
        let distance = (self.squared::<VOLUME>(way) + apart).sqrt();
        let (start, steepness) = if ALIKE { self.edge } else { self.edge(radius) };
        let near = self.one - ((distance - start) * steepness).unit();
        let fall = near * near * (self.one + (self.one + self.one) * (self.one - near));
        let repels = distance.below(self.separation);
        let close = repels.pick(fall / distance, self.zero);
        let moves = if ALIKE { repels } else { distance.below(self.alignment) };
        let stands = if ALIKE { repels } else { distance.below(self.cohesion) };
        self.push.x = self.push.x - way.x * close;
        self.push.z = self.push.z - way.z * close;
        self.velocity.x = self.velocity.x + moves.pick(velocity.x, self.zero);
        self.velocity.z = self.velocity.z + moves.pick(velocity.z, self.zero);
        self.offset.x = self.offset.x + stands.pick(way.x, self.zero);
        self.offset.z = self.offset.z + stands.pick(way.z, self.zero);
        if VOLUME {
            self.push.y = self.push.y - way.y * close;
            self.velocity.y = self.velocity.y + moves.pick(velocity.y, self.zero) * self.height;
            self.offset.y = self.offset.y + stands.pick(way.y, self.zero);
        }
        self.moving = self.moving + moves.pick(self.one, self.zero);
        if !ALIKE {
            self.standing = self.standing + stands.pick(self.one, self.zero);
        }
        self.same = self.same.or(distance.at_most(distance.same(SAME_POINT)));
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
        self.same.pick(self.one, self.zero).numbers().map(|same| same > 0.0)
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

/// One other for each lane.
struct Others {
    position: [Row; 3],
    velocity: [Row; 3],
    radius: Row,
    /// Infinite where there is no other.
    apart: Row,
}

impl Others {
    /// Those whose turn it is.
    #[inline(always)]
    fn of(turn: usize, candidates: &[Candidate], few: &[Few]) -> Self {
        let none = [[0.0; MOST]; 3];
        let mut others =
            Self { position: none, velocity: none, radius: none[0], apart: [f32::INFINITY; MOST] };
        for (lane, place) in few.iter().enumerate().filter_map(|(lane, few)| Some((lane, few.place(turn)?))) {
            let other = &candidates[place as usize];
            for axis in 0..3 {
                others.position[axis][lane] = other.position[axis];
                others.velocity[axis][lane] = other.velocity[axis];
            }
            (others.radius[lane], others.apart[lane]) = (other.radius, 0.0);
        }
        others
    }
}

/// What keeps an agent from meeting itself: by whose turn it is, what the squares of distances from each lane grow by. The last row
/// is for others.
const ITSELF: [Row; MOST + 1] = {
    let mut rows = [[0.0; MOST]; MOST + 1];
    let mut turn = 0;
    while turn < MOST {
        rows[turn][turn] = f32::INFINITY;
        turn += 1;
    }
    rows
};
