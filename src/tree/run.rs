//! One tick of a tree for one agent, and the only place where nodes are entered, ticked and exited.

use super::compile::{Jump, NONE, Op, Tree};
use super::cx::{Cx, Hook, Host};
use super::def::{Condition, Exit, Flow, Status, Step, Tally, Why};
use super::memory::Memory;
use super::mind::Mind;
use super::scene::{Desk, Scene};
use crate::error::{Error, ErrorKind};

/// What happens next in a region.
enum Next {
    /// This node begins, or goes on if what was running is below it.
    Enter(u16),
    /// The child of a control ended.
    Ended { control: u16, child: u16, success: bool },
    /// This node runs: the tick of the region is over, unless an ancestor objects.
    Stay(u16),
    /// The region is done.
    End(bool),
}

/// What was running when a reactive composite began to ask from its first child, and that composite.
#[derive(Clone, Copy)]
struct Pending {
    runner: u16,
    top: u16,
}

/// Runs a tree for one agent.
pub struct Runner<'a> {
    tree: &'a Tree,
    cx: Cx<'a>,
    pending: Option<Pending>,
    steps: usize,
}

impl<'a> Runner<'a> {
    /// Makes ready to run `tree` for the agent with this body index and mind.
    pub fn new(
        tree: &'a Tree,
        scene: &'a Scene,
        index: usize,
        mind: &'a mut Box<Mind>,
        desk: &'a mut Desk,
        host: Option<&'a mut (dyn Host + 'static)>,
    ) -> Self {
        if !mind.memory.fits(tree.layout) {
            mind.memory = tree.memory();
        }
        let cx = Cx { scene, mind, desk, host, index, slots: 0, tree, node: 0 };
        Self { tree, cx, pending: None, steps: 0 }
    }

    /// One tick. A tree that had ended starts afresh.
    pub fn tick(&mut self) -> Status {
        self.region(0)
    }

    /// How many nodes were visited.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Exits whatever runs, from the inside outwards.
    pub fn halt(&mut self, why: Why) {
        self.halt_region(0, why);
    }

    fn region(&mut self, region: u16) -> Status {
        let outer = self.pending.take();
        let runner = self.cx.memory().cursor(region);
        let mut next = if runner == NONE {
            Next::Enter(self.tree.roots[usize::from(region)])
        } else {
            self.go_on(region, runner)
        };
        let status = loop {
            if self.steps > 64 + 16 * self.tree.len() {
                break self.give_up(region, next);
            }
            next = match next {
                Next::Enter(node) => self.enter(node),
                Next::Ended { control, child, success } => self.child_ended(control, child, success),
                Next::Stay(node) => match self.stay(region, node) {
                    Some(next) => next,
                    None => break Status::Running,
                },
                Next::End(success) => {
                    self.cx.memory().set_cursor(region, NONE);
                    break Status::of(success);
                }
            };
        };
        self.pending = outer;
        status
    }

    /// A tick that goes round in circles ends in failure; whatever was entered is exited.
    fn give_up(&mut self, region: u16, next: Next) -> Status {
        if let Some(pending) = self.pending.take() {
            self.abort(pending.runner, NONE, Why::Budget);
        } else if let Next::Stay(node) = next {
            self.abort(node, NONE, Why::Budget);
        } else if let Next::Enter(node) | Next::Ended { control: node, .. } = next {
            let above = if matches!(next, Next::Enter(_)) { self.tree.node(node).parent } else { node };
            if above != NONE && self.tree.node(above).region == region {
                self.abort(above, NONE, Why::Budget);
            }
        }
        self.cx.memory().set_cursor(region, NONE);
        self.cx.problem(
            Error::new(ErrorKind::Budget, "the tree went round in circles within one tick")
                .hint("a node that starts its child again at once must wait for the next tick"),
        );
        Status::Failure
    }

    /// Begins a tick in which `runner` is running: a guard of higher priority may take over, and every ancestor
    /// that wants to be asked is.
    fn go_on(&mut self, region: u16, runner: u16) -> Next {
        match self.take_over(region, runner) {
            Some((branch, selector)) => {
                self.abort(runner, selector, Why::Higher);
                Next::Enter(branch)
            }
            None => self.resume(runner, 0),
        }
    }

    /// The first guard whose condition has come true and to which `runner` gives way.
    fn take_over(&mut self, region: u16, runner: u16) -> Option<(u16, u16)> {
        let tree = self.tree;
        for watch in tree.watches.iter().filter(|watch| watch.region == region) {
            let reach = watch.reach.iter().find(|(low, high, _)| (*low..*high).contains(&runner));
            if let Some((_, _, branch)) = reach {
                let before = self.was(watch.guard);
                if self.ask_guard(watch.guard) && !before {
                    return Some((*branch, tree.node(*branch).parent));
                }
            }
        }
        None
    }

    /// Goes down to `runner`, asking those ancestors in its chain that come from `from` on.
    fn resume(&mut self, runner: u16, from: usize) -> Next {
        let tree = self.tree;
        for &above in &tree.chain(runner)[from..] {
            match &tree.node(above).op {
                Op::Flow(Flow::Chain { .. }) if !tree.holds(above + 1, runner) => {
                    self.pending = Some(Pending { runner, top: above });
                    return Next::Enter(above + 1);
                }
                Op::Flow(Flow::Guard { .. }) if !self.ask_guard(above) => {
                    self.abort(runner, above, Why::Guard);
                    return self.jump(tree.node(above).failure);
                }
                Op::Control(control) => {
                    let step = control.tick(self.at(above), false);
                    if step != Step::Continue {
                        self.abort(runner, above, control.why());
                        return self.step(above, step);
                    }
                }
                _ => {}
            }
        }
        match &tree.node(runner).op {
            Op::Control(control) => {
                let step = control.tick(self.at(runner), true);
                self.step(runner, step)
            }
            Op::Fork(_) => self.tick_fork(runner),
            _ => self.tick_leaf(runner),
        }
    }

    fn enter(&mut self, node: u16) -> Next {
        self.steps += 1;
        let tree = self.tree;
        if let Some(pending) = self.pending
            && tree.holds(node, pending.runner)
        {
            self.pending = None;
            let above = tree.chain(pending.runner).iter().position(|above| *above == pending.top);
            return self.resume(pending.runner, above.map_or(0, |at| at + 1));
        }
        match &tree.node(node).op {
            Op::Flow(Flow::Guard { .. }) => {
                let open = self.ask_guard(node);
                let body = tree.first_child(node);
                if open { Next::Enter(body) } else { self.jump(tree.node(node).failure) }
            }
            Op::Flow(_) => Next::Enter(node + 1),
            Op::Condition(condition) => {
                let yes = self.check(node, condition.as_ref());
                self.ended(node, yes)
            }
            Op::Control(control) => {
                self.commit(node);
                match control.enter(self.at(node)) {
                    Step::Continue => Next::Enter(node + 1),
                    step => self.step(node, step),
                }
            }
            Op::Leaf(leaf) => {
                self.commit(node);
                leaf.enter(self.at(node));
                self.tick_leaf(node)
            }
            Op::Fork(_) => {
                self.commit(node);
                let (slots, words) = (tree.node(node).slots, tree.meta[usize::from(node)].slot_words);
                self.cx.memory().slots(usize::from(slots), words).fill(0);
                self.tick_fork(node)
            }
        }
    }

    fn tick_leaf(&mut self, node: u16) -> Next {
        let Op::Leaf(leaf) = &self.tree.node(node).op else {
            return self.ended(node, false);
        };
        match leaf.tick(self.at(node)) {
            Status::Running => Next::Stay(node),
            status => {
                let success = status == Status::Success;
                leaf.exit(self.at(node), Exit::of(success));
                self.ended(node, success)
            }
        }
    }

    /// Ticks every child that has not ended, then asks whether that is enough.
    fn tick_fork(&mut self, node: u16) -> Next {
        let tree = self.tree;
        let Op::Fork(join) = &tree.node(node).op else {
            return self.ended(node, false);
        };
        join.tick(self.at(node));
        let first = tree.node(node).fork;
        let mut tally = Tally { children: self.fork_children(node), ..Tally::default() };
        for child in 0..tally.children {
            let mut state = self.fork_state(node, child);
            if state == Status::Running {
                state = self.region(first + child as u16);
                self.set_fork_state(node, child, state);
            }
            tally.success += usize::from(state == Status::Success);
            tally.failure += usize::from(state == Status::Failure);
        }
        let decided = join.decide(tally).or_else(|| (tally.running() == 0).then_some(false));
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

    fn fork_state(&mut self, node: u16, child: usize) -> Status {
        let word = self.cx.memory().word(usize::from(self.tree.node(node).slots) + child / 32);
        match word >> (child % 32 * 2) & 3 {
            1 => Status::Success,
            2 => Status::Failure,
            _ => Status::Running,
        }
    }

    fn set_fork_state(&mut self, node: u16, child: usize, state: Status) {
        let at = usize::from(self.tree.node(node).slots) + child / 32;
        let shift = child % 32 * 2;
        let bits = match state {
            Status::Running => 0,
            Status::Success => 1,
            Status::Failure => 2,
        };
        let word = &mut self.cx.memory().slots(at, 1)[0];
        *word = (*word & !(3 << shift)) | bits << shift;
    }

    fn child_ended(&mut self, control: u16, child: u16, success: bool) -> Next {
        let Op::Control(part) = &self.tree.node(control).op else {
            return Next::End(success);
        };
        let step = part.ended(self.at(control), usize::from(child), success);
        self.step(control, step)
    }

    /// Does what a control asks for while no child of it runs.
    fn step(&mut self, control: u16, step: Step) -> Next {
        match step {
            Step::Continue => Next::Enter(control + 1),
            Step::Child(child) => Next::Enter(self.tree.child(control, child)),
            Step::Yield => Next::Stay(control),
            Step::Done(success) => {
                if let Op::Control(part) = &self.tree.node(control).op {
                    part.exit(self.at(control), Exit::of(success));
                }
                self.ended(control, success)
            }
        }
    }

    /// `node` runs: what ran before and was not chosen is aborted, and ancestors may object to more of it.
    /// Nothing further happens in this tick when `None` comes back.
    fn stay(&mut self, region: u16, node: u16) -> Option<Next> {
        if let Some(pending) = self.pending.take() {
            self.abort_pending(pending);
        }
        let tree = self.tree;
        self.cx.memory().set_cursor(region, node);
        for &above in tree.chain(node).iter().rev() {
            let Op::Control(control) = &tree.node(above).op else { continue };
            let step = control.running(self.at(above));
            if step != Step::Continue {
                self.abort(node, above, control.why());
                return Some(self.step(above, step));
            }
        }
        None
    }

    fn ended(&mut self, node: u16, success: bool) -> Next {
        let linked = self.tree.node(node);
        self.jump(if success { linked.success } else { linked.failure })
    }

    /// Follows a jump; what was running below a composite that is left by it is aborted.
    fn jump(&mut self, jump: Jump) -> Next {
        let target = match jump {
            Jump::Enter(node) => Some(node),
            Jump::Ended { control, .. } => Some(control),
            Jump::End(_) => None,
        };
        if let Some(pending) = self.pending {
            let stays = target.is_some_and(|node| node > pending.top && self.tree.holds(pending.top, node));
            if !stays {
                self.pending = None;
                self.abort_pending(pending);
            }
        }
        match jump {
            Jump::Enter(node) => Next::Enter(node),
            Jump::Ended { control, child, success } => Next::Ended { control, child, success },
            Jump::End(success) => Next::End(success),
        }
    }

    /// Before anything with an effect begins, what ran in a branch that is not chosen any more is exited; but the
    /// first action of a branch without a condition has to be tried before the choice is known.
    fn commit(&mut self, node: u16) {
        let Some(pending) = self.pending else { return };
        let bare = self.tree.node(node).bare;
        let tried = bare <= pending.top || self.tree.node(bare).parent == pending.top;
        if !tried {
            self.pending = None;
            self.abort_pending(pending);
        }
    }

    fn abort_pending(&mut self, pending: Pending) {
        let why = match self.tree.node(pending.top).op {
            Op::Flow(Flow::Chain { on: true, .. }) => Why::Guard,
            _ => Why::Higher,
        };
        self.abort(pending.runner, pending.top, why);
    }

    /// Exits `runner` and what is active above it, up to `top` and without it.
    fn abort(&mut self, runner: u16, top: u16, why: Why) {
        let tree = self.tree;
        let region = tree.node(runner).region;
        self.cx.memory().set_cursor(region, NONE);
        let mut node = runner;
        while node != top && node != NONE && tree.node(node).region == region {
            match &tree.node(node).op {
                Op::Leaf(leaf) => leaf.exit(self.at(node), Exit::Aborted(why)),
                Op::Control(control) => control.exit(self.at(node), Exit::Aborted(why)),
                Op::Fork(_) => self.halt_children(node, why),
                _ => {}
            }
            node = tree.node(node).parent;
        }
    }

    fn halt_children(&mut self, fork: u16, why: Why) {
        let first = self.tree.node(fork).fork;
        for child in 0..self.fork_children(fork) {
            self.halt_region(first + child as u16, why);
        }
    }

    fn halt_region(&mut self, region: u16, why: Why) {
        let runner = self.cx.memory().cursor(region);
        if runner != NONE {
            self.abort(runner, NONE, why);
        }
    }

    fn was(&mut self, guard: u16) -> bool {
        let (start, bit) = (self.tree.layout.watch_start(), self.tree.node(guard).watch);
        bit != NONE && self.cx.memory().bit(start, bit)
    }

    fn ask_guard(&mut self, guard: u16) -> bool {
        let open = self.ask(guard + 1);
        let (start, bit) = (self.tree.layout.watch_start(), self.tree.node(guard).watch);
        if bit != NONE {
            self.cx.memory().set_bit(start, bit, open);
        }
        open
    }

    /// The answer of a condition, or of plain flow over conditions.
    fn ask(&mut self, node: u16) -> bool {
        let tree = self.tree;
        match &tree.node(node).op {
            Op::Condition(condition) => self.check(node, condition.as_ref()),
            Op::Flow(Flow::Chain { on, .. }) => {
                let mut child = node + 1;
                while child < tree.node(node).end {
                    if self.ask(child) != *on {
                        return !*on;
                    }
                    child = tree.node(child).end;
                }
                *on
            }
            Op::Flow(Flow::Map { success, failure }) => {
                if self.ask(node + 1) {
                    *success
                } else {
                    *failure
                }
            }
            _ => false,
        }
    }

    fn check(&mut self, node: u16, condition: &dyn Condition) -> bool {
        self.steps += 1;
        let cx = self.at(node);
        match condition.function() {
            Some(function) => cx.call(function, Hook::Check) == Status::Success,
            None => condition.check(&cx.view()),
        }
    }

    fn at(&mut self, node: u16) -> &mut Cx<'a> {
        self.cx.node = node;
        self.cx.slots = usize::from(self.tree.node(node).slots);
        &mut self.cx
    }
}

