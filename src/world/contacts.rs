//! The hard side of keeping apart: bodies that overlap after a step are parted, within the walls.
//!
//! Pairs are parted one after the other, in the order of bodies, a few times over; who has right of way is pushed less, an actor not at all.
//! A push is at most a body's radius in a step, and an overlap of half a per cent counts as touching, so that a packed crowd comes
//! to rest. Who is held by a wall is not pushed into it: the other takes the whole of the push. Nothing is looked at twice that stands
//! where it stood clear of others before.

use super::World;
use crate::math::{Vec3, clamp_length, flat, parting, room, unit_or};

/// Buffers of the stage.
#[derive(Default)]
pub(super) struct Contacts {
    near: Vec<u32>,
    pairs: Vec<Pair>,
    /// Where each agent was before the step, where the step leads it, and where it is after the pushes.
    pub from: Vec<Vec3>,
    meant: Vec<Vec3>,
    next: Vec<Vec3>,
    /// Who is held by a wall.
    held: Vec<bool>,
    /// Where each agent stood when it was found clear of others: a note that saves work and changes no result.
    clear: Vec<Vec3>,
}

impl Contacts {
    /// The bytes that they hold outside of themselves.
    pub fn bytes(&self) -> usize {
        let places = [&self.from, &self.meant, &self.next, &self.clear].map(room);
        places.iter().sum::<usize>() + room(&self.near) + room(&self.pairs) + room(&self.held)
    }
}

/// Two bodies that could touch in this step, the first an agent.
struct Pair {
    one: u32,
    other: u32,
    /// Which part of a push the first one takes.
    share: f32,
}

/// How often overlapping bodies are parted in a step, and how often again with those fixed that walls hold.
const ROUNDS: usize = 8;
const HELD_ROUNDS: usize = 2;
/// The part of the sum of radii by which bodies may overlap and only touch.
const SLOP: f32 = 0.005;

impl World {
    /// An agent is to be looked at again, however still it stands.
    pub(super) fn look_for_contacts(&mut self, index: usize) {
        if let Some(clear) = self.contacts.clear.get_mut(index) {
            *clear = Vec3::NAN;
        }
    }

    /// Moves the agents by their velocities, with nobody in anybody else or in a wall.
    pub(super) fn move_bodies(&mut self, dt: f32) {
        let mut contacts = std::mem::take(&mut self.contacts);
        let agents = self.scene.agents.len();
        let bodies = &self.scene.bodies;
        contacts.from.clear();
        contacts.from.extend_from_slice(&bodies.position[..agents]);
        contacts.meant.clear();
        let step = |index: usize| bodies.position[index] + bodies.velocity[index] * dt;
        contacts.meant.extend((0..agents).map(step));
        contacts.next.clear();
        contacts.next.extend_from_slice(&contacts.meant);
        contacts.held.clear();
        contacts.held.resize(agents, false);
        contacts.pairs.clear();
        if self.config.collide {
            self.find_contacts(&mut contacts, dt);
        }
        self.part_and_hold(&mut contacts);
        let positions = &mut self.scene_mut().bodies.position[..agents];
        positions.copy_from_slice(&contacts.next);
        self.contacts = contacts;
    }

    /// Lists the pairs that could touch within the step.
    fn find_contacts(&self, contacts: &mut Contacts, dt: f32) {
        let (agents, bodies) = (&self.scene.agents, &self.scene.bodies);
        let count = agents.len();
        let widest = bodies.radius[..count].iter().copied().fold(0.0, f32::max);
        let fastest = bodies.velocity[..count].iter().map(|velocity| velocity.length()).fold(0.0, f32::max);
        if contacts.clear.len() != count {
            contacts.clear.clear();
            contacts.clear.resize(count, Vec3::NAN);
        }
        let at_rest = |contacts: &Contacts, index: usize| {
            bodies.velocity[index] == Vec3::ZERO && contacts.clear[index] == bodies.position[index]
        };
        let mut near = std::mem::take(&mut contacts.near);
        for index in 0..count {
            if at_rest(contacts, index) || !agents[index].collide || !bodies.present[index] {
                continue;
            }
            // What the pushes of one step can bring together comes on top of what the step itself does.
            let reach = 1.5 * bodies.radius[index] + widest + 2.0 * fastest * dt;
            self.grid.within(bodies.position[index], reach, &mut near);
            for other in near.iter().copied() {
                let at = other as usize;
                let twice = at < index && !at_rest(contacts, at);
                if at != index && !twice && agents[at].collide && bodies.present[at] {
                    self.note_pair(contacts, index.min(at), index.max(at));
                }
            }
        }
        contacts.near = near;
        self.find_actors(contacts, dt);
        // In the order of bodies, whoever found the pair.
        contacts.pairs.sort_unstable_by_key(|pair| (pair.one, pair.other));
    }

    fn find_actors(&self, contacts: &mut Contacts, dt: f32) {
        let (agents, bodies) = (&self.scene.agents, &self.scene.bodies);
        let widest = bodies.radius[..agents.len()].iter().copied().fold(0.0, f32::max);
        let fastest = self.most.map_or(0.0, |most| most.speed);
        let mut near = std::mem::take(&mut contacts.near);
        for actor in (agents.len()..bodies.len()).filter(|actor| bodies.present[*actor]) {
            let reach = bodies.radius[actor] + 1.5 * widest + 2.0 * fastest * dt;
            self.grid.within(bodies.position[actor], reach, &mut near);
            for index in near.iter().map(|index| *index as usize) {
                if agents[index].collide && bodies.present[index] {
                    self.note_pair(contacts, index, actor);
                }
            }
        }
        contacts.near = near;
    }

