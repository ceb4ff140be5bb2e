//! Awareness: how sure one is of what one sees, built up with time instead of at once.
//!
//! Off by default: what is in view is known in the same tick. With [`Awareness::seconds`] above 0 it grows from 0 to 1
//! while the target is in view, slower far off, at the edge of the view and in the dark, and falls while it is not. From
//! [`Awareness::suspicion`] on the squad goes by a glimpse; at 1 it knows.

use serde::{Deserialize, Serialize};

/// How fast an agent becomes aware of what it sees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Awareness {
    /// Seconds until it is sure of what is near, straight ahead and in full light. 0 is at once. Default 0.
    #[serde(with = "crate::math::any_number")]
    pub seconds: f32,
    /// How fast that goes at the end of its range, as a part of how fast it goes near by; 0 to 1. Default 0.25.
    #[serde(with = "crate::math::any_number")]
    pub far: f32,
    /// How fast that goes at the edge of its view, as a part of how fast it goes straight ahead; 0 to 1. Default 0.5.
    #[serde(with = "crate::math::any_number")]
    pub side: f32,
    /// Seconds until it has let go of what it was sure of and sees no more. 0 is at once. Default 4.
    #[serde(with = "crate::math::any_number")]
    pub fade: f32,
    /// From which awareness on it suspects something: the event `noticed`, and the squad knows of a glimpse. 0 to 1; 1 is
    /// never before it is sure. Default 0.5.
    #[serde(with = "crate::math::any_number")]
    pub suspicion: f32,
}

impl Default for Awareness {
    fn default() -> Self {
        Self { seconds: 0.0, far: 0.25, side: 0.5, fade: 4.0, suspicion: 0.5 }
    }
}

impl Awareness {
    /// Whether it builds up at all.
    pub fn is_gradual(&self) -> bool {
        self.seconds > 0.0
    }

    /// The seconds until one is sure of what stays in view. `far` is 0 near by and 1 at the end of the range, `aside` 0
    /// straight ahead and 1 at the edge of the view, `light` 0 in the dark, where one never is, and 1 in full light.
    /// What is outside of 0 to 1 counts as the nearer of the two.
    ///
    /// ```
    /// use warband::sense::Awareness;
    /// let eyes = Awareness { seconds: 1.5, ..Awareness::default() };
    /// assert_eq!(eyes.seconds_until_sure(0.0, 0.0, 1.0), 1.5);
    /// assert_eq!(eyes.seconds_until_sure(1.0, 0.0, 1.0), 6.0);
    /// assert_eq!(eyes.seconds_until_sure(0.0, 1.0, 0.5), 6.0);
    /// assert_eq!(eyes.seconds_until_sure(0.0, 0.0, 0.0), f32::INFINITY);
    /// ```
    pub fn seconds_until_sure(&self, far: f32, aside: f32, light: f32) -> f32 {
        let gain = self.gain(far, aside) * share(light);
        if gain > 0.0 { self.seconds.max(0.0) / gain } else { f32::INFINITY }
    }

    /// How fast awareness grows, as a part of how fast it does near by and straight ahead.
    pub(super) fn gain(&self, far: f32, aside: f32) -> f32 {
        let slowed = |part: f32, by: f32| 1.0 - (1.0 - share(by)) * share(part);
        slowed(far, self.far) * slowed(aside, self.side)
    }

    /// By how much awareness changes in a second while the target is in view and grows by `gain`, or is not.
    pub fn rate(&self, in_view: bool, gain: f32) -> f32 {
        let over = |part: f32, seconds: f32| if seconds > 0.0 { part / seconds } else { f32::INFINITY };
        match (in_view, share(gain)) {
            // In the dark nothing grows, however short the time.
            (true, 0.0) => 0.0,
            (true, gain) => over(gain, self.seconds),
            (false, _) => -over(1.0, self.fade),
        }
    }
}

fn share(part: f32) -> f32 {
    if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) }
}
