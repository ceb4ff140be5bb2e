//! What a node can see ([`View`]) and do ([`Cx`]) for the agent that thinks.

use super::compile::Op;
use super::def::{Condition, Exit, Flow, Status};
use super::history::{Evidence, Happening, What};
use super::intent::{Aim, Anchor, Intent, Look, Rule, Symbol};
use super::memory::{Memory, Stored};
use super::mind::Mind;
use super::pen::Pen;
use super::scene::{Call, Desk, Message, Scene};
use super::view::View;
use super::wake::Wake;
use crate::args::Function;
use crate::blackboard::{Change, Key, KeyId, Typed, Value};
use crate::entity::Entity;
use crate::error::{Error, ErrorKind, Problem, Result};
use crate::math::Vec3;
use crate::query::Query;
use crate::rng::Dice;
use crate::sense::Report;
use crate::squad::Leases;
use std::sync::Arc;

/// No time is carried.
pub(super) const NOT_CARRIED: u64 = u64::MAX;

/// When a function of a script is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// A leaf is ticked, or a service runs: answers with a status.
    Tick,
    /// A condition is asked.
    Check,
    /// A coroutine goes on, or begins. While it runs, its host stores in the node's first slot until when it need not be
    /// called, in ns of the world's clock.
    Resume,
    /// A leaf or service begins.
    Enter,
    /// A leaf ends for this reason.
    Exit(Exit),
}

/// Whoever runs the functions of scripts.
pub trait Host {
    /// The scene of this tick's thought begins; the host may keep it until [`Host::end`].
    fn begin(&mut self, scene: &Arc<Scene>) {
        let _ = scene;
    }
    /// The thought of this tick is over; the host lets go of the scene.
    fn end(&mut self) {}
    /// Calls `function` for the agent of `cx`. What a hook without answer returns does not matter.
    ///
    /// # Errors
    /// Whatever the script did wrong, with its place.
    fn call(&mut self, function: &Function, hook: Hook, cx: &mut Cx<'_>) -> Result<Status>;
    /// Lets go of the thread and the tables that it has under this number, if any; see [`super::Keep::stay`].
    fn forget(&mut self, stay: u64) {
        let _ = stay;
    }
}

impl Host for Box<dyn Host + Send> {
    fn begin(&mut self, scene: &Arc<Scene>) {
        (**self).begin(scene);
    }
    fn end(&mut self) {
        (**self).end();
    }
    fn call(&mut self, function: &Function, hook: Hook, cx: &mut Cx<'_>) -> Result<Status> {
        (**self).call(function, hook, cx)
    }
    fn forget(&mut self, stay: u64) {
        (**self).forget(stay);
    }
}

/// What a node does for the agent that thinks: everything of [`View`], and what it can write.
pub struct Cx<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) mind: &'a mut Box<Mind>,
    pub(crate) desk: &'a mut Desk,
    pub(crate) host: Option<&'a mut (dyn Host + 'static)>,
    pub(crate) index: usize,
    pub(super) slots: usize,
    pub(super) tree: &'a super::Tree,
    pub(super) node: u16,
    /// Nodes visited in this tick.
    pub(super) steps: usize,
    /// Whether history is noted.
    pub(super) noting: bool,
    /// When a time was up whose left-over this tick passes on, ns; `u64::MAX` for none.
    pub(super) carried: u64,
    /// What all answers of this tick depend on, as far as nothing began or ended.
    pub(super) wake: Wake,
}

