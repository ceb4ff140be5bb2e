//! The numbers of a ring, and what it is told of a member.

use crate::math::Vec3;
use serde::{Deserialize, Serialize};

/// How a ring forms, moves and closes. Every number may be changed while it runs; what is out of range is brought into it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RingRules {
    /// Within how much of its place a member has *arrived*, m; 2. Also where the blend with the flock ends.
    pub reach: f32,
    /// How near to its place a member walks on, m; 0.5. Stopping at `reach` leaves gaps of 64° in a ring of eight.
    pub stand: f32,
    /// How often places are looked at anew, s; 0.2. Less is calmer, and slower to mend.
    pub refresh: f32,
    /// To which radius it closes in, m; 5.
    pub close_to: f32,
    /// How fast it closes in, m/s; 0.5. Above 0.55 it breaks round a walking target, below 0.35 it never gets there.
    pub close_rate: f32,
    /// The share of arrived members that makes it *set*, 0..1; 0.75.
    pub set_fraction: f32,
    /// How long after the first arrival it is set in any case, s; 3.
    pub set_after: f32,
    /// Below which share of members in (twice the) reach a set ring counts as broken, 0..1; 0.25. It then starts again at the largest
    /// radius asked for, after `set_after` seconds of that.
    pub broken_fraction: f32,
    /// How far its target may move before the ring follows, m; 1, but never more than a tenth of the radius.
    pub dead_zone: f32,
    /// How long it goes on following a target that keeps within the dead zone, s; 2.
    pub follow_for: f32,
    /// How fast it catches up with a target that it follows, 1/s; 3.
    pub catch_up: f32,
    /// The part of the radius that nobody walks through, 0..0.95; 0.85.
    pub keep_out: f32,
    /// Where the first place is, degrees from +x towards +z; 0. With `free_phase` the whole ring turns from there.
    pub angle_offset: f32,
    /// Whether the ring may turn as a whole to shorten the walks when places are dealt; true.
    pub free_phase: bool,
    /// What a change of places must save, as a share of all walks left, 0..1; 0.1, and one `reach` at least.
    pub pays: f32,
    /// How much the flock bends the heading on the way to a place, 0..0.5; 0.3.
    pub flock_share: f32,
    /// The room of a body in a row, in body widths, at least 1; 1.15. Those that find none stand in a row further out.
    pub room: f32,
    /// How far the ground may shift a place before it counts as blocked and slides along the ring, m; 0.5.
    pub snap: f32,
    /// The least distance of two places and of two rows, m; 0 for what the bodies need.
    pub spacing: f32,
    /// How many rings it is, 1 or 2; 1. Of two the inner one holds a third of the members.
    pub rings: u32,
    /// The least share of the top speed at which who has a short way walks while the ring forms, 0..1; 0.2. 1 is as fast as each
    /// can, and leaves the ring open on the far side until the last arrive.
    pub pace: f32,
}

impl Default for RingRules {
    fn default() -> Self {
        Self {
            reach: 2.0,
            stand: 0.5,
            refresh: 0.2,
            close_to: 5.0,
            close_rate: 0.5,
            set_fraction: 0.75,
            set_after: 3.0,
            broken_fraction: 0.25,
            dead_zone: 1.0,
            follow_for: 2.0,
            catch_up: 3.0,
            keep_out: 0.85,
            angle_offset: 0.0,
            free_phase: true,
            pays: 0.1,
            flock_share: 0.3,
            room: 1.15,
            snap: 0.5,
            spacing: 0.0,
            rings: 1,
            pace: 0.2,
        }
    }
}

