//! Wall following: along a wall, at a distance from it.
//!
//! The nearest edge says how far one is off and which way is along it: the way in which one is heading already, or while one heads straight at the wall the side of one's id. To that course the
//! error of the distance is added across, in proportion, so that one comes in on a slant and then keeps the line (a proportional controller, of which the error dies away within the `distance`). At an
//! outer corner the nearest point is the corner itself, and one walks round it in an arc. At an inner corner the wall that lies ahead takes over as it comes near: the
//! course turns from along this wall to along that one, with the wall kept on the same hand. Reynolds (1999) seeks a point that is cast onto the wall, which cuts outer corners
//! and sticks in inner ones.
//!
//! With no wall near it goes on as it is heading. It feels like a guard on a round, a rat along the skirting, somebody who finds the way out of a
//! maze by one hand.

use super::leader_following::side_of;
use super::{About, Behaviour, Class, Me, Near, Order, SPEED};
use crate::args::Param;
use crate::math::{Vec3, flat, unit_or, vec3};
use crate::space::Edge;

/// The declaration of `wall_following`.
pub const DEF: Behaviour = Behaviour {
    name: "wall_following",
    class: Class::Goal,
    about: About::Nothing,
    doc: "goes along the nearest wall at a distance from it",
    formula: "unit(along + out * (distance - d) / distance) * speed; along turns to that of a wall ahead as it comes near",
    params: &[SPEED, DISTANCE],
    needs_edges: true,
    needs_neighbours: false,
    run,
};

const DISTANCE: Param = Param::number(
    "distance",
    "how far its middle keeps from the wall; 2 body radii when left out. Below one it scrapes along",
)
.unit("m")
.range(0.0, f64::INFINITY)
.optional()
.live();

fn run(me: &Me, order: &Order, near: &Near, _: f32) -> Vec3 {
    let speed = me.speed(order.numbers[0]);
    let distance = distance(me, order).max(1e-6);
    let heading = unit_or(flat(me.heading()), Vec3::X);
    let Some((off, out)) = nearest(me, near.edges) else { return me.limited(heading * speed) };
    let side = match across(out).dot(heading) {
        little if little.abs() < 1e-3 => side_of(me.id),
        much => much.signum(),
    };
    let along = turned_by_what_is_ahead(me, near.edges, across(out) * side, side, (distance, speed));
    let error = ((distance - off) / distance).clamp(-2.0, 2.0);
    me.limited(unit_or(along + out * error, along) * speed)
}

/// How far its middle keeps from the wall, m: as given, or 2 body radii.
pub(super) fn distance(me: &Me, order: &Order) -> f32 {
    order.number(1, 2.0 * me.radius.max(0.0))
}

/// How far off the nearest edge is, and the unit vector away from it.
fn nearest(me: &Me, edges: &[Edge]) -> Option<(f32, Vec3)> {
    let surfaces = edges.iter().map(|edge| edge.surface(me.position));
    surfaces
        .filter(|found| found.0.is_finite())
        .reduce(|best, next| if next.0 < best.0 { next } else { best })
}

fn across(out: Vec3) -> Vec3 {
    vec3(-out.z, 0.0, out.x)
}

/// `along`, turned the more towards the course along what lies ahead on it the nearer that is.
fn turned_by_what_is_ahead(
    me: &Me,
    edges: &[Edge],
    along: Vec3,
    side: f32,
    (distance, speed): (f32, f32),
) -> Vec3 {
    // The way in which it can turn.
    let look = 0.5 * distance + speed * (speed / me.max_acceleration.max(1e-6) + 2.0 * me.response.max(0.0));
    // A little less than the distance, or the wall that is followed would be in the way itself.
    let body = 0.9 * distance;
    let met = edges.iter().map(|edge| (edge.sweep(me.position, along, body), edge));
    let Some((way, edge)) = met.reduce(|best, next| if next.0 < best.0 { next } else { best }) else {
        return along;
    };
    if way >= look {
        return along;
    }
    let (_, out) = edge.surface(me.position + along * way);
    let share = 1.0 - way / look;
    unit_or(along * (1.0 - share) + across(out) * side * share, along)
}
