//! The nearest few neighbours of an agent, in an order that nothing decides but how far off they are and who they are.

use super::{Flock, Radii, Sums};
use crate::steer::{Me, Near, Neighbour};

/// How many neighbours a flock can be told to look at, at most; see [`flock_of_nearest`].
pub const MOST_NEIGHBOURS: usize = 64;

/// The nearest of those that were offered, nearest first; of two equally near ones the lower id comes first.
#[derive(Clone, Debug)]
pub(super) struct Few {
    most: usize,
    found: usize,
    /// The bits of the squared distance and below them the id: one number that orders them. Beside it the place.
    nearest: [(u64, u32); MOST_NEIGHBOURS],
}

impl Default for Few {
    fn default() -> Self {
        Self { most: 1, found: 0, nearest: [(0, 0); MOST_NEIGHBOURS] }
    }
}

impl Few {
    /// Forgets all, and keeps `most` from now on, brought into 1..=64.
    pub fn begin(&mut self, most: usize) {
        (self.most, self.found) = (most.clamp(1, MOST_NEIGHBOURS), 0);
    }

    /// The place of the one of that turn, the nearest's being 0.
    #[inline(always)]
    pub fn place(&self, turn: usize) -> Option<u32> {
        self.nearest[..self.found].get(turn).map(|(_, place)| *place)
    }

    /// The places of all, nearest first.
    pub fn places(&self) -> impl Iterator<Item = u32> {
        self.nearest[..self.found].iter().map(|(_, place)| *place)
    }

    pub fn count(&self) -> usize {
        self.found
    }

    /// Offers the one at `place`. The square of its distance must not be NaN.
    pub fn offer(&mut self, squared: f32, id: u32, place: u32) {
        // Of numbers that are not negative the bits have the same order.
        let key = u64::from(squared.to_bits()) << 32 | u64::from(id);
        let full = self.found == self.most;
        let mut turn = if full { self.found - 1 } else { self.found };
        if full && self.nearest[turn].0 <= key {
            return;
        }
        while turn > 0 && self.nearest[turn - 1].0 > key {
            self.nearest[turn] = self.nearest[turn - 1];
            turn -= 1;
        }
        self.nearest[turn] = (key, place);
        self.found += usize::from(!full);
    }
}

/// Like [`flock`](super::flock), of no more than the `most` nearest neighbours (1..=64, else the nearer end): each rule looks at those of
/// them that are within its radius.
///
/// Of two equally near ones the lower id comes first, and they are added up in that order: so it does not matter in which
/// order the neighbours come. Ids must differ.
///
/// ```
/// use warband::math::{Vec3, vec3};
/// use warband::steer::{Limits, Me, Near, Radii, flock, flock_of_nearest};
/// let me = Me::new(0, Vec3::ZERO, Vec3::X, &Limits::of(0.5, 5.0));
/// let position = [Vec3::ZERO, vec3(0.0, 0.0, 2.5), vec3(1.0, 0.0, 0.0)];
/// let near = Near {
///     indices: &[0, 1, 2],
///     position: &position,
///     velocity: &[Vec3::ZERO; 3],
///     radius: &[0.5; 3],
///     id: &[0, 1, 2],
///     ..Near::NOBODY
/// };
/// let one = flock_of_nearest(&me, &near, &Radii::all(3.0), 1);
/// assert_eq!(one.cohesion, flock(&me, &Near { indices: &[2], ..near }, &Radii::all(3.0)).cohesion);
/// ```
pub fn flock_of_nearest(me: &Me, near: &Near, radii: &Radii, most: usize) -> Flock {
    let one = |index: u32| Near { indices: &[index], ..*near }.others(me.id).next();
    let mut few = Few::default();
    few.begin(most);
    for &index in near.indices {
        let squared = |other: &Neighbour| me.to(other.position).length_squared();
        let sound = |other: &Neighbour| squared(other).is_finite() && other.velocity.is_finite();
        if let Some(other) = one(index).filter(sound) {
            few.offer(squared(&other), other.id, index);
        }
    }
    let mut sums = Sums::default();
    for other in few.places().filter_map(one) {
        sums.meet(me, &other, radii);
    }
    sums.flock(me, radii)
}
