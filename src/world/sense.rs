//! The first stage: the neighbour index, who perceives whom, and what squads make of it.

use super::World;
use super::report::EventKind;
use crate::entity::{AgentId, Entity};
use crate::math::{Vec3, room};
use crate::sense::{How, Report, Turn};
use crate::space::{Bodies, Shape};
use crate::tree::SquadScene;

/// The longest time in ns that a pair out of view goes untested.
const LATENCY: u64 = 250_000_000;

/// Who perceives whom. A pair in view is tested each tick; others may be spread over several.
#[derive(Default)]
pub(super) struct Eyes {
    /// The pairs in view, by agent index, then target.
    pub seen: Vec<(u32, Entity)>,
    found: Vec<(u32, u32, How)>,
    /// For each faction, the bodies that it perceives as targets.
    hostile: Vec<Vec<u32>>,
    turns: Vec<(usize, Entity, Entity, How, Turn, u64)>,
}

impl Eyes {
    /// The bytes that they hold outside of themselves.
    pub fn bytes(&self) -> usize {
        let hostile = self.hostile.iter().map(room).sum::<usize>() + room(&self.hostile);
        room(&self.seen) + room(&self.found) + room(&self.turns) + hostile
    }
}

impl World {
    pub(super) fn sense(&mut self) {
        self.expire_values();
        self.index_bodies();
        self.find_hostile();
        self.look();
        self.listen();
        self.settle();
    }

    /// Indexes where agents are, for neighbours and contacts.
    pub(super) fn index_bodies(&mut self) {
        let agents = self.scene.agents.len();
        let flying = self.scene.agents.iter().any(|agent| agent.flies);
        let shape = if flying { Shape::Volume } else { Shape::Ground };
        let cell = self.scene.agents.iter().map(|agent| agent.limits.neighbour_radius).fold(1.0, f32::max);
        self.grid.rebuild(&self.scene.bodies.position[..agents], cell, shape);
    }

    fn find_hostile(&mut self) {
        let bodies = &self.scene.bodies;
        let factions = self.cast.factions.len();
        self.eyes.hostile.resize_with(factions, Vec::new);
        for (faction, list) in self.eyes.hostile.iter_mut().enumerate() {
            list.clear();
            let hostile =
                |index: &usize| bodies.present[*index] && usize::from(bodies.faction[*index]) != faction;
            list.extend((0..bodies.len()).filter(hostile).map(|index| index as u32));
        }
    }

    /// In how many turns all pairs out of view are tested.
    fn turns(&self) -> u64 {
        let pairs: usize = self
            .scene
            .squads
            .iter()
            .zip(&self.cast.facts)
            .map(|(squad, facts)| squad.members.len() * self.eyes.hostile[usize::from(facts.faction)].len())
            .sum();
        let wanted = pairs.div_ceil(self.config.sight_tests.max(1)) as u64;
        let dt = (f64::from(self.scene.dt) * 1e9) as u64;
        wanted.clamp(1, (LATENCY / dt.max(1)).max(1))
    }

    fn look(&mut self) {
        let turns = self.turns();
        let mut eyes = std::mem::take(&mut self.eyes);
        eyes.found.clear();
        let mut known = 0;
        for index in 0..self.scene.agents.len() {
            let start = known;
            while eyes.seen.get(known).is_some_and(|(agent, _)| *agent as usize == index) {
                known += 1;
            }
            let number = u64::from(self.scene.bodies.key[index]) + u64::from(self.scene.agents[index].squad);
            let turn = (number + self.ticks).is_multiple_of(turns);
            self.look_with(index, &eyes.seen[start..known], turn, &eyes.hostile, &mut eyes.found);
        }
        eyes.seen.clear();
        let ids = &self.scene.bodies.id;
        eyes.seen.extend(eyes.found.iter().map(|(agent, target, _)| (*agent, ids[*target as usize])));
        eyes.seen.sort();
        for (agent, target, how) in &eyes.found {
            self.perceive(*agent as usize, *target as usize, *how);
        }
        self.eyes = eyes;
    }

    /// Tests what the agent has in view already, and in its turn all others too.
    fn look_with(
        &self,
        index: usize,
        before: &[(u32, Entity)],
        turn: bool,
        hostile: &[Vec<u32>],
        found: &mut Vec<(u32, u32, How)>,
    ) {
        let bodies = &self.scene.bodies;
        if !bodies.present[index] {
            return;
        }
        let mut test = |target: usize, in_view: bool| {
            if let Some(how) = self.perceives(index, target, in_view) {
                found.push((index as u32, target as u32, how));
            }
        };
        if turn {
            for target in &hostile[usize::from(bodies.faction[index])] {
                let in_view = before.iter().any(|(_, id)| *id == bodies.id[*target as usize]);
                test(*target as usize, in_view);
            }
        } else {
            let known = before.iter().filter_map(|(_, id)| bodies.index_of(*id));
            known.filter(|target| bodies.present[*target]).for_each(|target| test(target, true));
        }
    }

