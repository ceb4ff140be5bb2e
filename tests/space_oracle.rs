//! The neighbour index against plain scans of all points, and the walls against formulas of their own.

use proptest::prelude::*;
use std::f32::consts::PI;
use warband::error::ErrorKind;
use warband::math::{Vec3, direction, flat, vec3};
use warband::space::{Against, DEFAULT_CELL, Grid, Metric, Neighbour, Shape, Wall, Walls};

// ---------------------------------------------------------------------------------------------- the grid

/// Coordinates that lie anywhere, on cell edges, on top of each other, or very far out.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => -40.0_f32..40.0,
        4 => (-12_i32..12).prop_map(|edge| edge as f32 * 2.0),
        1 => Just(1e6_f32),
        1 => Just(-1e6_f32),
    ]
}

fn point() -> impl Strategy<Value = Vec3> {
    let usual = (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| vec3(x, y, z));
    let odd = prop_oneof![
        Just(Vec3::splat(f32::NAN)),
        Just(vec3(f32::INFINITY, 0.0, 0.0)),
        Just(vec3(1.0, f32::NAN, 1.0)),
        Just(vec3(0.0, 0.0, -1e30)),
        Just(vec3(2.0, 0.0, 2.0)),
    ];
    prop_oneof![14 => usual, 1 => odd]
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![Just(Shape::Ground), Just(Shape::Volume)]
}

fn cell() -> impl Strategy<Value = f32> {
    prop_oneof![Just(2.0_f32), 0.3_f32..9.0, Just(1e-9), Just(f32::NAN), Just(1e9)]
}

fn radius() -> impl Strategy<Value = f32> {
    prop_oneof![6 => 0.0_f32..15.0, 2 => (0_u8..8).prop_map(f32::from), 1 => Just(3e6), 1 => Just(f32::INFINITY), 1 => Just(0.0)]
}

fn grid_of(points: &[Vec3], cell: f32, shape: Shape) -> Grid {
    let mut grid = Grid::default();
    grid.rebuild(points, cell, shape);
    grid
}

fn findable(point: Vec3) -> bool {
    point.is_finite() && point.abs().max_element() <= 1e18
}

fn squared(metric: Metric, a: Vec3, b: Vec3) -> f32 {
    match metric {
        Metric::Ground => flat(b - a).length_squared(),
        Metric::Volume => (b - a).length_squared(),
    }
}

fn scan(points: &[Vec3], keep: impl Fn(Vec3) -> bool) -> Vec<u32> {
    (0..)
        .zip(points)
        .filter(|(_, point)| findable(**point) && keep(**point))
        .map(|(index, _)| index)
        .collect()
}

fn scan_nearest(
    metric: Metric,
    points: &[Vec3],
    centre: Vec3,
    k: usize,
    max: f32,
    skip: Option<u32>,
) -> Vec<u32> {
    let mut found: Vec<(f32, u32)> = scan(points, |point| squared(metric, centre, point) <= max * max)
        .into_iter()
        .filter(|index| Some(*index) != skip)
        .map(|index| (squared(metric, centre, points[index as usize]), index))
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    found.iter().take(k).map(|(_, index)| *index).collect()
}

