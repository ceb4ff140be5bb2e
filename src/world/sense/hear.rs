//! What is known without sight: noises, being hit, and what mates of other squads call out.

use super::super::World;
use super::super::report::EventKind;
use crate::entity::{AgentId, Entity};
use crate::math::Vec3;
use crate::nav::PathStatus;
use crate::sense::{Attitude, How, Report};
use crate::tree::Call;
use serde::{Deserialize, Serialize};

/// A noise that is heard in the next tick: where, how far, and who made it.
pub type Noise = (Vec3, f32, Entity);

/// A hit that is felt in the next tick.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// Who was hit.
    pub agent: AgentId,
    /// By whom; nobody for nobody in particular.
    pub by: Entity,
    /// From where.
    pub from: Vec3,
}

impl World {
    /// A noise that is heard within `reach` metres, made by `by` (nobody for none in particular). Each wall between
    /// makes it carry less far: see [`super::super::Config::wall_muffles`].
    pub fn noise(&mut self, at: Vec3, reach: f32, by: impl Into<Option<Entity>>) {
        if at.is_finite() && reach > 0.0 {
            self.noises.push((at, reach.min(f32::MAX), by.into().unwrap_or_default()));
        }
    }

    /// An agent was hit: its squad knows in the next tick who did it (nobody for none in particular) and from where,
    /// whatever the agent looks at. A hit by somebody who is no enemy is not told of; what is gone is left out.
    pub fn hit(&mut self, agent: AgentId, by: impl Into<Option<Entity>>, from: Vec3) {
        if from.is_finite() && self.agent_index(agent).is_some() {
            self.hits.push(Hit { agent, by: by.into().unwrap_or_default(), from });
        }
    }

    /// Noises and hits, at second hand: who hears or feels one knows where it came from.
    pub(super) fn listen(&mut self) {
        let mut noises = std::mem::take(&mut self.noises);
        for (at, reach, by) in noises.drain(..) {
            for index in 0..self.scene.agents.len() {
                if self.minds_enemy(index, by) && self.hears(index, at, reach) {
                    self.learn(index, by, at, How::Noise);
                }
            }
        }
        self.noises = noises;
        let mut hits = std::mem::take(&mut self.hits);
        for hit in hits.drain(..) {
            let index = self.agent_index(hit.agent);
            if let Some(index) = index.filter(|index| self.minds_enemy(*index, hit.by)) {
                self.learn(index, hit.by, hit.from, How::Hit);
            }
        }
        self.hits = hits;
    }

    /// Whether an agent cares for what this body does: an enemy, or nobody in particular.
    fn minds_enemy(&self, index: usize, by: Entity) -> bool {
        let bodies = &self.scene.bodies;
        let attitude = |at: usize| self.cast.attitudes.get(bodies.faction[index], bodies.faction[at]);
        bodies.index_of(by).is_none_or(|at| attitude(at) == Attitude::Hostile)
    }

    /// Whether a noise of that reach is heard by an agent: its way is straight through walls, or round them.
    fn hears(&mut self, index: usize, at: Vec3, reach: f32) -> bool {
        let ear = self.scene.bodies.position[index];
        let reach = reach * self.cast.senses[index].hearing;
        let straight = ear.distance(at);
        if straight > reach || (ear.y - at.y).abs() > self.cast.senses[index].vertical {
            return false;
        }
        if self.carries(ear, at, straight, reach) {
            return true;
        }
        self.config.noise_round_walls
            && self.way_between(at, ear, self.scene.agents[index].limits.radius) <= reach
    }

    /// Whether a sound of that reach gets straight from one place to the other, through what is between.
    fn carries(&self, from: Vec3, to: Vec3, distance: f32, reach: f32) -> bool {
        let muffle = self.config.wall_muffles.clamp(0.0, 1.0);
        if muffle >= 1.0 {
            return distance <= reach;
        }
        let up = Vec3::Y;
        let walls = self.scene.sight.walls_between(from + up, to + up);
        distance <= (0..walls.min(64)).fold(reach, |reach, _| reach * muffle)
    }

    /// How long the way from one place to another is on the ground; infinite without one.
    fn way_between(&mut self, from: Vec3, to: Vec3, radius: f32) -> f32 {
        let mut way = std::mem::take(&mut self.eyes.way);
        let status = self.scene.ground.path(from, to, radius, &mut way);
        let mut place = from;
        let mut length = 0.0;
        for corner in &way {
            length += place.distance(*corner);
            place = *corner;
        }
        self.eyes.way = way;
        if status == PathStatus::Complete { length } else { f32::INFINITY }
    }

    fn learn(&mut self, index: usize, target: Entity, position: Vec3, how: How) {
        let scene = Self::part(&mut self.scene);
        let (by, at) = (scene.bodies.id[index], scene.clock);
        let report = Report { target, position, velocity: Vec3::ZERO, by, how, at, hops: 0 };
        self.knowledge_of(self.scene.agents[index].squad as usize).hear(&report);
    }

    /// What agents called out in this tick's thought reaches friendly squads with a member near enough. It stays as old
    /// as it is: nobody who retells it makes it any newer.
    pub(super) fn spread_calls(&mut self) {
        for at in 0..self.agenda.open.len() {
            let from = self.agenda.open[at] as usize;
            let mut calls = std::mem::take(&mut self.desks[from].calls);
            calls.drain(..).for_each(|call| self.spread(from, &call));
            self.desks[from].calls = calls;
        }
        self.agenda.sort_open();
    }

    fn spread(&mut self, from: usize, call: &Call) {
        let mut heard = false;
        for squad in (0..self.scene.squads.len()).filter(|squad| *squad != from) {
            let attitude =
                self.cast.attitudes.get(self.cast.facts[squad].faction, self.cast.facts[from].faction);
            let known = self.scene.squads[squad].knowledge.track(call.report.target);
            let news = known.is_none_or(|track| track.lost_at.is_some() && track.seen_at < call.report.at);
            if attitude != Attitude::Friendly || !news {
                continue;
            }
            let mut members = self.scene.squads[squad].members.clone();
            let Some(hearer) = members.find(|member| self.hears_call(*member, call)) else { continue };
            let by = self.scene.bodies.id[hearer];
            self.desks[squad].news.push(Report { by, ..call.report });
            self.agenda.open.push(squad as u32);
            heard = true;
        }
        if heard {
            let squad = self.scene.squads[from].id;
            let kind = EventKind::Called { target: call.report.target, hops: call.report.hops };
            self.event(kind, Some(call.agent), Some(squad));
        }
    }

    fn hears_call(&self, member: usize, call: &Call) -> bool {
        let bodies = &self.scene.bodies;
        let ear = bodies.position[member];
        let distance = ear.distance(call.at);
        bodies.present[member]
            && distance <= call.radius
            && (ear.y - call.at.y).abs() <= self.cast.senses[member].vertical
            && self.carries(ear, call.at, distance, call.radius)
    }
}
