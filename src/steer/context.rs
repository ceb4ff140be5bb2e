//! Context steering: what is wanted and what is dangerous, by direction, before anything is summed.
//!
//! Andrew Fray ("Context Steering: Behavior-Driven Steering at the Macro Scale", Game AI Pro 2, 2015): a sum of wishes may lead where nobody wished to go, as into the wall between two goals. So
//! all wishes write into a map of *interest* over 8 to 16 directions, and all obstacles into a map of *danger*; danger masks interest, the best direction that is
//! left wins, and a parabola through it and its two neighbours finds the course between directions. Interests of several goals are not added but the largest is taken: of two goals one is chosen.
//! Biases are added to it.
//!
//! Here the directions are counted from the strongest goal, so that a free course is followed exactly and turns with the frame; danger is the way (or for those that move
//! the time) to the first touch, and the velocity that comes out is braked for what lies on its own course: it never leads into an obstacle that was shown. Of two courses
//! that are equally good the id decides; where something is in the way one's own velocity counts a little, so that nobody turns back half-way round. It feels deliberate: it goes round instead of sliding along, and does not freeze between two pulls. It costs a sweep for each
//! direction and edge; where nothing is in the way, weights do the same for less.

use super::leader_following::side_of;
use super::{Class, DEFAULT_BIAS_SHARE, Me, Near, Wish, arrive};
use crate::math::{Vec3, clamp_length, flat, unit_or, vec3};
use crate::space::Edge;
use std::f32::consts::TAU;

/// How many directions are looked at unless said otherwise.
pub const SLOTS: usize = 16;
/// How many directions there are at most; the least is 8.
pub const MOST_SLOTS: usize = 16;

/// A direction of more danger than this is masked.
const MASK: f32 = 0.6;
/// The share of one's own velocity that is added to what is wanted, where the straight way is all dangerous.
const KEEP: f32 = 0.5;
/// How much better a direction must be than one that was looked at before.
const BETTER: f32 = 1e-3;

/// The two maps, and the directions that they are over.
///
/// ```
/// use warband::math::{Vec3, vec3};
/// use warband::steer::Context;
/// let mut map = Context::new(Vec3::X, 16);
/// map.want(vec3(4.0, 0.0, 0.0), 1.0);
/// assert!(map.choose(0).distance(Vec3::X) < 1e-6);
/// map.fear(|direction| if direction.x > 0.5 && direction.z > -0.1 { 1.0 } else { 0.0 });
/// assert!(map.choose(0).z < 0.0, "the open side");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Context {
    ahead: Vec3,
    slots: usize,
    interest: [f32; MOST_SLOTS],
    danger: [f32; MOST_SLOTS],
}

impl Context {
    /// Empty maps of `slots` directions (8 to 16), counted from `ahead`.
    pub fn new(ahead: Vec3, slots: usize) -> Self {
        let ahead = unit_or(flat(ahead), Vec3::X);
        Self {
            ahead,
            slots: slots.clamp(8, MOST_SLOTS),
            interest: [0.0; MOST_SLOTS],
            danger: [0.0; MOST_SLOTS],
        }
    }

    /// The ground direction of a slot, counted from `ahead` towards its right; parts of a slot are allowed.
    fn direction(&self, slot: f32) -> Vec3 {
        let angle = TAU * slot / self.slots as f32;
        let right = vec3(-self.ahead.z, 0.0, self.ahead.x);
        self.ahead * libm::cosf(angle) + right * libm::sinf(angle)
    }

    /// A goal: of a direction that several lead in the strongest counts.
    pub fn want(&mut self, velocity: Vec3, weight: f32) {
        let (way, strength) = (unit_or(flat(velocity), Vec3::ZERO), flat(velocity).length() * weight);
        for slot in 0..self.slots {
            let along = self.direction(slot as f32).dot(way);
            // A little even sideways and behind, or there would be no way out of a dead end.
            let interest = strength * (along.max(0.0) + 0.02 * (1.0 + along));
            self.interest[slot] = self.interest[slot].max(interest);
        }
    }

    /// A bias, added to what is wanted.
    pub fn lean(&mut self, velocity: Vec3) {
        for slot in 0..self.slots {
            self.interest[slot] += self.direction(slot as f32).dot(flat(velocity));
        }
    }

    /// How dangerous each direction is, 0 to 1; of several the worst counts.
    pub fn fear(&mut self, danger: impl Fn(Vec3) -> f32) {
        for slot in 0..self.slots {
            let fear = danger(self.direction(slot as f32));
            self.danger[slot] =
                self.danger[slot].max(if fear.is_finite() { fear.clamp(0.0, 1.0) } else { 0.0 });
        }
    }

