//! The three rules of a flock in one pass over the neighbours.
//!
//! [`flock`] says what they mean, for one agent. [`FlockKernel`] does the same for all agents of a [`Grid`](crate::space::Grid), eight at a
//! time, and agrees with it bit for bit when the neighbours are given in the order of the grid's records. [`flock_of_nearest`] looks
//! at the nearest few alone, and so does the kernel where it is told to.

mod kernel;
mod lanes;
mod meeting;
mod nearest;
mod one_pass;
mod pass;
mod school;
mod vectors;
mod wide;

pub use kernel::{Crowd, FlockKernel, Flocker, Level};
pub use nearest::{MOST_NEIGHBOURS, flock_of_nearest};
pub use one_pass::OnePass;
pub use school::{School, SchoolRules};

use super::{Me, Near, Neighbour};
use crate::math::{Vec3, parting};
use serde::{Deserialize, Serialize};

/// How far off neighbours count for each rule, from centre to centre, m; 0 leaves the rule out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Radii {
    pub separation: f32,
    pub alignment: f32,
    pub cohesion: f32,
}

impl Radii {
    /// No rule at all.
    pub const NONE: Radii = Radii { separation: 0.0, alignment: 0.0, cohesion: 0.0 };

    /// The same radius for all three, m.
    pub fn all(radius: f32) -> Self {
        Self { separation: radius, alignment: radius, cohesion: radius }
    }

    /// How far neighbours must be sought, m: the largest of the three.
    pub fn largest(&self) -> f32 {
        self.separation.max(self.alignment).max(self.cohesion).max(0.0)
    }
}

/// What each of the three rules wants to add, m/s; zero where nobody is near. None is above the top speed but
/// alignment, which can be twice that when all others come the other way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Flock {
    pub separation: Vec3,
    pub alignment: Vec3,
    pub cohesion: Vec3,
}

impl Flock {
    /// The sum under `weights`, m/s, not limited.
    pub fn sum(&self, weights: &Weights) -> Vec3 {
        self.separation * weights.separation
            + self.alignment * weights.alignment
            + self.cohesion * weights.cohesion
    }
}

/// How much each rule counts; 1 is as it comes, 0 leaves it out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Weights {
    pub separation: f32,
    pub alignment: f32,
    pub cohesion: f32,
}

impl Default for Weights {
    /// Article two's: 1.5, 1, 1. They can be taken as they are, for there only the sum's direction and share count.
    fn default() -> Self {
        Self { separation: 1.5, alignment: 1.0, cohesion: 1.0 }
    }
}

/// Article one's weights, which make *accelerations*: `w_s·Σ(p−pᵢ)/d² + w_a·(v̄−v) + w_c·(p̄−p) + w_t·(û·max_speed−v)`.
///
/// Setting that to zero shows which velocity it drives at: `û·max_speed` plus each of the other terms divided by `w_t`. So
/// a weight of ours is the article's, divided by the target weight, in the units of our vectors: at contact
/// `1/d` is 1 per `contact` metres where ours is the top speed, and cohesion is in radii and top speeds.
///
/// ```
/// use warband::steer::Forces;
/// let article = Forces { separation: 2.5, alignment: 1.0, cohesion: 0.8, target: 1.5 };
/// let ours = article.weights(1.0, 3.0, 4.0);
/// assert!((ours.separation - 0.417).abs() < 0.001);
/// assert!((ours.alignment - 0.667).abs() < 0.001);
/// assert!((ours.cohesion - 0.4).abs() < 0.001);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Forces {
    pub separation: f32,
    pub alignment: f32,
    pub cohesion: f32,
    pub target: f32,
}

impl Forces {
    /// The same as weights of ours, for bodies that touch at `contact` metres from centre to centre, with a neighbour `radius` (m)
    /// and a top speed (m/s).
    pub fn weights(&self, contact: f32, radius: f32, max_speed: f32) -> Weights {
        let target = self.target.max(1e-6);
        let speed = max_speed.max(1e-6);
        Weights {
            separation: self.separation / (target * contact.max(1e-6) * speed),
            alignment: self.alignment / target,
            cohesion: self.cohesion * radius / (target * speed),
        }
    }
}

/// Two bodies that are not farther apart than this have no direction from each other, m.
const SAME_POINT: f32 = 1e-5;

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    push: Vec3,
    velocity: Vec3,
    moving: f32,
    offset: Vec3,
    standing: f32,
}

/// What separation, alignment and cohesion want, in one pass over the neighbours of `me`.
///
/// Neighbours that are not finite are passed over. On the ground heights do not count; see [`Me::ground`].
pub fn flock(me: &Me, near: &Near, radii: &Radii) -> Flock {
    let mut sums = Sums::default();
    for other in near.others(me.id) {
        sums.meet(me, &other, radii);
    }
    sums.flock(me, radii)
}

impl Sums {
    fn meet(&mut self, me: &Me, other: &Neighbour, radii: &Radii) {
        let offset = me.to(other.position);
        let distance = offset.length();
        if distance.is_finite() && other.velocity.is_finite() {
            self.add(me, other, offset, distance, radii);
        }
    }

    fn add(&mut self, me: &Me, other: &Neighbour, offset: Vec3, distance: f32, radii: &Radii) {
        if distance < radii.separation {
            let close = closeness(distance, me.radius + other.radius, radii.separation);
            if distance > SAME_POINT {
                self.push -= offset * (close / distance);
            } else {
                self.push += parting(me.id, other.id) * close;
            }
        }
        if distance < radii.alignment {
            self.velocity += me.plane(other.velocity);
            self.moving += 1.0;
        }
        if distance < radii.cohesion {
            self.offset += offset;
            self.standing += 1.0;
        }
    }

    fn flock(&self, me: &Me, radii: &Radii) -> Flock {
        let mut flock = Flock { separation: me.limited(self.push * me.max_speed), ..Flock::default() };
        if self.moving > 0.0 {
            let difference = self.velocity / self.moving - me.plane(me.velocity);
            flock.alignment = if difference.is_finite() { difference } else { Vec3::ZERO };
        }
        if self.standing > 0.0 {
            flock.cohesion = me.limited(self.offset / self.standing / radii.cohesion * me.max_speed);
        }
        flock
    }
}

/// How close a neighbour is: 1 at `contact` and closer, 0 at `radius`, smooth at both ends.
///
/// A radius within twice the contact begins to fall at half of itself, so that it always ends at 0.
fn closeness(distance: f32, contact: f32, radius: f32) -> f32 {
    let (start, steepness) = lanes::edge(contact, radius);
    let near = 1.0 - ((distance - start) * steepness).clamp(0.0, 1.0);
    near * near * (1.0 + 2.0 * (1.0 - near))
}
