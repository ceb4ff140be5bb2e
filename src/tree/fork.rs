//! Running the children of a fork side by side.

use super::compile::{Next, Op};
use super::cx::NOT_CARRIED;
use super::def::{Status, Why};
use super::run::Runner;

/// How many children of a fork stand where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Children in all, without those that were passed over.
    pub children: usize,
    /// Those that ended with success.
    pub success: usize,
    /// Those that ended with failure.
    pub failure: usize,
}

impl Tally {
    /// Those that still run.
    pub fn running(&self) -> usize {
        self.children - self.success - self.failure
    }
}

impl Runner<'_> {
    /// Ticks every child that has not ended, then asks whether that is enough.
    pub(super) fn tick_fork(&mut self, node: u16) -> Next {
        let tree = self.tree;
        let Op::Fork(join) = &tree.node(node).op else {
            return self.ended(node, false);
        };
        join.tick(self.at(node));
        let first = tree.node(node).fork;
        let mut tally = Tally::default();
        // Each child begins when the fork does; when it is done there is no saying whose left-over would go on.
        let carried = self.cx.carried;
        for child in 0..self.fork_children(node) {
            let mut state = self.fork_state(node, child);
            if state == Some(Status::Running) {
                self.cx.carried = carried;
                state = self.region(first + child as u16);
                self.set_fork_state(node, child, state);
            }
            tally.children += usize::from(state.is_some());
            tally.success += usize::from(state == Some(Status::Success));
            tally.failure += usize::from(state == Some(Status::Failure));
        }
        self.cx.carried = NOT_CARRIED;
        let nobody = tally.children == 0;
        let decided = if nobody { Some(true) } else { join.decide(tally) };
        let decided = decided.or_else(|| (tally.running() == 0).then_some(false));
        match decided {
            None => Next::Stay(node),
            Some(success) => {
                self.halt_children(node, Why::Parent);
                self.ended(node, success)
            }
        }
    }

    fn fork_children(&self, node: u16) -> usize {
        let next = self.tree.roots[usize::from(self.tree.node(node).fork)..]
            .iter()
            .take_while(|root| self.tree.node(**root).parent == node);
        next.count()
    }

    /// How a child of a fork stands; `None` when it was passed over.
    fn fork_state(&mut self, node: u16, child: usize) -> Option<Status> {
        let at = self.tree.node(node).state_at(child);
        let word = self.cx.memory().word(at);
        match word >> (child % 32 * 2) & 3 {
            0 => Some(Status::Running),
            1 => Some(Status::Success),
            2 => Some(Status::Failure),
            _ => None,
        }
    }

    fn set_fork_state(&mut self, node: u16, child: usize, state: Option<Status>) {
        let at = self.tree.node(node).state_at(child);
        let shift = child % 32 * 2;
        let bits = match state {
            Some(Status::Running) => 0,
            Some(Status::Success) => 1,
            Some(Status::Failure) => 2,
            None => 3,
        };
        let word = &mut self.cx.memory().slots(at, 1)[0];
        *word = (*word & !(3 << shift)) | bits << shift;
    }

    pub(super) fn halt_children(&mut self, fork: u16, why: Why) {
        let first = self.tree.node(fork).fork;
        for child in 0..self.fork_children(fork) {
            self.halt_region(first + child as u16, why);
        }
    }
}
