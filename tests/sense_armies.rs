//! Where there are many enemies, an agent looks only at those about it; it perceives the same as if it looked at all.

use warband::rng::Dice;
use warband::{AgentDesc, AgentId, Config, Senses, SquadDesc, Vec3, World, vec3};

const COUNT: usize = 240;

struct Army {
    world: World,
    /// Each agent, where it stands and looks, and on whose side.
    agents: Vec<(AgentId, Vec3, Vec3, usize)>,
}

fn senses(number: usize) -> Senses {
    // Short, long, all round, and without end.
    match number % 4 {
        0 => Senses { range: 12.0, lose_range: 15.0, ..Senses::default() },
        1 => Senses::default(),
        2 => Senses { angle: 360.0, near: 5.0, ..Senses::default() },
        _ => Senses { range: f32::INFINITY, lose_range: f32::INFINITY, angle: 90.0, ..Senses::default() },
    }
}

fn armies(seed: u64, side: f64) -> Army {
    let mut world = World::new(Config { sight_tests: 1_000_000, ..Config::default() });
    let mut dice = Dice::new(seed, &[]);
    let mut agents = Vec::new();
    for (number, faction) in ["wolves", "bears"].into_iter().enumerate() {
        let desc = SquadDesc { name: faction.into(), faction: faction.into(), ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("a new squad");
        for at in 0..COUNT {
            let mut along = || dice.range(0.0, side) as f32;
            let (place, way) = (vec3(along(), 0.0, along()), vec3(along() - along(), 0.0, along() - along()));
            let desc = AgentDesc { facing: way, senses: senses(at), ..AgentDesc::at(place) };
            agents.push((world.spawn(squad, desc).expect("a new agent"), place, way.normalize(), number));
        }
    }
    Army { world, agents }
}

#[test]
fn many_enemies_are_perceived_as_if_all_were_looked_at() {
    for (seed, side) in [(1, 60.0), (2, 300.0)] {
        let Army { mut world, agents } = armies(seed, side);
        world.tick(1.0 / 60.0);
        let mut seen = 0;
        for (number, (agent, place, way, side)) in agents.iter().enumerate() {
            for (other, at, _, its) in &agents {
                let reaches =
                    side != its && senses(number % COUNT).reaches(*at - *place, *way, false, false).is_some();
                let perceived = world.awareness(*agent, *other) > 0.0;
                // The edges of bodies count for the angle: who is just out of it may be seen all the same.
                assert!(perceived || !reaches, "{agent:?} does not see {other:?}");
                let far =
                    (*at - *place).length() > senses(number % COUNT).range.max(senses(number % COUNT).near);
                assert!(!(perceived && far), "{agent:?} sees {other:?} from afar");
                seen += usize::from(perceived);
            }
        }
        assert!(seen > COUNT, "enough is seen: {seen}");
    }
}

#[test]
fn who_goes_out_of_range_is_no_more_in_view() {
    let Army { mut world, agents } = armies(3, 60.0);
    (0..5).for_each(|_| world.tick(1.0 / 60.0));
    let sees =
        |world: &World| (0..COUNT).filter(|at| world.awareness(agents[*at].0, agents[COUNT].0) > 0.0).count();
    assert!(sees(&world) > 10, "{}", sees(&world));
    world.set_agent(agents[COUNT].0, vec3(5000.0, 0.0, 5000.0), Vec3::ZERO);
    (0..5).for_each(|_| world.tick(1.0 / 60.0));
    let endless = (0..COUNT).filter(|at| at % 4 == 3).count();
    assert!(sees(&world) <= endless, "only who sees without end may see it: {}", sees(&world));
}
