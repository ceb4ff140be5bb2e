//! The hard side of keeping apart: bodies that overlap after a step are parted, within the walls.
//!
//! Pairs are parted one after the other, in the order of bodies, a few times over; who has right of way is pushed less, an actor not at all.
//! A push is at most a body's radius in a step, and an overlap of half a per cent counts as touching, so that a packed crowd comes
//! to rest. Who is held by a wall is not pushed into it: the other takes the whole of the push. Nothing is looked at twice that stands
//! where it stood clear of others before.

use super::World;
use super::avoid::Crowd;
use super::cast::Most;
use super::chunks::{Chosen, chunks, in_chunks};
use super::view::View;
use crate::math::{Vec3, clamp_length, flat, parting, room, unit_or};

/// Buffers of the stage.
#[derive(Default)]
pub(super) struct Contacts {
    pairs: Vec<Pair>,
    /// Who moves, or was not found clear of others where it stands, by body index; and with those who stand by one of them.
    movers: Vec<u32>,
    beside: Vec<u32>,
    touched: Vec<u32>,
    /// Who is not known to stand clear of others.
    unclear: Vec<u32>,
    /// Where the step leads each agent, and where it is after the pushes.
    meant: Vec<Vec3>,
    next: Vec<Vec3>,
    /// Who is held by a wall.
    held: Vec<bool>,
    /// Where each agent stood when it was found clear of others: a note that saves work and changes no result.
    clear: Vec<Vec3>,
    rooms: Vec<Room>,
}

/// Buffers of a chunk of agents.
#[derive(Default)]
struct Room {
    near: Vec<u32>,
    pairs: Vec<Pair>,
    /// Whether one could not go where it was pushed.
    held: bool,
}

impl Contacts {
    /// The bytes that they hold outside of themselves.
    pub fn bytes(&self) -> usize {
        let places = [&self.meant, &self.next, &self.clear].map(room).iter().sum::<usize>();
        let lists =
            [&self.movers, &self.beside, &self.touched, &self.unclear].map(room).iter().sum::<usize>();
        let rooms = self.rooms.iter().map(|side| room(&side.near) + room(&side.pairs)).sum::<usize>();
        places + lists + rooms + room(&self.pairs) + room(&self.held)
    }

    /// Forgets who stands clear of others: agents came, went or were changed.
    pub fn forget(&mut self) {
        self.clear.clear();
    }

    /// Makes room for what is found of all agents, where they stand now.
    fn begin_anew(&mut self, positions: &[Vec3]) {
        let agents = positions.len();
        for list in [&mut self.clear, &mut self.next, &mut self.meant] {
            list.clear();
            list.extend_from_slice(positions);
        }
        self.clear.fill(Vec3::NAN);
        self.held.clear();
        self.held.resize(agents, false);
        // So that they need not grow in a tick that is like all others.
        for list in [&mut self.movers, &mut self.beside, &mut self.touched, &mut self.unclear] {
            list.clear();
            list.reserve(agents);
        }
        self.unclear.extend(0..agents as u32);
    }

    /// Lets those go where their velocities lead them who are steered, or not known to stand clear of others.
    fn go(&mut self, view: View<'_>, steered: &[u32], dt: f32) {
        let (bodies, agents) = (&view.scene.bodies, view.scene.agents.len());
        if self.clear.len() != agents {
            self.begin_anew(&bodies.position[..agents]);
        }
        let Self { movers, unclear, clear, .. } = self;
        merge(movers, steered, unclear);
        movers.retain(|index| !is_at_rest(clear, view, *index as usize));
        debug_assert!(self.knows_all_movers(view), "BUG: an agent was changed and not woken");
        for index in self.movers.iter().map(|index| *index as usize) {
            self.next[index] = bodies.position[index] + bodies.velocity[index] * dt;
            self.meant[index] = self.next[index];
        }
    }

    /// Whether nobody who moves or may be touched is left out.
    fn knows_all_movers(&self, view: View<'_>) -> bool {
        let agents = &view.scene.agents;
        (0..agents.len()).all(|index| {
            is_at_rest(&self.clear, view, index)
                || !agents[index].collide
                || !view.scene.bodies.present[index]
                || self.movers.binary_search(&(index as u32)).is_ok()
        })
    }