impl<'a> Cx<'a> {
    /// What it can see.
    #[inline]
    pub fn view(&self) -> View<'_> {
        View { scene: self.scene, mind: self.mind, desk: self.desk, index: self.index }
    }
    pub(super) fn pen(&mut self) -> Pen<'_> {
        Pen { scene: self.scene, mind: self.mind, desk: self.desk, index: self.index }
    }
    /// What the agent wants, to be changed.
    pub fn intent(&mut self) -> &mut Intent {
        &mut self.mind.intent
    }
    /// The tokens of its squad.
    pub fn leases(&mut self) -> &mut Leases {
        &mut self.desk.leases
    }
    /// Its dice.
    pub fn dice(&mut self) -> &mut Dice {
        &mut self.mind.dice
    }
    /// Reads the node's memory at a word; a vec3 takes two.
    #[inline]
    pub fn load<T: Stored>(&self, word: usize) -> T {
        self.mind.memory.load(self.slots + word)
    }
    /// Writes the node's memory at a word.
    #[inline]
    pub fn store<T: Stored>(&mut self, word: usize, value: T) {
        self.mind.memory.store(self.slots + word, value);
    }
    /// From when a time counts that begins now, ns of the world's clock: this tick's, or earlier, by what a time before
    /// it in this tick has left over. Whoever asks takes that: the next one counts from the tick.
    pub fn begin_time(&mut self) -> u64 {
        let carried = std::mem::replace(&mut self.carried, NOT_CARRIED);
        carried.min(self.view().now())
    }
    /// A time was up at `ended_at`, ns of the world's clock: the next time that this tick begins counts from then.
    pub fn carry_time(&mut self, ended_at: u64) {
        self.carried = ended_at;
    }
    /// Remembers how far the agent is on its route.
    pub fn set_route_cursor(&mut self, cursor: crate::steer::PathCursor) {
        self.mind.route = cursor;
    }

    /// Changes a key: on the agent's own board at once, on a shared one after the last agent has thought.
    ///
    /// # Errors
    /// A value of another type, or a key of a team for a squad without one; the old value stays.
    pub fn change(&mut self, key: KeyId, change: Change) -> Result<()> {
        self.pen().change(key, change)
    }

    /// Changes a key; a change that is refused is a problem and a failure.
    pub fn write(&mut self, key: KeyId, change: Change) -> Status {
        match self.change(key, change) {
            Ok(()) => Status::Success,
            Err(error) => {
                self.problem(error);
                Status::Failure
            }
        }
    }

    /// Writes a key of type `T`.
    ///
    /// # Errors
    /// As [`Cx::change`].
    pub fn set<T: Typed>(&mut self, key: Key<T>, value: T) -> Result<()> {
        self.change(key.id(), Change::Set(value.write()))
    }

    /// Follows a steering rule in this tick; one too many is left out with a problem.
    pub fn follow(&mut self, rule: Rule) {
        if !self.mind.intent.follow(rule) {
            self.problem(Error::new(
                crate::error::ErrorKind::TooMany,
                format!("more than {} steering rules at once", super::intent::MAX_RULES),
            ));
        }
    }

    /// The best place that a query finds with what the agent knows; `given` are the places that it means by number.
    pub fn find_place(&mut self, query: &Query, given: &[Aim]) -> Option<Vec3> {
        let mut found = std::mem::take(&mut self.desk.found);
        self.view().asking(given, |asker| query.ask(asker, 1, &mut found));
        let best = found.points().first().copied();
        self.desk.found = found;
        best
    }

    /// Says where the agent wants to get to and what it looks at.
    pub fn head_for(&mut self, goal: Vec3, look: Look) {
        self.mind.intent.goal = Some(goal);
        self.mind.intent.look = look;
    }

    /// Tells the squad of a target, as news from outside; it counts from the next tick on.
    pub fn tell(&mut self, report: Report) {
        self.desk.news.push(report);
    }

    /// Calls out to friendly squads with a member within `radius` metres, less through walls: they hear it as news from
    /// outside, as old as it is. The squad itself knows already.
    pub fn call_out(&mut self, radius: f32, report: Report) {
        let (agent, at) = (self.view().agent(), self.view().position());
        self.desk.calls.push(Call { agent, at, radius, report });
    }

    /// Lets the squad be after this body as long as anything is known of it; `None` to go by scores again.
    pub fn prefer_target(&mut self, target: Option<Entity>) {
        self.desk.prefers.push(target);
    }

    /// Asks something of the game, and does not wait for an answer.
    pub fn command(&mut self, name: std::sync::Arc<str>, target: Entity) {
        self.pen().command(name, target, false);
    }

    /// Sends a message to the squad, which its members, this agent included, hear in their next thought and in no other.
    pub fn send(&mut self, name: Symbol) {
        let from = self.view().agent();
        self.desk.messages.push(Message { from, name });
    }

    /// Says a line to whoever listens; beyond 1,000 bytes it is cut off.
    pub fn say(&mut self, line: String) {
        self.pen().say(line);
    }

    /// Reports what went wrong, with the node and its path; in a history it is what decided.
    pub fn problem(&mut self, error: Error) {
        let print = self.report(error);
        self.decide(self.node, |_| Evidence::of(What::Error(print), Value::Nothing));
    }

    /// Reports what went wrong, which decides nothing, and what tells it from others.
    fn report(&mut self, error: Error) -> u64 {
        let agent = Some(self.view().agent());
        let error = error.at_option(self.tree.place(self.node)).on_path(self.tree.path(self.node));
        let print = error.print();
        self.desk.problems.push(Problem { agent, error, times: 1, tick: 0 });
        print
    }

    /// Calls a function of a script; an error is a problem and a failure.
    pub fn call(&mut self, function: &Function, hook: Hook) -> Status {
        self.answer(function, hook).unwrap_or(Status::Failure)
    }

    /// The answer of a function of a script; after an error there is none.
    fn answer(&mut self, function: &Function, hook: Hook) -> Option<Status> {
        if self.is_left_out(hook) {
            return None;
        }
        let Some(host) = self.host.take() else { return Some(Status::Failure) };
        let answer = host.call(function, hook, self);
        self.host = Some(host);
        if !self.mind.mutes.is_empty() || answer.is_err() {
            self.count_answer(hook, answer.as_ref().err());
        }
        match (answer, hook) {
            (Ok(status), hook) => {
                if matches!(hook, Hook::Tick | Hook::Resume) && status != Status::Running {
                    self.because(|_| Evidence::of(What::Script, status == Status::Success));
                }
                return Some(status);
            }
            (Err(error), Hook::Tick | Hook::Resume | Hook::Check) => self.problem(error),
            // An enter or exit that goes wrong does not change how its node ends, and is not the reason.
            (Err(error), _) => _ = self.report(error),
        }
        None
    }

    /// Whether a call is left out, for its function erred too often in a row; see [`super::Mute`].
    fn is_left_out(&mut self, hook: Hook) -> bool {
        if self.mind.mutes.is_empty() {
            return false;
        }
        let now = self.view().now();
        let Some(print) = self.mind.skip_muted(self.node, hook, now) else { return false };
        if matches!(hook, Hook::Tick | Hook::Resume | Hook::Check) {
            self.decide(self.node, |_| Evidence::of(What::Error(print), Value::Nothing));
        }
        true
    }

    /// Counts faults in a row, and tells when there were too many.
    #[cold]
    fn count_answer(&mut self, hook: Hook, fault: Option<&Error>) {
        let (node, now) = (self.node, self.view().now());
        let Some(fault) = fault else { return self.mind.unmute(node, hook) };
        // What others have used up is no fault of this one.
        if fault.kind() == ErrorKind::TickBudget || !self.mind.count_fault(node, hook, now) {
            return;
        }
        let message = format!("muted after {} faults in a row", super::Mute::FAULTS);
        let told = Error::new(ErrorKind::Warning, message)
            .hint("called again after 1 s, then 2 s, 4 s, up to 30 s; at once when it is reloaded")
            .at_option(fault.place());
        let print = self.report(told);
        self.mind.note_mute(node, hook, print);
    }

    /// The number of the node.
    #[cfg(feature = "lua")]
    pub(crate) fn node(&self) -> u16 {
        self.node
    }

    /// Whether the host has a thread or tables for the node.
    pub fn is_kept_by_host(&self) -> bool {
        self.mind.keep(self.node).is_some_and(|keep| keep.stay != 0)
    }

    /// The host lets go of the node's thread and tables; what the node keeps stays.
    pub fn close(&mut self) {
        if self.mind.keeps.is_empty() {
            return;
        }
        let stay = match self.mind.keep(self.node) {
            Some(keep) if keep.stay != 0 => keep.stay,
            _ => return,
        };
        let keep = self.mind.keep_mut(self.node);
        (keep.stay, keep.open) = (0, false);
        if let Some(host) = &mut self.host {
            host.forget(stay);
        }
    }

    /// The node keeps nothing any more.
    pub fn forget(&mut self) {
        if self.mind.keeps.is_empty() {
            return;
        }
        self.close();
        self.mind.drop_keep(self.node);
    }

    /// A tick begins of which history is noted.
    #[cold]
    pub(super) fn begin_notes(&mut self) {
        if let Some(history) = &mut self.mind.history {
            history.begin();
        }
    }

    /// What was sent until now has been heard in this thought.
    pub(super) fn hear(&mut self) {
        let squad = self.view().squad_index();
        self.mind.heard = self.scene.squads[squad].messages.count();
    }

    /// What this tick's answers depend on is more by this, unless that is everything already.
    #[inline]
    pub(super) fn wait_for(&mut self, wake: impl FnOnce(&Self) -> Wake) {
        if !self.wake.is_now() {
            self.wake = self.wake.or(wake(self));
        }
    }

    /// Asks the named condition of the node, its `when`; false for a node without one.
    pub fn condition_holds(&mut self) -> bool {
        let node = self.node;
        let named = self.tree.first_child(node) != node + 1;
        let holds = named && self.ask(node + 1);
        self.at(node);
        holds
    }

    /// Works on behalf of a node from now on.
    #[inline]
    pub(super) fn at(&mut self, node: u16) -> &mut Self {
        self.node = node;
        self.slots = self.tree.node(node).slots as usize;
        self
    }

    /// The answer of a condition, or of plain flow over conditions.
    pub(super) fn ask(&mut self, node: u16) -> bool {
        let tree = self.tree;
        let linked = tree.node(node);
        match &linked.op {
            Op::Condition(condition) => self.check(node, linked.scripted, condition.as_ref()),
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

    #[inline]
    pub(super) fn check(&mut self, node: u16, scripted: bool, condition: &dyn Condition) -> bool {
        self.steps += 1;
        if scripted {
            return self.at(node).check_script(node, condition);
        }
        if self.noting {
            self.note_evidence(node, condition);
        }
        // Its fields one by one, so that the wake need not be copied out and back.
        let view = View { scene: self.scene, mind: self.mind, desk: self.desk, index: self.index };
        condition.ask(&view, &mut self.wake)
    }

    #[cold]
    fn note_evidence(&mut self, node: u16, condition: &dyn Condition) {
        self.decide(node, |cx| condition.evidence(&cx.view()));
    }

    #[inline(never)]
    fn check_script(&mut self, node: u16, condition: &dyn Condition) -> bool {
        self.wake = Wake::NOW;
        let answer = condition.function().and_then(|function| self.answer(function, Hook::Check));
        let yes = answer == Some(Status::Success);
        if answer.is_some() {
            self.decide(node, |_| Evidence::of(What::Script, yes));
        }
        yes
    }

    /// What a leaf ends for, or why it does what it does next: while history is noted, for people who ask why. A leaf
    /// that ends without saying so has no reason in its records.
    #[inline]
    pub fn because(&mut self, evidence: impl FnOnce(&Self) -> Evidence) {
        self.decide(self.node, evidence);
    }

    /// Notes that a leaf ended, while history is noted.
    #[inline]
    pub(super) fn note_end(&mut self, leaf: u16, success: bool) {
        if self.noting {
            if let Some(history) = &mut self.mind.history {
                history.decide_end(leaf);
            }
            self.put_down(leaf, Happening::Ended(success));
        }
    }

    /// Remembers what decided, while history is noted.
    #[inline]
    pub(super) fn decide(&mut self, node: u16, evidence: impl FnOnce(&Self) -> Evidence) {
        if !self.noting {
            return;
        }
        let evidence = evidence(self);
        if let Some(history) = &mut self.mind.history {
            history.decide(node, evidence);
        }
    }

    /// Notes what happened to a node, while history is noted.
    #[inline]
    pub(super) fn note(&mut self, node: u16, what: Happening) {
        if self.noting {
            self.put_down(node, what);
        }
    }

    #[cold]
    fn put_down(&mut self, node: u16, what: Happening) {
        if let Some(history) = &mut self.mind.history {
            history.note(self.scene.tick, self.scene.clock, node, what);
        }
    }

    #[inline]
    pub(super) fn memory(&mut self) -> &mut Memory {
        &mut self.mind.memory
    }
}

/// What a rule's point follows, for an aim.
pub fn anchor_of(aim: Aim) -> Anchor {
    match aim {
        Aim::Target => Anchor::Target,
        Aim::Place => Anchor::Place,
        _ => Anchor::Fixed,
    }
}
