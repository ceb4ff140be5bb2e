//! Who sees whom: a broad phase by range and angle, then lines of sight to parts of the body, spread over ticks.

use super::super::World;
use super::super::cast::Cast;
use super::super::chunks::{Span, chunks, in_chunks};
use super::Eyes;
use crate::entity::Entity;
use crate::math::{Vec3, room, unit_or, vec3};
use crate::sense::{How, Reach, Report, Senses};
use crate::space::{Grid, Metric};
use crate::tree::Scene;
use serde::{Deserialize, Serialize};

/// The longest time in ns that a pair goes untested.
const LATENCY: u64 = 250_000_000;
/// How long the next tick may be, ns, however short this one is, for that to hold.
const NEXT_TICK: u64 = 50_000_000;
/// From how many targets on those about an agent are asked for, in place of looking at all.
const MANY: usize = 64;
/// The parts of a body that are looked for: the middle of its top, its two edges, and the middle of its height.
const PARTS: u8 = 4;

/// An agent and a target that it sees, or is aware of still.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// The agent's body index.
    pub agent: u32,
    /// The target.
    pub target: Entity,
    /// How sure the agent is, 0 to 1.
    pub awareness: f32,
    /// By how much that changes in a second.
    #[serde(with = "crate::math::any_number")]
    pub rate: f32,
    /// By which sense it saw the target last.
    pub how: How,
    /// Whether the target was in view when it was tested last.
    pub seen: bool,
    /// Whether the agent has been sure of it, and is aware of it still.
    pub sure: bool,
    /// Whether it suspects something.
    pub suspects: bool,
    /// Which part of the target was seen: the first to be looked for again.
    part: u8,
    /// When it was tested last (ns).
    pub at: u64,
}

impl Pair {
    fn new(agent: usize, target: Entity) -> Self {
        Self {
            agent: agent as u32,
            target,
            awareness: 0.0,
            rate: 0.0,
            how: How::Sight,
            seen: false,
            sure: false,
            suspects: false,
            part: 0,
            at: 0,
        }
    }
    /// Whether the agent sees the target, and is sure of it.
    pub fn is_perceived(&self) -> bool {
        self.seen && self.sure
    }
    /// Whether it can be one of a world with so many agents.
    pub fn is_sound(&self, agents: usize) -> bool {
        (self.agent as usize) < agents
            && (0.0..=1.0).contains(&self.awareness)
            && !self.rate.is_nan()
            && self.part < PARTS
            && self.at <= crate::math::MOST_COUNTED
    }
    /// Lets awareness grow or fall for `dt` seconds. Answers whether the agent begins to suspect something.
    fn grow(&mut self, dt: f32, suspicion: f32) -> bool {
        // In no time nothing changes, but what is known at once.
        let by = if self.rate.is_infinite() { self.rate } else { self.rate * dt };
        self.awareness = (self.awareness + by).clamp(0.0, 1.0);
        self.sure = self.awareness > 1.0 - 1e-5 || (self.sure && self.awareness >= suspicion);
        let suspected = self.suspects;
        self.suspects = self.awareness >= suspicion || (suspected && self.awareness >= 0.5 * suspicion);
        self.suspects && !suspected
    }
}

impl World {
    /// How many lines of sight were asked for in the last tick: those to targets within range and angle only.
    pub fn sight_tests(&self) -> u64 {
        self.eyes.rays
    }

    /// How sure an agent is of seeing a body, 0 to 1; see [`crate::sense::Awareness`]. 0 when either is gone.
    pub fn awareness(&self, agent: crate::AgentId, of: impl Into<Entity>) -> f32 {
        let (index, of) = (self.agent_index(agent), of.into());
        let key = |pair: &Pair| (pair.agent, pair.target);
        let found = index.map(|index| self.eyes.seen.binary_search_by_key(&(index as u32, of), key));
        found.and_then(|found| found.ok()).map_or(0.0, |at| self.eyes.seen[at].awareness)
    }

