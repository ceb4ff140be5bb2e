//! Separation: away from neighbours that are too close.
//!
//! Each neighbour pushes straight away with a smooth weight: 1 at contact and closer, falling to 0 at the `radius`
//! without a step or a kink, so that nothing pops when somebody crosses the edge. The sum, times the top speed, is limited to the top
//! speed. Article one's `1/d` and article two's `1/d²` explode at contact and stop dead at the radius; [`super::Forces`] says how
//! their weights become ours. Bodies on the same point part in a direction made from their two ids, the same in every run.
//!
//! More weight or radius: no overlap, a looser crowd. Too much of it alone drives agents apart beyond their goal.

use super::{
    About, Behaviour, Class, Flock, MOST_NEIGHBOURS, Me, Near, Order, Radii, flock, flock_of_nearest,
};
use crate::args::Param;
use crate::math::Vec3;

/// The declaration of `separation`.
pub const DEF: Behaviour = Behaviour {
    name: "separation",
    class: Class::Bias,
    about: About::Nothing,
    doc: "keeps away from neighbours that are too close",
    formula: "top speed * sum of k(x) * unit(p - p_i), k = (1 - x)^2 (1 + 2x), x = 0 at contact and 1 at the radius",
    params: &[RADIUS, NEIGHBOURS],
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

pub(super) const NEIGHBOURS: Param = Param::integer(
    "neighbours",
    "how many count at most: the nearest, ties by number, so that no side is favoured where it is crowded; all within the radius when left out",
)
.range(1.0, MOST_NEIGHBOURS as f64)
.optional()
.live();

/// What the flock about an agent wants, by those neighbours that the order lets count.
pub(super) fn flock_of(me: &Me, order: &Order, near: &Near, radii: &Radii) -> Flock {
    match most(order) {
        Some(most) => flock_of_nearest(me, near, radii, most),
        None => flock(me, near, radii),
    }
}

/// How many neighbours count at most; `None` for all.
pub(super) fn most(order: &Order) -> Option<usize> {
    (order.numbers[1] >= 1.0).then_some(order.numbers[1] as usize)
}

/// The radius of an order to flock, m: as given, or 6 body radii.
pub(super) fn radius(me: &Me, order: &Order) -> f32 {
    order.number(0, 6.0 * me.radius.max(0.0))
}

fn run(me: &Me, order: &Order, near: &Near, _: f32) -> Vec3 {
    flock_of(me, order, near, &Radii { separation: radius(me, order), ..Radii::NONE }).separation
}
