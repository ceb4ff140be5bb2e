//! A game with physics of its own. With [`Drive::Game`] the world moves nobody: each frame the game ticks it, reads
//! the velocity that every agent should get, moves the bodies by its own rules (here a wall that only the game
//! knows) and writes back where they really are. What agents ask for besides comes as commands.
//!
//! ```text
//! frame 60: (3.8, 0.3) (4.3, 2.9)
//! frame 120: (4.5, 2.1) (6.9, 3.8)
//! frame 141: hound 1 asks to bite
//! frame 180: (4.5, 2.9) (9.0, 3.9)
//! frame 202: hound 1 asks to bite
//! frame 240: (4.5, 3.4) (9.0, 3.9)
//! frame 263: hound 1 asks to bite
//! frame 300: (8.1, 3.8) (9.1, 4.7)
//! ```
use warband::{ActorDesc, AgentDesc, AgentId, Config, Drive, Result, Spec, SquadDesc, Vec3, World, vec3};

/// A body of the game.
struct Body {
    agent: AgentId,
    position: Vec3,
    velocity: Vec3,
}

impl Body {
    /// The game's physics: a wall at x = 5 from z = -3 to 3. The velocity is within the limits of the body already;
    /// to smooth it once more would only make it sluggish.
    fn step(&mut self, wanted: Vec3, dt: f32) {
        self.velocity = wanted;
        let next = self.position + self.velocity * dt;
        let crosses = self.position.x <= 4.5 && next.x > 4.5 && next.z.abs() < 3.5;
        if crosses {
            self.velocity.x = 0.0;
        }
        self.position += self.velocity * dt;
    }
}

fn hound() -> Spec {
    let attack = Spec::new("sequence")
        .with(Spec::new("pursue").set("stop", 1.5))
        .with(Spec::new("command").set("name", "bite"))
        .with(Spec::new("wait").set("seconds", 1.0));
    Spec::new("guard").when(Spec::new("sees_target")).with(attack)
}

fn main() -> Result<()> {
    let dt = 1.0 / 60.0;
    let mut world = World::new(Config { drive: Drive::Game, ..Config::default() });
    world.add_tree("hound", &hound())?;
    let player = world.add_actor(ActorDesc::at(vec3(10.0, 0.0, 4.0)));
    let pack = world.add_squad(SquadDesc { name: "hounds".into(), ..SquadDesc::default() })?;
    let mut bodies = Vec::new();
    for z in [-2.0, 2.0] {
        let position = vec3(0.0, 0.0, z);
        let agent = world.spawn(pack, AgentDesc { tree: "hound".into(), ..AgentDesc::at(position) })?;
        bodies.push(Body { agent, position, velocity: Vec3::ZERO });
    }

    for frame in 1..=300 {
        world.set_actor(player, vec3(10.0, 0.0, 4.0), Vec3::ZERO); // game to AI
        world.tick(dt);
        for body in &mut bodies {
            let wanted = world.output(body.agent).map_or(Vec3::ZERO, |out| out.velocity); // AI to game
            body.step(wanted, dt);
            world.set_agent(body.agent, body.position, body.velocity); // what came of it
        }
        for command in world.commands() {
            let key = world.output(command.agent).map_or(0, |out| out.key);
            println!("frame {frame}: hound {key} asks to {}", command.name);
        }
        if frame % 60 == 0 {
            let at = |body: &Body| format!("({:.1}, {:.1})", body.position.x, body.position.z);
            println!("frame {frame}: {}", bodies.iter().map(at).collect::<Vec<_>>().join(" "));
        }
    }
    Ok(())
}
