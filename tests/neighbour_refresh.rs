//! Lists of neighbours that are kept for a while: no result depends on it, whatever is done to the world meanwhile.

use warband::math::direction;
use warband::rng::Dice;
use warband::{ActorDesc, AgentDesc, Config, Limits, Spec, SquadDesc, Vec3, World, vec3};

const DT: f64 = 1.0 / 60.0;

fn flock() -> Spec {
    let node = Spec::new;
    node("blend").with(node("wander")).with(node("separation")).with(node("alignment")).with(node("cohesion"))
}

/// A scene of its own for each number: thick or thin flocks, walkers or fliers, packs on patrol, hunters round a prey.
fn scene(number: u64, config: Config) -> World {
    let mut world = World::new(Config { seed: number, ..config });
    world.add_tree("flock", &flock()).expect("right");
    world.add_tree("patrol", &Spec::new("patrol")).expect("right");
    world
        .add_tree("hunt", &Spec::new("selector").with(Spec::new("direct_chase")).with(flock()))
        .expect("right");
    let mut dice = Dice::new(77, &[number]);
    let thin = 0.6 + 0.7 * number as f32;
    for (squad, tree) in ["flock", "patrol", "hunt", "flock"].into_iter().enumerate() {
        let middle = vec3(squad as f32 * 9.0, 0.0, 0.0);
        let route = vec![middle, middle + vec3(0.0, 0.0, 20.0)];
        let desc = SquadDesc { name: format!("squad {squad}"), route, ..SquadDesc::default() };
        let id = world.add_squad(desc).expect("new");
        for at in 0..20 {
            let place = middle + direction(at as f32 * 2.4) * (at as f32).sqrt() * thin;
            let flies = squad == 3 && number % 2 == 1;
            let limits = Limits::of(0.3 + 0.1 * (at % 3) as f32, 2.0 + dice.below(6) as f32);
            let desc = AgentDesc { tree: tree.into(), limits, flies, ..AgentDesc::at(place) };
            world.spawn(id, desc).expect("new");
        }
    }
    world.add_actor(ActorDesc::at(vec3(12.0, 0.0, 30.0)));
    world
}

/// Bodies come, go, are put elsewhere and pushed, at ticks and places that depend on nothing but the number.
fn disturb(world: &mut World, dice: &mut Dice) {
    let count = world.outputs().count() as u64;
    let any = |world: &World, at: u64| world.outputs().nth(at as usize).expect("there are some").agent;
    let place = vec3(dice.below(40) as f32, 0.0, dice.below(25) as f32);
    match dice.below(40) {
        0 => world.set_agent(any(world, dice.below(count)), place, Vec3::ZERO),
        1 => world.remove(any(world, dice.below(count))),
        2 | 3 => {
            let squad = world.squads().nth(dice.below(4) as usize).expect("there are four");
            world.spawn(squad, AgentDesc { tree: "flock".into(), ..AgentDesc::at(place) }).expect("new");
        }
        4 => {
            let agent = any(world, dice.below(count));
            let at = world.position(agent).expect("it is there");
            world.set_agent(agent, at + vec3(1.1, 0.0, 0.4), vec3(15.0, 0.0, 0.0));
        }
        _ => {}
    }
}

fn digests(number: u64, config: Config) -> Vec<u64> {
    let mut world = scene(number, config);
    let mut dice = Dice::new(5, &[number]);
    let digests = (0..400).map(|tick| {
        disturb(&mut world, &mut dice);
        world.tick(if tick % 60 == 59 { 0.21 } else { DT });
        world.digest()
    });
    digests.collect()
}

#[test]
fn no_result_depends_on_how_long_lists_are_kept() {
    for number in 0..8 {
        let fresh = digests(number, Config::default());
        for neighbour_refresh in [0.05, 0.1, 0.3, 5.0] {
            let kept = digests(number, Config { neighbour_refresh, ..Config::default() });
            let differs = fresh.iter().zip(&kept).position(|(fresh, kept)| fresh != kept);
            assert_eq!(differs, None, "scene {number}, lists kept for {neighbour_refresh} s");
        }
    }
}

/// With agents that coast, and with numbers that are out of range.
#[test]
fn nor_where_movement_has_less_detail_or_the_number_is_none() {
    for neighbour_refresh in [-1.0, f32::NAN, f32::INFINITY, 0.1] {
        let run = |neighbour_refresh| {
            let steer_detail = vec![(5.0, 0.25)];
            let mut world = scene(3, Config { neighbour_refresh, steer_detail, ..Config::default() });
            world.set_focus(&[Vec3::ZERO]);
            (0..300).for_each(|_| world.tick(DT));
            world.digest()
        };
        assert_eq!(run(neighbour_refresh), run(0.0), "{neighbour_refresh}");
    }
}

/// Lists begin anew where a world is gone on with: that is not felt either.
#[test]
fn a_restored_world_goes_on_as_the_one_that_was_saved() {
    let config = || Config { neighbour_refresh: 0.2, ..Config::default() };
    let mut played = scene(2, config());
    (0..123).for_each(|_| played.tick(DT));
    let mut restored = scene(2, config());
    restored.restore(&played.snapshot()).expect("it is whole");
    for _ in 0..60 {
        played.tick(DT);
        restored.tick(DT);
        assert_eq!(played.digest(), restored.digest());
    }
}
