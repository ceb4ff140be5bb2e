//! Reciprocal avoidance: the velocity nearest to the one that is wanted with which nobody is run into for a while.
//!
//! Each neighbour forbids the velocities with which the two bodies would touch within the horizon, if the other kept its own. Instead of
//! all of them an agent gives up a half-plane, and takes only its [`share`](Other::share) of the change that is needed, for
//! the other takes the rest (optimal reciprocal collision avoidance, van den Berg, Guy, Lin and Manocha). Walls take no share:
//! an agent keeps the whole of its distance to them. Of what all the half-planes leave, it takes the velocity nearest to the wanted
//! one; where they leave nothing, the one that runs into others the least, and into walls not at all.
//!
//! Ties are decided, and by nothing but who one is: whoever comes exactly head-on is passed on the right by both, those who stand
//! on one point part in a direction made from their two ids. Nearly head-on the side is the one that is there already, and
//! is taken in time rather than braking to a stop.
//!
//! It works on the ground. It keeps nothing, and knows neither agents nor trees nor where walls come from; what lasts is in [`Stance`].
//!
//! ```
//! use warband::math::vec3;
//! use warband::steer::avoid::{Avoidance, Disc, Other};
//! let me = Disc { id: 1, position: vec3(0.0, 0.0, 0.0), velocity: vec3(5.0, 0.0, 0.0), radius: 0.5 };
//! let wanted = me.velocity;
//! let there = Disc { id: 2, position: vec3(3.0, 0.0, 0.0), velocity: vec3(-5.0, 0.0, 0.0), radius: 0.5 };
//! let mut avoidance = Avoidance::default();
//! let alone = avoidance.velocity(wanted, 5.0);
//! assert_eq!(alone, wanted);
//! avoidance.clear();
//! avoidance.other(&me, &Other { body: there, share: 0.5, horizon: 0.65 });
//! let passing = avoidance.velocity(wanted, 5.0);
//! assert!(passing.z > 0.5 && passing.x > 3.0, "past it on the right, hardly slower");
//! ```

mod planes;
mod stance;

pub use stance::Stance;

use super::Limits;
use crate::math::{Vec3, parting, vec3};
use glam::Vec2;
use planes::{Plane, best};

/// Below this sine of the angle off head-on one turns aside by as much, rather than braking to a stop before the other.
const ASIDE: f32 = 0.3;
/// Below this sine it is a tie: both turn to their right.
const TIE: f32 = 1e-3;

/// A body on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Who it is: a number of its own. It decides ties.
    pub id: u32,
    /// Where it is, m.
    pub position: Vec3,
    /// How it moves, m/s.
    pub velocity: Vec3,
    /// Its radius, m.
    pub radius: f32,
}

/// A body that is to be avoided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Other {
    /// Where it is and how it moves.
    pub body: Disc,
    /// Which part of the avoiding is one's own: 0.5 with an equal, 1 with what yields nothing. From 0 to 1.
    pub share: f32,
    /// For how long the two are not to touch, s.
    pub horizon: f32,
}

/// How many seconds ahead a body with these limits looks: the time to stop, and to cross twice its own width.
///
/// Long horizons give odd detours round what is far away; short ones give jerks. It scales with the body.
///
/// ```
/// use warband::steer::{Limits, avoid::horizon};
/// assert!((horizon(&Limits::of(0.5, 5.0)) - 0.65).abs() < 1e-6);
/// assert!((horizon(&Limits::of(5.0, 50.0)) - 0.65).abs() < 1e-6);
/// ```
pub fn horizon(limits: &Limits) -> f32 {
    let speed = limits.max_speed.max(1e-6);
    let stop = if limits.max_acceleration > 0.0 { speed / limits.max_acceleration } else { 1.0 };
    (stop.min(1.0) + 4.0 * limits.radius / speed).clamp(0.05, 3.0)
}

/// Half-planes of velocities, gathered and used for one agent after another. It allocates until it has met the thickest crowd.
#[derive(Clone, Debug, Default)]
pub struct Avoidance {
    planes: Vec<Plane>,
    spare: Vec<Plane>,
    hard: usize,
}

impl Avoidance {
    /// Forgets what was gathered, for the next agent.
    pub fn clear(&mut self) {
        self.planes.clear();
        self.hard = 0;
    }

    /// Whether nothing was gathered.
    pub fn is_empty(&self) -> bool {
        self.planes.is_empty()
    }

