//! What one tick of a tree costs, ns per tree tick, beside two rivals in the same process.
//!
//! Rows are `tree/<work>/<system>`. Every system gets the same [`Shape`]s, whose leaves add to one checksum and whose
//! conditions read one word of flags; a row is timed only after all systems answered with the same statuses and the
//! same sums. Works that end in `_10k` run over ten thousand instances in turn.
//!
//! `cargo bench --no-default-features --bench tree`

mod tree_systems;

use criterion::{BatchSize, Criterion};
use std::time::{Duration, Instant};
use tree_systems::shape::{Shape, reset, sum};
use tree_systems::{Crowd, Status, bonsai, lite, warband};

/// A work and the agents that do it in turn.
struct Work {
    name: &'static str,
    shape: Shape,
    agents: usize,
}

/// Three branches behind two conditions each, of which the last one is open: 13 nodes, 10 of them visited in a
/// reactive tick.
fn guarded(reactive: bool) -> Shape {
    let branch = |number: u32, last: Shape| {
        let parts = vec![Shape::Flag(2 * number), Shape::Flag(2 * number + 1), last];
        Shape::Sequence { reactive, parts }
    };
    let parts = vec![branch(0, Shape::Count(1)), branch(1, Shape::Count(2)), branch(2, Shape::Run(3))];
    Shape::Selector { reactive, parts }
}

fn sequence(parts: impl Iterator<Item = Shape>) -> Shape {
    Shape::Sequence { reactive: false, parts: parts.collect() }
}

fn works() -> Vec<Work> {
    let seq8 = sequence((1..=8).map(Shape::Count));
    let one = |name, shape: &Shape| Work { name, shape: shape.clone(), agents: 1 };
    let many = |name, shape: &Shape| Work { name, shape: shape.clone(), agents: 10_000 };
    let reads = sequence((0..8).map(Shape::Read));
    vec![
        one("seq8", &seq8),
        one("guard_reactive", &guarded(true)),
        one("guard_memory", &guarded(false)),
        many("seq8_10k", &seq8),
        many("guard_reactive_10k", &guarded(true)),
        many("guard_memory_10k", &guarded(false)),
        one("waiting", &Shape::Wait),
        many("waiting_10k", &Shape::Wait),
        one("board_reads_8", &reads),
    ]
}

/// The systems with as many instances of the tree as the work has agents.
fn systems(work: &Work) -> Vec<(&'static str, Box<dyn Crowd>)> {
    let (shape, agents) = (&work.shape, work.agents);
    vec![
        ("warband", Box::new(warband::Band::new(shape, agents)) as Box<dyn Crowd>),
        ("bonsai", Box::new(bonsai::Bonsais::new(shape, agents))),
        ("behavior_tree_lite", Box::new(lite::Lites::new(shape, agents))),
    ]
}

/// The statuses of the first ticks and the checksum after each.
fn trace(crowd: &mut dyn Crowd, agents: usize) -> Vec<(Status, u64)> {
    reset();
    let ticks = 4 * agents.min(100);
    (0..ticks).map(|tick| (crowd.tick(tick % agents.min(100)), sum())).collect()
}

fn check(work: &Work, systems: &mut [(&'static str, Box<dyn Crowd>)]) {
    let mut traces = systems.iter_mut().map(|(name, crowd)| (*name, trace(crowd.as_mut(), work.agents)));
    let (_, expected) = traces.next().expect("there are systems");
    for (name, found) in traces {
        assert_eq!(found, expected, "{name} does something else in {}", work.name);
    }
}

#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
fn rows(criterion: &mut Criterion) {
    for work in works() {
        let mut systems = systems(&work);
        check(&work, &mut systems);
        let mut group = criterion.benchmark_group(format!("tree/{}", work.name));
        for (name, crowd) in &mut systems {
            group.bench_function(*name, |bencher| {
                bencher.iter_custom(|ticks| {
                    let start = Instant::now();
                    crowd.run(ticks);
                    start.elapsed()
                });
            });
        }
        group.finish();
    }
}

/// The hand-written floor of eight leaves that add and one status, so that a noisy machine shows.
fn floor(criterion: &mut Criterion) {
    criterion.bench_function("tree/floor/eight_adds", |bencher| {
        bencher.iter_batched(
            || (),
            |()| (1..=8).for_each(|by| tree_systems::shape::add(std::hint::black_box(by))),
            BatchSize::NumIterations(100_000),
        );
    });
}

fn main() {
    for (nodes, bytes) in warband::memories() {
        println!("memory of an agent for a tree of {nodes} nodes: {bytes} bytes");
    }
    let mut criterion = Criterion::default()
        .configure_from_args()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .sample_size(10);
    rows(&mut criterion);
    floor(&mut criterion);
    criterion.final_summary();
}
