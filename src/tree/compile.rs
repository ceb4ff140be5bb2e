//! A built tree: nodes in preorder, with every jump worked out.

use super::def::{Condition, Control, Flow, Join, Leaf, NodeDef};
use super::memory::{Layout, Memory};
use super::spec::Spec;
use crate::args::Named;
use crate::blackboard::KeyId;
use crate::error::Place;
use std::sync::Arc;

/// No node.
pub(super) const NONE: u16 = u16::MAX;
/// Set in a cursor, beside the number of a node that is not the root of its region: all above that node runs, and the
/// node itself is to begin in the next tick. A cursor below this is a node that runs.
pub(super) const BEGINS: u16 = 1 << 15;
/// How many nodes a tree has at most: more could not be told apart from what is to begin, and from none.
pub(super) const MOST_NODES: usize = BEGINS as usize - 1;

/// What the engine does at a node.
pub(super) enum Op {
    Flow(Flow),
    Control(Box<dyn Control>),
    Fork(Box<dyn Join>),
    Condition(Box<dyn Condition>),
    Leaf(Box<dyn Leaf>),
}

/// How a node ended: with success or not, or `None` when it was passed over without being entered.
pub(super) type End = Option<bool>;

/// What happens next in a region; where the end of a node leads is known from the start. No variant holds more than
/// one number of 16 bits, so that it travels in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// This node begins, or goes on if what was running is below it.
    Enter(u16),
    /// This child of a control succeeded.
    Succeeded(u16),
    /// This child of a control failed.
    Failed(u16),
    /// This child of a control was passed over.
    Passed(u16),
    /// This node runs: the tick of the region is over, unless an ancestor objects.
    Stay(u16),
    /// The region is done, with success.
    Success,
    /// The region is done, with failure.
    Failure,
    /// The region was passed over.
    Nothing,
}

impl Next {
    /// A child of a control ended.
    fn child(child: u16, end: End) -> Self {
        match end {
            Some(true) => Self::Succeeded(child),
            Some(false) => Self::Failed(child),
            None => Self::Passed(child),
        }
    }
    /// The region ended.
    pub fn region(end: End) -> Self {
        match end {
            Some(true) => Self::Success,
            Some(false) => Self::Failure,
            None => Self::Nothing,
        }
    }
    /// The node that it is about, if the region is not done.
    pub fn node(self) -> Option<u16> {
        match self {
            Self::Enter(node) | Self::Stay(node) => Some(node),
            Self::Succeeded(node) | Self::Failed(node) | Self::Passed(node) => Some(node),
            Self::Success | Self::Failure | Self::Nothing => None,
        }
    }
}

/// A node as the engine needs it: one line of the cache.
#[repr(align(64))]
pub(super) struct Node {
    pub op: Op,
    pub parent: u16,
    /// The first node that is not below this one.
    pub end: u16,
    /// Its first child, behind the named condition if it has one.
    pub body: u16,
    /// Which child of its parent, named ones not counted.
    pub ordinal: u16,
    /// The region in which it runs.
    pub region: u16,
    /// For a fork, the region of its first child; the others follow.
    pub fork: u16,
    /// Where its slots begin in the memory.
    pub slots: u32,
    /// For a fork, so many words behind that it notes which of its children have ended.
    pub state: u16,
    /// The bit of a guard that watches lower branches; NONE for other nodes.
    pub watch: u16,
    /// The highest ancestor (or itself) of which it is the first thing that happens.
    pub bare: u16,
    pub success: Next,
    pub failure: Next,
    /// Who is asked before it is ticked again, from the outermost: from here on in `Tree::chains`.
    pub chain: u32,
    /// How many these are.
    pub asked: u16,
    /// Whether a control in its chain is told that it runs.
    pub objects: bool,
    /// Whether it is a question that a script answers.
    pub scripted: bool,
}

impl Node {
    /// The word in which a fork notes how this child stands.
    pub fn state_at(&self, child: usize) -> usize {
        self.slots as usize + usize::from(self.state) + child / 32
    }
    /// Where its end leads. A branch, not a choice between two addresses: the processor goes on to the next node before
    /// it knows the answer.
    #[inline(always)]
    pub fn leads_to(&self, success: bool) -> Next {
        if success {
            self.success
        } else {
            std::hint::cold_path();
            self.failure
        }
    }
}

