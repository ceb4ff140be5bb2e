//! Chasers stand on a ledge above the player, for he is near as the crow flies.

use super::{Measure, at_least, at_most, exactly};
use warband::nav::{PathStatus, Terrain, TerrainDesc};
use warband::{ActorDesc, AgentDesc, Config, Senses, Spec, SquadDesc, Vec3, World, vec3};

/// A yard, a ledge 3 m up behind z = 12, and, at its far side, perhaps a ramp.
fn ground(ramp: bool) -> Terrain {
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    let mut sheet = |x: [f32; 2], z: [f32; 2], y: [f32; 2]| {
        let from = points.len() as u32;
        points.extend([vec3(x[0], y[0], z[0]), vec3(x[1], y[0], z[0])]);
        points.extend([vec3(x[1], y[1], z[1]), vec3(x[0], y[1], z[1])]);
        triangles.extend([[from, from + 2, from + 1], [from, from + 3, from + 2]]);
    };
    sheet([0.0, 30.0], [0.0, 12.0], [0.0, 0.0]);
    sheet([0.0, 30.0], [12.0, 24.0], [3.0, 3.0]);
    if ramp {
        sheet([26.0, 29.0], [4.0, 12.0], [0.0, 3.0]);
    }
    Terrain::new(&points, &triangles, &TerrainDesc::default()).expect("there is room")
}

/// Six chasers on the ledge, right above a player at its foot: where they are after 15 s, and what they say of their ways.
fn chase(ramp: bool) -> (Vec<Vec3>, Vec<Option<PathStatus>>) {
    let mut world = World::new(Config::default());
    world.set_navigation(ground(ramp));
    world.add_tree("chaser", &Spec::new("direct_chase")).expect("it is a tree");
    let player = vec3(8.0, 0.0, 10.5);
    world.add_actor(ActorDesc::at(player));
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("a squad");
    for number in 0..6 {
        let at = vec3(5.0 + number as f32 * 1.2, 3.0, 14.0);
        let senses = Senses { range: 60.0, angle: 360.0, ..Senses::default() };
        let desc = AgentDesc { tree: "chaser".into(), senses, facing: player - at, ..AgentDesc::at(at) };
        world.spawn(squad, desc).expect("a chaser");
    }
    (0..900).for_each(|_| world.tick(1.0 / 60.0));
    world.outputs().map(|out| (out.position, out.path)).unzip()
}

pub fn measure() -> Vec<Measure> {
    let player = vec3(8.0, 0.0, 10.5);
    let (with, _) = chase(true);
    let farthest = with.iter().map(|at| at.distance(player)).fold(0.0, f32::max);
    let (without, ways) = chase(false);
    let told = ways.iter().filter(|way| **way == Some(PathStatus::Partial)).count();
    let lowest = without.iter().map(|at| at.y).fold(f32::INFINITY, f32::min);
    vec![
        at_most("farthest of six by the ramp, m", farthest, 4.0),
        exactly("of six without a ramp that say so", told as f64, 6.0),
        at_least("lowest of six without a ramp, m up", lowest, 2.9),
    ]
}
