//! What is legal in a tree, but hardly what was meant.
//!
//! Knows no concrete node: how nodes end, whether they run, count a time, read or write a key comes from their DEFs
//! and working parts. A warning is only given where no script, key or game could make it wrong; what is not known
//! to end in one way only is taken to end either way.

use super::compile::{NONE, Op, Tree};
use super::def::{Ends, Flow, Kind};
use crate::blackboard::{KeyId, KeyInfo, Schema, Scope, Value, ValueType};
use crate::error::{Error, ErrorKind};
use std::collections::BTreeMap;

/// Whatever in a tree is legal, but hardly what was meant: children that are never reached, repeats that go round for
/// ever without taking time, actions that are started again and again only to be asked, times that begin anew before
/// they are up, and two children of a reactive sequence that put each other out. All are of [`ErrorKind::Warning`].
///
/// ```
/// use warband::blackboard::Schema;
/// use warband::tree::{Spec, Symbols, build, warnings};
/// let spec = Spec::new("selector").with(Spec::new("succeed")).with(Spec::new("patrol"));
/// let tree = build("tree", &spec, &warband::node::registry(), &Schema::default(), &mut Symbols::default())?;
/// assert_eq!(
///     warnings(&tree)[0].to_string(),
///     "'patrol' is never reached: 'succeed' before it never fails (put it before 'succeed', or take it out) \
///      (at selector/2.patrol)"
/// );
/// # Ok::<(), warband::Error>(())
/// ```
pub fn warnings(tree: &Tree) -> Vec<Error> {
    let count = tree.len();
    let mut look = Look { tree, ends: vec![Ends::ANY; count], runs: vec![false; count], found: Vec::new() };
    // Children stand behind their parents, so they are known first.
    for node in (0..count as u16).rev() {
        look.learn(node);
    }
    for node in 0..count as u16 {
        look.unreached(node);
        look.endless(node);
        look.asked_anew(node);
    }
    look.found
}

struct Look<'a> {
    tree: &'a Tree,
    /// How each node can end.
    ends: Vec<Ends>,
    /// Whether each node can go on into the next tick.
    runs: Vec<bool>,
    found: Vec<Error>,
}

/// What a branch does first, where nothing is asked before it.
#[derive(Clone, Copy)]
struct First {
    node: u16,
    /// What counts a time from when the branch is entered.
    timer: Option<u16>,
}

