//! A server with many small matches: what a world of eight agents costs, by counts.

mod counting;

use counting::{allocations, held};
#[cfg(feature = "lua")]
use warband::script::Chunks;
use warband::{ActorDesc, AgentDesc, Config, Spec, SquadDesc, World, vec3};

fn world(seed: u64) -> World {
    let mut world = World::new(Config { seed, ..Config::default() });
    let hunt = Spec::new("reactive_selector")
        .with(Spec::new("guard").when(Spec::new("sees_target")).with(Spec::new("direct_chase")))
        .with(Spec::new("patrol"));
    world.add_tree("hunt", &hunt).expect("right");
    world.add_actor(ActorDesc::at(vec3(12.0, 0.0, 0.0)));
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
    for at in 0..8 {
        let desc = AgentDesc { tree: "hunt".into(), ..AgentDesc::at(vec3(-2.0 * at as f32, 0.0, 0.0)) };
        world.spawn(squad, desc).expect("new");
    }
    world
}

#[test]
fn a_world_is_made_with_few_allocations_and_is_small() {
    // The first world of a process makes what all have in common.
    drop(world(1));
    let made = allocations(|| drop(std::hint::black_box(world(1))));
    let (bytes, ticked) = held(|| {
        let mut world = world(1);
        (0..10).for_each(|_| world.tick(1.0 / 60.0));
        world
    });
    println!("{made} allocations, {bytes} bytes");
    assert!(made <= MOST_ALLOCATIONS, "{made} allocations for a world of eight");
    assert!(bytes <= MOST_BYTES, "a world of eight holds {bytes} bytes: {:#?}", ticked.memory());
}

/// As measured, and a fifth more.
const MOST_ALLOCATIONS: usize = 310;
const MOST_BYTES: isize = 39_000;
#[cfg(feature = "luau")]
const MOST_LUA: usize = 930_000;

#[test]
fn a_thousand_worlds_tick_without_allocating_and_do_not_feel_each_other() {
    let mut worlds: Vec<World> = (0..1000).map(|number| world(number % 10)).collect();
    let tick = |worlds: &mut Vec<World>| worlds.iter_mut().for_each(|world| world.tick(1.0 / 60.0));
    (0..20).for_each(|_| tick(&mut worlds));
    assert_eq!(allocations(|| tick(&mut worlds)), 0);
    let mut alone = world(3);
    (0..21).for_each(|_| alone.tick(1.0 / 60.0));
    assert!(worlds.iter().skip(3).step_by(10).all(|world| world.digest() == alone.digest()));
    assert_ne!(worlds[4].digest(), alone.digest(), "another seed");
}

/// With the scripts of this repository.
#[cfg(feature = "lua")]
fn scripted(seed: u64, chunks: Option<&Chunks>) -> World {
    let mut world = World::new(Config { seed, ..Config::default() });
    world.set_script_root(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts"));
    if let Some(chunks) = chunks {
        world.set_chunks(chunks);
    }
    world.load("encircle.lua").expect("right");
    world.add_actor(ActorDesc::at(vec3(12.0, 0.0, 0.0)));
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
    for at in 0..8 {
        let desc = AgentDesc { tree: "encircle".into(), ..AgentDesc::at(vec3(-2.0 * at as f32, 0.0, 0.0)) };
        world.spawn(squad, desc).expect("new");
    }
    world
}

#[cfg(feature = "luau")]
#[test]
fn worlds_that_share_compiled_scripts_compile_each_text_once() {
    let chunks = Chunks::default();
    let mut worlds = vec![scripted(1, Some(&chunks))];
    let (first, bytes) = (chunks.compiled(), chunks.bytes());
    assert!(first >= 6, "encircle.lua and what it requires, not {first} files");
    worlds.extend((2..20).map(|seed| scripted(seed, Some(&chunks))));
    assert_eq!((chunks.compiled(), chunks.bytes()), (first, bytes), "later worlds compile nothing");
    // What a load leaves behind is collected after the first ticks.
    worlds.iter_mut().for_each(|world| (0..10).for_each(|_| world.tick(1.0 / 60.0)));
    let most = worlds.iter().map(World::script_memory).max().unwrap_or_default();
    println!("{first} texts, {bytes} bytes; a VM holds {most} bytes");
    assert!(most <= MOST_LUA, "a world of eight holds {most} bytes of Lua");
    // Text that differs is another one, in whichever file it stands; equal text is the same.
    let text = "return bt.wait { seconds = 1 }";
    worlds[3].reload("new.lua", text).expect("right");
    assert_eq!(chunks.compiled(), first + 1);
    worlds[4].reload("other.lua", text).expect("right");
    assert_eq!(chunks.compiled(), first + 1);
    worlds[4].reload("other.lua", "return bt.wait { seconds = 2 }").expect("right");
    assert_eq!(chunks.compiled(), first + 2);
}

#[cfg(feature = "lua")]
#[test]
fn a_world_with_shared_scripts_is_the_same_as_one_with_its_own() {
    let chunks = Chunks::default();
    for seed in 0..3 {
        let (mut alone, mut shared) = (scripted(seed, None), scripted(seed, Some(&chunks)));
        for _ in 0..300 {
            alone.tick(1.0 / 60.0);
            shared.tick(1.0 / 60.0);
        }
        assert_eq!(alone.digest(), shared.digest());
        assert_eq!(alone.script_work(), shared.script_work(), "also the budget is spent alike");
    }
}

/// Faults name their own file and line, also where the same text was compiled for another file.
#[cfg(feature = "lua")]
#[test]
fn a_fault_in_shared_code_is_told_with_the_file_of_its_own() {
    let chunks = Chunks::default();
    let text = "local a = 1\nlocal b = nil + a\nreturn bt.wait { seconds = b }";
    for file in ["one.lua", "two.lua"] {
        let mut world = World::new(Config::default());
        world.set_chunks(&chunks);
        let fault = world.reload(file, text).expect_err("nil is no number");
        assert!(fault.to_string().starts_with(&format!("{file}:2: ")), "{fault}");
        let fault = world.reload(file, "return (").expect_err("cut short");
        assert!(fault.to_string().starts_with(&format!("{file}:1: ")), "{fault}");
    }
}
