//! What an agent's memory of a tree holds for the tree that takes its place.
//!
//! A node that is in both trees, below the same nodes, runs on. One that is not is exited with all that runs in it, and
//! in the next tick the node that stands in its place begins, with everything above left as it is: a sequence does not
//! begin again for a step that changed, nor a timer around it. A place is counted from the nearest child before it that
//! is still there; where it is gone, or another of the unchanged children stands in it, the node above is exited too
//! and begins in its own place. A control counts its children by number: if one that is unchanged has another number,
//! the control itself has changed. Side by side, each child is carried by itself, and so is whether it has ended.

use super::compile::{BEGINS, NONE, Tree};
use super::def::Why;
use super::keep::Keep;
use super::memory::Memory;
use super::mind::Mind;
use super::run::Runner;
use super::shape::{Counts, Shape};
use super::wake::Sleep;
use std::collections::BTreeMap;

/// What of a memory of `old` holds for `new`, and whether that is all that runs in it: if it is not, the rest is to be
/// exited in the old tree first ([`Runner::give_way`]).
pub fn carry(old: &Tree, memory: &Memory, new: &Tree) -> (Memory, bool) {
    let carrier = Carrier::new(old.shape(), new.shape());
    (carrier.carry(memory), carrier.keeps_all(memory))
}

/// Which node of one shape is which of another: found once, for the memories of all agents.
pub struct Carrier {
    old: Shape,
    new: Shape,
    /// For each node of `old` the same node in `new`.
    twins: Vec<Option<u16>>,
    /// For each node of `old` its twin, if it runs on as that.
    stays: Vec<Option<u16>>,
    idle: bool,
}

impl Carrier {
    /// From memories of `old` to memories of `new`.
    pub fn new(old: Shape, new: Shape) -> Self {
        let (twins, idle) = (twins(&old, &new), old == new);
        let mut carrier = Self { stays: Vec::with_capacity(twins.len()), old, new, twins, idle };
        for node in 0..carrier.twins.len() as u16 {
            let there = carrier.twin(node).filter(|there| carrier.runs_on(node, *there));
            carrier.stays.push(there);
        }
        carrier
    }

    /// Whether both are the same: a memory of one is one of the other.
    pub fn is_idle(&self) -> bool {
        self.idle
    }

    /// Whether all that runs in `memory` runs on.
    pub fn keeps_all(&self, memory: &Memory) -> bool {
        self.old.cursors(memory).all(|(_, cursor)| self.rest(cursor) == cursor)
    }

    /// Of a memory that holds what has been exited for none that runs on: what of it holds for the new tree.
    pub fn carry(&self, memory: &Memory) -> Memory {
        let mut carried = Memory::new(self.new.layout);
        if !memory.fits(self.old.layout) {
            return carried;
        }
        for node in 0..self.twins.len() as u16 {
            if let Some(there) = self.twin(node) {
                self.carry_slots(node, there, memory, &mut carried);
            }
        }
        for (_, cursor) in self.old.cursors(memory) {
            if let Some(there) = self.cursor(self.rest(cursor)) {
                carried.set_cursor(self.new.node(there & !BEGINS).region, there);
            }
        }
        carried
    }

