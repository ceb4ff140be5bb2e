//! One hash for all that must be the same on every machine: FNV-1a, 64 bits. It is no defence against ill will.
//!
//! Prime and start are those of Fowler, Noll and Vo; <http://www.isthe.com/chongo/tech/comp/fnv/>.

/// What a hash begins with.
pub const START: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// The hash of `bytes`.
///
/// ```
/// assert_eq!(warband::hash::hash(b"a"), 0xaf63_dc4c_8601_ec8c);
/// ```
pub fn hash(bytes: &[u8]) -> u64 {
    eat(START, bytes.iter().copied())
}

/// `hash` with more bytes: of two halves the same as of the whole.
pub fn eat(hash: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}
