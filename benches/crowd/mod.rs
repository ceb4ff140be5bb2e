//! Crowds that the benches of movement share, and the ways in which others find neighbours.
#![allow(dead_code, reason = "each bench has this module of its own, and uses a part")]

use kiddo::{ImmutableKdTree, SquaredEuclidean};
use rstar::RTree;
use rstar::primitives::GeomWithData;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};
use warband::math::{Vec3, vec3};
use warband::rng::Dice;
use warband::space::{Grid, Metric, Shape};

/// `count` places, spread evenly by dice over a square (or cube) in which each has `neighbours` others within `radius`
/// metres on average.
pub fn spread(count: usize, neighbours: f32, radius: f32, volume: bool) -> Vec<Vec3> {
    let mut dice = Dice::new(11, &[count as u64]);
    let ball = if volume { 4.0 / 3.0 * std::f32::consts::PI } else { std::f32::consts::PI };
    let power = if volume { 3.0 } else { 2.0 };
    let side = (count as f32 / neighbours * ball).powf(1.0 / power) * radius;
    let mut at = || (dice.unit() as f32 - 0.5) * side;
    (0..count).map(|_| vec3(at(), if volume { at() } else { 0.0 }, at())).collect()
}

/// The shortest form of a timed run.
#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
pub fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Whoever finds neighbours: it is built anew, and then asked.
pub trait Index {
    fn build(&mut self, places: &[Vec3], radius: f32);
    /// Fills `out` with the places within `radius` of `centre`, in any order.
    fn within(&mut self, centre: Vec3, radius: f32, out: &mut Vec<u32>);
}

/// The grid of this crate.
#[derive(Default)]
pub struct Cells(Grid, bool);

impl Cells {
    /// One that answers in the order of indices.
    pub fn sorted() -> Self {
        Self(Grid::default(), true)
    }
}

impl Index for Cells {
    fn build(&mut self, places: &[Vec3], radius: f32) {
        self.0.rebuild(places, radius, Shape::Ground);
    }
    fn within(&mut self, centre: Vec3, radius: f32, out: &mut Vec<u32>) {
        match self.1 {
            true => self.0.within_ground(centre, radius, out),
            false => self.0.within_unordered(Metric::Ground, centre, radius, out),
        }
    }
}

/// A hash map of cells with a list each, as it is written by hand.
#[derive(Default)]
pub struct Hashed {
    cells: FxHashMap<(i32, i32), Vec<u32>>,
    places: Vec<Vec3>,
    cell: f32,
}

impl Hashed {
    fn cell(&self, place: Vec3) -> (i32, i32) {
        ((place.x / self.cell).floor() as i32, (place.z / self.cell).floor() as i32)
    }
}

impl Index for Hashed {
    fn build(&mut self, places: &[Vec3], radius: f32) {
        self.cell = radius;
        self.places = places.to_vec();
        self.cells.values_mut().for_each(Vec::clear);
        for (index, place) in places.iter().enumerate() {
            let cell = self.cell(*place);
            self.cells.entry(cell).or_default().push(index as u32);
        }
    }
    fn within(&mut self, centre: Vec3, radius: f32, out: &mut Vec<u32>) {
        out.clear();
        let (column, row) = self.cell(centre);
        for cell in (-1..=1).flat_map(|x| (-1..=1).map(move |z| (column + x, row + z))) {
            let near =
                |index: &&u32| self.places[**index as usize].distance_squared(centre) <= radius * radius;
            out.extend(self.cells.get(&cell).into_iter().flatten().filter(near));
        }
    }
}

/// `kiddo`.
#[derive(Default)]
pub struct Kiddo(Option<ImmutableKdTree<f32, 2>>);

impl Index for Kiddo {
    fn build(&mut self, places: &[Vec3], _: f32) {
        let points: Vec<[f32; 2]> = places.iter().map(|place| [place.x, place.z]).collect();
        self.0 = ImmutableKdTree::new_from_slice(&points).ok();
    }
    fn within(&mut self, centre: Vec3, radius: f32, out: &mut Vec<u32>) {
        let tree = self.0.as_ref().expect("it was built");
        let found = tree
            .query(&[centre.x, centre.z])
            .within::<SquaredEuclidean<f32>>(radius * radius)
            .unsorted()
            .execute();
        out.clear();
        out.extend(found.iter().map(|found| found.item));
    }
}

/// `rstar`.
#[derive(Default)]
pub struct Rstar(RTree<GeomWithData<[f32; 2], u32>>);

impl Index for Rstar {
    fn build(&mut self, places: &[Vec3], _: f32) {
        let points =
            places.iter().enumerate().map(|(i, place)| GeomWithData::new([place.x, place.z], i as u32));
        self.0 = RTree::bulk_load(points.collect());
    }
    fn within(&mut self, centre: Vec3, radius: f32, out: &mut Vec<u32>) {
        out.clear();
        let found = self.0.locate_within_distance([centre.x, centre.z], radius * radius);
        out.extend(found.map(|found| found.data));
    }
}

/// Every place looked at.
#[derive(Default)]
pub struct Naive(Vec<Vec3>);

impl Index for Naive {
    fn build(&mut self, places: &[Vec3], _: f32) {
        self.0 = places.to_vec();
    }
    fn within(&mut self, centre: Vec3, radius: f32, out: &mut Vec<u32>) {
        out.clear();
        let near = |(_, place): &(usize, &Vec3)| place.distance_squared(centre) <= radius * radius;
        out.extend(self.0.iter().enumerate().filter(near).map(|(index, _)| index as u32));
    }
}
