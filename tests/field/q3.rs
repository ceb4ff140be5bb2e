//! Alarm chain pulls the whole map.

use super::{Measure, at_most, exactly};
use warband::{ActorDesc, AgentDesc, Config, EventKind, Spec, SquadDesc, Vec3, World, vec3};

const DT: f64 = 1.0 / 60.0;

struct Chain {
    alerted: Vec<usize>,
    unseeing_calls: usize,
    calm: f64,
}

/// Twenty guards, each its own squad, in a line 8 m apart; guard 0 alone sees the player for 1 s.
fn chain(hops: f64) -> Chain {
    let mut world = World::new(Config::default());
    let tree = Spec::new("share_target")
        .set("radius", 10.0)
        .set("hops", hops)
        .with(Spec::new("wait").set("seconds", 1e6));
    world.add_tree("guard", &tree).expect("the tree is right");
    let mut squads = Vec::new();
    for at in 0..20 {
        let desc = SquadDesc { name: format!("guard {at}"), ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("a new squad");
        // Only the first one looks to where the player is.
        let facing = if at == 0 { -Vec3::X } else { Vec3::X };
        let desc = AgentDesc { tree: "guard".into(), facing, ..AgentDesc::at(Vec3::X * (8.0 * at as f32)) };
        world.spawn(squad, desc).expect("a new agent");
        squads.push(squad);
    }
    let player = world.add_actor(ActorDesc::at(vec3(-6.0, 0.0, 0.0)));
    let mut found = Chain { alerted: Vec::new(), unseeing_calls: 0, calm: f64::NAN };
    while world.now() < 10.0 {
        let there = world.now() + DT <= 1.0 + 1e-9;
        world.set_actor(player, if there { vec3(-6.0, 0.0, 0.0) } else { vec3(-500.0, 0.0, 0.0) }, Vec3::ZERO);
        world.tick(DT);
        for event in world.events() {
            let at = squads.iter().position(|squad| Some(*squad) == event.squad).expect("one of them");
            match &event.kind {
                EventKind::Gained { .. } if !found.alerted.contains(&at) => found.alerted.push(at),
                EventKind::Called { .. } => found.unseeing_calls += usize::from(at != 0),
                _ => {}
            }
        }
        let calm = squads.iter().all(|squad| world.knowledge(*squad).is_some_and(|k| k.tracks().is_empty()));
        if calm && world.now() > 1.5 && found.calm.is_nan() {
            found.calm = world.now() - 1.0;
        }
    }
    found.alerted.sort_unstable();
    found
}

pub fn measure() -> Vec<Measure> {
    let (one, two) = (chain(1.0), chain(2.0));
    vec![
        exactly("guards alerted with one hop", one.alerted.len() as f64, 2.0),
        exactly("the last of them", one.alerted.last().map_or(f64::NAN, |at| *at as f64), 1.0),
        exactly("calls by guards that did not see", one.unseeing_calls as f64, 0.0),
        at_most("calm after the last sight, s", one.calm, 5.0 + 2.0 * DT),
        exactly("guards alerted with two hops", two.alerted.len() as f64, 3.0),
        at_most("calm after the last sight with two hops, s", two.calm, 5.0 + 2.0 * DT),
    ]
}
