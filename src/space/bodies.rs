//! The bodies of a world as flat arrays.
//!
//! Agents stand first, in the order of (squad, key), then actors in the order of their keys: the order of adding
//! them cannot be felt.

use crate::entity::Entity;
use crate::math::Vec3;
use serde::{Deserialize, Serialize};
use slotmap::SecondaryMap;

/// Positions, velocities and shapes by body index.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bodies {
    /// Who it is.
    pub id: Vec<Entity>,
    /// Its key, unique in its squad or among the actors.
    pub key: Vec<u32>,
    /// A number of its own among all bodies, the same in every run: it decides ties.
    pub tag: Vec<u32>,
    /// Centre of its foot, in metres.
    pub position: Vec<Vec3>,
    /// Velocity in m/s.
    pub velocity: Vec<Vec3>,
    /// Unit vector of where it looks.
    pub facing: Vec<Vec3>,
    /// Radius in metres.
    #[serde(with = "crate::math::any_number")]
    pub radius: Vec<f32>,
    /// Height of its eyes (and of what others see of it) above its position, in metres.
    #[serde(with = "crate::math::any_number")]
    pub eyes: Vec<f32>,
    /// How well lit it is, 0 to 1.
    pub light: Vec<f32>,
    /// Number of its faction.
    pub faction: Vec<u16>,
    /// Whether it can be perceived at all: dead and vanished ones cannot.
    pub present: Vec<bool>,
    /// The index of each body.
    #[serde(skip)]
    at: SecondaryMap<Entity, u32>,
}

/// One body, to be added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Who it is.
    pub id: Entity,
    /// Its key.
    pub key: u32,
    /// A number of its own among all bodies.
    pub tag: u32,
    /// Where it is.
    pub position: Vec3,
    /// Unit vector of where it looks.
    pub facing: Vec3,
    /// Radius in metres.
    pub radius: f32,
    /// Height of its eyes in metres.
    pub eyes: f32,
    /// Number of its faction.
    pub faction: u16,
}

impl Bodies {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.id.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }
    /// Puts one in at `index`; those behind move up.
    pub fn insert(&mut self, index: usize, body: Body) {
        self.id.insert(index, body.id);
        self.key.insert(index, body.key);
        self.tag.insert(index, body.tag);
        self.position.insert(index, body.position);
        self.velocity.insert(index, Vec3::ZERO);
        self.facing.insert(index, body.facing);
        self.radius.insert(index, body.radius);
        self.eyes.insert(index, body.eyes);
        self.light.insert(index, 1.0);
        self.faction.insert(index, body.faction);
        self.present.insert(index, true);
        self.number(index);
    }
    /// Takes one out; those behind move down.
    pub fn remove(&mut self, index: usize) {
        self.at.remove(self.id[index]);
        self.id.remove(index);
        self.key.remove(index);
        self.tag.remove(index);
        self.position.remove(index);
        self.velocity.remove(index);
        self.facing.remove(index);
        self.radius.remove(index);
        self.eyes.remove(index);
        self.light.remove(index);
        self.faction.remove(index);
        self.present.remove(index);
        self.number(index);
    }
    /// The index of a body, if it is here.
    pub fn index_of(&self, id: Entity) -> Option<usize> {
        self.at.get(id).map(|index| *index as usize)
    }
    /// Numbers all of them, after they were read from a snapshot.
    pub fn number_all(&mut self) {
        self.at.clear();
        self.number(0);
    }
    /// Whether every array speaks of the same bodies, and each of them is somewhere.
    pub fn are_sound(&self) -> bool {
        let counts = [self.key.len(), self.tag.len(), self.position.len(), self.velocity.len()];
        let more = [
            self.facing.len(),
            self.radius.len(),
            self.eyes.len(),
            self.light.len(),
            self.faction.len(),
            self.present.len(),
        ];
        let mut vectors = self.position.iter().chain(&self.velocity).chain(&self.facing);
        counts.iter().chain(&more).all(|count| *count == self.len())
            && vectors.all(|vector| vector.is_finite())
            && self.radius.iter().all(|radius| *radius >= 0.0)
            && self.light.iter().all(|light| (0.0..=1.0).contains(light))
    }
    fn number(&mut self, from: usize) {
        for (index, id) in self.id.iter().enumerate().skip(from) {
            self.at.insert(*id, index as u32);
        }
    }
    /// Where its eyes are.
    pub fn eye(&self, index: usize) -> Vec3 {
        self.position[index] + Vec3::Y * self.eyes[index]
    }
}