    /// In how many turns all pairs are tested.
    fn turns(&self) -> u64 {
        let wanted = self.eyes.pairs.div_ceil(self.config.sight_tests.max(1)) as u64;
        wanted.clamp(1, ((LATENCY - NEXT_TICK) / self.tick_length().max(1)).max(1))
    }

    fn tick_length(&self) -> u64 {
        (f64::from(self.scene.dt) * 1e9) as u64
    }

    pub(super) fn look(&mut self) {
        let next_tick = self.scene.clock.saturating_add(self.tick_length().max(NEXT_TICK));
        let (turns, sight) = (self.turns(), self.most().sight);
        let mut eyes = std::mem::take(&mut self.eyes);
        let chunks = chunks(self.scene.agents.len(), self.config.threads);
        if eyes.looks.len() < chunks {
            eyes.looks.resize_with(chunks, Look::default);
        }
        let Eyes { seen, found, noticed, hostile, looks, .. } = &mut eyes;
        let (scene, grid, Cast { senses, looked, .. }) = (&*self.scene, &self.grid, &mut self.cast);
        let watch = Watch { scene, senses, grid, sight, seen, hostile, turns, ticks: self.ticks, next_tick };
        let all = Span { first: 0, count: scene.agents.len() };
        let work = |(span, looked): (Span, &mut [u64]), look: &mut Look| watch.look(span, looked, look);
        in_chunks(all.count, (all, &mut looked[..]), &mut looks[..chunks], &work);
        found.clear();
        noticed.clear();
        for look in &mut looks[..chunks] {
            found.append(&mut look.found);
            noticed.append(&mut look.noticed);
        }
        eyes.rays = eyes.looks[..chunks].iter().map(|look| look.rays).sum();
        std::mem::swap(&mut eyes.seen, &mut eyes.found);
        self.eyes = eyes;
        let seen = std::mem::take(&mut self.eyes.seen);
        seen.iter().for_each(|pair| self.report_sight(pair));
        self.eyes.seen = seen;
    }

    /// The squad knows what a member sees and is sure of, and where something was that one suspects.
    fn report_sight(&mut self, pair: &Pair) {
        if !pair.seen || !(pair.sure || pair.suspects) {
            return;
        }
        let index = pair.agent as usize;
        let squad = self.scene.agents[index].squad as usize;
        if pair.at != self.scene.clock {
            if pair.sure {
                self.knowledge_of(squad).hold(pair.target);
            }
            return;
        }
        let bodies = &self.scene.bodies;
        let Some(target) = bodies.index_of(pair.target) else { return };
        let report = Report {
            target: pair.target,
            position: bodies.position[target],
            velocity: bodies.velocity[target],
            by: bodies.id[index],
            how: if pair.sure { pair.how } else { How::Glimpse },
            at: self.scene.clock,
            hops: 0,
        };
        let knowledge = self.knowledge_of(squad);
        if pair.sure { knowledge.perceive(&report) } else { knowledge.hear(&report) }
    }

    /// Members before `index` keep their pairs, those from it on are one further on: somebody was inserted there.
    pub(in crate::world) fn eyes_make_room(&mut self, index: usize) {
        let later = |pair: &&mut Pair| pair.agent as usize >= index;
        self.eyes.seen.iter_mut().filter(later).for_each(|pair| pair.agent += 1);
    }

    /// Forgets the pairs of the agent that was at `index`, and of whom it was seen.
    pub(in crate::world) fn eyes_close(&mut self, index: usize) {
        self.eyes.seen.retain(|pair| pair.agent as usize != index);
        let later = |pair: &&mut Pair| pair.agent as usize > index;
        self.eyes.seen.iter_mut().filter(later).for_each(|pair| pair.agent -= 1);
    }
}

