//! A server with many small matches: what a world of eight agents costs, by counts.

mod counting;

use counting::{allocations, held};
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
const MOST_BYTES: isize = 30_000;

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