fn indices(neighbours: &[Neighbour]) -> Vec<u32> {
    neighbours.iter().map(|neighbour| neighbour.index).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn within_is_a_scan(
        points in prop::collection::vec(point(), 0..120),
        centre in point(), radius in radius(), cell in cell(), shape in shape(),
    ) {
        let grid = grid_of(&points, cell, shape);
        let keep = |metric| move |point| findable(centre) && squared(metric, centre, point) <= radius * radius;
        let mut found = vec![99];
        grid.within(centre, radius, &mut found);
        prop_assert_eq!(&found, &scan(&points, keep(Metric::Volume)));
        grid.within_ground(centre, radius, &mut found);
        prop_assert_eq!(&found, &scan(&points, keep(Metric::Ground)));
    }

    #[test]
    fn nearest_is_a_sorted_scan(
        points in prop::collection::vec(point(), 0..120),
        centre in point(), k in 0_usize..12, radius in radius(), cell in cell(), shape in shape(),
        skip in prop::option::of(0_u32..20),
    ) {
        let grid = grid_of(&points, cell, shape);
        let centre = if findable(centre) { centre } else { Vec3::ZERO };
        let mut found = Vec::new();
        grid.nearest(centre, k, radius, skip, &mut found);
        prop_assert_eq!(indices(&found), scan_nearest(Metric::Volume, &points, centre, k, radius, skip));
        for neighbour in &found {
            let expected = squared(Metric::Volume, centre, points[neighbour.index as usize]).sqrt();
            prop_assert_eq!(neighbour.distance, expected);
        }
        grid.nearest_ground(centre, k, radius, skip, &mut found);
        prop_assert_eq!(indices(&found), scan_nearest(Metric::Ground, &points, centre, k, radius, skip));
    }

    // Points enough for cells that are narrower along x, and few enough in a cell for several rounds of growing blocks.
    #[test]
    fn nearest_of_a_crowd_is_a_sorted_scan(
        points in prop::collection::vec((0.0_f32..20.0, 0.0_f32..3.0, 0.0_f32..20.0), 150..300),
        centre in (-4.0_f32..24.0, -4.0_f32..24.0), k in 1_usize..90, cell in 0.5_f32..3.0, shape in shape(),
    ) {
        let points: Vec<Vec3> = points.into_iter().map(|(x, y, z)| vec3(x, y, z)).collect();
        let grid = grid_of(&points, cell, shape);
        let centre = vec3(centre.0, 1.0, centre.1);
        let mut found = Vec::new();
        grid.nearest(centre, k, f32::INFINITY, Some(3), &mut found);
        prop_assert_eq!(indices(&found), scan_nearest(Metric::Volume, &points, centre, k, f32::INFINITY, Some(3)));
        grid.nearest_ground(centre, k, 6.0, None, &mut found);
        prop_assert_eq!(indices(&found), scan_nearest(Metric::Ground, &points, centre, k, 6.0, None));
    }

    #[test]
    fn cone_is_a_scan_of_angles(
        points in prop::collection::vec(point(), 0..80),
        apex in point(), heading in -PI..PI, lift in -1.0_f32..1.0, half_angle in 0.0_f32..PI, range in radius(),
        shape in shape(),
    ) {
        let apex = if findable(apex) { apex } else { Vec3::ZERO };
        let axis = (direction(heading) + vec3(0.0, lift, 0.0)).normalize();
        let grid = grid_of(&points, 2.0, shape);
        let mut found = Vec::new();
        for metric in [Metric::Volume, Metric::Ground] {
            match metric {
                Metric::Volume => grid.in_cone(apex, axis, half_angle, range, &mut found),
                Metric::Ground => grid.in_cone_ground(apex, axis, half_angle, range, &mut found),
            }
            prop_assert!(found.is_sorted());
            for (index, &point) in (0_u32..).zip(&points).filter(|(_, point)| findable(**point)) {
                let near = squared(metric, apex, point) <= range * range;
                let off = angle_between(metric.of(axis), metric.of(point - apex));
                let inside = found.contains(&index);
                // An arc cosine of f32 vectors is not sharp enough to judge the very rim.
                if (off - f64::from(half_angle)).abs() > 1e-5 {
                    prop_assert_eq!(inside, near && off < f64::from(half_angle), "{} {}", index, off);
                }
            }
        }
    }

    #[test]
    fn the_order_of_points_is_not_felt(points in prop::collection::vec(point(), 1..60), centre in point()) {
        let reversed: Vec<Vec3> = points.iter().rev().copied().collect();
        let last = points.len() as u32 - 1;
        let (mut one, mut other) = (Vec::new(), Vec::new());
        grid_of(&points, 2.0, Shape::Ground).within(centre, 9.0, &mut one);
        grid_of(&reversed, 2.0, Shape::Ground).within(centre, 9.0, &mut other);
        let mut mirrored: Vec<u32> = other.iter().map(|index| last - index).collect();
        mirrored.reverse();
        prop_assert_eq!(one, mirrored);
    }

    #[test]
    fn records_lie_in_the_order_of_their_cells(
        points in prop::collection::vec(point(), 0..200), cell in cell(), shape in shape(),
    ) {
        let grid = grid_of(&points, cell, shape);
        let [columns, floors, rows] = grid.dims();
        let cells = columns as usize * floors as usize * rows as usize;
        prop_assert!(cells <= 4 * points.len() + 64);
        prop_assert_eq!(grid.starts().len(), cells + 1);
        prop_assert_eq!(grid.records().len(), points.iter().filter(|point| findable(**point)).count());
        let mut seen = 0;
        for y in 0..floors { for z in 0..rows { for x in 0..columns {
            let row = grid.row(x, x, y, z);
            prop_assert!(row.is_sorted_by_key(|record| record.index));
            for record in row {
                prop_assert_eq!(grid.cell_of(record.position), [x, y, z]);
                prop_assert_eq!(record, &grid.records()[seen]);
                seen += 1;
            }
        }}}
        prop_assert_eq!(seen, grid.records().len());
    }
}

/// In radians; 0 for an offset without length.
fn angle_between(axis: Vec3, offset: Vec3) -> f64 {
    let wide = |v: Vec3| v.to_array().map(f64::from);
    let (a, b) = (wide(axis), wide(offset));
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    if offset == Vec3::ZERO {
        0.0
    } else {
        (dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()).clamp(-1.0, 1.0).acos()
    }
}