    /// The best direction that danger leaves; zero when it leaves none. `id` decides between equals.
    pub fn choose(&self, id: u32) -> Vec3 {
        let least = self.danger[..self.slots].iter().copied().fold(1.0, f32::min);
        if least >= 1.0 {
            return Vec3::ZERO;
        }
        let limit = MASK.max(least + 1e-3);
        let value = |slot: usize| {
            (self.danger[slot] <= limit).then(|| self.interest[slot] * (1.0 - self.danger[slot]))
        };
        let mut best: Option<(f32, usize)> = None;
        for turn in 0..self.slots {
            let slot = self.by_turn(turn, id);
            let Some(value) = value(slot) else { continue };
            if best.is_none_or(|(old, _)| value > old + BETTER * old.abs()) {
                best = Some((value, slot));
            }
        }
        best.map_or(Vec3::ZERO, |(middle, slot)| {
            let beside = |by: usize| value((slot + by) % self.slots);
            self.direction(slot as f32 + summit(beside(self.slots - 1), middle, beside(1)))
        })
    }

    /// The slots from ahead to behind, on the side of the id first.
    fn by_turn(&self, turn: usize, id: u32) -> usize {
        let (step, first) = (turn.div_ceil(2), turn % 2 == 1);
        let right = first == (side_of(id) > 0.0);
        if right { step % self.slots } else { (self.slots - step) % self.slots }
    }
}

/// Where between -0.5 and 0.5 the parabola through three values has its summit; never towards one that is masked.
fn summit(left: Option<f32>, middle: f32, right: Option<f32>) -> f32 {
    let (l, r) = (left.unwrap_or(middle), right.unwrap_or(middle));
    let bend = l - 2.0 * middle + r;
    let at = if bend < -1e-9 { (0.5 * (l - r) / bend).clamp(-0.5, 0.5) } else { 0.0 };
    let masked = (at < 0.0 && left.is_none()) || (at > 0.0 && right.is_none());
    if masked { 0.0 } else { at }
}

/// The velocity of the best course among `wishes` that the obstacles and neighbours in `near` leave, m/s; on the ground alone.
///
/// It is braked for the first edge on that course, so that it never leads into an obstacle that was shown.
pub fn combine_context(me: &Me, wishes: &[Wish], near: &Near, dt: f32) -> Vec3 {
    let goals = || wishes.iter().filter(|wish| wish.counts(Class::Goal));
    let biases: Vec3 =
        wishes.iter().filter(|wish| wish.counts(Class::Bias)).map(|wish| wish.velocity * wish.weight).sum();
    let lean = clamp_length(biases, DEFAULT_BIAS_SHARE * me.max_speed.max(0.0));
    let strength = |wish: &Wish| flat(wish.velocity).length() * wish.weight;
    let strongest = goals().reduce(|best, next| if strength(next) > strength(best) { next } else { best });
    let main = strongest.map_or(Vec3::ZERO, |wish| flat(wish.velocity));
    let main = if main == Vec3::ZERO { flat(lean) } else { main };
    if !(main.length() > 1e-6 * me.max_speed && lean.is_finite()) {
        return Vec3::ZERO;
    }
    let mut map = Context::new(main, SLOTS);
    goals().for_each(|wish| map.want(wish.velocity, wish.weight));
    map.lean(lean);
    let look = me.look_ahead();
    map.fear(|ahead| danger(me, near, ahead, main.length(), look));
    // What is being done already counts where something is in the way, or one would turn back half-way round it.
    map.lean(me.velocity * (KEEP * map.danger[0]));
    let course = map.choose(me.id);
    let free = free_way(near.edges, me.position, course, me.radius.max(0.0));
    let cap = if free.is_finite() { arrive::braking_speed(me, free, 0.0, dt) } else { f32::INFINITY };
    me.limited(course * main.length().min(cap))
}

/// How soon somebody who goes that way touches something: 1 at once, 0 not before the end of the look.
fn danger(me: &Me, near: &Near, ahead: Vec3, speed: f32, look: f32) -> f32 {
    let body = 1.1 * me.radius.max(0.0);
    let fixed = free_way(near.edges, me.position, ahead, body) / look;
    let horizon = look / speed.max(1e-6);
    let others = near.others(me.id).map(|other| {
        let closing = ahead * speed - flat(other.velocity);
        let way =
            Edge::disc(other.position, other.radius).sweep(me.position, unit_or(closing, Vec3::ZERO), body);
        way / closing.length().max(1e-6) / horizon
    });
    1.0 - others.fold(fixed, f32::min).clamp(0.0, 1.0)
}

fn free_way(edges: &[Edge], place: Vec3, ahead: Vec3, body: f32) -> f32 {
    edges.iter().map(|edge| edge.sweep(place, ahead, body)).fold(f32::INFINITY, f32::min)
}
