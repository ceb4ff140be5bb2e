//! What threads are worth: the same world ticked by one thread and by two, in turns, so that both meet the same machine.
//!
//! Rows are `threads/<work>/one` and `…/two`, each the median of its turns, with how many times as fast two are. Before that it is checked
//! that both worlds come to the same.
//!
//! `cargo bench --no-default-features --features parallel --bench threads`

mod packs;

use packs::{Packs, ticked};
use std::time::Duration;

/// How often each has its turn.
const TURNS: usize = 15;

fn main() {
    let works =
        [("hunt_200", 200, 1), ("hunt_4k", 4000, 1), ("hunt_24k", 24_000, 1), ("quiet_100k", 100_000, 20)];
    for (name, agents, awake) in works {
        measure(name, Packs { agents, awake, prey: None, avoid: true, threads: 1 });
    }
}

fn measure(name: &str, packs: Packs) {
    let mut worlds = [packs, Packs { threads: 2, ..packs }].map(Packs::world);
    packs.check(&worlds[0]);
    let ticks = (200_000 / packs.agents as u64).clamp(4, 200);
    let mut times = [const { Vec::new() }; 2];
    for _ in 0..TURNS {
        for (world, times) in worlds.iter_mut().zip(&mut times) {
            times.push(ticked(world, ticks) / ticks as u32);
        }
    }
    assert_eq!(worlds[0].digest(), worlds[1].digest(), "{name}: how many threads there are must not be felt");
    let [one, two] = times.map(median);
    println!(
        "threads/{name}/one {one:?}, threads/{name}/two {two:?}: {:.2} times as fast",
        one.as_secs_f64() / two.as_secs_f64()
    );
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
