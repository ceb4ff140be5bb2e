//! The dice: small, seeded, with a stream that never changes between versions.
//!
//! Each agent has its own, made from the world's seed and the keys of squad and agent, so that nobody's luck
//! depends on who else exists.

use serde::{Deserialize, Serialize};

/// A good mixing of 64 bits (the finaliser of SplitMix64, by Sebastiano Vigna, public domain).
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Dice with 64 bits of state (SplitMix64).
///
/// ```
/// use warband::rng::Dice;
/// let mut dice = Dice::new(7, &[1, 2]);
/// let first = dice.unit();
/// assert!((0.0..1.0).contains(&first));
/// assert_eq!(Dice::new(7, &[1, 2]).unit(), first);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// Dice of a world's `seed` for whoever is named by `keys`.
    pub fn new(seed: u64, keys: &[u64]) -> Self {
        let state = keys.iter().fold(mix(seed ^ 0x9e37_79b9_7f4a_7c15), |state, key| {
            mix(state ^ mix(key.wrapping_add(0x9e37_79b9_7f4a_7c15)))
        });
        Self { state }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// A number in [0, 1), in steps of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number in [low, high); `low` when the range is empty.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low).max(0.0) * self.unit()
    }

    /// A whole number in 0..count; 0 when `count` is 0.
    pub fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(count)) >> 64) as u64
    }

    /// A normally distributed number of mean 0 and deviation 1 (Box–Muller, one of the pair).
    pub fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }

    /// The state, for a digest.
    pub fn state(&self) -> u64 {
        self.state
    }
}
