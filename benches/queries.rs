//! What neighbours cost: an index of all points, built anew, and one query for each of them; beside it the build alone.
//!
//! Rows are `queries/<points>_<mean neighbours>/<system>` and `grid/<points>/<system>`; a time is for all points, all systems run in
//! the same process. Before a system is timed it has to find, for a sample of the points, just those that looking at every point finds,
//! and as many for all points as the first system.
//!
//! `cargo bench --no-default-features --bench queries`

mod crowd;

use criterion::Criterion;
use crowd::{Cells, Hashed, Index, Kiddo, Rstar, spread, timed};
use std::time::Duration;
use warband::math::Vec3;

const RADIUS: f32 = 3.0;

fn systems() -> Vec<(&'static str, Box<dyn Index>)> {
    vec![
        ("warband", Box::new(Cells::default())),
        ("warband_sorted", Box::new(Cells::sorted())),
        ("kiddo", Box::new(Kiddo::default())),
        ("fx_hash_grid", Box::new(Hashed::default())),
        ("rstar", Box::new(Rstar::default())),
    ]
}

/// Builds the index and asks for the neighbours of all; how many there were.
fn ask_all(index: &mut dyn Index, places: &[Vec3], out: &mut Vec<u32>) -> usize {
    index.build(places, RADIUS);
    places
        .iter()
        .map(|place| {
            index.within(*place, RADIUS, out);
            out.len()
        })
        .sum()
}

/// Whether it finds for a sample of the points what looking at every point finds.
fn check(index: &mut dyn Index, places: &[Vec3], out: &mut Vec<u32>) {
    index.build(places, RADIUS);
    for centre in places.iter().step_by(places.len() / 200) {
        let near = |place: u32| places[place as usize].distance_squared(*centre) <= RADIUS * RADIUS;
        index.within(*centre, RADIUS, out);
        out.sort_unstable();
        let all: Vec<u32> = (0..places.len() as u32).filter(|place| near(*place)).collect();
        assert_eq!(*out, all, "near {centre}");
    }
}

fn queries(criterion: &mut Criterion) {
    for (name, count, neighbours) in
        [("10k_8", 10_000, 8.0), ("100k_8", 100_000, 8.0), ("10k_32", 10_000, 32.0)]
    {
        let places = spread(count, neighbours, RADIUS, false);
        let mut out = Vec::new();
        let mut expected = None;
        let mut group = criterion.benchmark_group(format!("queries/{name}"));
        for (system, mut index) in systems() {
            check(index.as_mut(), &places, &mut out);
            let found = ask_all(index.as_mut(), &places, &mut out);
            assert_eq!(found, *expected.get_or_insert(found), "{system} finds others in {name}");
            group.bench_function(system, |bencher| {
                bencher.iter(|| assert_eq!(ask_all(index.as_mut(), &places, &mut out), found));
            });
        }
        group.finish();
    }
}

fn builds(criterion: &mut Criterion) {
    let places = spread(10_000, 8.0, RADIUS, false);
    let mut group = criterion.benchmark_group("grid/10k");
    for (system, mut index) in systems().into_iter().filter(|(system, _)| *system != "warband_sorted") {
        check(index.as_mut(), &places, &mut Vec::new());
        group.bench_function(system, |bencher| {
            bencher.iter_custom(|rounds| timed(|| (0..rounds).for_each(|_| index.build(&places, RADIUS))));
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default()
        .configure_from_args()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(900))
        .sample_size(10);
    queries(&mut criterion);
    builds(&mut criterion);
    criterion.final_summary();
}
