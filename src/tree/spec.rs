//! A tree as plain words: what Rust and Lua both write, before anything is built.

use crate::args::Arg;
use crate::error::Place;
use serde::{Deserialize, Serialize};

/// A node as it was written: its name, what it was given, its children and where it stands.
///
/// ```
/// use warband::tree::Spec;
/// let patrol_or_wait = Spec::new("selector")
///     .with(Spec::new("patrol"))
///     .with(Spec::new("wait").set("seconds", 1.0));
/// assert_eq!(patrol_or_wait.children.len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// The name of the node kind.
    pub node: String,
    /// What the author calls this node, for reloads and tools; unique in its tree.
    pub id: Option<String>,
    /// Its parameters, in the order given.
    pub args: Vec<(String, Arg)>,
    /// Its children, in order. A named child, as a guard's `when`, stands before the others.
    #[serde(deserialize_with = "crate::args::nested")]
    pub children: Vec<Spec>,
    /// What it is to its parent, for a named child.
    pub role: Option<String>,
    /// What its parent was told about it, as the `below` of a band.
    pub edge: Vec<(String, Arg)>,
    /// Defaults of the parameters that stand in this subtree as [`Arg::Param`], with what the caller gave.
    pub scope: Option<Vec<(String, Arg)>>,
    /// Where it was written.
    pub place: Option<Place>,
}

impl Spec {
    /// A node of this kind, without parameters or children.
    pub fn new(node: impl Into<String>) -> Self {
        Self { node: node.into(), ..Self::default() }
    }
    /// Gives it a parameter.
    #[must_use]
    pub fn set(mut self, name: impl Into<String>, value: impl Into<Arg>) -> Self {
        self.args.push((name.into(), value.into()));
        self
    }
    /// Gives it a further child.
    #[must_use]
    pub fn with(mut self, child: Spec) -> Self {
        self.children.push(child);
        self
    }
    /// Gives it several further children.
    #[must_use]
    pub fn with_all(mut self, children: impl IntoIterator<Item = Spec>) -> Self {
        self.children.extend(children);
        self
    }
    /// Gives it a named child, as in `when`: it stands before the others, whatever the order of calls.
    #[must_use]
    pub fn named(mut self, role: impl Into<String>, mut child: Spec) -> Self {
        child.role = Some(role.into());
        let at = self.children.iter().take_while(|child| child.role.is_some()).count();
        self.children.insert(at, child);
        self
    }
    /// Gives it the condition under which a guard lets its child run.
    #[must_use]
    pub fn when(self, condition: Spec) -> Self {
        self.named("when", condition)
    }
    /// Tells its parent something about it, as the `below` of a band.
    #[must_use]
    pub fn edge(mut self, name: impl Into<String>, value: impl Into<Arg>) -> Self {
        self.edge.push((name.into(), value.into()));
        self
    }
    /// Names it, for reloads and tools.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }
    /// Says where it was written.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }
    /// How many nodes it has, itself included.
    pub fn count(&self) -> usize {
        1 + self.children.iter().map(Spec::count).sum::<usize>()
    }
}
