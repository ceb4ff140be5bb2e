//! The last stage: moving bodies, unless the game does.

use super::{Drive, World};
use crate::error::{Error, ErrorKind};
use crate::math::{Vec3, clamp_length, flat, parting, room, unit_or};
use crate::tree::Scene;

/// Buffers of the stage.
#[derive(Default)]
pub(super) struct Contacts {
    near: Vec<u32>,
    /// For each agent, those it may touch in this step: ends of runs in `pairs`.
    ends: Vec<u32>,
    pairs: Vec<u32>,
    from: Vec<Vec3>,
    next: Vec<Vec3>,
}

impl Contacts {
    /// The bytes that they hold outside of themselves.
    pub fn bytes(&self) -> usize {
        [&self.near, &self.ends, &self.pairs].map(room).iter().sum::<usize>()
            + room(&self.from)
            + room(&self.next)
    }
}

/// How often overlapping bodies are parted in a step.
const ROUNDS: usize = 6;

/// Whether the game says where its bodies are, with [`Drive::Game`].
#[derive(Default)]
pub(super) struct WriteBack {
    /// It did, or it was told.
    pub done: bool,
    /// For how long agents wanted to move meanwhile, s.
    missed: f32,
}

/// For how many seconds agents may want to move before a game that never moves any is told.
const PATIENCE: f32 = 1.0;

impl World {
    pub(super) fn act(&mut self, dt: f32) {
        if dt <= 0.0 {
            return;
        }
        if self.config.drive == Drive::Game {
            return self.watch_the_game(dt);
        }
        let mut contacts = std::mem::take(&mut self.contacts);
        let agents = self.scene.agents.len();
        contacts.from.clear();
        contacts.from.extend_from_slice(&self.scene.bodies.position[..agents]);
        if self.config.collide {
            self.find_contacts(&mut contacts, dt);
        }
        let bodies = &mut self.scene_mut().bodies;
        for index in 0..agents {
            let step = bodies.velocity[index] * dt;
            bodies.position[index] += step;
        }
        if self.config.collide {
            for _ in 0..ROUNDS {
                if !self.part_bodies(&mut contacts) {
                    break;
                }
            }
        }
        self.stop_at_walls(&contacts.from, dt);
        self.contacts = contacts;
    }

    /// A game that moves the bodies has to say where they are: one that never does is told, once.
    fn watch_the_game(&mut self, dt: f32) {
        let agents = self.scene.agents.len();
        let wants = |velocity: &Vec3| velocity.length_squared() > 0.01;
        if self.write_back.done || !self.scene.bodies.velocity[..agents].iter().any(wants) {
            return;
        }
        self.write_back.missed += dt;
        if self.write_back.missed >= PATIENCE {
            self.write_back.done = true;
            let fault = "agents want to move, and the game moves none: drive is Drive::Game, and set_agent was never called";
            let hint = "after each tick World::set_agent with where the body is and how it moves, or drive: Drive::World";
            self.report(Error::new(ErrorKind::Warning, fault).hint(hint));
        }
    }

    /// Lists for each agent who could touch it within the step.
    fn find_contacts(&self, contacts: &mut Contacts, dt: f32) {
        contacts.ends.clear();
        contacts.pairs.clear();
        let agents = &self.scene.agents;
        let widest = self.scene.bodies.radius[..agents.len()].iter().copied().fold(0.0, f32::max);
        let fastest = agents.iter().map(|agent| agent.limits.max_speed).fold(0.0, f32::max);
        for index in 0..agents.len() {
            let reach = self.scene.bodies.radius[index] + widest + 2.0 * fastest * dt;
            self.grid.within(self.scene.bodies.position[index], reach, &mut contacts.near);
            contacts.pairs.extend(contacts.near.iter().filter(|other| **other as usize != index));
            contacts.ends.push(contacts.pairs.len() as u32);
        }
    }

    /// Pushes overlapping bodies apart, all at once from where they are; says whether any overlapped.
    fn part_bodies(&mut self, contacts: &mut Contacts) -> bool {
        let bodies = &self.scene.bodies;
        let agents = self.scene.agents.len();
        contacts.next.clear();
        let mut any = false;
        let mut start = 0;
        for index in 0..agents {
            let end = contacts.ends[index] as usize;
            let mates = contacts.pairs[start..end].iter().map(|other| (*other as usize, 0.5));
            let actors =
                (agents..bodies.len()).filter(|other| bodies.present[*other]).map(|other| (other, 1.0));
            let mut push = Vec3::ZERO;
            for (other, share) in mates.chain(actors) {
                push += self.overlap(index, other) * share;
            }
            start = end;
            any |= push != Vec3::ZERO;
            contacts.next.push(bodies.position[index] + clamp_length(push, bodies.radius[index]));
        }
        if any {
            self.scene_mut().bodies.position[..agents].copy_from_slice(&contacts.next);
        }
        any
    }

    /// By how much, and where to, one body must give way to another.
    fn overlap(&self, index: usize, other: usize) -> Vec3 {
        let bodies = &self.scene.bodies;
        let apart = bodies.position[index] - bodies.position[other];
        // Who is on another storey is in nobody's way.
        if apart.y.abs() > 2.0 * (bodies.radius[index] + bodies.radius[other]) {
            return Vec3::ZERO;
        }
        let apart = if self.scene.agents[index].flies { apart } else { flat(apart) };
        let reach = bodies.radius[index] + bodies.radius[other];
        let squared = apart.length_squared();
        if squared >= reach * reach || !bodies.present[index] {
            return Vec3::ZERO;
        }
        let distance = libm::sqrtf(squared);
        unit_or(apart, parting(bodies.tag[index], bodies.tag[other])) * (reach - distance)
    }

    /// No body ends in or behind a wall, and none is faster than it really moved.
    fn stop_at_walls(&mut self, from: &[Vec3], dt: f32) {
        let walls = self.walls.clone();
        let ground = self.scene.ground.clone();
        let Scene { bodies, agents: flying, .. } = self.scene_mut();
        for (index, from) in from.iter().enumerate() {
            let wanted = bodies.position[index];
            let end = if walls.all().is_empty() {
                wanted
            } else {
                walls.slide(*from, wanted, bodies.radius[index])
            };
            // The ground has the last word: it knows ledges and heights, and who is on none of it is put there.
            let end = match ground.leads() && bodies.present[index] && !flying[index].flies {
                true => ground.step(*from, end, bodies.radius[index]),
                false => end,
            };
            bodies.position[index] = if end.is_finite() { end } else { *from };
            let moved = (bodies.position[index] - *from) / dt;
            let meant = bodies.velocity[index];
            let along = moved.dot(unit_or(meant, Vec3::ZERO)).clamp(0.0, meant.length());
            bodies.velocity[index] = unit_or(meant, Vec3::ZERO) * along;
        }
    }
}
