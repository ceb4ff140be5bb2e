//! Dense waypoints slow the walk.

use super::{Measure, at_most, within};
use warband::{AgentDesc, Config, RouteOrder, Spec, SquadDesc, Vec3, World, vec3};

/// How long the walk of 100 m takes in so many legs, s.
fn time(legs: u32, dt: f64) -> f64 {
    let mut world = World::new(Config::default());
    world.add_tree("patrol", &Spec::new("patrol").set("speed", 0.0)).expect("the tree is right");
    let route = (0..=legs).map(|at| vec3(100.0 * at as f32 / legs as f32, 0.0, 0.0)).collect();
    let desc =
        SquadDesc { name: "guards".into(), route, route_order: RouteOrder::Once, ..SquadDesc::default() };
    let squad = world.add_squad(desc).expect("a new squad");
    let agent = world
        .spawn(squad, AgentDesc { tree: "patrol".into(), ..AgentDesc::at(Vec3::ZERO) })
        .expect("a new agent");
    while world.position(agent).expect("there").x < 99.5 && world.now() < 200.0 {
        world.tick(dt);
    }
    world.now()
}

pub fn measure() -> Vec<Measure> {
    let steps = [1.0 / 20.0, 1.0 / 60.0];
    let off = |dt: f64| 100.0 * (time(100, dt) / time(1, dt) - 1.0).abs();
    vec![
        at_most("100 legs against one at 20 Hz, % of the time", off(steps[0]), 2.0),
        at_most("100 legs against one at 60 Hz, % of the time", off(steps[1]), 2.0),
        within("the walk itself, 100 m at 5 m/s, s", time(1, steps[0]), 19.9, 21.0),
    ]
}