    /// Notes two bodies if they overlap after the step, or so nearly that a push may let them.
    fn note_pair(&self, contacts: &mut Contacts, one: usize, other: usize) {
        let bodies = &self.scene.bodies;
        let reach = bodies.radius[one] + bodies.radius[other];
        let there = contacts.meant.get(other).copied().unwrap_or(bodies.position[other]);
        let apart = contacts.meant[one] - there;
        // Who is on another storey is in nobody's way.
        if apart.y.abs() > 2.0 * reach {
            return;
        }
        let apart = if self.scene.agents[one].flies { apart } else { flat(apart) };
        if apart.length() < reach + 0.5 * bodies.radius[one] {
            let share = self.push_share(one, other);
            contacts.pairs.push(Pair { one: one as u32, other: other as u32, share });
        }
    }

    /// Who has right of way is pushed less.
    fn push_share(&self, one: usize, other: usize) -> f32 {
        if other >= self.scene.agents.len() {
            return 1.0;
        }
        let ahead = self.right_of_way(other) - self.right_of_way(one);
        (0.5 + 0.2 * ahead).clamp(0.1, 0.9)
    }

    /// Parts, then keeps within walls; where a wall holds somebody, parts again with that one fixed.
    fn part_and_hold(&mut self, contacts: &mut Contacts) {
        for round in 0..=HELD_ROUNDS {
            let pushed = self.part_pairs(contacts);
            let held = self.hold(contacts, round == 0);
            if !(pushed && held) || contacts.pairs.is_empty() {
                break;
            }
        }
        for (index, clear) in contacts.clear.iter_mut().enumerate() {
            let stood = contacts.next[index] == contacts.from[index];
            if *clear == contacts.next[index] && stood && self.scene.bodies.present[index] {
                continue;
            }
            let looked_at = self.scene.agents[index].collide && self.scene.bodies.present[index];
            // Who was pushed may have been pushed onto one that nobody looked at.
            *clear = if looked_at && stood { contacts.next[index] } else { Vec3::NAN };
        }
        self.forget_touching(contacts);
    }

    /// Who still overlaps somebody is looked at again in the next step, however still it stands.
    fn forget_touching(&self, contacts: &mut Contacts) {
        for pair in &contacts.pairs {
            let overlap = self.overlap(contacts, pair.one as usize, pair.other as usize);
            if overlap != Vec3::ZERO {
                contacts.clear[pair.one as usize] = Vec3::NAN;
                if let Some(clear) = contacts.clear.get_mut(pair.other as usize) {
                    *clear = Vec3::NAN;
                }
            }
        }
    }

    /// Pushes overlapping bodies apart; says whether any overlapped.
    fn part_pairs(&self, contacts: &mut Contacts) -> bool {
        let mut any = false;
        for _ in 0..ROUNDS {
            let mut overlapping = false;
            for at in 0..contacts.pairs.len() {
                let Pair { one, other, share } = contacts.pairs[at];
                let (one, other) = (one as usize, other as usize);
                let overlap = self.overlap(contacts, one, other);
                if overlap == Vec3::ZERO {
                    continue;
                }
                overlapping = true;
                let is_agent = other < contacts.next.len();
                let share = match (contacts.held[one], is_agent && contacts.held[other]) {
                    (true, true) => continue,
                    (true, false) if is_agent => 0.0,
                    (false, true) => 1.0,
                    _ => share,
                };
                self.push(contacts, one, overlap * share);
                if is_agent {
                    self.push(contacts, other, overlap * (share - 1.0));
                }
            }
            any |= overlapping;
            if !overlapping {
                break;
            }
        }
        any
    }

    /// Pushes one, by no more than its radius from where it meant to go.
    fn push(&self, contacts: &mut Contacts, index: usize, by: Vec3) {
        let meant = contacts.meant[index];
        let pushed = contacts.next[index] + by - meant;
        contacts.next[index] = meant + clamp_length(pushed, self.scene.bodies.radius[index]);
    }

    /// By how much, and where to, the first body overlaps the second; zero when they merely touch.
    fn overlap(&self, contacts: &Contacts, one: usize, other: usize) -> Vec3 {
        let bodies = &self.scene.bodies;
        let there = contacts.next.get(other).copied().unwrap_or(bodies.position[other]);
        let apart = contacts.next[one] - there;
        let apart = if self.scene.agents[one].flies { apart } else { flat(apart) };
        let reach = bodies.radius[one] + bodies.radius[other];
        let near = reach * (1.0 - SLOP);
        let squared = apart.length_squared();
        if squared >= near * near || !squared.is_finite() {
            return Vec3::ZERO;
        }
        let away = unit_or(apart, parting(bodies.tag[one], bodies.tag[other]));
        away * (reach - libm::sqrtf(squared))
    }

    /// Keeps all on walkable ground; says whether somebody could not go where it was pushed.
    fn hold(&self, contacts: &mut Contacts, first: bool) -> bool {
        let walled = !self.walls.all().is_empty();
        let leads = self.scene.ground.leads();
        let mut any = false;
        for index in 0..contacts.next.len() {
            let (from, wanted) = (contacts.from[index], contacts.next[index]);
            if wanted == from {
                continue;
            }
            let radius = self.scene.bodies.radius[index];
            let mut end = wanted;
            if walled {
                end = self.walls.slide(from, wanted, radius);
            }
            if leads && self.scene.bodies.present[index] && !self.scene.agents[index].flies {
                // The ground has the last word: it knows ledges and heights, and who is on none of it is put there.
                end = self.scene.ground.step(from, end, radius);
            }
            if !end.is_finite() {
                end = from;
            }
            let held = flat(end - wanted).length() > 1e-3 * radius;
            any |= held;
            contacts.held[index] |= held;
            contacts.next[index] = end;
            if first {
                // What a wall took from the step is no push.
                contacts.meant[index] = end;
            }
        }
        any
    }
}
