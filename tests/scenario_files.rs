//! Scenario files: what is read from good ones, and the text of every error of bad ones.
//!
//! `tests/golden/scenario/NAME.toml` is read and its error compared with `NAME.txt`. To accept changed texts, run
//! with `WARBAND_GOLDEN=write` and read the difference.

use std::fs;
use std::path::{Path as FilePath, PathBuf};
use warband::blackboard::{Scope, Value, ValueType};
use warband::math::{Vec3, vec3};
use warband::scenario::{Happening, Owner, Path, Scenario, Start, Step, Who};
use warband::tree::RouteOrder;

fn golden_files() -> Vec<PathBuf> {
    let folder = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/scenario");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "toml"));
    files.sort();
    files
}

#[test]
fn every_mistake_is_told_with_its_place_and_what_to_do() {
    let files = golden_files();
    assert!(files.len() >= 12, "only {} golden files", files.len());
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let error = Scenario::parse(&text, name, FilePath::new("")).expect_err(name);
        let (found, golden) = (format!("{error}\n"), file.with_extension("txt"));
        if std::env::var_os("WARBAND_GOLDEN").is_some() {
            fs::write(&golden, &found).unwrap();
        }
        assert_eq!(found, fs::read_to_string(&golden).unwrap_or_default(), "{name}");
    }
}

#[test]
fn a_route_of_one_point_is_a_post() {
    let squad = "[[squad]]\nname = \"guards\"\ntree = \"a\"\npositions = [[0, 0]]\n";
    let text = format!("{squad}route = {{ points = [[4, 2]] }}\n");
    let scenario = Scenario::parse(&text, "post.toml", FilePath::new("")).expect("it is right");
    assert_eq!(scenario.squads[0].route, [vec3(4.0, 0.0, 2.0)]);
}

#[test]
fn numbers_that_cannot_be_reckoned_with_are_refused() {
    let text = "[[actor]]\nname = \"player\"\nat = [2e9, 0]\nspeed = 1e30\n";
    let error = Scenario::parse(text, "far.toml", FilePath::new("")).unwrap_err().to_string();
    assert!(error.contains("far.toml:3: 'at[1]' must be between -1e9 and 1e9, got 2e9"), "{error}");
    assert!(error.contains("far.toml:4: 'speed' must be between -1e9 and 1e9, got 1e30"), "{error}");
}

#[test]
fn a_missing_file_is_named() {
    let error = Scenario::load("nowhere/hunt.toml").unwrap_err();
    assert_eq!(error.to_string(), "nowhere/hunt.toml: the scenario cannot be read: there is no such file");
}

const WHOLE: &str = r#"
name = "hunt"
about = "eight hunt one"
seed = 11
dt = "1/30"
seconds = 12.5
script_root = "scripts"
scripts = ["encircle.lua"]
collide = false

[ground]
low = [-50, -40]
high = [50, 40]

[[wall]]
segment = [[10, -5], [10, 5]]
height = 3

[[route]]
name = "round"
points = [[0, 0], [10, 0], [10, 2, 10]]
order = "ping_pong"

[[key]]
name = "alarm"
scope = "squad"
type = "bool"
default = false
ttl = 3

[[actor]]
name = "player"
at = [1, 2]
radius = 0.4
tokens = { melee = 2, ranged = 1 }

[[squad]]
name = "wolves"
team = "pack"
tree = "encircle"
count = 8
at = [30, 0]
spread = 3
route = "round"
body = { radius = 0.25, max_speed = 4, max_acceleration = 10 }
senses = { range = 50 }
forget = 7
tokens = { scout = 1 }

[[squad]]
name = "bats"
tree = "swarm"
positions = [[0, 5, 0], [3, 1]]
flies = true

[[event]]
at = 4
spawn = { squad = "wolves", at = [1, 1] }
[[event]]
at = 1
kill = "wolves/3"
[[event]]
at = 2
set = { key = "alarm", value = true, on = "wolves" }
[[event]]
at = 3
noise = { at = [1, 2], reach = 20, by = "player" }
[[event]]
at = 5
set = { key = "places", value = [[1, 1], [2, 2]], team = "pack" }
[[event]]
at = 6
swap = { script = "encircle.lua", text = "return 1" }
[[event]]
at = 7
teleport = { who = "bats/1", to = [3, 3] }
[[event]]
at = 8
answer = { command = "open", after = 0.5 }
"#;

fn whole() -> Scenario {
    Scenario::parse(WHOLE, "hunt.toml", FilePath::new("folder")).expect("a good file")
}

#[test]
fn a_whole_file_is_read() {
    let scenario = whole();
    assert_eq!((scenario.name.as_str(), scenario.seed, scenario.seconds), ("hunt", 11, 12.5));
    assert_eq!(scenario.dt, 1.0 / 30.0);
    assert_eq!(scenario.script_root, FilePath::new("folder/scripts"));
    assert_eq!(scenario.scripts, ["encircle.lua"]);
    assert!(!scenario.collide);
    let alarm = &scenario.keys[0];
    assert_eq!((alarm.scope, alarm.ty, alarm.ttl), (Scope::Squad, ValueType::Bool, Some(3.0)));
    assert_eq!(alarm.default, Value::Bool(false));
    assert_eq!(scenario.actors[0].path.start(), vec3(1.0, 0.0, 2.0));
    let tokens = [("melee".to_owned(), 2), ("ranged".to_owned(), 1)];
    assert_eq!(scenario.actors[0].tokens, tokens);
    let wolves = &scenario.squads[0];
    assert_eq!(wolves.tokens, [("scout".to_owned(), 1)]);
    assert_eq!(wolves.start, Start::Clump { at: vec3(30.0, 0.0, 0.0), spread: 3.0, count: 8 });
    assert_eq!(wolves.route[2], vec3(10.0, 2.0, 10.0));
    assert_eq!(wolves.route_order, RouteOrder::PingPong);
    assert_eq!((wolves.limits.max_speed, wolves.limits.max_acceleration), (4.0, 10.0));
    assert_eq!(wolves.limits.tolerance, 0.15, "the rest follows from the radius");
    assert_eq!((wolves.senses.range, wolves.senses.lose_range), (50.0, 50.0));
    assert_eq!((wolves.grace, wolves.forget), (0.3, Some(7.0)));
    assert_eq!(scenario.squads[1].start, Start::Exactly(vec![vec3(0.0, 5.0, 0.0), vec3(3.0, 0.0, 1.0)]));
}

