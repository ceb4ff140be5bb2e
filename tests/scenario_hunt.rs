//! The example scenarios show what they say, with the shipped scripts.
#![cfg(feature = "lua")]

use std::path::Path;
use warband::Vec3;
use warband::scenario::{Entry, Run, Scenario};

fn example(name: &str, seed: Option<u64>) -> Scenario {
    let file = format!("examples/scenarios/{name}.toml");
    let mut scenario = Scenario::load(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("a good file");
    scenario.seed = seed.unwrap_or(scenario.seed);
    scenario
}

fn modes<'r>(run: &'r Run, agent: &str) -> Vec<&'r str> {
    let of_agent = |entry: &&Entry| entry.kind == "mode" && entry.agent.as_deref() == Some(agent);
    run.story().iter().filter(of_agent).filter_map(|entry| entry.to.as_deref()).collect()
}

#[test]
fn who_stands_still_is_reached_from_all_sides() {
    for seed in 0..20 {
        let mut run = Run::new(&example("still_player", Some(seed))).unwrap();
        let mut stood = [0.0_f32; 8];
        while run.step() {
            for (stood, out) in stood.iter_mut().zip(run.world().outputs()) {
                let walks = out.velocity.length() > 0.05 || !matches!(out.mode, "wide" | "narrow");
                *stood = if walks { 0.0 } else { *stood + run.scenario().dt as f32 };
                assert!(*stood <= 4.0, "seed {seed}: {} stands at {} s", out.key, run.now());
            }
        }
        let near = run.world().outputs().filter(|out| out.position.length() <= 2.5).count();
        assert!(near >= 7, "seed {seed}: {near} of 8 are near");
        assert!(
            run.world().outputs().all(|out| out.position.length() >= 0.9),
            "seed {seed}: inside the player"
        );
        let figures = run.report(0.0).figures;
        assert!(figures.overlap_m.worst <= 0.1, "seed {seed}: {:?}", figures.overlap_m);
        for wolf in 0..8 {
            let modes = modes(&run, &format!("wolves/{wolf}"));
            assert_eq!(modes, ["patrol", "wide", "narrow", "direct"], "seed {seed}, wolf {wolf}");
        }
    }
}

#[test]
fn who_walks_a_square_is_encircled_before_anyone_is_direct() {
    let good = (0..20).filter(|seed| {
        let mut run = Run::new(&example("encircle", Some(*seed))).unwrap();
        while run.step() {}
        let best = run.report(0.0).figures.largest_empty_angle_deg.best_before_direct;
        best.is_some_and(|best| best <= 70.0)
    });
    assert!(good.count() >= 18);
}

#[test]
fn who_is_lost_is_searched_for_five_seconds_where_he_was_seen_last() {
    for dt in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 144.0] {
        let mut run = Run::new(&Scenario { dt, ..example("lost", None) }).unwrap();
        while run.step() {
            if (2.3..7.0).contains(&run.now()) {
                let goals = run.world().outputs().filter_map(|out| out.goal);
                let worst = goals.map(|goal| goal.distance(Vec3::ZERO)).fold(0.0, f32::max);
                assert!(worst <= 3.0, "dt {dt}: a goal {worst} m off at {} s", run.now());
            }
        }
        let lost = run.story().iter().find(|entry| entry.kind == "lost").expect("lost");
        assert!((lost.since.unwrap() - 2.0).abs() < dt, "dt {dt}: out of view since {:?}", lost.since);
        for wolf in 0..8 {
            let agent = format!("wolves/{wolf}");
            let back = run.story().iter().rev().find(|entry| entry.agent.as_ref() == Some(&agent)).unwrap();
            assert_eq!((back.from.as_deref(), back.to.as_deref()), (Some("search"), Some("patrol")));
            assert!((7.0 - 1e-6..=7.0 + dt + 1e-6).contains(&back.t), "dt {dt}: patrol at {}", back.t);
        }
    }
}

