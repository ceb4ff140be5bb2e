//! From wishes to a velocity: how rules are combined, and what a body can follow.

use super::{Class, Me};
use crate::math::{Vec3, approach, clamp_length, unit_or};
use serde::{Deserialize, Serialize};
use std::f32::consts::PI;

/// The share of the top speed to which the sum of all biases is limited unless said otherwise.
pub const DEFAULT_BIAS_SHARE: f32 = 0.5;

/// What a body can do. Give a radius and a top speed; the rest follows from them in proportion, so that the same world
/// a hundred times as large behaves the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Radius of the body, m.
    #[serde(with = "crate::math::any_number")]
    pub radius: f32,
    /// Top speed, m/s.
    #[serde(with = "crate::math::any_number")]
    pub max_speed: f32,
    /// Largest change of velocity, m/s²; 4 top speeds per second (a quarter of a second from rest to top speed).
    #[serde(with = "crate::math::any_number")]
    pub max_acceleration: f32,
    /// Time constant with which it follows its wish, s; 0.05. More is softer, and needs a larger tolerance.
    #[serde(with = "crate::math::any_number")]
    pub response: f32,
    /// How near is there, m; 0.6 radii.
    #[serde(with = "crate::math::any_number")]
    pub tolerance: f32,
    /// How far off neighbours count, from centre to centre, m; 6 radii.
    #[serde(with = "crate::math::any_number")]
    pub neighbour_radius: f32,
    /// How it turns.
    pub turning: Turning,
}

impl Limits {
    /// A body of `radius` (m) and `max_speed` (m/s) that needs 0.25 s to its top speed and half a second to turn round.
    pub fn of(radius: f32, max_speed: f32) -> Self {
        Self::with_times(radius, max_speed, 0.25, 0.5)
    }

    /// A body that needs `speed_up` seconds from rest to its top speed and `turn_round` seconds to turn round.
    pub fn with_times(radius: f32, max_speed: f32, speed_up: f32, turn_round: f32) -> Self {
        Self {
            radius,
            max_speed,
            max_acceleration: max_speed / speed_up.max(1e-6),
            response: 0.2 * speed_up,
            tolerance: 0.6 * radius,
            neighbour_radius: 6.0 * radius,
            turning: Turning {
                rate: 6.0 / turn_round.max(1e-6),
                max_turn: PI / turn_round.max(1e-6),
                floor: 0.04 * max_speed,
            },
        }
    }
}

/// How a body turns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turning {
    /// How eagerly it turns, 1/s; 12 (article one; article two has 5). More snaps, less swims.
    #[serde(with = "crate::math::any_number")]
    pub rate: f32,
    /// Largest rate of turn, rad/s; 2π, half a second to turn round.
    #[serde(with = "crate::math::any_number")]
    pub max_turn: f32,
    /// Below this length of what is wanted it keeps its facing, m/s (or whatever is wanted); 0.2.
    #[serde(with = "crate::math::any_number")]
    pub floor: f32,
}

impl Default for Turning {
    fn default() -> Self {
        Self { rate: 12.0, max_turn: 2.0 * PI, floor: 0.2 }
    }
}

/// What one rule wants, and how much it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wish {
    /// What its vector means; a facing and a bound are passed over.
    pub class: Class,
    /// How much it counts; a rule of weight 0 or less is left out.
    pub weight: f32,
    /// What it wants, m/s.
    pub velocity: Vec3,
}

impl Wish {
    pub(super) fn counts(&self, class: Class) -> bool {
        self.class == class && self.weight > 0.0 && self.weight.is_finite() && self.velocity.is_finite()
    }
}

/// The weighted mean of the goals plus the weighted sum of the biases, within `max_speed`.
///
/// A lone goal is followed in full whatever its weight; the weights of several say how they share. Biases are added
/// as they are, times their weights, and their sum is limited to `bias_share` (0..1, usually
/// [`DEFAULT_BIAS_SHARE`]) of the top speed: they bend a course and never veto it.
pub fn combine_weighted(wishes: &[Wish], max_speed: f32, bias_share: f32) -> Vec3 {
    let (goals, weight) = sum(wishes, Class::Goal);
    let (biases, _) = sum(wishes, Class::Bias);
    let top = max_speed.max(0.0);
    let goal = if weight > 0.0 { goals / weight } else { Vec3::ZERO };
    finite(clamp_length(goal + clamp_length(biases, bias_share.clamp(0.0, 1.0) * top), top))
}

fn sum(wishes: &[Wish], class: Class) -> (Vec3, f32) {
    wishes.iter().filter(|wish| wish.counts(class)).fold((Vec3::ZERO, 0.0), |(sum, weight), wish| {
        (sum + wish.velocity * wish.weight, weight + wish.weight)
    })
}

/// What the first rule wants that wants more than `threshold` (m/s, after its weight); zero when none does.
pub fn combine_priority(wishes: &[Wish], max_speed: f32, threshold: f32) -> Vec3 {
    let wanting = |wish: &&Wish| {
        (wish.counts(Class::Goal) || wish.counts(Class::Bias))
            && wish.velocity.length() * wish.weight > threshold.max(0.0)
    };
    let first = wishes.iter().find(wanting);
    first.map_or(Vec3::ZERO, |wish| finite(clamp_length(wish.velocity * wish.weight, max_speed.max(0.0))))
}

/// The rules in their order, each as far as the budget of `max_speed` still reaches: the last ones go short.
pub fn combine_budget(wishes: &[Wish], max_speed: f32) -> Vec3 {
    let mut left = max_speed.max(0.0);
    let mut all = Vec3::ZERO;
    for wish in wishes.iter().filter(|wish| wish.counts(Class::Goal) || wish.counts(Class::Bias)) {
        let part = finite(clamp_length(wish.velocity * wish.weight, left));
        left = (left - part.length()).max(0.0);
        all += part;
    }
    finite(clamp_length(all, max_speed.max(0.0)))
}

