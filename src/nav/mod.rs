//! Where one can walk, and how to get there: a trait that a game can answer, and open ground with walls.

#[cfg(feature = "navmesh")]
mod areas;
#[cfg(feature = "navmesh")]
mod boxes;
#[cfg(feature = "navmesh")]
mod cut;
#[cfg(feature = "navmesh")]
mod ground;
#[cfg(feature = "navmesh")]
mod mesh;
#[cfg(feature = "navmesh")]
mod pieces;
#[cfg(feature = "navmesh")]
mod search;
#[cfg(feature = "navmesh")]
mod terrain;
#[cfg(feature = "navmesh")]
mod voxels;

mod way;

#[cfg(feature = "navmesh")]
pub use mesh::NavMesh;
#[cfg(feature = "navmesh")]
pub use terrain::{Terrain, TerrainDesc};
pub use way::{Walk, Way};

use crate::math::Vec3;
use crate::space::Walls;

/// What came of a search for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum PathStatus {
    /// The path leads to the goal.
    Complete,
    /// The path leads to the place nearest to the goal that can be reached.
    Partial,
    /// There is no way, or the start is not on walkable ground.
    None,
    /// The search spent its budget: the path leads to the place nearest to the goal that it came upon. To be asked again from there.
    Unfinished,
    /// There is a way, but bodies stand in it, and there is none round them. Agents find that out; grounds never answer it.
    Blocked,
}

/// A body that stands on the ground and is to be walked round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Its middle, m.
    pub centre: Vec3,
    /// Its radius, m; 0 or less takes no ground.
    pub radius: f32,
}

/// Walkable ground.
///
/// A game answers this with its own, or uses [`OpenGround`], which is what a world has by itself, or with the feature `navmesh` a
/// `NavMesh` of an outline and walls. All answers must depend on nothing but the question, or worlds are no longer repeatable.
pub trait Navigation: Send + Sync {
    /// The walkable place nearest to `point` for a body of `radius`, if there is one within `reach` metres.
    fn nearest(&self, point: Vec3, radius: f32, reach: f32) -> Option<Vec3>;

    /// Writes the corners of a way from `from` to `to`, the goal included and the start left out, in place of what `corners` has.
    /// Where the goal cannot be reached, the way leads to the nearest place that can, and is [`PathStatus::Partial`].
    fn path(&self, from: Vec3, to: Vec3, radius: f32, corners: &mut Vec<Vec3>) -> PathStatus;

    /// Like [`path`](Navigation::path), but round these `discs` too. It is asked for agents that come no nearer because others stand
    /// in their way, at most once a tick. Default: the path without regard to them.
    fn path_around(
        &self,
        from: Vec3,
        to: Vec3,
        radius: f32,
        _discs: &[Disc],
        corners: &mut Vec<Vec3>,
    ) -> PathStatus {
        self.path(from, to, radius, corners)
    }

    /// Where a body of `radius` metres ends that walks from `from` towards `to`: on the ground and at its height, along its border
    /// where `to` is beyond it, and at the nearest place of it when `from` is none. It is asked for every agent that
    /// walks, with what walls let it go, as the last word on where it is. Default `to`.
    fn step(&self, _from: Vec3, to: Vec3, _radius: f32) -> Vec3 {
        to
    }

    /// Whether a body of `radius` metres can walk straight from `from` to `to`. Agents leave out corners of a way that this says
    /// they can, and need no way at all to a goal that they can walk straight to. It is asked a few times per agent and
    /// tick. Default no: agents then ask for a way to wherever they go, and keep to all its corners.
    fn straight(&self, _from: Vec3, _to: Vec3, _radius: f32) -> bool {
        false
    }

    /// Whether ways lead round what is between, so that agents should ask for them. Default yes; where it is no, as on
    /// [`OpenGround`], agents go straight and along the walls that they meet.
    fn leads(&self) -> bool {
        true
    }
}

/// Ground that is walkable everywhere except in walls; ways lead straight.
#[derive(Clone, Debug, Default)]
pub struct OpenGround {
    walls: Walls,
}

impl OpenGround {
    /// Open ground with these walls on it.
    pub fn new(walls: Walls) -> Self {
        Self { walls }
    }
}

impl Navigation for OpenGround {
    fn nearest(&self, point: Vec3, radius: f32, reach: f32) -> Option<Vec3> {
        let free = self.walls.push_out(point, radius);
        let near = free.distance_squared(point) <= reach * reach;
        (near && !self.walls.overlaps(free, radius * 0.9)).then_some(free)
    }

    fn path(&self, from: Vec3, to: Vec3, radius: f32, corners: &mut Vec<Vec3>) -> PathStatus {
        corners.clear();
        let end = self.walls.slide(from, to, radius);
        corners.push(end);
        if end.distance_squared(to) < 1e-4 { PathStatus::Complete } else { PathStatus::Partial }
    }

    fn straight(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        self.walls.slide(from, to, radius).distance_squared(to) < 1e-4
    }

    fn leads(&self) -> bool {
        false
    }
}
