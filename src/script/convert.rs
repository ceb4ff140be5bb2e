//! From the marked tables of a script to [`Spec`]s: the same that Rust would have made.

use super::flavour::{self, content};
use super::keys::number;
use super::source::Sources;
use super::words::{What, mark_of, word_for};
use crate::args::{Arg, Function, Param};
use crate::error::{Error, ErrorKind, Place, Result};
use crate::tree::{NodeDef, Registry, Spec};
use mlua::{Table, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How deep nodes and lists may be nested.
const DEEPEST: usize = 200;

/// A function of a script, where the host keeps it.
pub(super) struct Callable {
    pub handle: u32,
    /// Nothing once its environment was dropped.
    pub function: Option<mlua::Function>,
    pub file: Arc<str>,
    pub generation: u32,
}

/// Converts what one load returned.
pub(super) struct Converter<'a> {
    pub registry: &'a Registry,
    pub files: &'a [(Arc<str>, Option<String>)],
    pub generation: u32,
    pub next_handle: u32,
    pub functions: Vec<Callable>,
    pub sources: Sources,
    pub known: BTreeMap<usize, u32>,
    /// The table `bt`.
    pub words: Option<Table>,
    /// Bytes that the specs may still take: tables that are used many times are many specs.
    pub room: usize,
    pub limit: usize,
    pub depth: usize,
}

/// A table of a node, taken apart.
#[derive(Default)]
struct Fields {
    named: Vec<(String, Value)>,
    listed: Vec<Value>,
}

