//! Walkers that meet each other, or those who only stand, get past each other and to their goals.

mod crowd;

use crowd::{Crowd, lattice};
use warband::{ActorDesc, Config, Limits, Vec3, vec3};

const DT: f64 = 1.0 / 60.0;

fn x(x: f32, z: f32) -> Vec3 {
    vec3(x, 0.0, z)
}

/// Walkers of the field reports' body at this speed.
fn walkers(speed: f32, ways: &[(Vec3, Vec3)]) -> Crowd {
    let mut crowd = Crowd::new(Config::default());
    crowd.limits = Limits { max_acceleration: 20.0, ..Limits::of(0.5, speed) };
    ways.iter().for_each(|(from, to)| crowd.walker(*from, *to));
    crowd
}

/// All get there, and nobody ever comes nearer than this share of the sum of radii.
fn meet(mut crowd: Crowd, within: f64, gap: f32) -> Crowd {
    let time = crowd.until_arrived(within, DT);
    eprintln!("{time:.2} s, least gap {:.3}", crowd.gap);
    let late =
        |at: &usize| crowd.goals[*at].is_some_and(|goal| goal.distance(crowd.at(*at)) > crowd.limits.radius);
    let late: Vec<_> =
        (0..crowd.goals.len()).filter(late).map(|at| (at, crowd.at(at), crowd.goals[at])).collect();
    assert!(time <= within, "{} of {} arrived, and not {late:?}", crowd.arrived(), crowd.goals.len());
    assert!(crowd.gap >= gap, "gap {}", crowd.gap);
    crowd
}

#[test]
fn head_on_pairs_pass_at_every_offset_and_speed() {
    for speed in [1.0, 3.0, 5.0, 10.0] {
        for offset in [0.0, 1e-6, 1e-3, 0.01, 0.1, 0.5, 0.9] {
            let ways = [(x(-5.0, 0.0), x(5.0, 0.0)), (x(5.0, offset), x(-5.0, offset))];
            meet(walkers(speed, &ways), 1.2 + 11.5 / f64::from(speed), 0.99);
        }
    }
}

#[test]
fn dodgy_neighbours_that_are_near_count() {
    // B10: two of radius 1 that swap places passed at a distance of 0.5.
    let mut crowd = Crowd::new(Config::default());
    crowd.limits = Limits::of(1.0, 3.0);
    crowd.walker(x(-6.0, 0.0), x(6.0, 0.0));
    crowd.walker(x(6.0, 0.0), x(-6.0, 0.0));
    meet(crowd, 6.0, 0.99);
}

#[test]
fn one_who_leaves_takes_no_goal_with_him() {
    // B10: there the next agent walked to the goal of one that was removed.
    let mut crowd =
        walkers(5.0, &[(x(0.0, 0.0), x(9.0, 0.0)), (x(0.0, 2.0), x(9.0, 2.0)), (x(0.0, 4.0), x(9.0, 4.0))]);
    crowd.run(0.5, DT);
    crowd.world.remove(crowd.agents.remove(1));
    crowd.goals.remove(1);
    crowd.walked.remove(1);
    meet(crowd, 4.0, 0.99);
}

#[test]
fn crossings_of_two_to_twelve_are_undone() {
    for count in 2..=12 {
        let ways: Vec<_> = (0..count)
            .map(|at| {
                let out = warband::math::direction(std::f32::consts::TAU * at as f32 / count as f32) * 6.0;
                (out, -out)
            })
            .collect();
        meet(walkers(3.0, &ways), 9.0, 0.95);
    }
}

#[test]
fn two_meet_in_a_doorway() {
    for width in [1.1, 1.2, 1.5, 2.0, 2.4, 4.0] {
        let mut crowd = walkers(5.0, &[(x(-6.0, 0.0), x(6.0, 0.0)), (x(6.0, 0.0), x(-6.0, 0.0))]);
        crowd.door(width);
        meet(crowd, 15.0, 0.95);
    }
}

#[test]
fn ten_go_through_one_door() {
    for width in [1.2, 1.5, 2.4] {
        let mut crowd = Crowd::new(Config::default());
        for (at, from) in lattice(10, 1.2, x(-5.0, 0.0)).into_iter().enumerate() {
            crowd.walker(from, x(6.0 + (at / 4) as f32 * 1.3, (at % 4) as f32 * 1.3 - 2.0));
        }
        crowd.door(width);
        meet(crowd, 20.0, 0.95);
    }
}

#[test]
fn opposing_streams_pass() {
    for (half, apart) in [(2.0_f32, 1.2_f32), (3.0, 1.5)] {
        let mut crowd = Crowd::new(Config::default());
        for at in 0..10 {
            let (aside, back) = ((at % 2) as f32 * apart - 0.5 * apart, (at / 2) as f32 * 1.2);
            crowd.walker(x(-8.0 - back, aside), x(13.0 - back, aside));
            crowd.walker(x(8.0 + back, aside), x(-13.0 + back, aside));
        }
        crowd.walls(&[(x(-30.0, half), x(30.0, half)), (x(-30.0, -half), x(30.0, -half))]);
        meet(crowd, 30.0, 0.95);
    }
}

