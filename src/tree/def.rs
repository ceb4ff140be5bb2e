//! What a node kind is: one [`NodeDef`], and the traits that its working part can have.

use super::cx::Cx;
use super::explain::Glance;
use super::fork::Tally;
use super::history::Evidence;
use super::make::Make;
use super::view::View;
use super::wake::Wake;
use crate::args::Param;
use crate::error::Result;

/// How a tick of a node ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It did what it is for.
    Success,
    /// It could not.
    Failure,
    /// It goes on in the next tick.
    Running,
}

impl Status {
    /// Success for `true`, failure for `false`.
    pub fn of(done: bool) -> Self {
        if done { Status::Success } else { Status::Failure }
    }
}

/// Why a running node was made to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The condition of its guard failed.
    Guard,
    /// A branch of higher priority took over.
    Higher,
    /// Its parent chose another child or had no more use for it.
    Parent,
    /// Its time was up.
    TimeLimit,
    /// Its tree was replaced by another.
    Swapped,
    /// Its agent was removed.
    Removed,
    /// The tree was told to stop.
    Halted,
    /// The token that it needed was given up or taken back.
    Token,
    /// A tick went round in circles.
    Budget,
}

/// The reason that an exit is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// The node ended with success.
    Success,
    /// The node ended with failure.
    Failure,
    /// The node was made to stop.
    Aborted(Why),
}

impl Exit {
    /// The reason of a node that ended by itself.
    pub fn of(done: bool) -> Self {
        if done { Exit::Success } else { Exit::Failure }
    }
    /// `success`, `failure` or `aborted`.
    pub fn name(self) -> &'static str {
        match self {
            Exit::Success => "success",
            Exit::Failure => "failure",
            Exit::Aborted(_) => "aborted",
        }
    }
}

/// What sort of node it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Has several children and chooses among them.
    Composite,
    /// Has one child and changes when it runs or what its end means.
    Decorator,
    /// Runs beside a branch while that is active.
    Service,
    /// Is asked, at once and without effect.
    Condition,
    /// Does something, for as long as it takes.
    Action,
}

impl Kind {
    /// Its name in the reference.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Composite => "composite",
            Kind::Decorator => "decorator",
            Kind::Service => "service",
            Kind::Condition => "condition",
            Kind::Action => "action",
        }
    }
}

/// How many children a node has, named ones not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// None.
    None,
    /// Exactly one.
    One,
    /// From the first number to the second.
    Few(usize, usize),
    /// One or more.
    Many,
}

/// How a node can end, if it ends at all. Warnings rest on it: what says too much is never wrong, only less useful.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Whether it can succeed.
    pub success: bool,
    /// Whether it can fail.
    pub failure: bool,
}

impl Ends {
    /// Either way.
    pub const ANY: Self = Self { success: true, failure: true };
    /// With success only.
    pub const SUCCESS: Self = Self { success: true, failure: false };
    /// With failure only.
    pub const FAILURE: Self = Self { success: false, failure: true };
    /// Not at all: it goes on until it is made to stop.
    pub const NEVER: Self = Self { success: false, failure: false };

    /// What one or the other can.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self { success: self.success || other.success, failure: self.failure || other.failure }
    }
    /// What both can.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self { success: self.success && other.success, failure: self.failure && other.failure }
    }
    /// What any of several can.
    pub fn any(all: impl IntoIterator<Item = Self>) -> Self {
        all.into_iter().fold(Self::NEVER, Self::or)
    }
}

/// The type of a piece of a node's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlotType {
    /// A truth value.
    Bool,
    /// A whole number.
    Count,
    /// A point in time, nanoseconds of the world's clock.
    Time,
    /// A number.
    Number,
    /// A point or direction; takes two words.
    Vec3,
}

impl SlotType {
    pub(super) fn words(self) -> usize {
        if self == SlotType::Vec3 { 2 } else { 1 }
    }
}

