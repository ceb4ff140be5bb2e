//! A small simulation for the tests of the ring: bodies that steer and are pushed apart, a player, a wall.
#![allow(dead_code)] // Each test file uses a part of it.

use std::f32::consts::TAU;
use warband::math::{Vec3, direction, flat, parting, unit_or, vec3};
use warband::rng::Dice;
use warband::squad::*;
use warband::steer::*;

pub const DT: f32 = 1.0 / 60.0;
pub const ZERO: Vec3 = Vec3::ZERO;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Mode {
    Wide,
    Narrow,
    Direct,
}

pub struct Agent {
    pub me: Me,
    pub mode: Mode,
    pub walked: f32,
    pub reversals: u32,
    pub last_walk: Vec3,
    pub stuck_for: f32,
}

pub struct Sim {
    pub agents: Vec<Agent>,
    pub ring: Ring,
    pub player: Vec3,
    pub player_velocity: Vec3,
    pub radius: f32,
    pub modes: bool,
    pub wall_x: f32,
    pub time: f32,
    pub dt: f32,
}

impl Sim {
    /// A held ring of `radius`, no modes: what the F reports run.
    pub fn held(starts: &[Vec3], radius: f32) -> Self {
        let limits = Limits::of(0.5, 5.0);
        let agents = starts.iter().enumerate().map(|(key, start)| Agent {
            me: Me::new(key as u32, *start, Vec3::X, &limits),
            mode: Mode::Wide,
            walked: 0.0,
            reversals: 0,
            last_walk: ZERO,
            stuck_for: 0.0,
        });
        Self {
            agents: agents.collect(),
            ring: Ring::new(RingRules::default()),
            player: ZERO,
            player_velocity: ZERO,
            radius,
            modes: false,
            wall_x: f32::INFINITY,
            time: 0.0,
            dt: DT,
        }
    }

    /// Wide, narrow and direct by distance, the ring closing in: article two.
    pub fn chase(starts: &[Vec3]) -> Self {
        let mut sim = Self { modes: true, ..Self::held(starts, 12.0) };
        sim.choose_modes(0.0);
        sim
    }

    pub fn distance(&self, agent: &Agent) -> f32 {
        flat(agent.me.position - self.player).length()
    }

    pub fn choose_modes(&mut self, margin: f32) {
        let player = self.player;
        for agent in self.agents.iter_mut().filter(|_| self.modes) {
            let d = flat(agent.me.position - player).length();
            agent.mode = match agent.mode {
                Mode::Wide if d <= 12.0 - margin => Mode::Narrow,
                Mode::Narrow if d > 12.0 + margin => Mode::Wide,
                Mode::Narrow if d <= 8.0 - margin => Mode::Direct,
                Mode::Direct if d > 8.0 + margin => Mode::Narrow,
                mode => mode,
            };
        }
    }

    pub fn member(&self, agent: &Agent) -> Member {
        Member {
            key: agent.me.id,
            position: agent.me.position,
            radius: agent.me.radius,
            ring: if agent.mode == Mode::Wide {
                self.radius
            } else {
                self.radius.min(if self.modes { 6.0 } else { 99.0 })
            },
            close_in: self.modes,
            hold: !self.modes,
            direct: agent.mode == Mode::Direct,
            cut_off: false,
        }
    }

    pub fn step(&mut self, player: Vec3, player_velocity: Vec3) {
        (self.player, self.player_velocity) = (player, player_velocity);
        self.choose_modes(1.5);
        let members: Vec<Member> = self.agents.iter().map(|agent| self.member(agent)).collect();
        let wall = self.wall_x;
        let walkable = |p: Vec3| Some(vec3(p.x.min(wall - 0.5), 0.0, p.z));
        self.ring.update(
            &members,
            player,
            player_velocity,
            self.dt,
            &Ground { stand: &walkable, ..Ground::OPEN },
        );
        let wanted: Vec<Vec3> = (0..self.agents.len()).map(|at| self.wish(at)).collect();
        for (agent, wanted) in self.agents.iter_mut().zip(wanted) {
            agent.walk(wanted, self.dt);
        }
        self.push_apart();
        self.time += self.dt;
    }

