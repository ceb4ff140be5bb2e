//! From a [`Spec`] to a [`Tree`], or to every fault that was found in it.

use super::compile::{KeyUse, MOST_NODES, Meta, NONE, NameUse, Next, Node, Op, Tree};
use super::def::{Arity, Flow, Kind, NodeDef, Part};
use super::make::Make;
use super::memory::Layout;
use super::registry::Registry;
use super::scene::Symbols;
use super::spec::Spec;
use crate::args::{Arg, Args, Named, ParamType};
use crate::blackboard::Schema;
use crate::error::{Error, ErrorKind, Result};
use crate::hash;
use std::sync::Arc;

/// Builds a tree from its words.
///
/// # Errors
/// Every fault in it, as one error: the first, with the others behind it; each with place and path.
pub fn build(
    name: &str,
    spec: &Spec,
    registry: &Registry,
    schema: &Schema,
    symbols: &mut Symbols,
) -> Result<Arc<Tree>> {
    build_from(name, spec, spec, registry, schema, symbols)
}

/// As [`build`], from words that an author wrote in another form: `written` is what the tree says that it is made of.
pub(crate) fn build_from(
    name: &str,
    written: &Spec,
    spec: &Spec,
    registry: &Registry,
    schema: &Schema,
    symbols: &mut Symbols,
) -> Result<Arc<Tree>> {
    let mut builder = Builder {
        registry,
        schema,
        symbols,
        errors: Vec::new(),
        tree: Tree {
            name: name.into(),
            spec: written.clone(),
            nodes: Vec::with_capacity(spec.count()),
            meta: Vec::with_capacity(spec.count()),
            chains: Vec::new(),
            roots: Vec::new(),
            forgetful: Vec::new(),
            layout: Layout::default(),
            words: 0,
            limit: 0,
            remember: None,
            keys: Vec::new(),
            names: Vec::new(),
            scripted: false,
        },
    };
    if spec.count() > MOST_NODES {
        return Err(Error::new(ErrorKind::TooMany, format!("tree '{name}' has more than 32,767 nodes"))
            .at_option(spec.place.as_ref()));
    }
    builder.add(spec, &Above { parent: NONE, ordinal: 0, path: spec.node.clone(), params: &[] });
    let Builder { errors, mut tree, .. } = builder;
    if let Some(error) = Error::all(errors) {
        return Err(error);
    }
    tree.link();
    let start = tree.layout.slot_start() as u32;
    for node in &mut tree.nodes {
        node.slots += start;
    }
    Ok(Arc::new(tree))
}

struct Above<'a> {
    parent: u16,
    ordinal: u16,
    path: String,
    params: &'a [(String, Arg)],
}

struct Builder<'a> {
    registry: &'a Registry,
    schema: &'a Schema,
    symbols: &'a mut Symbols,
    errors: Vec<Error>,
    tree: Tree,
}

