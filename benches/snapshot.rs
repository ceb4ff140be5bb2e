//! What it costs to save and restore a world of 1,000 agents that hunt, and how large it becomes.
//!
//! `cargo bench --no-default-features --bench snapshot`

use criterion::Criterion;
use std::time::Duration;
use warband::{ActorDesc, AgentDesc, Config, Snapshot, Spec, SquadDesc, World, vec3};

fn world() -> World {
    let mut world = World::new(Config::default());
    let hunt = Spec::new("reactive_selector")
        .with(
            Spec::new("guard").when(Spec::new("sees_target")).with(
                Spec::new("bands")
                    .with(Spec::new("direct_chase").edge("below", 8.0))
                    .with(Spec::new("formation").set("radius", 12.0)),
            ),
        )
        .with(Spec::new("patrol"));
    world.add_tree("hunt", &hunt).expect("the tree is right");
    world
}

fn time<T>(criterion: &mut Criterion, what: &str, mut run: impl FnMut() -> T) {
    criterion.bench_function(&format!("snapshot/{what}_1k/warband"), |bencher| bencher.iter(&mut run));
}

fn main() {
    let mut criterion = Criterion::default()
        .configure_from_args()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .sample_size(10);
    let mut played = world();
    for number in 0..20 {
        let desc = SquadDesc {
            name: format!("pack {number}"),
            route: vec![vec3(0.0, 0.0, 0.0)],
            ..SquadDesc::default()
        };
        let squad = played.add_squad(desc).expect("a new squad");
        for at in 0..50 {
            let place = vec3(at as f32 * 2.0 - 50.0, 0.0, number as f32 * 2.0 - 20.0);
            let desc = AgentDesc { tree: "hunt".into(), ..AgentDesc::at(place) };
            played.spawn(squad, desc).expect("a new agent");
        }
    }
    played.add_actor(ActorDesc::at(vec3(60.0, 0.0, 0.0)));
    (0..120).for_each(|_| played.tick(1.0 / 60.0));
    let snapshot = played.snapshot();
    let bytes = snapshot.to_bytes().expect("it can be encoded");
    let mut restored = world();
    println!("1,000 agents: {} bytes", bytes.len());
    time(&mut criterion, "snapshot", || played.snapshot());
    time(&mut criterion, "to_bytes", || snapshot.to_bytes());
    time(&mut criterion, "from_bytes", || Snapshot::from_bytes(&bytes));
    time(&mut criterion, "restore", || restored.restore(&snapshot));
}
