//! Target forgotten the instant sight breaks.

use super::common::{Hunt, encircle, keyed, squad_at};
use super::{Measure, at_least, at_most, exactly};
use warband::{AgentDesc, EventKind, Senses, SquadDesc, Wall, Walls, vec3};

const DT: f64 = 1.0 / 60.0;

fn entries(hunt: &Hunt, mode: &str) -> usize {
    let to = |kind: &EventKind| matches!(kind, EventKind::Mode { to, .. } if &**to == mode);
    hunt.world.events().iter().filter(|event| to(&event.kind)).count()
}

/// A pack in a clump that sees the middle of a body alone, so that a thin pillar hides it from all of them at once.
fn pack() -> Hunt {
    let mut hunt = squad_at(&encircle(), 1, &[], vec3(10.0, 0.0, 0.0));
    let desc = SquadDesc { name: "column".into(), key: Some(9), ..SquadDesc::default() };
    hunt.pack = hunt.world.add_squad(desc).expect("a new squad");
    for (key, place) in keyed((0..8).map(|i| vec3(i as f32 * -1.2, 0.0, 0.0))) {
        let senses = Senses { extent: 0.0, ..Senses::default() };
        let desc = AgentDesc { tree: "tree".into(), key: Some(key), senses, ..AgentDesc::at(place) };
        hunt.world.spawn(hunt.pack, desc).expect("a new agent");
    }
    hunt
}

pub fn measure() -> Vec<Measure> {
    let mut hunt = pack();
    let pillar = Wall::circle(vec3(10.0, 0.0, 0.0), 0.3).expect("a pillar");
    hunt.world.set_walls(Walls::new(vec![pillar]));
    let (mut searches, mut patrols, mut slow, mut slowest) = (0, 0, [0.0_f64; 8], 0.0_f64);
    let mut hidden = 0.0;
    for tick in 1..=300 {
        let time = f64::from(tick) * DT;
        let place = vec3(14.0, 0.0, -6.0 + 3.0 * time as f32);
        hunt.tick(place, vec3(0.0, 0.0, 3.0), DT);
        searches += entries(&hunt, "search");
        patrols += entries(&hunt, "patrol");
        let blind = |out: &warband::Output<'_>| hunt.world.awareness(out.agent, hunt.player) == 0.0;
        let breaks = hunt.world.outputs().any(|out| blind(&out));
        hidden += if breaks && (1.5..3.5).contains(&time) { DT } else { 0.0 };
        // From the break on. Before, a wolf whose place on the forming ring comes to meet it turns round, and is slow for
        // a moment whether there is a pillar or not.
        for out in hunt.world.outputs().filter(|_| (1.8..3.5).contains(&time)) {
            let key = out.key as usize;
            slow[key] = if out.velocity.length() < 1.0 { slow[key] + DT } else { 0.0 };
            slowest = slowest.max(slow[key]);
        }
    }
    vec![
        at_least("out of somebody's sight, s", hidden, 0.1),
        exactly("entries into patrol", patrols as f64, 0.0),
        at_most("entries into search, of 8 agents", searches as f64, 8.0),
        at_most("longest time below 1 m/s, s", slowest, 0.1),
    ]
}
