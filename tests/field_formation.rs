//! Field reports of kind M, in a whole world, and a hunt whose first member dies; those of kinds F and Q stand in `tests/field`. See each test's first line for what was reported.

mod common;

use common::{Hunt, keyed, nearest_pair, squad_at};
use warband::{AgentDesc, EventKind, Limits, Spec, Vec3, vec3};

const DT: f64 = 1.0 / 60.0;

fn run(hunt: &mut Hunt, seconds: f64, mut each: impl FnMut(&Hunt)) {
    for _ in 0..(seconds / DT).round() as usize {
        hunt.tick(Vec3::ZERO, Vec3::ZERO, DT);
        each(hunt);
    }
}

/// Leader dies, squad stops or breaks up.
#[test]
fn the_hunting_squad_goes_on_when_its_first_member_dies() {
    let mut hunt = Hunt::new(1, 8, vec3(-20.0, 0.0, 0.0));
    run(&mut hunt, 3.0, |_| {});
    for _ in 0..7 {
        let before: Vec<_> = hunt.world.outputs().map(|out| (out.key, out.mode.to_owned())).collect();
        let first = hunt.world.members(hunt.pack).next().expect("a member");
        hunt.world.remove(first);
        hunt.tick(Vec3::ZERO, Vec3::ZERO, DT);
        let after: Vec<_> = hunt.world.outputs().map(|out| (out.key, out.mode.to_owned())).collect();
        for (key, mode) in &after {
            let was = &before.iter().find(|(known, _)| known == key).expect("it was there").1;
            let further = matches!((was.as_str(), mode.as_str()), ("wide", "narrow") | ("narrow", "direct"));
            assert!(was == mode || further, "{key}: {was} became {mode}");
        }
        let ring = hunt.world.ring(hunt.pack).expect("the squad");
        for out in hunt.world.outputs() {
            assert!(ring.place_of(out.key).is_some(), "{} has a place", out.key);
        }
        run(&mut hunt, 1.0, |_| {});
    }
    assert_eq!(hunt.world.outputs().count(), 1);
    assert!(hunt.world.outputs().all(|out| matches!(out.mode, "wide" | "narrow" | "direct")));
    assert!(hunt.world.all_problems().is_empty());
}

/// What is to come after an arrival comes, once, when the agent rests there and not before.
#[test]
fn an_arrival_ends_at_rest() {
    let goal = vec3(6.0, 0.0, 0.0);
    let arrive = Spec::new("arrive").set("to", goal).set("tolerance", 0.3);
    let tree = Spec::new("sequence")
        .with(arrive)
        .with(Spec::new("command").set("name", "here"))
        .with(Spec::new("wait").set("seconds", 1e6));
    for dt in [1.0 / 60.0, 0.1] {
        let mut hunt = squad_at(&tree, 1, &[(0, Vec3::ZERO)], vec3(0.0, 0.0, 500.0));
        let mut arrivals = Vec::new();
        for _ in 0..(8.0 / dt) as usize {
            let before = hunt.places()[0];
            hunt.world.tick(dt);
            arrivals.extend(hunt.world.commands().iter().map(|_| before.distance(goal)));
        }
        assert!(matches!(arrivals[..], [distance] if distance <= 0.3), "dt {dt}: {arrivals:?}");
    }
}

/// Vibrating at the goal, at any frame rate.
#[test]
fn m1_one_stops_on_the_mark_and_stays() {
    let tree = Spec::new("arrive").set("to", vec3(20.0, 0.0, 0.0)).set("tolerance", 0.3);
    for dt in [1.0 / 120.0, 1.0 / 60.0, 0.1, 0.5] {
        let mut hunt = squad_at(&tree, 1, &[(0, Vec3::ZERO)], vec3(0.0, 0.0, 500.0));
        let goal = vec3(20.0, 0.0, 0.0);
        for _ in 0..(8.0 / dt) as usize {
            hunt.world.tick(dt);
        }
        let start = hunt.places()[0];
        assert!(start.distance(goal) <= 0.3, "dt {dt}: {}", start.distance(goal));
        let (mut way, mut reversals, mut last, mut before) = (0.0, 0, Vec3::ZERO, start);
        for _ in 0..(2.0 / dt) as usize {
            hunt.world.tick(dt);
            let now = hunt.places()[0];
            let step = now - before;
            way += step.length();
            reversals += usize::from(step.dot(last) < 0.0);
            (last, before) = (step, now);
        }
        assert!(way <= 0.3 && reversals == 0, "dt {dt}: {way} m, {reversals} reversals");
    }
}

