//! Crowds that come to rest, and stay there: at one goal, on one point, asleep, at every frame rate and over its spikes.

mod crowd;

use crowd::{Crowd, lattice, least_gap};
use warband::math::flat;
use warband::{AgentDesc, Config, Limits, Vec3, vec3};

const DT: f64 = 1.0 / 60.0;

fn x(x: f32, z: f32) -> Vec3 {
    vec3(x, 0.0, z)
}

#[test]
fn forty_to_one_goal_come_to_rest_at_every_frame_rate() {
    // B11: DetourCrowd walks 0.9 to 3.7 m each in these ten seconds, landmass 3.0 to 4.8 m.
    for hz in [10.0, 30.0, 60.0, 144.0] {
        let mut crowd = Crowd::new(Config::default());
        lattice(40, 1.5, x(-12.0, 3.0)).into_iter().for_each(|from| crowd.walker(from, Vec3::ZERO));
        crowd.run(30.0, 1.0 / hz);
        crowd.walked.fill(0.0);
        crowd.run(10.0, 1.0 / hz);
        let most = crowd.walked.iter().copied().fold(0.0, f32::max);
        let gap = least_gap(&crowd.places(), 0.5);
        let far = crowd.places().iter().map(|place| place.length()).fold(0.0, f32::max);
        eprintln!("{hz} Hz: walked {most:.4} m, gap {gap:.3}, farthest {far:.2} m");
        assert!(most < 0.05 && gap >= 0.99, "{hz} Hz: walked {most}, gap {gap}");
        // Forty bodies fill a disc of 3.3 m at the closest; loosely, one of 6.5 m.
        assert!(far < 6.5, "{hz} Hz: {far} m off");
        assert!(crowd.world.outputs().all(|out| out.arrived && !out.blocked), "all are there");
    }
}

#[test]
fn who_rests_for_want_of_room_goes_on_when_there_is_some() {
    let mut crowd = Crowd::new(Config::default());
    lattice(25, 1.5, x(-10.0, 0.0)).into_iter().for_each(|from| crowd.walker(from, Vec3::ZERO));
    crowd.run(15.0, DT);
    let outer = (0..25).max_by(|a, b| crowd.at(*a).length().total_cmp(&crowd.at(*b).length())).expect("25");
    let far = crowd.at(outer).length();
    for at in (0..25).filter(|at| *at != outer) {
        crowd.world.remove(crowd.agents[at]);
    }
    (0..300).for_each(|_| crowd.world.tick(DT));
    let now = crowd.at(outer).length();
    assert!(far > 2.0 && now <= 0.5, "from {far} m to {now} m");
}

#[test]
fn an_arrive_of_one_that_finds_no_room_succeeds() {
    let mut world = warband::World::new(Config::default());
    let squad = world.add_squad(Default::default()).expect("a squad");
    let tree = warband::Spec::new("sequence").with(warband::Spec::new("arrive").set("to", Vec3::ZERO)).with(
        warband::Spec::new("mode").set("name", "there").with(warband::Spec::new("wait").set("seconds", 99.0)),
    );
    world.add_tree("go", &tree).expect("a good tree");
    for from in lattice(12, 1.3, x(-8.0, 1.0)) {
        world.spawn(squad, AgentDesc { tree: "go".into(), ..AgentDesc::at(from) }).expect("an agent");
    }
    (0..900).for_each(|_| world.tick(DT));
    let there = world.outputs().filter(|out| out.mode == "there").count();
    assert_eq!(there, 12);
}

#[test]
fn a_group_that_stands_sleeps() {
    // Row 26, dodgy's domino effect: touching, overlapping a little, and overlapping a lot.
    for apart in [1.05, 1.0, 0.97, 0.8, 0.5] {
        let mut crowd = Crowd::new(Config::default());
        lattice(50, apart, x(3.0, -2.0)).into_iter().for_each(|at| crowd.idler(at));
        crowd.run(2.0, DT);
        crowd.walked.fill(0.0);
        crowd.run(1.0, DT);
        let total: f32 = crowd.walked.iter().sum();
        eprintln!("apart {apart}: {total:.6} m/s, gap {:.3}", least_gap(&crowd.places(), 0.5));
        assert!(total < 1e-3, "apart {apart}: {total} m/s");
        assert!(least_gap(&crowd.places(), 0.5) >= 0.95);
    }
}

#[test]
fn any_number_on_one_point_part_and_the_same_way_on_each_run() {
    // B2, B3, B9, B13.
    for count in (2..=20).chain([37, 50, 64, 100]) {
        let run = || {
            let mut crowd = Crowd::new(Config::default());
            (0..count).for_each(|_| crowd.idler(x(5.0, 5.0)));
            crowd.run(3.0, DT);
            (crowd.world.digest(), least_gap(&crowd.places(), 0.5))
        };
        let (first, second) = (run(), run());
        assert!(first.1 >= 0.95, "{count}: gap {}", first.1);
        assert_eq!(first.0, second.0, "{count}: another run, another end");
    }
}

#[test]
fn coincident_walkers_with_one_wish_part() {
    // B3: RVO2 lets them walk on together for ever.
    let mut crowd = Crowd::new(Config::default());
    (0..8).for_each(|_| crowd.walker(x(0.0, 0.0), x(15.0, 0.0)));
    crowd.run(1.5, DT);
    assert!(least_gap(&crowd.places(), 0.5) >= 0.95, "{}", least_gap(&crowd.places(), 0.5));
}