#[test]
fn a_pillar_hides_the_player_and_costs_nothing() {
    let mut run = Run::new(&example("pillar", None)).unwrap();
    let mut hidden = 0;
    while run.step() {
        let player = run.actors().next().and_then(|(_, id)| run.world().position(id)).unwrap();
        let wolf = run.world().outputs().next().unwrap();
        let eyes = Vec3::Y * 1.6;
        hidden += u32::from(run.scenario().walls.blocked(wolf.position + eyes, player + eyes));
    }
    let seconds = f64::from(hidden) * run.scenario().dt;
    assert!((0.15..=0.25).contains(&seconds), "hidden for {seconds} s");
    let modes = modes(&run, "wolf/0");
    assert!(!modes.contains(&"patrol"), "{modes:?}");
    assert!(modes.iter().filter(|mode| **mode == "search").count() <= 1, "{modes:?}");
    assert!(run.story().iter().all(|entry| entry.kind != "forgotten"));
}

#[test]
fn the_other_squad_hears_of_the_player_in_the_next_tick() {
    let mut run = Run::new(&example("two_squads", None)).unwrap();
    while run.step() {}
    let gained = |squad: &str| {
        let of = |entry: &&Entry| entry.kind == "gained" && entry.squad.as_deref() == Some(squad);
        run.story().iter().find(of).unwrap_or_else(|| panic!("{squad} gained nobody"))
    };
    let (grey, red) = (gained("grey"), gained("red"));
    assert_eq!((grey.how, red.how), (Some("sight"), Some("told")));
    let later = red.t - grey.t;
    assert!(later > 0.0 && later <= 2.0 * run.scenario().dt + 1e-6, "{later} s later");
}

#[test]
fn two_packs_share_the_two_places_to_attack_one_player() {
    for seed in 0..4 {
        let mut run = Run::new(&example("two_packs", Some(seed))).unwrap();
        let mut most = 0;
        let mut attacked = std::collections::BTreeSet::new();
        while run.step() {
            let (_, player) = run.actors().next().expect("the player");
            let direct: Vec<_> = run.world().outputs().filter(|out| out.mode == "direct").collect();
            let holders = run.world().token_of(player, "melee").map_or(0, |token| token.holders().count());
            assert!(direct.len() <= 2 && holders <= 2, "seed {seed}, {} s: {direct:?}", run.now());
            most = most.max(direct.len());
            attacked.extend(direct.iter().map(|out| out.agent));
        }
        assert_eq!(most, 2, "seed {seed}");
        assert_eq!(attacked.len(), 8, "seed {seed}: each of both packs has its turn");
        assert!(run.problems().is_empty(), "seed {seed}: {:?}", run.problems());
    }
}

#[test]
fn a_script_swapped_by_the_file_takes_over() {
    let text = r#"
seconds = 2
[[squad]]
name = "sheep"
tree = "a"
positions = [[0, 0]]
[[event]]
at = 1
swap = { script = "a.lua", text = 'return bt.tree("a", bt.mode { name = "sleep", bt.wait { seconds = 9 } })' }
[[event]]
at = 1.5
swap = { script = "a.lua", text = "return bt.tree(" }
"#;
    let scenario = Scenario::parse(text, "scene.toml", Path::new("")).unwrap();
    let first = r#"return bt.tree("a", bt.mode { name = "graze", bt.wait { seconds = 9 } })"#;
    let mut run = Run::with(&scenario, |world| world.reload("a.lua", first)).unwrap();
    while run.step() {}
    assert_eq!(modes(&run, "sheep/0"), ["graze", "sleep"]);
    let reload = run.story().iter().find(|entry| entry.kind == "reload").unwrap();
    assert_eq!(reload.script.as_deref(), Some("a.lua"));
    let problems = run.report(0.0).problems;
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!((problems[0].file.as_deref(), problems[0].line), (Some("a.lua"), Some(1)));
}
