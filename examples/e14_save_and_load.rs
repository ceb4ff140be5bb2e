//! Saving a world and going on from there. A [`Snapshot`] is all that ticks change; what the game's code makes (trees,
//! scripts, walls) is made again first. The guard of the restored world ends its round where the other does.
//!
//! ```text
//! played at 2.5 s: pause at (4.03, 0.00)
//! played at 7.5 s: pause at (8.07, 0.00)
//! restored at 7.5 s: pause at (8.07, 0.00)
//! the snapshot is damaged: truncated after 100 bytes of 953 (nothing of it was taken over; go back to an older one)
//! ```
use warband::{AgentDesc, Config, Result, Snapshot, Spec, SquadDesc, World, vec3};

/// What the game does at its start, before a new match as before a saved one.
fn world() -> Result<World> {
    let mut world = World::new(Config { seed: 7, ..Config::default() });
    let pause = Spec::new("mode")
        .set("name", "pause")
        .with(Spec::new("wait_random").set("low", 1.0).set("high", 3.0));
    let walk = Spec::new("time_limit").set("seconds", 2.0).with(Spec::new("patrol"));
    let round = Spec::new("sequence").with(Spec::new("force_success").with(walk)).with(pause);
    world.add_tree("guard", &round)?;
    Ok(world)
}

fn play(name: &str, world: &mut World, ticks: u32) {
    (0..ticks).for_each(|_| world.tick(1.0 / 60.0));
    for guard in world.outputs() {
        println!(
            "{name} at {:.1} s: {} at ({:.2}, {:.2})",
            world.now(),
            guard.mode,
            guard.position.x,
            guard.position.z
        );
    }
}

fn main() -> Result<()> {
    let mut played = world()?;
    let route = vec![vec3(0.0, 0.0, 0.0), vec3(9.0, 0.0, 0.0), vec3(9.0, 0.0, 5.0)];
    let squad = played.add_squad(SquadDesc { name: "watch".into(), route, ..SquadDesc::default() })?;
    played.spawn(squad, AgentDesc { tree: "guard".into(), ..AgentDesc::at(vec3(0.0, 0.0, 0.0)) })?;
    play("played", &mut played, 150);
    let saved: Vec<u8> = played.snapshot().to_bytes()?; // to a file, or over the net

    let mut restored = world()?;
    restored.restore(&Snapshot::from_bytes(&saved)?)?;
    play("played", &mut played, 300);
    play("restored", &mut restored, 300);
    assert_eq!(played.digest(), restored.digest());
    println!("{}", Snapshot::from_bytes(&saved[..100]).expect_err("it is cut short"));
    Ok(())
}
