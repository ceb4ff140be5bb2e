//! Chasers pile onto one spot instead of spreading.

use super::common::{held_ring, keyed, nearest_pair, squad_at};
use super::{Measure, at_least, at_most};
use warband::squad::largest_gap;
use warband::{Vec3, vec3};

pub fn measure() -> Vec<Measure> {
    let starts = (0..8).map(|i| vec3(20.0 + i as f32, 0.0, 0.0));
    let mut hunt = squad_at(&held_ring(12.0), 1, &keyed(starts), Vec3::ZERO);
    for _ in 0..720 {
        hunt.tick(Vec3::ZERO, Vec3::ZERO, 1.0 / 60.0);
    }
    let places = hunt.places();
    vec![
        at_least("least distance between two, m", nearest_pair(&places), 1.0),
        at_most("largest empty angle, degrees", largest_gap(Vec3::ZERO, &places), 56.25),
    ]
}