#[test]
fn bad_numbers_find_nothing() {
    let grid = grid_of(&[Vec3::ZERO, Vec3::X], 2.0, Shape::Volume);
    let (mut found, mut near) = (vec![7], vec![Neighbour::default()]);
    for (centre, radius) in
        [(Vec3::ZERO, -1.0), (Vec3::ZERO, f32::NAN), (Vec3::NAN, 5.0), (Vec3::INFINITY, 5.0)]
    {
        grid.within(centre, radius, &mut found);
        assert!(found.is_empty());
        grid.nearest(centre, 2, radius, None, &mut near);
        assert!(near.is_empty());
        grid.in_cone(centre, Vec3::X, 1.0, radius, &mut found);
        assert!(found.is_empty());
    }
    grid.in_cone(Vec3::ZERO, Vec3::X, f32::NAN, 5.0, &mut found);
    assert!(found.is_empty());
    Grid::default().within(Vec3::ZERO, f32::INFINITY, &mut found);
    assert!(found.is_empty());
    assert!(Grid::default().row(0, 5, 9, 9).is_empty());
}

#[test]
fn a_bad_cell_size_counts_as_the_default() {
    for cell in [0.0, -3.0, f32::NAN, f32::INFINITY] {
        assert_eq!(grid_of(&[Vec3::ZERO], cell, Shape::Ground).cell(), DEFAULT_CELL);
    }
}

#[test]
fn a_narrow_cone_sees_what_is_straight_ahead_and_what_is_at_its_tip() {
    let grid = grid_of(&[vec3(3.0, 0.0, 4.0), Vec3::ZERO, vec3(4.0, 0.0, 3.0)], 2.0, Shape::Ground);
    let mut found = Vec::new();
    grid.in_cone(Vec3::ZERO, vec3(0.6, 0.0, 0.8), 0.0, 10.0, &mut found);
    assert_eq!(found, [0, 1]);
    grid.in_cone(Vec3::ZERO, Vec3::ZERO, 1.0, 10.0, &mut found);
    assert_eq!(found, [1], "a cone without direction has only a tip");
    grid.in_cone(Vec3::ZERO, Vec3::X * 20.0, PI, 10.0, &mut found);
    assert_eq!(found, [0, 1, 2]);
}

#[test]
fn one_body_far_away_does_not_spoil_the_cells_of_the_others() {
    let mut points: Vec<Vec3> = (0..1000).map(|i| vec3((i % 32) as f32, 0.0, (i / 32) as f32)).collect();
    points.push(vec3(1e6, 0.0, -1e6));
    let grid = grid_of(&points, 2.0, Shape::Ground);
    assert_eq!(grid.cell(), 2.0);
    let fullest = grid.starts().windows(2).map(|pair| pair[1] - pair[0]).max();
    assert!(fullest < Some(20), "{fullest:?}");
    let mut near = Vec::new();
    grid.nearest(points[1000], 2, f32::INFINITY, Some(1000), &mut near);
    assert_eq!(
        indices(&near),
        scan_nearest(Metric::Volume, &points, points[1000], 2, f32::INFINITY, Some(1000))
    );
}

#[test]
fn rounding_of_the_radius_loses_no_point_at_a_cell_edge() {
    let mut points: Vec<Vec3> = (0..200).map(|i| vec3(i as f32 * 5.0, 0.0, 0.0)).collect();
    points.push(vec3(1.99999, 0.0, 0.0));
    let grid = grid_of(&points, 2.0, Shape::Ground);
    let (centre, radius) = (vec3(1000.0, 0.0, 0.0), 998.0);
    assert_ne!(
        grid.cell_of(points[200]),
        grid.cell_of(centre - Vec3::X * radius),
        "the point lies one cell further"
    );
    assert!(squared(Metric::Volume, centre, points[200]) <= radius * radius, "within, as f32 reckons");
    let mut found = Vec::new();
    grid.within(centre, radius, &mut found);
    assert!(found.contains(&200));
}

#[test]
fn all_on_one_point_are_all_found_in_order() {
    let points = vec![vec3(-7.0, 1.0, 3.0); 500];
    let grid = grid_of(&points, 2.0, Shape::Volume);
    let mut near = Vec::new();
    grid.nearest(points[0], 4, 0.0, Some(1), &mut near);
    assert_eq!(indices(&near), [0, 2, 3, 4]);
    let mut found = Vec::new();
    grid.within(points[0], 0.0, &mut found);
    assert_eq!(found, (0..500).collect::<Vec<u32>>());
}

// ----------------------------------------------------------------------------------------------- the walls

/// A wall to be made, in a form that the tests' own formulas can read.
#[derive(Clone, Debug)]
enum Outline {
    Segment(Vec3, Vec3),
    Circle(Vec3, f32),
    /// Corners on a circle: convex whatever the angles.
    Polygon(Vec<Vec3>),
}

