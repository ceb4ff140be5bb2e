//! Commands that wait for the game's answer. The tree in `examples/lua/burglar.lua` has doors opened and rooms searched;
//! the game finds each command with its id after the tick, takes its time, and answers. Whoever waits no longer, as his
//! time is up or something else has to be done, is told of in an event.
//!
//! ```text
//! 0.1 s  please open cellar
//! 1.1 s  answer: it cannot be done
//! 1.2 s  please open kitchen
//! 1.6 s  answer: done
//! 1.7 s  please search kitchen
//! 2.2 s  answer: done
//! 2.3 s  in mode 'kitchen'
//! 2.8 s  please open attic
//! 4.8 s  never mind: open attic
//! 4.9 s  please open cellar
//! 5.3 s  in mode 'flee'
//! 5.3 s  never mind: open cellar
//! loot: 3
//! ```
use std::collections::BTreeMap;
use warband::{AgentDesc, BoardOf, CommandId, Config, EventKind, Result, SquadDesc, Value, World, vec3};

/// What the game is about to answer: when (in s), whether it is done, and what is found.
fn plan(name: &str, now: f64) -> Option<(f64, bool, Value)> {
    match name {
        "open cellar" => Some((now + 1.0, false, Value::Nothing)), // locked
        "search kitchen" => Some((now + 0.5, true, Value::Integer(3))),
        "open attic" => Some((now + 30.0, true, Value::Nothing)), // it jams
        _ => Some((now + 0.3, true, Value::Nothing)),
    }
}

fn main() -> Result<()> {
    let mut world = World::new(Config::default());
    world.load("examples/lua/burglar.lua")?;
    let squad = world.add_squad(SquadDesc { name: "burglars".into(), ..SquadDesc::default() })?;
    let desc = AgentDesc { tree: "burglar".into(), ..AgentDesc::at(vec3(0.0, 0.0, 0.0)) };
    let burglar = world.spawn(squad, desc)?;

    let mut under_way: BTreeMap<CommandId, (f64, bool, Value)> = BTreeMap::new();
    for tick in 1..=55 {
        world.set_value(BoardOf::Agent(burglar), "alarm", tick > 52)?;
        world.tick(0.1);
        let now = world.now();
        for command in world.commands() {
            println!("{now:.1} s  please {}", command.name);
            under_way.extend(plan(&command.name, now).map(|answer| (command.id, answer)));
        }
        for event in world.events() {
            match &event.kind {
                EventKind::Cancelled { command, name } => {
                    println!("{now:.1} s  never mind: {name}");
                    under_way.remove(command);
                }
                EventKind::Mode { to, .. } => println!("{now:.1} s  in mode '{to}'"),
                _ => {}
            }
        }
        for (id, (_, done, found)) in under_way.extract_if(.., |_, answer| answer.0 <= now) {
            println!("{now:.1} s  answer: {}", if done { "done" } else { "it cannot be done" });
            world.answer_with(id, done, found);
        }
    }
    println!("loot: {}", world.value(BoardOf::Agent(burglar), "loot")?);
    world.all_problems().iter().for_each(|problem| println!("{problem}"));
    Ok(())
}
