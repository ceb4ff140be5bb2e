//! How well one perceives, and who perceives whom.

use super::{Awareness, How};
use crate::math::{Vec3, flat, unit_or};
use crate::space::Walls;
use serde::{Deserialize, Serialize};

/// Answers whether one can see from one point to another. A game can answer with its own geometry.
pub trait LineOfSight: Send + Sync {
    /// Whether nothing is in the way.
    fn clear(&self, from: Vec3, to: Vec3) -> bool;

    /// How many walls a sound passes on its way. Default one where sight is blocked.
    fn walls_between(&self, from: Vec3, to: Vec3) -> u32 {
        u32::from(!self.clear(from, to))
    }
}

impl LineOfSight for Walls {
    fn clear(&self, from: Vec3, to: Vec3) -> bool {
        !self.blocked(from, to)
    }
    fn walls_between(&self, from: Vec3, to: Vec3) -> u32 {
        self.count_between(from, to)
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
    /// How much of a target's width counts when it is looked for, 0 to 1: at 0 its middle alone, at 1 also an edge that
    /// shows beside a pillar or in the corner of the eye. Default 1.
    #[serde(with = "crate::math::any_number")]
    pub extent: f32,
    /// How far above or below itself it perceives, in metres; what is on another floor is out of it. Default without
    /// limit.
    #[serde(with = "crate::math::any_number")]
    pub vertical: f32,
    /// How fast it becomes aware of what it sees. Default at once.
    pub awareness: Awareness,
}

/// How something is within reach of one's senses, and how fast one becomes aware of it: 1 near by and straight ahead,
/// less elsewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// By which sense.
    pub how: How,
    /// How fast awareness grows, 0 to 1, light left out.
    pub gain: f32,
}

impl Default for Senses {
    fn default() -> Self {
        Self {
            range: 40.0,
            lose_range: 45.0,
            angle: 120.0,
            eyes: 1.6,
            near: 2.5,
            hearing: 1.0,
            extent: 1.0,
            vertical: f32::INFINITY,
            awareness: Awareness::default(),
        }
    }
}

impl Senses {
    /// Whether something at this offset from the eyes is within range and angle, and whether because it is near.
    /// `facing` is a unit vector; `in_view` says that it is in view already.
    pub fn reaches(&self, offset: Vec3, facing: Vec3, flies: bool, in_view: bool) -> Option<How> {
        self.reach(offset, 0.0, facing, flies, in_view).map(|reach| reach.how)
    }

    /// As [`Senses::reaches`] for a body of `radius` metres: its edges count for the angle as far as
    /// [`Senses::extent`] says, and how fast one becomes aware of it is told too.
    pub fn reach(
        &self,
        offset: Vec3,
        radius: f32,
        facing: Vec3,
        flies: bool,
        in_view: bool,
    ) -> Option<Reach> {
        let (square, range) = (offset.length_squared(), self.range_for(in_view));
        // Most pairs are out of range: they cost no root.
        if !(square <= range * range || square <= self.near * self.near) || offset.y.abs() > self.vertical {
            return None;
        }
        let distance = offset.length();
        if distance <= self.near {
            return Some(Reach { how: How::Near, gain: 1.0 });
        }
        // Walkers look along the ground: how high something stands does not turn it out of their view.
        let (ahead, way) = if flies { (facing, offset) } else { (flat(facing), flat(offset)) };
        let ahead = unit_or(ahead, Vec3::X);
        let widest = self.cosine();
        let cosine = nearest_cosine(way, radius * self.extent.clamp(0.0, 1.0), ahead, facing);
        (cosine >= widest).then(|| Reach { how: How::Sight, gain: self.gain(distance, cosine, widest) })
    }

    /// How far it sees what it has in view already, or has not, m.
    pub fn range_for(&self, in_view: bool) -> f32 {
        if in_view { self.lose_range.max(self.range) } else { self.range }
    }

    /// How far off anything can be that it perceives without hearing, m.
    pub fn farthest(&self) -> f32 {
        self.range_for(true).max(self.near)
    }

    /// The cosine of half the angle of view.
    fn cosine(&self) -> f32 {
        match self.angle {
            // What most have, without a call.
            120.0 => 0.5,
            angle => libm::cosf((angle.clamp(0.0, 360.0) * 0.5).to_radians()),
        }
    }

    fn gain(&self, distance: f32, cosine: f32, widest: f32) -> f32 {
        if !self.awareness.is_gradual() {
            return 1.0;
        }
        let part = |part: f32, whole: f32| if whole > 1e-6 { part / whole } else { 0.0 };
        let far = part(distance - self.near, self.range - self.near);
        self.awareness.gain(far, part(1.0 - cosine, 1.0 - widest))
    }
}

/// The cosine of the angle from `ahead` to the part of a body of this half width that is nearest to it.
fn nearest_cosine(way: Vec3, half: f32, ahead: Vec3, facing: Vec3) -> f32 {
    let middle = unit_or(way, facing).dot(ahead);
    if half <= 0.0 {
        return middle;
    }
    let across = way.cross(ahead).cross(way);
    let edge = way + unit_or(across, Vec3::ZERO) * half;
    // An edge beyond straight ahead is one that one looks at between the edges.
    if edge.cross(ahead).dot(way.cross(ahead)) <= 0.0 && middle > 0.0 {
        return 1.0;
    }
    middle.max(unit_or(edge, facing).dot(ahead))
}
