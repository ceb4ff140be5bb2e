//! The first stage: the neighbour index, who perceives whom, and what squads make of it.

mod hear;
mod look;
mod search;
mod sides;

pub(super) use hear::{Hit, Noise};
pub use look::Pair;

use super::World;
use super::report::EventKind;
use crate::entity::{AgentId, Entity};
use crate::math::{Vec3, room};
use crate::sense::{Attitude, How, Knowledge, Searcher, Turn};
use crate::space::{Bodies, Shape};
use crate::tree::{Desk, SquadScene};

/// What the stage found, and its buffers.
#[derive(Default)]
pub(super) struct Eyes {
    /// The pairs in view, and those that somebody is aware of still, by agent index, then target.
    pub seen: Vec<Pair>,
    found: Vec<Pair>,
    /// What the chunks of agents saw.
    looks: Vec<look::Look>,
    /// Whether it is known for each faction which bodies it perceives as targets.
    knows_sides: bool,
    hostile: Vec<Vec<u32>>,
    /// How many pairs of an agent and a target there are.
    pairs: usize,
    turns: Vec<(usize, Entity, Entity, How, Turn, u64)>,
    noticed: Vec<(u32, Entity)>,
    /// By squad: whether it may know of anybody, or may have until now.
    knows: Vec<bool>,
    /// How many lines of sight were asked for in this tick.
    rays: u64,
    way: Vec<Vec3>,
    searchers: Vec<Searcher>,
}

impl Eyes {
    /// The bytes that they hold outside of themselves.
    pub fn bytes(&self) -> usize {
        let hostile = self.hostile.iter().map(room).sum::<usize>() + room(&self.hostile);
        let lists = room(&self.seen) + room(&self.found) + room(&self.turns) + room(&self.noticed);
        let lists = lists + self.looks.iter().map(look::Look::bytes).sum::<usize>();
        lists + hostile + room(&self.knows) + room(&self.way) + room(&self.searchers)
    }
}

impl Eyes {
    /// Forgets which squads know of nobody: squads came, went or were changed.
    pub fn forget_squads(&mut self) {
        self.knows.clear();
    }

    /// The squads that may know of anybody, in order.
    fn knowing(&self) -> impl Iterator<Item = usize> {
        self.knows.iter().enumerate().filter(|(_, knows)| **knows).map(|(squad, _)| squad)
    }
}

impl World {
    pub(super) fn sense(&mut self) {
        self.eyes.knows.resize(self.scene.squads.len(), true);
        self.expire_values();
        self.index_bodies();
        self.find_hostile();
        self.look();
        self.listen();
        self.settle();
        self.search();
        self.note_knowing();
    }

    /// A squad is told of a body.
    fn knowledge_of(&mut self, squad: usize) -> &mut Knowledge {
        if let Some(knows) = self.eyes.knows.get_mut(squad) {
            *knows = true;
        }
        &mut self.scene_mut().squads[squad].knowledge
    }

    /// Squads that know of nobody are left out until somebody tells them of one.
    fn note_knowing(&mut self) {
        let squads = &self.scene.squads;
        for (squad, knows) in squads.iter().zip(&mut self.eyes.knows).filter(|(_, knows)| **knows) {
            *knows = !squad.knowledge.is_blank();
        }
    }

    /// Indexes where agents are, for neighbours and contacts.
    pub(super) fn index_bodies(&mut self) {
        let agents = self.scene.agents.len();
        let most = self.most();
        let shape = if most.flies { Shape::Volume } else { Shape::Ground };
        self.grid.rebuild(&self.scene.bodies.position[..agents], most.neighbour_radius.max(1.0), shape);
    }

    /// Who is whose target is to be found out again: bodies came, went, or are regarded otherwise.
    pub(super) fn forget_sides(&mut self) {
        self.eyes.knows_sides = false;
    }

    fn find_hostile(&mut self) {
        let factions = self.cast.factions.len();
        if std::mem::replace(&mut self.eyes.knows_sides, true) && self.eyes.hostile.len() == factions {
            return;
        }
        let bodies = &self.scene.bodies;
        self.eyes.hostile.resize_with(factions, Vec::new);
        for (faction, list) in self.eyes.hostile.iter_mut().enumerate() {
            list.clear();
            let attitudes = &self.cast.attitudes;
            let hostile = |index: &usize| {
                let to = bodies.faction[*index];
                bodies.present[*index] && attitudes.get(faction as u16, to) == Attitude::Hostile
            };
            list.extend((0..bodies.len()).filter(hostile).map(|index| index as u32));
        }
        let factions = &bodies.faction[..self.scene.agents.len()];
        self.eyes.pairs = factions.iter().map(|own| self.eyes.hostile[usize::from(*own)].len()).sum();
    }

