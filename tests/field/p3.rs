//! Routes with one, zero or repeated waypoints.

use super::common::encircle;
use super::{Measure, at_most, exactly};
use warband::{AgentDesc, Config, RouteOrder, SquadDesc, Stop, Vec3, World, vec3};

const DT: f64 = 1.0 / 60.0;

fn walk(route: Vec<Vec3>, route_order: RouteOrder, stops: Vec<(usize, Stop)>) -> (World, warband::AgentId, u64) {
    let mut world = World::new(Config::default());
    world.add_tree("encircle", &encircle()).expect("the tree is right");
    let desc = SquadDesc { name: "guards".into(), route, route_order, stops, ..SquadDesc::default() };
    let squad = world.add_squad(desc).expect("a new squad");
    let desc = AgentDesc { tree: "encircle".into(), ..AgentDesc::at(vec3(-5.0, 0.0, 5.0)) };
    let agent = world.spawn(squad, desc).expect("a new agent");
    let mut visits = 0;
    for _ in 0..1200 {
        world.tick(DT);
        visits = visits.max(world.visits());
        assert!(world.position(agent).expect("there").is_finite());
    }
    (world, agent, visits)
}

fn post(what: &str, route: Vec<Vec3>, order: RouteOrder) -> Vec<Measure> {
    let (mut world, agent, visits) = walk(route.clone(), order, Vec::new());
    let out = world.output(agent).expect("there");
    let (place, speed, facing) = (out.position, out.velocity.length(), out.facing);
    world.tick(DT);
    let turned = world.output(agent).expect("there").facing.angle_between(facing);
    let mut measures = vec![
        at_most(format!("{what}: most nodes visited in a tick"), visits as f64, 100.0),
        at_most(format!("{what}: speed at the end, m/s"), speed, 0.05),
        at_most(format!("{what}: turn in a tick at the end, rad"), turned, 1e-3),
        at_most(format!("{what}: warnings"), world.all_problems().len() as f64, 1.0),
    ];
    if let Some(point) = route.first() {
        measures.push(at_most(format!("{what}: distance from the post, m"), place.distance(*point), 0.3));
    } else {
        measures.push(exactly(format!("{what}: warnings"), world.all_problems().len() as f64, 1.0));
    }
    measures
}

pub fn measure() -> Vec<Measure> {
    let point = vec3(5.0, 0.0, 5.0);
    let mut all = Vec::new();
    for order in RouteOrder::ALL {
        let name = order.name();
        all.extend(post(&format!("no waypoint, {name}"), vec![], order));
        all.extend(post(&format!("one, {name}"), vec![point], order));
        all.extend(post(&format!("one twice, {name}"), vec![point, point], order));
    }
    // A post at which one looks about has a steady place.
    let stop = Stop { wait: 2.0, look: Some(90.0), sweep: 60.0 };
    let (world, agent, _) = walk(vec![point], RouteOrder::Loop, vec![(0, stop)]);
    let place = world.position(agent).expect("there");
    all.push(at_most("a post with a look-around: distance, m", place.distance(point), 0.3));
    all
}
