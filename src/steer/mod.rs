//! Steering: one pure function per behaviour, and the limits that turn wishes into a velocity.
//!
//! Each behaviour is a file with a `DEF` and a short function; [`BEHAVIOURS`] lists them all, and whatever
//! offers them (nodes, Lua, the reference) reads that table. A behaviour looks at its agent ([`Me`]), at what it
//! was told ([`Order`]) and at the neighbours as they were at the start of the tick ([`Near`]), and answers with
//! a velocity in metres per second. It keeps nothing: what must last from tick to tick ([`Me::resting`],
//! [`PathCursor`], [`Course`]) belongs to the caller.
//!
//! This module must not know agents, boards, trees or walls.
//!
//! ```
//! use warband::math::vec3;
//! use warband::steer::{Limits, Me, Near, Order, arrive, steer};
//! let limits = Limits::of(0.5, 5.0);
//! let mut me = Me::new(1, vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0), &limits);
//! let order = Order::to(vec3(20.0, 0.0, 0.0));
//! for _ in 0..360 {
//!     let desired = (arrive::DEF.run)(&me, &order, &Near::NOBODY, 1.0 / 60.0);
//!     me.velocity = steer(&me, desired, 1.0 / 60.0);
//!     me.position += me.velocity / 60.0;
//! }
//! assert!(me.position.distance(order.point) <= limits.tolerance);
//! ```

pub mod alignment;
pub mod arrive;
pub mod avoid;
pub mod cohesion;
pub mod evade;
pub mod face;
pub mod flee;
mod flock;
pub mod follow_path;
mod limits;
pub mod pursue;
pub mod seek;
pub mod separation;
pub mod wander;

use crate::args::{DefaultValue, Param};
use crate::math::{Vec3, clamp_length, flat};
use serde::{Deserialize, Serialize};

pub use flock::{Flock, Forces, Radii, Weights, flock};
pub use follow_path::{PathCursor, PathPoint, Route};
pub use limits::{
    DEFAULT_BIAS_SHARE, Limits, Turning, Wish, combine_budget, combine_heading, combine_priority,
    combine_weighted, dead_zone, steer, substeps, turn,
};
pub use wander::{Course, step_angle};

/// Every behaviour, by name.
pub const BEHAVIOURS: &[&Behaviour] = &[
    &alignment::DEF,
    &arrive::DEF,
    &cohesion::DEF,
    &evade::DEF,
    &face::DEF,
    &flee::DEF,
    &follow_path::DEF,
    &pursue::DEF,
    &seek::DEF,
    &separation::DEF,
    &wander::DEF,
];

/// The behaviour called `name`, if there is one.
pub fn behaviour(name: &str) -> Option<&'static Behaviour> {
    BEHAVIOURS.iter().copied().find(|behaviour| behaviour.name == name)
}

/// The agent that is being steered, as it was at the start of the tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Me {
    /// Who it is: a number unique among its neighbours. It alone decides ties.
    pub id: u32,
    /// Where it is, m.
    pub position: Vec3,
    /// How it moves, m/s.
    pub velocity: Vec3,
    /// Where it looks, a unit vector.
    pub facing: Vec3,
    /// Radius of its body, m.
    pub radius: f32,
    /// Top speed, m/s.
    pub max_speed: f32,
    /// Largest change of velocity, m/s². Infinite is allowed: it then starts and stops within a step.
    pub max_acceleration: f32,
    /// Time constant with which it follows its wish, s. At 0 only the largest acceleration slows it.
    pub response: f32,
    /// Whether it walks: heights are then left out of every distance, direction and velocity.
    pub ground: bool,
    /// Whether [`arrive::rests`] was true in the last tick: a rest is kept until the place is clearly left.
    pub resting: bool,
}

impl Me {
    /// A walking agent at `position` that looks along `facing` and stands still.
    pub fn new(id: u32, position: Vec3, facing: Vec3, limits: &Limits) -> Self {
        Self {
            id,
            position,
            velocity: Vec3::ZERO,
            facing,
            radius: limits.radius,
            max_speed: limits.max_speed,
            max_acceleration: limits.max_acceleration,
            response: limits.response,
            ground: true,
            resting: false,
        }
    }

    /// `v` without its height, if it walks.
    pub fn plane(&self, v: Vec3) -> Vec3 {
        if self.ground { flat(v) } else { v }
    }

    /// The way to `point`, m.
    pub fn to(&self, point: Vec3) -> Vec3 {
        self.plane(point - self.position)
    }

    /// The speed asked for, m/s: `asked` up to the top speed, or the top speed when `asked` is not positive.
    pub fn speed(&self, asked: f32) -> f32 {
        let top = self.max_speed.max(0.0);
        if asked > 0.0 { asked.min(top) } else { top }
    }

    /// `v` limited to the top speed; zero when it is not finite.
    fn limited(&self, v: Vec3) -> Vec3 {
        if v.is_finite() { clamp_length(v, self.max_speed.max(0.0)) } else { Vec3::ZERO }
    }
}

