//! The search is omniscient.

use super::common::{encircle, keyed, squad_at};
use super::{Measure, at_least, at_most};
use warband::{Vec3, Wall, Walls, vec3};

const DT: f64 = 1.0 / 60.0;

pub fn measure() -> Vec<Measure> {
    let places = keyed((0..8).map(|i| vec3(-20.0, 0.0, i as f32 * 1.5 - 5.0)));
    let mut hunt = squad_at(&encircle(), 1, &places, Vec3::ZERO);
    for _ in 0..60 {
        hunt.tick(Vec3::ZERO, Vec3::ZERO, DT);
    }
    // Gone from sight at once: a box is put round it, and it walks off to (0, 20) inside.
    let wall = |a: (f32, f32), b: (f32, f32)| {
        Wall::segment(vec3(a.0, 0.0, a.1), vec3(b.0, 0.0, b.1)).expect("a wall")
    };
    hunt.world.set_walls(Walls::new(vec![
        wall((-2.0, -2.0), (-2.0, 30.0)),
        wall((2.0, -2.0), (2.0, 30.0)),
        wall((-2.0, -2.0), (2.0, -2.0)),
        wall((-2.0, 30.0), (2.0, 30.0)),
    ]));
    let (mut believed, mut goal, mut goals) = (0.0_f32, 0.0_f32, 0);
    for tick in 1..=300 {
        let place = vec3(0.0, 0.0, 20.0 * tick as f32 / 300.0);
        hunt.tick(place, vec3(0.0, 0.0, 4.0), DT);
        let knowledge = hunt.world.knowledge(hunt.pack).expect("the squad");
        believed = believed.max(knowledge.target().map_or(f32::NAN, |track| track.position.length()));
        for out in hunt.world.outputs().filter(|out| out.mode == "search") {
            goal = goal.max(out.goal.map_or(f32::NAN, Vec3::length));
            goals += 1;
        }
    }
    vec![
        at_most("farthest that it is believed from where it was lost, m", believed, 0.1),
        at_least("goals of the search that were looked at", f64::from(goals), 100.0),
        at_most("farthest goal from there, m", goal, 3.0),
    ]
}