    fn perceives(&self, agent: usize, target: usize, in_view: bool) -> Option<How> {
        let bodies = &self.scene.bodies;
        let offset = bodies.position[target] - bodies.position[agent];
        let senses = &self.cast.senses[agent];
        let how = senses.reaches(offset, bodies.facing[agent], self.scene.agents[agent].flies, in_view)?;
        self.scene.sight.clear(bodies.eye(agent), bodies.eye(target)).then_some(how)
    }

    fn perceive(&mut self, agent: usize, target: usize, how: How) {
        let bodies = &self.scene.bodies;
        let report = Report {
            target: bodies.id[target],
            position: bodies.position[target],
            velocity: bodies.velocity[target],
            by: bodies.id[agent],
            how,
            at: self.scene.clock,
        };
        let squad = self.scene.agents[agent].squad as usize;
        self.scene_mut().squads[squad].knowledge.perceive(&report);
    }

    /// News that agents took from boards in this tick's thought: the squad knows it before the next.
    pub(super) fn hear_news(&mut self) {
        if self.desks.iter().all(|desk| desk.news.is_empty()) {
            return;
        }
        let mut turns = std::mem::take(&mut self.eyes.turns);
        let scene = Self::part(&mut self.scene);
        for (index, desk) in self.desks.iter_mut().enumerate().filter(|(_, desk)| !desk.news.is_empty()) {
            let squad = &mut scene.squads[index];
            desk.news.drain(..).for_each(|report| squad.knowledge.hear(&report));
            squad.knowledge.announce(|track, turn| {
                turns.push((index, track.target, track.by, track.how, turn, scene.clock));
            });
            squad.knowledge.choose(centre(&scene.bodies, squad));
        }
        self.tell_turns(turns);
    }

    /// Noises, at second hand: who hears one knows where it was.
    fn listen(&mut self) {
        let scene = Self::part(&mut self.scene);
        for (at, reach, by) in self.noises.drain(..) {
            for index in 0..scene.agents.len() {
                let heard =
                    scene.bodies.position[index].distance(at) <= reach * self.cast.senses[index].hearing;
                let maker = scene.bodies.index_of(by);
                let own =
                    maker.is_some_and(|maker| scene.bodies.faction[maker] == scene.bodies.faction[index]);
                if !heard || own {
                    continue;
                }
                let report = Report {
                    target: by,
                    position: at,
                    velocity: Vec3::ZERO,
                    by: scene.bodies.id[index],
                    how: How::Noise,
                    at: scene.clock,
                };
                scene.squads[scene.agents[index].squad as usize].knowledge.hear(&report);
            }
        }
    }

    fn settle(&mut self) {
        let mut turns = std::mem::take(&mut self.eyes.turns);
        turns.clear();
        let scene = Self::part(&mut self.scene);
        let now = scene.clock;
        let bodies = &scene.bodies;
        // A noise of nobody in particular has no body that could be gone.
        let gone =
            |id: Entity| id != Entity::default() && !bodies.index_of(id).is_some_and(|at| bodies.present[at]);
        for (index, (squad, facts)) in scene.squads.iter_mut().zip(&self.cast.facts).enumerate() {
            squad.knowledge.settle(now, facts.knowledge, gone, |track, turn| {
                turns.push((index, track.target, track.by, track.how, turn, track.lost_at.unwrap_or(now)));
            });
            squad.knowledge.choose(centre(bodies, squad));
        }
        self.note_own_sight();
        self.tell_turns(turns);
    }

    fn tell_turns(&mut self, mut turns: Vec<(usize, Entity, Entity, How, Turn, u64)>) {
        for (squad, target, by, how, turn, since) in turns.drain(..) {
            let kind = match turn {
                Turn::Gained => EventKind::Gained { target, by, how },
                Turn::Lost => EventKind::Lost { target, since },
                Turn::Forgotten => EventKind::Forgotten { target },
            };
            let agent = matches!(turn, Turn::Gained).then(|| AgentId::new(by));
            let squad = self.scene.squads[squad].id;
            self.event(kind, agent, Some(squad));
        }
        self.eyes.turns = turns;
    }

    fn note_own_sight(&mut self) {
        let scene = Self::part(&mut self.scene);
        scene.perceives.fill(false);
        for (agent, target) in &self.eyes.seen {
            let squad = scene.agents[*agent as usize].squad as usize;
            let own = scene.squads[squad].knowledge.target().is_some_and(|track| track.target == *target);
            scene.perceives[*agent as usize] |= own;
        }
    }
}

/// The middle of a squad.
fn centre(bodies: &Bodies, squad: &SquadScene) -> Vec3 {
    let places = &bodies.position[squad.members.clone()];
    places.iter().copied().sum::<Vec3>() / places.len().max(1) as f32
}