/// What tools and errors need of a node.
pub(super) struct Meta {
    pub def: &'static NodeDef,
    pub path: String,
    pub place: Option<Place>,
    /// Equal for the same node before and after a reload.
    pub identity: u64,
    pub slot_words: usize,
    /// Where it leads when it is passed over.
    pub passed: Next,
}

const _: () = assert!(size_of::<Node>() == 64);

/// Who has a say in each tick before a node that runs goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// An ancestor that wants to be asked.
    Above(u16),
    /// A reactive composite, in whose first child it is not: it is asked again from there.
    Again {
        top: u16,
        /// Its child that holds the node: what runs is reached again there.
        branch: u16,
    },
    /// A guard of higher priority below `selector`: when its condition comes true, `branch` takes over.
    Lower { selector: u16, guard: u16, branch: u16 },
}

/// A guard that can abort lower branches.
struct Watch {
    guard: u16,
    /// Running nodes from the first number up to the second give way, and the third is entered.
    reach: Vec<(u16, u16, u16)>,
}

/// A key that a node was given by name.
#[derive(Clone, Copy)]
pub(super) struct KeyUse {
    pub node: u16,
    pub key: KeyId,
    pub written: bool,
}

/// The name of a message or token that a node was given.
pub(super) struct NameUse {
    pub node: u16,
    pub names: Named,
    pub name: String,
}

/// A built tree: immutable, shared by all agents that run it.
pub struct Tree {
    pub(super) name: Arc<str>,
    pub(super) spec: Spec,
    pub(super) nodes: Vec<Node>,
    pub(super) meta: Vec<Meta>,
    pub(super) chains: Vec<Asked>,
    pub(super) roots: Vec<u16>,
    /// Nodes whose memory is cleared when a branch that holds them is left, in order.
    pub(super) forgetful: Vec<u16>,
    pub(super) layout: Layout,
    /// How many words of memory an agent needs.
    pub(super) words: usize,
    /// How many visits a tick may take before it is taken to go round in circles.
    pub(super) limit: usize,
    pub(super) remember: Option<u64>,
    pub(super) keys: Vec<KeyUse>,
    pub(super) names: Vec<NameUse>,
    /// Whether any node was given a function of a script.
    pub(super) scripted: bool,
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tree({}, {} nodes)", self.name, self.nodes.len())
    }
}

