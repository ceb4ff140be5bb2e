//! Avoidance and pushes move agents off the mesh.

use super::yard::{free, lines, mesh};
use super::{Measure, at_least, exactly};
use warband::nav::Navigation;
use warband::rng::Dice;
use warband::{AgentDesc, Config, Spec, SquadDesc, Vec3, World};

/// Fuzzed yards with 24 agents that go to random places, at steps from 1/240 s to 2 s: how many positions there were, and how many
/// off the ground.
fn fuzz() -> (u32, u32) {
    let (mut all, mut off) = (0, 0);
    for seed in 0..8 {
        let walls = lines(seed, 16);
        let ground = mesh(&walls);
        let mut world = World::new(Config { seed, longest_tick: 2.0, ..Config::default() });
        world.set_walls(walls.clone());
        world.set_navigation(mesh(&walls));
        let mut dice = Dice::new(seed, &[5]);
        let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("a squad");
        for number in 0..24 {
            let goal = free(&mut dice, &ground);
            // Some want to get to where nobody can be.
            let goal = if number % 6 == 0 { goal * 1.6 } else { goal };
            let tree = format!("to_{number}");
            world.add_tree(&tree, &Spec::new("arrive").set("to", goal)).expect("it is a tree");
            let desc = AgentDesc { tree, ..AgentDesc::at(free(&mut dice, &ground)) };
            world.spawn(squad, desc).expect("an agent");
        }
        for tick in 0..560 {
            let rough = [2.0, 0.5, 1.0 / 10.0, 1.0 / 30.0, 1.0 / 240.0][dice.below(5) as usize];
            world.tick(if tick % 8 == 0 { rough } else { 1.0 / 60.0 });
            for out in world.outputs() {
                let known: Option<Vec3> = ground.nearest(out.position, 0.48, 0.0);
                off += u32::from(known.is_none() || !out.velocity.is_finite());
                all += 1;
            }
        }
    }
    (all, off)
}

pub fn measure() -> Vec<Measure> {
    let (all, off) = fuzz();
    vec![
        at_least("positions looked at", f64::from(all), 1e5),
        exactly("positions off the ground by more than 2 cm", f64::from(off), 0.0),
    ]
}
