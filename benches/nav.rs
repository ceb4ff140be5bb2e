//! What ground is asked for, µs per question: the nearest place, the shortest way, a step, a way round bodies.
//!
//! Rows are `nav/<question>_<walls>/warband`. Before a row is timed, the answers to all its questions are summed, and the sum is printed and
//! checked to be the same twice: two meshes of the same walls answer alike.
//!
//! `cargo bench --no-default-features --features navmesh --bench nav`

mod packs;

use criterion::Criterion;
use std::hint::black_box;
use warband::nav::{Disc, NavMesh, Navigation, Terrain, TerrainDesc};
use warband::rng::Dice;
use warband::{Vec3, Wall, Walls, vec3};

/// A square yard that is as full at any number of walls: 64 m² for each.
struct Yard {
    half: f32,
    walls: Walls,
    questions: Vec<(Vec3, Vec3)>,
}

impl Yard {
    fn new(count: u32) -> Yard {
        let half = 4.0 * libm::sqrtf(count as f32);
        let mut dice = Dice::new(u64::from(count), &[]);
        let mut within = |half: f32| dice.range(f64::from(-half), f64::from(half)) as f32;
        let walls = (0..count).map(|_| {
            let at = vec3(within(half), 0.0, within(half));
            Wall::segment(at, at + vec3(within(6.0), 0.0, within(6.0) + 0.1)).expect("it is a wall")
        });
        let walls = Walls::new(walls.collect());
        let mut place = || vec3(within(half), 0.0, within(half));
        let questions = (0..256).map(|_| (place(), place())).collect();
        Yard { half, walls, questions }
    }

    fn mesh(&self) -> NavMesh {
        let corner = |x: f32, z: f32| vec3(x * self.half, 0.0, z * self.half);
        let outline = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        NavMesh::new(&outline, &self.walls, &[0.5]).expect("there is room")
    }
}

type Question = fn(&dyn Navigation, Vec3, Vec3, &mut Vec<Vec3>) -> f32;

fn nearest(ground: &dyn Navigation, from: Vec3, _: Vec3, _: &mut Vec<Vec3>) -> f32 {
    ground.nearest(from, 0.5, f32::MAX).map_or(-1.0, |at| at.x)
}

fn path(ground: &dyn Navigation, from: Vec3, to: Vec3, way: &mut Vec<Vec3>) -> f32 {
    ground.path(from, to, 0.5, way);
    way.iter().map(|corner| corner.x).sum()
}

fn step(ground: &dyn Navigation, from: Vec3, to: Vec3, _: &mut Vec<Vec3>) -> f32 {
    ground.step(from, from + (to - from).normalize_or_zero() * 0.08, 0.5).x
}

fn straight(ground: &dyn Navigation, from: Vec3, to: Vec3, _: &mut Vec<Vec3>) -> f32 {
    f32::from(u8::from(ground.straight(from, to, 0.5)))
}

fn around(ground: &dyn Navigation, from: Vec3, to: Vec3, way: &mut Vec<Vec3>) -> f32 {
    let middle = (from + to) / 2.0;
    let disc = |number: i32| Disc { centre: middle + vec3(number as f32, 0.0, 0.0), radius: 0.5 };
    ground.path_around(from, to, 0.5, &[-1, 0, 1].map(disc), way);
    way.iter().map(|corner| corner.x).sum()
}

fn sum(ground: &dyn Navigation, yard: &Yard, most: usize, ask: Question) -> f64 {
    let mut way = Vec::new();
    yard.questions[..most].iter().map(|(from, to)| f64::from(ask(ground, *from, *to, &mut way))).sum()
}

fn rows(criterion: &mut Criterion, count: u32) {
    let yard = Yard::new(count);
    let (mesh, twin) = (yard.mesh(), yard.mesh());
    println!("nav: {count} walls, {} pieces", mesh.pieces());
    let questions: [(&str, Question, usize); 5] = [
        ("nearest", nearest, 256),
        ("straight", straight, 256),
        ("step", step, 256),
        ("path", path, 256),
        ("path_around", around, 8),
    ];
    for (name, ask, most) in questions {
        let checksum = sum(&mesh, &yard, most, ask);
        assert_eq!(checksum.to_bits(), sum(&twin, &yard, most, ask).to_bits(), "{name}: two meshes differ");
        println!("nav/{name}_{count}: checksum {checksum}");
        let (mut way, mut number) = (Vec::new(), 0);
        criterion.bench_function(&format!("nav/{name}_{count}/warband"), |bench| {
            bench.iter(|| {
                let (from, to) = yard.questions[number % most];
                number += 1;
                black_box(ask(&mesh, from, to, &mut way))
            });
        });
    }
    criterion
        .bench_function(&format!("nav/build_{count}/warband"), |bench| bench.iter(|| yard.mesh().pieces()));
}

/// A floor of 64 m by 64 m under a storey of the same size, made of triangles.
fn triangles(criterion: &mut Criterion) {
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    let mut sheet = |x: [f32; 2], z: [f32; 2], y: [f32; 2]| {
        let from = points.len() as u32;
        points.extend([vec3(x[0], y[0], z[0]), vec3(x[1], y[0], z[0])]);
        points.extend([vec3(x[1], y[1], z[1]), vec3(x[0], y[1], z[1])]);
        triangles.extend([[from, from + 2, from + 1], [from, from + 3, from + 2]]);
    };
    sheet([0.0, 64.0], [0.0, 64.0], [0.0, 0.0]);
    sheet([0.0, 60.0], [16.0, 64.0], [4.0, 4.0]);
    sheet([20.0, 24.0], [6.0, 16.0], [0.0, 4.0]);
    let make = || Terrain::new(&points, &triangles, &TerrainDesc::default()).expect("there is room");
    let ground = make();
    println!("nav: two storeys, {} pieces", ground.pieces());
    let (below, above) = (vec3(50.0, 0.0, 50.0), vec3(50.0, 4.0, 50.0));
    let mut way = Vec::new();
    criterion.bench_function("nav/path_storeys/warband", |bench| {
        bench.iter(|| ground.path(below, above, 0.5, &mut way))
    });
    criterion.bench_function("nav/step_storeys/warband", |bench| {
        bench.iter(|| ground.step(above, above + vec3(0.08, 0.0, 0.02), 0.5));
    });
    criterion.bench_function("nav/build_storeys/warband", |bench| bench.iter(|| make().pieces()));
}

fn main() {
    let mut criterion = packs::criterion();
    for count in [20, 100, 400] {
        rows(&mut criterion, count);
    }
    triangles(&mut criterion);
    criterion.final_summary();
}
