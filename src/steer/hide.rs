//! Hide: to a place that a threat cannot see.
//!
//! Reynolds (1999) and gdx-ai lay a spot behind each obstacle, on the far side of its middle, and run for the nearest. Nobody of them asks whether
//! one can get there, or is out of sight there. Here the place is *looked for* and *checked* (`query::Cover`, asked by the leaf): places round the agent, the
//! nearest first and those further from the threat before those nearer to it; the body's middle and both its edges must be out of view, and a way must lead there.
//! The place is kept as long as it hides; when the threat comes round the corner another is looked for. This function then goes to
//! the place that it is given, as [`super::arrive`] does, and waits there.
//!
//! It feels like somebody who knows the room: a dash, then stillness, then the next dash. Take it for those who must not be seen or
//! shot; take [`super::evade`] where there is nothing to hide behind, and put it after `hide` in a selector.

use super::{About, Behaviour, Class, Me, Near, Order, SPEED, arrive};
use crate::args::Param;
use crate::math::Vec3;

/// The declaration of `hide`. `Order::point` is the place that was found.
pub const DEF: Behaviour = Behaviour {
    name: "hide",
    class: Class::Goal,
    about: About::Threat,
    doc: "goes to the nearest place that the threat cannot see, and waits there",
    formula: "arrive(place), place = the nearest to p that can be reached and from which neither middle nor edges of the body are in view of the threat",
    params: &[arrive::TOLERANCE, SPEED, REACH],
    needs_edges: false,
    needs_neighbours: false,
    run,
};

const REACH: Param = Param::number(
    "reach",
    "how far off it looks for a place; 30 body radii when left out. Too far runs past the threat",
)
.unit("m")
.range(0.0, 1e4)
.optional()
.live();

fn run(me: &Me, order: &Order, near: &Near, dt: f32) -> Vec3 {
    (arrive::DEF.run)(me, order, near, dt)
}

/// How far off a place is looked for, m: as given, or 30 body radii.
pub fn reach(me: &Me, order: &Order) -> f32 {
    order.number(2, 30.0 * me.radius.max(0.0))
}
