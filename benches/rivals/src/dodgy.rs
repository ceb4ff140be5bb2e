//! dodgy_2d twice: its `Simulator` as it is shipped, and its agents with all neighbours in reach given to them.
//!
//! Both look a second ahead, and so as far as a body goes in it and two radii more: the reach that the Simulator computes.
//! There is no acceleration to set, and nothing that stops at a goal: a body wants to go to it at its top speed, and
//! slower only where it would overshoot within a step.

use crate::crowd::{Body, Crowd, RADIUS, SPEED};
use dodgy_2d::{Agent, AgentParameters, AvoidanceOptions, Simulator, SimulatorMargin, Vec2};
use std::borrow::Cow;
use warband::space::{Grid, Shape};
use warband::{Vec3, vec3};

const HORIZON: f32 = 1.0;
const REACH: f32 = SPEED * HORIZON + 2.0 * RADIUS;

fn flat(place: Vec3) -> Vec2 {
    Vec2::new(place.x, place.z)
}

fn ground(place: Vec2) -> Vec3 {
    vec3(place.x, 0.0, place.y)
}

fn agent(place: Vec3, avoidance_responsibility: f32) -> Agent {
    Agent { position: flat(place), velocity: Vec2::ZERO, radius: RADIUS, avoidance_responsibility }
}

/// `dodgy_2d::Simulator`, which finds neighbours itself. Who is idle has its own place for a goal: there is no other way.
pub struct Shipped {
    simulator: Simulator,
    /// Which index of the simulator each body has.
    index: Vec<Option<usize>>,
}

impl Shipped {
    pub fn new(bodies: &[Body], player: Option<Vec3>) -> Self {
        let mut simulator = Simulator::new();
        let all = bodies.iter().map(|body| (body.place, body.goal, 1.0));
        for (place, goal, responsibility) in all.chain(player.map(|place| (place, None, 0.0))) {
            let parameters = AgentParameters {
                goal_point: flat(goal.unwrap_or(place)),
                max_speed: SPEED,
                obstacle_margin: SimulatorMargin::AgentRadius,
                time_horizon: HORIZON,
                obstacle_time_horizon: HORIZON,
            };
            simulator.add_agent(agent(place, responsibility), parameters);
        }
        Self { simulator, index: (0..bodies.len()).map(Some).collect() }
    }
}

impl Crowd for Shipped {
    fn step(&mut self, dt: f32) {
        self.simulator.step(dt);
    }

    fn place(&self, number: usize) -> Option<Vec3> {
        Some(ground(self.simulator.get_agent(self.index[number]?).position))
    }

    fn remove(&mut self, number: usize) {
        let Some(gone) = self.index[number].take() else { return };
        self.simulator.remove_agent(gone);
        // Those behind it move up, as in any list.
        self.index.iter_mut().flatten().filter(|index| **index > gone).for_each(|index| *index -= 1);
    }
}

/// `dodgy_2d::Agent::compute_avoiding_velocity` with everybody in reach, found by a grid of ours.
pub struct Given {
    /// The bodies, and the player behind them.
    agents: Vec<Agent>,
    goals: Vec<Option<Vec2>>,
    numbers: Vec<Option<usize>>,
    grid: Grid,
}

impl Given {
    pub fn new(bodies: &[Body], player: Option<Vec3>) -> Self {
        let walkers = bodies.iter().map(|body| agent(body.place, 1.0));
        let agents = walkers.chain(player.map(|place| agent(place, 0.0))).collect();
        let goals = bodies.iter().map(|body| body.goal.map(flat)).collect();
        Self { agents, goals, numbers: (0..bodies.len()).map(Some).collect(), grid: Grid::default() }
    }

    fn velocity(&self, index: usize, near: &[u32], dt: f32) -> Vec2 {
        let me = &self.agents[index];
        let wish =
            self.goals[index].map_or(Vec2::ZERO, |goal| ((goal - me.position) / dt).clamp_length_max(SPEED));
        let others = near.iter().map(|other| *other as usize).filter(|other| *other != index);
        let neighbours: Vec<_> = others.map(|other| Cow::Borrowed(&self.agents[other])).collect();
        let options = AvoidanceOptions {
            obstacle_margin: RADIUS,
            time_horizon: HORIZON,
            obstacle_time_horizon: HORIZON,
        };
        me.compute_avoiding_velocity(&neighbours, &[], wish, SPEED, dt, &options)
    }
}

impl Crowd for Given {
    fn step(&mut self, dt: f32) {
        let places: Vec<Vec3> = self.agents.iter().map(|agent| ground(agent.position)).collect();
        self.grid.rebuild(&places, REACH, Shape::Ground);
        let mut near = Vec::new();
        let velocities: Vec<Vec2> = (0..self.goals.len())
            .map(|index| {
                self.grid.within_ground(places[index], REACH, &mut near);
                self.velocity(index, &near, dt)
            })
            .collect();
        for (agent, velocity) in self.agents.iter_mut().zip(velocities) {
            agent.velocity = velocity;
            agent.position += velocity * dt;
        }
    }

    fn place(&self, number: usize) -> Option<Vec3> {
        Some(ground(self.agents[self.numbers[number]?].position))
    }

    fn remove(&mut self, number: usize) {
        let Some(gone) = self.numbers[number].take() else { return };
        self.agents.remove(gone);
        self.goals.remove(gone);
        self.numbers.iter_mut().flatten().filter(|index| **index > gone).for_each(|index| *index -= 1);
    }
}
