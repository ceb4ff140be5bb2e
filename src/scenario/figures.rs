//! The figures of a run: how near bodies came, how closed the ring was, how far they walked.

use super::run::Run;
use crate::entity::{AgentId, Entity};
use crate::math::{Vec3, angle_of};
use serde::Serialize;
use std::collections::BTreeMap;
use std::f32::consts::TAU;

/// A figure at the end and at its worst.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Worst {
    /// After the last tick.
    pub end: f64,
    /// The worst after any tick.
    pub worst: f64,
}

/// A figure at the end and at its best as long as nobody had left the ring for the target itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Best {
    /// After the last tick.
    pub end: Option<f64>,
    /// The best after any tick before the first in which anybody was `direct`.
    pub best_before_direct: Option<f64>,
}

/// The smallest, the mean and the largest of several numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The smallest.
    pub min: f64,
    /// The mean.
    pub mean: f64,
    /// The largest.
    pub max: f64,
}

impl Spread {
    fn of(numbers: impl Iterator<Item = f64>) -> Option<Spread> {
        let all: Vec<f64> = numbers.filter(|number| number.is_finite()).collect();
        (!all.is_empty()).then(|| Spread {
            min: round(all.iter().copied().fold(f64::INFINITY, f64::min)),
            mean: round(all.iter().sum::<f64>() / all.len() as f64),
            max: round(all.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
        })
    }
}

/// Mean times of the stages of a tick, in milliseconds of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StageMs {
    /// Perceiving and remembering.
    pub sense: f64,
    /// Running trees.
    pub think: f64,
    /// Rings and steering.
    pub steer: f64,
    /// Moving bodies.
    pub act: f64,
}

/// The figures of a run. What cannot be said, as the distance to a target where there is none, is `null`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// The smallest room between the bodies of two agents, in metres; negative where they overlap.
    pub min_gap_m: Option<Worst>,
    /// How deep two agents' bodies overlap at most, in metres.
    pub overlap_m: Worst,
    /// The largest angle without an agent, in degrees, as seen by the first actor that is an enemy of agents.
    pub largest_empty_angle_deg: Best,
    /// The mean speed of all agents over the run, in m/s.
    pub mean_speed: f64,
    /// How far an agent walked, in metres.
    pub walked_m: Option<Spread>,
    /// How far agents are from the nearest actor that is their enemy at the end, in metres.
    pub distance_to_target_m: Option<Spread>,
    /// Mean times of the stages of a tick.
    pub stage_ms: StageMs,
}

/// What is summed up from tick to tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    ticks: u64,
    speed: f64,
    samples: u64,
    /// By agent: where it was and how far it came; those that are gone too.
    ways: BTreeMap<Entity, (Vec3, f64)>,
    gap: Option<f32>,
    worst_gap: Option<f32>,
    angle: Option<f32>,
    best_angle: Option<f32>,
    /// Whether the best angle is that of the last tick.
    pub is_best: bool,
    direct: bool,
    stages: StageMs,
    discs: Vec<(Vec3, f32)>,
    angles: Vec<f32>,
}

impl Tally {
    /// Takes in the last tick of `run`.
    pub fn take(&mut self, run: &Run) {
        self.ticks += 1;
        self.discs.clear();
        for out in run.world().outputs() {
            let radius = run.spec_of(out.squad).map_or(0.0, |spec| spec.limits.radius);
            self.discs.push((out.position, radius));
            self.walk(out.agent, out.position);
            self.speed += f64::from(out.velocity.length());
            self.samples += 1;
            self.direct |= out.mode == "direct";
        }
        self.gap = smallest_gap(&mut self.discs);
        self.worst_gap = smaller(self.worst_gap, self.gap);
        self.look_round(run);
        let timings = run.world().timings();
        self.stages.sense += timings.sense;
        self.stages.think += timings.think;
        self.stages.steer += timings.steer;
        self.stages.act += timings.act;
    }

    /// An agent was put somewhere else, which is no walk.
    pub fn moved(&mut self, agent: AgentId, to: Vec3) {
        if let Some(way) = self.ways.get_mut(&agent.entity()) {
            way.0 = to;
        }
    }

    fn walk(&mut self, agent: AgentId, to: Vec3) {
        let way = self.ways.entry(agent.entity()).or_insert((to, 0.0));
        *way = (to, way.1 + f64::from(way.0.distance(to)));
    }