/// What an agent was told.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// The place it is about, m; for [`wander`] the direction to go in.
    #[serde(with = "crate::math::any_number")]
    pub point: Vec3,
    /// How what is at the point moves, m/s.
    #[serde(with = "crate::math::any_number")]
    pub velocity: Vec3,
    /// The way still to go to the end of a path, m; infinite on one that has no end. Only [`follow_path`] reads it.
    #[serde(with = "crate::math::any_number")]
    pub remaining: f32,
    /// The waypoint on a path to which the point leads, m: where one goes when the path leads through what is in the way. No
    /// behaviour reads it.
    #[serde(default)]
    pub waypoint: Option<Vec3>,
    /// The parameters in the order of [`Behaviour::params`], with their defaults; 0 for those that were left out and are then
    /// derived from radius and speed.
    #[serde(with = "crate::math::any_number")]
    pub numbers: [f32; 4],
}

impl Order {
    /// An order about nothing yet.
    pub const ZERO: Order = Order {
        point: Vec3::ZERO,
        velocity: Vec3::ZERO,
        remaining: f32::INFINITY,
        waypoint: None,
        numbers: [0.0; 4],
    };

    /// An order about a still `point`, all parameters 0. [`Behaviour::order`] fills in the defaults that are fixed numbers.
    pub fn to(point: Vec3) -> Self {
        Self { point, ..Self::ZERO }
    }

    /// Parameter `index`, or `derived` when it was left out.
    fn number(&self, index: usize, derived: f32) -> f32 {
        if self.numbers[index] > 0.0 { self.numbers[index] } else { derived }
    }
}

/// The neighbours as they were at the start of the tick: indices into the arrays of all bodies.
///
/// The agent itself may be among them and is passed over; so is an index outside the arrays. Sums are taken in
/// the order of `indices`: give them in the order of ids, and nobody can feel the order of insertion.
#[derive(Clone, Copy, Debug)]
pub struct Near<'a> {
    /// Which bodies are near. They must reach as far as the largest radius in use.
    pub indices: &'a [u32],
    /// Where each body is, m.
    pub position: &'a [Vec3],
    /// How each body moves, m/s.
    pub velocity: &'a [Vec3],
    /// The radius of each body, m.
    pub radius: &'a [f32],
    /// Who each body is.
    pub id: &'a [u32],
}

impl Near<'static> {
    /// No neighbours.
    pub const NOBODY: Near<'static> =
        Near { indices: &[], position: &[], velocity: &[], radius: &[], id: &[] };
}

/// One neighbour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Where it is, m.
    pub position: Vec3,
    /// How it moves, m/s.
    pub velocity: Vec3,
    /// The radius of its body, m.
    pub radius: f32,
    /// Who it is.
    pub id: u32,
}

impl Near<'_> {
    /// The neighbours of the agent `me`, without itself.
    pub fn others(&self, me: u32) -> impl Iterator<Item = Neighbour> + '_ {
        self.indices.iter().filter_map(move |&index| {
            let index = index as usize;
            let id = *self.id.get(index).filter(|id| **id != me)?;
            Some(Neighbour {
                position: *self.position.get(index)?,
                velocity: *self.velocity.get(index)?,
                radius: *self.radius.get(index)?,
                id,
            })
        })
    }
}

/// What the vector means that a behaviour gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A desired velocity, m/s.
    Goal,
    /// A velocity to add to what is desired, m/s.
    Bias,
    /// A direction to look in; zero for "as before".
    Facing,
}

/// What a behaviour does: its agent, its order, its neighbours and the step in seconds, to a vector.
pub type Run = fn(&Me, &Order, &Near, f32) -> Vec3;

/// One steering behaviour.
#[derive(Clone, Copy, Debug)]
pub struct Behaviour {
    /// Its name, the same in Rust, Lua, files and pictures.
    pub name: &'static str,
    /// What its vector means.
    pub class: Class,
    /// What it does, in one line.
    pub doc: &'static str,
    /// How it is computed, in one line.
    pub formula: &'static str,
    /// What it can be given; at most four, all numbers, each optional.
    pub params: &'static [Param],
    /// Whether it looks at neighbours, so that they need not be sought otherwise.
    pub needs_neighbours: bool,
    /// The function itself.
    pub run: Run,
}

impl Behaviour {
    /// An order about a still `point` with every parameter at its default.
    ///
    /// ```
    /// use warband::{math::vec3, steer::pursue};
    /// assert_eq!(pursue::DEF.order(vec3(1.0, 0.0, 0.0)).numbers, [0.0, 2.0, 0.0, 0.0]);
    /// ```
    pub fn order(&self, point: Vec3) -> Order {
        let mut order = Order::to(point);
        for (number, param) in order.numbers.iter_mut().zip(self.params) {
            if let DefaultValue::Number(default) = param.default {
                *number = default as f32;
            }
        }
        order
    }
}

const SPEED: Param =
    Param::number("speed", "how fast it goes; the agent's top speed when left out or above it")
        .unit("m/s")
        .range(0.0, f64::INFINITY)
        .optional()
        .live();