/// What of a memory of `old` holds for `new`: slots of nodes that are in both, and what runs if all of it is.
/// `None` for the latter means that whatever runs must be halted in the old tree first.
pub fn carry(old: &Tree, memory: &Memory, new: &Tree) -> (Memory, bool) {
    let mut carried = new.memory();
    if !memory.fits(old.layout) {
        return (carried, true);
    }
    let twin = |node: u16| {
        let identity = old.meta[usize::from(node)].identity;
        new.meta.iter().position(|meta| meta.identity == identity).map(|at| at as u16)
    };
    for node in 0..old.len() as u16 {
        let words = old.meta[usize::from(node)].slot_words;
        if let Some(at) = twin(node).filter(|at| new.meta[usize::from(*at)].slot_words == words) {
            for word in 0..words {
                let value = memory.word(usize::from(old.node(node).slots) + word);
                carried.slots(usize::from(new.node(at).slots) + word, 1)[0] = value;
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
    let mut node = runner;
    while node != NONE {
        let above = old.node(node).parent;
        let Some(at) = twin(node) else { return false };
        let same_above = if above == NONE {
            new.node(at).parent == NONE
        } else {
            twin(above) == Some(new.node(at).parent)
        };
        if !same_above {
            return false;
        }
        node = above;
    }
    let Some(at) = twin(runner) else { return false };
    carried.set_cursor(new.node(at).region, at);
    true
}
