//! One tick of a tree for one agent, and the only place where nodes are entered, ticked and exited.

use super::compile::{Asked, BEGINS, End, NONE, Next, Op, Tree};
use super::cx::{Cx, Host, NOT_CARRIED};
use super::def::{Exit, Flow, Status, Step, Why};
use super::history::Happening;
use super::mind::Mind;
use super::scene::{Desk, Scene};
use super::wake::{Sleep, Wake};
use crate::error::{Error, ErrorKind};

/// What was running when a reactive composite began to ask from its first child, and that composite.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    /// As the cursor has it: it may be what is only to begin.
    pub runner: u16,
    top: u16,
    /// The child of that composite that holds the runner.
    pub branch: u16,
    /// How many in the runner's chain have been asked, that composite included.
    pub asked: u16,
}

impl Pending {
    /// Whether what begins next is on the way to the runner: composites go forwards. Looked at in place, for a copy
    /// would be read in one piece soon after it was written in several, for which a processor waits.
    #[inline]
    pub fn awaits(&self, next: Next) -> bool {
        matches!(next, Next::Enter(node) if self.top < node && node <= self.branch)
    }
}

/// Runs a tree for one agent.
pub struct Runner<'a> {
    pub(super) tree: &'a Tree,
    pub(super) cx: Cx<'a>,
    /// One at most: below a fork that is tried, nothing ran before.
    pub(super) pending: Option<Pending>,
    /// The region that is being run.
    region: u16,
}

