//! The yard: with the navmesh of the scenario all wolves come round the pocket, without it they do not.
#![cfg(all(feature = "navmesh", feature = "lua"))]

use std::path::Path;
use warband::math::vec3;
use warband::scenario::{Run, Scenario};

/// Runs the yard, changed by `change`, to its end.
fn run(change: impl Fn(&str) -> String) -> Run {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/scenarios");
    let text = std::fs::read_to_string(folder.join("yard.toml")).expect("it is there");
    let scenario = Scenario::parse(&change(&text), "yard.toml", &folder).expect("it is a scenario");
    let mut run = Run::new(&scenario).expect("its script loads");
    while run.step() {}
    assert!(run.world().problems().is_empty());
    run
}

/// How many stand round the player, within 9 m and on his side of the pocket.
fn round_the_player(run: &Run) -> usize {
    let there = |at: warband::Vec3| at.x > 2.0 && at.distance(vec3(14.0, 0.0, 0.0)) < 9.0;
    run.world().outputs().filter(|wolf| there(wolf.position)).count()
}

#[test]
fn all_wolves_come_round_the_pocket() {
    assert_eq!(round_the_player(&run(str::to_owned)), 6);
    let held = run(|text| text.replace("navmesh = true", "navmesh = false"));
    assert!(round_the_player(&held) < 3, "{} got round it without a mesh", round_the_player(&held));
}

/// A mesh that cannot be made is told with the place of the ground.
#[test]
fn ground_that_is_no_ground_is_told() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/scenarios");
    let text = "[ground]\noutline = [[0, 0], [9, 9], [9, 0], [0, 9]]\nnavmesh = true\n[[squad]]\nname = \"a\"\ntree = \"t\"\npositions = [[1, 4]]\n";
    let scenario = Scenario::parse(text, "bow.toml", &folder).expect("it can be read");
    let error = Run::new(&scenario).err().expect("its edges cross").to_string();
    assert!(error.starts_with("bow.toml:1: edges 1 and 3 of the outline cross"), "{error}");
}
