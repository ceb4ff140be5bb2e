//! Containment: stay inside a region.
//!
//! It trims what the other rules want (a *bound*). Along each edge of the region the part of the velocity that leads out is cut to what can still be braked before the edge:
//! `v·n ≤ sqrt(2·a·s)` with `s` the way left to the edge, less a `margin`. The part along the edge is kept, so that one slides along it and is not held. Who is outside already is
//! brought back in, at the speed from which it can stop inside. Reynolds (1999) predicts a point and steers away from where it leaves; that wobbles along the edge and
//! leaves where others push.
//!
//! A circle (`radius`) and a box (`width` along x, `depth` along z) lie round the point; an outline is given by its corners, in either order, and need not be convex. It feels like an invisible
//! fence: leashes, arenas, guarded yards.

use super::{About, Behaviour, Class, Me, Near, Order, arrive};
use crate::args::Param;
use crate::math::{Vec3, flat, unit_or, vec3};

/// The declaration of `containment`.
///
/// Of an outline the order holds two edges, from [`edges_of`]: the nearest (`point`, `second`) and the one ahead (`offset`, `second_velocity`).
pub const DEF: Behaviour = Behaviour {
    name: "containment",
    class: Class::Bound,
    about: About::Region,
    doc: "stays inside a region, and comes back into it",
    formula: "v - n * max(0, v . n - sqrt(2 a s)) for each edge, n out of it and s the way left to it less margin",
    params: &[RADIUS, WIDTH, DEPTH, MARGIN],
    needs_edges: false,
    needs_neighbours: false,
    run,
};

const RADIUS: Param =
    Param::number("radius", "of a round region").unit("m").range(0.0, f64::INFINITY).optional().live();
const WIDTH: Param =
    Param::number("width", "of a box, along x").unit("m").range(0.0, f64::INFINITY).optional().live();
const DEPTH: Param = Param::number("depth", "of a box, along z; as its width when left out")
    .unit("m")
    .range(0.0, f64::INFINITY)
    .optional()
    .live();
const MARGIN: Param = Param::number(
    "margin",
    "how far inside the edge its middle stays; a body radius when left out, so that all of it stays inside",
)
.unit("m")
.range(0.0, f64::INFINITY)
.optional()
.live();

fn run(me: &Me, order: &Order, _: &Near, dt: f32) -> Vec3 {
    let desired = me.limited(me.plane(order.velocity));
    let [radius, width, depth, _] = order.numbers;
    let margin = order.number(3, me.radius.max(0.0));
    let offset = -flat(me.to(order.point));
    if radius > 0.0 {
        let out = unit_or(offset, Vec3::ZERO);
        return trimmed(me, desired, out, radius - margin - offset.length(), dt);
    }
    if width > 0.0 {
        let half = vec3(0.5 * width, 0.0, 0.5 * if depth > 0.0 { depth } else { width });
        let sides = [Vec3::X, -Vec3::X, Vec3::Z, -Vec3::Z];
        return sides.into_iter().fold(desired, |v, out| {
            let room = half.dot(out.abs()) - margin - offset.dot(out);
            trimmed(me, v, out, room, dt)
        });
    }
    [(order.point, order.second), (order.offset, order.second_velocity)].into_iter().fold(
        desired,
        |v, edge| {
            let inwards = unit_or(edge.1, Vec3::ZERO);
            trimmed(me, v, -inwards, -flat(me.to(edge.0)).dot(inwards) - margin, dt)
        },
    )
}

/// `v` with the part that leads along `out` cut to what can be braked in `room`; without room it leads back in.
fn trimmed(me: &Me, v: Vec3, out: Vec3, room: f32, dt: f32) -> Vec3 {
    let most = if room >= 0.0 {
        arrive::braking_speed(me, room, 0.0, dt)
    } else {
        -arrive::braking_speed(me, -room, 0.0, dt).min(me.max_speed.max(0.0))
    };
    let over = v.dot(out) - most;
    if over > 0.0 && over.is_finite() { me.limited(v - out * over) } else { v }
}

/// Two edges of the region within an outline, each as a point on it and the unit vector into the region there: the one nearest to
/// `place`, and the one that lies ahead of it along `course`; the first twice where none does. `None` for fewer than three corners.
pub fn edges_of(outline: &[Vec3], place: Vec3, course: Vec3) -> Option<[(Vec3, Vec3); 2]> {
    if outline.len() < 3 || !place.is_finite() {
        return None;
    }
    let inside = if is_inside(outline, place) { 1.0 } else { -1.0 };
    let ahead = unit_or(flat(course), Vec3::ZERO);
    let mut nearest = (f32::INFINITY, place, Vec3::X);
    let mut met = (f32::INFINITY, place, Vec3::X);
    for (number, from) in outline.iter().enumerate() {
        let to = outline[(number + 1) % outline.len()];
        let along = flat(to - *from);
        let share = flat(place - *from).dot(along) / along.length_squared().max(1e-12);
        let point = *from + along * share.clamp(0.0, 1.0);
        let way = flat(place - point);
        let across = unit_or(vec3(-along.z, 0.0, along.x), Vec3::X);
        // On the very edge the region lies where the rest of the outline is.
        let inwards = if way.dot(across) * inside >= 0.0 { across } else { -across };
        let inwards =
            if (0.0..=1.0).contains(&share) { inwards } else { unit_or(way, inwards * inside) * inside };
        if way.length() < nearest.0 {
            nearest = (way.length(), point, inwards);
        }
        let touch = flat(place - *from).dot(across) / -ahead.dot(across);
        let hit = place + ahead * touch;
        let at = flat(hit - *from).dot(along) / along.length_squared().max(1e-12);
        if touch > 0.0 && touch < met.0 && (0.0..=1.0).contains(&at) {
            met = (touch, hit, if ahead.dot(across) > 0.0 { -across } else { across });
        }
    }
    let near = (nearest.1, nearest.2);
    let ahead = if inside > 0.0 && met.0.is_finite() { (met.1, met.2) } else { near };
    Some([near, ahead])
}

/// Whether `place` is inside an outline, counted by crossings.
pub fn is_inside(outline: &[Vec3], place: Vec3) -> bool {
    let crosses = |(number, a): (usize, &Vec3)| {
        let b = outline[(number + 1) % outline.len()];
        (a.z > place.z) != (b.z > place.z) && place.x < (b.x - a.x) * (place.z - a.z) / (b.z - a.z) + a.x
    };
    outline.iter().enumerate().filter(|edge| crosses(*edge)).count() % 2 == 1
}