impl Outline {
    fn wall(&self) -> Wall {
        match self {
            Outline::Segment(a, b) => Wall::segment(*a, *b),
            Outline::Circle(centre, radius) => Wall::circle(*centre, *radius),
            Outline::Polygon(corners) => Wall::polygon(corners),
        }
        .expect("a sound wall")
    }

    /// How far `p` is from it on the ground; 0 inside.
    fn distance(&self, p: Vec3) -> f64 {
        match self {
            Outline::Segment(a, b) => segment_distance(*a, *b, p),
            Outline::Circle(centre, radius) => {
                (f64::from(flat(p - *centre).length()) - f64::from(*radius)).max(0.0)
            }
            Outline::Polygon(corners) if inside(corners, p) => 0.0,
            Outline::Polygon(corners) => {
                sides(corners).map(|(a, b)| segment_distance(a, b, p)).fold(f64::INFINITY, f64::min)
            }
        }
    }
}

fn sides(corners: &[Vec3]) -> impl Iterator<Item = (Vec3, Vec3)> {
    (0..corners.len()).map(move |i| (corners[i], corners[(i + 1) % corners.len()]))
}

/// By counting how often a line from `p` crosses the outline.
fn inside(corners: &[Vec3], p: Vec3) -> bool {
    sides(corners)
        .filter(|(a, b)| (a.z > p.z) != (b.z > p.z) && p.x < a.x + (b.x - a.x) * (p.z - a.z) / (b.z - a.z))
        .count()
        % 2
        == 1
}

fn segment_distance(a: Vec3, b: Vec3, p: Vec3) -> f64 {
    let wide = |v: Vec3| (f64::from(v.x), f64::from(v.z));
    let ((ax, az), (bx, bz), (px, pz)) = (wide(a), wide(b), wide(p));
    let (dx, dz) = (bx - ax, bz - az);
    let t = (((px - ax) * dx + (pz - az) * dz) / (dx * dx + dz * dz)).clamp(0.0, 1.0);
    (px - ax - dx * t).hypot(pz - az - dz * t)
}

fn spot(size: f32) -> impl Strategy<Value = Vec3> {
    (-size..size, -size..size).prop_map(|(x, z)| vec3(x, 0.0, z))
}

