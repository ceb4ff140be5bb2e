//! Follow path: along a list of points, without a stop between them.
//!
//! A [`PathCursor`], kept by the caller, remembers the leg one is on and how far along it one has come, and looks only
//! **forward**: where a path meets itself, nobody jumps to the other pass. A waypoint is passed when the plane
//! through it that halves the bend is crossed not too far off, or inside its radius; a radius alone is overshot. One
//! steers for the point a little ahead on the path (`look_ahead`), which rounds the corners, and brakes as
//! [`super::arrive`] does for the end alone. So dense waypoints do not slow the walk, and after a
//! chase one takes up the leg that was interrupted, not behind the interruption.
//!
//! No waypoint gives nothing, one is arrived at, repeated ones count once.

use super::{Behaviour, Class, Me, Near, Order, SPEED, arrive};
use crate::args::Param;
use crate::math::{Vec3, unit_or};
use serde::{Deserialize, Serialize};

/// The declaration of `follow_path`.
///
/// `Order::point` and `Order::remaining` come from [`PathCursor::advance`].
pub const DEF: Behaviour = Behaviour {
    name: "follow_path",
    class: Class::Goal,
    doc: "follows a path without a stop and arrives at its end",
    formula: "unit(point - p) * min(speed, arrive's speed for the remaining way), point = the path max(radius, |v| * look_ahead) ahead",
    params: &[arrive::TOLERANCE, SPEED, LOOK_AHEAD, RADIUS],
    needs_neighbours: false,
    run,
};

const LOOK_AHEAD: Param = Param::number(
    "look_ahead",
    "how far ahead on the path it aims: more cuts corners, less wobbles behind a bend",
)
.unit("s")
.range(0.0, 5.0)
.default(0.2)
.live();

const RADIUS: Param =
    Param::number("radius", "how near a waypoint counts as passed; a body radius when left out")
        .unit("m")
        .range(0.0, f64::INFINITY)
        .optional();

fn run(me: &Me, order: &Order, _: &Near, dt: f32) -> Vec3 {
    let way = me.to(order.point);
    let remaining = order.remaining.max(way.length());
    let tolerance = arrive::tolerance(me, order);
    if me.resting && remaining <= 1.5 * tolerance {
        return Vec3::ZERO;
    }
    let speed = arrive::braking_speed(me, remaining, tolerance, dt).min(me.speed(order.numbers[1]));
    me.limited(unit_or(way, Vec3::ZERO) * speed)
}

/// A path and how it is walked.
#[derive(Clone, Copy, Debug)]
pub struct Route<'a> {
    /// The waypoints, m.
    pub points: &'a [Vec3],
    /// Whether the last leads to the first again.
    pub looped: bool,
    /// How near a waypoint counts as passed, m.
    pub radius: f32,
    /// How far ahead on the path one aims, m; at 0 one aims at the waypoint itself and cuts no corner.
    pub look_ahead: f32,
}

impl<'a> Route<'a> {
    /// The path `points` as the `order` of a `follow_path` says that `me` should walk it.
    pub fn new(points: &'a [Vec3], looped: bool, me: &Me, order: &Order) -> Self {
        let radius = order.number(3, me.radius.max(0.0));
        let speed = me.plane(me.velocity).length();
        Self { points, looped, radius, look_ahead: (speed * order.numbers[2]).max(radius) }
    }

    fn point(&self, index: usize) -> Vec3 {
        self.points[index % self.points.len()]
    }

    /// The waypoint after `index`, if there is one.
    fn after(&self, index: usize) -> Option<usize> {
        let next = index + 1;
        if next < self.points.len() { Some(next) } else { self.looped.then_some(0) }
    }
}

/// Where one steers for on a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPoint {
    /// The point to steer for, m.
    pub point: Vec3,
    /// The waypoint one is heading for, m.
    pub waypoint: Vec3,
    /// The way still to go to the end, m; infinite when the path is looped.
    pub remaining: f32,
    /// How many waypoints were passed by this call.
    pub passed: u32,
    /// Whether the end is within the route's radius.
    pub at_end: bool,
}

