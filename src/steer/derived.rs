//! What follows from radius, top speed, time to top speed and turn time: every number, its unit, and where it comes from.
//!
//! The values are read from the very functions that steer, so that this list cannot say anything else than they do.

use super::{
    DEFAULT_BIAS_SHARE, Limits, Me, Order, arrive, containment, face, follow_path, hide, leader_following,
    obstacle_avoidance, queue, separation, wall_following,
};
use crate::math::Vec3;

/// A number that follows from others.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    /// Whose it is: `body`, or a behaviour or node.
    pub of: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// What it is for this body.
    pub value: f32,
    /// Its unit; empty for a share.
    pub unit: &'static str,
    /// What it comes from.
    pub from: &'static str,
}

/// A row of the list: whose, its name, its unit, what it comes from, and how to get it.
type Row = (&'static str, &'static str, &'static str, &'static str, fn(&Me, &Limits) -> f32);

const ROWS: &[Row] = &[
    ("body", "max_acceleration", "m/s²", "top speed / time to top speed", |_, limits| {
        limits.max_acceleration
    }),
    ("body", "response", "s", "a fifth of the time to top speed", |_, limits| limits.response),
    ("body", "tolerance", "m", "0.6 radii", |_, limits| limits.tolerance),
    ("body", "neighbour_radius", "m", "6 radii", |_, limits| limits.neighbour_radius),
    ("body", "turn_rate", "1/s", "6 / turn time", |_, limits| limits.turning.rate),
    ("body", "max_turn", "rad/s", "half a turn / turn time", |_, limits| limits.turning.max_turn),
    ("body", "facing_floor", "m/s", "0.04 top speeds: slower, it keeps its facing", |_, limits| {
        limits.turning.floor
    }),
    ("body", "look_ahead", "m", "the way to top speed and to a stop, and 4 radii", |me, _| me.look_ahead()),
    ("body", "braking_way", "m", "top speed² / (2 · max_acceleration)", |me, _| {
        me.max_speed * me.max_speed / (2.0 * me.max_acceleration.max(1e-6))
    }),
    ("body", "rest_floor", "m/s", "0.15 top speeds: at rest, less moves nobody", |me, _| 0.15 * me.max_speed),
    ("blend", "bias_limit", "m/s", "half the top speed: biases together", |me, _| {
        DEFAULT_BIAS_SHARE * me.max_speed
    }),
    (
        "blend",
        "priority_threshold",
        "m/s",
        "0.05 top speeds: a rule that wants less is passed over",
        |me, _| 0.05 * me.max_speed,
    ),
    ("arrive", "tolerance", "m", "0.6 radii", |me, _| arrive::tolerance(me, &Order::ZERO)),
    ("containment", "margin", "m", "1 radius", |me, _| containment::margin(me, &Order::ZERO)),
    ("direct_chase", "stop", "m", "2.8 radii", |me, _| 2.8 * me.radius),
    ("face", "radius", "m", "0.2 radii", |me, _| face::radius(me, &Order::ZERO)),
    ("follow_path", "radius", "m", "1 radius", |me, _| follow_path::radius(me, &Order::ZERO)),
    ("hide", "reach", "m", "30 radii", |me, _| hide::reach(me, &Order::ZERO)),
    ("leader_following", "distance", "m", "4 radii", |me, _| leader_following::distance(me, &Order::ZERO)),
    ("obstacle_avoidance", "look", "m", "look_ahead of the body", |me, _| {
        obstacle_avoidance::look(me, &Order::ZERO)
    }),
    ("obstacle_avoidance", "margin", "m", "a quarter of the radius", |me, _| {
        obstacle_avoidance::margin(me, &Order::ZERO)
    }),
    ("queue", "gap", "m", "half the radius", |me, _| queue::gap(me, &Order::ZERO)),
    ("seek", "stop", "m", "1 radius; pursue too", |me, _| me.radius),
    ("separation", "radius", "m", "6 radii; alignment, cohesion and queue too", |me, _| {
        separation::radius(me, &Order::ZERO)
    }),
    ("wall_following", "distance", "m", "2 radii", |me, _| wall_following::distance(me, &Order::ZERO)),
];

/// Every number that follows for a body of these limits.
///
/// ```
/// use warband::steer::{Limits, derived};
/// let stop = derived(&Limits::of(0.5, 5.0)).into_iter().find(|number| number.name == "tolerance").expect("there is one");
/// assert_eq!((stop.value, stop.unit, stop.from), (0.3, "m", "0.6 radii"));
/// ```
pub fn derived(limits: &Limits) -> Vec<Derived> {
    let me = Me::new(0, Vec3::ZERO, Vec3::X, limits);
    let number =
        |&(of, name, unit, from, value): &Row| Derived { of, name, value: value(&me, limits), unit, from };
    ROWS.iter().map(number).collect()
}
