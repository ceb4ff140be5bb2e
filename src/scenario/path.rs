//! Where an actor is when: a path of steps, as a pure function of time.
//!
//! It is no integration: the position at a time is the same at every frame rate, and no error adds up.

use crate::math::{Vec3, unit_or, vec3};

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Walks straight to a point, with a speed in m/s.
    Walk(Vec3, f32),
    /// Stands for that many seconds.
    Wait(f64),
    /// Stands until that time of the scenario, in seconds.
    Until(f64),
    /// Is somewhere else at once.
    Teleport(Vec3),
    /// Is gone, seen and met by nobody, until it returns.
    Vanish,
    /// Is there again.
    Return,
}

/// Where an actor is, how it moves, and whether it is there at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand {
    /// Where, in metres.
    pub position: Vec3,
    /// How it moves, in m/s.
    pub velocity: Vec3,
    /// Whether it can be seen and met.
    pub present: bool,
}

/// A stretch of time in which an actor moves evenly.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Leg {
    start: f64,
    from: Stand,
}

/// Where an actor is at any time.
///
/// ```
/// use warband::math::vec3;
/// use warband::scenario::{Path, Step};
/// let path = Path::new(vec3(0.0, 0.0, 0.0), &[Step::Wait(1.0), Step::Walk(vec3(6.0, 0.0, 0.0), 3.0)], false);
/// assert_eq!(path.at(2.0).position, vec3(3.0, 0.0, 0.0));
/// assert_eq!(path.at(2.0).velocity, vec3(3.0, 0.0, 0.0));
/// assert_eq!(path.at(9.0).position, vec3(6.0, 0.0, 0.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    start: Vec3,
    first: Vec<Leg>,
    first_ends: f64,
    /// Later laps start where the first one ended.
    lap: Vec<Leg>,
    lap_seconds: f64,
}

impl Path {
    /// Stands at `start` for ever.
    pub fn still(start: Vec3) -> Self {
        Self::new(start, &[], false)
    }

    /// Follows `steps` from `start`, and again and again from where they end if it `loops`.
    ///
    /// A walk with a speed that is not above 0 is a teleport. A loop that takes no time ends after the first lap.
    pub fn new(start: Vec3, steps: &[Step], loops: bool) -> Self {
        let here = Stand { position: start, velocity: Vec3::ZERO, present: true };
        let (first, first_ends, end) = legs(here, steps);
        let (lap, lap_seconds, _) = legs(end, if loops { steps } else { &[] });
        Self { start, first, first_ends, lap, lap_seconds }
    }

    /// Where it starts.
    pub fn start(&self) -> Vec3 {
        self.start
    }

    /// When the first lap ends, in seconds.
    pub fn ends(&self) -> f64 {
        self.first_ends
    }

    /// Where it is after `seconds`. At the very moment in which a step begins, that step counts.
    pub fn at(&self, seconds: f64) -> Stand {
        let late = seconds - self.first_ends;
        if late >= 0.0 && self.lap_seconds > 0.0 {
            return stand(&self.lap, late - self.lap_seconds * libm::floor(late / self.lap_seconds));
        }
        stand(&self.first, seconds)
    }
}

fn stand(legs: &[Leg], seconds: f64) -> Stand {
    let after = legs.partition_point(|leg| leg.start <= seconds);
    let leg = legs[after.saturating_sub(1)];
    let since = (seconds - leg.start).max(0.0);
    let (from, by) = (leg.from.position, leg.from.velocity);
    let along = |from: f32, by: f32| (f64::from(from) + f64::from(by) * since) as f32;
    let position = vec3(along(from.x, by.x), along(from.y, by.y), along(from.z, by.z));
    Stand { position, ..leg.from }
}

/// The legs of one lap, how long it takes, and where it ends. The last leg stands still.
fn legs(from: Stand, steps: &[Step]) -> (Vec<Leg>, f64, Stand) {
    let (mut now, mut here, mut legs) = (0.0, Stand { velocity: Vec3::ZERO, ..from }, Vec::new());
    for step in steps {
        let (seconds, velocity) = lasts(step, here.position, now);
        legs.push(Leg { start: now, from: Stand { velocity, ..here } });
        now += seconds;
        here = after(step, here);
    }
    legs.push(Leg { start: now, from: here });
    (legs, now, here)
}

/// How long a step lasts, and the velocity meanwhile.
fn lasts(step: &Step, from: Vec3, now: f64) -> (f64, Vec3) {
    match *step {
        Step::Walk(to, speed) if speed > 0.0 => {
            let seconds = f64::from(from.distance(to)) / f64::from(speed);
            (seconds, unit_or(to - from, Vec3::ZERO) * speed)
        }
        Step::Wait(seconds) => (seconds.max(0.0), Vec3::ZERO),
        Step::Until(time) => ((time - now).max(0.0), Vec3::ZERO),
        _ => (0.0, Vec3::ZERO),
    }
}

fn after(step: &Step, here: Stand) -> Stand {
    match *step {
        Step::Walk(position, _) | Step::Teleport(position) => Stand { position, ..here },
        Step::Vanish => Stand { present: false, ..here },
        Step::Return => Stand { present: true, ..here },
        Step::Wait(_) | Step::Until(_) => here,
    }
}
