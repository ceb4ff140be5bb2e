//! A designer's behaviour: flee when hurt, and call for help. It is all in `examples/lua/flee_and_call.lua`; the
//! game only writes the health of its bodies to the key that the script declares, and plays a sound when it is asked
//! to. Change the script, and no line of Rust changes.
//!
//! ```text
//! 0.02 s  wolf 0:         -> direct
//! 0.02 s  wolf 1:         -> direct
//! 2.00 s  wolf 0: direct  -> flee
//! 2.00 s  wolf 0 asks for the sound 'howl'
//! 2.02 s  wolf 1: direct  -> help
//! 2.68 s  wolf 0 asks for the sound 'howl'
//! 3.68 s  wolf 0 asks for the sound 'howl'
//! 4.68 s  wolf 0 asks for the sound 'howl'
//! 5.00 s  wolf 0: flee    -> patrol
//! 5.02 s  wolf 1: help    -> patrol
//! 5.33 s  wolf 0: patrol  -> direct
//! 5.33 s  wolf 1: patrol  -> direct
//! ```
use warband::{ActorDesc, AgentDesc, BoardOf, Config, EventKind, Key, Result, SquadDesc, World, vec3};

fn main() -> Result<()> {
    let mut world = World::new(Config::default());
    world.load("examples/lua/flee_and_call.lua")?;
    let health: Key<f64> = world.key("health")?;

    world.add_actor(ActorDesc::at(vec3(10.0, 0.0, 0.0)));
    // Where they stand guard, and come back to: who flees does not see what it flees from.
    let route = vec![vec3(0.0, 0.0, 0.0)];
    let pack = world.add_squad(SquadDesc { name: "pack".into(), route, ..SquadDesc::default() })?;
    let mut wolves = Vec::new();
    for x in [0.0, -12.0] {
        let desc = AgentDesc { tree: "flee_and_call".into(), ..AgentDesc::at(vec3(x, 0.0, 0.0)) };
        wolves.push(world.spawn(pack, desc)?);
    }

    for tick in 1..=480 {
        match tick {
            120 => world.set(BoardOf::Agent(wolves[0]), health, 20.0)?, // the player strikes
            300 => world.set(BoardOf::Agent(wolves[0]), health, 90.0)?, // and the wolf licks its wounds
            _ => {}
        }
        world.tick(1.0 / 60.0);
        tell(&world);
    }
    world.all_problems().iter().for_each(|problem| println!("{problem}"));
    Ok(())
}

fn tell(world: &World) {
    let key = |agent| world.output(agent).map_or(0, |out| out.key);
    for event in world.events() {
        if let (EventKind::Mode { from, to }, Some(agent)) = (&event.kind, event.agent) {
            println!("{:4.2} s  wolf {}: {from:7} -> {to}", event.seconds(), key(agent));
        }
    }
    for command in world.commands() {
        println!("{:4.2} s  wolf {} asks for the sound '{}'", world.now(), key(command.agent), command.name);
    }
}
