//! A steady tick of ten thousand agents in squads of eight, which patrol and hunt, allocates nothing.

mod common;
mod counting;

use common::chase;
use counting::allocations;
use warband::math::{Vec3, vec3};
use warband::{ActorDesc, ActorId, AgentDesc, Config, Senses, SquadDesc, World};

const DT: f64 = 1.0 / 60.0;
const PACKS: usize = 1250;

fn middle(pack: usize) -> Vec3 {
    vec3((pack % 36) as f32, 0.0, (pack / 36) as f32) * 40.0
}

fn world() -> (World, Vec<ActorId>) {
    let mut world = World::new(Config { threads: 1, ..Config::default() });
    world.add_tree("hunt", &chase(4.0, 8.0)).expect("right");
    for pack in 0..PACKS {
        let at = middle(pack);
        let route = vec![at - vec3(6.0, 0.0, 0.0), at + vec3(6.0, 0.0, 0.0)];
        let desc = SquadDesc { name: format!("pack {pack}"), route, ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("a new squad");
        // All round, and not as far as the next pack's prey: who is met is met at once.
        let senses = Senses { range: 20.0, lose_range: 22.0, angle: 360.0, ..Senses::default() };
        for number in 0..8 {
            let place = at + vec3((number % 4) as f32 * 1.5, 0.0, (number / 4) as f32 * 1.5);
            world
                .spawn(squad, AgentDesc { tree: "hunt".into(), senses, ..AgentDesc::at(place) })
                .expect("a new agent");
        }
    }
    let prey =
        (0..PACKS).step_by(9).map(|pack| world.add_actor(ActorDesc::at(middle(pack) + vec3(10.0, 0.0, 2.0))));
    let prey = prey.collect();
    (world, prey)
}

/// The prey goes round its place, so that rings are dealt and turned all the time.
fn tick(world: &mut World, prey: &[ActorId], number: usize) {
    let angle = number as f32 * 0.06;
    for (pack, actor) in prey.iter().enumerate() {
        let round = vec3(angle.cos(), 0.0, angle.sin()) * 1.5;
        world.set_actor(*actor, middle(pack * 9) + vec3(10.0, 0.0, 2.0) + round, vec3(0.0, 0.0, 0.0));
    }
    world.tick(DT);
}

#[test]
fn a_steady_tick_of_ten_thousand_agents_allocates_nothing() {
    let (mut world, prey) = world();
    (0..200).for_each(|number| tick(&mut world, &prey, number));
    let hunting = world.outputs().filter(|out| out.mode == "direct" || out.mode == "formation").count();
    assert!(world.outputs().count() == 10_000 && hunting > 200, "{hunting} hunt");
    let count = allocations(|| (200..240).for_each(|number| tick(&mut world, &prey, number)));
    assert_eq!(count, 0);
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}
