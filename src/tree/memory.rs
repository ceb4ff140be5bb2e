//! What an agent remembers of a running tree: plain words, no object per node.
//!
//! First the cursors, one of 16 bits for each region (the node that runs in it), then one bit for each guard that
//! watches lower branches, then the slots that nodes declared.

use crate::math::{Vec3, room, vec3};
use serde::{Deserialize, Serialize};

/// The memory of one agent for one tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    words: Vec<u64>,
}

/// Where things lie in the memory of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Layout {
    /// How many regions.
    pub regions: usize,
    /// How many watching guards.
    pub watches: usize,
    /// How many words of slots.
    pub slots: usize,
}

impl Layout {
    pub fn watch_start(self) -> usize {
        self.regions.div_ceil(4)
    }
    pub fn slot_start(self) -> usize {
        self.watch_start() + self.watches.div_ceil(64)
    }
    pub fn words(self) -> usize {
        self.slot_start() + self.slots
    }
}

impl Memory {
    pub(super) fn new(layout: Layout) -> Self {
        let mut words = vec![0; layout.words()];
        words[..layout.watch_start()].fill(u64::MAX);
        Self { words }
    }
    /// Its words, for a digest.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }
    /// The bytes that it holds outside of itself.
    pub(crate) fn bytes(&self) -> usize {
        room(&self.words)
    }
    pub(super) fn fits(&self, layout: Layout) -> bool {
        self.words.len() == layout.words()
    }
    #[inline]
    pub(super) fn cursor(&self, region: u16) -> u16 {
        let shift = u32::from(region % 4) * 16;
        (self.words[usize::from(region / 4)] >> shift) as u16
    }
    #[inline]
    pub(super) fn set_cursor(&mut self, region: u16, node: u16) {
        let shift = u32::from(region % 4) * 16;
        let word = &mut self.words[usize::from(region / 4)];
        *word = (*word & !(0xffff << shift)) | (u64::from(node) << shift);
    }
    pub(super) fn bit(&self, start: usize, index: u16) -> bool {
        self.words[start + usize::from(index / 64)] >> (index % 64) & 1 == 1
    }
    pub(super) fn set_bit(&mut self, start: usize, index: u16, on: bool) {
        let word = &mut self.words[start + usize::from(index / 64)];
        *word = (*word & !(1 << (index % 64))) | (u64::from(on) << (index % 64));
    }
    pub(super) fn word(&self, at: usize) -> u64 {
        self.words[at]
    }
    pub(super) fn slots(&mut self, at: usize, count: usize) -> &mut [u64] {
        &mut self.words[at..at + count]
    }
    pub(super) fn load<T: Stored>(&self, at: usize) -> T {
        T::load(&self.words[at..])
    }
    pub(super) fn store<T: Stored>(&mut self, at: usize, value: T) {
        value.store(&mut self.words[at..]);
    }
}

/// What can lie in a slot of a node's memory.
pub trait Stored: Sized {
    /// Reads it from the words of its slot.
    fn load(words: &[u64]) -> Self;
    /// Writes it to the words of its slot.
    fn store(self, words: &mut [u64]);
}

impl Stored for u64 {
    fn load(words: &[u64]) -> Self {
        words[0]
    }
    fn store(self, words: &mut [u64]) {
        words[0] = self;
    }
}
impl Stored for bool {
    fn load(words: &[u64]) -> Self {
        words[0] != 0
    }
    fn store(self, words: &mut [u64]) {
        words[0] = u64::from(self);
    }
}
impl Stored for f32 {
    fn load(words: &[u64]) -> Self {
        f32::from_bits(words[0] as u32)
    }
    fn store(self, words: &mut [u64]) {
        words[0] = u64::from(self.to_bits());
    }
}
impl Stored for Vec3 {
    fn load(words: &[u64]) -> Self {
        let part = |bits: u64| f32::from_bits(bits as u32);
        vec3(part(words[0]), part(words[0] >> 32), part(words[1]))
    }
    fn store(self, words: &mut [u64]) {
        words[0] = u64::from(self.x.to_bits()) | u64::from(self.y.to_bits()) << 32;
        words[1] = u64::from(self.z.to_bits());
    }
}
