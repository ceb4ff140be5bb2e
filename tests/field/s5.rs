//! View cone breaks where the angle wraps.

use super::{Measure, exactly};
use warband::Senses;

pub fn measure() -> Vec<Measure> {
    let senses = Senses { angle: 90.0, near: 0.0, ..Senses::default() };
    let ahead = |degrees: i32| warband::math::direction((degrees as f32).to_radians());
    let (mut pairs, mut wrong) = (0, 0);
    for heading in 0..360_i32 {
        for bearing in 0..360_i32 {
            let off = (bearing - heading + 540).rem_euclid(360) - 180;
            if off.abs() == 45 {
                continue;
            }
            pairs += 1;
            let seen = senses.reaches(ahead(bearing) * 10.0, ahead(heading), false, false).is_some();
            wrong += i32::from(seen != (off.abs() < 45));
        }
    }
    vec![
        // All 129,600 but the two borders of each heading.
        exactly("pairs of heading and bearing", f64::from(pairs), 128_880.0),
        exactly("pairs that differ from the reference", f64::from(wrong), 0.0),
    ]
}