/// How far one has come on a path. A new one heads for the first waypoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PathCursor {
    /// The waypoint one is heading for. Leg 0 leads to the first from wherever one starts.
    pub segment: u32,
    /// How far one has come on that leg, m; it never falls.
    #[serde(with = "crate::math::any_number")]
    pub along: f32,
    /// Where that leg starts, m: the waypoint before, or where one stood when one set out.
    #[serde(with = "crate::math::any_number")]
    pub start: Option<Vec3>,
    /// How many legs one has walked, for routes that draw the next one. [`PathCursor::advance`] leaves it alone.
    #[serde(default)]
    pub legs: u32,
}

impl PathCursor {
    /// Passes what has been reached by `me` and finds where to steer for; `None` when there is no waypoint.
    pub fn advance(&mut self, me: &Me, route: &Route) -> Option<PathPoint> {
        let count = route.points.len();
        if count == 0 || !me.position.is_finite() {
            return None;
        }
        self.segment = self.segment.min(count as u32 - 1);
        self.start.get_or_insert(me.position);
        let mut passed = 0;
        while passed < count as u32 && self.pass(me, route) {
            passed += 1;
        }
        self.progress(me, route);
        let end = me.to(route.point(count - 1)).length();
        let at_end = !route.looped && self.segment as usize == count - 1 && end <= route.radius;
        let waypoint = route.point(self.segment as usize);
        let (point, remaining) = (self.aim(me, route), self.remaining(me, route));
        Some(PathPoint { point, waypoint, remaining, passed, at_end })
    }

    /// Goes on to the next leg when the waypoint is passed.
    fn pass(&mut self, me: &Me, route: &Route) -> bool {
        let Some(next) = route.after(self.segment as usize) else { return false };
        if !self.has_passed(me, route, route.point(next)) {
            return false;
        }
        let start = Some(route.point(self.segment as usize));
        *self = Self { segment: next as u32, along: 0.0, start, legs: self.legs };
        true
    }

    fn has_passed(&self, me: &Me, route: &Route, next: Vec3) -> bool {
        let waypoint = route.point(self.segment as usize);
        let beyond = -me.to(waypoint);
        if beyond.length() <= route.radius {
            return true;
        }
        let Some(start) = self.start else { return false };
        let leg = me.plane(waypoint - start);
        if leg.length() <= 1e-4 {
            // A repeated waypoint is passed together with its twin.
            return true;
        }
        let incoming = unit_or(leg, Vec3::ZERO);
        let outgoing = unit_or(me.plane(next - waypoint), Vec3::ZERO);
        let reach = 2.0 * (route.radius + route.look_ahead) + 0.5 * me.plane(me.velocity).length();
        beyond.length() <= reach && beyond.dot(unit_or(incoming + outgoing, incoming)) >= 0.0
    }

    fn progress(&mut self, me: &Me, route: &Route) {
        let waypoint = route.point(self.segment as usize);
        let Some(start) = self.start else { return };
        let leg = me.plane(waypoint - start);
        let along = me.to(start).dot(-unit_or(leg, Vec3::ZERO)).min(leg.length());
        self.along = self.along.max(along).min(leg.length());
    }

    /// The point `look_ahead` further on the path than one has come.
    fn aim(&self, me: &Me, route: &Route) -> Vec3 {
        let mut index = self.segment as usize;
        let Some(mut from) = self.start.filter(|_| route.look_ahead > 0.0) else {
            return route.point(index);
        };
        let mut ahead = self.along + route.look_ahead;
        for _ in 0..route.points.len() {
            let leg = route.point(index) - from;
            let length = me.plane(leg).length();
            if ahead < length {
                return from + leg * (ahead / length);
            }
            let Some(next) = route.after(index) else { break };
            (ahead, from, index) = (ahead - length, route.point(index), next);
        }
        route.point(index)
    }

    fn remaining(&self, me: &Me, route: &Route) -> f32 {
        let apart = |leg: &[Vec3]| me.plane(leg[1] - leg[0]).length() > 1e-4;
        if route.looped && route.points.windows(2).any(apart) {
            return f32::INFINITY;
        }
        let ahead = &route.points[self.segment as usize..];
        let legs: f32 = ahead.windows(2).map(|leg| me.plane(leg[1] - leg[0]).length()).sum();
        me.to(ahead[0]).length() + legs
    }
}
