//! Facing jitters or snaps when on top of the target.

use super::{Measure, at_most, exactly};
use warband::math::direction;
use warband::steer::{Limits, Me, Near, Order, face, turn};
use warband::{Vec3, vec3};

pub fn measure() -> Vec<Measure> {
    let (total, fastest, odd) = on_top(0.05);
    let (_, capped, _) = on_top(2.0);
    let allowed = f64::from(Limits::of(0.5, 5.0).turning.max_turn.to_degrees()) / 60.0;
    vec![
        at_most("turned while the player circles within 0.05 m for 5 s, degrees", total, 10.0),
        at_most("most turned in a tick there, degrees", fastest, allowed),
        at_most("most turned in a tick while it circles at 2 m, degrees", capped, allowed * 1.001),
        exactly("facings that are no unit vectors", odd, 0.0),
    ]
}

/// How far one turns in all, at most in a tick, and how often it faces nowhere, while the target circles at 2 Hz.
fn on_top(radius: f32) -> (f64, f64, f64) {
    let limits = Limits::of(0.5, 5.0);
    let mut me = Me::new(1, Vec3::ZERO, vec3(1.0, 0.0, 0.0), &limits);
    let (mut total, mut fastest, mut odd) = (0.0, 0.0_f64, 0.0);
    for tick in 0..300 {
        let angle = tick as f32 / 60.0 * 4.0 * std::f32::consts::PI;
        let target = if tick == 0 { Vec3::ZERO } else { direction(angle) * radius };
        let wanted = (face::DEF.run)(&me, &Order::to(target), &Near::NOBODY, 1.0 / 60.0);
        let facing = turn(me.facing, wanted, &limits.turning, 1.0 / 60.0);
        let turned = f64::from(facing.angle_between(me.facing).to_degrees());
        (total, fastest) = (total + turned, fastest.max(turned));
        odd += f64::from(u8::from(!facing.is_normalized()));
        me.facing = facing;
    }
    (total, fastest, odd)
}
