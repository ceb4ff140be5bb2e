//! A leaf that reads like a story: `examples/lua/story.lua` has a coroutine that walks, waits and waits for a word. Steering
//! lasts until it ends, `wait` and `wait_until` let time pass, and while it only waits the agent's tree sleeps. One hound
//! is called and comes home, the other one gives up; a third is taken out of the world on its way.
//!
//! ```text
//! 0.1 s: hound 0 says I smell something
//! 0.1 s: hound 1 says I smell something
//! 0.1 s: hound 2 says I smell something
//! 1.0 s: hound 2 says that was aborted
//! 1.0 s: hound 0 says it was here
//! 1.0 s: hound 1 says it was here
//! 1.5 s: hound 0 says and now? I have walked 1 time
//! 1.5 s: hound 1 says and now? I have walked 1 time
//! 4.5 s: hound 1 says nobody calls
//! 4.5 s: hound 1 says that was failure
//! 5.8 s: hound 0 says here I am
//! 5.8 s: hound 0 says that was success
//! 5.9 s: hound 0 says I smell something
//! trees slept 15 times; problems: 0
//! hound 0 runs Some("selector/1.coroutine")
//! hound 1 runs Some("selector/2.wait")
//! ```
use warband::{AgentDesc, AgentId, BoardOf, Config, Result, SquadDesc, World, vec3};

fn main() -> Result<()> {
    let mut world = World::new(Config::default());
    world.load("examples/lua/story.lua")?;
    let pack = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() })?;
    let mut hounds = Vec::new();
    for z in [0.0, 9.0, 18.0] {
        let hound =
            world.spawn(pack, AgentDesc { tree: "hound".into(), ..AgentDesc::at(vec3(0.0, 0.0, z)) })?;
        world.set_value(BoardOf::Agent(hound), "scent", vec3(4.0, 0.0, z))?;
        hounds.push(hound);
    }
    let key = |hound: &AgentId| hounds.iter().position(|known| known == hound).unwrap_or(0);

    let mut asleep = 0;
    for tick in 1..=60 {
        if tick == 10 {
            world.remove(hounds[2]);
        }
        if tick == 40 {
            world.set_value(BoardOf::Agent(hounds[0]), "called", true)?;
        }
        world.tick(0.1);
        asleep += world.asleep();
        for (hound, line) in world.said() {
            println!("{:.1} s: hound {} says {line}", world.now(), key(hound));
        }
    }
    println!("trees slept {asleep} times; problems: {}", world.all_problems().len());
    for hound in &hounds[..2] {
        println!("hound {} runs {:?}", key(hound), world.running(*hound));
    }
    Ok(())
}