impl<'a> Runner<'a> {
    /// Makes ready to run `tree` for the agent with this body index and mind.
    #[inline]
    pub fn new(
        tree: &'a Tree,
        scene: &'a Scene,
        index: usize,
        mind: &'a mut Box<Mind>,
        desk: &'a mut Desk,
        host: Option<&'a mut (dyn Host + 'static)>,
    ) -> Self {
        if mind.memory.words().len() != tree.words {
            mind.memory = tree.memory();
        }
        let noting = mind.history.is_some();
        let cx = Cx {
            scene,
            mind,
            desk,
            host,
            index,
            slots: 0,
            tree,
            node: 0,
            steps: 0,
            noting,
            carried: NOT_CARRIED,
            wake: Wake::NEVER,
        };
        Self { tree, cx, pending: None, region: 0 }
    }

    /// One tick. A tree that had ended starts afresh; one that is passed over as a whole succeeds.
    pub fn tick(&mut self) -> Status {
        if self.cx.noting {
            self.cx.begin_notes();
        }
        let status = self.region(0).unwrap_or(Status::Success);
        self.cx.hear();
        status
    }

    /// The sleep that its tree has earned by this tick: until an answer may be another, if it runs and nothing began or
    /// ended.
    #[inline]
    pub fn sleep(&self) -> Sleep {
        let view = self.cx.view();
        if self.cx.wake.time() <= view.now() {
            return Sleep::NONE;
        }
        Sleep::begin(self.cx.wake, self.cx.scene, view.squad_index(), self.cx.mind)
    }

    /// How many nodes were visited.
    #[inline]
    pub fn steps(&self) -> usize {
        self.cx.steps
    }

    /// Exits whatever runs, from the inside outwards.
    pub fn halt(&mut self, why: Why) {
        self.cx.mind.sleep = Sleep::NONE;
        if self.cx.noting {
            self.cx.begin_notes();
        }
        self.halt_region(0, why);
        self.forget(0);
    }

    /// Runs a region; `None` when it was passed over.
    pub(super) fn region(&mut self, region: u16) -> Option<Status> {
        let outer = std::mem::replace(&mut self.region, region);
        let runner = self.cx.memory().cursor(region);
        let next = match runner {
            ..BEGINS => self.resume(runner, 0),
            NONE => Next::Enter(self.tree.roots[usize::from(region)]),
            _ => self.begin(runner, 0),
        };
        let runs_on = next == Next::Stay(runner) && !self.tree.node(runner).objects;
        let status = if runs_on && self.pending.is_none() && self.cx.steps <= self.tree.limit {
            Some(Status::Running)
        } else {
            self.follow(region, next)
        };
        self.region = outer;
        status
    }

    /// Goes on in a region until something runs in it or it is done.
    fn follow(&mut self, region: u16, mut next: Next) -> Option<Status> {
        loop {
            if self.cx.steps > self.tree.limit {
                return Some(self.give_up(region, next));
            }
            next = match next {
                Next::Enter(node) => self.enter(node),
                Next::Succeeded(child) => self.child_ended(child, Some(true)),
                Next::Failed(child) => self.child_ended(child, Some(false)),
                Next::Passed(child) => self.child_ended(child, None),
                Next::Stay(node) => match self.stay(region, node) {
                    Some(next) => next,
                    None => return Some(Status::Running),
                },
                Next::Success => return self.region_ended(region, Some(Status::Success)),
                Next::Failure => return self.region_ended(region, Some(Status::Failure)),
                Next::Nothing => return self.region_ended(region, None),
            };
        }
    }

    fn region_ended(&mut self, region: u16, status: Option<Status>) -> Option<Status> {
        self.cx.wake = Wake::NOW;
        self.cx.memory().set_cursor(region, NONE);
        status
    }

    /// A tick that goes round in circles ends in failure; whatever was entered is exited.
    #[cold]
    fn give_up(&mut self, region: u16, next: Next) -> Status {
        if let Some(pending) = self.take_pending() {
            self.abort(pending.runner, pending.top, Why::Budget);
        }
        let active = match next {
            Next::Stay(node) => node,
            next => next.node().map_or(NONE, |node| self.tree.node(node).parent),
        };
        if active != NONE && self.tree.node(active).region == region {
            self.abort(active, NONE, Why::Budget);
        }
        self.cx.memory().set_cursor(region, NONE);
        self.cx.problem(
            Error::new(ErrorKind::Budget, "the tree went round in circles within one tick")
                .hint("a node that starts its child again at once must wait for the next tick"),
        );
        Status::Failure
    }

    /// Goes down to what runs, or to what is to begin where a reload took away what ran.
    #[inline]
    pub(super) fn go_down(&mut self, cursor: u16, from: usize) -> Next {
        if cursor < BEGINS { self.resume(cursor, from) } else { self.begin(cursor, from) }
    }

    /// Begins what is to begin, if those who have a say in it let it.
    #[cold]
    fn begin(&mut self, cursor: u16, from: usize) -> Next {
        self.ask_chain(cursor, from).unwrap_or(Next::Enter(cursor & !BEGINS))
    }

    /// Goes down to `runner`, asking whoever has a say in it, in its chain from `from` on: ancestors that want to be
    /// asked, and guards of higher priority, which may take over.
    #[inline]
    fn resume(&mut self, runner: u16, from: usize) -> Next {
        let linked = self.tree.node(runner);
        if from < usize::from(linked.asked) {
            if let Asked::Again { top, branch } = self.tree.chains[linked.chain as usize + from] {
                return self.ask_again(Pending { runner, top, branch, asked: from as u16 + 1 });
            }
            if let Some(next) = self.ask_chain(runner, from) {
                return next;
            }
        }
        self.cx.steps += 1;
        match &linked.op {
            Op::Leaf(leaf) => self.go_on(runner, linked.slots, leaf.as_ref()),
            _ => self.go_on_above(runner),
        }
    }

    /// A reactive composite begins to ask from its first child.
    #[inline]
    fn ask_again(&mut self, pending: Pending) -> Next {
        self.pending = Some(pending);
        Next::Enter(pending.top + 1)
    }

    /// Asks who has a say, from one in the chain on, until someone objects.
    fn ask_chain(&mut self, runner: u16, from: usize) -> Option<Next> {
        let tree = self.tree;
        for (before, &asked) in tree.chain(runner & !BEGINS).iter().enumerate().skip(from) {
            let objection = match asked {
                Asked::Above(above) => self.ask_above(above, runner),
                Asked::Again { top, branch } => {
                    Some(self.ask_again(Pending { runner, top, branch, asked: before as u16 + 1 }))
                }
                Asked::Lower { selector, guard, branch } => {
                    let before = self.was(guard);
                    (self.ask_guard(guard) && !before).then(|| {
                        self.abort(runner, selector, Why::Higher);
                        Next::Enter(branch)
                    })
                }
            };
            if objection.is_some() {
                return objection;
            }
        }
        None
    }

    /// Ticks what runs and is no leaf.
    fn go_on_above(&mut self, runner: u16) -> Next {
        match &self.tree.node(runner).op {
            Op::Control(control) => {
                let step = control.tick(self.at(runner), true);
                match step {
                    Step::Yield if self.cx.wake.is_now() => {}
                    Step::Yield => self.cx.wake = self.cx.wake.or(control.idle_wake(self.at(runner))),
                    _ => self.cx.wake = Wake::NOW,
                }
                if matches!(step, Step::Done(_)) {
                    self.cx.at(runner).decide(runner, |cx| control.evidence(cx));
                }
                self.step(runner, step)
            }
            Op::Fork(_) => self.tick_fork(runner),
            _ => self.ended(runner, false),
        }
    }

    /// Asks an ancestor of `runner`; `None` lets it go on.
    fn ask_above(&mut self, above: u16, runner: u16) -> Option<Next> {
        let tree = self.tree;
        match &tree.node(above).op {
            Op::Flow(Flow::Guard { .. }) if !self.ask_guard(above) => {
                self.abort(runner, above, Why::Guard);
                Some(self.jump(tree.node(above).failure))
            }
            Op::Control(control) => {
                let step = control.tick(self.at(above), false);
                if !self.cx.wake.is_now() {
                    self.cx.wake = self.cx.wake.or(control.wake(self.at(above)));
                }
                (step != Step::Continue).then(|| {
                    self.cx.at(above).decide(above, |cx| control.evidence(cx));
                    self.abort(runner, above, control.why());
                    self.step(above, step)
                })
            }
            _ => None,
        }
    }

    fn child_ended(&mut self, child: u16, end: End) -> Next {
        let (control, number) = (self.tree.node(child).parent, self.tree.node(child).ordinal);
        let Op::Control(part) = &self.tree.node(control).op else {
            return Next::region(end);
        };
        let (cx, child) = (self.at(control), usize::from(number));
        let step = match end {
            Some(success) => part.ended(cx, child, success),
            None => part.skipped(cx, child),
        };
        self.step(control, step)
    }

    /// Does what a control asks for while no child of it runs.
    pub(super) fn step(&mut self, control: u16, step: Step) -> Next {
        match step {
            Step::Continue => Next::Enter(self.tree.first_child(control)),
            Step::Child(child) => Next::Enter(self.tree.child(control, child)),
            Step::Yield => Next::Stay(control),
            Step::Done(success) => {
                if let Op::Control(part) = &self.tree.node(control).op {
                    part.exit(self.at(control), Exit::of(success));
                    self.cx.note(control, Happening::Ended(success));
                }
                self.ended(control, success)
            }
        }
    }

    /// `node` runs: what ran before and was not chosen is aborted, and ancestors may object to more of it.
    /// Nothing further happens in this tick when `None` comes back.
    fn stay(&mut self, region: u16, node: u16) -> Option<Next> {
        let before = self.cx.memory().cursor(region);
        if let Some(pending) = self.take_pending() {
            self.abort_pending(pending);
        }
        let tree = self.tree;
        if self.cx.memory().cursor(region) != node {
            self.cx.memory().set_cursor(region, node);
        }
        if before != node {
            self.look_again(before, node);
        }
        if !tree.node(node).objects {
            return None;
        }
        for &asked in tree.chain(node).iter().rev() {
            let Asked::Above(above) = asked else { continue };
            let Op::Control(control) = &tree.node(above).op else { continue };
            let step = control.running(self.at(above));
            if step != Step::Continue {
                self.cx.at(above).decide(above, |cx| control.evidence(cx));
                self.abort(node, above, control.why());
                return Some(self.step(above, step));
            }
        }
        None
    }

    /// A lower branch begins: a guard above it may not have been asked since its condition failed, and a condition
    /// that comes true later is news.
    fn look_again(&mut self, before: u16, node: u16) {
        let tree = self.tree;
        for asked in tree.chain(node) {
            let Asked::Lower { guard, .. } = *asked else { continue };
            let new = before == NONE || !tree.chain(before & !BEGINS).contains(asked);
            if new && self.was(guard) {
                self.ask_guard(guard);
            }
        }
    }

    #[inline]
    pub(super) fn ended(&mut self, node: u16, success: bool) -> Next {
        let linked = self.tree.node(node);
        self.jump(if success { linked.success } else { linked.failure })
    }

    /// Follows a jump; what was running below a composite that is left by it is aborted.
    #[inline]
    pub(super) fn jump(&mut self, jump: Next) -> Next {
        if self.pending.as_ref().is_some_and(|pending| !pending.awaits(jump)) {
            self.leave(jump);
        }
        jump
    }

    pub(super) fn leave(&mut self, jump: Next) {
        let Some(pending) = self.pending else { return };
        let target = match jump {
            Next::Succeeded(child) | Next::Failed(child) | Next::Passed(child) => {
                Some(self.tree.node(child).parent)
            }
            jump => jump.node(),
        };
        let stays = target.is_some_and(|node| node > pending.top && self.tree.holds(pending.top, node));
        if !stays && let Some(pending) = self.take_pending() {
            self.abort_pending(pending);
        }
    }

    /// Before anything with an effect begins, what ran in a branch that is not chosen any more is exited; but the
    /// first action of a branch without a condition has to be tried before the choice is known.
    #[inline]
    pub(super) fn commit(&mut self, node: u16) {
        if self.pending.is_some() {
            self.commit_over(node);
        }
    }

    fn commit_over(&mut self, node: u16) {
        let Some(pending) = self.pending else { return };
        let bare = self.tree.node(node).bare;
        let tried = bare <= pending.top || self.tree.node(bare).parent == pending.top;
        if !tried {
            self.pending = None;
            self.abort_pending(pending);
        }
    }

    /// What was running in this region and has not been reached again; below a fork that is tried, that of a region
    /// further out is left for it to settle.
    #[inline]
    fn take_pending(&mut self) -> Option<Pending> {
        let region = self.region;
        let tree = self.tree;
        self.pending.take_if(|pending| tree.node(pending.top).region == region)
    }

    fn abort_pending(&mut self, pending: Pending) {
        let why = match self.tree.node(pending.top).op {
            Op::Flow(Flow::Chain { on: true, .. }) => Why::Guard,
            _ => Why::Higher,
        };
        self.abort(pending.runner, pending.top, why);
    }

    /// Exits `runner` and what is active above it, up to `top` and without it. What is only to begin is not exited, but
    /// left.
    pub(super) fn abort(&mut self, runner: u16, top: u16, why: Why) {
        let tree = self.tree;
        let lowest = runner & !BEGINS;
        let region = tree.node(lowest).region;
        self.cx.wake = Wake::NOW;
        self.cx.memory().set_cursor(region, NONE);
        let (mut node, mut highest) =
            if runner == lowest { (runner, NONE) } else { (tree.node(lowest).parent, lowest) };
        while node != top && node != NONE && tree.node(node).region == region {
            highest = node;
            match &tree.node(node).op {
                Op::Leaf(leaf) => {
                    leaf.exit(self.at(node), Exit::Aborted(why));
                    self.cx.note(node, Happening::Aborted(why));
                }
                Op::Control(control) => {
                    control.exit(self.at(node), Exit::Aborted(why));
                    self.cx.note(node, Happening::Aborted(why));
                }
                Op::Fork(_) => self.halt_children(node, why),
                _ => {}
            }
            node = tree.node(node).parent;
        }
        if highest != NONE {
            self.forget(highest);
        }
    }

    /// A branch was left: nodes in it that remember only until then forget, whether they ran or not.
    fn forget(&mut self, branch: u16) {
        let tree = self.tree;
        let from = tree.forgetful.partition_point(|node| *node < branch);
        for &node in tree.forgetful[from..].iter().take_while(|node| **node < tree.node(branch).end) {
            let (slots, words) = (tree.node(node).slots, tree.meta[usize::from(node)].slot_words);
            self.cx.memory().slots(slots as usize, words).fill(0);
        }
    }

    pub(super) fn halt_region(&mut self, region: u16, why: Why) {
        let runner = self.cx.memory().cursor(region);
        if runner != NONE {
            self.abort(runner, NONE, why);
        }
    }

    fn was(&mut self, guard: u16) -> bool {
        let (start, bit) = (self.tree.layout.watch_start(), self.tree.node(guard).watch);
        bit != NONE && self.cx.memory().bit(start, bit)
    }

    pub(super) fn ask_guard(&mut self, guard: u16) -> bool {
        let open = self.cx.ask(guard + 1);
        let (start, bit) = (self.tree.layout.watch_start(), self.tree.node(guard).watch);
        if bit != NONE {
            self.cx.memory().set_bit(start, bit, open);
        }
        open
    }

    #[inline]
    pub(super) fn at(&mut self, node: u16) -> &mut Cx<'a> {
        self.cx.at(node)
    }
}