impl Builder<'_> {
    fn fault(&mut self, error: Error, spec: &Spec, path: &str) {
        let each = error.each().cloned().collect::<Vec<_>>();
        for one in each {
            let bare = Error::without_more(one);
            self.errors.push(bare.at_option(spec.place.as_ref()).on_path(path));
        }
    }

    fn add(&mut self, spec: &Spec, above: &Above<'_>) {
        let def = match self.registry.find(&spec.node) {
            Ok(def) => def,
            Err(error) => return self.fault(error, spec, &above.path),
        };
        let part = self.part(def, spec, above);
        let at = self.tree.nodes.len() as u16;
        self.push(def, spec, above, part);
        let inner = self.scope(spec, above);
        let params = inner.as_deref().unwrap_or(above.params);
        let mut ordinal = 0;
        for child in &spec.children {
            let label = child.role.clone().unwrap_or_else(|| (ordinal + 1).to_string());
            let path = format!("{}/{label}.{}", above.path, child.node);
            let from = self.tree.nodes.len();
            self.add(child, &Above { parent: at, ordinal, path: path.clone(), params });
            if child.role.is_some() {
                self.check_pure(from, child, &path);
            } else {
                ordinal += 1;
            }
        }
        let end = self.tree.nodes.len() as u16;
        if let Some(node) = self.tree.nodes.get_mut(usize::from(at)) {
            node.end = end;
        }
    }

    fn push(&mut self, def: &'static NodeDef, spec: &Spec, above: &Above<'_>, part: Option<Part>) {
        let op = match part {
            Some(Part::Flow(flow)) => Op::Flow(flow),
            Some(Part::Control(control)) => Op::Control(control),
            Some(Part::Fork(join)) => Op::Fork(join),
            Some(Part::Condition(condition)) => Op::Condition(condition),
            Some(Part::Leaf(leaf)) => Op::Leaf(leaf),
            // A fault was noted; the tree will not be used.
            None => Op::Flow(Flow::Map { success: true, failure: false }),
        };
        let own = def.memory.iter().map(|(_, ty)| ty.words()).sum::<usize>();
        let forked = if matches!(op, Op::Fork(_)) { spec.children.len().div_ceil(32) } else { 0 };
        self.tree.nodes.push(Node {
            op,
            parent: above.parent,
            end: 0,
            body: 0,
            ordinal: above.ordinal,
            region: 0,
            fork: 0,
            slots: self.tree.layout.slots as u32,
            state: own as u16,
            watch: NONE,
            bare: 0,
            success: Next::Success,
            failure: Next::Failure,
            chain: 0,
            asked: 0,
            objects: false,
            scripted: false,
        });
        self.tree.layout.slots += own + forked;
        self.tree.meta.push(Meta {
            def,
            path: above.path.clone(),
            place: spec.place.clone(),
            identity: identity(spec, &above.path, above.params),
            slot_words: own + forked,
            passed: Next::Nothing,
        });
    }

    fn part(&mut self, def: &'static NodeDef, spec: &Spec, above: &Above<'_>) -> Option<Part> {
        let faults = self.errors.len();
        self.check_children(def, spec, &above.path);
        let args = self.args(def.params, &spec.args, spec, above);
        let mut edges = Vec::new();
        for child in spec.children.iter().filter(|child| child.role.is_none()) {
            edges.extend(self.args(def.edge, &child.edge, child, above));
        }
        if self.errors.len() > faults {
            return None;
        }
        let args = args?;
        self.note_uses(def.params, &args);
        edges.iter().for_each(|args| self.note_uses(def.edge, args));
        let mut make = Make {
            args,
            edges,
            def,
            schema: self.schema,
            symbols: self.symbols,
            remember: &mut self.tree.remember,
        };
        match (def.make)(&mut make) {
            Ok(part) => Some(part),
            Err(error) => {
                self.fault(error, spec, &above.path);
                None
            }
        }
    }

    /// Notes which keys the node that comes next is given, and whether a script has a say in it.
    fn note_uses(&mut self, params: &[crate::args::Param], args: &Args) {
        let node = self.tree.nodes.len() as u16;
        for (param, (_, arg)) in params.iter().zip(args.iter()) {
            let name = match arg {
                Some(Arg::Text(name)) if param.names != Named::Nothing => {
                    self.tree.names.push(NameUse { node, names: param.names, name: name.clone() });
                    continue;
                }
                Some(Arg::Key(name)) => name,
                Some(Arg::Text(name)) if param.ty == ParamType::Key => name,
                Some(Arg::Function(_)) => {
                    self.tree.scripted = true;
                    continue;
                }
                _ => continue,
            };
            if let Ok(key) = self.schema.id(name) {
                self.tree.keys.push(KeyUse { node, key, written: param.written });
            }
        }
    }

    fn args(
        &mut self,
        params: &'static [crate::args::Param],
        given: &[(String, Arg)],
        spec: &Spec,
        above: &Above<'_>,
    ) -> Option<Args> {
        let mut filled = Vec::with_capacity(given.len());
        for (name, arg) in given {
            match substitute(arg, above.params) {
                Ok(arg) => filled.push((name.clone(), word_for_key(params, name, arg))),
                Err(error) => self.fault(error, spec, &above.path),
            }
        }
        match Args::check(params, &filled) {
            Ok(args) => Some(args),
            Err(error) => {
                self.fault(error, spec, &above.path);
                None
            }
        }
    }

    fn check_children(&mut self, def: &NodeDef, spec: &Spec, path: &str) {
        let (named, plain): (Vec<_>, Vec<_>) = spec.children.iter().partition(|child| child.role.is_some());
        let name = def.name;
        let fault = match (def.children, plain.len()) {
            (Arity::One, 0) => Some((ErrorKind::Missing, format!("'{name}' needs a child"))),
            (Arity::Many, 0) => Some((ErrorKind::Missing, format!("'{name}' needs at least one child"))),
            (Arity::None, 1..) => Some((ErrorKind::TooMany, format!("'{name}' takes no children"))),
            (Arity::One, 2..) => {
                Some((ErrorKind::TooMany, format!("'{name}' takes one child, got {}", plain.len())))
            }
            (Arity::Few(least, most), got) if got < least || got > most => {
                let kind = if got < least { ErrorKind::Missing } else { ErrorKind::TooMany };
                let wanted = if least == most { format!("{least}") } else { format!("{least} to {most}") };
                Some((kind, format!("'{name}' takes {wanted} children, got {got}")))
            }
            _ => None,
        };
        if let Some((kind, message)) = fault {
            self.fault(Error::new(kind, message), spec, path);
        }
        for child in &named {
            let role = child.role.as_deref().unwrap_or_default();
            if def.condition != Some(role) {
                let unknown =
                    Error::new(ErrorKind::UnknownName, format!("'{name}' takes no condition '{role}'"));
                self.fault(unknown.near(role, def.condition), child, path);
            }
        }
        if let Some(role) = def.condition
            && !named.iter().any(|child| child.role.as_deref() == Some(role))
        {
            self.fault(
                Error::new(ErrorKind::Missing, format!("'{name}' needs a condition '{role}'")),
                spec,
                path,
            );
        }
    }

    /// A named condition is made of conditions, and of plain flow over them.
    fn check_pure(&mut self, from: usize, spec: &Spec, path: &str) {
        let impure = self.tree.nodes[from.min(self.tree.nodes.len())..].iter().position(|node| {
            !matches!(node.op, Op::Condition(_) | Op::Flow(Flow::Chain { .. }) | Op::Flow(Flow::Map { .. }))
        });
        if let Some(at) = impure {
            let def = self.tree.meta[from + at].def;
            let role = spec.role.as_deref().unwrap_or_default();
            let fault = Error::new(
                ErrorKind::WrongType,
                format!(
                    "'{role}' takes a condition, and '{}' is {} {}",
                    def.name,
                    article(def.kind),
                    def.kind.name()
                ),
            );
            self.fault(fault, spec, path);
        }
    }

    /// The parameters that hold inside a subtree: its defaults, with what it was given, themselves filled in.
    fn scope(&mut self, spec: &Spec, above: &Above<'_>) -> Option<Vec<(String, Arg)>> {
        let scope = spec.scope.as_ref()?;
        let mut params = Vec::with_capacity(scope.len());
        for (name, arg) in scope {
            match substitute(arg, above.params) {
                Ok(arg) => params.push((name.clone(), arg)),
                Err(error) => self.fault(error, spec, &above.path),
            }
        }
        Some(params)
    }
}

