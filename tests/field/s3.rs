//! Detection through walls.

use super::common::{Hunt, encircle, squad_at};
use super::{Measure, exactly};
use warband::{AgentDesc, Senses, Spec, SquadDesc, Vec3, Wall, Walls, vec3};

const DT: f64 = 1.0 / 60.0;

fn gained(hunt: &Hunt) -> f64 {
    hunt.world.events().iter().filter(|event| event.kind.name() == "gained").count() as f64
}

/// A mate of another squad, who sees the player, 4 m off behind the wall, calls out over so many metres.
fn told(radius: f64) -> f64 {
    let mut hunt = squad_at(&Spec::new("succeed"), 1, &[(0, Vec3::ZERO)], vec3(3.0, 0.0, 0.0));
    hunt.world.set_walls(wall());
    let call = Spec::new("share_target").set("radius", radius).with(Spec::new("wait").set("seconds", 9.0));
    hunt.world.add_tree("call", &call).expect("the tree is right");
    let desc = SquadDesc { name: "mate".into(), ..SquadDesc::default() };
    let mate = hunt.world.add_squad(desc).expect("a new squad");
    let seer = AgentDesc { tree: "call".into(), senses: Senses::default(), ..AgentDesc::at(vec3(2.0, 0.0, 4.0)) };
    hunt.world.spawn(mate, AgentDesc { facing: vec3(1.0, 0.0, -4.0), ..seer }).expect("a new agent");
    for _ in 0..30 {
        hunt.tick(vec3(3.0, 0.0, 0.0), Vec3::ZERO, DT);
    }
    f64::from(hunt.world.knowledge(hunt.pack).is_some_and(|knowledge| !knowledge.tracks().is_empty()) as u8)
}

fn wall() -> Walls {
    Walls::new(vec![Wall::segment(vec3(1.5, 0.0, -50.0), vec3(1.5, 0.0, 50.0)).expect("a wall")])
}

pub fn measure() -> Vec<Measure> {
    let mut hunt = squad_at(&encircle(), 1, &[(0, Vec3::ZERO)], vec3(3.0, 0.0, 0.0));
    hunt.world.set_walls(wall());
    let (mut detections, mut writes) = (0.0, 0.0);
    for tick in 0..3600 {
        // Half-way through it is teleported away and into the same place again.
        let place = if tick == 1800 { vec3(200.0, 0.0, 0.0) } else { vec3(3.0, 0.0, 0.0) };
        hunt.tick(place, Vec3::ZERO, DT);
        detections += gained(&hunt);
        writes += hunt.world.knowledge(hunt.pack).expect("the squad").tracks().len() as f64;
    }
    hunt.world.set_walls(Walls::default());
    hunt.tick(vec3(3.0, 0.0, 0.0), Vec3::ZERO, DT);
    vec![
        exactly("detections in 60 s", detections, 0.0),
        exactly("targets written", writes, 0.0),
        exactly("detections in the tick after the wall is gone", gained(&hunt), 1.0),
        // The rule: a call carries through a wall half as far. The mate stands 4.47 m off.
        exactly("told by a mate whose call carries 8 m, through the wall 4 m", told(8.0), 0.0),
        exactly("told by a mate whose call carries 10 m, through the wall 5 m", told(10.0), 1.0),
    ]
}
