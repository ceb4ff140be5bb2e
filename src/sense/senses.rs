//! How well one perceives, and who perceives whom.

use crate::math::{Vec3, flat, unit_or};
use crate::space::Walls;
use serde::{Deserialize, Serialize};

/// Answers whether one can see from one point to another. A game can answer with its own geometry.
pub trait LineOfSight: Send + Sync {
    /// Whether nothing is in the way.
    fn clear(&self, from: Vec3, to: Vec3) -> bool;
}

impl LineOfSight for Walls {
    fn clear(&self, from: Vec3, to: Vec3) -> bool {
        !self.blocked(from, to)
    }
}

/// How well an agent perceives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Senses {
    /// How far it sees, in metres. Default 40.
    #[serde(with = "crate::math::any_number")]
    pub range: f32,
    /// How far it sees what it has in view already, in metres; not less than `range`. Default 45.
    #[serde(with = "crate::math::any_number")]
    pub lose_range: f32,
    /// Full angle of view in degrees, 0 to 360. Default 120.
    #[serde(with = "crate::math::any_number")]
    pub angle: f32,
    /// Height of its eyes in metres. Default 1.6.
    #[serde(with = "crate::math::any_number")]
    pub eyes: f32,
    /// How near something must be to be noticed from any side, in metres; walls hide it all the same. Default 2.5.
    #[serde(with = "crate::math::any_number")]
    pub near: f32,
    /// How far it hears a noise of the same reach, as a factor. 0 is deaf. Default 1.
    #[serde(with = "crate::math::any_number")]
    pub hearing: f32,
}

impl Default for Senses {
    fn default() -> Self {
        Self { range: 40.0, lose_range: 45.0, angle: 120.0, eyes: 1.6, near: 2.5, hearing: 1.0 }
    }
}

impl Senses {
    /// Whether something at this offset from the eyes is within range and angle, and whether because it is near.
    /// `facing` is a unit vector; `in_view` says that it is in view already.
    pub fn reaches(&self, offset: Vec3, facing: Vec3, flies: bool, in_view: bool) -> Option<super::How> {
        let distance = offset.length();
        let range = if in_view { self.lose_range.max(self.range) } else { self.range };
        if distance <= self.near {
            return Some(super::How::Near);
        }
        if distance > range {
            return None;
        }
        // Walkers look along the ground: how high something stands does not turn it out of their view.
        let (ahead, way) = if flies { (facing, offset) } else { (flat(facing), flat(offset)) };
        let cosine = unit_or(way, facing).dot(unit_or(ahead, Vec3::X));
        let widest = libm::cosf((self.angle.clamp(0.0, 360.0) * 0.5).to_radians());
        (cosine >= widest).then_some(super::How::Sight)
    }
}
