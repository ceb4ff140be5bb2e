//! Laws of avoidance: never NaN, never over a limit, never in a wall or off the ground, no order of insertion, mirror worlds, snapshots.

mod crowd;

use crowd::Crowd;
use warband::math::{direction, flat};
use warband::rng::Dice;
use warband::steer::avoid::{Avoidance, Disc, Other, horizon};
use warband::{AgentDesc, Config, Limits, Snapshot, Spec, SquadDesc, Vec3, Wall, Walls, World, vec3};

const DT: f64 = 1.0 / 60.0;

#[test]
fn the_function_is_finite_and_within_the_speed_whatever_it_is_given() {
    let mut dice = Dice::new(3, &[]);
    let mut avoidance = Avoidance::default();
    for case in 0..100_000 {
        let wild = case % 5 == 0;
        let mut number = |low: f64, high: f64| {
            let one = dice.range(low, high) as f32;
            match dice.range(0.0, if wild { 12.0 } else { 1e9 }) as u32 {
                0 => 0.0,
                1 => one * 1e20,
                2 if wild => f32::NAN,
                3 if wild => f32::INFINITY,
                _ => one,
            }
        };
        let mut disc = |id| Disc {
            id,
            position: vec3(number(-2.0, 2.0), number(-1.0, 1.0), number(-2.0, 2.0)),
            velocity: vec3(number(-5.0, 5.0), 0.0, number(-5.0, 5.0)),
            radius: number(0.01, 1.0).abs(),
        };
        let me = disc(0);
        avoidance.clear();
        for other in 1..=(case % 11) as u32 {
            let body = disc(other);
            avoidance.other(&me, &Other { body, share: 0.1 * other as f32, horizon: 0.65 });
        }
        for wall in 0..case % 4 {
            avoidance.surface(direction(wall as f32 * 1.7), 0.3 * wall as f32 - 0.2, 0.1);
        }
        let wanted = vec3(dice.range(-5.0, 5.0) as f32, 0.0, dice.range(-5.0, 5.0) as f32);
        let found = avoidance.velocity(wanted, 5.0);
        let top = if avoidance.is_empty() { wanted.length() } else { 5.0 };
        assert!(found.is_finite() && found.length() <= top + 0.01, "case {case}: {found}");
    }
}

#[test]
fn two_of_one_kind_that_keep_to_their_halves_do_not_touch() {
    // The law of reciprocal avoidance: both take half, and go on so for the horizon.
    let mut dice = Dice::new(8, &[]);
    let limits = Limits::of(0.5, 5.0);
    let (mut avoidance, horizon) = (Avoidance::default(), horizon(&limits));
    let mut near = 0;
    for case in 0..20_000 {
        let apart = direction(dice.range(-3.1, 3.1) as f32) * dice.range(1.02, 6.0) as f32;
        let mut velocity = || direction(dice.range(-3.1, 3.1) as f32) * dice.range(0.0, 5.0) as f32;
        let one = Disc { id: 1, position: Vec3::ZERO, velocity: velocity(), radius: 0.5 };
        let two = Disc { id: 2, position: apart, velocity: velocity(), radius: 0.5 };
        let mut part = |me: &Disc, body: Disc| {
            avoidance.clear();
            avoidance.other(me, &Other { body, share: 0.5, horizon });
            avoidance.velocity(me.velocity, 10.0)
        };
        let closing = part(&one, two) - part(&two, one);
        let along = (apart.dot(closing) / closing.length_squared().max(1e-9)).clamp(0.0, horizon);
        let least = (apart - closing * along).length();
        near += usize::from(least < 1.05);
        assert!(least >= 0.99, "case {case}: {least} m at {along} s, apart {apart}");
    }
    assert!(near > 1000, "{near} came near");
}