impl Converter<'_> {
    /// The trees that a script returned, by name.
    pub fn trees(&mut self, file: &str, value: &Value) -> Result<Vec<(String, Spec)>> {
        let place = Place::new(file, 0);
        let stem = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".lua");
        let Value::Table(table) = value else {
            return Err(not_a_tree(&word_for(value)).at(place));
        };
        if mark_of(table).is_some() {
            return Ok(vec![self.tree(table, stem)?]);
        }
        let fields = fields(table, "the returned table").map_err(|error| error.at(place.clone()))?;
        if fields.listed.is_empty() && fields.named.is_empty() {
            return Err(not_a_tree("an empty table").at(place));
        }
        let mut trees = Vec::new();
        let listed =
            fields.listed.iter().enumerate().map(|(at, value)| (format!("{stem}_{}", at + 1), value));
        for (name, value) in listed.chain(fields.named.iter().map(|(name, value)| (name.clone(), value))) {
            if let Value::Table(table) = value
                && mark_of(table).is_some()
            {
                trees.push(self.tree(table, &name)?);
            }
        }
        unique(&trees)?;
        Ok(trees)
    }

    fn tree(&mut self, table: &Table, otherwise: &str) -> Result<(String, Spec)> {
        match mark_of(table) {
            Some((What::Tree, ..)) => {
                let name = text_at(table, 1);
                let Ok(Value::Table(node)) = table.raw_get(2) else {
                    return Err(not_a_tree("a tree without node"));
                };
                Ok((name, self.node(&node)?))
            }
            _ => Ok((otherwise.to_owned(), self.node(table)?)),
        }
    }

    fn place(&self, line: u32, file: usize) -> Place {
        let file = file
            .checked_sub(1)
            .and_then(|at| self.files.get(at))
            .map_or_else(|| "".into(), |(file, _)| file.clone());
        Place { file, line }
    }

    fn node(&mut self, table: &Table) -> Result<Spec> {
        let Some((what, line, file)) = mark_of(table) else { return Err(not_a_tree("a plain table")) };
        let place = self.place(line, file);
        self.depth += 1;
        let spec = self.take(std::mem::size_of::<Spec>()).and_then(|()| match what {
            _ if self.depth > DEEPEST => {
                Err(Error::new(ErrorKind::TooMany, format!("nodes are nested deeper than {DEEPEST}")))
            }
            What::Node(number) => self.plain(table, number),
            What::Use => self.used(table),
            What::Tree => self.tree(table, "").map(|(_, spec)| spec),
            What::Key | What::Param => Err(Error::new(ErrorKind::WrongType, "a key is no node")),
        });
        self.depth -= 1;
        let spec = spec.map_err(|error| error.at(place.clone()))?;
        Ok(if what == What::Tree { spec } else { spec.at(place) })
    }

    fn take(&mut self, bytes: usize) -> Result<()> {
        match self.room.checked_sub(bytes) {
            Some(rest) => {
                self.room = rest;
                Ok(())
            }
            None => Err(Error::new(
                ErrorKind::Memory,
                format!("the trees of this file need more than {} MiB", self.limit >> 20),
            )),
        }
    }

    fn plain(&mut self, table: &Table, number: usize) -> Result<Spec> {
        let Some(def) = self.registry.defs().get(number).copied() else {
            return Err(not_a_tree("a plain table"));
        };
        let fields = fields(table, &format!("'{}'", def.name))?;
        let mut spec = Spec::new(def.name);
        let mut roles = Vec::new();
        for (name, value) in in_order(fields.named, def.params) {
            match (name.as_str(), &value) {
                ("id", _) => spec.id = Some(text(&name, &value)?),
                ("params", _) if def.name == "subtree" => spec.scope = Some(self.scope(&value)?),
                _ if def.condition == Some(&name) => roles.push((name, self.condition(def, &value)?)),
                _ => spec.args.push((name.clone(), self.arg(&name, &value)?)),
            }
        }
        for (at, value) in fields.listed.iter().enumerate() {
            let child = self.child(def, at + 1, value)?;
            spec.children.push(child);
        }
        Ok(roles.into_iter().fold(spec, |spec, (role, child)| spec.named(role, child)))
    }

    fn condition(&mut self, def: &NodeDef, value: &Value) -> Result<Spec> {
        match value {
            Value::Table(table) if is_node(table) => self.node(table),
            other => {
                let role = def.condition.unwrap_or_default();
                Err(Error::new(
                    ErrorKind::WrongType,
                    format!("'{role}' takes a condition, got {}", word_for(other)),
                )
                .hint("a node, as bt.sees_target {}"))
            }
        }
    }

    /// A child, or a table with one child and what its parent is told about it.
    fn child(&mut self, def: &NodeDef, at: usize, value: &Value) -> Result<Spec> {
        let Value::Table(table) = value else {
            let fault = no_child(def, at, &word_for(value));
            return Err(match self.word_of(value) {
                Some(word) => fault.hint(format!("write bt.{word} {{}}")),
                None => fault,
            });
        };
        match mark_of(table) {
            Some((What::Key | What::Param, ..)) => return Err(no_child(def, at, "a key")),
            Some(_) => return self.node(table),
            None => {}
        }
        let wrapper = fields(table, &format!("child {at} of '{}'", def.name))?;
        let [Value::Table(inner)] = wrapper.listed.as_slice() else {
            return Err(no_child(def, at, "a table without exactly one node"));
        };
        if !is_node(inner) {
            return Err(no_child(def, at, "a table without exactly one node"));
        }
        let mut spec = self.node(inner)?;
        for (name, value) in in_order(wrapper.named, def.edge) {
            let arg = self.arg(&name, &value)?;
            spec = spec.edge(name, arg);
        }
        Ok(spec)
    }

    /// What makes nodes, where it stands without the braces of its table.
    fn word_of(&self, value: &Value) -> Option<String> {
        let Value::Function(function) = value else { return None };
        let words = content(self.words.as_ref()?);
        let mut made = words.pairs::<String, mlua::Function>().flatten();
        made.find(|(_, word)| word == function).map(|(name, _)| name)
    }

    fn used(&mut self, table: &Table) -> Result<Spec> {
        let (Ok(Value::Table(template)), Ok(Value::Table(given))) = (table.raw_get(1), table.raw_get(2))
        else {
            return Err(not_a_tree("a plain table"));
        };
        let mut spec = self.node(&template)?;
        spec.place = None;
        let title = format!("subtree '{}'", title_of(&spec));
        let given = fields(&given, &title)?;
        if !given.listed.is_empty() {
            return Err(Error::new(ErrorKind::TooMany, format!("{title} has its child already"))
                .hint("a use gives only parameters"));
        }
        for (name, value) in given.named {
            let arg = self.arg(&name, &value)?;
            let scope = spec.scope.get_or_insert_default();
            match (scope.iter_mut().find(|(known, _)| *known == name), arg) {
                (Some(param), arg) => param.1 = arg,
                (None, Arg::Text(id)) if name == "id" => spec.id = Some(id),
                (None, _) => {
                    return Err(Error::new(
                        ErrorKind::UnknownName,
                        format!("{title} has no parameter '{name}'"),
                    )
                    .near(&name, scope.iter().map(|(known, _)| known.as_str())));
                }
            }
        }
        if spec.scope.as_ref().is_some_and(Vec::is_empty) && text_params_absent(&template) {
            spec.scope = None;
        }
        Ok(spec)
    }

    fn scope(&mut self, value: &Value) -> Result<Vec<(String, Arg)>> {
        let Value::Table(table) = value else {
            return Err(Error::new(
                ErrorKind::WrongType,
                format!("'params' takes a table, got {}", word_for(value)),
            ));
        };
        let fields = fields(table, "'params'")?;
        if !fields.listed.is_empty() {
            return Err(Error::new(ErrorKind::WrongType, "'params' takes names with their defaults")
                .hint("params = { speed = 2 }"));
        }
        fields.named.iter().map(|(name, value)| Ok((name.clone(), self.arg(name, value)?))).collect()
    }

    fn arg(&mut self, name: &str, value: &Value) -> Result<Arg> {
        self.take(std::mem::size_of::<(String, Arg)>())?;
        if let Some(point) = flavour::vector_of(value) {
            return Ok(Arg::Vec3(point));
        }
        Ok(match value {
            Value::Boolean(value) => Arg::Bool(*value),
            Value::Integer(_) | Value::Number(_) => Arg::Number(number(value).unwrap_or_default()),
            Value::String(_) => {
                let text = text(name, value)?;
                self.take(text.len())?;
                Arg::Text(text)
            }
            Value::Function(function) => Arg::Function(self.function(name, function)?),
            Value::Table(table) => match mark_of(table) {
                Some((What::Key, ..)) => Arg::Key(text_at(table, 1)),
                Some((What::Param, ..)) => Arg::Param(text_at(table, 1)),
                Some(_) => {
                    return Err(Error::new(
                        ErrorKind::WrongType,
                        format!("parameter '{name}' takes no node"),
                    ));
                }
                None => Arg::List(self.list(name, table)?),
            },
            other => {
                return Err(Error::new(
                    ErrorKind::WrongType,
                    format!("parameter '{name}' cannot be {}", word_for(other)),
                ));
            }
        })
    }

    fn list(&mut self, name: &str, table: &Table) -> Result<Vec<Arg>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Error::new(
                ErrorKind::TooMany,
                format!("parameter '{name}' is nested deeper than {DEEPEST}"),
            ));
        }
        let fields = fields(table, &format!("parameter '{name}'"))?;
        if let Some((key, _)) = fields.named.first() {
            return Err(Error::new(
                ErrorKind::WrongType,
                format!("parameter '{name}' takes a list, and '{key}' is a name"),
            ));
        }
        let list = fields.listed.iter().map(|value| self.arg(name, value)).collect();
        self.depth -= 1;
        list
    }

    fn function(&mut self, name: &str, function: &mlua::Function) -> Result<Function> {
        let info = function.info();
        let file = info.source.as_deref().and_then(|source| source.strip_prefix('@'));
        let (Some(file), Some(line)) = (file, info.line_defined) else {
            return Err(Error::new(
                ErrorKind::WrongType,
                format!("parameter '{name}' takes a function of a script"),
            ));
        };
        let line = line as u32;
        let Some((file, _)) = self.files.iter().find(|(known, _)| &**known == file) else {
            return Err(Error::new(
                ErrorKind::WrongType,
                format!("parameter '{name}' takes a function of this script"),
            ));
        };
        let source = self.sources.hash(self.files, file, line);
        // The address only says whether it is the same function; nothing is ordered by it.
        let address = function.to_pointer().addr();
        if let Some(handle) = self.known.get(&address) {
            return Ok(Function { handle: *handle, source, line });
        }
        let handle = self.next_handle;
        self.next_handle += 1;
        self.known.insert(address, handle);
        self.functions.push(Callable {
            handle,
            function: Some(function.clone()),
            file: file.clone(),
            generation: self.generation,
        });
        Ok(Function { handle, source, line })
    }
}

