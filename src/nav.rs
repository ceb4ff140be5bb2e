//! Where one can walk, and how to get there: a trait that a game can answer, and open ground with walls.

use crate::math::Vec3;
use crate::space::Walls;

/// What came of a search for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStatus {
    /// The path leads to the goal.
    Complete,
    /// The path leads to the place nearest to the goal that can be reached.
    Partial,
    /// There is no way, or the start is not on walkable ground.
    None,
}

/// Walkable ground.
pub trait Navigation: Send + Sync {
    /// The walkable place nearest to `point` for a body of `radius`, if there is one within `reach` metres.
    fn nearest(&self, point: Vec3, radius: f32, reach: f32) -> Option<Vec3>;

    /// Writes the corners of a way from `from` to `to`, the goal included and the start left out.
    fn path(&self, from: Vec3, to: Vec3, radius: f32, corners: &mut Vec<Vec3>) -> PathStatus;
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
}