    /// What nodes keep, for the same nodes of the new shape; answers with what is kept for nobody any more.
    pub fn carry_keeps(&self, keeps: &mut Vec<Keep>) -> Vec<Keep> {
        let (mut kept, mut lost) = (Vec::new(), Vec::new());
        for mut keep in keeps.drain(..) {
            match self.stays.get(usize::from(keep.node)).copied().flatten() {
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

    /// As [`Carrier::carry`], for a mind that ran the old tree when its code is not there any more: what does not run on,
    /// or with `all` whatever runs, is let go of as if it had been exited. Answers with the paths of what ran there.
    pub fn restore(&self, mind: &mut Mind, tree: &Tree, all: bool) -> Vec<&str> {
        let branches = if all { vec![0] } else { self.left(&mind.memory) };
        let is_left = |node: u16| branches.iter().any(|top| (*top..self.old.node(*top).end).contains(&node));
        let runners = self.old.cursors(&mind.memory).map(|(_, cursor)| self.lowest(cursor));
        let told = runners.filter(|node| is_left(*node) && self.old.node(*node).counts != Counts::All);
        let paths = told.map(|node| &*self.old.node(node).path).collect();
        mind.keeps.retain(|keep| !is_left(keep.node));
        self.carry_keeps(&mut mind.keeps);
        for (region, cursor) in self.old.cursors(&mind.memory) {
            mind.memory.set_cursor(region, if all { NONE } else { self.rest(cursor) });
        }
        mind.memory = self.carry(&mind.memory);
        let left = (0..self.twins.len() as u16).filter(|node| is_left(*node));
        left.filter_map(|node| self.twin(node)).for_each(|node| tree.forget_node(node, &mut mind.memory));
        paths
    }

    /// The branches of the old tree that are left because what runs in them does not run on.
    fn left(&self, memory: &Memory) -> Vec<u16> {
        let lost = self.old.cursors(memory).filter(|(_, cursor)| self.rest(*cursor) != *cursor);
        let top = |(region, cursor): (u16, u16)| match self.rest(cursor) {
            NONE => self.root_of(cursor & !BEGINS, region),
            rest => rest & !BEGINS,
        };
        lost.map(top).collect()
    }

    fn root_of(&self, mut node: u16, region: u16) -> u16 {
        while self.above(node) != NONE && self.old.node(self.above(node)).region == region {
            node = self.above(node);
        }
        node
    }

    /// The lowest node that runs where this is the cursor.
    fn lowest(&self, cursor: u16) -> u16 {
        if cursor < BEGINS { cursor } else { self.above(cursor & !BEGINS) }
    }

    fn twin(&self, node: u16) -> Option<u16> {
        self.twins[usize::from(node)]
    }

    fn stays(&self, node: u16) -> Option<u16> {
        self.stays[usize::from(node)]
    }

    fn above(&self, node: u16) -> u16 {
        self.old.node(node).parent
    }

    /// Whether `node` is `there` in the new tree, below nodes that run on, and remembers the same things.
    fn runs_on(&self, node: u16, there: u16) -> bool {
        let (one, other) = (self.old.node(node), self.new.node(there));
        let same_above = match one.parent {
            NONE => other.parent == NONE,
            above => self.stays(above) == Some(other.parent),
        };
        same_above
            && one.counts == other.counts
            && self.old.own_words(node) == self.new.own_words(there)
            && !(one.counts == Counts::One && self.renumbers(node, there))
    }

    /// Whether an unchanged child of a control has another number in the new tree.
    fn renumbers(&self, control: u16, there: u16) -> bool {
        self.old.children(control).any(|child| {
            let at = self.twin(child).map(|at| self.new.node(at));
            at.is_some_and(|at| at.parent == there && at.ordinal != self.old.node(child).ordinal)
        })
    }

    /// What is left of a cursor when what does not run on has been exited.
    fn rest(&self, cursor: u16) -> u16 {
        if cursor == NONE || (cursor < BEGINS && self.stays(cursor).is_some()) {
            return cursor;
        }
        let mut node = cursor & !BEGINS;
        loop {
            let above = self.above(node);
            if above == NONE || self.old.node(above).region != self.old.node(node).region {
                return NONE;
            }
            if self.place(node).is_some() {
                return node | BEGINS;
            }
            node = above;
        }
    }

    /// What a cursor that is left is in the new tree.
    fn cursor(&self, rest: u16) -> Option<u16> {
        match rest {
            NONE => None,
            BEGINS.. => self.place(rest & !BEGINS).map(|there| there | BEGINS),
            runner => self.stays(runner),
        }
    }

    /// The node of the new tree that stands where `node` stood, if what is above it runs on.
    fn place(&self, node: u16) -> Option<u16> {
        let above = self.above(node);
        let there = self.stays(above)?;
        if let Some(same) = self.stays(node) {
            return Some(same);
        }
        let number = self.old.node(node).ordinal;
        let before = self.old.children(above).take_while(|child| *child < node);
        let nearest = before.filter_map(|child| Some((child, self.stays(child)?))).last();
        let number = nearest.map_or(number, |(child, at)| {
            let behind = number.saturating_sub(self.old.node(child).ordinal);
            self.new.node(at).ordinal.saturating_add(behind)
        });
        let place = self.new.child(there, number)?;
        let taken = self.old.children(above).any(|child| self.stays(child) == Some(place));
        (!taken).then_some(place)
    }

    fn carry_slots(&self, node: u16, there: u16, memory: &Memory, carried: &mut Memory) {
        let (old, new) = (&self.old, &self.new);
        let (one, other, words) = (old.node(node), new.node(there), old.own_words(node));
        if new.own_words(there) != words {
            return;
        }
        for word in 0..words {
            let value = memory.word(one.slots as usize + word);
            carried.slots(other.slots as usize + word, 1)[0] = value;
        }
        if one.watch != NONE && other.watch != NONE {
            let on = memory.bit(old.layout.watch_start(), one.watch);
            carried.set_bit(new.layout.watch_start(), other.watch, on);
        }
        if self.stays(node).is_some() && one.counts == Counts::All {
            self.carry_standings(node, there, memory, carried);
        }
    }

    /// Who of the children of a fork has ended, and how; what is new or has changed begins.
    fn carry_standings(&self, fork: u16, there: u16, memory: &Memory, carried: &mut Memory) {
        for child in self.old.children(fork) {
            let Some(at) = self.stays(child) else { continue };
            let (word, shift) = self.old.standing(fork, self.old.node(child).ordinal);
            let standing = memory.word(word) >> shift & 3;
            let (word, shift) = self.new.standing(there, self.new.node(at).ordinal);
            carried.slots(word, 1)[0] |= standing << shift;
        }
    }
}

impl Runner<'_> {
    /// Exits, from the inside outwards, what does not run on in the tree that takes the place of this one.
    pub fn give_way(&mut self, carrier: &Carrier) {
        self.cx.mind.sleep = Sleep::NONE;
        if self.cx.noting {
            self.cx.begin_notes();
        }
        for region in 0..self.tree.roots.len() as u16 {
            let cursor = self.cx.memory().cursor(region);
            let rest = carrier.rest(cursor);
            if rest != cursor {
                let top = if rest == NONE { NONE } else { self.tree.node(rest & !BEGINS).parent };
                self.abort(cursor, top, Why::Swapped);
                self.cx.memory().set_cursor(region, rest);
            }
        }
    }
}

/// For each node of `old` the same node in `new`. An id may stand several times, in a subtree that is called several
/// times: the first is the first then, the second the second.
fn twins(old: &Shape, new: &Shape) -> Vec<Option<u16>> {
    let mut found = BTreeMap::<u64, Vec<u16>>::new();
    for (at, node) in new.nodes.iter().enumerate().rev() {
        found.entry(node.identity).or_default().push(at as u16);
    }
    old.nodes.iter().map(|node| found.get_mut(&node.identity).and_then(Vec::pop)).collect()
}