/// A named piece of a node's memory.
pub type Slot = (&'static str, SlotType);

/// Everything there is to know of a node kind. The Lua constructor, the checks, the reference, the editor's
/// types and the contract tests all come from it.
#[derive(Clone, Copy)]
pub struct NodeDef {
    /// Its name, the same in Rust, Lua, files and errors.
    pub name: &'static str,
    /// What sort it is.
    pub kind: Kind,
    /// How many children it has.
    pub children: Arity,
    /// The named condition that it takes, as `when`.
    pub condition: Option<&'static str>,
    /// Its parameters.
    pub params: &'static [Param],
    /// What it can be told about each child.
    pub edge: &'static [Param],
    /// What it does, in one line.
    pub doc: &'static str,
    /// When it is running; empty for never.
    pub running: &'static str,
    /// When it succeeds.
    pub success: &'static str,
    /// When it fails.
    pub failure: &'static str,
    /// How it can end at all, in accord with what `success` and `failure` say.
    pub ends: Ends,
    /// What an abort does.
    pub abort: &'static str,
    /// What it remembers for each agent.
    pub memory: &'static [Slot],
    /// Makes its working part from what it was given.
    pub make: fn(&mut Make<'_>) -> Result<Part>,
}

impl NodeDef {
    /// A definition with nothing but its name, sort and purpose, to be completed by field: `..NodeDef::new(…)`.
    pub const fn new(
        name: &'static str,
        kind: Kind,
        doc: &'static str,
        make: fn(&mut Make<'_>) -> Result<Part>,
    ) -> Self {
        Self {
            name,
            kind,
            children: Arity::None,
            condition: None,
            params: &[],
            edge: &[],
            doc,
            running: "",
            success: "",
            failure: "",
            ends: Ends::ANY,
            abort: "",
            memory: &[],
            make,
        }
    }
}

impl std::fmt::Debug for NodeDef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NodeDef({})", self.name)
    }
}

/// The working part of a node, made by its [`NodeDef`].
pub enum Part {
    /// Plain control flow, which the engine compiles to jumps.
    Flow(Flow),
    /// Control flow that decides as it goes.
    Control(Box<dyn Control>),
    /// All children at once, and a rule for when they are done.
    Fork(Box<dyn Join>),
    /// A question.
    Condition(Box<dyn Condition>),
    /// Something to do.
    Leaf(Box<dyn Leaf>),
}

impl Part {
    /// A question.
    pub fn condition(condition: impl Condition + 'static) -> Result<Part> {
        Ok(Part::Condition(Box::new(condition)))
    }
    /// Something to do.
    pub fn leaf(leaf: impl Leaf + 'static) -> Result<Part> {
        Ok(Part::Leaf(Box::new(leaf)))
    }
    /// Control flow that decides as it goes.
    pub fn control(control: impl Control + 'static) -> Result<Part> {
        Ok(Part::Control(Box::new(control)))
    }
}

/// Plain control flow: where a child's end leads is known when the tree is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Goes to the next child when one ends like `on`; ends with the result of the last child asked.
    Chain {
        /// The end that leads to the next child: success for a sequence, failure for a selector.
        on: bool,
        /// Whether all is asked again from the first child in each tick.
        reactive: bool,
    },
    /// Ends with this for the success and that for the failure of its child.
    Map {
        /// What a success of the child becomes.
        success: bool,
        /// What a failure of the child becomes.
        failure: bool,
    },
    /// Lets its child run while the named condition holds.
    Guard {
        /// Whether the child is aborted when the condition fails.
        own: bool,
        /// Whether running branches of lower priority are aborted when the condition comes true.
        lower: bool,
    },
    /// Is passed over, as if it were not there, when the named condition holds as it is about to be entered; its end
    /// is that of its child.
    Skip,
}

/// What a [`Control`] wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Go on as it is: leave the running child alone.
    Continue,
    /// Start this child (counted from 0); a running one is aborted first.
    Child(usize),
    /// End with success or failure; a running child is aborted first.
    Done(bool),
    /// Run without a child until the next tick.
    Yield,
}

/// A decorator or composite that decides as it goes. One per tree, shared by all agents: what it remembers of
/// an agent lies in the slots that its DEF declares.
pub trait Control: Send + Sync {
    /// It is entered. [`Step::Continue`] means the first child.
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        let _ = cx;
        Step::Continue
    }
    /// Asked in each later tick before the running child is, if [`Control::asks`]; also after a [`Step::Yield`],
    /// then with `idle` true.
    fn tick(&self, cx: &mut Cx<'_>, idle: bool) -> Step {
        let _ = cx;
        if idle { Step::Child(0) } else { Step::Continue }
    }
    /// A child ended. By default its end is the node's.
    fn ended(&self, cx: &mut Cx<'_>, child: usize, success: bool) -> Step {
        let _ = (cx, child);
        Step::Done(success)
    }
    /// A child was passed over without being entered. By default there was nothing to do, which is success.
    fn skipped(&self, cx: &mut Cx<'_>, child: usize) -> Step {
        let _ = (cx, child);
        Step::Done(true)
    }
    /// The child was ticked and goes on, if [`Control::asks`]; `Done` ends the node, and the child is aborted.
    fn running(&self, cx: &mut Cx<'_>) -> Step {
        let _ = cx;
        Step::Continue
    }
    /// It is left: exactly once for each enter.
    fn exit(&self, cx: &mut Cx<'_>, reason: Exit) {
        let _ = (cx, reason);
    }
    /// Whether [`Control::tick`] and [`Control::running`] are to be called while a child runs.
    fn asks(&self) -> bool {
        false
    }
    /// While its child runs and it answered [`Step::Continue`]: what that answer depends on. Only asked if
    /// [`Control::asks`].
    fn wake(&self, cx: &Cx<'_>) -> Wake {
        let _ = cx;
        Wake::NOW
    }
    /// While it runs without a child, having answered [`Step::Yield`] once more: what it waits for, if asking it until
    /// then would neither do nor change anything.
    fn idle_wake(&self, cx: &Cx<'_>) -> Wake {
        let _ = cx;
        Wake::NOW
    }
    /// Whether it always starts its child at once: a guard below it then reaches the lower branches above it.
    fn passes(&self) -> bool {
        false
    }
    /// Whether its memory is cleared when a branch that holds it is aborted or halted, also when it does not run then.
    fn forgets(&self) -> bool {
        false
    }
    /// What its last answer was about, for people who ask why.
    fn evidence(&self, cx: &Cx<'_>) -> Evidence {
        let _ = cx;
        Evidence::default()
    }
    /// While it runs without a child: what it waits for in words, for people who ask why; nothing if there is nothing
    /// to say.
    fn waiting(&self, at: &Glance<'_>) -> String {
        let _ = at;
        String::new()
    }
    /// Why a child is aborted when this node ends it.
    fn why(&self) -> Why {
        Why::Parent
    }
    /// How it can end when its children can end only like this.
    fn ends(&self, child: Ends) -> Ends {
        let _ = child;
        Ends::ANY
    }
    /// Whether it counts a time from its enter.
    fn timed(&self) -> bool {
        false
    }
    /// Whether it ever answers [`Step::Yield`].
    fn yields(&self) -> bool {
        false
    }
}

