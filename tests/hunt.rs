//! The hunt as the article wants it, over 20 seeds.

mod common;

use common::{Hunt, square_walk};
use warband::squad::largest_gap;
use warband::{EventKind, Vec3, vec3};

const DT: f64 = 1.0 / 60.0;

struct Story {
    hunting_spread: f64,
    in_order: bool,
    near_at_end: usize,
    worst_overlap: f32,
    longest_stand: f32,
    best_gap: f32,
    closest_in_formation: f32,
}

fn hunt(seed: u64, walking: bool) -> Story {
    let mut hunt = Hunt::new(seed, 8, vec3(-30.0, 0.0, 0.0));
    let mut modes: Vec<Vec<String>> = vec![Vec::new(); 8];
    let mut hunting = [None; 8];
    let mut stood = [0.0_f32; 8];
    let mut story = Story {
        hunting_spread: 0.0,
        in_order: true,
        near_at_end: 0,
        worst_overlap: 0.0,
        longest_stand: 0.0,
        best_gap: 360.0,
        closest_in_formation: f32::MAX,
    };
    let mut player = Vec3::ZERO;
    for tick in 1..=(25 * 60) {
        let time = tick as f64 * DT;
        let velocity;
        (player, velocity) = if walking { square_walk(time) } else { (Vec3::ZERO, Vec3::ZERO) };
        hunt.tick(player, velocity, DT);
        for event in hunt.world.events() {
            if let EventKind::Mode { to, .. } = &event.kind {
                let out = hunt.world.output(event.agent.expect("an agent")).expect("there");
                modes[out.key as usize].push(to.to_string());
                if &**to == "wide" {
                    hunting[out.key as usize].get_or_insert(time);
                }
            }
        }
        let outs: Vec<_> = hunt.world.outputs().collect();
        for out in &outs {
            let distance = out.position.distance(player);
            let key = out.key as usize;
            story.worst_overlap = story.worst_overlap.max(1.0 - distance);
            if matches!(out.mode, "wide" | "narrow") {
                story.closest_in_formation = story.closest_in_formation.min(distance);
                stood[key] = if out.velocity.length() < 0.05 { stood[key] + DT as f32 } else { 0.0 };
                story.longest_stand = story.longest_stand.max(stood[key]);
            }
        }
        for (at, one) in outs.iter().enumerate() {
            for other in &outs[at + 1..] {
                story.worst_overlap = story.worst_overlap.max(1.0 - one.position.distance(other.position));
            }
        }
        if outs.iter().all(|out| out.mode != "direct") && outs.iter().all(|out| out.mode != "patrol") {
            story.best_gap = story.best_gap.min(largest_gap(player, &hunt.places()));
        }
    }
    let times: Vec<f64> = hunting.iter().filter_map(|time| *time).collect();
    assert_eq!(times.len(), 8, "seed {seed}: all hunt: {modes:?}");
    story.hunting_spread =
        times.iter().fold(0.0_f64, |a, b| a.max(*b)) - times.iter().fold(99.0_f64, |a, b| a.min(*b));
    story.in_order = walking
        || modes.iter().all(|modes| {
            modes == &["patrol", "wide", "narrow", "direct"] || modes == &["wide", "narrow", "direct"]
        });
    if !story.in_order {
        eprintln!("seed {seed}: {modes:?}");
    }
    story.near_at_end = hunt.places().iter().filter(|place| place.distance(player) <= 2.5).count();
    story
}

#[test]
fn a_player_who_stands_still_is_encircled_and_reached() {
    for seed in 0..20 {
        let story = hunt(seed, false);
        eprintln!(
            "seed {seed}: spread {:.3} near {} overlap {:.3} stand {:.2} gap {:.1} closest {:.2}",
            story.hunting_spread,
            story.near_at_end,
            story.worst_overlap,
            story.longest_stand,
            story.best_gap,
            story.closest_in_formation
        );
        assert!(story.hunting_spread <= DT * 1.5, "seed {seed}: all hunt within a tick");
        assert!(story.in_order, "seed {seed}: wide, narrow, direct");
        assert!(story.near_at_end >= 7, "seed {seed}: {} near", story.near_at_end);
        assert!(story.worst_overlap <= 0.1, "seed {seed}: overlap {}", story.worst_overlap);
        assert!(story.longest_stand <= 4.0, "seed {seed}: stood {}", story.longest_stand);
    }
}

#[test]
fn a_player_who_walks_a_square_is_encircled() {
    let mut good = 0;
    for seed in 0..20 {
        let story = hunt(seed, true);
        eprintln!(
            "seed {seed}: gap {:.1} closest {:.2} overlap {:.3}",
            story.best_gap, story.closest_in_formation, story.worst_overlap
        );
        good += usize::from(story.best_gap <= 70.0);
        assert!(story.closest_in_formation >= 5.0, "seed {seed}: {}", story.closest_in_formation);
    }
    assert!(good >= 18, "{good} of 20");
}

/// The player stands in view 20 m off until 2.0 s, then is behind a wall and walks on.
fn lose(dt: f64) -> (f64, f64, f32) {
    let mut hunt = Hunt::new(1, 8, vec3(-20.0, 0.0, 0.0));
    let wall = warband::Wall::segment(vec3(1.0, 0.0, -60.0), vec3(1.0, 0.0, 60.0)).expect("a wall");
    hunt.world.set_walls(warband::Walls::new(vec![wall]));
    let last_known = Vec3::ZERO;
    let (mut search, mut patrol, mut worst) = (0.0, 0.0, 0.0_f32);
    let mut tick = 0;
    while tick as f64 * dt < 9.0 {
        tick += 1;
        let time = tick as f64 * dt;
        let place = if time < 2.0 - 1e-6 { last_known } else { vec3(4.0, 0.0, (time - 2.0) as f32 * 4.0) };
        hunt.tick(place, Vec3::ZERO, dt);
        for event in hunt.world.events() {
            match &event.kind {
                EventKind::Mode { to, .. } if &**to == "search" => search = event.seconds(),
                EventKind::Mode { to, .. } if &**to == "patrol" && time > 1.0 => patrol = event.seconds(),
                _ => {}
            }
        }
        if patrol == 0.0 && time >= 2.3 {
            for out in hunt.world.outputs() {
                worst = worst.max(out.goal.expect("a goal").distance(last_known));
            }
        }
    }
    (search, patrol, worst)
}

#[test]
fn five_seconds_after_the_loss_the_pack_patrols_again_at_every_frame_rate() {
    for dt in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 144.0] {
        let (search, patrol, worst) = lose(dt);
        eprintln!("dt {dt:.4}: search {search:.3} patrol {patrol:.3} worst goal {worst:.2}");
        assert!((2.3..2.3 + 2.0 * dt).contains(&search), "search at {search}");
        assert!((7.0 - 1e-6..=7.0 + dt + 1e-6).contains(&patrol), "patrol at {patrol}");
        assert!(worst <= 3.0, "a goal {worst} m from the last-known place");
    }
}
