//! Timers count ticks, not time.
//!
//! A wait and a cooldown of 1.0 s in a tree that is ticked every 1, 5, 20 steps of 1/60 s, and a cooldown in a branch that is
//! visited once a second. Asked for: each ends within one tick of the tree after 1.0 s of the clock.

use super::{Measure, within};
use warband::{AgentDesc, BoardOf, Config, KeyDecl, Scope, Spec, SquadDesc, Value, ValueType, World};

const STEP: f64 = 1.0 / 60.0;
/// What the clock's whole nanoseconds may lack, s.
const ROUNDING: f64 = 1e-6;

fn count() -> Spec {
    Spec::new("increment").set("key", "count")
}

fn cooldown() -> Spec {
    Spec::new("cooldown").set("seconds", 1.0).with(count())
}

/// When the key was added to in 30 s by an agent that thinks every so many steps, s.
fn counted(tree: &Spec, every: f64) -> Vec<f64> {
    let mut world = World::new(Config::default());
    world.declare(KeyDecl::new("count", Scope::Agent, ValueType::Integer).default(0_i64)).expect("legal");
    world.add_tree("tree", tree).expect("right");
    let squad = world.add_squad(SquadDesc { name: "one".into(), ..SquadDesc::default() }).expect("new");
    // Left out, it thinks in each step.
    let think_interval = if every > 1.0 { (every * STEP) as f32 } else { 0.0 };
    let desc = AgentDesc { tree: "tree".into(), think_interval, ..AgentDesc::default() };
    let agent = world.spawn(squad, desc).expect("new");
    let mut times = Vec::new();
    while world.now() < 30.0 {
        world.tick(STEP);
        let Ok(Value::Integer(now)) = world.value(BoardOf::Agent(agent), "count") else { panic!("its key") };
        times.resize(now as usize, world.now());
    }
    times
}

/// The time from each to the next, s.
fn gaps(times: &[f64]) -> Vec<f64> {
    times.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// The shortest and the longest of these times, beyond 1.0 s.
fn beyond(times: &[f64], what: &str, bound: f64) -> [Measure; 2] {
    assert!(times.len() >= 9, "{what}: {} in 30 s", times.len());
    let least = times.iter().copied().fold(f64::MAX, f64::min) - 1.0;
    let most = times.iter().copied().fold(f64::MIN, f64::max) - 1.0;
    let measure =
        |which: &str, value| within(format!("{what}: {which} beyond 1 s, s"), value, -ROUNDING, bound + ROUNDING);
    [measure("least", least), measure("most", most)]
}

pub fn measure() -> Vec<Measure> {
    // Counts where it begins to wait and where that is over; the next tick of the tree begins anew.
    let wait = Spec::new("sequence").with(count()).with(Spec::new("wait").set("seconds", 1.0)).with(count());
    let always = Spec::new("force_success").with(cooldown());
    let rarely = Spec::new("sequence").with(always.clone()).with(Spec::new("wait").set("seconds", 1.0));
    let mut measures = Vec::new();
    for every in [1.0, 5.0, 20.0] {
        let waits: Vec<f64> = gaps(&counted(&wait, every)).into_iter().step_by(2).collect();
        measures.extend(beyond(&waits, &format!("wait, ticked every {every} steps"), every * STEP));
        let cooldowns = gaps(&counted(&always, every));
        measures.extend(beyond(&cooldowns, &format!("cooldown, ticked every {every} steps"), every * STEP));
    }
    let cooldowns = gaps(&counted(&rarely, 1.0));
    measures.extend(beyond(&cooldowns, "cooldown visited once a second", STEP));
    measures
}
