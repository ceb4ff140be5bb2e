//! What a world holds in memory, by part.

use super::World;
use crate::math::room;
use crate::tree::Mind;

/// The bytes that a world holds, by part: the room that its lists have, used or not.
///
/// What agents share is not counted (trees, scripts, walls, ground, texts), nor are problems.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct MemoryUse {
    /// How many agents there are.
    pub agents: usize,
    /// Positions, velocities and shapes of bodies, what they are able to do, and their ids.
    pub bodies: usize,
    /// What agents want, their dice, their ways, and what they asked of the game.
    pub minds: usize,
    /// What agents remember of their trees.
    pub trees: usize,
    /// Boards, of all scopes.
    pub boards: usize,
    /// What squads know of their targets, and who sees whom.
    pub knowledge: usize,
    /// Squads, with their rings, routes, messages and what their members hand over.
    pub squads: usize,
    /// The index of neighbours.
    pub grid: usize,
    /// What the stages write down for each other and for the game, events included.
    pub stages: usize,
    /// What agents did and why, where it is noted.
    pub history: usize,
}

impl MemoryUse {
    /// All parts together.
    pub fn total(&self) -> usize {
        let Self { agents: _, bodies, minds, trees, boards, knowledge, squads, grid, stages, history } =
            *self;
        bodies + minds + trees + boards + knowledge + squads + grid + stages + history
    }
    /// All parts together, for each agent; 0 without agents.
    pub fn per_agent(&self) -> usize {
        self.total().checked_div(self.agents).unwrap_or(0)
    }
}

impl World {
    /// What the world holds in memory, by part. It walks over all agents: to be asked now and then, not in each tick.
    ///
    /// ```
    /// use warband::{AgentDesc, Config, SquadDesc, World, vec3};
    /// let mut world = World::new(Config::default());
    /// let pack = world.add_squad(SquadDesc::default())?;
    /// for at in 0..8 {
    ///     world.spawn(pack, AgentDesc::at(vec3(at as f32, 0.0, 0.0)))?;
    /// }
    /// world.tick(1.0 / 60.0);
    /// let memory = world.memory();
    /// assert_eq!(memory.agents, 8);
    /// assert!(memory.bodies > 0 && memory.total() < 64 << 10);
    /// # Ok::<(), warband::Error>(())
    /// ```
    pub fn memory(&self) -> MemoryUse {
        let sum = |bytes: fn(&Mind) -> usize| self.minds.iter().map(|mind| bytes(mind)).sum::<usize>();
        let scene = &self.scene;
        MemoryUse {
            agents: scene.agents.len(),
            bodies: scene.bodies.bytes() + room(&scene.agents) + self.cast.bytes(),
            minds: room(&self.minds) + self.minds.len() * size_of::<Mind>() + sum(Mind::bytes),
            trees: sum(|mind| mind.memory.bytes()) + room(&self.trees.runs),
            boards: sum(|mind| mind.board.bytes()) + self.shared_boards_hold(),
            knowledge: self.eyes.bytes()
                + room(&scene.perceives)
                + scene.squads.iter().map(|squad| squad.knowledge.bytes()).sum::<usize>(),
            squads: self.squads_hold(),
            grid: self.grid.bytes(),
            stages: self.helm.bytes()
                + self.crowd.bytes()
                + self.contacts.bytes()
                + self.agenda.bytes()
                + self.lists_hold(),
            history: sum(|mind| {
                mind.history.as_ref().map_or(0, |history| size_of_val(&**history) + history.bytes())
            }),
        }
    }

    fn lists_hold(&self) -> usize {
        let told = room(&self.events) + room(&self.between) + room(&self.commands) + room(&self.said);
        told + room(&self.modes) + room(&self.noises)
    }

    fn shared_boards_hold(&self) -> usize {
        let squads = self.scene.squads.iter().map(|squad| squad.board.bytes());
        let teams = self.scene.teams.iter().map(|board| board.bytes());
        squads.chain(teams).sum::<usize>() + room(&self.scene.teams) + self.scene.board.bytes()
    }

    fn squads_hold(&self) -> usize {
        let parts = self.scene.squads.iter().map(|squad| {
            let route = room(&squad.route.points) + room(&squad.route.stops);
            squad.name.len() + squad.ring.bytes() + squad.formation.bytes() + route + squad.messages.bytes()
        });
        let desks = self.desks.iter().map(|desk| desk.bytes());
        parts.chain(desks).sum::<usize>() + room(&self.scene.squads) + room(&self.desks)
    }
}
