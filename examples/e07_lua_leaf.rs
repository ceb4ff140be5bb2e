//! Leaves written in Lua: `examples/lua/greeter.lua` has one that counts to three, and one with a mistake that only
//! the second agent runs into. A mistake is a failure of that leaf and one problem, with file, line and the name
//! that was meant; the game and the other agents go on.
//!
//! ```text
//! tick 1: agent 0 says hello 1
//! tick 1: agent 1 says hello 1
//! tick 2: agent 0 says hello 2
//! tick 2: agent 1 says hello 2
//! tick 3: agent 0 says hello 3
//! tick 3: agent 0 says done: success
//! tick 3: agent 1 says hello 3
//! tick 3: agent 1 says done: success
//! tick 3: greeter.lua:17: unknown key 'greetngs' (did you mean 'greetings'?) (at sequence/2.action)
//! tick 4: agent 1 says hello 4
//! tick 4: agent 1 says done: success
//! agent 0: 3 greetings, runs Some("sequence/3.wait")
//! agent 1: 4 greetings, runs None
//! in all: greeter.lua:17: unknown key 'greetngs' (did you mean 'greetings'?) (at sequence/2.action) [2 times]
//! ```
use warband::{AgentDesc, BoardOf, Config, Result, SquadDesc, World, vec3};

fn main() -> Result<()> {
    let mut world = World::new(Config::default());
    world.load("examples/lua/greeter.lua")?;
    let hosts = world.add_squad(SquadDesc { name: "hosts".into(), ..SquadDesc::default() })?;
    for x in [0.0, 3.0] {
        world.spawn(hosts, AgentDesc { tree: "greeter".into(), ..AgentDesc::at(vec3(x, 0.0, 0.0)) })?;
    }
    let key = |world: &World, agent| world.output(agent).map_or(0, |out| out.key);

    for tick in 1..=4 {
        world.tick(0.1);
        for (agent, line) in world.said() {
            println!("tick {tick}: agent {} says {line}", key(&world, *agent));
        }
        for problem in world.problems() {
            println!("tick {tick}: {problem}");
        }
    }
    for out in world.outputs() {
        let greetings = world.value(BoardOf::Agent(out.agent), "greetings")?;
        println!("agent {}: {greetings} greetings, runs {:?}", out.key, world.running(out.agent));
    }
    for problem in world.all_problems() {
        println!("in all: {problem}");
    }
    Ok(())
}
