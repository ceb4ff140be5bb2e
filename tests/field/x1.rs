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

/// Every tenth step, s.
const INTERVAL: f32 = 10.0 / 60.0;

/// Agents that count their thoughts; where there is a `detail` they have no interval of their own.
fn crowd(config: Config, tree: &Spec, squads: u32, each: u32) -> (World, Vec<AgentId>) {
    let think_interval = if config.detail.is_empty() { INTERVAL } else { 0.0 };
    let mut world = World::new(config);
    world.declare(KeyDecl::new("go", Scope::World, ValueType::Bool)).expect("legal");
    world.declare(KeyDecl::new("count", Scope::Agent, ValueType::Integer).default(0_i64)).expect("legal");
    world.add_tree("tree", tree).expect("right");
    let mut agents = Vec::new();
    for squad in 0..squads {
        let desc = SquadDesc { name: format!("squad{squad}"), ..SquadDesc::default() };
        let id = world.add_squad(desc).expect("new");
        for at in 0..each {
            let place = vec3(at as f32 * 4.0, 0.0, squad as f32 * 4.0);
            let desc = AgentDesc { tree: "tree".into(), think_interval, ..AgentDesc::at(place) };
            agents.push(world.spawn(id, desc).expect("new"));
        }
    }
    (world, agents)
}

/// How many thought in each step, and the longest that anybody waited, in steps.
struct Thoughts {
    counts: Vec<usize>,
    longest: usize,
}

fn thoughts(world: &mut World, agents: &[AgentId]) -> Thoughts {
    let count_of = |world: &World, agent: &AgentId| match world.value(BoardOf::Agent(*agent), "count") {
        Ok(Value::Integer(count)) => count,
        other => panic!("its key: {other:?}"),
    };
    let mut last: Vec<(i64, usize)> = agents.iter().map(|agent| (count_of(world, agent), 0)).collect();
    let (mut counts, mut longest) = (Vec::new(), 0);
    for step in 1..=STEPS {
        world.tick(DT);
        let mut count = 0;
        for (agent, (before, at)) in agents.iter().zip(&mut last) {
            let now = count_of(world, agent);
            longest = longest.max(step - *at);
            if now != *before {
                (*before, *at) = (now, step);
                count += 1;
            }
        }
        counts.push(count);
    }
    Thoughts { counts, longest }
}

fn measures(what: &str, Thoughts { mut counts, longest }: Thoughts) -> [Measure; 3] {
    counts.sort_unstable();
    let (most, median) = (counts[STEPS - 1] as f64, counts[STEPS / 2] as f64);
    [
        at_most(format!("{what}: most that think in a step"), most, 110.0),
        at_most(format!("{what}: the longest wait, steps"), longest as f64, 11.0),
        at_most(format!("{what}: most beside the median"), most / median, 1.5),
    ]
}

pub fn measure() -> Vec<Measure> {
    let counting = Spec::new("increment").set("key", "count");
    let mut all = Vec::new();
    for (squads, each) in [(125, 8), (1, 1000), (1000, 1), (40, 25)] {
        let (mut world, agents) = crowd(Config::default(), &counting, squads, each);
        all.extend(measures(&format!("{squads} × {each}"), thoughts(&mut world, &agents)));
    }
    all.extend(measures("after a tick of a second", after_a_long_tick(&counting)));
    all.extend(measures("all woken by one key", woken(&counting)));
    all.extend(measures("far from the focus", far_off(&counting)));
    all
}

/// A long tick makes everybody late at once.
fn after_a_long_tick(counting: &Spec) -> Thoughts {
    let (mut world, agents) = crowd(Config::default(), counting, 125, 8);
    (0..30).for_each(|_| world.tick(DT));
    world.tick(1.0);
    thoughts(&mut world, &agents)
}

/// All sleep until a key of the world's is set; then they count.
fn woken(counting: &Spec) -> Thoughts {
    let tree = Spec::new("reactive_sequence")
        .with(Spec::new("wait_for").set("key", "go"))
        .with(counting.clone());
    let (mut world, agents) = crowd(Config::default(), &tree, 125, 8);
    (0..60).for_each(|_| world.tick(DT));
    assert_eq!(world.asleep(), 1000, "they sleep");
    world.set_value(BoardOf::World, "go", true).expect("its key");
    thoughts(&mut world, &agents)
}

/// Agents that think in each step, and at every tenth as soon as the camera is far away.
fn far_off(counting: &Spec) -> Thoughts {
    let config = Config { detail: vec![(1000.0, INTERVAL)], ..Config::default() };
    let (mut world, agents) = crowd(config, counting, 125, 8);
    world.tick(DT);
    world.set_focus(&[vec3(9e4, 0.0, 0.0)]);
    world.tick(DT);
    thoughts(&mut world, &agents)
}
