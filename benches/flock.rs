//! What a step of a flock costs: separation, alignment, cohesion, seeking a point, limits and the new positions, with the
//! index built anew. A time is for all agents.
//!
//! Rows are `flock/<2d or 3d>_<agents>_<mean neighbours>/<system>`; at the end of a work `_nearest_8` says that just the eight nearest
//! count. The others are this crate's own functions for one agent over neighbours that somebody else found, in the same process. A
//! system is timed only after a step brought a sample of all to where looking at everybody brings them, and three steps
//! all to where the first system's did.
//!
//! `cargo bench --no-default-features --bench flock`

mod crowd;

use criterion::Criterion;
use crowd::{Hashed, Index, Kiddo, Naive, spread, timed};
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use std::num::NonZero;
use std::time::Duration;
use warband::math::{Vec3, vec3};
use warband::rng::Dice;
use warband::steer::{
    Class, DEFAULT_BIAS_SHARE, Level, Limits, Me, Near, Order, Radii, School, SchoolRules, Weights, Wish,
    combine_weighted, flock, flock_of_nearest, seek, steer,
};

const RADIUS: f32 = 3.0;
const DT: f32 = 1.0 / 60.0;

/// Of how many agents a step is checked against looking at everybody, at most.
const SAMPLE: usize = 1000;

fn rules(volume: bool, most: Option<usize>) -> SchoolRules {
    SchoolRules {
        limits: Limits::of(0.5, 5.0),
        radii: Radii::all(RADIUS),
        most,
        weights: Weights::default(),
        ground: !volume,
        goal: Some(vec3(500.0, 0.0, 0.0)),
    }
}

/// Whoever moves a flock on by a step.
trait Flock {
    fn step(&mut self, rules: &SchoolRules, position: &mut Vec<Vec3>, velocity: &mut Vec<Vec3>);
}

impl Flock for School {
    fn step(&mut self, rules: &SchoolRules, position: &mut Vec<Vec3>, velocity: &mut Vec<Vec3>) {
        School::step(self, rules, position, velocity, DT);
    }
}

/// The functions for one agent, over an index.
struct OneByOne<I> {
    index: I,
    near: Vec<u32>,
    next: Vec<(Vec3, Vec3)>,
    radius: Vec<f32>,
    id: Vec<u32>,
}

impl<I: Index> OneByOne<I> {
    fn new(index: I, count: usize) -> Self {
        let id = (0..count as u32).collect();
        Self { index, near: Vec::new(), next: Vec::new(), radius: vec![0.5; count], id }
    }
}

/// Where one agent is after a step, and how it then moves.
fn moved(rules: &SchoolRules, near: &Near, index: usize) -> (Vec3, Vec3) {
    let mut me = Me::new(index as u32, near.position[index], Vec3::X, &rules.limits);
    (me.velocity, me.ground) = (near.velocity[index], rules.ground);
    let flock = match rules.most {
        Some(most) => flock_of_nearest(&me, near, &rules.radii, most),
        None => flock(&me, near, &rules.radii),
    };
    let goal = (seek::DEF.run)(&me, &Order::to(rules.goal.unwrap_or_default()), &Near::NOBODY, DT);
    let wish = |class, velocity| Wish { class, weight: 1.0, velocity };
    let wishes = [wish(Class::Goal, goal), wish(Class::Bias, flock.sum(&rules.weights))];
    let desired = combine_weighted(&wishes, me.max_speed, DEFAULT_BIAS_SHARE);
    let velocity = steer(&me, desired, DT);
    (me.position + velocity * DT, velocity)
}

impl<I: Index> Flock for OneByOne<I> {
    fn step(&mut self, rules: &SchoolRules, position: &mut Vec<Vec3>, velocity: &mut Vec<Vec3>) {
        self.index.build(position, RADIUS);
        self.next.clear();
        for index in 0..position.len() {
            self.index.within(position[index], RADIUS, &mut self.near);
            let (indices, radius, id) = (&self.near, &self.radius, &self.id);
            let near = Near { indices, position, velocity, radius, id, edges: &[] };
            self.next.push(moved(rules, &near, index));
        }
        for (index, next) in self.next.iter().enumerate() {
            (position[index], velocity[index]) = *next;
        }
    }
}

/// `kiddo` in space.
#[derive(Default)]
struct Kiddo3(Option<ImmutableKdTree<f32, 3>>);

impl Index for Kiddo3 {
    fn build(&mut self, places: &[Vec3], _: f32) {
        let points: Vec<[f32; 3]> = places.iter().map(Vec3::to_array).collect();
        self.0 = ImmutableKdTree::new_from_slice(&points).ok();
    }
    fn within(&mut self, centre: Vec3, radius: f32, out: &mut Vec<u32>) {
        let tree = self.0.as_ref().expect("it was built");
        let centre = centre.to_array();
        let query = tree.query(&centre).within::<SquaredEuclidean<f32>>(radius * radius);
        out.clear();
        out.extend(query.unsorted().execute().iter().map(|found| found.item));
    }
}

