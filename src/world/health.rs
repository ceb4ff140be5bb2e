//! A self-check: whether anything happens in a world at all.

use super::World;

/// What a world has to do, counted after the last tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// How many agents there are.
    pub agents: usize,
    /// How many of them run a tree: 0 where a game ticks a world that nobody was put into.
    pub driven: usize,
    /// How many of them follow a steering rule: the others stand.
    pub steered: usize,
    /// How many of them have anybody to perceive: a body of a faction that theirs is hostile to.
    pub hunting: usize,
}

impl World {
    /// Whether anything happens at all: a game that ticks a world in which nobody is driven finds it out here.
    ///
    /// ```
    /// use warband::{Config, World};
    /// let mut world = World::new(Config::default());
    /// world.tick(0.1);
    /// assert_eq!(world.health().driven, 0, "somebody forgot to spawn");
    /// ```
    pub fn health(&self) -> Health {
        let agents = self.scene.agents.len();
        let hunted = |index: &usize| self.hunts_anybody(self.scene.bodies.faction[*index]);
        Health {
            agents,
            driven: (0..agents).filter(|index| self.trees.of_agent(*index).is_some()).count(),
            steered: self.minds.iter().filter(|mind| !mind.intent.rules().is_empty()).count(),
            hunting: (0..agents).filter(hunted).count(),
        }
    }
}