    fn look_round(&mut self, run: &Run) {
        self.angle = victim(run).and_then(|victim| {
            let (faction, centre) = (&run.scenario().actors[victim.0].faction, victim.1);
            self.angles.clear();
            let hostile = run
                .world()
                .outputs()
                .filter(|out| run.spec_of(out.squad).is_none_or(|spec| spec.faction != *faction));
            self.angles.extend(hostile.map(|out| angle_of(out.position - centre)));
            largest_empty_angle(&mut self.angles)
        });
        self.is_best = false;
        if !self.direct {
            let best = smaller(self.best_angle, self.angle);
            self.is_best = best != self.best_angle;
            self.best_angle = best;
        }
    }

    pub fn figures(&self, run: &Run) -> Figures {
        let overlap = |gap: Option<f32>| round(f64::from(gap.map_or(0.0, |gap| (-gap).max(0.0))));
        let wide = |number: f32| round(f64::from(number));
        let gap = self.gap.zip(self.worst_gap);
        Figures {
            min_gap_m: gap.map(|(end, worst)| Worst { end: wide(end), worst: wide(worst) }),
            overlap_m: Worst { end: overlap(self.gap), worst: overlap(self.worst_gap) },
            largest_empty_angle_deg: Best {
                end: self.angle.map(wide),
                best_before_direct: self.best_angle.map(wide),
            },
            mean_speed: round(self.speed / self.samples.max(1) as f64),
            walked_m: Spread::of(self.ways.values().map(|way| way.1)),
            distance_to_target_m: Spread::of(distances(run)),
            stage_ms: self.stages.mean(self.ticks),
        }
    }
}

impl StageMs {
    fn mean(self, ticks: u64) -> StageMs {
        let mean = |seconds: f64| round(seconds * 1e3 / ticks.max(1) as f64);
        StageMs {
            sense: mean(self.sense),
            think: mean(self.think),
            steer: mean(self.steer),
            act: mean(self.act),
        }
    }
}

/// To four digits behind the point: a figure, and no noise.
pub(super) fn round(number: f64) -> f64 {
    // A sum with 0 makes -0 into 0.
    libm::round(number * 1e4) / 1e4 + 0.0
}

fn smaller(a: Option<f32>, b: Option<f32>) -> Option<f32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// The first actor that is there and an enemy of a squad: its place in the list, and where it is.
fn victim(run: &Run) -> Option<(usize, Vec3)> {
    let hostile = |at: usize| {
        let faction = &run.scenario().actors[at].faction;
        run.scenario().squads.iter().any(|squad| squad.faction != *faction)
    };
    let present = |at: usize| run.scenario().actors[at].path.at(run.now()).present;
    let (at, id) = run.actors().find(|(at, _)| hostile(*at) && present(*at))?;
    Some((at, run.world().position(id)?))
}

/// From each agent to the nearest actor that is its enemy.
fn distances(run: &Run) -> impl Iterator<Item = f64> {
    run.world().outputs().filter_map(|out| {
        let faction = &run.spec_of(out.squad)?.faction;
        let hostile = |at: usize| run.scenario().actors[at].faction != *faction;
        let there = |at: usize| run.scenario().actors[at].path.at(run.now()).present;
        let actors = run.actors().filter(|(at, _)| hostile(*at) && there(*at));
        let places = actors.filter_map(|(_, id)| run.world().position(id));
        places.map(|place| f64::from(place.distance(out.position))).min_by(f64::total_cmp)
    })
}

/// The smallest room between two of the discs: swept along x, so that far ones are never compared.
fn smallest_gap(discs: &mut [(Vec3, f32)]) -> Option<f32> {
    discs.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    let widest = discs.iter().map(|disc| disc.1).fold(0.0, f32::max);
    let mut best = None;
    for (at, (place, radius)) in discs.iter().enumerate() {
        for (other, other_radius) in &discs[at + 1..] {
            if best.is_some_and(|best| other.x - place.x > best + radius + widest) {
                break;
            }
            best = smaller(best, Some(place.distance(*other) - radius - other_radius));
        }
    }
    best
}

/// In degrees; `None` without a direction.
fn largest_empty_angle(angles: &mut [f32]) -> Option<f32> {
    angles.sort_by(f32::total_cmp);
    let round = angles.first()? + TAU - angles.last()?;
    let between = angles.windows(2).map(|pair| pair[1] - pair[0]);
    Some(between.fold(round, f32::max).to_degrees())
}
