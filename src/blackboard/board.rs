//! The values of one owner.

use super::schema::{Key, KeyId, KeyInfo};
use super::value::{Typed, Value, ValueType};
use crate::math::{Vec3, room};
use serde::{Deserialize, Serialize};

/// What a write does to the value that is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Change {
    /// Puts this in its place; [`Value::Nothing`] brings back the default.
    Set(Value),
    /// Adds to a number or whole number. Two in one tick both count.
    Increment(f64),
    /// Appends to a list. Two in one tick both count, in the order of writers.
    Append(Vec3),
}

impl Change {
    /// What it makes of `old`, for a key that it fits (see [`super::Schema::fit`]).
    pub fn applied(&self, old: &Value, info: &KeyInfo) -> Value {
        match self {
            Change::Set(Value::Nothing) => info.default.clone(),
            Change::Set(value) => value.clone(),
            Change::Increment(by) => {
                let sum = old.as_number().unwrap_or(0.0) + by;
                Value::Number(sum).fit(info.ty).unwrap_or_else(|| old.clone())
            }
            Change::Append(point) => {
                let mut points = match old {
                    Value::List(list) => list.to_vec(),
                    _ => Vec::new(),
                };
                points.push(*point);
                Value::List(points.into())
            }
        }
    }
}

/// The values of one owner, by slot of the keys of its scope.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Board {
    values: Vec<Value>,
    versions: Vec<u32>,
    /// How often any value has changed.
    changes: u64,
    /// Slots with a time to live that hold a written value, and when it ends.
    ending: Vec<(u16, u64)>,
}

impl Board {
    /// Makes room for keys that were declared since, with their defaults.
    pub fn grow(&mut self, keys: &[KeyInfo]) {
        for key in keys.iter().skip(self.values.len()) {
            self.values.push(key.default.clone());
            self.versions.push(0);
        }
    }

    /// The value of a key, [`Value::Nothing`] for a key it has no room for yet.
    #[inline]
    pub fn value(&self, key: KeyId) -> &Value {
        self.values.get(key.slot()).unwrap_or(&Value::Nothing)
    }

    /// The value of a key of type `T`, or `None` when it has none.
    pub fn get<T: Typed>(&self, key: Key<T>) -> Option<T> {
        T::read(self.value(key.id()))
    }

    /// How often the value of a key has changed.
    pub fn version(&self, key: KeyId) -> u32 {
        self.versions.get(key.slot()).copied().unwrap_or(0)
    }

    /// The bytes that it holds outside of itself; texts and lists that it shares with others are not counted.
    pub(crate) fn bytes(&self) -> usize {
        room(&self.values) + room(&self.versions) + room(&self.ending)
    }

    /// How often any value has changed.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Applies a change at time `now` (ns); says whether the value is another than before.
    ///
    /// The value must fit the key (see [`super::Schema::fit`]); an increment of what is no number and an append to
    /// what is no list begin from 0 and from the empty list.
    pub fn apply(&mut self, info: &KeyInfo, change: &Change, now: u64) -> bool {
        let slot = info.id.slot();
        if slot >= self.values.len() {
            return false;
        }
        let new = change.applied(&self.values[slot], info);
        if let Some(ttl) = info.ttl {
            self.ending.retain(|(other, _)| usize::from(*other) != slot);
            if !matches!(change, Change::Set(Value::Nothing)) {
                self.ending.push((info.id.slot, now.saturating_add(ttl)));
            }
        }
        self.put(slot, new)
    }

    /// Brings back the defaults of values whose time has ended; calls `ended` for each that changed.
    pub fn expire(&mut self, keys: &[KeyInfo], now: u64, mut ended: impl FnMut(KeyId)) {
        let mut index = 0;
        while index < self.ending.len() {
            let (slot, at) = self.ending[index];
            if at > now {
                index += 1;
                continue;
            }
            self.ending.remove(index);
            let info = &keys[usize::from(slot)];
            if self.put(usize::from(slot), info.default.clone()) {
                ended(info.id);
            }
        }
    }

    /// Forgets a value whose key changed its type: the new default takes its place.
    pub fn reset(&mut self, info: &KeyInfo) {
        self.ending.retain(|(slot, _)| *slot != info.id.slot);
        if info.id.slot() < self.values.len() {
            self.put(info.id.slot(), info.default.clone());
        }
    }

    /// Whether it holds values of these types, one for each key, as they can come to be there.
    pub(crate) fn is_sound(&self, types: &[ValueType]) -> bool {
        let fits = |(value, ty): (&Value, &ValueType)| {
            !value.is_set() || value.clone().fit(*ty).as_ref() == Some(value)
        };
        self.values.len() == types.len()
            && self.versions.len() == types.len()
            && self.values.iter().zip(types).all(fits)
            && self.ending.iter().all(|(slot, _)| usize::from(*slot) < types.len())
            && self.changes <= crate::math::MOST_COUNTED
    }

    /// The same values on a board of `keys`; `moves` has the new slot for each old one whose key is there still. All
    /// others have their defaults.
    pub(crate) fn moved(&self, keys: &[KeyInfo], moves: &[Option<u16>]) -> Self {
        let mut board = Self { changes: self.changes, ..Self::default() };
        board.grow(keys);
        for (old, new) in moves.iter().enumerate() {
            if let Some(new) = new {
                board.values[usize::from(*new)] = self.values[old].clone();
                board.versions[usize::from(*new)] = self.versions[old];
            }
        }
        let place = |(slot, at): &(u16, u64)| Some((moves[usize::from(*slot)]?, *at));
        board.ending = self.ending.iter().filter_map(place).collect();
        board
    }

    fn put(&mut self, slot: usize, value: Value) -> bool {
        if self.values[slot] == value {
            return false;
        }
        self.values[slot] = value;
        self.versions[slot] = self.versions[slot].wrapping_add(1);
        self.changes += 1;
        true
    }

    /// The values by slot.
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}