    /// Lists, in order, who moves or may be pushed.
    fn list_touched(&mut self, view: View<'_>) {
        let Self { clear, pairs, beside, .. } = self;
        beside.clear();
        let both = pairs.iter().flat_map(|pair| [pair.one, pair.other]);
        beside
            .extend(both.filter(|at| (*at as usize) < clear.len() && is_at_rest(clear, view, *at as usize)));
        self.beside.sort_unstable();
        self.beside.dedup();
        merge(&mut self.touched, &self.movers, &self.beside);
    }

    /// Where those stand now who were touched; who is not known to stand clear of others is looked at again, however still it stands.
    fn settle(&mut self, view: View<'_>) {
        let Self { clear, touched, unclear, meant, next, held, .. } = self;
        unclear.clear();
        for (at, index) in touched.iter().map(|index| (*index, *index as usize)) {
            (meant[index], held[index]) = (next[index], false);
            let looked_at = view.scene.agents[index].collide && view.scene.bodies.present[index];
            unclear.extend((looked_at && clear[index].is_nan()).then_some(at));
        }
    }
}

/// All that stands in either of two sorted lists, in order, and once.
fn merge(into: &mut Vec<u32>, one: &[u32], other: &[u32]) {
    into.clear();
    let mut others = other.iter().copied().peekable();
    for at in one.iter().copied() {
        while let Some(before) = others.next_if(|other| *other <= at) {
            into.extend((before != at).then_some(before));
        }
        into.push(at);
    }
    into.extend(others);
}

/// Whether an agent stands where it was found clear of others.
fn is_at_rest(clear: &[Vec3], view: View<'_>, index: usize) -> bool {
    let bodies = &view.scene.bodies;
    bodies.velocity[index] == Vec3::ZERO && clear[index] == bodies.position[index] && bodies.present[index]
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
/// Who is moved by more than this part of its radius from where it meant to go was pushed.
const PUSHED: f32 = 0.01;

impl World {
    /// An agent is to be looked at again, however still it stands.
    pub(super) fn look_for_contacts(&mut self, index: usize) {
        if let Some(clear) = self.contacts.clear.get_mut(index) {
            *clear = Vec3::NAN;
        }
    }

    /// Moves the agents by their velocities, with nobody in anybody else or in a wall. None is faster afterwards than it really moved.
    pub(super) fn move_bodies(&mut self, dt: f32) {
        let most = self.most();
        let mut contacts = std::mem::take(&mut self.contacts);
        let view = self.view();
        contacts.go(view, &self.helm.quiet.active, dt);
        let chunks = chunks(contacts.movers.len(), self.config.threads);
        if contacts.rooms.len() < chunks {
            contacts.rooms.resize_with(chunks, Room::default);
        }
        contacts.pairs.clear();
        if self.config.collide {
            let near = Meeting { view, crowd: &self.crowd, most, dt };
            near.find_contacts(&mut contacts, chunks);
        }
        contacts.list_touched(view);
        view.part_and_hold(&mut contacts, chunks);
        contacts.settle(view);
        let Self { scene, helm, .. } = self;
        let bodies = &mut Self::part(scene).bodies;
        for index in contacts.touched.iter().map(|index| *index as usize) {
            let moved = (contacts.next[index] - bodies.position[index]) / dt;
            let meant = bodies.velocity[index];
            // Who was pushed, or stopped by a wall, minds what is there.
            if flat(moved - meant).length() * dt > PUSHED * bodies.radius[index] {
                helm.coasts.release(index);
            }
            let ahead = unit_or(meant, Vec3::ZERO);
            // To add nothing makes of a negative zero the one that those have who are left out.
            bodies.velocity[index] = ahead * moved.dot(ahead).clamp(0.0, meant.length()) + Vec3::ZERO;
            if bodies.position[index] != contacts.next[index] {
                bodies.position[index] = contacts.next[index];
                helm.quiet.wake(index);
            }
        }
        self.contacts = contacts;
    }
}

/// What the search for contacts reads.
#[derive(Clone, Copy)]
struct Meeting<'a> {
    view: View<'a>,
    crowd: &'a Crowd,
    most: Most,
    dt: f32,
}

