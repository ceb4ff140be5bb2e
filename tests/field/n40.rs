//! Soldiers collide and stick when the formation changes.

use super::common::{Hunt, clump, keyed};
use super::{Measure, at_most};
use warband::blackboard::ValueType;
use warband::rng::Dice;
use warband::args::Arg;
use warband::{ActorDesc, AgentDesc, BoardOf, Config, KeyDecl, Scope, Spec, SquadDesc, Vec3, World, vec3};

const DT: f64 = 1.0 / 60.0;

/// How long the ring takes until all stand at `radius`, over the straight walk at top speed.
fn change(hunt: &mut Hunt, radius: f64, way: f32) -> f64 {
    hunt.world.set_value(BoardOf::World, "radius", radius).expect("the key");
    let mut seconds = 0.0;
    let off = |hunt: &Hunt| {
        let off = hunt.places().iter().map(|place| (place.length() - radius as f32).abs()).fold(0.0, f32::max);
        let error = hunt.world.ring(hunt.pack).expect("the squad").places().iter().map(|p| p.error).fold(0.0, f32::max);
        off.max(error)
    };
    while seconds < 20.0 && off(hunt) > 0.6 {
        hunt.tick(Vec3::ZERO, Vec3::ZERO, DT);
        seconds += DT;
    }
    seconds / f64::from(way / 5.0)
}

/// A world whose ring has the radius that a key of the world says.
fn radius_world(members: &[(u32, Vec3)]) -> Hunt {
    let mut world = World::new(Config { seed: 1, ..Config::default() });
    world.declare(KeyDecl::new("radius", Scope::World, ValueType::Number).default(12.0)).expect("a key");
    let tree = Spec::new("formation").set("radius", Arg::Key("radius".into())).set("hold", true);
    world.add_tree("tree", &tree).expect("the tree is right");
    let player = world.add_actor(ActorDesc::at(Vec3::ZERO));
    let pack = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("a squad");
    for (key, place) in members {
        let desc = AgentDesc { tree: "tree".into(), facing: -*place, key: Some(*key), ..AgentDesc::at(*place) };
        world.spawn(pack, desc).expect("a new agent");
    }
    Hunt { world, player, pack }
}

pub fn measure() -> Vec<Measure> {
    let mut worst = [0.0f64; 2];
    for (count, seed) in [(8, 1), (8, 2), (12, 3), (24, 4)] {
        let places = clump(&mut Dice::new(seed, &[40]), count, vec3(-20.0, 0.0, 0.0), 6.0);
        let mut hunt = radius_world(&keyed(places));
        (0..900).for_each(|_| hunt.tick(Vec3::ZERO, Vec3::ZERO, DT));
        for _ in 0..2 {
            worst[0] = worst[0].max(change(&mut hunt, 6.0, 6.0));
            worst[1] = worst[1].max(change(&mut hunt, 12.0, 6.0));
        }
    }
    vec![
        at_most("12 m to 6 m, over the straight walk at top speed", worst[0], 1.5),
        at_most("6 m to 12 m", worst[1], 1.5),
    ]
}
