//! What a running tree refuses, found out by asking its conditions once more: they have no effect.

use super::compile::{BEGINS, NONE, Op, Tree};
use super::def::Flow;
use super::history::{Evidence, What};
use super::memory::Memory;
use super::view::View;

impl Tree {
    /// The paths of all nodes that run.
    pub fn all_running<'t>(&'t self, memory: &'t Memory) -> impl Iterator<Item = &'t str> {
        let regions = if memory.fits(self.layout) { self.roots.len() as u16 } else { 0 };
        let runners = (0..regions).filter_map(|region| self.runner(memory.cursor(region)));
        let leaves = runners.filter(|runner| !matches!(self.node(*runner).op, Op::Fork(_)));
        leaves.map(|runner| self.path(runner))
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
