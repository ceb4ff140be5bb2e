//! What an agent's memory of a tree holds for the tree that takes its place.

use super::compile::{NONE, Tree};
use super::keep::Keep;
use super::memory::Memory;
use super::shape::{Counts, Shape};

/// What of a memory of `old` holds for `new`: slots of nodes that are in both, and what runs if all of it is.
/// `None` for the latter means that whatever runs must be halted in the old tree first.
pub fn carry(old: &Tree, memory: &Memory, new: &Tree) -> (Memory, bool) {
    Carrier::new(old.shape(), new.shape()).carry(memory)
}

/// Which node of one shape is which of another: found once, for the memories of all agents.
pub struct Carrier {
    old: Shape,
    new: Shape,
    /// For each node of `old` the same node in `new`.
    twins: Vec<Option<u16>>,
    idle: bool,
}

impl Carrier {
    /// From memories of `old` to memories of `new`.
    pub fn new(old: Shape, new: Shape) -> Self {
        let (twins, idle) = (twins(&old, &new), old == new);
        Self { old, new, twins, idle }
    }

    /// The shape of the memories that are carried.
    pub fn old(&self) -> &Shape {
        &self.old
    }

    /// Whether both are the same: a memory of one is one of the other.
    pub fn is_idle(&self) -> bool {
        self.idle
    }

    fn twin(&self, node: u16) -> Option<u16> {
        self.twins[usize::from(node)]
    }

    /// As [`carry`].
    pub fn carry(&self, memory: &Memory) -> (Memory, bool) {
        let (old, new) = (&self.old, &self.new);
        let mut carried = Memory::new(new.layout);
        if !memory.fits(old.layout) {
            return (carried, true);
        }
        for (node, at) in old.nodes.iter().zip(&self.twins) {
            let Some(there) = at.map(|at| new.node(at)).filter(|there| there.words == node.words) else {
                continue;
            };
            for word in 0..node.words as usize {
                let value = memory.word(node.slots as usize + word);
                carried.slots(there.slots as usize + word, 1)[0] = value;
            }
            if node.watch != NONE && there.watch != NONE {
                let on = memory.bit(old.layout.watch_start(), node.watch);
                carried.set_bit(new.layout.watch_start(), there.watch, on);
            }
        }
        let whole = (0..old.layout.regions as u16).all(|region| {
            let runner = memory.cursor(region);
            runner == NONE || self.carry_cursor(runner, &mut carried)
        });
        (carried, whole)
    }

    /// What nodes keep, for the same nodes of the new shape; answers with what is kept for nobody any more.
    pub fn carry_keeps(&self, keeps: &mut Vec<Keep>) -> Vec<Keep> {
        let (mut kept, mut lost) = (Vec::new(), Vec::new());
        for mut keep in keeps.drain(..) {
            match self.twins.get(usize::from(keep.node)).copied().flatten() {
                Some(node) => {
                    keep.node = node;
                    kept.push(keep);
                }
                None => lost.push(keep),
            }
        }
        kept.sort_by_key(|keep| keep.node);
        *keeps = kept;
        lost
    }

    /// Lets `runner` run on in the new tree if it and all its ancestors are there, one above the other as before.
    fn carry_cursor(&self, runner: u16, carried: &mut Memory) -> bool {
        let (old, new) = (&self.old, &self.new);
        if old.node(runner).counts == Counts::All && !self.same_children(runner) {
            return false;
        }
        let mut node = runner;
        while node != NONE {
            let above = old.node(node).parent;
            let Some(at) = self.twin(node) else { return false };
            let same_above = if above == NONE {
                new.node(at).parent == NONE
            } else {
                self.twin(above) == Some(new.node(at).parent)
            };
            if !same_above || self.counts_otherwise(node, at) {
                return false;
            }
            node = above;
        }
        let Some(at) = self.twin(runner) else { return false };
        carried.set_cursor(new.node(at).region, at);
        true
    }

    /// Whether the parent of `node` remembers its children by number, and `at` has another number in the new tree.
    fn counts_otherwise(&self, node: u16, at: u16) -> bool {
        let above = self.old.node(node).parent;
        let counts = above != NONE && self.old.node(above).counts != Counts::No;
        counts && self.old.node(node).ordinal != self.new.node(at).ordinal
    }

    /// Whether a fork has the same children in the same order: it remembers by number which have ended.
    fn same_children(&self, fork: u16) -> bool {
        let (old, new) = (&self.old, &self.new);
        let Some(other) = self.twin(fork) else { return false };
        let (mut child, mut there) = (fork + 1, other + 1);
        while child < old.node(fork).end && there < new.node(other).end {
            if self.twin(child) != Some(there) {
                return false;
            }
            (child, there) = (old.node(child).end, new.node(there).end);
        }
        child == old.node(fork).end && there == new.node(other).end
    }
}

/// For each node of `old` the same node in `new`. An id may stand several times, in a subtree that is called several
/// times: the first is the first then, the second the second.
fn twins(old: &Shape, new: &Shape) -> Vec<Option<u16>> {
    let mut taken = vec![false; new.nodes.len()];
    let mut find = |identity: u64| {
        let at = (0..new.nodes.len()).find(|at| !taken[*at] && new.nodes[*at].identity == identity)?;
        taken[at] = true;
        Some(at as u16)
    };
    old.nodes.iter().map(|node| find(node.identity)).collect()
}
