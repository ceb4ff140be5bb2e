//! What of a tree says where its memory lies and which node is which.
//!
//! A snapshot keeps the shapes of the trees that ran, so that the memories in it can be read, and carried into other
//! trees, when the trees themselves are gone.

use super::compile::{NONE, Op, Tree};
use super::memory::{Layout, Memory};
use serde::{Deserialize, Serialize};

/// The shape of a tree. Trees of equal shape run on from each other's memories, bit by bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    pub(super) layout: Layout,
    pub(super) nodes: Vec<Shaped>,
}

/// A node as its memory and a reload need it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Shaped {
    /// Equal for the same node before and after a change of the tree.
    pub identity: u64,
    pub parent: u16,
    /// The first node that is not below this one.
    pub end: u16,
    /// Which child of its parent, named ones not counted.
    pub ordinal: u16,
    /// The region in which it runs.
    pub region: u16,
    /// Where its slots begin in the memory, and how many words they are.
    pub slots: u32,
    pub words: u32,
    /// The bit of a guard that watches lower branches; NONE for other nodes.
    pub watch: u16,
    pub counts: Counts,
    pub path: String,
}

/// Whether a node remembers its children by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Counts {
    /// It does not.
    No,
    /// The one that runs.
    One,
    /// All of them, which run side by side.
    All,
}

impl Tree {
    /// Its shape.
    pub fn shape(&self) -> Shape {
        let shaped = self.nodes.iter().zip(&self.meta).map(|(node, meta)| Shaped {
            identity: meta.identity,
            parent: node.parent,
            end: node.end,
            ordinal: node.ordinal,
            region: node.region,
            slots: node.slots,
            words: meta.slot_words as u32,
            watch: node.watch,
            counts: match node.op {
                Op::Fork(_) => Counts::All,
                Op::Control(_) => Counts::One,
                _ => Counts::No,
            },
            path: meta.path.clone(),
        });
        Shape { layout: self.layout, nodes: shaped.collect() }
    }

    /// Clears in `memory`, of this tree, what is remembered only as long as the tree runs.
    pub fn forget_run(&self, memory: &mut Memory) {
        for node in &self.forgetful {
            let (slots, words) = (self.node(*node).slots as usize, self.meta[usize::from(*node)].slot_words);
            memory.slots(slots, words).fill(0);
        }
    }
}

impl Shape {
    #[inline]
    pub(super) fn node(&self, node: u16) -> &Shaped {
        &self.nodes[usize::from(node)]
    }

    /// Whether a memory is one of this shape; that of an agent that never thought is empty.
    pub fn fits(&self, memory: &Memory) -> bool {
        memory.words().is_empty() || memory.fits(self.layout)
    }

    /// The node that runs in each region in which one does.
    fn runners(&self, memory: &Memory) -> impl Iterator<Item = (u16, u16)> {
        let regions = if memory.fits(self.layout) { self.layout.regions as u16 } else { 0 };
        (0..regions).map(|region| (region, memory.cursor(region))).filter(|(_, node)| *node != NONE)
    }

    /// The paths of the nodes that run in `memory`, but for those that only wait for nodes beside each other.
    pub fn running(&self, memory: &Memory) -> impl Iterator<Item = &str> {
        let nodes = self.runners(memory).filter_map(|(_, node)| self.nodes.get(usize::from(node)));
        nodes.filter(|node| node.counts != Counts::All).map(|node| node.path.as_str())
    }

    /// The same memory with nothing that runs.
    #[must_use]
    pub fn stopped(&self, memory: &Memory) -> Memory {
        let mut stopped = memory.clone();
        for (region, _) in self.runners(memory) {
            stopped.set_cursor(region, NONE);
        }
        stopped
    }

    /// Whether `memory` is one of this shape in which every region runs a node of its own, or none.
    pub fn is_sound(&self, memory: &Memory) -> bool {
        let own = |(region, node): (u16, u16)| {
            self.nodes.get(usize::from(node)).is_some_and(|n| n.region == region)
        };
        self.fits(memory) && self.runners(memory).all(own)
    }

    /// How many nodes it has.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it can be the shape of a tree: nodes in preorder, and each with its memory inside of the whole.
    pub fn can_be(&self) -> bool {
        let (layout, count) = (self.layout, self.nodes.len());
        let in_range = (1..usize::from(NONE)).contains(&count)
            && (1..=count).contains(&layout.regions)
            && layout.watches <= count
            && layout.slots <= MOST_SLOTS;
        in_range && (0..count).all(|at| self.node_can_be(at))
    }

    fn node_can_be(&self, at: usize) -> bool {
        let (node, layout, count) = (&self.nodes[at], self.layout, self.nodes.len());
        let above = self.nodes.get(usize::from(node.parent));
        let below = match above {
            _ if at == 0 => node.parent == NONE && usize::from(node.end) == count,
            Some(above) => usize::from(node.parent) < at && node.end <= above.end,
            None => false,
        };
        let slots = (node.slots as usize).checked_add(node.words as usize);
        below
            && (at + 1..=count).contains(&usize::from(node.end))
            && usize::from(node.region) < layout.regions
            && (node.watch == NONE || usize::from(node.watch) < layout.watches)
            && (node.words == 0 || node.slots as usize >= layout.slot_start())
            && slots.is_some_and(|end| node.words == 0 || end <= layout.words())
    }
}

/// The most words of slots that a tree is believed to have.
const MOST_SLOTS: usize = 1 << 24;
