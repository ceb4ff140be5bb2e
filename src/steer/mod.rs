//! Steering: one pure function per behaviour, and the limits that turn wishes into a velocity.
//!
//! Each behaviour is a file with a `DEF` and a short function; [`BEHAVIOURS`] lists them all, and whatever
//! offers them (nodes, Lua, the reference) reads that table. A behaviour looks at its agent ([`Me`]), at what it
//! was told ([`Order`]) and at the neighbours as they were at the start of the tick ([`Near`]), and answers with
//! a velocity in metres per second. It keeps nothing: what must last from tick to tick ([`Me::resting`],
//! [`PathCursor`], [`Course`]) belongs to the caller.
//!
//! This module must not know agents, boards, trees or walls: of walls it is shown plain edges ([`Near::edges`]), of fields a vector.
//!
//! # Which behaviour when
//! *Go somewhere.* [`arrive`] is the one to begin with: it brakes in time and rests, at every frame rate. [`seek`] never slows down: for what is run through, or
//! where something else stops it. [`follow_path`] walks a list of points without a stop between them. [`flow_field`] leads hundreds to one goal for the price
//! of four reads each; a navmesh leads each to a goal of its own, and is under all of these where a world has one.
//!
//! *Catch somebody, or get away.* [`pursue`] cuts the corner of a target that moves; of one that dodges, [`seek`] is as good. [`flee`] runs straight away, [`evade`] off the
//! pursuer's course; give either a radius, or it never ends. [`hide`] goes where the threat cannot see, and fails where there is no such place: put `evade` after it in a
//! selector.
//!
//! *Keep somebody company.* [`offset_pursuit`] has a place of its own in the leader's frame, for wings and escorts of a few. [`leader_following`] has only "behind",
//! for crowds; blend it with [`separation`]. [`interpose`] stands between two: bodyguards, goalkeepers. For a whole squad round or beside something take a ring or a formation.
//!
//! *Move as many.* [`separation`] keeps apart, [`alignment`] calms directions, [`cohesion`] keeps together. They are biases: blended with a goal they bend its course, by half the
//! top speed at most, and never veto it. Begin with weights 1.5, 1 and 1; more separation for room, more alignment for calm.
//!
//! *Mind what is there.* Bounds trim what all the others together want, and never speed anybody up: [`obstacle_avoidance`] turns a course aside from walls and pillars,
//! [`containment`] keeps it inside a region (a leash, an arena), [`queue`] waits at a doorway. Put them beside the rest in a `blend`; their order is that of the list.
//! [`wall_following`] is a goal: rounds along a wall, mazes by one hand.
//!
//! *Nothing to do.* [`wander`] strolls; with [`containment`] it strolls at home. [`face`] only looks.
//!
//! *Combining.* By weight (the default): goals share by their weights, biases are added. By priority: the first that wants something has all; for "dodge, else go". By
//! context ([`Context`]): the best course that walls and neighbours leave; for clutter, and where two goals pull apart, since it takes one of them and stands between none. It costs a
//! sweep for each of 16 directions and each edge near by.
//!
//! | it … | then |
//! | --- | --- |
//! | overshoots and comes back | `arrive`, not `seek` |
//! | trembles at its goal | a larger `tolerance`; less separation: biases do not rest |
//! | slides along a wall and sticks in its corner | `blend { by = "context" }`, or a navmesh |
//! | runs after where the target was | `pursue` |
//! | pushes at a door | `queue` |
//! | trails behind a leader | `offset_pursuit`, which feeds the leader's velocity forward |
//!
//! All ranges and tolerances follow from the body's radius, top speed, time to top speed and turn time ([`Limits::with_times`]); [`derived()`] lists them, and so
//! does `warband run --defaults`. A picture of each: `cargo run --example behaviour_pictures`.
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
pub mod containment;
mod context;
mod derived;
pub mod evade;
pub mod face;
pub mod flee;
mod flock;
pub mod flow_field;
pub mod follow_path;
pub mod hide;
pub mod interpose;
pub mod leader_following;
mod limits;
pub mod obstacle_avoidance;
pub mod offset_pursuit;
pub mod pursue;
pub mod queue;
pub mod seek;
pub mod separation;
pub mod wall_following;
pub mod wander;

