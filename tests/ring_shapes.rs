//! The laws of the shapes of formations, for every shape and every number of bodies from 1 to 200.

use warband::math::{Vec3, direction, vec3};
use warband::squad::shape::{Shape, inner_share, places};

const SPACING: f32 = 2.0;

fn of(shape: Shape, count: usize) -> Vec<Vec3> {
    places(shape, count, SPACING, Vec3::X).collect()
}

fn every(mut law: impl FnMut(Shape, usize, &[Vec3])) {
    for shape in Shape::ALL {
        for count in 1..=200 {
            law(shape, count, &of(shape, count));
        }
    }
}

/// How far the nearest other of `at` is.
fn nearest(all: &[Vec3], at: usize) -> f32 {
    let others = all.iter().enumerate().filter(|(other, _)| *other != at);
    others.map(|(_, place)| place.distance(all[at])).fold(f32::MAX, f32::min)
}

#[test]
fn no_two_are_nearer_than_the_spacing_and_nobody_stands_apart() {
    every(|shape, count, all| {
        assert_eq!(all.len(), count);
        for at in 0..count {
            let near = nearest(all, at);
            assert!(near >= SPACING * 0.999, "{shape:?} of {count}: {at} is {near} m from another");
            // Two alone in a wedge are √2 spacings apart, and so are the few of a small outer ring.
            assert!(count == 1 || near <= SPACING * 1.75, "{shape:?} of {count}: {at} is {near} m from all");
        }
    });
}

#[test]
fn the_mean_of_the_places_is_the_middle() {
    every(|shape, count, all| {
        let mean = all.iter().sum::<Vec3>() / count as f32;
        assert!(mean.length() <= 1e-3 * SPACING * count as f32, "{shape:?} of {count}: {mean}");
        assert!(count > 1 || all[0].length() < 1e-6);
    });
}

#[test]
fn left_is_as_right() {
    every(|shape, count, all| {
        for place in all {
            let mirrored = vec3(place.x, 0.0, -place.z);
            let off = all.iter().map(|other| other.distance(mirrored)).fold(f32::MAX, f32::min);
            assert!(off <= 2e-3 * SPACING, "{shape:?} of {count}: nobody stands at {mirrored}, {off} m off");
        }
    });
}

#[test]
fn a_turned_heading_turns_all_of_it() {
    every(|shape, count, all| {
        let turned = places(shape, count, SPACING, direction(2.0) * 7.0);
        let (ahead, right) = (direction(2.0), direction(2.0 + std::f32::consts::FRAC_PI_2));
        for (place, turned) in all.iter().zip(turned) {
            let off = turned.distance(ahead * place.x + right * place.z);
            assert!(off <= 1e-5 * (1.0 + place.length()), "{shape:?} of {count}: {off}");
        }
    });
}

#[test]
fn each_is_what_its_name_says() {
    every(|shape, count, all| {
        let (front, back) = (
            all.iter().map(|p| p.x).fold(f32::MIN, f32::max),
            all.iter().map(|p| p.x).fold(f32::MAX, f32::min),
        );
        let (depth, width) = (front - back, all.iter().map(|p| p.z).fold(0.0f32, f32::max) * 2.0);
        let long = SPACING * (count - 1) as f32;
        let is = |value: f32, expected: f32| (value - expected).abs() <= 1e-3 * (1.0 + expected);
        let ok = match shape {
            Shape::Line => is(depth, 0.0) && is(width, long),
            Shape::Column => is(depth, long) && is(width, 0.0),
            Shape::Wedge => all[0].x == front && all[1..].iter().all(|p| p.x < front),
            Shape::Box => depth <= width + 1e-3 && width <= depth + SPACING * 1.001 || count <= 2,
            // Its ends come first, its middle last.
            Shape::Arc => {
                is(all[0].x, front) && is(all[count - 1].x, front) && all[count / 2].x <= back + SPACING
            }
            Shape::TwoRings => {
                let inside = inner_share(count);
                let (inner, outer) = all.split_at(inside);
                let nearest = outer.iter().map(|p| p.length()).fold(f32::MAX, f32::min);
                inner.iter().all(|p| p.length() <= nearest - SPACING * 0.999)
            }
        };
        assert!(ok, "{shape:?} of {count}: {depth} m deep, {width} m wide");
    });
}

#[test]
fn a_shape_goes_by_one_name() {
    for shape in Shape::ALL {
        assert_eq!(Shape::named(shape.name()), Some(shape));
        assert_eq!(serde_json::to_string(&shape).expect("it is written"), format!("\"{}\"", shape.name()));
    }
    assert_eq!(Shape::named("phalanx"), None);
}

#[test]
fn odd_numbers_give_finite_places() {
    for shape in Shape::ALL {
        for spacing in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e30] {
            for heading in [Vec3::ZERO, Vec3::Y, Vec3::splat(f32::NAN), Vec3::splat(1e30)] {
                assert_eq!(places(shape, 0, spacing, heading).len(), 0);
                assert!(places(shape, 7, spacing, heading).all(|place| place.is_finite()), "{shape:?}");
            }
        }
    }
}
