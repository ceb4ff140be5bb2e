//! Cohesion: keep with the neighbours.
//!
//! Towards the middle of the neighbours, in proportion to the way there: the top speed when the middle is a
//! whole radius away, nothing when one stands in it. A cohesion of fixed length buzzes at the middle. More of it: a tighter flock; too
//! much packs it until separation pushes back.

use super::{About, Behaviour, Class, Me, Near, Order, Radii, separation};
use crate::math::Vec3;

/// The declaration of `cohesion`.
pub const DEF: Behaviour = Behaviour {
    name: "cohesion",
    class: Class::Bias,
    about: About::Nothing,
    doc: "keeps with the neighbours",
    formula: "top speed * (mean(p_i) - p) / radius",
    params: &[separation::RADIUS, separation::NEIGHBOURS],
    needs_edges: false,
    needs_neighbours: true,
    run,
};

fn run(me: &Me, order: &Order, near: &Near, _: f32) -> Vec3 {
    separation::flock_of(me, order, near, &Radii { cohesion: separation::radius(me, order), ..Radii::NONE })
        .cohesion
}