fn is_node(table: &Table) -> bool {
    matches!(mark_of(table), Some((What::Node(_) | What::Use | What::Tree, ..)))
}

fn title_of(spec: &Spec) -> &str {
    let name = spec.args.iter().find(|(name, _)| name == "name");
    match name {
        Some((_, Arg::Text(text))) => text,
        _ => "",
    }
}

fn text_params_absent(template: &Table) -> bool {
    matches!(template.raw_get("params"), Ok(Value::Nil))
}

fn not_a_tree(got: &str) -> Error {
    Error::new(ErrorKind::WrongType, format!("returned {got}: a script must return its tree"))
        .hint("return bt.tree(\"name\", bt.selector { … })")
}

fn no_child(def: &NodeDef, at: usize, got: &str) -> Error {
    Error::new(ErrorKind::WrongType, format!("child {at} of '{}' is {got}, not a node", def.name))
}

fn unique(trees: &[(String, Spec)]) -> Result<()> {
    let mut names = BTreeSet::new();
    match trees.iter().find(|(name, _)| !names.insert(name)) {
        None => Ok(()),
        Some((name, spec)) => Err(Error::new(ErrorKind::Conflict, format!("two trees are called '{name}'"))
            .at_option(spec.place.as_ref())),
    }
}

fn text(name: &str, value: &Value) -> Result<String> {
    match value {
        Value::String(text) => text
            .to_str()
            .map(|text| text.to_owned())
            .map_err(|_| Error::new(ErrorKind::WrongType, format!("'{name}' is not UTF-8 text"))),
        other => {
            Err(Error::new(ErrorKind::WrongType, format!("'{name}' takes a text, got {}", word_for(other))))
        }
    }
}