impl Meeting<'_> {
    /// Lists the pairs that could touch within the step.
    fn find_contacts(self, contacts: &mut Contacts, chunks: usize) {
        let mut rooms = std::mem::take(&mut contacts.rooms);
        let speed = |mover: &u32| self.view.scene.bodies.velocity[*mover as usize].length();
        let fastest = contacts.movers.iter().map(speed).fold(0.0, f32::max);
        let (all, noted) = (Chosen { first: 0, list: &contacts.movers }, &*contacts);
        in_chunks(noted.next.len(), all, &mut rooms[..chunks], &|movers: Chosen<'_>, room: &mut Room| {
            room.pairs.clear();
            movers.each().for_each(|(index, _)| self.find_about(noted, index, fastest, room));
        });
        self.find_actors(noted, &mut rooms[0]);
        rooms[..chunks].iter_mut().for_each(|room| contacts.pairs.append(&mut room.pairs));
        contacts.rooms = rooms;
        // In the order of bodies, whoever found the pair.
        contacts.pairs.sort_unstable_by_key(|pair| (pair.one, pair.other));
    }

    /// Notes the agents that one could touch which moves.
    fn find_about(self, contacts: &Contacts, index: usize, fastest: f32, room: &mut Room) {
        let (agents, bodies) = (&self.view.scene.agents, &self.view.scene.bodies);
        if !agents[index].collide || !bodies.present[index] {
            return;
        }
        // What the pushes of one step can bring together comes on top of what the step itself does.
        let reach = 1.5 * bodies.radius[index] + self.most.radius + 2.0 * fastest * self.dt;
        self.view.grid.within(bodies.position[index], reach, &mut room.near);
        for at in room.near.iter().map(|other| *other as usize) {
            let twice = at < index && !is_at_rest(&contacts.clear, self.view, at);
            if at != index && !twice && agents[at].collide && bodies.present[at] {
                room.pairs.extend(self.pair(contacts, index.min(at), index.max(at)));
            }
        }
    }

    fn find_actors(self, contacts: &Contacts, room: &mut Room) {
        let (agents, bodies) = (&self.view.scene.agents, &self.view.scene.bodies);
        for actor in (agents.len()..bodies.len()).filter(|actor| bodies.present[*actor]) {
            let reach = bodies.radius[actor] + 1.5 * self.most.radius + 2.0 * self.most.speed * self.dt;
            self.view.grid.within(bodies.position[actor], reach, &mut room.near);
            for index in room.near.iter().map(|index| *index as usize) {
                if agents[index].collide && bodies.present[index] {
                    room.pairs.extend(self.pair(contacts, index, actor));
                }
            }
        }
    }

    /// Two bodies, if they overlap after the step, or so nearly that a push may let them.
    fn pair(self, contacts: &Contacts, one: usize, other: usize) -> Option<Pair> {
        let bodies = &self.view.scene.bodies;
        let reach = bodies.radius[one] + bodies.radius[other];
        let there = contacts.meant.get(other).copied().unwrap_or(bodies.position[other]);
        let apart = contacts.meant[one] - there;
        // Who is on another storey is in nobody's way.
        if apart.y.abs() > 2.0 * reach {
            return None;
        }
        let apart = if self.view.scene.agents[one].flies { apart } else { flat(apart) };
        // Two that stand beside each other are left alone, whoever is looked at in this step.
        let moves = |at: usize| bodies.velocity[at] != Vec3::ZERO;
        let touches = moves(one)
            || moves(other)
            || other >= contacts.next.len()
            || self.view.overlap(&contacts.meant, one, other) != Vec3::ZERO;
        let near = touches && apart.length() < reach + 0.5 * bodies.radius[one];
        let share = || self.push_share(one, other);
        near.then(|| Pair { one: one as u32, other: other as u32, share: share() })
    }

    /// Who has right of way is pushed less.
    fn push_share(self, one: usize, other: usize) -> f32 {
        let agents = self.view.scene.agents.len();
        if other >= agents {
            return 1.0;
        }
        let ahead = self.crowd.right_of_way(other, agents) - self.crowd.right_of_way(one, agents);
        (0.5 + 0.2 * ahead).clamp(0.1, 0.9)
    }
}