impl Tree {
    /// Its name.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }
    /// Whether it asks scripts anything.
    pub(crate) fn is_scripted(&self) -> bool {
        self.scripted
    }
    /// How many nodes it has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Never: a tree has a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// What it was built from: each slot with its own child, whatever was set in its place.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }
    /// Bytes of memory per agent that runs it.
    pub fn memory_bytes(&self) -> usize {
        self.layout.words() * 8
    }
    /// The memory of an agent in which nothing runs yet.
    pub fn memory(&self) -> Memory {
        Memory::new(self.layout)
    }
    /// The longest time in ns for which a node wants targets remembered, if one says so.
    pub fn remember(&self) -> Option<u64> {
        self.remember
    }
    /// The path of a node, as in `sequence/1.wait`.
    pub fn path(&self, node: u16) -> &str {
        self.meta.get(usize::from(node)).map_or("", |meta| &meta.path)
    }
    /// The path of the node that runs (the first, if several do), or nothing while none does. After a reload that took
    /// away what ran, that is the node in which something else is to begin.
    pub fn running(&self, memory: &Memory) -> Option<&str> {
        let cursor = memory.fits(self.layout).then(|| memory.cursor(0))?;
        self.runner(cursor).map(|runner| self.path(runner))
    }
    /// The lowest node that runs where this is the cursor.
    pub(super) fn runner(&self, cursor: u16) -> Option<u16> {
        match cursor {
            NONE => None,
            BEGINS.. => Some(self.node(cursor & !BEGINS).parent),
            runner => Some(runner),
        }
    }
    /// The kinds of its nodes, one for each node.
    pub fn kinds(&self) -> impl Iterator<Item = &'static NodeDef> {
        self.meta.iter().map(|meta| meta.def)
    }
    pub(crate) fn place(&self, node: u16) -> Option<&Place> {
        self.meta.get(usize::from(node)).and_then(|meta| meta.place.as_ref())
    }
    #[inline]
    pub(super) fn node(&self, node: u16) -> &Node {
        &self.nodes[usize::from(node)]
    }
    #[inline]
    pub(super) fn chain(&self, node: u16) -> &[Asked] {
        let linked = self.node(node);
        &self.chains[linked.chain as usize..][..usize::from(linked.asked)]
    }
    /// Whether `node` is `top` or below it.
    #[inline]
    pub(super) fn holds(&self, top: u16, node: u16) -> bool {
        top <= node && node < self.node(top).end
    }
    /// The first child that is not the named condition.
    #[inline]
    pub(super) fn first_child(&self, node: u16) -> u16 {
        self.node(node).body
    }
    /// The child of that number, or the last one.
    pub(super) fn child(&self, node: u16, number: usize) -> u16 {
        let end = self.node(node).end;
        let mut child = self.first_child(node);
        for _ in 0..number {
            let next = self.node(child).end;
            if next >= end {
                break;
            }
            child = next;
        }
        child
    }

    /// Works out jumps, regions and chains of nodes that know their parents and ends.
    pub(super) fn link(&mut self) {
        for node in 0..self.nodes.len() {
            let named = self.meta[node].def.condition.is_some();
            self.nodes[node].body = if named { self.nodes[node + 1].end } else { node as u16 + 1 };
        }
        self.regions();
        let forgets = |node: &u16| matches!(&self.node(*node).op, Op::Control(control) if control.forgets());
        self.forgetful = (0..self.nodes.len() as u16).filter(forgets).collect();
        let watches = self.watches();
        self.limit = 64 + 16 * self.nodes.len();
        self.words = self.layout.words();
        for node in 0..self.nodes.len() as u16 {
            let [success, failure, passed] = [Some(true), Some(false), None].map(|end| self.leads(node, end));
            let bare = self.bare_from(node);
            let chain = self.asked(node, &watches);
            let objects = chain.iter().any(|asked| self.is_control(*asked));
            let start = self.chains.len() as u32;
            self.chains.extend(chain);
            let asked = (self.chains.len() - start as usize) as u16;
            let linked = &mut self.nodes[usize::from(node)];
            linked.scripted =
                matches!(&linked.op, Op::Condition(condition) if condition.function().is_some());
            linked.objects = objects;
            (linked.success, linked.failure) = (success, failure);
            (linked.bare, linked.chain, linked.asked) = (bare, start, asked);
            self.meta[usize::from(node)].passed = passed;
        }
    }

    fn regions(&mut self) {
        self.roots.push(0);
        for node in 0..self.nodes.len() {
            let parent = self.nodes[node].parent;
            if parent != NONE {
                let above = &self.nodes[usize::from(parent)];
                self.nodes[node].region = match above.op {
                    Op::Fork(_) => above.fork + self.nodes[node].ordinal,
                    _ => above.region,
                };
            }
            if matches!(self.nodes[node].op, Op::Fork(_)) {
                self.nodes[node].fork = self.roots.len() as u16;
                let mut child = node as u16 + 1;
                while child < self.nodes[node].end {
                    self.roots.push(child);
                    child = self.nodes[usize::from(child)].end;
                }
            }
        }
        self.layout.regions = self.roots.len();
    }

    /// Where an end of `node` leads.
    fn leads(&self, node: u16, mut end: End) -> Next {
        let mut child = node;
        loop {
            let parent = self.node(child).parent;
            if parent == NONE {
                return Next::region(end);
            }
            let next = self.node(child).end;
            match &self.node(parent).op {
                Op::Flow(Flow::Chain { on, .. }) if end.is_none_or(|success| success == *on) => {
                    if next < self.node(parent).end {
                        return Next::Enter(next);
                    }
                    end = Some(*on);
                }
                Op::Flow(Flow::Map { success: s, failure: f }) => {
                    end = end.map(|success| if success { *s } else { *f });
                }
                Op::Control(_) => {
                    return Next::child(child, end);
                }
                Op::Fork(_) => return Next::region(end),
                _ => {}
            }
            child = parent;
        }
    }

    fn bare_from(&self, node: u16) -> u16 {
        let parent = self.node(node).parent;
        if parent == NONE {
            return node;
        }
        match self.node(parent).op {
            Op::Fork(_) => self.node(parent).bare,
            Op::Flow(Flow::Skip) if node == self.first_child(parent) => self.node(parent).bare,
            // Behind a condition that holds, what it lets in is chosen, not tried.
            _ if node == parent + 1 && self.first_child(parent) == node => self.node(parent).bare,
            _ => node,
        }
    }

    /// Its ancestors in the region that want to be asked, and the guards to which it gives way, each below the
    /// selector in which it takes over: whoever is further out is heard first.
    fn asked(&self, node: u16, watches: &[Watch]) -> Vec<Asked> {
        let region = self.node(node).region;
        let mut chain = Vec::new();
        let (mut branch, mut above) = (node, self.node(node).parent);
        while above != NONE && self.node(above).region == region {
            match self.node(above).op {
                Op::Flow(Flow::Chain { reactive: true, .. }) if branch > above + 1 => {
                    chain.push(Asked::Again { top: above, branch });
                }
                Op::Flow(Flow::Chain { .. }) => {}
                _ if self.wants_asking(above) => chain.push(Asked::Above(above)),
                _ => {}
            }
            (branch, above) = (above, self.node(above).parent);
        }
        for watch in watches.iter().filter(|watch| self.node(watch.guard).region == region) {
            let reached = watch.reach.iter().find(|(low, high, _)| (*low..*high).contains(&node));
            chain.extend(reached.map(|(_, _, branch)| Asked::Lower {
                selector: self.node(*branch).parent,
                guard: watch.guard,
                branch: *branch,
            }));
        }
        chain.sort_by_key(|asked| match asked {
            Asked::Above(above) | Asked::Again { top: above, .. } => (*above, 0),
            Asked::Lower { selector, guard, .. } => (*selector, *guard),
        });
        chain
    }

    fn is_control(&self, asked: Asked) -> bool {
        matches!(asked, Asked::Above(above) if matches!(self.node(above).op, Op::Control(_)))
    }

    fn wants_asking(&self, node: u16) -> bool {
        match &self.node(node).op {
            Op::Flow(Flow::Guard { own, .. }) => *own,
            Op::Control(control) => control.asks(),
            _ => false,
        }
    }

    /// The guards that watch lower branches; each gets its bit.
    fn watches(&mut self) -> Vec<Watch> {
        let mut watches = Vec::new();
        for guard in 0..self.nodes.len() as u16 {
            if !matches!(self.node(guard).op, Op::Flow(Flow::Guard { lower: true, .. })) {
                continue;
            }
            let reach = self.reach(guard);
            if !reach.is_empty() {
                self.nodes[usize::from(guard)].watch = watches.len() as u16;
                watches.push(Watch { guard, reach });
            }
        }
        self.layout.watches = watches.len();
        watches
    }

    /// The lower branches that give way to a guard: those of every selector above it, as long as it is the first
    /// thing its branch does.
    fn reach(&self, guard: u16) -> Vec<(u16, u16, u16)> {
        let mut reach = Vec::new();
        let mut branch = guard;
        loop {
            let parent = self.node(branch).parent;
            if parent == NONE {
                return reach;
            }
            let first = branch == parent + 1;
            match &self.node(parent).op {
                Op::Flow(Flow::Chain { on: true, .. }) if first => {}
                Op::Flow(Flow::Map { success: true, failure: false }) => {}
                Op::Control(control) if control.passes() => {}
                Op::Flow(Flow::Chain { on: false, reactive }) => {
                    let (low, high) = (self.node(branch).end, self.node(parent).end);
                    if !*reactive && low < high {
                        reach.push((low, high, branch));
                    }
                }
                _ => return reach,
            }
            branch = parent;
        }
    }
}