use crate::args::{DefaultValue, Param};
use crate::math::{Vec3, clamp_length, flat, unit_or};
use crate::space::Edge;
use serde::{Deserialize, Serialize};

pub use context::{Context, MOST_SLOTS, SLOTS, combine_context};
pub use derived::{Derived, derived};
pub use flock::{
    Crowd, Flock, FlockKernel, Flocker, Forces, Level, MOST_NEIGHBOURS, OnePass, Radii, School, SchoolRules,
    Weights, flock, flock_of_nearest,
};
pub use flow_field::FlowField;
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
    &containment::DEF,
    &evade::DEF,
    &face::DEF,
    &flee::DEF,
    &flow_field::DEF,
    &follow_path::DEF,
    &hide::DEF,
    &interpose::DEF,
    &leader_following::DEF,
    &obstacle_avoidance::DEF,
    &offset_pursuit::DEF,
    &pursue::DEF,
    &queue::DEF,
    &seek::DEF,
    &separation::DEF,
    &wall_following::DEF,
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

    /// How far ahead it looks for what is in the way, m: what it needs to get to its top speed and to stop again, and four radii.
    pub fn look_ahead(&self) -> f32 {
        let top = self.max_speed.max(0.0);
        let ways = top * (top / self.max_acceleration.max(1e-6) + 2.0 * self.response.max(0.0));
        let far = ways + 4.0 * self.radius.max(0.0);
        if far.is_finite() { far } else { 4.0 * self.radius.max(0.0) }
    }

    /// Where it is heading, a unit vector: as it moves, or as it looks while it stands.
    fn heading(&self) -> Vec3 {
        unit_or(self.plane(self.velocity), unit_or(self.plane(self.facing), Vec3::X))
    }

    /// `own`, a velocity beside something that moves with `carrier`, as a velocity of its own: as fast as it can be.
    fn beside(&self, own: Vec3, carrier: Vec3) -> Vec3 {
        self.limited(own + self.plane(carrier))
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
    /// How what is at the point moves, m/s; for a [`Class::Bound`] what the other rules together want.
    #[serde(with = "crate::math::any_number")]
    pub velocity: Vec3,
    /// What else it is about: the second point of [`interpose`], m, the heading of a leader, or the inward normal of the nearest
    /// edge of a region.
    #[serde(default, with = "crate::math::any_number")]
    pub second: Vec3,
    /// How what is at the second point moves, m/s; of a region the inward normal of its other edge.
    #[serde(default, with = "crate::math::any_number")]
    pub second_velocity: Vec3,
    /// The place in a leader's frame, m: x ahead, y up, z to the right; of a region the point on its other edge.
    #[serde(default, with = "crate::math::any_number")]
    pub offset: Vec3,
    /// The way from the point on to the end of a path, m; infinite on one that has no end. Only [`follow_path`] reads it.
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
        second: Vec3::ZERO,
        second_velocity: Vec3::ZERO,
        offset: Vec3::ZERO,
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
    /// The edges of obstacles round about, as far as [`Me::look_ahead`] reaches.
    pub edges: &'a [Edge],
}

impl Near<'static> {
    /// No neighbours.
    pub const NOBODY: Near<'static> =
        Near { indices: &[], position: &[], velocity: &[], radius: &[], id: &[], edges: &[] };
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
    /// What is left of [`Order::velocity`], m/s: it trims what all the others together want, and is asked after them.
    Bound,
}

/// What a behaviour is told about, beside its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Nothing: its surroundings are enough.
    Nothing,
    /// A direction, as a course of its own keeps it.
    Direction,
    /// A point, which may move.
    Point,
    /// Two points, which may move.
    Pair,
    /// A path.
    Path,
    /// A body that moves and looks somewhere: the leader, unless another is named.
    Leader,
    /// A region: round a point, or within an outline.
    Region,
    /// A named field of directions.
    Field,
    /// A threat, from which a place is looked for.
    Threat,
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
    /// What it is told about.
    pub about: About,
    /// What it does, in one line.
    pub doc: &'static str,
    /// How it is computed, in one line.
    pub formula: &'static str,
    /// What it can be given; at most four, all numbers, each optional.
    pub params: &'static [Param],
    /// Whether it looks at the edges of obstacles, so that they need not be gathered otherwise.
    pub needs_edges: bool,
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