impl Look<'_> {
    fn ends(&self, node: u16) -> Ends {
        self.ends[usize::from(node)]
    }
    fn runs(&self, node: u16) -> bool {
        self.runs[usize::from(node)]
    }
    fn name(&self, node: u16) -> &'static str {
        self.tree.meta[usize::from(node)].def.name
    }

    /// Its children, without a guard's condition.
    fn children(&self, node: u16) -> Vec<u16> {
        let end = self.tree.node(node).end;
        let inside = |child: &u16| *child < end;
        let first = Some(self.tree.first_child(node)).filter(inside);
        std::iter::successors(first, |child| Some(self.tree.node(*child).end).filter(inside)).collect()
    }

    /// The children of a sequence (`on`) or selector up to the first that lets it go no further.
    fn reached(&self, node: u16, on: bool) -> Vec<u16> {
        let mut children = self.children(node);
        let last = children.iter().position(|child| !self.lets_on(*child, on));
        children.truncate(last.map_or(children.len(), |last| last + 1));
        children
    }
    fn lets_on(&self, child: u16, on: bool) -> bool {
        let ends = self.ends(child);
        if on { ends.success } else { ends.failure }
    }

    fn learn(&mut self, node: u16) {
        let children = self.children(node);
        let def = self.tree.meta[usize::from(node)].def;
        let each = children.iter().map(|child| self.ends(*child)).collect::<Vec<_>>();
        let ends = match &self.tree.node(node).op {
            Op::Flow(flow) => self.ends_of_flow(node, *flow),
            Op::Control(control) => control.ends(Ends::any(each)),
            Op::Fork(join) => join.ends(&each),
            Op::Leaf(leaf) => leaf.ends(),
            Op::Condition(_) => Ends::ANY,
        };
        let runs = match &self.tree.node(node).op {
            Op::Leaf(leaf) => !def.running.is_empty() && leaf.lasts(),
            Op::Control(control) if control.yields() => true,
            _ => children.iter().any(|child| self.runs(*child)),
        };
        // What is passed over leads on as either end would: nothing can be said above it.
        let end = self.tree.node(node).end;
        let passed_over = (node..end).any(|below| matches!(self.tree.node(below).op, Op::Flow(Flow::Skip)));
        self.ends[usize::from(node)] = if passed_over { Ends::ANY } else { ends.and(def.ends) };
        self.runs[usize::from(node)] = runs;
    }

    fn ends_of_flow(&self, node: u16, flow: Flow) -> Ends {
        match flow {
            Flow::Chain { on, .. } => {
                let reached = self.reached(node, on);
                let through = reached.last().is_some_and(|last| {
                    self.lets_on(*last, on) && self.tree.node(*last).end == self.tree.node(node).end
                });
                let other = reached.iter().any(|child| self.lets_on(*child, !on));
                if on {
                    Ends { success: through, failure: other }
                } else {
                    Ends { success: other, failure: through }
                }
            }
            Flow::Map { success, failure } => {
                let child = self.ends(node + 1);
                let becomes = |end| child.success && success == end || child.failure && failure == end;
                Ends { success: becomes(true), failure: becomes(false) }
            }
            // Passed over, it leads on whatever its parent waits for.
            Flow::Skip => Ends::ANY,
            Flow::Guard { .. } => {
                let (when, body) = (self.ends(node + 1), self.ends(self.tree.first_child(node)));
                let body = if when.success { body } else { Ends::NEVER };
                if when.failure { body.or(Ends::FAILURE) } else { body }
            }
        }
    }

    fn warn(&mut self, node: u16, what: String, hint: String) {
        let warning = Error::new(ErrorKind::Warning, what).hint(hint);
        self.found.push(warning.at_option(self.tree.place(node)).on_path(self.tree.path(node)));
    }

    /// A child behind one that never lets its parent get there, or below a condition that never holds.
    fn unreached(&mut self, node: u16) {
        match self.tree.node(node).op {
            Op::Flow(Flow::Chain { on, .. }) => {
                let last = self.reached(node, on).last().copied().unwrap_or(node);
                let lost = self.tree.node(last).end;
                if lost < self.tree.node(node).end {
                    let (name, last) = (self.name(lost), self.name(last));
                    let never = if on { "succeeds" } else { "fails" };
                    let what = format!("'{name}' is never reached: '{last}' before it never {never}");
                    self.warn(lost, what, format!("put it before '{last}', or take it out"));
                }
            }
            Op::Flow(Flow::Guard { .. }) if !self.ends(node + 1).success => {
                let lost = self.tree.first_child(node);
                let (name, guard) = (self.name(lost), self.name(node));
                let what = format!("'{name}' is never reached: the condition of '{guard}' never holds");
                self.warn(lost, what, "take it out, or ask for something that can come true".into());
            }
            _ => {}
        }
    }

    /// A repeat without end over what takes no time, where nothing in it or above it asks anything that could end it.
    fn endless(&mut self, node: u16) {
        if !self.goes_round(node) {
            return;
        }
        let below = node + 1..self.tree.node(node).end;
        let parent = |above: &u16| Some(self.tree.node(*above).parent).filter(|parent| *parent != NONE);
        let mut above = std::iter::successors(parent(&node), parent);
        let ends = |node: u16| self.takes_time(node) || self.decides(node);
        if above.any(|node| self.decides(node)) || below.into_iter().any(ends) {
            return;
        }
        let what =
            format!("'{}' goes round once a tick for ever: all below it ends at once", self.name(node));
        self.warn(node, what, "say how often, or put something into it that takes time or asks".into());
    }

    /// Whether it starts its child again whenever that ends as it does. One that waits for a success may get it; the
    /// failure of an action that does not ask is not to be waited for.
    fn goes_round(&self, node: u16) -> bool {
        let Op::Control(control) = &self.tree.node(node).op else { return false };
        let child = self.ends(self.tree.first_child(node));
        let again = |end| control.ends(end) == Ends::NEVER;
        child.success && again(Ends::SUCCESS) || child == Ends::FAILURE && again(Ends::FAILURE)
    }

    fn takes_time(&self, node: u16) -> bool {
        matches!(self.tree.node(node).op, Op::Leaf(_)) && self.runs(node)
    }

    /// Whether it may end one way now and the other way later, whatever its children do.
    fn decides(&self, node: u16) -> bool {
        match &self.tree.node(node).op {
            Op::Condition(_) => self.ends(node) == Ends::ANY,
            Op::Flow(Flow::Guard { own, .. }) => *own,
            Op::Control(control) => control.ends(Ends::NEVER) != Ends::NEVER,
            _ => false,
        }
    }

    /// A child of a reactive composite that has to be started to be asked, while one behind it runs.
    fn asked_anew(&mut self, node: u16) {
        let Op::Flow(Flow::Chain { on, reactive: true }) = self.tree.node(node).op else { return };
        let reached = self.reached(node, on);
        for (at, child) in reached.iter().enumerate() {
            let Some(later) = reached[at + 1..].iter().copied().find(|later| self.runs(*later)) else {
                return;
            };
            if let Some(first) = self.first(*child, None) {
                let both = on && self.runs(*child);
                self.tell_asked(node, first, later, both);
            }
        }
    }

    /// `both`: the first child can go on, so that it and the later one put each other out.
    fn tell_asked(&mut self, parent: u16, first: First, later: u16, both: bool) {
        let told =
            if both { self.timer_below(later).unwrap_or(later) } else { first.timer.unwrap_or(first.node) };
        let on = matches!(self.tree.node(parent).op, Op::Flow(Flow::Chain { on: true, .. }));
        let [parent, starts, runs, name] = [parent, first.node, later, told].map(|node| self.name(node));
        let remember = if on { "sequence" } else { "selector" };
        let before = if both { starts } else { name };
        let hint =
            format!("put a condition before '{before}', as in a guard, or use a {remember} that remembers");
        let what = if both {
            let clash =
                format!("'{parent}' starts '{starts}' in each tick, and leaves '{name}' while that runs");
            match self.timer_below(later) {
                Some(_) => format!("'{name}' begins anew whenever '{starts}' before it has to run: {clash}"),
                None => format!("'{name}' and '{starts}' before it could run at once: {clash}"),
            }
        } else {
            let does = if first.timer.is_some() { "begins anew" } else { "is started" };
            format!(
                "'{name}' {does} in each tick in which '{runs}' runs: '{parent}' has to start it to ask it"
            )
        };
        self.warn(told, what, hint);
    }

    /// What a branch does first, unless that is to ask.
    fn first(&self, node: u16, timer: Option<u16>) -> Option<First> {
        match &self.tree.node(node).op {
            Op::Condition(_) | Op::Flow(Flow::Guard { .. }) => None,
            Op::Leaf(leaf) => Some(First { node, timer: timer.or(leaf.timed().then_some(node)) }),
            Op::Fork(_) => self.children(node).into_iter().find_map(|child| self.first(child, timer)),
            Op::Flow(_) => self.first(node + 1, timer),
            Op::Control(control) => {
                let timed = control.timed();
                if timed && self.tree.meta[usize::from(node)].def.kind == Kind::Service {
                    // It does something when it is entered, whatever stands below it.
                    return Some(First { node, timer: Some(node) });
                }
                if !timed && self.decides(node) {
                    return None;
                }
                self.first(node + 1, timer.or(timed.then_some(node)))
            }
        }
    }

    fn timer_below(&self, top: u16) -> Option<u16> {
        (top..self.tree.node(top).end).find(|node| match &self.tree.node(*node).op {
            Op::Leaf(leaf) => leaf.timed(),
            Op::Control(control) => control.timed(),
            _ => false,
        })
    }
}

