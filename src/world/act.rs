//! The last stage: moving bodies, unless the game does.

use super::{Drive, World};
use crate::error::{Error, ErrorKind};
use crate::math::Vec3;

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
        self.move_bodies(dt);
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
}