/// `main` turned towards `bias`, at the speed of `main`: heading = unit((1 − share)·unit(main) + share·bias/max_speed).
///
/// Article two's rule, with its share of 0.3. The bias counts in proportion up to the top speed, so that a far neighbour does not
/// push as hard as a near one, and a share below one half never turns anybody round.
pub fn combine_heading(main: Vec3, bias: Vec3, share: f32, max_speed: f32) -> Vec3 {
    let ahead = unit_or(main, Vec3::ZERO);
    let share = share.clamp(0.0, 1.0);
    let aside = if max_speed > 0.0 { clamp_length(bias / max_speed, 1.0) } else { Vec3::ZERO };
    let heading = unit_or(ahead * (1.0 - share) + finite(aside) * share, ahead);
    finite(clamp_length(heading * main.length(), max_speed.max(0.0)))
}

/// `v` shortened by `floor`, and zero when it is shorter: what is next to nothing moves nobody, without a step.
pub fn dead_zone(v: Vec3, floor: f32) -> Vec3 {
    let length = v.length();
    if length > floor && length.is_finite() { v * ((length - floor.max(0.0)) / length) } else { Vec3::ZERO }
}

/// The velocity of `me` after `dt` seconds of following `desired`.
///
/// The acceleration is `(desired − v)/response`, at most `max_acceleration`, summed up exactly over the step, so that the
/// frame rate does not matter; a step longer than `response` is followed in full. The speed stays within `max_speed`; one that was above it is braked with the same acceleration. A
/// time step that is not positive changes nothing, and a velocity that is not finite counts as rest.
pub fn steer(me: &Me, desired: Vec3, dt: f32) -> Vec3 {
    let velocity = finite(me.velocity);
    let top = me.max_speed.max(0.0);
    let gap = clamp_length(finite(desired), top) - velocity;
    let length = gap.length();
    if !(length > 0.0 && length.is_finite()) {
        return velocity;
    }
    let change = Pace::of(me, dt).step(length);
    clamp_length(velocity + gap * (change / length), top.max(velocity.length()))
}

/// `facing` after `dt` seconds of turning towards `wanted` (a direction or a velocity), a unit vector.
///
/// It turns by `1 − e^(−rate·dt)` of the way, at most at the largest rate of turn; what is wanted below the floor, and
/// what is not finite, turns nobody. Exactly backwards it turns about the vertical.
pub fn turn(facing: Vec3, wanted: Vec3, turning: &Turning, dt: f32) -> Vec3 {
    let from = unit_or(facing, Vec3::X);
    if !wanted.is_finite() || wanted.length() < turning.floor {
        return from;
    }
    let to = unit_or(wanted, from);
    let angle = libm::atan2f(from.cross(to).length(), from.dot(to));
    let step = step_towards(angle, turning.rate, turning.max_turn, dt);
    rotate(from, turning_axis(from, to), step)
}

fn turning_axis(from: Vec3, to: Vec3) -> Vec3 {
    let upright = Vec3::Y - from * from.y;
    let spare = unit_or(upright, Vec3::Z);
    unit_or(from.cross(to), spare)
}

/// `v` turned by `angle` about `axis`, which is at right angles to it.
fn rotate(v: Vec3, axis: Vec3, angle: f32) -> Vec3 {
    unit_or(v * libm::cosf(angle) + axis.cross(v) * libm::sinf(angle), v)
}

/// How far `x' = min(rate·(gap − x), limit)` goes in `dt` seconds: at the limit while the gap is large, then
/// exponentially. The exact solution, so that two half steps make a whole one.
fn step_towards(gap: f32, rate: f32, limit: f32, dt: f32) -> f32 {
    Pace::new(rate, limit, dt).step(gap)
}

/// [`step_towards`] for many gaps with one rate, limit and step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    rate: f32,
    limit: f32,
    dt: f32,
    /// The share of the way of a step that is nowhere limited.
    share: f32,
}

impl Pace {
    pub fn new(rate: f32, limit: f32, dt: f32) -> Self {
        let (rate, limit) = (rate.max(0.0), limit.max(0.0));
        Self { rate, limit, dt, share: approach(rate, dt) }
    }

    /// The one with which `me` follows its wish.
    pub fn of(me: &Me, dt: f32) -> Self {
        let rate = if me.response > dt { 1.0 / me.response } else { f32::INFINITY };
        Self::new(rate, me.max_acceleration, dt)
    }

    pub fn step(&self, gap: f32) -> f32 {
        let Self { rate, limit, dt, share } = *self;
        if dt.is_nan() || dt <= 0.0 || limit == 0.0 || rate == 0.0 {
            return 0.0;
        }
        if limit.is_infinite() {
            return gap * share;
        }
        let knee = limit / rate;
        if gap <= knee {
            return gap * share;
        }
        let straight = (gap - knee) / limit;
        if dt <= straight {
            return (limit * dt).min(gap);
        }
        gap - knee + knee * approach(rate, dt - straight)
    }
}

/// Into how many equal steps of at most `longest` seconds a step of `dt` is to be cut, and how long each is. At least one, at most 64.
pub fn substeps(dt: f32, longest: f32) -> (u32, f32) {
    let wanted = libm::ceilf(dt.max(0.0) / longest.max(1e-6));
    let count = if wanted.is_finite() { wanted.clamp(1.0, 64.0) } else { 64.0 };
    (count as u32, dt.max(0.0) / count)
}

fn finite(v: Vec3) -> Vec3 {
    if v.is_finite() { v } else { Vec3::ZERO }
}
