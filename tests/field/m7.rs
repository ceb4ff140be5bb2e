//! Separation radius larger than neighbour radius is silently cut.

use super::{Measure, at_least, at_most};
use warband::steer::{Limits, Me, Near, Radii, flock};
use warband::{AgentDesc, Config, Spec, SquadDesc, Vec3, World, vec3};

/// The force of a flock with separation 4 m and the rest 2 m from one neighbour at 3 m, and by brute force; then what a world's rule says of it.
pub fn measure() -> Vec<Measure> {
    let limits = Limits::of(0.5, 5.0);
    let me = Me::new(3, Vec3::ZERO, Vec3::X, &limits);
    let position = [vec3(3.0, 0.0, 0.0)];
    let near = Near { indices: &[0], position: &position, velocity: &[Vec3::ZERO], radius: &[0.5], id: &[7], edges: &[] };
    let force = flock(&me, &near, &Radii { separation: 4.0, alignment: 2.0, cohesion: 2.0 }).separation;
    // Contact at 1 m, so x = 2/3: k = (1/3)^2 (1 + 4/3) = 7/27, away from the neighbour, in top speeds.
    let brute = vec3(-5.0 * 7.0 / 27.0, 0.0, 0.0);
    vec![
        at_least("separation from a neighbour at 3 m, m/s", force.length(), 0.1),
        at_most("difference to brute force, m/s", force.distance(brute), 1e-5),
        at_most("the same asked of a world, m/s", in_world().distance(brute), 1e-5),
    ]
}

fn in_world() -> Vec3 {
    let mut world = World::new(Config::default());
    let keep = Spec::new("separation").set("radius", 4.0);
    let mates = Spec::new("blend").with(keep).with(Spec::new("cohesion").set("radius", 2.0));
    world.add_tree("mate", &mates).expect("a tree");
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("a squad");
    let limits = Limits { neighbour_radius: 2.0, ..Limits::of(0.5, 5.0) };
    let mut spawn = |x: f32| world.spawn(squad, AgentDesc { tree: "mate".into(), limits, ..AgentDesc::at(vec3(x, 0.0, 0.0)) }).expect("an agent");
    let (first, _) = (spawn(0.0), spawn(3.0));
    // A tick so short that everybody thinks, and nobody has moved.
    world.tick(1e-7);
    world.rule_vectors(first).iter().find(|rule| rule.name == "separation").map_or(Vec3::ZERO, |rule| rule.vector)
}
