//! Face: look at the point.
//!
//! It gives a direction for [`super::turn`], which turns at a limited rate. Closer than the `radius` (a fifth of a body radius
//! when left out) the direction to a point is mostly noise, and it keeps looking where it looks: nobody spins on top of
//! their target.

use super::{About, Behaviour, Class, Me, Near, Order};
use crate::args::Param;
use crate::math::{Vec3, unit_or};

/// The declaration of `face`.
pub const DEF: Behaviour = Behaviour {
    name: "face",
    class: Class::Facing,
    about: About::Point,
    doc: "looks at the point",
    formula: "unit(point - p), or nothing within radius",
    params: &[Param::number("radius", "closer than this it keeps its facing; 0.2 body radii when left out")
        .unit("m")
        .range(0.0, f64::INFINITY)
        .optional()],
    needs_edges: false,
    needs_neighbours: false,
    run,
};

fn run(me: &Me, order: &Order, _: &Near, _: f32) -> Vec3 {
    let way = me.to(order.point);
    if way.length() <= radius(me, order) { Vec3::ZERO } else { unit_or(way, Vec3::ZERO) }
}

/// Closer than this it keeps its facing, m: as given, or 0.2 body radii.
pub(super) fn radius(me: &Me, order: &Order) -> f32 {
    order.number(0, 0.2 * me.radius.max(0.0))
}
