//! One server, many small matches: what it costs to make a world, and to tick a thousand of eight agents each.
//!
//! Rows are `worlds/<work>/warband`: `create` and `create_lua` are one world with its tree and its eight agents, without Lua and with
//! compiled scripts that worlds share (`warband_alone`: with its own); `tick_1000` is a tick of all thousand.
//!
//! `cargo bench --bench many_worlds`

use criterion::Criterion;
use std::time::Duration;
#[cfg(feature = "lua")]
use warband::script::Chunks;
use warband::{ActorDesc, AgentDesc, Config, Spec, SquadDesc, World, vec3};

const DT: f64 = 1.0 / 60.0;

fn hunt() -> Spec {
    Spec::new("reactive_selector")
        .with(Spec::new("guard").when(Spec::new("sees_target")).with(Spec::new("direct_chase")))
        .with(Spec::new("patrol"))
}

fn people(world: &mut World, tree: &str) {
    world.add_actor(ActorDesc::at(vec3(12.0, 0.0, 0.0)));
    let route = vec![vec3(0.0, 0.0, -5.0), vec3(0.0, 0.0, 5.0)];
    let squad = world.add_squad(SquadDesc { name: "pack".into(), route, ..SquadDesc::default() });
    let squad = squad.expect("a new squad");
    for at in 0..8 {
        let desc = AgentDesc { tree: tree.into(), ..AgentDesc::at(vec3(-2.0 * at as f32, 0.0, 0.0)) };
        world.spawn(squad, desc).expect("a new agent");
    }
}

fn plain(seed: u64) -> World {
    let mut world = World::new(Config { seed, ..Config::default() });
    world.add_tree("hunt", &hunt()).expect("right");
    people(&mut world, "hunt");
    world
}

#[cfg(feature = "lua")]
fn scripted(seed: u64, chunks: &Chunks) -> World {
    let mut world = World::new(Config { seed, ..Config::default() });
    world.set_chunks(chunks);
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    world.set_script_root(root);
    world.load("encircle.lua").expect("right");
    people(&mut world, "encircle");
    world
}

#[cfg(feature = "lua")]
fn with_lua(criterion: &mut Criterion) {
    let chunks = Chunks::default();
    let (mut alone, mut shared) = (scripted(7, &Chunks::default()), scripted(7, &chunks));
    let compiled = chunks.compiled();
    let mut later = scripted(7, &chunks);
    (0..120).for_each(|_| [&mut alone, &mut shared, &mut later].into_iter().for_each(|world| world.tick(DT)));
    assert!(cfg!(not(feature = "luau")) || chunks.compiled() == compiled, "a later one compiles nothing");
    assert!(alone.digest() == shared.digest() && alone.digest() == later.digest(), "the same world");
    criterion.bench_function("worlds/create_lua/warband", |bencher| {
        bencher.iter_with_large_drop(|| scripted(7, &chunks));
    });
    criterion.bench_function("worlds/create_lua/warband_alone", |bencher| {
        bencher.iter_with_large_drop(|| scripted(7, &Chunks::default()));
    });
}

fn main() {
    let mut criterion = Criterion::default()
        .configure_from_args()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .sample_size(10);
    criterion.bench_function("worlds/create/warband", |bencher| bencher.iter_with_large_drop(|| plain(7)));
    #[cfg(feature = "lua")]
    with_lua(&mut criterion);
    let mut worlds: Vec<World> = (0..1000).map(plain).collect();
    criterion.bench_function("worlds/tick_1000/warband", |bencher| {
        bencher.iter(|| worlds.iter_mut().for_each(|world| world.tick(DT)));
    });
    assert!(worlds.iter().all(|world| world.all_problems().is_empty()));
    assert!(worlds.iter().all(|world| world.outputs().all(|wolf| wolf.mode == "direct")));
    criterion.final_summary();
}
