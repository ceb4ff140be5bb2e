//! Seen through floors, searched under the walkway.

use super::common::squad_at;
use super::{Measure, exactly};
use warband::{AgentDesc, Senses, Spec, SquadDesc, Vec3};

const DT: f64 = 1.0 / 60.0;
const ABOVE: Vec3 = Vec3::new(2.0, 6.0, 0.0);

/// An agent at the origin whose senses reach 2 m up and down.
fn stand(tree: &Spec) -> super::common::Hunt {
    let mut hunt = squad_at(tree, 1, &[], ABOVE);
    let desc = SquadDesc { name: "band".into(), key: Some(5), ..SquadDesc::default() };
    hunt.pack = hunt.world.add_squad(desc).expect("a new squad");
    let senses = Senses { vertical: 2.0, near: 10.0, ..Senses::default() };
    let desc = AgentDesc { tree: "tree".into(), senses, ..AgentDesc::at(Vec3::ZERO) };
    hunt.world.spawn(hunt.pack, desc).expect("a new agent");
    hunt
}

pub fn measure() -> Vec<Measure> {
    let mut hunt = stand(&Spec::new("search"));
    let mut detections = 0;
    for _ in 0..600 {
        hunt.tick(ABOVE, Vec3::ZERO, DT);
        hunt.world.noise(ABOVE, 50.0, hunt.player.entity());
        detections += hunt.world.events().iter().filter(|event| event.kind.name() == "gained").count();
    }
    // A hit from up there tells where it is: it goes there as far as it can, and has not arrived below it.
    let mut hunt = stand(&Spec::new("search"));
    let agent = hunt.world.outputs().next().expect("an agent").agent;
    hunt.world.hit(agent, hunt.player.entity(), ABOVE);
    let (mut arrivals, mut searched) = (0, 0);
    for _ in 0..240 {
        hunt.tick(ABOVE, Vec3::ZERO, DT);
        let out = hunt.world.output(agent).expect("there");
        searched += u32::from(out.mode == "search" && out.goal.is_some());
        arrivals += u32::from(out.arrived);
    }
    vec![
        exactly("detections in 10 s, 6 m above and with noises", detections as f64, 0.0),
        exactly("ticks in which it searches there after a hit", f64::from(searched), 240.0),
        exactly("arrivals that it reports 6 m below the place", f64::from(arrivals), 0.0),
    ]
}
