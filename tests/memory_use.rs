//! What a world says of its memory, against the allocator; and how much an agent may cost.

mod counting;

use warband::blackboard::{KeyDecl, Scope, ValueType};
use warband::{ActorDesc, AgentDesc, Config, MemoryUse, Spec, SquadDesc, World, vec3};

/// A tree of 13 nodes that hunts, and keys of all that a squad needs.
fn world_of(agents: usize) -> World {
    // The allocator counts by thread.
    let mut world = World::new(Config { threads: 1, ..Config::default() });
    for number in 0..6 {
        let key = KeyDecl::new(format!("own_{number}"), Scope::Agent, ValueType::Number);
        world.declare(key.default(1.0)).expect("legal");
    }
    for number in 0..4 {
        let key = KeyDecl::new(format!("shared_{number}"), Scope::Squad, ValueType::Bool);
        world.declare(key).expect("legal");
    }
    world.add_tree("hunt", &hunt()).expect("right");
    for pack in 0..agents.div_ceil(8) {
        let desc = SquadDesc {
            name: format!("pack {pack}"),
            route: vec![vec3(0.0, 0.0, 0.0), vec3(90.0, 0.0, 0.0)],
            key: Some(pack as u32),
            ..SquadDesc::default()
        };
        let squad = world.add_squad(desc).expect("a new squad");
        for at in 0..8 {
            let place = vec3((pack % 300) as f32 * 12.0 + at as f32, 0.0, (pack / 300) as f32 * 9.0);
            let desc = AgentDesc { tree: "hunt".into(), ..AgentDesc::at(place) };
            world.spawn(squad, desc).expect("a new agent");
        }
    }
    world.add_actor(ActorDesc::at(vec3(50.0, 0.0, 20.0)));
    (0..3).for_each(|_| world.tick(1.0 / 60.0));
    world
}

fn hunt() -> Spec {
    let chase = Spec::new("bands")
        .with(Spec::new("direct_chase").edge("below", 8.0))
        .with(Spec::new("formation").set("radius", 12.0));
    Spec::new("reactive_selector")
        .with(Spec::new("guard").when(Spec::new("sees_target")).with(chase))
        .with(
            Spec::new("guard")
                .when(Spec::new("remembers_target").set("within", 5.0))
                .with(Spec::new("search")),
        )
        .with(Spec::new("patrol"))
}

/// Bytes of the allocator, and what the world says.
fn weigh(agents: usize) -> (usize, MemoryUse) {
    let (held, world) = counting::held(|| world_of(agents));
    (held as usize, world.memory())
}

#[test]
fn what_the_world_says_is_what_the_allocator_gave() {
    // What does not grow with the agents falls out of a difference.
    let (few, some) = (weigh(800), weigh(8000));
    let (held, said) = (some.0 - few.0, some.1.total() - few.1.total());
    let apart = (held as f64 - said as f64).abs() / held as f64;
    println!("held {held}, said {said}: {:#?}", some.1);
    assert!(apart < 0.03, "the allocator gave {held} bytes, the world says {said}");
}

#[test]
fn a_hundred_thousand_agents_fit_in_256_mib() {
    // On a quarter of them, for time's sake: lists then have as much room to spare as those of all.
    let (held, memory) = weigh(25_000);
    println!("{} bytes an agent", held / 25_000);
    assert_eq!(memory.agents, 25_000);
    assert!(held * 4 < 256 << 20, "{held} bytes; {memory:#?}");
}

#[test]
fn ticks_that_go_on_hold_no_more() {
    let mut world = world_of(80);
    (0..900).for_each(|_| world.tick(1.0 / 60.0));
    let before = world.memory();
    (0..3000).for_each(|_| world.tick(1.0 / 60.0));
    assert_eq!(world.memory(), before);
}
