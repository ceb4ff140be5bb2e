//! The tree of `e01_first_tree.rs`, written in Lua: the script `examples/lua/sentry.lua` replaces the function that
//! built the [`warband::Spec`]. Both become the same tree, so the output is the same to the last digit.
//!
//! ```text
//!  1.0 s  patrol  at z =  1.9
//!  2.0 s  patrol  at z =  3.9
//!  3.0 s  patrol  at z =  5.9
//!  4.0 s  patrol  at z =  7.9
//!  5.0 s  patrol  at z =  9.9
//!  6.0 s  direct  at z = 14.5
//!  7.0 s  patrol  at z = 13.7
//!  8.0 s  patrol  at z = 11.7
//!  9.0 s  patrol  at z =  9.7
//! 10.0 s  patrol  at z =  7.7
//! 11.0 s  patrol  at z =  5.7
//! 12.0 s  patrol  at z =  3.7
//! ```
use warband::{ActorDesc, AgentDesc, AgentId, Config, Result, SquadDesc, World, vec3};

fn main() -> Result<()> {
    let mut world = World::new(Config::default());
    world.load("examples/lua/sentry.lua")?;

    let posts = vec![vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 12.0)];
    let watch = world.add_squad(SquadDesc { name: "watch".into(), route: posts, ..SquadDesc::default() })?;
    let agent =
        world.spawn(watch, AgentDesc { tree: "sentry".into(), ..AgentDesc::at(vec3(0.0, 0.0, 0.0)) })?;
    let thief = world.add_actor(ActorDesc::at(vec3(0.0, 0.0, 50.0)));

    for second in 0..12 {
        world.set_present(thief, second < 6);
        for _ in 0..60 {
            world.tick(1.0 / 60.0);
        }
        tell(&world, agent);
    }
    Ok(())
}

fn tell(world: &World, agent: AgentId) {
    if let Some(out) = world.output(agent) {
        println!("{:4.1} s  {:6}  at z = {:4.1}", world.now(), out.mode, out.position.z);
    }
}
