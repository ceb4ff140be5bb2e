//! What a running tree refuses, found out by asking its conditions once more: they have no effect.

use super::compile::{BEGINS, NONE, Op, Tree};
use super::def::Flow;
use super::history::{Evidence, What};
use super::memory::{Memory, Stored};
use super::view::View;

/// A node that runs, looked at from outside.
pub struct Glance<'a> {
    view: View<'a>,
    slots: usize,
}

impl<'a> Glance<'a> {
    /// What its agent sees.
    pub fn view(&self) -> View<'a> {
        self.view
    }
    /// What the node stored in a word of its slots.
    pub fn load<T: Stored>(&self, word: usize) -> T {
        self.view.mind.memory.load(self.slots + word)
    }
    /// How long it is until a time of the world's clock in words, as in `0.50 s more`; nothing for one that never comes.
    pub fn until(&self, at: u64) -> String {
        match at {
            u64::MAX => String::new(),
            at => format!("{:.2} s more", at.saturating_sub(self.view.now()) as f64 * 1e-9),
        }
    }
    /// A name that the world has numbered.
    pub fn name(&self, symbol: super::intent::Symbol) -> &'a str {
        self.view.scene.symbols.name(symbol)
    }
}

impl Tree {
    /// The paths of all nodes that run.
    pub fn all_running<'t>(&'t self, memory: &'t Memory) -> impl Iterator<Item = &'t str> {
        self.runners(memory).map(|runner| self.path(runner))
    }

    /// What each node that runs waits for, in words, in the order of [`Tree::all_running`], with its number.
    pub(crate) fn all_waiting(&self, view: View<'_>) -> Vec<(u16, String)> {
        let waiting = |node: u16| {
            let at = Glance { view, slots: self.node(node).slots as usize };
            match &self.node(node).op {
                Op::Leaf(leaf) => leaf.waiting(&at),
                Op::Control(control) => control.waiting(&at),
                _ => String::new(),
            }
        };
        self.runners(&view.mind.memory).map(|node| (node, waiting(node))).collect()
    }

    fn runners<'t>(&'t self, memory: &'t Memory) -> impl Iterator<Item = u16> + 't {
        let regions = if memory.fits(self.layout) { self.roots.len() as u16 } else { 0 };
        let runners = (0..regions).filter_map(|region| self.runner(memory.cursor(region)));
        runners.filter(|runner| !matches!(self.node(*runner).op, Op::Fork(_)))
    }

    /// The branches before the one that runs, in every selector above it, from the outermost: branch, the condition
    /// that refuses it, and what that one finds.
    pub(crate) fn refused(&self, view: &View<'_>) -> Vec<(u16, u16, Evidence)> {
        let memory = &view.mind.memory;
        if !memory.fits(self.layout) || memory.cursor(0) == NONE {
            return Vec::new();
        }
        let mut refused = Vec::new();
        let mut node = memory.cursor(0) & !BEGINS;
        while node != NONE {
            let above = self.node(node).parent;
            if above != NONE && matches!(self.node(above).op, Op::Flow(Flow::Chain { on: false, .. })) {
                let mut earlier = Vec::new();
                let mut child = above + 1;
                while child != node {
                    let (asked, evidence) = self.refusal(child, view).unwrap_or((child, Evidence::default()));
                    earlier.push((child, asked, evidence));
                    child = self.node(child).end;
                }
                refused.splice(0..0, earlier);
            }
            node = above;
        }
        refused
    }

    /// The first condition that a branch asks and that does not hold, with what it finds.
    fn refusal(&self, branch: u16, view: &View<'_>) -> Option<(u16, Evidence)> {
        match &self.node(branch).op {
            Op::Flow(Flow::Guard { .. }) => {
                self.no(branch + 1, view).or_else(|| self.refusal(self.first_child(branch), view))
            }
            Op::Flow(Flow::Chain { .. } | Flow::Map { .. }) => self.refusal(branch + 1, view),
            Op::Condition(_) => self.no(branch, view),
            _ => None,
        }
    }

    /// Why a condition, or plain flow over conditions, does not hold; `None` if it does.
    fn no(&self, node: u16, view: &View<'_>) -> Option<(u16, Evidence)> {
        match &self.node(node).op {
            Op::Condition(condition) if condition.function().is_some() => {
                Some((node, Evidence::of(What::Script, false)))
            }
            Op::Condition(condition) => (!condition.check(view)).then(|| (node, condition.evidence(view))),
            Op::Flow(Flow::Map { success: true, failure: false }) => self.no(node + 1, view),
            Op::Flow(Flow::Map { .. }) => Some((node + 1, self.evidence(node + 1, view))),
            Op::Flow(Flow::Chain { .. }) => {
                let mut child = node + 1;
                while child < self.node(node).end {
                    if let Some(no) = self.no(child, view) {
                        return Some(no);
                    }
                    child = self.node(child).end;
                }
                None
            }
            _ => None,
        }
    }

    fn evidence(&self, node: u16, view: &View<'_>) -> Evidence {
        match &self.node(node).op {
            Op::Condition(condition) if condition.function().is_none() => condition.evidence(view),
            _ => Evidence::default(),
        }
    }
}
