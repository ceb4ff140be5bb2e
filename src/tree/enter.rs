//! Where nodes begin: the part of a tick that most of its time goes to.

use super::compile::{Next, Op};
use super::def::{Flow, Leaf, Status, Step};
use super::history::Happening;
use super::run::Runner;
use super::wake::Wake;

impl Runner<'_> {
    /// Begins a node and whatever its end leads to at once, up to what runs or is for a control to decide.
    #[inline]
    pub(super) fn enter(&mut self, node: u16) -> Next {
        if self.pending.is_some() || self.cx.noting {
            self.enter_on::<true>(node)
        } else {
            self.enter_on::<false>(node)
        }
    }

    /// The same, once for ticks in which something is `special`, a runner pending or a history noted, and once for
    /// all others.
    #[inline(never)]
    fn enter_on<const SPECIAL: bool>(&mut self, mut node: u16) -> Next {
        let tree = self.tree;
        while self.cx.steps <= tree.limit {
            self.cx.steps += 1;
            let linked = tree.node(node);
            if SPECIAL
                && let Some(pending) = &self.pending
                && pending.branch == node
            {
                let (runner, asked) = (pending.runner, usize::from(pending.asked));
                self.pending = None;
                match self.go_down(runner, asked) {
                    Next::Enter(next) => node = next,
                    next => return next,
                }
                continue;
            }
            let success = match &linked.op {
                Op::Leaf(leaf) => {
                    self.cx.wake = Wake::NOW;
                    if SPECIAL {
                        self.commit(node);
                        self.cx.note(node, Happening::Entered);
                    }
                    (self.cx.node, self.cx.slots) = (node, linked.slots as usize);
                    let status = leaf.start(&mut self.cx);
                    if status == Status::Running {
                        return Next::Stay(node);
                    }
                    if SPECIAL {
                        self.cx.note_end(node, status == Status::Success);
                    }
                    status == Status::Success
                }
                Op::Condition(condition) => self.cx.check(node, linked.scripted, condition.as_ref()),
                Op::Flow(Flow::Chain { .. } | Flow::Map { .. }) => {
                    node += 1;
                    continue;
                }
                _ => return self.enter_more(node),
            };
            let next = linked.leads_to(success);
            if SPECIAL && self.pending.as_ref().is_some_and(|pending| !pending.awaits(next)) {
                self.leave(next);
            }
            match next {
                Next::Enter(next) => node = next,
                next => return next,
            }
        }
        Next::Enter(node)
    }

    /// Begins a node whose beginning is not the same each time.
    fn enter_more(&mut self, node: u16) -> Next {
        let tree = self.tree;
        match &tree.node(node).op {
            Op::Flow(Flow::Guard { .. }) => {
                let open = self.ask_guard(node);
                if open { Next::Enter(tree.first_child(node)) } else { self.ended(node, false) }
            }
            Op::Flow(_) => {
                let over = self.cx.ask(node + 1);
                if over {
                    self.jump(tree.meta[usize::from(node)].passed)
                } else {
                    Next::Enter(tree.first_child(node))
                }
            }
            Op::Control(control) => {
                self.cx.wake = Wake::NOW;
                self.commit(node);
                match control.enter(self.at(node)) {
                    Step::Continue => Next::Enter(tree.first_child(node)),
                    step => self.step(node, step),
                }
            }
            _ => {
                self.cx.wake = Wake::NOW;
                self.commit(node);
                let (slots, words) = (tree.node(node).slots, tree.meta[usize::from(node)].slot_words);
                self.cx.memory().slots(slots as usize, words).fill(0);
                self.tick_fork(node)
            }
        }
    }

    /// Ticks a leaf that runs.
    #[inline]
    pub(super) fn go_on(&mut self, node: u16, slots: u32, leaf: &dyn Leaf) -> Next {
        (self.cx.node, self.cx.slots) = (node, slots as usize);
        let status = leaf.go_on(&mut self.cx);
        if status == Status::Running {
            return Next::Stay(node);
        }
        self.cx.wake = Wake::NOW;
        let success = status == Status::Success;
        self.cx.note_end(node, success);
        self.ended(node, success)
    }
}
