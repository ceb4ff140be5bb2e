//! A warm neighbour index allocates nothing, and neither do the queries on it or on walls.

mod counting;

use counting::allocations;
use warband::math::{Vec3, direction, vec3};
use warband::space::{Grid, Metric, Neighbour, Shape, Wall, Walls};

fn spread(count: usize, by: f32) -> Vec<Vec3> {
    (0..count).map(|i| direction(i as f32 * 2.4) * (i as f32).sqrt() * by).collect()
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(7)))), 1);
}

#[test]
fn a_warm_grid_allocates_nothing() {
    let mut grid = Grid::default();
    let tight = spread(2000, 0.5);
    // Far wider, with outliers, in the other shape, and with fewer bodies: none of it may need more room.
    let mut wide = spread(1900, 40.0);
    wide[3] = vec3(1e6, 1e6, -1e6);
    wide[4] = Vec3::NAN;
    grid.rebuild(&tight, 2.0, Shape::Ground);
    let made = allocations(|| {
        for _ in 0..3 {
            grid.rebuild(&tight, 2.0, Shape::Ground);
            grid.rebuild(&wide, 2.0, Shape::Volume);
            grid.rebuild(&wide, 0.1, Shape::Ground);
        }
    });
    assert_eq!(made, 0);
}

#[test]
fn queries_into_warm_buffers_allocate_nothing() {
    let points = spread(2000, 0.5);
    let mut grid = Grid::default();
    grid.rebuild(&points, 2.0, Shape::Ground);
    let (mut found, mut near) = (Vec::with_capacity(2000), Vec::with_capacity(16));
    let mut slots = [Neighbour::default(); 8];
    let made = allocations(|| {
        for &point in points.iter().step_by(50) {
            grid.within(point, 6.0, &mut found);
            grid.in_cone(point, Vec3::X, 1.0, 20.0, &mut found);
            grid.nearest(point, 16, f32::INFINITY, None, &mut near);
            grid.nearest_into(Metric::Ground, point, 9.0, None, &mut slots);
        }
    });
    assert_eq!(made, 0);
}

#[test]
fn walls_allocate_nothing_when_asked() {
    let pillars = spread(300, 3.0).into_iter().map(|place| Wall::circle(place, 0.7).unwrap());
    let walls = Walls::new(pillars.collect());
    let made = allocations(|| {
        for place in spread(40, 5.0) {
            let to = place + vec3(30.0, 0.0, 7.0);
            std::hint::black_box((
                walls.ray(place, to),
                walls.slide(place, to, 0.4),
                walls.nearest(place, 5.0),
            ));
        }
    });
    // The list of places is the only thing made.
    assert_eq!(made, 1);
}