fn outline() -> impl Strategy<Value = Outline> {
    let segment = (spot(20.0), -PI..PI, 0.5_f32..30.0)
        .prop_map(|(a, angle, length)| Outline::Segment(a, a + direction(angle) * length));
    let circle = (spot(20.0), 0.2_f32..6.0).prop_map(|(centre, radius)| Outline::Circle(centre, radius));
    let polygon = (spot(20.0), 1.0_f32..8.0, 0.0_f32..2.0, 3_usize..8, any::<bool>()).prop_map(
        |(centre, radius, turn, count, reversed)| {
            let corner = |i: usize| centre + direction(turn + i as f32 * 2.0 * PI / count as f32) * radius;
            let mut corners: Vec<Vec3> = (0..count).map(corner).collect();
            if reversed {
                corners.reverse();
            }
            Outline::Polygon(corners)
        },
    );
    prop_oneof![segment, circle, polygon]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_ray_stops_where_walking_along_it_first_meets_a_wall(
        outlines in prop::collection::vec(outline(), 1..6), from in spot(30.0), to in spot(30.0),
    ) {
        const STEPS: usize = 2000;
        let walls = Walls::new(outlines.iter().map(Outline::wall).collect());
        let step = (to - from).length() / STEPS as f32;
        let gap = |i: usize| {
            let p = from + (to - from) * (i as f32 / STEPS as f32);
            outlines.iter().map(|outline| outline.distance(p)).fold(f64::INFINITY, f64::min)
        };
        let free_until = |fraction: f32| {
            // Nothing nearer than what rounding does to a sample, up to two steps before the hit.
            (0..=STEPS).take_while(|&i| i as f32 / STEPS as f32 <= fraction - 2.0 / STEPS as f32).all(|i| gap(i) > 0.0)
        };
        match walls.ray(from, to) {
            Some(hit) => {
                let there = outlines[hit.wall as usize].distance(hit.point);
                prop_assert!(there < 1e-3, "hit {} m off its wall", there);
                prop_assert!(free_until(hit.fraction) || grazes(&outlines, from, to));
                prop_assert!((hit.point - (from + (to - from) * hit.fraction)).length() < 1e-3);
                prop_assert!((hit.normal.length() - 1.0).abs() < 1e-4);
                prop_assert!(hit.normal.dot(to - from) <= 1e-3, "the normal looks along the ray");
            }
            None => {
                // Points inside a solid are at distance 0; a segment is met between two samples.
                let crossed = outlines.iter().any(|outline| match outline {
                    Outline::Segment(a, b) => crosses(*a, *b, from, to),
                    _ => false,
                });
                prop_assert!(!crossed);
                prop_assert!(free_until(2.0) || grazes(&outlines, from, to), "step {}", step);
            }
        }
        prop_assert_eq!(walls.blocked(from, to), walls.ray(from, to).is_some());
    }

    #[test]
    fn the_first_hit_is_the_first_of_each_wall_alone(
        outlines in prop::collection::vec(outline(), 1..40), from in spot(30.0), to in spot(30.0),
    ) {
        let all = Walls::new(outlines.iter().map(Outline::wall).collect());
        let alone = outlines.iter().filter_map(|outline| Walls::new(vec![outline.wall()]).ray(from, to));
        let first = alone.map(|hit| hit.fraction).fold(f32::INFINITY, f32::min);
        prop_assert_eq!(all.ray(from, to).map_or(f32::INFINITY, |hit| hit.fraction), first);
    }

    #[test]
    fn nearest_wall_is_a_scan(
        outlines in prop::collection::vec(outline(), 0..40), place in spot(30.0), range in 0.0_f32..20.0,
    ) {
        let walls = Walls::new(outlines.iter().map(Outline::wall).collect());
        let scanned = outlines.iter().map(|outline| outline.distance(place)).fold(f64::INFINITY, f64::min);
        match walls.nearest(place, range) {
            Some(near) => {
                prop_assert!((f64::from(near.distance.max(0.0)) - scanned).abs() < 1e-3);
                prop_assert!((near.point + near.normal * near.distance - place).length() < 1e-3);
                prop_assert!((near.normal.length() - 1.0).abs() < 1e-4);
            }
            None => prop_assert!(scanned > f64::from(range) - 1e-3),
        }
    }

    #[test]
    fn pushing_out_of_one_wall_leaves_no_overlap_and_goes_no_farther_than_needed(
        outline in outline(), place in spot(30.0), radius in 0.0_f32..3.0,
    ) {
        let walls = Walls::new(vec![outline.wall()]);
        let pushed = walls.push_out(place, radius);
        let gap = outline.distance(pushed);
        prop_assert!(gap > f64::from(radius) - 1e-3, "{} m instead of {} m", gap, radius);
        prop_assert!(!walls.overlaps(pushed, radius));
        if outline.distance(place) > 0.0 {
            let needed = (f64::from(radius) - outline.distance(place)).max(0.0);
            prop_assert!(f64::from((pushed - place).length()) < needed + 1e-3);
        }
        prop_assert_eq!(walls.push_out(pushed, radius), pushed);
    }

    #[test]
    fn a_room_without_doors_is_never_left(
        count in 3_usize..9, turn in 0.0_f32..6.0, radius in 0.0_f32..1.0,
        steps in prop::collection::vec((-PI..PI, 0.0_f32..100.0), 1..30),
    ) {
        let corner = |i: usize| vec3(300.0, 0.0, -200.0) + direction(turn + i as f32 * 2.0 * PI / count as f32) * 8.0;
        let corners: Vec<Vec3> = (0..count).map(corner).collect();
        let walls = Walls::new(sides(&corners).map(|(a, b)| Wall::segment(a, b).unwrap()).collect());
        let mut place = vec3(300.0, 0.0, -200.0);
        for (angle, length) in steps {
            place = walls.slide(place, place + direction(angle) * length, radius);
            prop_assert!(inside(&corners, place), "escaped to {}", place);
            let gap = sides(&corners).map(|(a, b)| segment_distance(a, b, place)).fold(f64::INFINITY, f64::min);
            prop_assert!(gap > f64::from(radius) - 1e-3, "{} m to a wall", gap);
        }
    }

    #[test]
    fn sliding_among_walls_ends_free_and_the_way_there_is_free(
        outlines in prop::collection::vec(outline(), 1..12), from in spot(40.0), radius in 0.05_f32..1.5,
        steps in prop::collection::vec((-PI..PI, 0.0_f32..100.0), 1..12),
    ) {
        let walls = Walls::new(outlines.iter().map(Outline::wall).collect());
        let mut place = from;
        prop_assume!(outlines.iter().all(|outline| outline.distance(from) > f64::from(radius) + 1e-3));
        for (angle, length) in steps {
            let to = place + direction(angle) * length;
            let next = walls.slide(place, to, radius);
            let gap = outlines.iter().map(|outline| outline.distance(next)).fold(f64::INFINITY, f64::min);
            prop_assert!(gap > f64::from(radius) - 1e-3, "{} m to a wall", gap);
            prop_assert!((next - place).length() <= length + 1e-2, "moved farther than asked");
            if walls.nearest(place, 101.0).is_none_or(|near| near.distance > length + radius) {
                prop_assert_eq!(next, to, "stopped by nothing");
            }
            place = next;
        }
    }

    #[test]
    fn a_long_wall_is_never_crossed(
        from in spot(60.0), angle in -PI..PI, step in spot(100.0), radius in 0.0_f32..1.0,
    ) {
        let along = direction(angle);
        let walls = Walls::new(vec![Wall::segment(along * -5000.0, along * 5000.0).unwrap()]);
        let side = |p: Vec3| along.x * p.z - along.z * p.x;
        prop_assume!(side(from).abs() > radius + 0.02);
        let to = walls.slide(from, from + step, radius);
        prop_assert!(side(from).signum() == side(to).signum());
        prop_assert!(side(to).abs() > radius - 1e-3);
        // What is left of the step runs along the wall.
        prop_assert!((along.dot(to - from) - along.dot(step)).abs() < 2e-2);
    }
}

