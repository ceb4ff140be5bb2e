//! What the kernel knows of agents and of those near them, before it is in the processor's own form.

use super::wide::MOST;

/// A body as those near it see it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Candidate {
    pub position: [f32; 3],
    pub radius: f32,
    pub velocity: [f32; 3],
}

/// One number of each agent that goes at once.
pub(super) type Row = [f32; MOST];

/// What the agents in the lanes are. An idle lane has no radius to look within, and so no neighbour.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lanes {
    pub position: [Row; 3],
    pub velocity: [Row; 3],
    pub max_speed: Row,
    /// 1 for those to whom heights count, else 0.
    pub height: Row,
    pub radius: Row,
    pub separation: Row,
    pub alignment: Row,
    pub cohesion: Row,
    /// The square of how far each looks at all, and never less: see [`reach`].
    pub reach: Row,
}

/// A square below which that of each distance lies that is below `radius`, however they are rounded; 0, below which nothing
/// is, for no radius.
pub(super) fn reach(radius: f32) -> f32 {
    if radius > 0.0 { radius * radius * (1.0 + 8.0 * f32::EPSILON) + f32::MIN_POSITIVE } else { 0.0 }
}

/// Separation falls over at least this way, m.
pub(super) const SMALLEST_FALL: f32 = 1e-6;

/// Where separation within `radius` begins to fall for bodies that touch at `contact`, and how steeply.
pub(super) fn edge(contact: f32, radius: f32) -> (f32, f32) {
    let start = contact.min(0.5 * radius).max(0.0);
    (start, 1.0 / (radius - start).max(SMALLEST_FALL))
}
