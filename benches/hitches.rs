//! Whether any tick is a hitch: the median, p99 and longest of a hundred thousand ticks, with Lua's collector in each of them.
//!
//! Two hundred agents in packs that patrol, see an actor and hunt, each of them with a leaf in Lua besides that makes vectors and
//! texts in every tick; and the same once more with a script that is saved anew every ten seconds, whose leavings are collected in
//! the ticks after it (`Config::script_collection` is the most that any of them collects). A shared machine takes the processor away now and then, and that is in the longest tick too: what says whether a
//! tick was long of itself is its work, so nodes visited, lines of sight, instructions of Lua
//! and bytes collected stand beside.
//!
//! `cargo bench --bench hitches`, with a number for so many ticks (`-- 10000`).

use std::time::Instant;
use warband::math::direction;
use warband::{ActorDesc, ActorId, AgentDesc, Config, SquadDesc, World, vec3};

const DT: f64 = 1.0 / 60.0;
const TICKS: usize = 100_000;
/// Ticks that are not counted: those in which all begins.
const WARM: usize = 600;
/// Ticks between two reloads.
const RELOAD: usize = 600;

const SCRIPT: &str = r#"
blackboard { agent = { note = "number" } }

local garbage = bt.action {
  tick = function(self)
    local way = vec3(1, 0, 0) * self.time + self.position
    local text = "at " .. way.x
    self.board.note = #text
    return "running"
  end,
}

local hunt = bt.reactive_selector {
  bt.guard { when = bt.sees_target {}, bt.bands { by = "target_distance", margin = 1,
    { below = 8, bt.direct_chase {} }, { bt.formation { radius = 12 } } } },
  bt.guard { when = bt.remembers_target { within = 5 }, bt.patrol {} },
  bt.patrol {},
}

return bt.tree("hunt", bt.parallel { hunt, garbage })
"#;

/// What is counted of a tick.
const WORKS: [&str; 5] =
    ["nodes visited", "lines of sight", "instructions of Lua", "bytes collected", "bytes of Lua held"];

struct Run {
    world: World,
    actors: Vec<ActorId>,
}

impl Run {
    /// Twenty-five packs 40 m apart, and six actors that walk among them.
    fn new() -> Self {
        let mut world = World::new(Config::default());
        world.reload("hunt.lua", SCRIPT).expect("right");
        for pack in 0..25_u32 {
            let middle = vec3((pack % 5) as f32, 0.0, (pack / 5) as f32) * 40.0;
            let route = vec![middle + vec3(-6.0, 0.0, 0.0), middle + vec3(6.0, 0.0, 0.0)];
            let desc = SquadDesc { name: format!("pack {pack}"), route, ..SquadDesc::default() };
            let squad = world.add_squad(desc).expect("new");
            for at in 0..8 {
                let place = middle + direction(at as f32 * 0.785) * 2.0;
                let desc = AgentDesc { tree: "hunt".into(), ..AgentDesc::at(place) };
                world.spawn(squad, desc).expect("new");
            }
        }
        let actors = (0..6).map(|_| world.add_actor(ActorDesc::at(vec3(0.0, 0.0, 0.0)))).collect();
        Self { world, actors }
    }

    /// The time of a tick, ms.
    #[allow(clippy::disallowed_methods, reason = "a bench measures time")]
    fn tick(&mut self, number: usize) -> f64 {
        for (at, actor) in self.actors.iter().enumerate() {
            let turn = number as f32 * 0.0004 * (1.0 + at as f32 * 0.3) + at as f32;
            let place = vec3(80.0, 0.0, 80.0) + direction(turn) * (30.0 + 10.0 * at as f32);
            self.world.set_actor(*actor, place, vec3(0.0, 0.0, 0.0));
        }
        let start = Instant::now();
        self.world.tick(DT);
        start.elapsed().as_secs_f64() * 1e3
    }

    /// The time of a reload between two ticks, ms.
    #[allow(clippy::disallowed_methods, reason = "a bench measures time")]
    fn reload(&mut self, number: usize) -> f64 {
        let text = SCRIPT.replace(
            "radius = 12",
            if number.is_multiple_of(2 * RELOAD) { "radius = 11" } else { "radius = 12" },
        );
        let start = Instant::now();
        self.world.reload("hunt.lua", &text).expect("right");
        start.elapsed().as_secs_f64() * 1e3
    }

    /// What the last tick did: nodes visited, lines of sight, instructions of Lua, bytes collected, bytes of Lua held after it.
    fn work(&self) -> [f64; WORKS.len()] {
        let lua = self.world.script_work().instructions;
        let (sight, collected) = (self.world.sight_tests(), self.world.script_collected());
        let held = self.world.script_memory();
        [self.world.visits() as f64, sight as f64, lua as f64, collected as f64, held as f64]
    }
}

/// The value that this share of them does not exceed.
fn share(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

fn row(what: &str, mut values: Vec<f64>) {
    values.sort_by(f64::total_cmp);
    let [half, most, nearly, all] = [0.5, 0.99, 0.999, 1.0].map(|part| share(&values, part));
    println!("| {what} | {half:.3} | {most:.3} | {nearly:.3} | {all:.3} |");
}

fn measure(ticks: usize, reloads: bool) {
    let mut run = Run::new();
    for number in 0..WARM {
        run.tick(number);
    }
    let (mut times, mut swaps) = (Vec::with_capacity(ticks), Vec::new());
    let mut works = [const { Vec::new() }; WORKS.len()];
    let mut hunted = 0;
    for number in WARM..WARM + ticks {
        if reloads && number % RELOAD == 0 {
            swaps.push(run.reload(number));
        }
        times.push(run.tick(number));
        works.iter_mut().zip(run.work()).for_each(|(list, value)| list.push(value));
        if number % 600 == 0 {
            hunted += run.world.outputs().filter(|out| out.mode != "patrol").count();
        }
    }
    assert!(run.world.all_problems().is_empty(), "{:?}", run.world.all_problems());
    assert!(hunted > 0, "nobody hunted");
    let most = works[3].iter().copied().fold(0.0, f64::max);
    assert!(most <= Config::default().script_collection as f64, "a tick collected {most} bytes");
    let what = if reloads { format!(", {} reloads on the way", swaps.len()) } else { String::new() };
    println!("\n{ticks} ticks of 200 agents{what}\n");
    println!("| of a tick | median | p99 | p99.9 | longest |\n| --- | ---: | ---: | ---: | ---: |");
    row("time, ms", times);
    WORKS.iter().zip(works).for_each(|(what, values)| row(what, values));
    if reloads {
        row("time of a reload, ms", swaps);
    }
}

fn main() {
    let ticks = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(TICKS);
    measure(ticks, false);
    measure(ticks, true);
}