impl RingRules {
    /// These rules with every number brought into its range; one that is not a number becomes its default.
    #[must_use]
    pub fn within_range(&self) -> Self {
        let usual = Self::default();
        let bring = |value: f32, low: f32, high: f32, usual: f32| {
            if value.is_nan() { usual } else { value.clamp(low, high) }
        };
        Self {
            reach: bring(self.reach, 0.0, FAR, usual.reach),
            stand: bring(self.stand, 0.0, FAR, usual.stand),
            refresh: bring(self.refresh, 0.0, FAR, usual.refresh),
            close_to: bring(self.close_to, 0.1, FAR, usual.close_to),
            close_rate: bring(self.close_rate, 0.0, FAR, usual.close_rate),
            set_fraction: bring(self.set_fraction, 0.0, 1.0, usual.set_fraction),
            set_after: bring(self.set_after, 0.0, FAR, usual.set_after),
            broken_fraction: bring(self.broken_fraction, 0.0, 1.0, usual.broken_fraction),
            dead_zone: bring(self.dead_zone, 0.0, FAR, usual.dead_zone),
            follow_for: bring(self.follow_for, 0.0, FAR, usual.follow_for),
            catch_up: bring(self.catch_up, 0.0, FAR, usual.catch_up),
            keep_out: bring(self.keep_out, 0.0, 0.95, usual.keep_out),
            angle_offset: bring(self.angle_offset, -FAR, FAR, usual.angle_offset),
            free_phase: self.free_phase,
            pays: bring(self.pays, 0.0, 1.0, usual.pays),
            flock_share: bring(self.flock_share, 0.0, 0.5, usual.flock_share),
            room: bring(self.room, 1.0, FAR, usual.room),
            snap: bring(self.snap, 0.0, FAR, usual.snap),
            spacing: bring(self.spacing, 0.0, FAR, usual.spacing),
            rings: self.rings.clamp(1, 2),
            pace: bring(self.pace, 0.0, 1.0, usual.pace),
        }
    }
}

/// What counts as endlessly far, m, or long, s.
const FAR: f32 = 1e6;

/// What a ring is told of a member.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Who it is: a number unique in the squad. It alone decides ties.
    pub key: u32,
    /// Where it is, m.
    pub position: Vec3,
    /// Radius of its body, m.
    pub radius: f32,
    /// The ring radius that it asks for, m.
    pub ring: f32,
    /// Whether the ring may close in on the target for its sake.
    pub close_in: bool,
    /// Whether it holds the radius it asks for (a siege): the ring then closes no further than that.
    pub hold: bool,
    /// Whether it has left the ring for the target itself. Its place is kept, and it counts as arrived.
    pub direct: bool,
    /// Whether it finds no way to its place.
    pub cut_off: bool,
}

impl Default for Member {
    /// At the origin, of radius 0.5 m, asking for a ring of 12 m.
    fn default() -> Self {
        Self {
            key: 0,
            position: Vec3::ZERO,
            radius: 0.5,
            ring: 12.0,
            close_in: false,
            hold: false,
            direct: false,
            cut_off: false,
        }
    }
}

impl Member {
    /// Takes over those members that are somewhere, by key and each once.
    pub(super) fn take_sorted(own: &mut Vec<Self>, members: &[Self]) {
        own.clear();
        own.extend(members.iter().filter_map(Self::checked));
        own.sort_unstable_by(|a, b| {
            let by_place = a.position.x.total_cmp(&b.position.x).then(a.position.z.total_cmp(&b.position.z));
            a.key.cmp(&b.key).then(by_place)
        });
        own.dedup_by_key(|member| member.key);
    }

    /// The member with sizes that are numbers within 1000 km, or `None` when it is nowhere within that.
    fn checked(&self) -> Option<Self> {
        let size = |value: f32| if value.is_nan() { 0.0 } else { value.clamp(0.0, FAR) };
        is_somewhere(self.position).then(|| Self {
            radius: size(self.radius),
            ring: size(self.ring),
            ..*self
        })
    }
}

/// Whether `point` is finite and within 1000 km.
pub(super) fn is_somewhere(point: Vec3) -> bool {
    point.abs().max_element() <= FAR && point.is_finite()
}
