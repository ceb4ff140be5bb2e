//! The beliefs of squads that search together: where a target may be that is out of sight, and who looks where.

use super::super::World;
use crate::entity::SquadId;
use crate::math::{Vec3, flat, unit_or};
use crate::sense::{Belief, Searcher, Sighting};

/// How high above the ground, as a part of one's eyes, one looks for whoever hides at a place.
const CHEST: f32 = 0.6;

impl World {
    /// Where a squad believes that its target may be, while members search together (`search { spread = true }`); `None`
    /// while nobody does.
    pub fn belief(&self, squad: SquadId) -> Option<&Belief> {
        let belief = self.cast.squad(squad).map(|at| &self.scene.squads[at].belief)?;
        belief.target().is_some().then_some(belief)
    }

    /// Lets the beliefs of all squads go on whose members search, and gives members their places.
    pub(super) fn search(&mut self) {
        for squad in 0..self.scene.squads.len() {
            if !self.eyes.knows[squad] {
                continue;
            }
            let lost =
                self.scene.squads[squad].knowledge.target().is_some_and(|track| track.lost_at.is_some());
            let wanted = lost && self.searchers(squad);
            match self.sighting(squad).filter(|_| wanted) {
                Some(sighting) => self.search_on(squad, &sighting),
                None => self.scene_mut().squads[squad].belief.clear(),
            }
        }
    }

    /// Gathers those who search; says whether there are any.
    fn searchers(&mut self, squad: usize) -> bool {
        let scene = &self.scene;
        self.eyes.searchers.clear();
        for index in scene.squads[squad].members.clone() {
            if self.minds[index].intent.search.is_some() {
                self.eyes.searchers.push(Searcher {
                    key: scene.bodies.key[index],
                    position: scene.bodies.position[index],
                    radius: scene.agents[index].limits.radius,
                    speed: scene.agents[index].limits.max_speed,
                });
            }
        }
        !self.eyes.searchers.is_empty()
    }

    /// What is known of the target, if it is out of sight; how fast it can be is what the boldest searcher thinks.
    fn sighting(&self, squad: usize) -> Option<Sighting> {
        let scene = &self.scene.squads[squad];
        let track = scene.knowledge.target().filter(|track| track.lost_at.is_some())?;
        let wishes = scene.members.clone().filter_map(|index| self.minds[index].intent.search);
        let speed = wishes.fold(0.0, f32::max);
        let widest = scene.members.clone().map(|index| self.scene.bodies.radius[index]).fold(0.05, f32::max);
        Some(Sighting {
            target: track.target,
            at: track.position,
            seen_at: track.seen_at,
            speed,
            cell: 2.0 * widest,
            time: self.cast.facts[squad].knowledge.forget,
        })
    }

    fn search_on(&mut self, squad: usize, sighting: &Sighting) {
        let scene = Self::part(&mut self.scene);
        let mut belief = std::mem::take(&mut scene.squads[squad].belief);
        let (now, ground) = (self.scene.clock, self.scene.ground.clone());
        belief.begin(sighting, &*ground);
        belief.deal(&self.eyes.searchers);
        let dt = (f64::from(self.scene.dt) * 1e9) as u64;
        belief.update(now, dt, &*ground, &mut |place, cell| self.overlooks(squad, place, cell));
        belief.choose_goals(&self.eyes.searchers, now);
        belief.lead(&self.eyes.searchers, &*ground);
        self.scene_mut().squads[squad].belief = belief;
    }

    /// Whether a member would see whoever stands within half a `cell` of a place.
    fn overlooks(&self, squad: usize, place: Vec3, cell: f32) -> bool {
        let members = self.scene.squads[squad].members.clone();
        // Who did not look in this tick would have seen nobody there.
        let looks =
            |index: &usize| self.scene.bodies.present[*index] && self.cast.looked[*index] == self.scene.clock;
        members.filter(looks).any(|index| self.overlooks_place(index, place, cell))
    }

    fn overlooks_place(&self, index: usize, place: Vec3, cell: f32) -> bool {
        let (bodies, senses) = (&self.scene.bodies, &self.cast.senses[index]);
        let (eye, way) = (bodies.eye(index), place - bodies.position[index]);
        let distance = way.length();
        if distance + cell > senses.range.max(senses.near) || way.y.abs() > senses.vertical {
            return false;
        }
        let side = unit_or(Vec3::new(-way.z, 0.0, way.x), Vec3::X) * (0.5 * cell);
        let (facing, flies) = (bodies.facing[index], self.scene.agents[index].flies);
        let edges = [way + side * 1.5, way - side * 1.5];
        let at_hand = distance + cell <= senses.near;
        if !at_hand && !edges.iter().all(|edge| senses.reaches(*edge, facing, flies, false).is_some()) {
            return false;
        }
        let up = Vec3::Y * (bodies.eyes[index] * CHEST);
        let clear = |to: Vec3| self.scene.sight.clear(eye, to + up);
        // Beside the place nobody can stand where there is a wall.
        let free = |to: Vec3| flat(to - place).length() < 1e-3 || self.scene.ground.straight(place, to, 0.05);
        clear(place) && [place + side, place - side].into_iter().all(|to| !free(to) || clear(to))
    }
}
