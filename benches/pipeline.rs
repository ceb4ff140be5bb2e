//! What a tick of a whole world costs: agents in squads of eight that patrol, see an actor, chase it and
//! surround it; and the same where nearly all of them wait. No Lua, open ground. A time is for one tick.
//!
//! Rows are `pipeline/<work>/warband`, with avoidance off, and `…/warband_avoid` with it; before a row is timed it is checked that
//! agents do what the work says.
//!
//! `cargo bench --no-default-features --bench pipeline`

mod packs;

use packs::{Packs, criterion, ticked};

fn main() {
    let mut criterion = criterion();
    let works = [("hunt_1k", 1000, 1), ("hunt_10k", 10_000, 1), ("quiet_100k", 100_000, 20)];
    let both = works.into_iter().flat_map(|work| [(work, false), (work, true)]);
    for ((name, agents, awake), avoid) in both {
        let packs = Packs { agents, awake, prey: None, avoid, threads: 1 };
        let form = if avoid { "warband_avoid" } else { "warband" };
        let mut world = packs.world();
        packs.check(&world);
        let memory = world.memory();
        let mib = memory.total() as f64 / 1048576.0;
        println!("{name}: {} bytes an agent, {mib:.1} MiB", memory.per_agent());
        criterion.bench_function(&format!("pipeline/{name}/{form}"), |bencher| {
            bencher.iter_custom(|ticks| ticked(&mut world, ticks));
        });
        let stages = world.timings();
        println!(
            "{name}/{form}: stages of the last tick, ms: sense {:.2}, think {:.2}, steer {:.2}, act {:.2}",
            stages.sense * 1e3,
            stages.think * 1e3,
            stages.steer * 1e3,
            stages.act * 1e3
        );
    }
    criterion.final_summary();
}