#[test]
fn a_resting_group_turns_nobody_round() {
    // Row 3: fewer than one change of heading a second.
    let mut crowd = Crowd::new(Config::default());
    lattice(20, 1.4, x(-9.0, 0.0)).into_iter().for_each(|from| crowd.walker(from, Vec3::ZERO));
    crowd.run(15.0, DT);
    let facing = |crowd: &Crowd| crowd.world.outputs().map(|out| out.facing).collect::<Vec<_>>();
    let before = facing(&crowd);
    let mut turned = 0;
    for _ in 0..300 {
        let was = facing(&crowd);
        crowd.tick(DT);
        turned += was.iter().zip(facing(&crowd)).filter(|(was, is)| was.dot(*is) < 0.0).count();
    }
    assert_eq!(turned, 0);
    assert!(before.iter().zip(facing(&crowd)).all(|(was, is)| was.distance(is) < 0.05));
}

#[test]
fn one_agent_rests_and_keeps_its_heading() {
    // Rows 1 and 16.
    for dt in [0.5, 0.1, DT, 1.0 / 144.0] {
        let mut crowd = Crowd::walking(&[(x(0.0, 0.0), x(12.0, 5.0))]);
        let max_turn = f64::from(crowd.limits.turning.max_turn);
        let facing = |crowd: &Crowd| crowd.world.output(crowd.agents[0]).expect("there").facing;
        let arrived = crowd.until_arrived(10.0, dt);
        assert!(arrived < 5.0, "dt {dt}: {arrived}");
        for _ in 0..(2.0 / dt) as usize {
            let was = facing(&crowd);
            crowd.tick(dt);
            assert!(f64::from(was.angle_between(facing(&crowd))) <= max_turn * dt + 1e-3);
        }
        let was = facing(&crowd);
        crowd.walked.fill(0.0);
        crowd.run(2.0, dt);
        assert_eq!((crowd.walked[0], facing(&crowd)), (0.0, was), "dt {dt}");
    }
}

#[test]
fn a_spike_of_two_seconds_scatters_nobody() {
    // Row 8.
    for spike in [0.3, 1.0, 2.0, 50.0] {
        let mut crowd = Crowd::new(Config::default());
        lattice(20, 1.2, x(-8.0, 0.0)).into_iter().for_each(|from| crowd.walker(from, Vec3::ZERO));
        crowd.walls(&[(x(-20.0, 4.0), x(3.0, 4.0)), (x(3.0, -9.0), x(3.0, 9.0))]);
        crowd.run(1.0, DT);
        let before = crowd.places();
        crowd.tick(spike);
        for (from, to) in before.iter().zip(crowd.places()) {
            assert!(from.distance(to) <= 5.0 * 2.0, "{} m in {spike} s", from.distance(to));
            assert!(to.x < 2.51 && to.z < 3.51, "in a wall or behind it: {to}");
        }
        assert!(least_gap(&crowd.places(), 0.5) >= 0.9, "{}", least_gap(&crowd.places(), 0.5));
        crowd.run(20.0, DT);
        crowd.walked.fill(0.0);
        crowd.run(2.0, DT);
        assert!(crowd.walked.iter().all(|walked| *walked < 0.05), "they rest");
    }
}

#[test]
fn a_very_strong_body_gets_round_a_corner() {
    // Row 18.
    for acceleration in [20.0, 1000.0, f32::INFINITY] {
        let mut crowd = Crowd::new(Config::default());
        crowd.limits = Limits { max_acceleration: acceleration, ..Limits::of(0.5, 5.0) };
        crowd.walker(x(-4.0, 3.0), x(4.0, 3.0));
        crowd.door(1.4);
        let time = crowd.until_arrived(8.0, DT);
        assert!(time <= 4.5, "{acceleration}: {time} s");
    }
}

#[test]
fn twenty_chasers_are_never_in_each_other() {
    // Row 11.
    let mut crowd = Crowd::new(Config::default());
    crowd.world.add_tree("chase", &warband::Spec::new("direct_chase")).expect("a tree");
    let hero = crowd.world.add_actor(warband::ActorDesc::at(Vec3::ZERO));
    for at in lattice(20, 1.3, x(-10.0, 0.0)) {
        crowd.add(AgentDesc::at(at), None);
        let last = *crowd.agents.last().expect("one");
        crowd.world.set_tree(last, "chase").expect("a tree");
    }
    let mut overlap = 0.0_f32;
    for tick in 0..1800 {
        let turn = (tick as f32 / 60.0 - 5.0).max(0.0) * 0.7;
        let at = x(6.0 * turn.cos() - 6.0, 6.0 * turn.sin());
        let ahead = x(-turn.sin(), turn.cos()) * if turn > 0.0 { 4.2 } else { 0.0 };
        crowd.world.set_actor(hero, at, ahead);
        crowd.tick(DT);
        overlap = crowd.places().iter().map(|place| 1.0 - flat(*place - at).length()).fold(overlap, f32::max);
    }
    eprintln!("least gap {:.3}, overlap with the player {overlap:.3}", crowd.gap);
    assert!(crowd.gap >= 0.95, "{}", crowd.gap);
    assert!(overlap <= 0.1, "{overlap}");
}
