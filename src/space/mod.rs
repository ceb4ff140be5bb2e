//! Where things are: the neighbour index of bodies ([`Grid`]) and the static obstacles ([`Walls`]).
//!
//! Works over plain slices of positions and answers with indices into them. Knows nothing of agents, squads or
//! ticks, and owns no bodies.

mod bodies;
mod boxes;
mod edges;
mod footprint;
mod frame;
mod grid;
mod grown;
mod movement;
mod nearest;
mod point;
mod query;
mod wall;
mod walls;

pub use bodies::{Bodies, Body};
pub use edges::Edge;
pub use frame::{DEFAULT_CELL, FARTHEST, SMALLEST_CELL};
pub use grid::{Grid, Record};
pub use nearest::Neighbour;
pub use wall::Wall;
pub(crate) use walls::insert_by;
pub use walls::{Against, Hit, NearWall, Walls};

/// Along which axes a [`Grid`] has cells. It changes how fast queries are, never what they find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Cells over (x, z), each a column of any height: for bodies that walk.
    #[default]
    Ground,
    /// Cells over (x, y, z): for bodies that fly, swim or fill many floors.
    Volume,
}

/// How a distance is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// On the ground: heights do not count.
    Ground,
    /// In space.
    #[default]
    Volume,
}

impl Metric {
    /// The part of `offset` that counts.
    #[inline]
    pub fn of(self, offset: crate::math::Vec3) -> crate::math::Vec3 {
        match self {
            Metric::Ground => crate::math::flat(offset),
            Metric::Volume => offset,
        }
    }
}
