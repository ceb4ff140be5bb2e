//! Patrol resumes at the wrong waypoint.

use super::common::encircle;
use super::{Measure, at_least, exactly};
use warband::{ActorDesc, AgentDesc, Config, RouteOrder, SquadDesc, Vec3, World, vec3};

const DT: f64 = 1.0 / 60.0;

pub fn measure() -> Vec<Measure> {
    let route = vec![vec3(0.0, 0.0, 0.0), vec3(20.0, 0.0, 0.0), vec3(20.0, 0.0, 20.0), vec3(0.0, 0.0, 20.0)];
    let mut world = World::new(Config::default());
    world.add_tree("encircle", &encircle()).expect("the tree is right");
    let desc = SquadDesc {
        name: "guards".into(),
        route: route.clone(),
        route_order: RouteOrder::Loop,
        ..SquadDesc::default()
    };
    let squad = world.add_squad(desc).expect("a new squad");
    let desc = AgentDesc { tree: "encircle".into(), ..AgentDesc::at(Vec3::ZERO) };
    let agent = world.spawn(squad, desc).expect("a new agent");
    let player = world.add_actor(ActorDesc::at(vec3(0.0, 0.0, -500.0)));
    while world.position(agent).expect("there").x < 12.0 && world.now() < 60.0 {
        world.tick(DT);
    }
    // It is led away to (12, 15), and then loses the player.
    while world.position(agent).expect("there").distance(vec3(12.0, 0.0, 13.6)) > 0.6 && world.now() < 60.0 {
        world.set_actor(player, vec3(12.0, 0.0, 15.0), Vec3::ZERO);
        world.set_facing(agent, vec3(0.0, 0.0, 1.0));
        world.tick(DT);
    }
    let led = world.position(agent).expect("there").z;
    world.set_actor(player, vec3(0.0, 0.0, -500.0), Vec3::ZERO);
    let mut reached = Vec::new();
    let mut entered = None;
    while reached.len() < 3 && world.now() < 120.0 {
        world.tick(DT);
        let out = world.output(agent).expect("there");
        if out.mode != "patrol" {
            continue;
        }
        // Where it comes back to the leg.
        if entered.is_none() && out.position.z < 0.3 {
            entered = Some(out.position.x);
        }
        let at = route.iter().position(|point| point.distance(out.position) < 0.8);
        reached.extend(at.filter(|at| reached.last() != Some(at)));
    }
    let order = |at: usize| reached.get(at).map_or(f64::NAN, |at| *at as f64);
    vec![
        at_least("how far it was led away, m", led, 12.0),
        exactly("first waypoint reached", order(0), 1.0),
        exactly("second waypoint reached", order(1), 2.0),
        exactly("third waypoint reached", order(2), 3.0),
        at_least("where it takes up the leg, m from its start; interrupted at 12", entered.unwrap_or(f32::NAN), 11.9),
    ]
}
