//! Separation: away from neighbours that are too close.
//!
//! Each neighbour pushes straight away with a smooth weight: 1 at contact and closer, falling to 0 at the `radius`
//! without a step or a kink, so that nothing pops when somebody crosses the edge. The sum, times the top speed, is limited to the top
//! speed. Article one's `1/d` and article two's `1/d²` explode at contact and stop dead at the radius; [`super::Forces`] says how
//! their weights become ours. Bodies on the same point part in a direction made from their two ids, the same in every run.
//!
//! More weight or radius: no overlap, a looser crowd. Too much of it alone drives agents apart beyond their goal.

use super::{About, Behaviour, Class, Me, Near, Order, Radii, flock};
use crate::args::Param;
use crate::math::Vec3;

/// The declaration of `separation`.
pub const DEF: Behaviour = Behaviour {
    name: "separation",
    class: Class::Bias,
    about: About::Nothing,
    doc: "keeps away from neighbours that are too close",
    formula: "top speed * sum of k(x) * unit(p - p_i), k = (1 - x)^2 (1 + 2x), x = 0 at contact and 1 at the radius",
    params: &[RADIUS],
    needs_edges: false,
    needs_neighbours: true,
    run,
};

pub(super) const RADIUS: Param = Param::number(
    "radius",
    "how far off neighbours count, from centre to centre; 6 body radii when left out",
)
.unit("m")
.range(0.0, f64::INFINITY)
.optional()
.live();

/// The radius of an order to flock, m: as given, or 6 body radii.
pub(super) fn radius(me: &Me, order: &Order) -> f32 {
    order.number(0, 6.0 * me.radius.max(0.0))
}

fn run(me: &Me, order: &Order, near: &Near, _: f32) -> Vec3 {
    flock(me, near, &Radii { separation: radius(me, order), ..Radii::NONE }).separation
}
