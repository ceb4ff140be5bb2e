//! What a tick of a whole world costs: agents in squads of eight that patrol, see an actor that walks through, chase it and
//! surround it; and the same where nearly all of them wait. No Lua, open ground. A time is for one tick.
//!
//! Rows are `pipeline/<work>/warband`; before a row is timed it is checked that agents do what the work says.
//!
//! `cargo bench --no-default-features --bench pipeline`

use criterion::Criterion;
use std::time::{Duration, Instant};
use warband::{ActorDesc, AgentDesc, Config, Spec, SquadDesc, World, vec3};

const DT: f64 = 1.0 / 60.0;

fn hunt() -> Spec {
    let chase = Spec::new("bands")
        .with(Spec::new("direct_chase").edge("below", 8.0))
        .with(Spec::new("formation").set("radius", 12.0));
    Spec::new("reactive_selector")
        .with(Spec::new("guard").when(Spec::new("sees_target")).with(chase))
        .with(Spec::new("patrol"))
}

/// A world of so many agents, of which one squad in `awake` hunts and patrols; the others wait.
fn world(agents: usize, awake: usize) -> World {
    let mut world = World::new(Config::default());
    world.add_tree("hunt", &hunt()).expect("right");
    world.add_tree("wait", &Spec::new("wait").set("seconds", 1e6)).expect("right");
    let side = ((agents / 8) as f32).sqrt().ceil() as usize;
    for pack in 0..agents / 8 {
        let middle = vec3((pack % side) as f32 * 16.0, 0.0, (pack / side) as f32 * 16.0);
        let route = vec![middle + vec3(-6.0, 0.0, 0.0), middle + vec3(6.0, 0.0, 0.0)];
        let desc =
            SquadDesc { name: format!("pack {pack}"), route, key: Some(pack as u32), ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("a new squad");
        let tree = if pack % awake == 0 { "hunt" } else { "wait" };
        for at in 0..8 {
            let place = middle + vec3((at % 4) as f32 * 1.5, 0.0, (at / 4) as f32 * 1.5);
            let desc = AgentDesc { tree: tree.into(), ..AgentDesc::at(place) };
            world.spawn(squad, desc).expect("a new agent");
        }
    }
    let middle = side as f32 * 8.0;
    world.add_actor(ActorDesc::at(vec3(middle, 0.0, middle)));
    (0..30).for_each(|_| world.tick(DT));
    world
}

fn check(world: &World, agents: usize, awake: usize) {
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
    let moving = world.outputs().filter(|out| out.velocity.length() > 0.5).count();
    let hunting = world.outputs().filter(|out| out.mode == "direct" || out.mode == "formation").count();
    assert!(moving * awake * 4 > agents, "only {moving} of {agents} move");
    assert!(hunting > 0, "nobody hunts");
    if awake > 1 {
        assert!(world.asleep() * 10 > agents * 9, "only {} sleep", world.asleep());
    }
}

#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
fn main() {
    let mut criterion = Criterion::default()
        .configure_from_args()
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(1500))
        .sample_size(10);
    for (name, agents, awake) in [("hunt_1k", 1000, 1), ("hunt_10k", 10_000, 1), ("quiet_100k", 100_000, 20)]
    {
        let mut world = world(agents, awake);
        check(&world, agents, awake);
        let memory = world.memory();
        println!(
            "{name}: {} bytes an agent, {:.1} MiB",
            memory.per_agent(),
            memory.total() as f64 / 1048576.0
        );
        criterion.bench_function(&format!("pipeline/{name}/warband"), |bencher| {
            bencher.iter_custom(|ticks| {
                let start = Instant::now();
                (0..ticks).for_each(|_| world.tick(DT));
                start.elapsed()
            });
        });
        let stages = world.timings();
        println!(
            "{name}: stages of the last tick, ms: {:.2?}",
            [stages.sense * 1e3, stages.think * 1e3, stages.steer * 1e3, stages.act * 1e3]
        );
    }
    criterion.final_summary();
}
