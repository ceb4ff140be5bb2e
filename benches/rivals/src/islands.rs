//! landmass: an archipelago of one square island without walls in reach, with the options it derives from a radius.
//!
//! Driven as its README shows: after each update the game takes the desired velocity and moves the agent by it. Nothing
//! else moves anybody, and there is no acceleration to set.

use crate::crowd::{Body, Crowd, RADIUS, SPEED};
use glam::Vec2;
use landmass::{
    Agent, AgentId, Archipelago, ArchipelagoOptions, Character, FromAgentRadius, Island, NavigationMesh,
    Transform, XY,
};
use std::sync::Arc;
use warband::{Vec3, vec3};

/// Half the edge of the island, m.
const SHORE: f32 = 200.0;

pub struct Islands {
    archipelago: Archipelago<XY>,
    agents: Vec<AgentId>,
}

impl Islands {
    pub fn new(bodies: &[Body], player: Option<Vec3>) -> Self {
        let mut archipelago = Archipelago::new(ArchipelagoOptions::from_agent_radius(RADIUS));
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let mesh = NavigationMesh {
            vertices: corners.iter().map(|(x, y)| Vec2::new(*x, *y) * SHORE).collect(),
            polygons: vec![vec![0, 1, 2, 3]],
            polygon_type_indices: vec![0],
            height_mesh: None,
        };
        let mesh = mesh.validate().expect("a square is a mesh");
        let transform = Transform { translation: Vec2::ZERO, rotation: 0.0 };
        archipelago.add_island(Island::new(transform, Arc::new(mesh)));
        if let Some(place) = player {
            archipelago.add_character(Character {
                position: flat(place),
                velocity: Vec2::ZERO,
                radius: RADIUS,
            });
        }
        let agents = bodies.iter().map(|body| {
            let mut agent = Agent::create(flat(body.place), Vec2::ZERO, RADIUS, SPEED, SPEED);
            agent.current_target = body.goal.map(flat);
            archipelago.add_agent(agent)
        });
        let agents = agents.collect();
        Self { archipelago, agents }
    }
}

fn flat(place: Vec3) -> Vec2 {
    Vec2::new(place.x, place.z)
}

impl Crowd for Islands {
    fn step(&mut self, dt: f32) {
        self.archipelago.update(dt);
        for id in &self.agents {
            if let Some(agent) = self.archipelago.get_agent_mut(*id) {
                agent.velocity = *agent.get_desired_velocity();
                agent.position += agent.velocity * dt;
            }
        }
    }

    fn place(&self, number: usize) -> Option<Vec3> {
        let agent = self.archipelago.get_agent(self.agents[number])?;
        Some(vec3(agent.position.x, 0.0, agent.position.y))
    }

    fn remove(&mut self, number: usize) {
        self.archipelago.remove_agent(self.agents[number]);
    }
}