/// Whether a ray meets a solid so flatly that samples and formula may differ.
fn grazes(outlines: &[Outline], from: Vec3, to: Vec3) -> bool {
    let thin = |outline: &Outline| match outline {
        Outline::Segment(..) => false,
        Outline::Circle(centre, radius) => {
            (segment_distance(from, to, *centre) - f64::from(*radius)).abs() < 1e-4
        }
        Outline::Polygon(corners) => corners.iter().any(|corner| segment_distance(from, to, *corner) < 1e-3),
    };
    outlines.iter().any(thin)
}

/// Whether two segments cross for certain: the ends of each well apart on both sides of the other.
fn crosses(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> bool {
    let side = |a: Vec3, b: Vec3, p: Vec3| (b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x);
    let apart = |s: f32, t: f32| (s > 1e-2 && t < -1e-2) || (s < -1e-2 && t > 1e-2);
    apart(side(a, b, c), side(a, b, d)) && apart(side(c, d, a), side(c, d, b))
}

fn block() -> Wall {
    Wall::polygon(&[vec3(2.0, 0.0, -2.0), vec3(6.0, 0.0, -2.0), vec3(6.0, 0.0, 2.0), vec3(2.0, 0.0, 2.0)])
        .expect("a square")
}

#[test]
fn heights_count_for_rays_and_bodies() {
    let fence = Wall::segment(vec3(5.0, 0.0, -5.0), vec3(5.0, 0.0, 5.0)).unwrap().height(0.0, 1.0).unwrap();
    let walls = Walls::new(vec![fence]);
    let seen = |y: f32, to: f32| !walls.blocked(vec3(0.0, y, 0.0), vec3(10.0, to, 0.0));
    assert!(seen(1.7, 1.7) && seen(1.0, 1.0) && seen(-0.5, -0.5));
    assert!(!seen(0.0, 0.0) && !seen(0.5, 0.5));
    assert!(!seen(1.7, 0.0), "down behind the fence: it passes at 0.85 m");
    assert!(seen(2.2, 0.0), "it passes at 1.1 m");
    assert!(walls.overlaps(vec3(4.8, 0.0, 0.0), 0.5) && !walls.overlaps(vec3(4.8, 1.0, 0.0), 0.5));
    assert_eq!(walls.slide(Vec3::ZERO, vec3(9.0, 0.0, 0.0), 0.5), vec3(4.5, 0.0, 0.0));
    assert_eq!(walls.slide(Vec3::Y, vec3(9.0, 1.0, 0.0), 0.5), vec3(9.0, 1.0, 0.0));
    assert!(walls.nearest(Vec3::Y * 3.0, 50.0).is_none());
}

#[test]
fn a_ray_from_above_lands_on_the_roof() {
    let walls = Walls::new(vec![block().height(0.0, 3.0).unwrap()]);
    let hit = walls.ray(vec3(4.0, 5.0, 0.0), vec3(4.0, -1.0, 0.0)).unwrap();
    assert_eq!((hit.point, hit.normal), (vec3(4.0, 3.0, 0.0), Vec3::Y));
    let hit = walls.ray(vec3(1.0, 4.0, 0.0), vec3(5.0, 2.0, 0.0)).unwrap();
    assert_eq!((hit.point, hit.normal), (vec3(3.0, 3.0, 0.0), Vec3::Y));
    assert!(walls.ray(vec3(4.0, 5.0, 0.0), vec3(4.0, 3.0, 0.0)).is_none(), "it ends on the roof");
}

#[test]
fn inside_is_blocked_and_touching_is_not() {
    let walls = Walls::new(vec![block()]);
    let hit = walls.ray(vec3(4.0, 0.0, 0.0), vec3(10.0, 0.0, 0.0)).unwrap();
    assert_eq!((hit.fraction, hit.normal), (0.0, -Vec3::X));
    assert!(walls.blocked(vec3(4.0, 0.0, 0.0), vec3(4.0, 0.0, 0.0)));
    let touching = vec3(2.0, 0.0, 0.0);
    assert!(!walls.blocked(touching, vec3(-5.0, 0.0, 0.0)), "away from the face");
    assert!(!walls.blocked(touching, vec3(2.0, 0.0, 9.0)), "along the face");
    assert!(!walls.blocked(vec3(-5.0, 0.0, 0.0), touching), "up to the face");
    assert!(walls.blocked(touching, vec3(3.0, 0.0, 0.0)), "into it");
    let thin = Walls::new(vec![Wall::segment(vec3(2.0, 0.0, -2.0), vec3(2.0, 0.0, 2.0)).unwrap()]);
    assert!(!thin.blocked(touching, Vec3::ZERO) && thin.blocked(Vec3::ZERO, touching));
}

#[test]
fn no_light_falls_between_walls_that_meet() {
    for i in 0..200 {
        let corner = vec3(0.1 + i as f32 * 0.377, 0.0, i as f32 * 0.731 - 60.0);
        let ends = [corner + direction(i as f32) * 3.0, corner + direction(i as f32 + 2.0) * 4.0];
        let walls = Walls::new(ends.iter().map(|end| Wall::segment(corner, *end).unwrap()).collect());
        let through = direction(i as f32 + 1.0) * 2.0;
        assert!(walls.blocked(corner + through, corner - through), "at {corner}");
    }
}

#[test]
fn glass_and_smoke() {
    let [a, b] = [vec3(5.0, 0.0, -5.0), vec3(5.0, 0.0, 5.0)];
    let glass = Walls::new(vec![Wall::segment(a, b).unwrap().see_through(true)]);
    let smoke = Walls::new(vec![Wall::segment(a, b).unwrap().walk_through(true)]);
    let [from, to] = [Vec3::ZERO, vec3(10.0, 0.0, 0.0)];
    assert!(!glass.blocked(from, to) && smoke.blocked(from, to));
    assert!(glass.ray(from, to).is_some() && smoke.ray(from, to).is_some());
    assert!(glass.ray_against(Against::Bodies, from, to).is_some());
    assert!(smoke.ray_against(Against::Bodies, from, to).is_none());
    assert_eq!(smoke.slide(from, to, 0.5), to);
    assert_eq!(glass.slide(from, to, 0.5), vec3(4.5, 0.0, 0.0));
    assert_eq!(smoke.push_out(vec3(5.0, 0.0, 0.0), 1.0), vec3(5.0, 0.0, 0.0));
}

#[test]
fn coincident_centres_and_corners_are_pushed_somewhere_definite() {
    let pillar = Walls::new(vec![Wall::circle(vec3(1.0, 0.0, 1.0), 2.0).unwrap()]);
    assert_eq!(pillar.push_out(vec3(1.0, 0.5, 1.0), 0.5), vec3(3.5, 0.5, 1.0));
    let corner = vec3(3.0, 0.0, 4.0);
    let wall = Walls::new(vec![Wall::segment(corner, vec3(9.0, 0.0, 4.0)).unwrap()]);
    for place in [corner, vec3(5.0, 0.0, 4.0)] {
        let pushed = wall.push_out(place, 1.0);
        assert!(pushed.is_finite() && !wall.overlaps(pushed, 1.0));
    }
}

#[test]
fn a_body_is_pushed_out_of_a_sharp_corner() {
    for degrees in [15.0_f32, 30.0, 60.0, 90.0, 120.0] {
        let arms = [Vec3::X * 50.0, direction(degrees.to_radians()) * 50.0];
        let walls = Walls::new(arms.iter().map(|arm| Wall::segment(Vec3::ZERO, *arm).unwrap()).collect());
        let deep = direction(degrees.to_radians() * 0.4) * 1.5;
        let pushed = walls.push_out(deep, 1.0);
        assert!(!walls.overlaps(pushed, 1.0), "{degrees}°: at {pushed}");
    }
}

#[test]
fn where_there_is_no_room_nothing_breaks() {
    let lane = |x: f32| Wall::segment(vec3(x, 0.0, -50.0), vec3(x, 0.0, 50.0)).unwrap();
    let walls = Walls::new(vec![lane(0.0), lane(1.0)]);
    let pushed = walls.push_out(vec3(0.4, 0.0, 0.0), 2.0);
    assert!(!walls.overlaps(pushed, 2.0), "free, though beyond a wall: {pushed}");
    let moved = walls.slide(vec3(0.4, 0.0, 0.0), vec3(80.0, 0.0, 3.0), 2.0);
    assert!((0.0..=1.0).contains(&moved.x) && moved.z == 3.0, "a step leads through no wall: {moved}");
    let cage: Vec<Vec3> = (0..4).map(|i| direction(i as f32 * PI / 2.0)).collect();
    let walls = Walls::new(sides(&cage).map(|(a, b)| Wall::segment(a, b).unwrap()).collect());
    for i in 0..50 {
        let place = direction(i as f32) * 0.3;
        assert!(walls.push_out(place, 2.0).is_finite());
        let moved = walls.slide(place, direction(i as f32 * 1.7) * 100.0, 2.0);
        assert!(inside(&cage, moved), "{moved}");
    }
}

#[test]
fn a_body_slides_over_the_seams_of_a_straight_wall() {
    let piece = |i: usize| Wall::segment(vec3(i as f32, 0.0, 0.0), vec3(i as f32 + 1.0, 0.0, 0.0)).unwrap();
    let walls = Walls::new((0..100).map(piece).collect());
    let moved = walls.slide(vec3(0.5, 0.0, -3.0), vec3(90.5, 0.0, 7.0), 0.5);
    assert!((moved - vec3(90.5, 0.0, -0.5)).length() < 1e-3, "{moved}");
}

#[test]
fn numbers_that_are_not_finite_change_nothing() {
    let walls = Walls::new(vec![block()]);
    let from = vec3(4.0, 0.0, 0.0);
    assert_eq!(walls.slide(from, Vec3::NAN, 1.0), from);
    assert_eq!(walls.slide(from, Vec3::X, f32::NAN), from);
    assert!(walls.push_out(Vec3::NAN, 1.0).is_nan());
    assert_eq!(walls.push_out(from, f32::INFINITY), from);
    assert!(!walls.overlaps(Vec3::NAN, 1.0) && !walls.overlaps(from, f32::INFINITY));
    assert!(walls.ray(from, Vec3::NAN).is_none() && walls.nearest(Vec3::NAN, 5.0).is_none());
}

#[test]
fn unsound_walls_are_refused_in_words() {
    let p = |x: f32, z: f32| vec3(x, 0.0, z);
    let star: Vec<Vec3> = (0..5).map(|i| direction(i as f32 * 0.8 * PI)).collect();
    let nan = p(f32::NAN, 0.0);
    let cases = [
        (
            Wall::segment(nan, p(1.0, 0.0)),
            ErrorKind::NotFinite,
            "the start of a wall must be finite, got (NaN, 0, 0)",
        ),
        (
            Wall::segment(p(1.0, 2.0), vec3(1.0, 9.0, 2.0)),
            ErrorKind::OutOfRange,
            "a wall from (1, 2) to itself has no length",
        ),
        (
            Wall::circle(nan, 1.0),
            ErrorKind::NotFinite,
            "the centre of a round wall must be finite, got (NaN, 0, 0)",
        ),
        (
            Wall::circle(p(0.0, 0.0), -1.0),
            ErrorKind::OutOfRange,
            "the radius of a round wall must be above 0 m, got -1",
        ),
        (
            Wall::circle(p(0.0, 0.0), f32::NAN),
            ErrorKind::OutOfRange,
            "the radius of a round wall must be above 0 m, got NaN",
        ),
        (
            Wall::polygon(&[p(0.0, 0.0), p(1.0, 0.0)]),
            ErrorKind::OutOfRange,
            "a polygon needs at least 3 corners, got 2",
        ),
        (
            Wall::polygon(&[p(0.0, 0.0), p(1.0, 0.0), nan]),
            ErrorKind::NotFinite,
            "corner 3 of a polygon must be finite, got (NaN, 0, 0)",
        ),
        (
            Wall::polygon(&[p(0.0, 0.0), p(1.0, 0.0), p(1.0, 0.0), p(0.0, 1.0)]),
            ErrorKind::OutOfRange,
            "corner 2 of a polygon and the next are the same",
        ),
        (
            Wall::polygon(&[p(0.0, 0.0), p(1.0, 0.0), p(3.0, 0.0)]),
            ErrorKind::OutOfRange,
            "a polygon is thinner than 0.1 mm (use a segment)",
        ),
        (
            Wall::polygon(&[p(0.0, 0.0), p(4.0, 0.0), p(1.0, 1.0), p(0.0, 4.0)]),
            ErrorKind::OutOfRange,
            "a polygon must be convex, but has corners on both sides of edge 2 (cut it into convex pieces)",
        ),
        (
            Wall::polygon(&star),
            ErrorKind::OutOfRange,
            "a polygon must be convex, but has corners on both sides of edge 1 (cut it into convex pieces)",
        ),
        (
            block().height(2.0, 2.0),
            ErrorKind::OutOfRange,
            "the foot of a wall must be below its top, got 2 and 2",
        ),
    ];
    for (made, kind, text) in cases {
        let error = made.expect_err(text);
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, text));
    }
}