/// A composite that runs all its children side by side.
pub trait Join: Send + Sync {
    /// Called each tick before the children are.
    fn tick(&self, cx: &mut Cx<'_>) {
        let _ = cx;
    }
    /// All children were ticked: whether it ends now, and how. Asked once a tick; it must end when nobody runs.
    fn decide(&self, tally: Tally) -> Option<bool>;
    /// How it can end when its children can end only like these.
    fn ends(&self, children: &[Ends]) -> Ends {
        let _ = children;
        Ends::ANY
    }
}

/// A question: pure, answered at once.
pub trait Condition: Send + Sync {
    /// The answer.
    fn check(&self, view: &View<'_>) -> bool;
    /// What the answer depends on.
    fn wake(&self, view: &View<'_>) -> Wake {
        let _ = view;
        Wake::NOW
    }
    /// What the answer is about and what is found there, for people who ask why.
    fn evidence(&self, view: &View<'_>) -> Evidence {
        let _ = view;
        Evidence::default()
    }
    /// The function of a script that answers instead, if it is a question of a script's.
    fn function(&self) -> Option<&crate::args::Function> {
        None
    }
    /// The answer, and to `wake` what it depends on, in one call: the engine's way in, which stays as it is.
    #[doc(hidden)]
    fn ask(&self, view: &View<'_>, wake: &mut Wake) -> bool {
        if !wake.is_now() {
            *wake = wake.or(self.wake(view));
        }
        self.check(view)
    }
}

/// An action. One per tree, shared by all agents: what it remembers of an agent lies in the slots that its DEF declares.
pub trait Leaf: Send + Sync {
    /// It begins, in the tick in which it is ticked first.
    fn enter(&self, cx: &mut Cx<'_>) {
        let _ = cx;
    }
    /// It does what it does, once a tick until it ends.
    fn tick(&self, cx: &mut Cx<'_>) -> Status;
    /// It is left: exactly once for each enter.
    fn exit(&self, cx: &mut Cx<'_>, reason: Exit) {
        let _ = (cx, reason);
    }
    /// While it is running: what it waits for in words, as in `for the answer to 'open'`, for people who ask why; nothing
    /// if there is nothing to say.
    fn waiting(&self, at: &Glance<'_>) -> String {
        let _ = at;
        String::new()
    }
    /// While it is running: what it waits for, if ticking it until then would neither do nor change anything.
    fn wake(&self, cx: &Cx<'_>) -> Wake {
        let _ = cx;
        Wake::NOW
    }
    /// Whether it counts a time from its enter.
    fn timed(&self) -> bool {
        false
    }
    /// How it can end, if one like this can do less than its DEF says.
    fn ends(&self) -> Ends {
        Ends::ANY
    }
    /// Whether it can go on into the next tick, if its DEF says that such a node may.
    fn lasts(&self) -> bool {
        true
    }
    /// Begins and ticks it in one call, and exits it if it ended: the engine's way in, which stays as it is.
    #[doc(hidden)]
    fn start(&self, cx: &mut Cx<'_>) -> Status {
        self.enter(cx);
        self.go_on(cx)
    }
    /// Ticks it, and exits it if it ended or says what it waits for: the engine's way in, which stays as it is.
    #[doc(hidden)]
    fn go_on(&self, cx: &mut Cx<'_>) -> Status {
        let status = self.tick(cx);
        if status == Status::Running {
            cx.wait_for(|cx| self.wake(cx));
        } else {
            self.exit(cx, Exit::of(status == Status::Success));
        }
        status
    }
}