/// Coincident agents give NaN.
#[test]
fn m2_agents_on_one_point_part_the_same_way_twice() {
    let ends: Vec<_> = (0..2)
        .map(|_| {
            let tree = Spec::new("direct_chase");
            let mut hunt = squad_at(&tree, 1, &keyed([vec3(5.0, 0.0, 5.0); 8]), vec3(25.0, 0.0, 5.0));
            for _ in 0..120 {
                hunt.tick(vec3(25.0, 0.0, 5.0), Vec3::ZERO, DT);
                assert!(hunt.world.outputs().all(|out| out.position.is_finite() && out.velocity.is_finite()));
            }
            assert!(nearest_pair(&hunt.places()) >= 0.9, "{}", nearest_pair(&hunt.places()));
            (hunt.places(), hunt.world.digest())
        })
        .collect();
    assert_eq!(ends[0], ends[1]);
}

/// Chaser runs to where the player was.
#[test]
fn m9_a_chaser_follows_every_turn_of_the_player() {
    let mut hunt = squad_at(&Spec::new("direct_chase"), 1, &[(0, vec3(-15.0, 0.0, 0.0))], Vec3::ZERO);
    let mut player = Vec3::ZERO;
    for tick in 1..=180 {
        let time = tick as f64 * DT;
        let velocity = vec3(0.0, 0.0, if time <= 2.0 { 3.0 } else { -3.0 });
        player += velocity * DT as f32;
        hunt.tick(player, velocity, DT);
        let out = hunt.world.outputs().next().expect("the chaser");
        let way = player - out.position;
        if time >= 2.25 && way.length() > 2.0 {
            let off = out.velocity.angle_between(way).to_degrees();
            assert!(off <= 15.0, "{time:.2}: {off} degrees off");
        }
    }
}

/// A degenerate body is refused, and a place that is not finite is put aside with a problem.
#[test]
fn what_is_not_finite_is_put_aside() {
    let mut hunt = squad_at(&Spec::new("direct_chase"), 1, &[(0, vec3(-15.0, 0.0, 0.0))], Vec3::ZERO);
    let squad = hunt.pack;
    let bad = hunt.world.spawn(squad, AgentDesc::at(vec3(f32::NAN, 0.0, 0.0)));
    assert!(bad.is_err());
    let bad =
        hunt.world.spawn(squad, AgentDesc { limits: Limits::of(-1.0, 5.0), ..AgentDesc::at(Vec3::ZERO) });
    assert_eq!(bad.expect_err("refused").to_string(), "'radius' must be at least 0.001, got -1");
    hunt.tick(Vec3::ZERO, Vec3::ZERO, DT);
    hunt.tick(vec3(f32::INFINITY, 0.0, 0.0), Vec3::ZERO, DT);
    hunt.world.tick(f64::NAN);
    hunt.world.tick(-1.0);
    assert_eq!(hunt.world.all_problems().len(), 3, "{:?}", hunt.world.all_problems());
    assert_eq!(hunt.world.position(hunt.player), Some(Vec3::ZERO));
}

/// Nothing of a mode is told twice.
#[test]
fn every_mode_event_is_a_change() {
    let mut hunt = Hunt::new(3, 8, vec3(-30.0, 0.0, 0.0));
    run(&mut hunt, 20.0, |hunt| {
        for event in hunt.world.events() {
            if let EventKind::Mode { from, to } = &event.kind {
                assert_ne!(from, to);
            }
        }
    });
}
