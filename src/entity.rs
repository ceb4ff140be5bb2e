//! Who is who: generational ids of bodies, squads and teams.
//!
//! An id whose owner is gone reads as gone; it never becomes somebody else.

use serde::{Deserialize, Serialize};
use slotmap::{Key, KeyData};
use std::fmt;

slotmap::new_key_type! {
    /// A body of either kind, agent or actor. The default is nobody.
    pub struct Entity;
    /// A squad of agents.
    pub struct SquadId;
    /// A team of squads.
    pub struct TeamId;
}

impl fmt::Display for Entity {
    /// As in `3v1`, its slot and how often that was filled; `nobody` for the default.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_null() { f.write_str("nobody") } else { write!(f, "{:?}", self.data()) }
    }
}

/// A body that a tree thinks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AgentId(Entity);

/// A body that the game moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ActorId(Entity);

macro_rules! body_id {
    ($id:ident, $word:literal) => {
        impl $id {
            pub(crate) fn new(entity: Entity) -> Self {
                Self(entity)
            }
            /// The same id as one of either kind.
            pub fn entity(self) -> Entity {
                self.0
            }
        }
        impl From<$id> for Entity {
            fn from(id: $id) -> Self {
                id.0
            }
        }
        impl fmt::Display for $id {
            /// As in `agent(3v1)`: its slot and how often that was filled.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self, f)
            }
        }
        impl fmt::Debug for $id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($word, "({:?})"), self.0.data())
            }
        }
    };
}
body_id!(AgentId, "agent");
body_id!(ActorId, "actor");

/// Gives out the ids of bodies. An id that was taken back is never given out again: its slot is, the last one taken back
/// first, with another generation. All of that is kept in a snapshot, so that the next body after a restore gets the id
/// that it would have got.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ids {
    /// The generation of each slot; odd while an id of it is in use.
    generations: Vec<u32>,
    free: Vec<u32>,
}

impl Ids {
    pub fn give(&mut self) -> Entity {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.generations.push(0);
            self.generations.len() as u32 - 1
        });
        let generation = &mut self.generations[slot as usize];
        *generation |= 1;
        // Slot 0 stands for nobody.
        KeyData::from_ffi(u64::from(*generation) << 32 | u64::from(slot + 1)).into()
    }
    pub fn take_back(&mut self, id: Entity) {
        if let Some(slot) = self.slot(id) {
            self.generations[slot] = self.generations[slot].wrapping_add(1);
            self.free.push(slot as u32);
        }
    }
    fn slot(&self, id: Entity) -> Option<usize> {
        let bits = id.data().as_ffi();
        let slot = ((bits & 0xffff_ffff) as usize).checked_sub(1)?;
        (u64::from(*self.generations.get(slot)?) == bits >> 32 && !id.is_null()).then_some(slot)
    }
    /// The bytes that they hold outside of themselves.
    pub fn bytes(&self) -> usize {
        crate::math::room(&self.generations) + crate::math::room(&self.free)
    }
    /// Whether the id is in use.
    pub fn has(&self, id: Entity) -> bool {
        self.slot(id).is_some()
    }
    /// How many are in use.
    pub fn count(&self) -> usize {
        self.generations.len() - self.free.len()
    }
    /// Whether every slot is either in use or free, once.
    pub fn is_sound(&self) -> bool {
        let mut idle = self.generations.iter().map(|generation| generation % 2 == 0).collect::<Vec<_>>();
        let mut take = |slot: &u32| idle.get_mut(*slot as usize).is_some_and(std::mem::take);
        self.free.iter().all(&mut take) && !idle.contains(&true)
    }
}

/// Bits of the packed form that count the slot; the rest of its 52 bits are the generation.
const SLOT_BITS: u32 = 24;

impl Entity {
    /// The id as a whole number below 2⁵², so that a Lua number holds it exactly; 0 for nobody.
    ///
    /// 24 bits are the slot and 28 the generation: a slot must be filled 2²⁷ times before two ids look alike.
    pub fn pack(self) -> u64 {
        if self.is_null() {
            return 0;
        }
        let bits = self.data().as_ffi();
        let slot = bits & 0xffff_ffff;
        let generation = (bits >> 32) & 0x0fff_ffff;
        (generation << SLOT_BITS) | (slot & 0x00ff_ffff)
    }

    /// The id that [`Entity::pack`] made; nobody for a number that no id packs to.
    pub fn unpack(packed: u64) -> Self {
        let generation = packed >> SLOT_BITS;
        if packed == 0 || generation == 0 || packed >= 1 << 52 {
            return Entity::default();
        }
        KeyData::from_ffi((generation << 32) | (packed & 0x00ff_ffff)).into()
    }
}
