//! Perfectly head-on agents deadlock.

use super::common::nearest_pair;
use super::{Measure, at_least, at_most};
use warband::{AgentDesc, Config, Limits, Spec, SquadDesc, Vec3, World, vec3};

/// Walkers from each place to the one opposite: when all were there, and the least distance of two on the way.
fn cross(starts: &[Vec3]) -> (f64, f32) {
    let mut world = World::new(Config::default());
    let squad = world.add_squad(SquadDesc::default()).expect("a squad");
    let limits = Limits { max_acceleration: 20.0, ..Limits::of(0.5, 3.0) };
    for start in starts {
        let tree = format!("to {start}");
        world.add_tree(&tree, &Spec::new("arrive").set("to", -*start)).expect("a tree");
        let desc = AgentDesc { tree, facing: -*start, limits, ..AgentDesc::at(*start) };
        world.spawn(squad, desc).expect("an agent");
    }
    let (mut least, mut time) = (f32::MAX, f64::INFINITY);
    for tick in 1..=900 {
        world.tick(1.0 / 60.0);
        let places: Vec<Vec3> = world.outputs().map(|out| out.position).collect();
        least = least.min(nearest_pair(&places));
        if places.iter().zip(starts).all(|(at, start)| at.distance(-*start) <= 0.5) {
            time = time.min(f64::from(tick) / 60.0);
        }
    }
    (time, least)
}

pub fn measure() -> Vec<Measure> {
    let (east, north) = (vec3(5.0, 0.0, 0.0), vec3(0.0, 0.0, 5.0));
    let (two, four) = (cross(&[-east, east]), cross(&[north, east, -north, -east]));
    vec![
        at_most("two head-on are at their goals after, s", two.0, 7.0),
        at_least("least distance of the two, m", two.1, 0.9),
        at_most("four that cross are at their goals after, s", four.0, 7.0),
        at_least("least distance of the four, m", four.1, 0.9),
    ]
}
