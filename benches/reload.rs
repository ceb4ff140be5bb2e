//! What it costs to take over another version of a tree in a world of 1,000 agents that hunt with the shipped scripts:
//! the swap alone, and the whole way from a script's text (load, build, swap).
//!
//! Before a row is timed, the versions are checked: the new number is in force, and what runs runs on.
//!
//! `cargo bench --bench reload`

use criterion::Criterion;
use std::path::Path;
use std::time::{Duration, Instant};
use warband::{ActorDesc, AgentDesc, Config, Spec, SquadDesc, World, vec3};

const DT: f64 = 1.0 / 60.0;

fn scripts() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts")
}

/// The shape of the shipped hunt, with a number that changes.
fn hunt(radius: f64) -> Spec {
    Spec::new("reactive_selector")
        .with(
            Spec::new("guard").when(Spec::new("sees_target")).with(
                Spec::new("bands")
                    .with(Spec::new("direct_chase").edge("below", 8.0))
                    .with(Spec::new("formation").set("radius", radius)),
            ),
        )
        .with(Spec::new("patrol"))
}

fn people(world: &mut World, tree: &str) {
    world.add_actor(ActorDesc { faction: "hero".into(), ..ActorDesc::at(vec3(0.0, 0.0, 0.0)) });
    for number in 0..125 {
        let name = format!("pack {number}");
        let route = vec![vec3(-30.0, 0.0, 0.0), vec3(-30.0, 0.0, 20.0)];
        let desc = SquadDesc { name, faction: "wolves".into(), route, ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("a new squad");
        for at in 0..8 {
            let place = vec3(-28.0 - at as f32, 0.0, number as f32 - 60.0);
            let desc = AgentDesc { tree: tree.into(), facing: -place, ..AgentDesc::at(place) };
            world.spawn(squad, desc).expect("a new agent");
        }
    }
    (0..120).for_each(|_| world.tick(DT));
}

/// Times swaps; a tick goes by between two.
#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
fn time(criterion: &mut Criterion, what: &str, world: &mut World, mut swap: impl FnMut(&mut World, u32)) {
    let mut version = 0;
    criterion.bench_function(what, |bencher| {
        bencher.iter_custom(|times| {
            let mut all = Duration::ZERO;
            for _ in 0..times {
                version += 1;
                let start = Instant::now();
                swap(world, version);
                all += start.elapsed();
                world.tick(DT);
            }
            all
        });
    });
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}

fn main() {
    let mut criterion = Criterion::default()
        .configure_from_args()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .sample_size(10);
    let mut world = World::new(Config::default());
    world.add_tree("hunt", &hunt(12.0)).expect("right");
    people(&mut world, "hunt");
    time(&mut criterion, "reload/swap_1k/warband", &mut world, |world, version| {
        world.add_tree("hunt", &hunt(11.0 + f64::from(version % 2))).expect("right");
    });

    let mut world = World::new(Config::default());
    world.set_script_root(scripts());
    world.load("encircle.lua").expect("right");
    people(&mut world, "encircle");
    let text = std::fs::read_to_string(scripts().join("formation.lua")).expect("a script of the crate");
    assert!(text.contains("refresh = 0.2,"));
    time(&mut criterion, "reload/script_1k/warband", &mut world, |world, version| {
        let text = text.replace("refresh = 0.2,", &format!("refresh = 0.{},", 2 + version % 2));
        world.reload("formation.lua", &text).expect("right");
    });
}
