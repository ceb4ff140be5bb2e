//! A snapshot as bytes and in the formats of serde: first the version, then the world.

use super::Snapshot;
use super::check::damaged;
use super::saved::Saved;
use crate::error::{Error, ErrorKind, Result};
use crate::hash::hash;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// What the bytes begin with. Its last byte is no text, so that a transfer as text does not go unnoticed.
const MAGIC: [u8; 8] = *b"warband\x8e";

/// Magic, version, length and checksum of what follows.
const HEADER: usize = 8 + 4 + 8 + 8;

/// The error of a version that this build does not read.
fn check_version(version: u32) -> Result<()> {
    if version > Snapshot::VERSION {
        let message = format!("snapshot of version {version}, this build reads up to {}", Snapshot::VERSION);
        return Err(Error::new(ErrorKind::TooNew, message).hint("update the game"));
    }
    if version == 0 { Err(damaged("there is no version 0")) } else { Ok(()) }
}

impl Snapshot {
    /// It as bytes, in a compact form with a checksum.
    ///
    /// # Errors
    /// None that is known of; what the encoder says.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let fault =
            |error| Error::new(ErrorKind::Damaged, format!("the snapshot cannot be encoded: {error}"));
        let mut bytes = postcard::to_extend(&self.0, vec![0; HEADER]).map_err(fault)?;
        let (header, payload) = bytes.split_at_mut(HEADER);
        header[..8].copy_from_slice(&MAGIC);
        header[8..12].copy_from_slice(&Self::VERSION.to_le_bytes());
        header[12..20].copy_from_slice(&(payload.len() as u64).to_le_bytes());
        header[20..].copy_from_slice(&hash(payload).to_le_bytes());
        Ok(bytes)
    }

    /// Reads what [`Snapshot::to_bytes`] made.
    ///
    /// # Errors
    /// Bytes of something else, of a later version, too few, too many, or changed ones.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let magic = &MAGIC[..MAGIC.len().min(bytes.len())];
        if !bytes.starts_with(magic) || bytes.is_empty() {
            let fault = Error::new(ErrorKind::Damaged, "these bytes are no snapshot of a world");
            return Err(fault.hint("a snapshot begins with the bytes of 'warband'"));
        }
        let truncated = |wanted: u64| damaged(&format!("truncated after {} bytes of {wanted}", bytes.len()));
        let Some((header, payload)) = bytes.split_at_checked(HEADER) else {
            return Err(truncated(HEADER as u64));
        };
        let number =
            |at: usize| header[at..at + 8].iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        check_version(number(8) as u32)?;
        let (length, sum) = (number(12), number(20));
        match payload.len() as u64 {
            got if got < length => return Err(truncated(length.saturating_add(HEADER as u64))),
            got if got > length => return Err(damaged(&format!("{} bytes follow its end", got - length))),
            _ if hash(payload) != sum => return Err(damaged("the checksum does not match")),
            _ => {}
        }
        let fault = |error| damaged(&format!("it cannot be decoded ({error})"));
        let (saved, rest) = postcard::take_from_bytes::<Box<Saved>>(payload).map_err(fault)?;
        if rest.is_empty() { Ok(Self(saved)) } else { Err(damaged("it is longer than what it says")) }
    }
}

impl Serialize for Snapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        // In alphabetical order too the version comes first.
        let mut snapshot = serializer.serialize_struct("Snapshot", 2)?;
        snapshot.serialize_field("version", &Self::VERSION)?;
        snapshot.serialize_field("world", &self.0)?;
        snapshot.end()
    }
}

impl<'de> Deserialize<'de> for Snapshot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_struct("Snapshot", &["version", "world"], Reader)
    }
}

/// Looks at the version before anything else: what follows may be of a form that is not known yet.
struct Reader;

const VERSION_FIRST: &str = "a snapshot begins with its version";

impl<'de> Visitor<'de> for Reader {
    type Value = Snapshot;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a snapshot of a world")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Snapshot, A::Error> {
        let version = seq.next_element()?.ok_or_else(|| de::Error::custom(VERSION_FIRST))?;
        check_version(version).map_err(de::Error::custom)?;
        let world = seq.next_element()?.ok_or_else(|| de::Error::missing_field("world"))?;
        Ok(Snapshot(world))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Snapshot, A::Error> {
        if map.next_key::<String>()?.as_deref() != Some("version") {
            return Err(de::Error::custom(VERSION_FIRST));
        }
        check_version(map.next_value()?).map_err(de::Error::custom)?;
        match map.next_key::<String>()?.as_deref() {
            Some("world") => {}
            Some(other) => return Err(de::Error::unknown_field(other, &["world"])),
            None => return Err(de::Error::missing_field("world")),
        }
        let snapshot = Snapshot(map.next_value()?);
        match map.next_key::<String>()? {
            Some(other) => Err(de::Error::unknown_field(&other, &["world"])),
            None => Ok(snapshot),
        }
    }
}
