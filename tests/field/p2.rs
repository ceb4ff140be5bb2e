//! Never goes back to work.

use super::common::encircle;
use super::{Measure, at_most, exactly};
use warband::rng::Dice;
use warband::{ActorDesc, AgentDesc, Config, SquadDesc, Vec3, World, vec3};

const DT: f64 = 1.0 / 60.0;
const CORNERS: [Vec3; 4] =
    [Vec3::new(0.0, 0.0, 0.0), Vec3::new(20.0, 0.0, 0.0), Vec3::new(20.0, 0.0, 20.0), Vec3::new(0.0, 0.0, 20.0)];

fn off_route(place: Vec3) -> f32 {
    let legs = CORNERS.iter().zip(CORNERS.iter().cycle().skip(1));
    let off = legs.map(|(a, b)| {
        let leg = *b - *a;
        let along = ((place - *a).dot(leg) / leg.length_squared()).clamp(0.0, 1.0);
        place.distance(*a + leg * along)
    });
    off.fold(f32::MAX, f32::min)
}

pub fn measure() -> Vec<Measure> {
    let mut world = World::new(Config::default());
    world.add_tree("encircle", &encircle()).expect("the tree is right");
    let desc = SquadDesc { name: "guards".into(), route: CORNERS.to_vec(), ..SquadDesc::default() };
    let squad = world.add_squad(desc).expect("a new squad");
    let desc = AgentDesc { tree: "encircle".into(), ..AgentDesc::at(Vec3::ZERO) };
    let agent = world.spawn(squad, desc).expect("a new agent");
    let player = world.add_actor(ActorDesc::at(vec3(0.0, 0.0, -500.0)));
    let mut dice = Dice::new(20, &[2]);
    let (mut worst, mut chases) = (0.0_f64, 0);
    for _ in 0..20 {
        let way = warband::math::direction(dice.range(0.0, 6.2) as f32) * dice.range(5.0, 35.0) as f32;
        let place = world.position(agent).expect("there") + way;
        let until = world.now() + dice.range(2.0, 8.0);
        while world.now() < until {
            world.set_actor(player, place, Vec3::ZERO);
            let way = place - world.position(agent).expect("there");
            world.set_facing(agent, way);
            world.tick(DT);
        }
        chases += u32::from(world.knowledge(squad).is_some_and(|knowledge| knowledge.target().is_some()));
        world.set_actor(player, vec3(0.0, 0.0, -500.0), Vec3::ZERO);
        let lost = world.now();
        // The search goes on to where it was lost, for the five seconds of the memory.
        while world.now() < lost + 5.0 {
            world.tick(DT);
        }
        let way = off_route(world.position(agent).expect("there"));
        while off_route(world.position(agent).expect("there")) > 1.0 && world.now() < lost + 100.0 {
            world.tick(DT);
        }
        // It patrols at 2 m/s, and takes up the leg that it left, which need not be the nearest: the bound counts the way
        // to that. Nowhere is farther from any leg than from all of them by more than the side of the square.
        let bound = 5.0 + f64::from((way + 20.0_f32.hypot(20.0)) / 2.0) * 1.2;
        worst = worst.max((world.now() - lost) / bound);
    }
    vec![
        exactly("chases, of 20", f64::from(chases), 20.0),
        at_most("time until it is within 1 m of its route, as a part of 5 s + 1.2 way / speed", worst, 1.0),
    ]
}