/// `kiddo`, asked for the nearest few and oneself.
struct KiddoNearest(Option<ImmutableKdTree<f32, 2>>, NonZero<usize>);

impl Index for KiddoNearest {
    fn build(&mut self, places: &[Vec3], _: f32) {
        let points: Vec<[f32; 2]> = places.iter().map(|place| [place.x, place.z]).collect();
        self.0 = ImmutableKdTree::new_from_slice(&points).ok();
    }
    fn within(&mut self, centre: Vec3, radius: f32, out: &mut Vec<u32>) {
        let tree = self.0.as_ref().expect("it was built");
        let centre = [centre.x, centre.z];
        let query = tree.query(&centre).nearest_n::<SquaredEuclidean<f32>>(self.1);
        let found = query.within::<SquaredEuclidean<f32>>(radius * radius).execute();
        out.clear();
        out.extend(found.iter().map(|found| found.item));
    }
}

fn systems(count: usize, rules: &SchoolRules) -> Vec<(&'static str, Box<dyn Flock>)> {
    let mut systems: Vec<(&'static str, Box<dyn Flock>)> = vec![
        ("warband", Box::new(School::default())),
        ("warband_baseline", Box::new(School::with_level(Level::Baseline))),
    ];
    if let Some(more) = rules.most.and_then(|most| NonZero::new(most + 1)) {
        systems.push(("kiddo", Box::new(OneByOne::new(KiddoNearest(None, more), count))));
    } else if rules.ground {
        systems.push(("kiddo", Box::new(OneByOne::new(Kiddo::default(), count))));
        systems.push(("fx_hash_grid", Box::new(OneByOne::new(Hashed::default(), count))));
    } else {
        systems.push(("kiddo", Box::new(OneByOne::new(Kiddo3::default(), count))));
    }
    if count <= 1000 {
        systems.push(("naive", Box::new(OneByOne::new(Naive::default(), count))));
    }
    systems
}

fn velocities(count: usize) -> Vec<Vec3> {
    let mut dice = Dice::new(5, &[1]);
    let mut part = || (dice.unit() as f32 - 0.5) * 4.0;
    (0..count).map(|_| vec3(part(), 0.0, part())).collect()
}

/// After a step, a sample is where everybody looked at brings each.
fn check_step(system: &mut dyn Flock, rules: &SchoolRules, places: &[Vec3]) {
    let (mut position, mut velocity) = (places.to_vec(), velocities(places.len()));
    system.step(rules, &mut position, &mut velocity);
    let (speeds, radius) = (velocities(places.len()), vec![rules.limits.radius; places.len()]);
    let all: Vec<u32> = (0..places.len() as u32).collect();
    let near =
        Near { indices: &all, position: places, velocity: &speeds, radius: &radius, id: &all, edges: &[] };
    for index in (0..places.len()).step_by(places.len().div_ceil(SAMPLE)) {
        let (place, speed) = moved(rules, &near, index);
        let off = position[index].distance(place).max(velocity[index].distance(speed) * DT);
        assert!(off < 1e-4, "agent {index} goes elsewhere, by {off} m");
    }
}

/// Where all are after three steps, to a tenth of a millimetre at least: sums in another order differ in their last bits.
fn check(system: &mut dyn Flock, rules: &SchoolRules, places: &[Vec3], expected: &mut Vec<Vec3>) {
    let (mut position, mut velocity) = (places.to_vec(), velocities(places.len()));
    (0..3).for_each(|_| system.step(rules, &mut position, &mut velocity));
    if expected.is_empty() {
        expected.clone_from(&position);
    }
    let off = position.iter().zip(&*expected).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(off < 1e-3, "a system goes elsewhere, by {off} m");
}

fn main() {
    let mut criterion = Criterion::default()
        .configure_from_args()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(900))
        .sample_size(10);
    let works = [
        ("2d_1k_8", 1000, 8.0, false, None),
        ("2d_10k_8", 10_000, 8.0, false, None),
        ("2d_100k_8", 100_000, 8.0, false, None),
        ("2d_10k_32", 10_000, 32.0, false, None),
        ("2d_10k_32_nearest_8", 10_000, 32.0, false, Some(8)),
        ("3d_10k_8", 10_000, 8.0, true, None),
    ];
    for (name, count, neighbours, volume, most) in works {
        let (rules, places) = (rules(volume, most), spread(count, neighbours, RADIUS, volume));
        let mut expected = Vec::new();
        let mut group = criterion.benchmark_group(format!("flock/{name}"));
        for (system, mut flock) in systems(count, &rules) {
            check_step(flock.as_mut(), &rules, &places);
            check(flock.as_mut(), &rules, &places, &mut expected);
            let (mut position, mut velocity) = (places.clone(), velocities(count));
            group.bench_function(system, |bencher| {
                bencher.iter_custom(|steps| {
                    position.clone_from(&places);
                    timed(|| (0..steps).for_each(|_| flock.step(&rules, &mut position, &mut velocity)))
                });
            });
        }
        group.finish();
    }
    criterion.final_summary();
}
