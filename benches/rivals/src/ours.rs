//! This crate through its public API: a tree for those who walk, one for those who stand, one for the ring.

use crate::crowd::{Body, Crowd, RADIUS, SPEED};
use warband::args::Arg;
use warband::{
    ActorDesc, AgentDesc, AgentId, BoardOf, Config, KeyDecl, Limits, Scope, Spec, SquadDesc, SquadId,
    ValueType, Vec3, World,
};

pub struct Ours {
    world: World,
    squad: SquadId,
    agents: Vec<AgentId>,
}

impl Ours {
    pub fn new(bodies: &[Body], player: Option<Vec3>) -> Self {
        Self::made(bodies, player, |body| if body.goal.is_some() { "walk" } else { "stand" })
    }

    /// Nobody is told a place: the squad deals them on a ring of 12 m round the player.
    pub fn ring(bodies: &[Body], player: Vec3) -> Self {
        Self::made(bodies, Some(player), |_| "ring")
    }

    fn made(bodies: &[Body], player: Option<Vec3>, tree: impl Fn(&Body) -> &'static str) -> Self {
        let mut world = World::new(Config::default());
        world.declare(KeyDecl::new("goal", Scope::Agent, ValueType::Vec3)).expect("a legal key");
        let trees = [
            ("walk", Spec::new("arrive").set("to", Arg::Key("goal".into()))),
            ("stand", Spec::new("wait").set("seconds", 1e6)),
            ("ring", Spec::new("formation").set("radius", 12.0).set("hold", true)),
        ];
        trees.iter().for_each(|(name, spec)| world.add_tree(name, spec).expect("the tree is right"));
        if let Some(place) = player {
            world.add_actor(ActorDesc { radius: RADIUS, ..ActorDesc::at(place) });
        }
        let squad = world.add_squad(SquadDesc { name: "all".into(), ..SquadDesc::default() });
        let squad = squad.expect("a new squad");
        let agents = bodies.iter().map(|body| {
            let facing = body.goal.unwrap_or(Vec3::X) - body.place;
            let limits = Limits::of(RADIUS, SPEED);
            let desc = AgentDesc { tree: tree(body).into(), facing, limits, ..AgentDesc::at(body.place) };
            let agent = world.spawn(squad, desc).expect("there is room");
            if let Some(goal) = body.goal {
                world.set_value(BoardOf::Agent(agent), "goal", goal).expect("the key is there");
            }
            agent
        });
        let agents = agents.collect();
        Self { world, squad, agents }
    }
}

impl Crowd for Ours {
    fn step(&mut self, dt: f32) {
        self.world.tick(dt);
    }

    fn place(&self, number: usize) -> Option<Vec3> {
        self.world.position(self.agents[number])
    }

    fn remove(&mut self, number: usize) {
        self.world.remove(self.agents[number]);
    }

    fn off(&self, number: usize) -> Option<f32> {
        let key = self.world.output(self.agents[number])?.key;
        // No ring yet, or no place in it, is as far off as can be.
        let place = self.world.ring(self.squad).and_then(|ring| ring.place_of(key));
        Some(place.map_or(f32::INFINITY, |place| place.error))
    }
}