    /// News that agents took from boards in this tick's thought: the squad knows it before the next.
    pub(super) fn hear_news(&mut self) {
        self.spread_calls();
        let (open, desks) = (&self.agenda.open, &mut self.desks);
        let is_silent = |desk: &Desk| desk.news.is_empty() && desk.prefers.is_empty();
        if open.iter().all(|squad| is_silent(&desks[*squad as usize])) {
            return;
        }
        let mut turns = std::mem::take(&mut self.eyes.turns);
        let scene = Self::part(&mut self.scene);
        for index in open.iter().map(|squad| *squad as usize) {
            let (squad, desk) = (&mut scene.squads[index], &mut desks[index]);
            if is_silent(desk) {
                continue;
            }
            self.eyes.knows[index] = true;
            desk.prefers.drain(..).for_each(|target| squad.knowledge.prefer(target));
            desk.news.drain(..).for_each(|report| squad.knowledge.hear(&report));
            squad.knowledge.announce(|track, turn| {
                turns.push((index, track.target, track.by, track.how, turn, scene.clock));
            });
            let rules = self.cast.facts[index].choice;
            squad.knowledge.choose(centre(&scene.bodies, squad), scene.clock, rules);
        }
        self.tell_turns(turns);
    }

    fn settle(&mut self) {
        let mut turns = std::mem::take(&mut self.eyes.turns);
        turns.clear();
        let scene = Self::part(&mut self.scene);
        let now = scene.clock;
        let bodies = &scene.bodies;
        let attitudes = &self.cast.attitudes;
        let knows = &self.eyes.knows;
        let is_known = |(squad, knows): (&SquadScene, &bool)| *knows || squad.knowledge.is_blank();
        debug_assert!(
            scene.squads.iter().zip(knows).all(is_known),
            "BUG: a squad was told of somebody unnoticed"
        );
        for index in self.eyes.knowing() {
            let (squad, facts) = (&mut scene.squads[index], &self.cast.facts[index]);
            // A noise of nobody in particular has no body that could be gone.
            let gone = |id: Entity| {
                let hunted = |at: usize| {
                    bodies.present[at]
                        && attitudes.get(facts.faction, bodies.faction[at]) == Attitude::Hostile
                };
                id != Entity::default() && !bodies.index_of(id).is_some_and(hunted)
            };
            squad.knowledge.settle(now, facts.knowledge, gone, |track, turn| {
                turns.push((index, track.target, track.by, track.how, turn, track.lost_at.unwrap_or(now)));
            });
            squad.knowledge.choose(centre(bodies, squad), now, facts.choice);
        }
        self.note_own_sight();
        self.tell_noticed();
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

    /// What agents see themselves: whether it is whom their squad is after, and how sure they are.
    fn note_own_sight(&mut self) {
        let scene = Self::part(&mut self.scene);
        scene.perceives.fill(false);
        self.eyes.knowing().for_each(|squad| scene.squads[squad].knowledge.clear_awareness());
        for pair in &self.eyes.seen {
            let index = pair.agent as usize;
            let knowledge = &mut scene.squads[scene.agents[index].squad as usize].knowledge;
            knowledge.note_awareness(pair.target, pair.awareness);
            let own = knowledge.target().is_some_and(|track| track.target == pair.target);
            scene.perceives[index] |= own && pair.is_perceived();
        }
    }

    fn tell_noticed(&mut self) {
        let noticed = std::mem::take(&mut self.eyes.noticed);
        for (index, target) in &noticed {
            let agent = AgentId::new(self.scene.bodies.id[*index as usize]);
            let squad = self.scene.squads[self.scene.agents[*index as usize].squad as usize].id;
            self.event(EventKind::Noticed { target: *target }, Some(agent), Some(squad));
        }
        self.eyes.noticed = noticed;
    }
}

/// The middle of a squad.
fn centre(bodies: &Bodies, squad: &SquadScene) -> Vec3 {
    let places = &bodies.position[squad.members.clone()];
    places.iter().copied().sum::<Vec3>() / places.len().max(1) as f32
}
