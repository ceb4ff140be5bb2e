//! What of a tree says where its memory lies and which node is which.
//!
//! A snapshot keeps the shapes of the trees that ran, so that the memories in it can be read, and carried into other
//! trees, when the trees themselves are gone.

use super::compile::{BEGINS, MOST_NODES, NONE, Op, Tree};
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

    /// Clears in `memory`, of this tree, what a node remembers, if it remembers only until its branch is left.
    pub(super) fn forget_node(&self, node: u16, memory: &mut Memory) {
        if self.forgetful.binary_search(&node).is_ok() {
            let (slots, words) = (self.node(node).slots as usize, self.meta[usize::from(node)].slot_words);
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

    /// The children of a node, its named condition before the others.
    pub(super) fn children(&self, node: u16) -> impl Iterator<Item = u16> {
        let end = self.node(node).end;
        let first = (node + 1 < end).then_some(node + 1);
        std::iter::successors(first, move |child| Some(self.node(*child).end).filter(|next| *next < end))
    }

    /// The child of that number that is not the named condition.
    pub(super) fn child(&self, node: u16, number: u16) -> Option<u16> {
        self.children(node).filter(|child| self.node(*child).ordinal == number).last()
    }

    /// How many words of a node's slots its DEF declared; those behind say how the children of a fork stand.
    pub(super) fn own_words(&self, node: u16) -> usize {
        let (words, counts) = (self.node(node).words as usize, self.node(node).counts);
        let standing = if counts == Counts::All { self.children(node).count().div_ceil(32) } else { 0 };
        words.saturating_sub(standing)
    }

    /// Where a fork notes how a child of that number stands: the word, and the lower of two bits in it.
    pub(super) fn standing(&self, fork: u16, child: u16) -> (usize, u32) {
        let from = self.node(fork).slots as usize + self.own_words(fork);
        (from + usize::from(child / 32), u32::from(child % 32) * 2)
    }

    /// The cursor of each region in which something runs or is to begin.
    pub(super) fn cursors(&self, memory: &Memory) -> impl Iterator<Item = (u16, u16)> + use<> {
        let regions = if memory.fits(self.layout) { self.layout.regions as u16 } else { 0 };
        let cursors = (0..regions).map(|region| (region, memory.cursor(region)));
        cursors.filter(|(_, cursor)| *cursor != NONE).collect::<Vec<_>>().into_iter()
    }

    /// Whether `memory` is one of this shape in which every region runs a node of its own, or none.
    pub fn is_sound(&self, memory: &Memory) -> bool {
        let in_region = |node: u16, region| self.nodes.get(usize::from(node)).filter(|n| n.region == region);
        let own = |(region, cursor): (u16, u16)| {
            let lowest = in_region(cursor & !BEGINS, region);
            let above = |node: &Shaped| cursor < BEGINS || in_region(node.parent, region).is_some();
            lowest.is_some_and(above)
        };
        self.fits(memory) && self.cursors(memory).all(own)
    }

    /// How many nodes it has.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it can be the shape of a tree: nodes in preorder, and each with its memory inside of the whole.
    pub fn can_be(&self) -> bool {
        let (layout, count) = (self.layout, self.nodes.len());
        let in_range = (1..=MOST_NODES).contains(&count)
            && (1..=count).contains(&layout.regions)
            && layout.watches <= count
            && layout.slots <= MOST_SLOTS;
        in_range
            && (0..count).all(|at| self.node_can_be(at))
            && (0..count).all(|at| self.numbers_children(at as u16))
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

    /// Whether the children of a node are numbered in order, and a fork has room to note how each of them stands.
    fn numbers_children(&self, node: u16) -> bool {
        let (mut next, mut count) = (0, 0);
        let in_order = self.children(node).all(|child| {
            let ordinal = self.node(child).ordinal;
            let fits = ordinal == next || (count == 1 && ordinal == 0);
            (next, count) = (ordinal.saturating_add(1), count + 1);
            fits
        });
        let shaped = self.node(node);
        in_order && (shaped.counts != Counts::All || shaped.words as usize >= usize::div_ceil(count, 32))
    }
}

/// The most words of slots that a tree is believed to have.
const MOST_SLOTS: usize = 1 << 24;
