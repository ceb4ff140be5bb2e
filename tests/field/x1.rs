//! All AIs think in the same frame.
//!
//! 1,000 agents that think every 10 steps, in squads of any size, over 600 steps. Asked for: at most 110 think in a step, and
//! nobody waits longer than 11. The slowest tick of the report (1.5 × the median) is held as the count behind it: agents that
//! thought in the busiest step beside the median step.

use super::{Measure, at_most};
use warband::{
    AgentDesc, AgentId, BoardOf, Config, KeyDecl, Scope, Spec, SquadDesc, Value, ValueType, World, vec3,
};

const DT: f64 = 1.0 / 60.0;
const STEPS: usize = 600;

/// Agents that count their thoughts.
fn crowd(squads: u32, each: u32) -> (World, Vec<AgentId>) {
    let mut world = World::new(Config::default());
    world.declare(KeyDecl::new("count", Scope::Agent, ValueType::Integer).default(0_i64)).expect("legal");
    world.add_tree("tree", &Spec::new("increment").set("key", "count")).expect("right");
    let mut agents = Vec::new();
    for squad in 0..squads {
        let desc = SquadDesc { name: format!("squad{squad}"), ..SquadDesc::default() };
        let id = world.add_squad(desc).expect("new");
        for at in 0..each {
            let place = vec3(at as f32 * 4.0, 0.0, squad as f32 * 4.0);
            let desc =
                AgentDesc { tree: "tree".into(), think_interval: 10.0 / 60.0, ..AgentDesc::at(place) };
            agents.push(world.spawn(id, desc).expect("new"));
        }
    }
    (world, agents)
}

/// How many thought in each step, and the longest that anybody waited, in steps.
fn thoughts(squads: u32, each: u32) -> (Vec<usize>, usize) {
    let (mut world, agents) = crowd(squads, each);
    let mut last = vec![(0, 0); agents.len()];
    let (mut counts, mut longest) = (Vec::new(), 0);
    for step in 1..=STEPS {
        world.tick(DT);
        let mut count = 0;
        for (agent, (thoughts, at)) in agents.iter().zip(&mut last) {
            let Ok(Value::Integer(now)) = world.value(BoardOf::Agent(*agent), "count") else {
                panic!("its key")
            };
            longest = longest.max(step - *at);
            if now != *thoughts {
                (*thoughts, *at) = (now, step);
                count += 1;
            }
        }
        counts.push(count);
    }
    (counts, longest)
}

pub fn measure() -> Vec<Measure> {
    let of_layout = |(squads, each): (u32, u32)| {
        let (mut counts, longest) = thoughts(squads, each);
        counts.sort_unstable();
        let (most, median) = (counts[STEPS - 1] as f64, counts[STEPS / 2] as f64);
        let layout = format!("{squads} × {each}");
        [
            at_most(format!("{layout}: most that think in a step"), most, 110.0),
            at_most(format!("{layout}: the longest wait, steps"), longest as f64, 11.0),
            at_most(format!("{layout}: most beside the median"), most / median, 1.5),
        ]
    };
    [(125, 8), (1, 1000), (1000, 1), (40, 25)].into_iter().flat_map(of_layout).collect()
}
