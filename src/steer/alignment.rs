//! Alignment: move as the neighbours move.
//!
//! It gives the **difference** between the neighbours' mean velocity and one's own, so that it wants nothing
//! once they agree (Reynolds 1987; article one). More of it: calmer directions, and a crowd that is slow to turn.

use super::{About, Behaviour, Class, Me, Near, Order, Radii, separation};
use crate::math::Vec3;

/// The declaration of `alignment`.
pub const DEF: Behaviour = Behaviour {
    name: "alignment",
    class: Class::Bias,
    about: About::Nothing,
    doc: "moves as the neighbours move",
    formula: "mean(v_i) - v",
    params: &[separation::RADIUS, separation::NEIGHBOURS],
    needs_edges: false,
    needs_neighbours: true,
    run,
};

fn run(me: &Me, order: &Order, near: &Near, _: f32) -> Vec3 {
    separation::flock_of(me, order, near, &Radii { alignment: separation::radius(me, order), ..Radii::NONE })
        .alignment
}