    /// Forbids to come to a surface `gap` metres off (from the rim of the body; negative inside) within `horizon` seconds; `normal` is a
    /// unit vector out of it. Surfaces come before all bodies.
    pub fn surface(&mut self, normal: Vec3, gap: f32, horizon: f32) {
        let normal = Vec2::new(normal.x, normal.z);
        // From within a wall one is put out by whoever moves bodies: here it is enough to go no deeper.
        let speed = gap.max(0.0) / horizon.max(1e-3);
        let plane = Plane::beyond(-normal * speed, normal);
        if plane.is_sound() {
            self.planes.insert(self.hard, plane);
            self.hard += 1;
        }
    }

    /// Forbids to run into another body.
    pub fn other(&mut self, me: &Disc, other: &Other) {
        let plane = yielding(me, other);
        if plane.is_sound() {
            self.planes.push(plane);
        }
    }

    /// The velocity nearest to `wanted` that keeps clear of all that was gathered, at most `top` m/s; the height of `wanted` stays.
    /// Where nothing is forbidden it is `wanted` itself.
    pub fn velocity(&mut self, wanted: Vec3, top: f32) -> Vec3 {
        if self.planes.is_empty() {
            return wanted;
        }
        let wanted = if wanted.is_finite() { wanted } else { Vec3::ZERO };
        let flat = Vec2::new(wanted.x, wanted.z);
        let found = best(&self.planes, self.hard, top.max(0.0), flat, &mut self.spare);
        if found.is_finite() { vec3(found.x, wanted.y, found.y) } else { Vec3::ZERO }
    }
}

/// The half-plane of velocities with which `me` does its part to pass the other.
fn yielding(me: &Disc, other: &Other) -> Plane {
    let body = &other.body;
    let reach = (me.radius + body.radius).max(1e-4);
    let mut way = ground(body.position - me.position);
    if way.length_squared() < 1e-8 * reach * reach {
        way = ground(parting(body.id, me.id)) * (1e-3 * reach);
    }
    let own = ground(me.velocity);
    let closing = own - ground(body.velocity);
    let horizon = other.horizon.max(1e-3);
    let (change, normal) = if way.length_squared() > reach * reach {
        apart(way, closing, reach, horizon)
    } else {
        // They overlap: apart within a part of the horizon, gently, for the contact pass does it in a step.
        let excess = closing - way / (0.3 * horizon);
        let normal = excess.try_normalize().unwrap_or_else(|| -way.normalize_or(Vec2::X));
        ((reach / (0.3 * horizon) - excess.length()), normal)
    };
    Plane::beyond(own + normal * (change * other.share.clamp(0.0, 1.0)), normal)
}

/// For two bodies that do not overlap: by how much `closing`, their relative velocity, must change along which unit vector.
fn apart(way: Vec2, closing: Vec2, reach: f32, horizon: f32) -> (f32, Vec2) {
    let distance = way.length();
    let excess = closing - way / horizon;
    let length = excess.length();
    let ahead = way / distance;
    let before = excess.dot(ahead);
    if length < 1e-6 {
        return (reach / horizon, -ahead);
    }
    if before < 0.0 && before * before * distance * distance > reach * reach * length * length {
        // Towards the near end of the cone: a disc of the radius `reach / horizon`.
        let clear = reach / horizon;
        let normal = excess / length;
        let normal = if length < clear { turned_aside(normal, ahead, closing) } else { normal };
        return (clear - normal.dot(excess), normal);
    }
    // Towards the nearer leg of the cone; exactly between them the one on the right.
    let side = if ahead.perp_dot(closing) < -TIE * closing.length() { -1.0 } else { 1.0 };
    let sine = reach / distance;
    let cosine = libm::sqrtf((1.0 - sine * sine).max(0.0));
    let normal = across(ahead) * (side * cosine) - ahead * sine;
    (-normal.dot(closing), normal)
}

/// To the right of `ahead`.
fn across(ahead: Vec2) -> Vec2 {
    Vec2::new(-ahead.y, ahead.x)
}

/// `normal`, but never straight back along the way when one closes in: turned aside to where one passes already, or to the right.
fn turned_aside(normal: Vec2, ahead: Vec2, closing: Vec2) -> Vec2 {
    let side = ahead.perp_dot(normal);
    if side.abs() >= ASIDE || closing.dot(ahead) <= 0.0 {
        return normal;
    }
    let side = if side < -TIE { -ASIDE } else { ASIDE };
    let back = libm::sqrtf(1.0 - ASIDE * ASIDE);
    across(ahead) * side - ahead * back
}

fn ground(v: Vec3) -> Vec2 {
    Vec2::new(v.x, v.z)
}