/// What a chunk of agents saw.
#[derive(Default)]
pub(super) struct Look {
    found: Vec<Pair>,
    /// Who begins to suspect what.
    noticed: Vec<(u32, Entity)>,
    /// How many lines of sight were asked for.
    rays: u64,
    /// The targets of one agent, by body index.
    near: Vec<u32>,
}

impl Look {
    /// The bytes that it holds outside of itself.
    pub fn bytes(&self) -> usize {
        room(&self.found) + room(&self.noticed) + room(&self.near)
    }
}

/// What all read who look.
struct Watch<'a> {
    scene: &'a Scene,
    senses: &'a [Senses],
    grid: &'a Grid,
    /// How far the keenest of all sees, m.
    sight: f32,
    /// What was seen before.
    seen: &'a [Pair],
    /// Which bodies each faction perceives as targets.
    hostile: &'a [Vec<u32>],
    turns: u64,
    ticks: u64,
    /// When the next tick may be, ns.
    next_tick: u64,
}

impl Watch<'_> {
    /// Lets a chunk of agents look.
    fn look(&self, span: Span, looked: &mut [u64], look: &mut Look) {
        look.found.clear();
        look.noticed.clear();
        look.rays = 0;
        let bodies = &self.scene.bodies;
        let mut known = self.seen.partition_point(|pair| (pair.agent as usize) < span.first);
        let round = |index: usize| (index as u64 + self.ticks) % self.turns;
        let mut turn_of = span.first + ((self.turns - round(span.first)) % self.turns) as usize;
        for (index, looked) in (span.first..).zip(looked) {
            let start = known;
            while self.seen.get(known).is_some_and(|pair| pair.agent as usize == index) {
                known += 1;
            }
            let idle = start == known && self.hostile[usize::from(bodies.faction[index])].is_empty();
            let is_turn = index == turn_of;
            turn_of += if is_turn { self.turns as usize } else { 0 };
            if bodies.present[index] && !idle {
                // Its turn in the round, or it has waited for so long that the next tick would be too late.
                let turn = is_turn || self.next_tick.saturating_sub(*looked) > LATENCY;
                *looked = if turn { self.scene.clock } else { *looked };
                if start == known && (!turn || self.is_far_from_all(index)) {
                    continue;
                }
                self.look_with(index, turn, &self.seen[start..known], look);
            }
        }
    }

    /// Whether an agent has few enemies, and all of them beyond everybody's sight: most have, where most wait.
    fn is_far_from_all(&self, index: usize) -> bool {
        let bodies = &self.scene.bodies;
        let (hunted, place) = (&self.hostile[usize::from(bodies.faction[index])], bodies.position[index]);
        let far = |target: &u32| {
            (bodies.position[*target as usize] - place).length_squared() > self.sight * self.sight
        };
        hunted.len() <= MANY && hunted.iter().all(far)
    }

    /// In the agent's turn, tests all its targets; else what it sees goes on as it is.
    fn look_with(&self, index: usize, turn: bool, before: &[Pair], look: &mut Look) {
        let start = look.found.len();
        let (bodies, dt) = (&self.scene.bodies, self.scene.dt);
        let awareness = &self.senses[index].awareness;
        let Look { found, noticed, rays, near } = look;
        let mut keep = |mut pair: Pair| {
            if pair.grow(dt, awareness.suspicion) && awareness.is_gradual() {
                noticed.push((pair.agent, pair.target));
            }
            if pair.seen || pair.awareness > 0.0 {
                found.push(pair);
            }
        };
        let hunted = &self.hostile[usize::from(bodies.faction[index])];
        if !turn {
            let hunts = |pair: &Pair| {
                bodies.index_of(pair.target).is_some_and(|at| hunted.binary_search(&(at as u32)).is_ok())
            };
            before.iter().copied().filter(hunts).for_each(keep);
            return;
        }
        self.list_targets(index, before, hunted, near);
        for target in near.iter().map(|target| *target as usize) {
            let before = before.iter().find(|pair| pair.target == bodies.id[target]);
            if let Some(pair) = self.test(index, target, before, rays) {
                keep(pair);
            }
        }
        found[start..].sort_unstable_by_key(|pair| pair.target);
    }

    /// Lists the targets that an agent may perceive or is aware of: those of its enemies that are far off are not looked at one by one.
    fn list_targets(&self, index: usize, before: &[Pair], hunted: &[u32], near: &mut Vec<u32>) {
        let (bodies, senses) = (&self.scene.bodies, &self.senses[index]);
        let range = senses.farthest();
        near.clear();
        if hunted.len() <= MANY || !range.is_finite() {
            near.extend_from_slice(hunted);
            return;
        }
        self.grid.within_unordered(Metric::Volume, bodies.position[index], range, near);
        let is_hunted = |target: &u32| hunted.binary_search(target).is_ok();
        let known = before.iter().filter_map(|pair| bodies.index_of(pair.target)).map(|target| target as u32);
        near.extend(known);
        near.retain(is_hunted);
        let actors = hunted.partition_point(|target| (*target as usize) < self.scene.agents.len());
        near.extend_from_slice(&hunted[actors..]);
        near.sort_unstable();
        near.dedup();
    }

    /// Tests one pair; `None` when there is nothing to be aware of.
    fn test(&self, agent: usize, target: usize, before: Option<&Pair>, rays: &mut u64) -> Option<Pair> {
        let bodies = &self.scene.bodies;
        let offset = bodies.position[target] - bodies.position[agent];
        let (senses, facing) = (&self.senses[agent], bodies.facing[agent]);
        let flies = self.scene.agents[agent].flies;
        let in_view = before.is_some_and(|pair| pair.seen);
        let reach = senses.reach(offset, bodies.radius[target], facing, flies, in_view);
        let first = before.map_or(0, |pair| pair.part);
        let part = reach.and_then(|_| self.part_in_view(agent, target, first, rays));
        if before.is_none() && part.is_none() {
            return None;
        }
        let mut pair = before.copied().unwrap_or(Pair::new(agent, bodies.id[target]));
        (pair.seen, pair.part, pair.at) = (part.is_some(), part.unwrap_or(pair.part), self.scene.clock);
        let Reach { how, gain } = reach.unwrap_or(Reach { how: pair.how, gain: 0.0 });
        // What stands right before one is felt in the dark, too.
        let light = if how == How::Near { 1.0 } else { bodies.light[target] };
        let awareness = &senses.awareness;
        pair.rate = match (awareness.is_gradual(), pair.seen) {
            (true, seen) => awareness.rate(seen, gain * light),
            (false, true) => f32::INFINITY,
            (false, false) => f32::NEG_INFINITY,
        };
        pair.how = if pair.seen { how } else { pair.how };
        Some(pair)
    }

    /// Which part of the target can be seen, the part `first` before the others.
    fn part_in_view(&self, agent: usize, target: usize, first: u8, rays: &mut u64) -> Option<u8> {
        let eye = self.scene.bodies.eye(agent);
        let parts = if self.senses[agent].extent > 0.0 { PARTS } else { 1 };
        (0..parts).map(|turn| (first + turn) % parts).find(|part| {
            *rays += 1;
            self.scene.sight.clear(eye, self.part_of(agent, target, *part))
        })
    }

    /// A place of the target's body: an upright cylinder from its foot to its eyes.
    fn part_of(&self, agent: usize, target: usize, part: u8) -> Vec3 {
        let bodies = &self.scene.bodies;
        let top = bodies.eye(target);
        let half = bodies.radius[target] * self.senses[agent].extent.clamp(0.0, 1.0) * 0.98;
        let way = top - bodies.eye(agent);
        let aside = unit_or(vec3(-way.z, 0.0, way.x), Vec3::X) * half;
        match part {
            0 => top,
            1 => top + aside,
            2 => top - aside,
            _ => bodies.position[target] + Vec3::Y * (0.5 * bodies.eyes[target]),
        }
    }
}
