//! A few hundred agents already lag.
//!
//! 200, 1,000 and 4,000 agents with the whole of `encircle.lua`, in packs of eight spread over 400 × 400 m; every fourth
//! pack has a player to hunt. Asked for: time (4,000) ≤ 5 × time (1,000), and 8 KB per agent at most beyond the text of
//! scripts. Here the counts behind the time; the time itself is held by `cargo bench --bench growth`.

use super::counting::live_bytes;
use super::{Measure, at_most};
use std::path::Path;
use warband::math::direction;
use warband::{ActorDesc, AgentDesc, Config, SquadDesc, Vec3, World, vec3};

/// The edge of the ground, m.
const EDGE: f32 = 400.0;

/// So many agents in packs of eight, evenly spread.
pub fn packs(agents: u32) -> World {
    let mut world = World::new(Config { seed: 1, ..Config::default() });
    world.set_script_root(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts"));
    world.load("encircle.lua").expect("it is right");
    let packs = agents / 8;
    let columns = f64::from(packs).sqrt().ceil() as u32;
    for number in 0..packs {
        let spacing = EDGE / columns as f32;
        let den = vec3((number % columns) as f32, 0.0, (number / columns) as f32) * spacing;
        pack(&mut world, number, den);
    }
    world
}

fn pack(world: &mut World, number: u32, den: Vec3) {
    if number.is_multiple_of(4) {
        world.add_actor(ActorDesc::at(den + vec3(9.0, 0.0, 0.0)));
    }
    let route = vec![den, den + vec3(0.0, 0.0, 6.0)];
    let desc = SquadDesc { name: format!("pack {number}"), route, ..SquadDesc::default() };
    let squad = world.add_squad(desc).expect("new");
    for at in 0..8 {
        let place = den + direction(at as f32 * 0.785) * 2.0;
        let desc = AgentDesc { tree: "encircle".into(), ..AgentDesc::at(place) };
        world.spawn(squad, desc).expect("new");
    }
}

/// What one tick of a world costs, without a clock, and what it holds.
struct Cost {
    visits: f64,
    bytes: f64,
}

fn cost(agents: u32) -> Cost {
    let before = live_bytes();
    let mut world = packs(agents);
    (0..120).for_each(|_| world.tick(1.0 / 60.0));
    let visits = (0..60).map(|_| {
        world.tick(1.0 / 60.0);
        world.visits()
    });
    let visits = visits.sum::<u64>() as f64 / 60.0;
    // What Lua holds is no allocation of Rust's.
    Cost { visits, bytes: bytes(&world, before) }
}

/// What a world holds in Rust and in Lua, when `before` was held before it was made.
pub fn bytes(world: &World, before: i64) -> f64 {
    (live_bytes() - before) as f64 + world.script_memory() as f64
}

pub fn measure() -> Vec<Measure> {
    let [few, some, many] = [200, 1000, 4000].map(cost);
    // The text of the scripts is held once: what further agents add is what one holds.
    vec![
        at_most("visits of nodes in a tick, 1,000 beside 200", some.visits / few.visits, 6.25),
        at_most("visits of nodes in a tick, 4,000 beside 1,000", many.visits / some.visits, 5.0),
        at_most("bytes per agent, from 200 to 1,000", (some.bytes - few.bytes) / 800.0, 8192.0),
        at_most("bytes per agent, from 1,000 to 4,000", (many.bytes - some.bytes) / 3000.0, 8192.0),
    ]
}