/// Walls and goals at random, walkers and idlers between them.
fn yard(seed: u64, order: &[usize], mirror: f32, off: f32) -> (Crowd, Vec<u32>) {
    let mut dice = Dice::new(seed, &[]);
    let mut crowd = Crowd::new(Config { seed, ..Config::default() });
    let point = |dice: &mut Dice| {
        vec3(dice.range(-12.0, 12.0) as f32, 0.0, mirror * (dice.range(-12.0, 12.0) as f32 + off))
    };
    let walls = (0..8)
        .map(|_| {
            let at = point(&mut dice);
            let wall = match dice.below(2) {
                0 => Wall::circle(at, dice.range(0.3, 2.0) as f32),
                _ => Wall::segment(at, at + vec3(dice.range(1.0, 6.0) as f32, 0.0, 0.0)),
            };
            wall.expect("a wall")
        })
        .collect();
    let walls = Walls::new(walls);
    let places: Vec<_> = (0..order.len())
        .map(|at| {
            let (from, to) = (point(&mut dice), point(&mut dice));
            (walls.push_out(from, 0.5), walls.push_out(to, 0.5), at % 4 != 3)
        })
        .collect();
    crowd.world.set_walls(walls);
    for at in order {
        let (from, to, walks) = places[*at];
        let desc = AgentDesc { key: Some(*at as u32), ..AgentDesc::at(from) };
        crowd.add(desc, walks.then_some(to));
    }
    (crowd, order.iter().map(|at| *at as u32).collect())
}

#[test]
fn a_hundred_thousand_steps_keep_every_law() {
    let mut steps = 0;
    for seed in 0..24 {
        let order: Vec<usize> = (0..30).collect();
        let (mut crowd, _) = yard(seed, &order, 1.0, 0.0);
        let walls = crowd_walls(seed);
        let mut dice = Dice::new(seed, &[7]);
        for _ in 0..140 {
            let dt = [DT, 1.0 / 144.0, 0.05, 0.3][dice.below(4) as usize];
            crowd.world.tick(dt);
            for out in crowd.world.outputs() {
                steps += 1;
                assert!(out.position.is_finite() && out.velocity.is_finite(), "seed {seed}: {out:?}");
                assert!(out.velocity.length() <= 5.001 && (out.facing.length() - 1.0).abs() < 1e-3);
                assert!(!walls.overlaps(out.position, 0.495), "seed {seed}: in a wall: {:?}", out.position);
            }
        }
    }
    assert!(steps >= 100_000, "{steps}");
}

/// The walls of a yard alone.
fn crowd_walls(seed: u64) -> Walls {
    let mut dice = Dice::new(seed, &[]);
    let walls = (0..8).map(|_| {
        let at = vec3(dice.range(-12.0, 12.0) as f32, 0.0, dice.range(-12.0, 12.0) as f32);
        let wall = match dice.below(2) {
            0 => Wall::circle(at, dice.range(0.3, 2.0) as f32),
            _ => Wall::segment(at, at + vec3(dice.range(1.0, 6.0) as f32, 0.0, 0.0)),
        };
        wall.expect("a wall")
    });
    Walls::new(walls.collect())
}

#[test]
fn the_order_of_insertion_cannot_be_felt() {
    for seed in 0..4 {
        let order: Vec<usize> = (0..40).collect();
        let mut shuffled = order.clone();
        let mut dice = Dice::new(seed, &[5]);
        (1..40).rev().for_each(|last| shuffled.swap(last, dice.below(last as u64 + 1) as usize));
        let run = |order: &[usize]| {
            let (mut crowd, keys) = yard(seed, order, 1.0, 0.0);
            crowd.run(6.0, DT);
            let mut ends: Vec<_> = keys
                .into_iter()
                .zip(crowd.places())
                .map(|(key, at)| (key, at.to_array().map(f32::to_bits)))
                .collect();
            ends.sort_unstable();
            (ends, crowd.world.digest())
        };
        assert_eq!(run(&order), run(&shuffled), "seed {seed}");
    }
}

#[test]
fn a_mirror_world_mirrors() {
    // Away from ties: exactly head-on all pass on the right, in every world.
    for seed in 0..4 {
        let order: Vec<usize> = (0..12).collect();
        let ((mut one, _), (mut other, _)) = (yard(seed, &order, 1.0, 0.0), yard(seed, &order, -1.0, 0.0));
        let apart = |one: &Crowd, other: &Crowd| {
            let mirrored = |at: Vec3| vec3(at.x, at.y, -at.z);
            let pairs = one.places().into_iter().zip(other.places());
            pairs.map(|(a, b)| mirrored(a).distance(b)).fold(0.0, f32::max)
        };
        one.world.set_walls(Walls::default());
        other.world.set_walls(Walls::default());
        for _ in 0..90 {
            one.tick(DT);
            other.tick(DT);
        }
        assert!(apart(&one, &other) < 0.02, "seed {seed}: {}", apart(&one, &other));
    }
}

