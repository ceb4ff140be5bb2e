//! What an agent's memory of a tree holds for the tree that takes its place.

use super::compile::{NONE, Op, Tree};
use super::keep::Keep;
use super::memory::Memory;

/// For each node of `old` the same node in `new`. An id may stand several times, in a subtree that is called several
/// times: the first is the first then, the second the second.
fn twins(old: &Tree, new: &Tree) -> Vec<Option<u16>> {
    let mut taken = vec![false; new.len()];
    let mut find = |identity: u64| {
        let at = (0..new.len()).find(|at| !taken[*at] && new.meta[*at].identity == identity)?;
        taken[at] = true;
        Some(at as u16)
    };
    old.meta.iter().map(|meta| find(meta.identity)).collect()
}

/// What of a memory of `old` holds for `new`: slots of nodes that are in both, and what runs if all of it is.
/// `None` for the latter means that whatever runs must be halted in the old tree first.
pub fn carry(old: &Tree, memory: &Memory, new: &Tree) -> (Memory, bool) {
    let mut carried = new.memory();
    if !memory.fits(old.layout) {
        return (carried, true);
    }
    let twins = twins(old, new);
    let twin = |node: u16| twins[usize::from(node)];
    for node in 0..old.len() as u16 {
        let words = old.meta[usize::from(node)].slot_words;
        if let Some(at) = twin(node).filter(|at| new.meta[usize::from(*at)].slot_words == words) {
            for word in 0..words {
                let value = memory.word(old.node(node).slots as usize + word);
                carried.slots(new.node(at).slots as usize + word, 1)[0] = value;
            }
            if let (Some(bit), Some(other)) = (watch_bit(old, node), watch_bit(new, at)) {
                let on = memory.bit(old.layout.watch_start(), bit);
                carried.set_bit(new.layout.watch_start(), other, on);
            }
        }
    }
    let whole = (0..old.roots.len() as u16).all(|region| {
        let runner = memory.cursor(region);
        runner == NONE || carry_cursor(old, new, runner, &twin, &mut carried)
    });
    (carried, whole)
}

/// What nodes of `old` keep, for the same nodes of `new`; answers with what is kept for nobody any more.
pub fn carry_keeps(old: &Tree, keeps: &mut Vec<Keep>, new: &Tree) -> Vec<Keep> {
    if keeps.is_empty() {
        return Vec::new();
    }
    let twins = twins(old, new);
    let (mut kept, mut lost) = (Vec::new(), Vec::new());
    for mut keep in keeps.drain(..) {
        match twins.get(usize::from(keep.node)).copied().flatten() {
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

fn watch_bit(tree: &Tree, node: u16) -> Option<u16> {
    let bit = tree.node(node).watch;
    (bit != NONE).then_some(bit)
}

/// Lets `runner` run on in the new tree if it and all its ancestors are there, one above the other as before.
fn carry_cursor(
    old: &Tree,
    new: &Tree,
    runner: u16,
    twin: &dyn Fn(u16) -> Option<u16>,
    carried: &mut Memory,
) -> bool {
    if matches!(old.node(runner).op, Op::Fork(_)) && !same_children(old, new, runner, twin) {
        return false;
    }
    let mut node = runner;
    while node != NONE {
        let above = old.node(node).parent;
        let Some(at) = twin(node) else { return false };
        let same_above = if above == NONE {
            new.node(at).parent == NONE
        } else {
            twin(above) == Some(new.node(at).parent)
        };
        if !same_above || counts_otherwise(old, new, node, at) {
            return false;
        }
        node = above;
    }
    let Some(at) = twin(runner) else { return false };
    carried.set_cursor(new.node(at).region, at);
    true
}

/// Whether the parent of `node` remembers its children by number, and `at` has another number in the new tree.
fn counts_otherwise(old: &Tree, new: &Tree, node: u16, at: u16) -> bool {
    let above = old.node(node).parent;
    let counts = above != NONE && matches!(old.node(above).op, Op::Control(_) | Op::Fork(_));
    counts && old.node(node).ordinal != new.node(at).ordinal
}

/// Whether a fork has the same children in the same order: it remembers by number which have ended.
fn same_children(old: &Tree, new: &Tree, fork: u16, twin: &dyn Fn(u16) -> Option<u16>) -> bool {
    let Some(other) = twin(fork) else { return false };
    let (mut child, mut there) = (fork + 1, other + 1);
    while child < old.node(fork).end && there < new.node(other).end {
        if twin(child) != Some(there) {
            return false;
        }
        (child, there) = (old.node(child).end, new.node(there).end);
    }
    child == old.node(fork).end && there == new.node(other).end
}
