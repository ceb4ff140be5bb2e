//! What an agent keeps from tick to tick about standing: where it stands, for what, and for how long it has not got on.
//!
//! Whoever wants to go and does not is under *strain*: it presses, and those who only stand in its way make room. If that does not
//! help it steps aside, to one side and then to the other. After three seconds it is *blocked*, which trees and games can
//! read; it goes on trying. Getting a body's radius away from where the trouble began ends it.

use super::Disc;
use crate::math::{Vec3, clamp_length, flat, unit_or};
use serde::{Deserialize, Serialize};

/// After how many seconds without getting on an agent is blocked.
const BLOCKED: f32 = 3.0;
/// After how many it steps aside, for how long to each side, and how much of a turn of sides it spends straight on, s.
const ASIDE_AFTER: f32 = 1.5;
const ASIDE: f32 = 0.75;
/// The share of what is wanted that counts as getting on.
const GETS_ON: f32 = 0.25;
/// How long one tries to get back to one's post, s.
const GIVES_UP: f32 = 2.0;
/// The most strain there is: so much time at full speed takes it away again, s.
const MOST_STRAIN: f32 = 1.0;

/// How an agent stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stance {
    /// Where it came to stand, and returns to after having made way; `None` while it walks.
    pub post: Option<Vec3>,
    /// Where it wanted to get to when it came to rest; `None` unless it rests.
    pub goal: Option<Vec3>,
    /// Whether it rests before its goal, because others rest there already.
    pub packed: bool,
    /// Where it wanted to get to last.
    aim: Option<Vec3>,
    /// Where it was when it got on last.
    anchor: Vec3,
    /// Since when it has not got on, s, and how far it wanted to go meanwhile, m.
    stood: f32,
    meant: f32,
    /// s.
    strain: f32,
    /// For how long it has been on the way back to its post, s.
    away: f32,
}

impl Stance {
    /// Goes on for `dt` seconds in which it wants to go with `wish` (m/s), to `aim` if that is known.
    pub fn strive(&mut self, me: &Disc, wish: Vec3, aim: Option<Vec3>, dt: f32) {
        let speed = wish.length();
        let along = me.velocity.dot(unit_or(wish, Vec3::ZERO)) / speed.max(1e-6);
        self.strain = (self.strain + dt * (1.0 - 2.0 * along.clamp(0.0, 1.0))).clamp(0.0, MOST_STRAIN);
        self.stood += dt;
        self.meant += speed * dt;
        let elsewhere = aim.zip(self.aim).is_some_and(|(to, was)| !is_near(to, was, me.radius));
        if self.has_got_on(me, wish) || elsewhere || !self.stood.is_finite() {
            (self.anchor, self.stood, self.meant) = (me.position, 0.0, 0.0);
        }
        (self.post, self.goal, self.aim) = (None, None, aim);
    }

    /// Whether it is elsewhere than when it got on last: anywhere by a body's radius, or on for a quarter of what it wanted. Once it
    /// steps aside only what lies ahead counts, or it could go to and fro for ever.
    fn has_got_on(&self, me: &Disc, wish: Vec3) -> bool {
        let way = me.position - self.anchor;
        if self.stood >= ASIDE_AFTER {
            return way.dot(unit_or(wish, Vec3::ZERO)) >= me.radius;
        }
        let away = way.length();
        away >= me.radius || (self.stood >= 0.5 && away >= GETS_ON * self.meant)
    }

    /// Wants to go nowhere.
    pub fn stand(&mut self, position: Vec3) {
        (self.anchor, self.stood, self.meant, self.strain) = (position, 0.0, 0.0, 0.0);
        self.away = if self.post.is_some() { self.away } else { 0.0 };
    }

    /// Is on its way back to its post for `dt` seconds more, or there. After two seconds it gives the post up: others have closed the
    /// way, and it looks for itself where it wants to be.
    pub fn go_back(&mut self, is_back: bool, dt: f32) {
        self.away = if is_back { 0.0 } else { self.away + dt };
        if self.away >= GIVES_UP {
            (self.post, self.goal, self.packed, self.away) = (None, None, false, 0.0);
        }
    }

    /// Whether it stands, and would stand no otherwise after another step.
    pub fn is_settled(&self) -> bool {
        (self.away, self.stood, self.strain) == (0.0, 0.0, 0.0)
    }

    /// For how long it has wanted to get on and has not, s; 0 for who wants nothing.
    pub fn stood(&self) -> f32 {
        self.stood
    }

    /// Whether others who merely stand there are to make room, when they are asked for after `patience` seconds.
    pub fn presses(&self, patience: f32) -> bool {
        self.strain >= patience.min(MOST_STRAIN)
    }

    /// Whether it has not got on for three seconds.
    pub fn is_blocked(&self) -> bool {
        self.stood >= BLOCKED
    }

    /// Whether it has not got on for three seconds on its way to `point`; `radius` is its own.
    pub fn is_blocked_from(&self, point: Vec3, radius: f32) -> bool {
        self.is_blocked() && self.aim.is_some_and(|aim| is_near(aim, point, radius))
    }

    /// `wish`, or after a while without getting on a step aside: right or left first by `id`, straight on between.
    pub fn wish(&self, wish: Vec3, id: u32) -> Vec3 {
        if self.stood < ASIDE_AFTER {
            return wish;
        }
        let turn = ((self.stood - ASIDE_AFTER) / ASIDE) as u32;
        let right = Vec3::new(-wish.z, 0.0, wish.x);
        let side = if id.is_multiple_of(2) { 1.0 } else { -1.0 };
        match turn % 4 {
            0 => clamp_length(right * side + wish * 0.2, wish.length()),
            2 => clamp_length(right * -side + wish * 0.2, wish.length()),
            _ => wish,
        }
    }

    /// Whether it can be one.
    pub(crate) fn is_sound(&self) -> bool {
        let points = [self.post, self.goal, self.aim, Some(self.anchor)];
        let times = [self.stood, self.meant, self.strain, self.away];
        points.iter().flatten().all(|point| point.is_finite())
            && times.iter().all(|time| time.is_finite() && *time >= 0.0)
    }

    /// All that it is, in words for a digest.
    pub(crate) fn words(&self) -> [Vec3; 6] {
        let flags = f32::from(u8::from(self.packed) + 2 * u8::from(self.post.is_some()));
        let flag = Vec3::new(flags, f32::from(u8::from(self.goal.is_some())), self.strain);
        let clock = Vec3::new(self.stood, self.meant, self.away);
        [self.post, self.goal, self.aim, Some(self.anchor), Some(clock), Some(flag)]
            .map(Option::unwrap_or_default)
    }
}

/// Whether two goals are one for a body of `radius`.
fn is_near(a: Vec3, b: Vec3, radius: f32) -> bool {
    flat(a - b).length() <= 2.0 * radius
}
