//! Where the members of a clump start: at random, and clear of each other and of walls.

use super::model::Start;
use crate::math::{Vec3, direction};
use crate::rng::Dice;
use crate::space::Walls;

/// How often a place is tried before the clump grows.
const TRIES: usize = 32;
/// By how much the clump grows when nothing is found.
const GROWTH: f32 = 1.15;
/// How much room a body has beside its radius, as a factor.
const ROOM: f32 = 1.1;

/// The positions of the members, the same for the same dice.
///
/// No two bodies of `radius` overlap and none reaches into a wall; a clump that is too small for its members grows.
pub(super) fn positions(
    start: &Start,
    radius: f32,
    flies: bool,
    walls: &Walls,
    dice: &mut Dice,
) -> Vec<Vec3> {
    match start {
        Start::Exactly(positions) => positions.clone(),
        Start::Clump { at, spread, count } => {
            let mut all = Vec::with_capacity(*count as usize);
            let mut reach = *spread;
            for _ in 0..*count {
                all.push(free_place(*at, &mut reach, radius, flies, &all, walls, dice));
            }
            all
        }
    }
}

fn free_place(
    at: Vec3,
    reach: &mut f32,
    radius: f32,
    flies: bool,
    taken: &[Vec3],
    walls: &Walls,
    dice: &mut Dice,
) -> Vec3 {
    let clear = |place: Vec3| {
        taken.iter().all(|other| other.distance(place) >= 2.0 * ROOM * radius)
            && !walls.overlaps(place, ROOM * radius)
    };
    // Growing without end would loop for ever in a walled-in corner: after this much, overlap is the lesser evil.
    for _ in 0..200 {
        for _ in 0..TRIES {
            let place = at + anywhere(*reach, flies, dice);
            if clear(place) {
                return place;
            }
        }
        *reach = (*reach * GROWTH).max(radius);
    }
    at
}

/// A point of the disc, or the ball for who flies, of radius `reach`, evenly spread.
fn anywhere(reach: f32, flies: bool, dice: &mut Dice) -> Vec3 {
    let angle = dice.range(0.0, std::f64::consts::TAU) as f32;
    if !flies {
        return direction(angle) * reach * libm::sqrt(dice.unit()) as f32;
    }
    let (up, out) = (dice.range(-1.0, 1.0) as f32, libm::cbrt(dice.unit()) as f32);
    (direction(angle) * libm::sqrtf(1.0 - up * up) + Vec3::Y * up) * reach * out
}
