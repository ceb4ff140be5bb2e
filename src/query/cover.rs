//! Cover: the nearest place that a threat cannot see and that can be reached.

use super::Found;
use super::ask::{Asker, GOLDEN};
use crate::math::{Vec3, flat, unit_or, vec3};
use crate::nav::PathStatus;

/// How many places are looked at: within 30 radii they lie little more than a body's width apart, so no shadow that hides a body is missed.
const PLACES: usize = 512;
/// Nearer to the threat than this part of the way to it nobody hides.
const NEAREST: f32 = 0.5;

/// What is hidden from: a threat, seen from the asker's eyes' height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cover {
    /// Where the threat is, m.
    pub threat: Vec3,
    /// How far off places are looked for, m.
    pub reach: f32,
}

impl Cover {
    /// The nearest place that hides the asker: neither the middle nor the edges of its body are in view, it can stand there, no mate
    /// does, and a way leads there. Where it stands counts first.
    pub fn find(&self, asker: &Asker<'_>, found: &mut Found) -> Option<Vec3> {
        (0..=PLACES).find_map(|number| {
            let radius = self.reach * libm::sqrtf(number as f32 / PLACES as f32);
            let angle = GOLDEN * number as f32;
            let place = asker.position + vec3(libm::cosf(angle), 0.0, libm::sinf(angle)) * radius;
            self.checked(place, asker, found)
        })
    }

    /// Whether a place still does: it hides, and no mate that is nearer to it stands there.
    pub fn holds(&self, place: Vec3, asker: &Asker<'_>) -> bool {
        self.hides(place, asker) && !is_taken(place, asker)
    }

    fn checked(&self, place: Vec3, asker: &Asker<'_>, found: &mut Found) -> Option<Vec3> {
        let own = flat(asker.position - self.threat).length();
        let near = flat(place - self.threat).length() < NEAREST * own;
        if near || is_taken(place, asker) || !self.hides(place, asker) {
            return None;
        }
        // Sight is cheap beside ground: it is asked first, and again where the ground has moved the place.
        let place = asker.ground.nearest(place, asker.radius, asker.radius)?;
        let way = asker.ground.path(asker.position, place, asker.radius, found.corners());
        (way == PathStatus::Complete && self.hides(place, asker)).then_some(place)
    }

    /// Whether neither middle nor edges of the asker's body would be in view at `place`.
    pub fn hides(&self, place: Vec3, asker: &Asker<'_>) -> bool {
        let eyes = vec3(0.0, asker.eyes, 0.0);
        let way = unit_or(flat(place - self.threat), Vec3::X);
        let edge = vec3(-way.z, 0.0, way.x) * asker.radius;
        let seen = |point: Vec3| asker.sight.clear(self.threat + eyes, point + eyes);
        ![place, place + edge, place - edge].into_iter().any(seen)
    }
}

/// Whether a mate stands there, or nearer to it than the asker and close by.
fn is_taken(place: Vec3, asker: &Asker<'_>) -> bool {
    let own = place.distance_squared(asker.position);
    let close = 4.0 * asker.radius * asker.radius;
    let mates = asker.mates.iter().enumerate().filter(|(rank, _)| *rank != asker.rank);
    mates.map(|(_, mate)| mate.distance_squared(place)).any(|apart| apart < close && apart < own)
}