fn article(kind: Kind) -> &'static str {
    if kind == Kind::Action { "an" } else { "a" }
}

/// Where a key is wanted, `bt.key "name"` and `"name"` say the same.
fn word_for_key(params: &[crate::args::Param], name: &str, arg: Arg) -> Arg {
    let wants_key = params.iter().any(|param| param.name == name && param.ty == ParamType::Key);
    match arg {
        Arg::Key(key) if wants_key => Arg::Text(key),
        other => other,
    }
}

fn substitute(arg: &Arg, params: &[(String, Arg)]) -> Result<Arg> {
    match arg {
        Arg::Param(name) => match params.iter().find(|(known, _)| known == name) {
            Some((_, arg)) => Ok(arg.clone()),
            None => Err(Error::new(ErrorKind::UnknownName, format!("unknown subtree parameter '{name}'"))
                .near(name, params.iter().map(|(known, _)| known.as_str()))),
        },
        Arg::List(list) => {
            list.iter().map(|item| substitute(item, params)).collect::<Result<_>>().map(Arg::List)
        }
        other => Ok(other.clone()),
    }
}

/// A number that is equal for equal nodes: the explicit id, else path, kind and parameters.
fn identity(spec: &Spec, path: &str, params: &[(String, Arg)]) -> u64 {
    let mut hash = hash::START;
    let mut eat = |text: &str| hash = hash::eat(hash, text.bytes().chain([0]));
    match &spec.id {
        Some(id) => eat(id),
        None => eat(path),
    }
    eat(&spec.node);
    for (name, arg) in spec.args.iter().chain(&spec.edge) {
        eat(name);
        match substitute(arg, params) {
            Ok(Arg::Function(function)) => eat(&function.source.to_string()),
            Ok(arg) => eat(&format!("{arg:?}")),
            Err(_) => {}
        }
    }
    hash
}
