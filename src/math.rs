//! Vectors and the few functions of numbers that the crate needs, the same on every machine.
//!
//! Y is up and the ground is (x, z). Angles are in radians unless a name says degrees; the angle of a ground
//! direction is counted from +x towards +z. Sine, logarithm and their kin go through `libm`, so that two
//! machines agree on every bit.

pub use glam::{Vec3, vec3};

/// The vector without its height.
pub fn flat(v: Vec3) -> Vec3 {
    vec3(v.x, 0.0, v.z)
}

/// The ground direction at `angle` (radians, from +x towards +z).
pub fn direction(angle: f32) -> Vec3 {
    vec3(libm::cosf(angle), 0.0, libm::sinf(angle))
}

/// The angle of `v` on the ground, in (−π, π]; 0 for a vector without extent there.
pub fn angle_of(v: Vec3) -> f32 {
    libm::atan2f(v.z, v.x)
}

/// `angle` brought into (−π, π].
pub fn wrap_angle(angle: f32) -> f32 {
    use std::f32::consts::{PI, TAU};
    let turned = angle - TAU * libm::roundf(angle / TAU);
    if turned <= -PI { turned + TAU } else { turned }
}

/// The unit vector of `v`, or `otherwise` when `v` is too short to have a direction or is not finite.
pub fn unit_or(v: Vec3, otherwise: Vec3) -> Vec3 {
    let length = v.length();
    if length > 1e-6 && length.is_finite() { v / length } else { otherwise }
}

/// `v` shortened to `limit` when it is longer.
pub fn clamp_length(v: Vec3, limit: f32) -> Vec3 {
    let squared = v.length_squared();
    if squared > limit * limit { v * (limit / libm::sqrtf(squared)) } else { v }
}

/// How much of the way an exponential approach of `rate` (per second) goes in `dt` seconds: `1 − e^(−rate·dt)`.
///
/// The same curve at every frame rate.
pub fn approach(rate: f32, dt: f32) -> f32 {
    1.0 - libm::expf(-rate.max(0.0) * dt.max(0.0))
}

/// A direction made from two numbers, for bodies that stand on the same point: equal and opposite when they are swapped.
pub fn parting(a: u32, b: u32) -> Vec3 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let mixed = crate::rng::mix((u64::from(high) << 32) | u64::from(low));
    let angle = (mixed >> 40) as f32 / (1u64 << 24) as f32 * std::f32::consts::TAU;
    if a < b { direction(angle) } else { -direction(angle) }
}

/// Seconds as whole nanoseconds, at most 292 years; negative and unordered ones are 0.
///
/// A number of 32 bits holds 0.3 s as 300,000,012 ns: it is brought to the nearest microsecond that was meant.
pub fn nanoseconds(seconds: f32) -> u64 {
    let micro = libm::round(f64::from(seconds) * 1e6);
    if micro > 0.0 { micro.min(9.2e15) as u64 * 1000 } else { 0 }
}

/// The bytes that a list holds outside of itself, used or not.
#[allow(clippy::ptr_arg, reason = "a slice does not know its room")]
pub(crate) fn room<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

/// Up to what a counter in a snapshot is believed: so far from the end of its range that it can go on for ever.
pub(crate) const MOST_COUNTED: u64 = u64::MAX >> 8;

/// Numbers that need not be finite, in formats that have no word for those (JSON): `"inf"`, `"-inf"` and `"nan"` there, and
/// plain numbers in all others. For `#[serde(with = "crate::math::any_number")]`.
pub(crate) mod any_number {
    use super::{Vec3, vec3};
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    /// One such number.
    #[derive(Clone, Copy)]
    pub struct Word(f32);

    impl Serialize for Word {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self.0 {
                number if !serializer.is_human_readable() => serializer.serialize_f32(number),
                // With all its digits: who reads it cannot know that it is one of 32 bits.
                number if number.is_finite() => serializer.serialize_f64(number.into()),
                number if number.is_nan() => serializer.serialize_str("nan"),
                number => serializer.serialize_str(if number > 0.0 { "inf" } else { "-inf" }),
            }
        }
    }

    impl<'de> Deserialize<'de> for Word {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            if deserializer.is_human_readable() {
                deserializer.deserialize_any(Reader)
            } else {
                f32::deserialize(deserializer).map(Word)
            }
        }
    }

    struct Reader;

    impl de::Visitor<'_> for Reader {
        type Value = Word;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a number, \"inf\", \"-inf\" or \"nan\"")
        }
        fn visit_f64<E: de::Error>(self, number: f64) -> Result<Word, E> {
            Ok(Word(number as f32))
        }
        fn visit_i64<E: de::Error>(self, number: i64) -> Result<Word, E> {
            Ok(Word(number as f32))
        }
        fn visit_u64<E: de::Error>(self, number: u64) -> Result<Word, E> {
            Ok(Word(number as f32))
        }
        fn visit_str<E: de::Error>(self, word: &str) -> Result<Word, E> {
            match word {
                "inf" => Ok(Word(f32::INFINITY)),
                "-inf" => Ok(Word(f32::NEG_INFINITY)),
                "nan" => Ok(Word(f32::NAN)),
                other => Err(E::invalid_value(de::Unexpected::Str(other), &self)),
            }
        }
    }

    /// What is made of such numbers.
    pub trait Numbers: Sized {
        /// As it is written.
        type Form: Serialize + for<'de> Deserialize<'de>;
        /// It as it is written.
        fn form(&self) -> Self::Form;
        /// It from what was written.
        fn read(form: Self::Form) -> Self;
    }

    impl Numbers for f32 {
        type Form = Word;
        fn form(&self) -> Word {
            Word(*self)
        }
        fn read(form: Word) -> Self {
            form.0
        }
    }
    impl<const N: usize> Numbers for [f32; N]
    where
        [Word; N]: Serialize + for<'de> Deserialize<'de>,
    {
        type Form = [Word; N];
        fn form(&self) -> [Word; N] {
            self.map(Word)
        }
        fn read(form: [Word; N]) -> Self {
            form.map(|word| word.0)
        }
    }
    impl Numbers for Vec3 {
        type Form = [Word; 3];
        fn form(&self) -> [Word; 3] {
            self.to_array().form()
        }
        fn read([x, y, z]: [Word; 3]) -> Self {
            vec3(x.0, y.0, z.0)
        }
    }
    impl Numbers for (f32, f32) {
        type Form = (Word, Word);
        fn form(&self) -> (Word, Word) {
            (Word(self.0), Word(self.1))
        }
        fn read(form: (Word, Word)) -> Self {
            (form.0.0, form.1.0)
        }
    }
    impl<T: Numbers> Numbers for Vec<T> {
        type Form = Vec<T::Form>;
        fn form(&self) -> Vec<T::Form> {
            self.iter().map(T::form).collect()
        }
        fn read(form: Vec<T::Form>) -> Self {
            form.into_iter().map(T::read).collect()
        }
    }
    impl<T: Numbers> Numbers for Option<T> {
        type Form = Option<T::Form>;
        fn form(&self) -> Option<T::Form> {
            self.as_ref().map(T::form)
        }
        fn read(form: Option<T::Form>) -> Self {
            form.map(T::read)
        }
    }

    /// Writes them.
    pub fn serialize<T: Numbers, S: Serializer>(numbers: &T, serializer: S) -> Result<S::Ok, S::Error> {
        numbers.form().serialize(serializer)
    }
    /// Reads them.
    pub fn deserialize<'de, T: Numbers, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::Form::deserialize(deserializer).map(T::read)
    }
}