impl View<'_> {
    /// Parts, then keeps within walls; where a wall holds somebody, parts again with that one fixed.
    fn part_and_hold(self, contacts: &mut Contacts, chunks: usize) {
        for round in 0..=HELD_ROUNDS {
            let pushed = self.part_pairs(contacts);
            let held = self.hold(contacts, round == 0, chunks);
            if !(pushed && held) || contacts.pairs.is_empty() {
                break;
            }
        }
        for index in contacts.touched.iter().map(|index| *index as usize) {
            let (bodies, next) = (&self.scene.bodies, contacts.next[index]);
            let looked_at = self.scene.agents[index].collide && bodies.present[index];
            // Who was pushed may have been pushed onto one that nobody looked at.
            let clear = looked_at && next == bodies.position[index];
            contacts.clear[index] = if clear { next } else { Vec3::NAN };
        }
        self.forget_touching(contacts);
    }

    /// Who still overlaps somebody is looked at again in the next step, however still it stands.
    fn forget_touching(self, contacts: &mut Contacts) {
        for pair in &contacts.pairs {
            let overlap = self.overlap(&contacts.next, pair.one as usize, pair.other as usize);
            if overlap != Vec3::ZERO {
                contacts.clear[pair.one as usize] = Vec3::NAN;
                if let Some(clear) = contacts.clear.get_mut(pair.other as usize) {
                    *clear = Vec3::NAN;
                }
            }
        }
    }

    /// Pushes overlapping bodies apart; says whether any overlapped.
    fn part_pairs(self, contacts: &mut Contacts) -> bool {
        let mut any = false;
        for _ in 0..ROUNDS {
            let mut overlapping = false;
            for at in 0..contacts.pairs.len() {
                let Pair { one, other, share } = contacts.pairs[at];
                let (one, other) = (one as usize, other as usize);
                let overlap = self.overlap(&contacts.next, one, other);
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
    fn push(self, contacts: &mut Contacts, index: usize, by: Vec3) {
        let meant = contacts.meant[index];
        let pushed = contacts.next[index] + by - meant;
        contacts.next[index] = meant + clamp_length(pushed, self.scene.bodies.radius[index]);
    }

    /// By how much, and where to, the first body overlaps the second; zero when they merely touch.
    fn overlap(self, places: &[Vec3], one: usize, other: usize) -> Vec3 {
        let bodies = &self.scene.bodies;
        let there = places.get(other).copied().unwrap_or(bodies.position[other]);
        let apart = places[one] - there;
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
    fn hold(self, contacts: &mut Contacts, first: bool, chunks: usize) -> bool {
        let Contacts { touched, next, meant, held, rooms, .. } = contacts;
        let (touched, rooms) = (Chosen { first: 0, list: touched }, &mut rooms[..chunks]);
        type Part<'a> = (Chosen<'a>, &'a mut [Vec3], &'a mut [Vec3], &'a mut [bool]);
        let work = |(touched, next, meant, held): Part<'_>, room: &mut Room| {
            room.held = false;
            for (index, at) in touched.each() {
                if next[at] == self.scene.bodies.position[index] {
                    continue;
                }
                let (end, is_held) = self.held(index, next[at]);
                room.held |= is_held;
                held[at] |= is_held;
                next[at] = end;
                if first {
                    // What a wall took from the step is no push.
                    meant[at] = end;
                }
            }
        };
        in_chunks(next.len(), (touched, &mut next[..], &mut meant[..], &mut held[..]), rooms, &work);
        rooms.iter().any(|room| room.held)
    }

    /// Where on walkable ground one ends that would go to `wanted`, and whether it is held back.
    fn held(self, index: usize, wanted: Vec3) -> (Vec3, bool) {
        let (from, radius) = (self.scene.bodies.position[index], self.scene.bodies.radius[index]);
        let mut end = wanted;
        if !self.walls.all().is_empty() {
            end = self.walls.slide(from, wanted, radius);
        }
        if self.scene.ground.leads() && self.scene.bodies.present[index] && !self.scene.agents[index].flies {
            // The ground has the last word: it knows ledges and heights, and who is on none of it is put there.
            end = self.scene.ground.step(from, end, radius);
        }
        if !end.is_finite() {
            end = from;
        }
        (end, flat(end - wanted).length() > 1e-3 * radius)
    }
}