#[test]
fn a_saved_crowd_goes_on_as_if_nothing_had_been() {
    // In the midst of walking, of being stuck, of making way, of resting for want of room.
    for ticks in [20, 90, 200, 400] {
        let order: Vec<usize> = (0..25).collect();
        let (mut crowd, _) = yard(2, &order, 1.0, 0.0);
        crowd.world.tick(DT);
        (0..ticks).for_each(|_| crowd.world.tick(DT));
        let saved = crowd.world.snapshot().to_bytes().expect("it can be saved");
        let (mut again, _) = yard(2, &order, 1.0, 0.0);
        again.world.restore(&Snapshot::from_bytes(&saved).expect("it can be read")).expect("it fits");
        for tick in 0..200 {
            crowd.world.tick(DT);
            again.world.tick(DT);
            assert_eq!(crowd.world.digest(), again.world.digest(), "{tick} ticks after {ticks}");
        }
    }
}

#[test]
fn nobody_is_pushed_through_a_wall() {
    // Sixty on one point in a pen that has room for them, and one for which there is not.
    for (half, count) in [(6.0_f32, 60), (3.0, 60)] {
        let mut crowd = Crowd::new(Config::default());
        (0..count).for_each(|_| crowd.idler(vec3(0.2, 0.0, 0.1)));
        let corner = |x: f32, z: f32| vec3(x * half, 0.0, z * half);
        crowd.walls(&[
            (corner(-1.0, -1.0), corner(1.0, -1.0)),
            (corner(1.0, -1.0), corner(1.0, 1.0)),
            (corner(1.0, 1.0), corner(-1.0, 1.0)),
            (corner(-1.0, 1.0), corner(-1.0, -1.0)),
        ]);
        crowd.run(4.0, DT);
        for at in crowd.places() {
            let out = flat(at).abs().max_element();
            assert!(out <= half - 0.5 + 1e-3, "{at} is in a wall of {half}");
        }
        let least = crowd::least_gap(&crowd.places(), 0.5);
        assert!(half < 4.0 || least >= 0.95, "{least}");
    }
}

#[test]
fn bodies_that_do_not_collide_pass_through_each_other() {
    let mut world = World::new(Config::default());
    let squad = world.add_squad(SquadDesc::default()).expect("a squad");
    let ghost = AgentDesc { avoid: false, collide: false, ..AgentDesc::at(Vec3::ZERO) };
    let agents = [0, 1].map(|_| world.spawn(squad, ghost.clone()).expect("an agent"));
    (0..60).for_each(|_| world.tick(DT));
    assert_eq!(world.position(agents[0]), world.position(agents[1]));
    world.set_collide(agents[0], true);
    (0..60).for_each(|_| world.tick(DT));
    assert_eq!(world.position(agents[0]), world.position(agents[1]), "it takes two");
    world.set_collide(agents[1], true);
    (0..60).for_each(|_| world.tick(DT));
    let apart =
        world.position(agents[0]).unwrap_or_default().distance(world.position(agents[1]).unwrap_or_default());
    assert!(apart >= 0.99, "{apart}");
}

#[test]
fn one_who_is_put_elsewhere_does_not_walk_back() {
    let mut crowd = Crowd::new(Config::default());
    crowd.idler(Vec3::ZERO);
    crowd.run(1.0, DT);
    crowd.world.set_agent(crowd.agents[0], vec3(7.0, 0.0, 0.0), Vec3::ZERO);
    crowd.run(3.0, DT);
    assert_eq!(crowd.at(0), vec3(7.0, 0.0, 0.0));
}

#[test]
fn a_priority_that_is_not_a_number_is_refused() {
    let mut world = World::new(Config::default());
    let squad = world.add_squad(SquadDesc::default()).expect("a squad");
    for priority in [f32::NAN, f32::INFINITY] {
        let refused = world.spawn(squad, AgentDesc { priority, ..AgentDesc::at(Vec3::ZERO) });
        assert!(refused.expect_err("refused").message().contains("priority"));
    }
    let tree = Spec::new("wait").set("seconds", 1.0);
    world.add_tree("wait", &tree).expect("the world is whole");
}
