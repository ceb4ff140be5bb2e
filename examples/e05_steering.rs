//! Steering leaves say where an agent would like to go; a `blend` follows several at once, each with a weight. What
//! every rule asks for can be read as a vector, to be drawn or printed: here three wolves that start in a heap go
//! for a player, and separation asks for less and less as they come apart.
//!
//! ```text
//! tick 1
//!   pursue     x 1.0  asks for ( 4.99,  0.25)
//!   separation x 2.0  asks for (-0.00, -5.00)
//!   cohesion   x 0.5  asks for ( 0.00,  1.25)
//!   together: at 0.33 m/s to (0.01, -1.00)
//! tick 61
//!   pursue     x 1.0  asks for ( 4.94,  0.74)
//!   separation x 2.0  asks for (-0.15, -1.07)
//!   cohesion   x 0.5  asks for ( 0.14,  2.97)
//!   together: at 4.72 m/s to (4.13, -2.38)
//! tick 121
//!   pursue     x 1.0  asks for ( 4.90,  0.98)
//!   separation x 2.0  asks for (-0.37, -1.07)
//!   cohesion   x 0.5  asks for ( 0.33,  2.81)
//!   together: at 4.36 m/s to (8.69, -2.25)
//! ```
use warband::{ActorDesc, AgentDesc, Config, Result, Spec, SquadDesc, World, vec3};

fn main() -> Result<()> {
    let mut world = World::new(Config::default());
    let hunt = Spec::new("blend")
        .with(Spec::new("pursue").set("stop", 2.0))
        .with(Spec::new("separation").set("radius", 3.0).set("weight", 2.0))
        .with(Spec::new("cohesion").set("radius", 6.0).set("weight", 0.5));
    world.add_tree("hunt", &Spec::new("guard").when(Spec::new("sees_target")).with(hunt))?;

    world.add_actor(ActorDesc::at(vec3(20.0, 0.0, 0.0)));
    let pack = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() })?;
    for z in [-1.0, 0.0, 1.0] {
        world.spawn(pack, AgentDesc { tree: "hunt".into(), ..AgentDesc::at(vec3(0.0, 0.0, z)) })?;
    }

    let first = world.members(pack).next().expect("the pack has members");
    for tick in 1..=121 {
        world.tick(1.0 / 60.0);
        if tick % 60 != 1 {
            continue;
        }
        println!("tick {tick}");
        for rule in world.rule_vectors(first) {
            let v = rule.vector;
            println!("  {:10} x {:.1}  asks for ({:5.2}, {:5.2})", rule.name, rule.weight, v.x, v.z);
        }
        if let Some(out) = world.output(first) {
            println!(
                "  together: at {:.2} m/s to ({:.2}, {:.2})",
                out.velocity.length(),
                out.position.x,
                out.position.z
            );
        }
    }
    Ok(())
}