#[test]
fn a_wall_of_five_who_stand_lets_one_through_and_closes_again() {
    // Rows 12 and 14.
    for offset in [0.0, 0.3, 0.5, 1.2] {
        let mut crowd = Crowd::new(Config::default());
        crowd.walker(x(-6.0, offset), x(6.0, offset));
        for at in -2..=2 {
            crowd.idler(x(0.0, at as f32 * 1.05));
        }
        let before = crowd.places();
        let mut crowd = meet(crowd, 10.0, 0.95);
        crowd.run(4.0, DT);
        let back = (1..6).map(|at| crowd.at(at).distance(before[at])).fold(0.0, f32::max);
        assert!(back <= 0.2, "{back} m off at offset {offset}");
    }
}

#[test]
fn a_standing_crowd_parts_and_closes_again() {
    let mut crowd = Crowd::new(Config::default());
    crowd.walker(x(-8.0, 0.3), x(8.0, 0.3));
    lattice(49, 1.3, Vec3::ZERO).into_iter().for_each(|at| crowd.idler(at));
    let before = crowd.places();
    let mut crowd = meet(crowd, 20.0, 0.95);
    crowd.run(4.0, DT);
    let back = (1..50).map(|at| crowd.at(at).distance(before[at])).fold(0.0, f32::max);
    assert!(back <= 0.2, "{back} m off");
}

#[test]
fn one_who_has_arrived_is_hardly_moved_by_a_passer() {
    // Row 27.
    for offset in [0.0, 0.1, 0.25, 0.5, 0.75, 1.0] {
        let mut crowd = walkers(5.0, &[(x(-1.0, 0.0), x(0.0, 0.0))]);
        crowd.run(2.0, DT);
        assert!(crowd.world.output(crowd.agents[0]).expect("there").arrived);
        let stood = crowd.at(0);
        crowd.walker(x(-6.0, offset), x(6.0, offset));
        let mut moved: f32 = 0.0;
        for _ in 0..240 {
            crowd.tick(DT);
            moved = moved.max(crowd.at(0).distance(stood));
        }
        eprintln!("offset {offset}: moved {moved:.3}, back {:.3}", crowd.at(0).distance(stood));
        assert_eq!(crowd.arrived(), 2);
        assert!(moved < 0.3 && crowd.at(0).distance(stood) <= 0.2, "offset {offset}: {moved}");
        assert!(crowd.world.output(crowd.agents[0]).expect("there").arrived, "it has not left");
    }
}

#[test]
fn who_stands_makes_way_for_the_player() {
    let mut crowd = Crowd::new(Config::default());
    crowd.idler(Vec3::ZERO);
    let player = crowd.world.add_actor(ActorDesc { faction: "wolves".into(), ..ActorDesc::at(x(-6.0, 0.1)) });
    let mut least = f32::MAX;
    for tick in 0..360 {
        let at = x(-6.0 + tick as f32 * 0.05, 0.1);
        crowd.world.set_actor(player, at, x(3.0, 0.0));
        crowd.tick(DT);
        least = least.min(crowd.at(0).distance(at));
    }
    assert!(least >= 0.95 && crowd.at(0).length() <= 0.2, "{least}, then at {}", crowd.at(0));
}

#[test]
fn right_of_way_is_by_priority() {
    // The one with two ranks more goes straight; the other does all of the avoiding.
    let mut crowd = walkers(3.0, &[(x(-5.0, 0.0), x(5.0, 0.0)), (x(5.0, 0.0), x(-5.0, 0.0))]);
    crowd.world.set_priority(crowd.agents[1], 2.0);
    let (mut own, mut its) = (0.0_f32, 0.0_f32);
    for _ in 0..240 {
        crowd.tick(DT);
        (own, its) = (own.max(crowd.at(0).z.abs()), its.max(crowd.at(1).z.abs()));
    }
    assert!(crowd.arrived() == 2 && its < 0.05 && own > 0.7, "{own} and {its}");
}

#[test]
fn without_avoidance_one_is_avoided_and_does_not_avoid() {
    let mut crowd = walkers(3.0, &[(x(-5.0, 0.0), x(5.0, 0.0)), (x(5.0, 0.0), x(-5.0, 0.0))]);
    crowd.world.set_avoid(crowd.agents[0], false);
    let mut own = 0.0_f32;
    for _ in 0..240 {
        crowd.tick(DT);
        own = own.max(crowd.at(0).z.abs());
    }
    assert!(crowd.arrived() == 2 && own < 1e-3 && crowd.gap >= 0.95, "{own}, gap {}", crowd.gap);
}

#[test]
fn it_scales() {
    // Row 29: ten times the body and the speed is the same walk, ten times as large.
    let run = |scale: f32| {
        let mut crowd = Crowd::new(Config::default());
        crowd.limits = Limits::of(0.5 * scale, 5.0 * scale);
        for at in 0..6 {
            let out = warband::math::direction(at as f32) * (6.0 * scale);
            crowd.walker(out, -out);
        }
        crowd.run(1.5, DT);
        crowd.places()
    };
    let (small, large) = (run(0.2), run(20.0));
    for (a, b) in small.iter().zip(&large) {
        assert!((*a * 100.0).distance(*b) < 0.5, "{a} and {b}");
    }
}
