//! Obstacle avoidance: round what stands in the way.
//!
//! It trims what the other rules want (a *bound*). The body is swept along the wanted course as far as it looks; the first edge that it would touch turns the course aside, the more the nearer it
//! is, until at contact the course runs along the edge. The side is the one to which the course already leans along that edge; straight at it, **away from the
//! obstacle's middle**, and on the very middle the id decides (steering.md: one public system always pushes to the same side). The speed is kept, never raised: braking never
//! accelerates, and a turned course never leads into the edge. Reynolds (1999) and Buckland (2005) push sideways and brake by the overlap of a box with
//! circles, which for long walls pushes along them.
//!
//! It feels like somebody who looks where they go. It knows what is in its surroundings only: on ground with corners let a navmesh lead, and this keep the elbows in. For
//! others that move there is avoidance.

use super::leader_following::side_of;
use super::{About, Behaviour, Class, Me, Near, Order};
use crate::args::Param;
use crate::math::{Vec3, flat, unit_or, vec3};

/// The declaration of `obstacle_avoidance`.
pub const DEF: Behaviour = Behaviour {
    name: "obstacle_avoidance",
    class: Class::Bound,
    about: About::Nothing,
    doc: "turns the course aside from obstacles that stand in the way",
    formula: "|v| * unit(unit(v) * (1 - w) + along * w), w = 1 - way to the first touch / look",
    params: &[LOOK, MARGIN],
    needs_edges: true,
    needs_neighbours: false,
    run,
};

const LOOK: Param = Param::number(
    "look",
    "how far ahead it looks; the way to top speed and to a stop again and 4 body radii when left out. More turns sooner and wider",
)
.unit("m")
.range(0.0, f64::INFINITY)
.optional()
.live();

const MARGIN: Param = Param::number("margin", "the room it leaves; a quarter of a body radius when left out")
    .unit("m")
    .range(0.0, f64::INFINITY)
    .optional()
    .live();

/// How often a course is turned before it counts as closed in.
const TURNS: usize = 3;

fn run(me: &Me, order: &Order, near: &Near, _: f32) -> Vec3 {
    let desired = me.limited(me.plane(order.velocity));
    let (speed, level) = (flat(desired).length(), flat(desired));
    let look = look(me, order);
    let body = me.radius.max(0.0) + margin(me, order);
    let mut ahead = unit_or(level, Vec3::ZERO);
    if ahead == Vec3::ZERO {
        return desired;
    }
    for _ in 0..TURNS {
        let Some((way, along)) = in_the_way(me, near, ahead, body, look) else { break };
        let share = 1.0 - way / look;
        ahead = unit_or(ahead * (1.0 - share) + along * share, along);
    }
    let free = in_the_way(me, near, ahead, me.radius.max(0.0), look).is_none_or(|(way, _)| way > 0.0);
    (if free { ahead * speed } else { Vec3::ZERO }) + Vec3::Y * desired.y
}

/// How far ahead it looks, m: as given, or as the body looks ahead, which is the most it is shown.
pub(super) fn look(me: &Me, order: &Order) -> f32 {
    order.number(0, me.look_ahead()).min(me.look_ahead().max(1e-6))
}

/// The room it leaves, m: as given, or a quarter of a body radius.
pub(super) fn margin(me: &Me, order: &Order) -> f32 {
    order.number(1, 0.25 * me.radius.max(0.0))
}

/// How far off the first touch is, and the course along what is touched there.
fn in_the_way(me: &Me, near: &Near, ahead: Vec3, body: f32, look: f32) -> Option<(f32, Vec3)> {
    let touches = near.edges.iter().map(|edge| (edge.sweep(me.position, ahead, body), edge));
    let (way, edge) = touches.reduce(|best, next| if next.0 < best.0 { next } else { best })?;
    if way >= look {
        return None;
    }
    let (_, out) = edge.surface(me.position + ahead * way);
    let along = vec3(-out.z, 0.0, out.x);
    let leaning = along.dot(ahead);
    let off_centre = along.dot(me.position - edge.centre);
    let side = match (leaning.abs() > 0.05, off_centre.abs() > 1e-3 * body) {
        (true, _) => leaning.signum(),
        (false, true) => off_centre.signum(),
        (false, false) => side_of(me.id),
    };
    Some((way, along * side))
}