/// The keys that some of these trees read and none writes, and the other way round. All are of [`ErrorKind::Warning`].
///
/// Only keys that a script declared, for agents or squads, not as `external` and without a default: both say that the game
/// has a part in it. An entity has no default in a script, so it is left out. A function of a script may read and write any
/// key; with one in any of the trees, there are no warnings at all.
pub fn key_warnings<'t>(trees: impl IntoIterator<Item = &'t Tree>, schema: &Schema) -> Vec<Error> {
    let mut uses = BTreeMap::<KeyId, [Option<(&Tree, u16)>; 2]>::new();
    for tree in trees {
        if tree.scripted {
            return Vec::new();
        }
        for used in &tree.keys {
            uses.entry(used.key).or_default()[usize::from(used.written)].get_or_insert((tree, used.node));
        }
    }
    let told = |(key, used): (KeyId, [Option<(&Tree, u16)>; 2])| {
        let info = schema.info(key);
        let ((tree, node), read) = match used {
            [Some(read), None] => (read, true),
            [None, Some(written)] => (written, false),
            _ => return None,
        };
        is_the_scripts_own(info)
            .then(|| key_warning(info, read).at_option(tree.place(node)).on_path(tree.path(node)))
    };
    uses.into_iter().filter_map(told).collect()
}

fn is_the_scripts_own(info: &KeyInfo) -> bool {
    info.place.is_some()
        && !info.external
        && matches!(info.id.scope, Scope::Agent | Scope::Squad)
        && info.default == Value::Nothing
        && info.ty != ValueType::Entity
}

fn key_warning(info: &KeyInfo, read: bool) -> Error {
    let (is, hint) = if read {
        ("read and never written", "if the game writes it, declare it with external = true")
    } else {
        ("written and never read", "if the game reads it, declare it with external = true")
    };
    Error::new(ErrorKind::Warning, format!("key '{}' is {is}", info.name)).hint(hint)
}
