//! A small picture of each behaviour: `cargo run --example behaviour_pictures -- target/behaviours` writes an SVG for each into that folder.
//!
//! Each is a scenario of a few lines and a tree of a few words; `cargo run --features cli -- run … --picture` draws those of files.

use std::path::{Path, PathBuf};
use warband::math::{Vec3, vec3};
use warband::scenario::{Recording, Run, Scenario};
use warband::steer::FlowField;
use warband::{Spec, World};

/// A behaviour: its name, what the picture shows, the scenario, the trees of its squads by name.
struct Scene {
    name: &'static str,
    about: &'static str,
    text: &'static str,
    trees: Vec<(&'static str, Spec)>,
}

fn at(x: f32, z: f32) -> Vec3 {
    vec3(x, 0.0, z)
}

fn to(node: &str, x: f32, z: f32) -> Spec {
    Spec::new(node).set("to", at(x, z))
}

const PILLARS: &str =
    "[[wall]]\ncircle = { at = [6, 0], radius = 2 }\n[[wall]]\ncircle = { at = [12, 4], radius = 1.5 }\n";
const WALKER: &str = "[[actor]]\nname = \"hero\"\nat = [14, -6]\nspeed = 2\nloop = true\npath = [{ walk = [14, 8] }, { walk = [14, -6] }]\n";
const ONE: &str =
    "[[squad]]\nname = \"one\"\ntree = \"one\"\npositions = [[0, 0]]\nsenses = { angle = 360 }\n";
const FIVE: &str = "[[squad]]\nname = \"one\"\ntree = \"one\"\npositions = [[0, 0], [-1, 3], [-2, -3], [-3, 1.4], [-4, -1.4]]\nsenses = { angle = 360 }\n";
const LEADER: &str = "[[squad]]\nname = \"one\"\ntree = \"one\"\npositions = [[0, 0], [-3, 4], [-3, -4], [4, 0.4]]\nfacing = [1, 0]\n";
const ELL: &str = "[[wall]]\nsegment = [[2, -4], [12, -4]]\n[[wall]]\nsegment = [[12, -4], [12, 4]]\n[[wall]]\nsegment = [[12, 4], [2, 4]]\n[[wall]]\nsegment = [[2, 4], [2, -4]]\n";
const DOOR: &str = "[[wall]]\nsegment = [[6, -9], [6, -0.8]]\n[[wall]]\nsegment = [[6, 0.8], [6, 9]]\n";

fn scenes() -> Vec<Scene> {
    let scene = |name, about, text, tree: Spec| Scene { name, about, text, trees: vec![("one", tree)] };
    let blend = |by: &str, rules: Vec<Spec>| Spec::new("blend").set("by", by).with_all(rules);
    let round = || vec![at(10.0, 0.0), at(10.0, 8.0), at(0.0, 8.0)];
    let follow =
        |leaf: Spec| Spec::new("selector").with(leaf).with(to("arrive", 22.0, 3.0).set("speed", 3.0));
    let door = blend("weight", vec![to("seek", 20.0, 0.0), Spec::new("queue").set("to", at(6.0, 0.0))]);
    vec![
        scene(
            "alignment",
            "Five turn the way that all go",
            FIVE,
            blend("weight", vec![Spec::new("wander"), Spec::new("alignment")]),
        ),
        scene("arrive", "It brakes in time and rests", ONE, to("arrive", 14.0, 5.0)),
        scene(
            "cohesion",
            "Five keep together",
            FIVE,
            blend("weight", vec![to("arrive", 16.0, 2.0), Spec::new("cohesion")]),
        ),
        scene(
            "containment",
            "It wanders, and stays within 6 m of home",
            ONE,
            blend("weight", vec![Spec::new("wander"), Spec::new("containment").set("radius", 6.0)]),
        ),
        scene(
            "context",
            "It takes the open side of what is in the way",
            "PILLARS ONE",
            blend("context", vec![to("seek", 18.0, 2.0)]),
        ),
        scene("evade", "It runs off the walker's course", "WALKER ONE", Spec::new("evade")),
        scene("face", "It stands and looks at the walker", "WALKER ONE", Spec::new("face")),
        scene("flee", "It runs straight away", "WALKER ONE", Spec::new("flee")),
        scene(
            "flow_field",
            "Five flow through a door to a point",
            "DOOR FIVE",
            Spec::new("flow_field").set("field", "door"),
        ),
        scene(
            "follow_path",
            "It rounds the corners and rests at the end",
            ONE,
            Spec::new("follow_path").set("points", round()),
        ),
        scene("hide", "Five hide from the walker behind pillars", "PILLARS WALKER FIVE", Spec::new("hide")),
        scene(
            "interpose",
            "It keeps between home and the walker",
            "WALKER ONE",
            Spec::new("interpose").set("other", "home"),
        ),
        scene(
            "leader_following",
            "Three behind a leader, one clears its way first",
            LEADER,
            follow(blend("weight", vec![Spec::new("leader_following"), Spec::new("separation")])),
        ),
        scene(
            "obstacle_avoidance",
            "It goes round pillars",
            "PILLARS ONE",
            blend("weight", vec![to("arrive", 18.0, 2.0), Spec::new("obstacle_avoidance")]),
        ),
        scene(
            "offset_pursuit",
            "Three in places behind a leader",
            LEADER,
            follow(Spec::new("offset_pursuit").set("offset", at(-2.0, 2.0))),
        ),
        scene("pursue", "It cuts the walker off", "WALKER ONE", Spec::new("pursue").set("speed", 3.0)),
        scene("queue", "Five through a door, one after another", "DOOR FIVE", door),
        scene("seek", "It goes straight for the walker", "WALKER ONE", Spec::new("seek").set("speed", 3.0)),
        scene(
            "separation",
            "Five keep apart",
            FIVE,
            blend("weight", vec![to("arrive", 16.0, 2.0), Spec::new("separation").set("weight", 2.0)]),
        ),
        scene(
            "wall_following",
            "It goes round a house",
            "ELL ONE",
            Spec::new("wall_following").set("speed", 3.0),
        ),
        scene("wander", "It strolls about", ONE, Spec::new("wander").set("speed", 2.0)),
    ]
}

/// The parts that a text names.
fn whole(text: &str) -> String {
    let part = |word: &str| match word {
        "PILLARS" => PILLARS,
        "WALKER" => WALKER,
        "ONE" => ONE,
        "FIVE" => FIVE,
        "ELL" => ELL,
        "DOOR" => DOOR,
        _ => "",
    };
    if text.starts_with('[') { text.to_owned() } else { text.split(' ').map(part).collect() }
}

fn draw(scene: &Scene) -> warband::Result<String> {
    let head = format!("name = \"{}\"\nabout = \"{}\"\nseconds = 12\nseed = 3\n", scene.name, scene.about);
    let scenario = Scenario::parse(&(head + &whole(scene.text)), scene.name, Path::new(""))?;
    let trees = |world: &mut World| {
        let (low, high) = (at(-10.0, -12.0), at(20.0, 12.0));
        let free = |place: Vec3| (place.x - 6.0).abs() > 0.9 || place.z.abs() < 0.8 || place.z.abs() > 10.0;
        world.set_flow_field("door", FlowField::towards(at(16.0, 3.0), low, high, 0.5, free)?);
        scene.trees.iter().try_for_each(|(name, tree)| world.add_tree(name, tree))
    };
    let (mut run, mut recording) = (Run::with(&scenario, trees)?, Recording::default());
    while run.step() {
        recording.take(&run);
    }
    recording.svg(&run)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "target/behaviours".to_owned()));
    std::fs::create_dir_all(&folder)?;
    for scene in scenes() {
        let file = folder.join(format!("{}.svg", scene.name));
        std::fs::write(&file, draw(&scene)?)?;
        println!("{}", file.display());
    }
    Ok(())
}