fn text_at(table: &Table, at: i64) -> String {
    match table.raw_get(at) {
        Ok(Value::String(text)) => text.to_string_lossy(),
        _ => String::new(),
    }
}

/// Named fields as they are declared, unknown ones behind them by name: Lua keeps no order.
fn in_order(mut named: Vec<(String, Value)>, params: &[Param]) -> Vec<(String, Value)> {
    let rank = |name: &str| params.iter().position(|param| param.name == name).unwrap_or(params.len());
    named.sort_by(|a, b| (rank(&a.0), &a.0).cmp(&(rank(&b.0), &b.0)));
    named
}

/// Takes a table apart: names by name, and what is listed, which must be 1 to n without a hole.
fn fields(table: &Table, what: &str) -> Result<Fields> {
    let mut listed = BTreeMap::new();
    let mut fields = Fields::default();
    for pair in content(table).pairs::<Value, Value>() {
        let (key, value) = pair.map_err(|error| super::fault::translate(&error, 0))?;
        match (&key, number(&key)) {
            (Value::String(name), _) => fields.named.push((name.to_string_lossy(), value)),
            (Value::LightUserData(_), _) => {}
            (_, Some(at)) if at.fract() == 0.0 && at >= 1.0 => {
                listed.insert(at as u64, value);
            }
            (other, _) => {
                return Err(Error::new(
                    ErrorKind::WrongType,
                    format!("{what} has the key {}", word_for(other)),
                )
                .hint("names and a list, nothing else"));
            }
        }
    }
    let hole = listed.keys().zip(1..).find(|(at, wanted)| *at != wanted).map(|(_, wanted)| wanted);
    if let Some(hole) = hole {
        return Err(Error::new(ErrorKind::Missing, format!("child {hole} of {what} is nil"))
            .hint("a name that is not set, or a function that returned nothing?"));
    }
    fields.named.sort_by(|a, b| a.0.cmp(&b.0));
    fields.listed = listed.into_values().collect();
    Ok(fields)
}
