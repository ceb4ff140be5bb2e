//! Where a squad patrols: waypoints, what comes after the last, and what to do at each.

use crate::math::Vec3;
use crate::rng::mix;
use serde::{Deserialize, Serialize};

/// Where a squad patrols.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// The waypoints, without repeats; those of a way there and back are in it twice.
    pub points: Vec<Vec3>,
    /// What comes after the last one.
    pub order: RouteOrder,
    /// What to do at each waypoint; empty for nothing anywhere.
    #[serde(default)]
    pub stops: Vec<Stop>,
}

/// What comes after the last waypoint of a route.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteOrder {
    /// The first one again.
    #[default]
    Loop,
    /// The way back.
    PingPong,
    /// Nothing: the last one is where it ends.
    Once,
    /// Any other one, in an order that is the same in every run and for all members of the squad.
    Random,
}

impl RouteOrder {
    /// All of them.
    pub const ALL: [RouteOrder; 4] =
        [RouteOrder::Loop, RouteOrder::PingPong, RouteOrder::Once, RouteOrder::Random];

    /// Its name in Lua and in files.
    pub fn name(self) -> &'static str {
        match self {
            RouteOrder::Loop => "loop",
            RouteOrder::PingPong => "ping_pong",
            RouteOrder::Once => "once",
            RouteOrder::Random => "random",
        }
    }
    /// The order of that name.
    pub fn named(name: &str) -> Option<RouteOrder> {
        Self::ALL.into_iter().find(|order| order.name() == name)
    }
}

/// What to do at a waypoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stop {
    /// How long to stand there, s; 0 goes on without a stop. Default 0.
    pub wait: f32,
    /// Where to look meanwhile, ° from +x towards +z; `None` for where one came along. Default `None`.
    pub look: Option<f32>,
    /// Over how many degrees to look about from there, half to each side; 0 looks straight. Default 0.
    pub sweep: f32,
}

impl Stop {
    /// Whether one stops at all.
    pub fn is_one(&self) -> bool {
        self.wait > 0.0
    }
}

impl Route {
    /// A route without repeated waypoints, and without those that are not finite. `stops` are what to do at which
    /// waypoint, counted from 0 in `points`; times and angles that are negative or not finite count as 0.
    pub fn new(points: Vec<Vec3>, order: RouteOrder, stops: &[(usize, Stop)]) -> Self {
        let stop_at = |at: usize| {
            stops.iter().rev().find(|(of, _)| *of == at).map_or(Stop::default(), |(_, stop)| *stop)
        };
        let mut all: Vec<(Vec3, Stop)> =
            points.into_iter().enumerate().map(|(at, point)| (point, sound(stop_at(at)))).collect();
        all.retain(|(point, _)| point.is_finite());
        // Of two in one place it is the one at which one stops.
        all.dedup_by(|next, kept| {
            let same = next.0.distance(kept.0) < 1e-3;
            if same && next.1.wait > kept.1.wait {
                kept.1 = next.1;
            }
            same
        });
        if order == RouteOrder::PingPong && all.len() > 2 {
            let back = all[1..all.len() - 1].iter().rev().copied().collect::<Vec<_>>();
            all.extend(back);
        }
        let round = matches!(order, RouteOrder::Loop | RouteOrder::PingPong);
        if round && all.len() > 1 && all[0].0.distance(all[all.len() - 1].0) < 1e-3 {
            all.pop();
        }
        let any = all.iter().any(|(_, stop)| stop.is_one());
        Self {
            points: all.iter().map(|(point, _)| *point).collect(),
            order: if order == RouteOrder::PingPong { RouteOrder::Loop } else { order },
            stops: if any { all.iter().map(|(_, stop)| *stop).collect() } else { Vec::new() },
        }
    }

    /// What to do at a waypoint.
    pub fn stop(&self, waypoint: usize) -> Stop {
        self.stops.get(waypoint).copied().unwrap_or_default()
    }

    /// The waypoint after one, when `legs` were walked before; `None` at the end. `who` is a number of the squad's own.
    pub fn after(&self, waypoint: usize, legs: u32, who: u64) -> Option<usize> {
        let count = self.points.len();
        match self.order {
            _ if count < 2 => None,
            RouteOrder::Once => (waypoint + 1 < count).then_some(waypoint + 1),
            RouteOrder::Loop | RouteOrder::PingPong => Some((waypoint + 1) % count),
            RouteOrder::Random => {
                let drawn = (mix(who ^ mix(u64::from(legs))) % (count as u64 - 1)) as usize;
                Some(if drawn >= waypoint { drawn + 1 } else { drawn })
            }
        }
    }

    /// The part of the waypoints that is walked without a stop from this one on, as a range with its end included, and
    /// whether it leads round.
    pub fn stretch(&self, waypoint: usize) -> (std::ops::RangeInclusive<usize>, bool) {
        let last = self.points.len().saturating_sub(1);
        if self.order == RouteOrder::Random {
            return (waypoint.min(last)..=waypoint.min(last), false);
        }
        let stop = (waypoint..=last).find(|at| self.stop(*at).is_one());
        (0..=stop.unwrap_or(last), stop.is_none() && self.order != RouteOrder::Once)
    }

    /// Whether it can be one.
    pub(crate) fn is_sound(&self) -> bool {
        let stops = self.stops.is_empty() || self.stops.len() == self.points.len();
        let sane = |stop: &Stop| sound(*stop) == *stop;
        stops && self.points.iter().all(|point| point.is_finite()) && self.stops.iter().all(sane)
    }
}

fn sound(stop: Stop) -> Stop {
    let at_least_0 = |number: f32| if number.is_finite() { number.max(0.0) } else { 0.0 };
    let look = stop.look.filter(|angle| angle.is_finite());
    Stop { wait: at_least_0(stop.wait), look, sweep: at_least_0(stop.sweep).min(360.0) }
}
