//! Flee: straight away from the point at full speed.
//!
//! The mirror of [`super::seek`] (Reynolds 1999). With a `radius` it is indifferent to what is further away; the wish
//! then fades over the outer fifth of the radius, because a hard edge makes one tremble on it. On the point itself
//! it flees where it looks.

use super::{About, Behaviour, Class, Me, Near, Order, SPEED};
use crate::args::Param;
use crate::math::{Vec3, unit_or};

/// The declaration of `flee`.
pub const DEF: Behaviour = Behaviour {
    name: "flee",
    class: Class::Goal,
    about: About::Point,
    doc: "goes straight away from the point at full speed",
    formula: "unit(p - point) * speed * clamp((radius - d) / (radius / 5), 0, 1)",
    params: &[SPEED, RADIUS],
    needs_edges: false,
    needs_neighbours: false,
    run,
};

pub(super) const RADIUS: Param =
    Param::number("radius", "from how far off it flees; from any distance when left out")
        .unit("m")
        .range(0.0, f64::INFINITY)
        .optional()
        .live();

fn run(me: &Me, order: &Order, _: &Near, _: f32) -> Vec3 {
    away(me, order.point, me.speed(order.numbers[0]), order.numbers[1])
}

/// The velocity of `speed` away from `point`, fading to nothing at `radius`; at any distance when that is not positive.
pub(super) fn away(me: &Me, point: Vec3, speed: f32, radius: f32) -> Vec3 {
    let way = -me.to(point);
    let fear = if radius > 0.0 { (5.0 * (1.0 - way.length() / radius)).clamp(0.0, 1.0) } else { 1.0 };
    let ahead = unit_or(me.plane(me.facing), Vec3::X);
    me.limited(unit_or(way, ahead) * speed * fear)
}