#[test]
fn events_are_in_the_order_of_time() {
    let what: Vec<_> = whole().events.into_iter().map(|event| event.what).collect();
    assert_eq!(what[0], Happening::Kill(Who::Member(0, 3)));
    assert_eq!(
        what[1],
        Happening::Set { key: "alarm".into(), value: Value::Bool(true), on: Some(Owner::Who(Who::Squad(0))) }
    );
    assert_eq!(what[2], Happening::Noise { at: vec3(1.0, 0.0, 2.0), reach: 20.0, by: Some(Who::Actor(0)) });
    assert_eq!(what[3], Happening::Spawn { squad: 0, at: vec3(1.0, 0.0, 1.0) });
    let places: Vec<Vec3> = vec![vec3(1.0, 0.0, 1.0), vec3(2.0, 0.0, 2.0)];
    assert_eq!(
        what[4],
        Happening::Set {
            key: "places".into(),
            value: Value::List(places.into()),
            on: Some(Owner::Team("pack".into()))
        }
    );
    let (command, value) = ("open".to_owned(), warband::Value::Nothing);
    assert_eq!(what[7], Happening::Answer { command, success: true, value, after: 0.5 });
    assert_eq!(what[6], Happening::Teleport { who: Who::Member(1, 1), to: vec3(3.0, 0.0, 3.0) });
}

#[test]
fn the_ground_stops_bodies_and_not_eyes() {
    let walls = whole().walls;
    assert!(walls.overlaps(vec3(49.8, 0.0, 0.0), 0.5));
    assert!(!walls.blocked(vec3(40.0, 1.6, 0.0), vec3(60.0, 1.6, 0.0)));
    assert!(walls.blocked(vec3(0.0, 1.6, 0.0), vec3(20.0, 1.6, 0.0)), "the wall of the file");
    assert!(!walls.blocked(vec3(0.0, 3.5, 0.0), vec3(20.0, 3.5, 0.0)), "above it");
}

fn square(loops: bool) -> Path {
    let corners = [vec3(10.0, 0.0, 0.0), vec3(10.0, 0.0, 10.0), vec3(0.0, 0.0, 10.0), Vec3::ZERO];
    Path::new(Vec3::ZERO, &corners.map(|corner| Step::Walk(corner, 2.0)), loops)
}

#[test]
fn a_walk_goes_straight_at_its_speed_and_stops_at_the_end() {
    let path = square(false);
    assert_eq!(path.ends(), 20.0);
    assert_eq!(path.at(0.0).position, Vec3::ZERO);
    assert_eq!(path.at(2.5).position, vec3(5.0, 0.0, 0.0));
    assert_eq!(path.at(7.5).velocity, vec3(0.0, 0.0, 2.0));
    assert_eq!(path.at(5.0).velocity, vec3(0.0, 0.0, 2.0), "at a corner the next leg counts");
    assert_eq!((path.at(20.0).position, path.at(20.0).velocity), (Vec3::ZERO, Vec3::ZERO));
    assert_eq!(path.at(1e6).position, Vec3::ZERO);
}

#[test]
fn a_loop_begins_again_from_where_it_ended() {
    let path = square(true);
    assert_eq!(path.at(22.5).position, vec3(5.0, 0.0, 0.0));
    assert_eq!(path.at(20.0 * 5000.0 + 7.5).position, vec3(10.0, 0.0, 5.0));
    let away = Path::new(vec3(0.0, 0.0, -4.0), &[Step::Walk(Vec3::ZERO, 2.0), Step::Wait(1.0)], true);
    assert_eq!(away.at(1.0).position, vec3(0.0, 0.0, -2.0));
    assert_eq!(away.at(3.5).position, Vec3::ZERO, "the second lap has nothing left to walk");
}

#[test]
fn vanishing_waiting_and_teleporting_happen_at_their_moment() {
    let steps = [
        Step::Until(2.0),
        Step::Vanish,
        Step::Teleport(vec3(5.0, 0.0, 0.0)),
        Step::Wait(0.5),
        Step::Return,
        Step::Walk(vec3(5.0, 0.0, 3.0), 3.0),
    ];
    let path = Path::new(Vec3::ZERO, &steps, false);
    let before = path.at(1.999_999_999);
    assert_eq!((before.position, before.present), (Vec3::ZERO, true));
    assert_eq!((path.at(2.0).position, path.at(2.0).present), (vec3(5.0, 0.0, 0.0), false));
    assert!(!path.at(2.499_999).present);
    assert!(path.at(2.5).present);
    assert_eq!(path.at(3.5).position, vec3(5.0, 0.0, 3.0));
}