    /// What an agent wants: to its place with the flock, or straight at the player.
    pub fn wish(&self, at: usize) -> Vec3 {
        let me = &self.agents[at].me;
        let position: Vec<Vec3> = self.agents.iter().map(|agent| agent.me.position).collect();
        let velocity: Vec<Vec3> = self.agents.iter().map(|agent| agent.me.velocity).collect();
        let radius = vec![0.5; position.len()];
        let id: Vec<u32> = self.agents.iter().map(|agent| agent.me.id).collect();
        let indices: Vec<u32> = (0..id.len() as u32).collect();
        let near =
            Near { indices: &indices, position: &position, velocity: &velocity, radius: &radius, id: &id };
        let bias = flock(me, &near, &Radii { separation: 3.0, ..Radii::NONE }).separation;
        if self.agents[at].mode == Mode::Direct {
            let stop = self.player + unit_or(flat(me.position - self.player), Vec3::X) * 1.4;
            let order = Order { numbers: [0.3, 0.0, 0.0, 0.0], ..Order::to(stop) };
            return (arrive::DEF.run)(me, &order, &Near::NOBODY, self.dt);
        }
        let place = self.ring.place_of(me.id).expect("each member has a place");
        walk_to_place(me, &self.ring, place, bias, self.dt)
    }

    /// Half of each overlap to each of the two, bodies out of the wall last.
    pub fn push_apart(&mut self) {
        for a in 0..self.agents.len() {
            for b in 0..a {
                let (first, second) = (self.agents[a].me, self.agents[b].me);
                let way = flat(first.position - second.position);
                let overlap = 1.0 - way.length();
                if overlap > 0.0 {
                    let push = unit_or(way, parting(first.id, second.id)) * (0.5 * overlap);
                    self.agents[a].me.position += push;
                    self.agents[b].me.position -= push;
                }
            }
        }
        for agent in &mut self.agents {
            agent.me.position.x = agent.me.position.x.min(self.wall_x - 0.5);
        }
    }

    pub fn run(&mut self, seconds: f32) {
        for _ in 0..(seconds / DT).round() as u32 {
            self.step(self.player, ZERO);
        }
    }

    pub fn positions(&self) -> Vec<Vec3> {
        self.agents.iter().map(|agent| agent.me.position).collect()
    }

    pub fn nearest_pair(&self) -> f32 {
        let at = self.positions();
        (0..at.len())
            .flat_map(|a| (0..a).map(move |b| (a, b)))
            .map(|(a, b)| at[a].distance(at[b]))
            .fold(99.0, f32::min)
    }

    pub fn fastest(&self) -> f32 {
        self.agents.iter().map(|agent| agent.me.velocity.length()).fold(0.0, f32::max)
    }
}

impl Agent {
    pub fn walk(&mut self, wanted: Vec3, dt: f32) {
        let velocity = steer(&self.me, wanted, dt);
        if velocity.length() > 0.05 {
            self.reversals += u32::from(velocity.dot(self.last_walk) < 0.0);
            self.last_walk = velocity;
        }
        self.walked += velocity.length() * dt;
        self.me.velocity = velocity;
        self.me.position += velocity * dt;
    }
}

pub fn clump(seed: u64, count: usize, centre: Vec3, spread: f64) -> Vec<Vec3> {
    let mut dice = Dice::new(seed, &[9]);
    (0..count)
        .map(|_| {
            let mut side = || dice.range(-spread, spread) as f32;
            centre + vec3(side(), 0.0, side())
        })
        .collect()
}

/// Where the player is who walks the outline of a 10 m square at 3 m/s, and how they move.
pub fn square_walk(time: f32) -> (Vec3, Vec3) {
    let way = (time * 3.0) % 40.0;
    let (side, along) = ((way / 10.0) as u32, way % 10.0);
    let ahead = direction(side as f32 * TAU / 4.0);
    let corners = [vec3(-5.0, 0.0, -5.0), vec3(5.0, 0.0, -5.0), vec3(5.0, 0.0, 5.0), vec3(-5.0, 0.0, 5.0)];
    (corners[side as usize % 4] + ahead * along, ahead * 3.0)
}
