//! How a tick grows with the number of agents: from a thousand to a hundred thousand at the same density, and the times of
//! field reports X2 and X3, whose counts are tests, with whether any tick of some minutes is a hitch.
//!
//! `cargo bench --features navmesh --bench growth`, with a number for so many minutes of X3 (`-- 10` for the whole of it); `-- --strict` fails where a bound
//! is not held.

#[path = "../tests/field/mod.rs"]
#[allow(unused, reason = "two of the reports are used")]
mod field;
mod packs;

use field::{Measure, at_most, x2, x3};
use packs::Packs;
use std::time::Instant;
use warband::{Snapshot, World};

const DT: f64 = 1.0 / 60.0;

/// The time of a tick, ms.
#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
fn tick(world: &mut World) -> f64 {
    let start = Instant::now();
    world.tick(DT);
    start.elapsed().as_secs_f64() * 1e3
}

/// The time that this thread has had the processor, ms, where the system tells it; else since `start`.
fn spent(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ns = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    ns.map_or_else(|| start.elapsed().as_secs_f64() * 1e3, |ns| ns / 1e6)
}

/// How many ticks are timed after a restore.
const TIMED: u32 = 5;

/// The mean time of a tick, ms, without what others took of the processor meanwhile: so many times from the same moment on.
#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
fn ticks(world: &mut World, from: &Snapshot, times: u32) -> f64 {
    let mut all = 0.0;
    for _ in 0..times {
        world.restore(from).expect("of this world");
        // What a restore leaves to be found again.
        world.tick(DT);
        let start = Instant::now();
        let before = spent(start);
        (0..TIMED).for_each(|_| world.tick(DT));
        all += spent(start) - before;
    }
    all / f64::from(times * TIMED)
}

/// The value that this share of the times does not exceed.
fn share(times: &[f64], share: f64) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

/// Agents in packs, all awake, with an actor for sixteen packs. All worlds are timed in the same ticks after their beginning, so that
/// as many hunt in each; a round has as many thoughts of the small world as of the large one, so that both have as much of the machine's disturbances.
fn density() -> Vec<Measure> {
    let sizes = [1000, 10_000, 100_000];
    let packs = sizes.map(|agents| Packs { agents, awake: 1, prey: Some(4), avoid: true, threads: 1 });
    let mut worlds = packs.map(|packs| {
        let world = packs.world();
        packs.check(&world);
        let snapshot = world.snapshot();
        (world, snapshot)
    });
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..5 {
        for (((world, snapshot), times), size) in worlds.iter_mut().zip(&mut times).zip(sizes) {
            times.push(ticks(world, snapshot, 100_000 / size as u32));
        }
    }
    for (packs, (world, _)) in packs.iter().zip(&worlds) {
        packs.check(world);
    }
    let each: Vec<f64> =
        times.iter().zip(sizes).map(|(times, size)| share(times, 0.5) * 1e6 / size as f64).collect();
    println!("| agents, all awake | tick, ms | ns per agent |\n| ---: | ---: | ---: |");
    for ((size, each), (world, _)) in sizes.iter().zip(&each).zip(&worlds) {
        println!("| {size} | {:.3} | {each:.0} |", each * *size as f64 / 1e6);
        let stages = world.timings();
        let stages = [stages.sense, stages.think, stages.steer, stages.act];
        println!(
            "stages of the last tick, ns per agent: {:.0?}",
            stages.map(|time| time * 1e9 / *size as f64)
        );
    }
    vec![
        at_most("time per agent, 100,000 beside 1,000", each[2] / each[0], 1.6),
        at_most("time per agent, 10,000 beside 1,000", each[1] / each[0], 1.6),
    ]
}

/// X2: three sizes in turn, a tick of each, so that a disturbance of the machine meets all of them.
fn growth() -> Vec<Measure> {
    let mut worlds = [200, 1000, 4000].map(x2::packs);
    let mut times = vec![Vec::new(); worlds.len()];
    for round in 0..420 {
        for (world, times) in worlds.iter_mut().zip(&mut times) {
            let time = tick(world);
            if round >= 120 {
                times.push(time);
            }
        }
    }
    let medians: Vec<f64> = times.iter().map(|times| share(times, 0.5)).collect();
    println!("| agents | median tick, ms | p99.9, ms | µs per agent |\n| ---: | ---: | ---: | ---: |");
    for ((agents, times), median) in [200.0, 1000.0, 4000.0].iter().zip(&times).zip(&medians) {
        println!("| {agents} | {median:.3} | {:.3} | {:.2} |", share(times, 0.999), median * 1e3 / agents);
    }
    vec![
        at_most("X2: median tick, 4,000 beside 1,000", medians[2] / medians[1], 5.0),
        at_most("X2: median tick of 1,000, ms", medians[1], 4.0),
    ]
}

/// X3: the whole of the ten minutes.
fn hitches(minutes: usize) -> Vec<Measure> {
    let mut world = x3::rings();
    let mut times = Vec::with_capacity(3600 * minutes);
    let mut first = 0.0;
    for minute in 0..minutes {
        times.extend((0..3600).map(|_| tick(&mut world)));
        if minute == 0 {
            first = world.script_memory() as f64;
        }
    }
    let (median, late, worst) = (share(&times, 0.5), share(&times, 0.999), share(&times, 1.0));
    let heap = world.script_memory() as f64;
    println!(
        "\n1,000 in rings, {minutes} min: median {median:.3} ms, p99.9 {late:.3} ms, longest {worst:.3} ms; Lua {first:.0} bytes after a minute, {heap:.0} at the end"
    );
    vec![
        at_most("X3: p99.9 of a tick beside the median", late / median, 3.0),
        at_most("X3: Lua heap at the end beside that after a minute", heap / first, 1.2),
    ]
}

fn main() {
    let minutes = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(1);
    let mut measures = density();
    measures.extend(growth());
    measures.extend(hitches(minutes));
    println!("\n| what | measured | bound | |\n| --- | ---: | ---: | --- |");
    for row in &measures {
        let mark = if row.holds() { "held" } else { "NOT HELD" };
        println!("| {} | {:.3} | {} | {mark} |", row.what, row.value, row.bound);
    }
    let strict = std::env::args().any(|arg| arg == "--strict");
    if strict && !measures.iter().all(Measure::holds) {
        std::process::exit(1);
    }
}
