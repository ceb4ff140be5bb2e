//! Reading and running files: where they come from, `require`, and the environment of each.

use super::chunks::Chunks;
use super::fault::{LONGEST_FILE, raise, translate};
use super::flavour;
use super::shared::{Phase, Shared, Stage};
use crate::blackboard::KeyDecl;
use crate::error::{Error, ErrorKind, Place, Result};
use mlua::{Lua, Value};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Where scripts come from: what was pushed, else the disk below the root.
#[derive(Default)]
pub(super) struct Library {
    pub root: Option<PathBuf>,
    pub pushed: BTreeMap<String, String>,
    /// What was run last of each file, for words about its faults.
    pub texts: BTreeMap<String, Arc<str>>,
    pub chunks: Chunks,
}

/// How many files one load may ask for, found or not.
const MOST_FILES: usize = 1000;

/// One load, while it runs.
#[derive(Default)]
pub(super) struct Loading {
    modules: BTreeMap<String, Value>,
    /// What was refused once is refused in the same words again.
    refused: BTreeMap<String, Error>,
    chain: Vec<String>,
    /// All files that were asked for, in that order, with their text where they could be read.
    pub files: Vec<(Arc<str>, Option<String>)>,
    pub keys: Vec<KeyDecl>,
}

impl Loading {
    /// The number of a file for the mark of a node; 0 for none.
    pub fn number_of(&self, file: &str) -> usize {
        self.files.iter().position(|(known, _)| &**known == file).map_or(0, |at| at + 1)
    }
}

/// A path as authors write it, without ways out of the root.
pub(super) fn checked_path(path: &str) -> Result<()> {
    let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    if path.len() > LONGEST_FILE {
        return Err(Error::new(ErrorKind::File, format!("'{path}' is longer than {LONGEST_FILE} bytes")));
    }
    if inside && !path.is_empty() && !path.contains(['\\', ':', '\0']) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::File, format!("'{path}' leads out of the scripts' folder"))
        .hint("name files by their path below it"))
}

/// `a.b` and `a/b` are the file `a/b.lua`.
pub(super) fn path_of(module: &str) -> Result<String> {
    let bare = module.strip_suffix(".lua").unwrap_or(module);
    if bare.starts_with('.') || bare.contains("..") {
        return Err(outside(module));
    }
    let path = format!("{}.lua", bare.replace('.', "/"));
    if path.len() <= LONGEST_FILE {
        checked_path(&path).map_err(|_| outside(module))?;
    } else {
        checked_path(&path)?;
    }
    Ok(path)
}

fn outside(module: &str) -> Error {
    Error::new(ErrorKind::File, format!("'{module}' leads out of the scripts' folder"))
        .hint("name modules by their path below it")
}

impl Library {
    /// The text of a file.
    pub fn read(&self, path: &str) -> Result<String> {
        checked_path(path)?;
        if let Some(text) = self.pushed.get(path) {
            return Ok(text.clone());
        }
        let Some(root) = &self.root else { return Err(self.missing(path)) };
        let root = root.canonicalize().map_err(|_| {
            Error::new(ErrorKind::File, format!("the scripts' folder '{}' cannot be read", root.display()))
        })?;
        let Ok(full) = root.join(path).canonicalize() else { return Err(self.missing(path)) };
        if !full.starts_with(&root) {
            return Err(Error::new(ErrorKind::File, format!("'{path}' leads out of the scripts' folder"))
                .hint("a link that points outside is not followed"));
        }
        let bytes = crate::error::read_regular(&full)
            .map_err(|error| Error::new(ErrorKind::File, format!("'{path}' cannot be read: {error}")))?;
        String::from_utf8(bytes)
            .map_err(|_| Error::new(ErrorKind::File, format!("'{path}' is not UTF-8 text")))
    }

    fn missing(&self, path: &str) -> Error {
        let names = self.names();
        Error::new(ErrorKind::File, format!("there is no file '{path}'"))
            .near(path, names.iter().map(String::as_str))
    }

    /// All scripts there are, in the order of their names; folders deeper than eight are left out.
    fn names(&self) -> Vec<String> {
        let mut names = self.pushed.keys().cloned().collect::<Vec<_>>();
        if let Some(root) = &self.root {
            list(root, "", 8, &mut names);
        }
        names.sort();
        names.dedup();
        names
    }
}

fn list(folder: &Path, prefix: &str, depth: usize, names: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = format!("{prefix}{name}");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth > 0 => {
                list(&entry.path(), &format!("{path}/"), depth - 1, names)
            }
            Ok(_) if name.ends_with(".lua") => names.push(path),
            _ => {}
        }
    }
}

/// Runs `require "name"` for a script that is being loaded.
pub(super) fn require(lua: &Lua, stage: &Shared<Stage>, name: &Value, memory: usize) -> mlua::Result<Value> {
    let Value::String(name) = name else {
        let got = name.type_name();
        let fault =
            Error::new(ErrorKind::WrongType, format!("require takes the name of a module, got {got}"));
        return Err(raise(lua, fault));
    };
    let path = path_of(&name.to_string_lossy()).map_err(|error| raise(lua, error))?;
    module(lua, stage, &path, memory).map_err(|error| raise(lua, error))
}

/// The value of a file: what it returned to whoever asked first in this load.
pub(super) fn module(lua: &Lua, stage: &Shared<Stage>, path: &str, memory: usize) -> Result<Value> {
    let text = match stage.with(|stage| enter(stage, path))? {
        Entered::Known(value) => return Ok(value),
        Entered::New(text) => text,
    };
    let chunks = stage.with(|stage| stage.library.chunks.clone());
    let value = is_text(path, &text)
        .and_then(|()| run(lua, &chunks, path, &text).map_err(|error| translate(&error, memory)));
    stage.with(|stage| leave(stage, path, value))
}

enum Entered {
    Known(Value),
    New(String),
}

fn enter(stage: &mut Stage, path: &str) -> Result<Entered> {
    let Some(loading) = stage.loading.as_mut().filter(|_| stage.phase == Phase::Load) else {
        return Err(Error::new(ErrorKind::Script, "require works only while a script is loaded")
            .hint("call it at the top of the file"));
    };
    if let Some(value) = loading.modules.get(path) {
        return Ok(Entered::Known(value.clone()));
    }
    if let Some(error) = loading.refused.get(path) {
        return Err(error.clone());
    }
    if let Some(from) = loading.chain.iter().position(|open| open == path) {
        let chain = loading.chain[from..].join(" → ");
        return Err(Error::new(ErrorKind::Cycle, format!("'{path}' requires itself: {chain} → {path}"))
            .hint("move what both need into a third file"));
    }
    if loading.files.len() >= MOST_FILES {
        return Err(Error::new(ErrorKind::TooMany, format!("more than {MOST_FILES} files in one load")));
    }
    let text = stage.library.read(path);
    loading.files.push((path.into(), text.as_ref().ok().cloned()));
    match text {
        Ok(text) => {
            loading.chain.push(path.to_owned());
            stage.library.texts.insert(path.to_owned(), text.as_str().into());
            Ok(Entered::New(text))
        }
        Err(error) => {
            loading.refused.insert(path.to_owned(), error.clone());
            Err(error)
        }
    }
}

fn leave(stage: &mut Stage, path: &str, value: Result<Value>) -> Result<Value> {
    let Some(loading) = &mut stage.loading else { return value };
    loading.chain.pop();
    let value = value.and_then(|value| something(value, path, loading.chain.is_empty()));
    match &value {
        Ok(value) => drop(loading.modules.insert(path.to_owned(), value.clone())),
        Err(error) => drop(loading.refused.insert(path.to_owned(), error.clone())),
    }
    value
}

fn something(value: Value, path: &str, main: bool) -> Result<Value> {
    if !value.is_nil() {
        return Ok(value);
    }
    let (what, hint) = if main {
        (
            "a script must return its tree",
            "return bt.tree(\"name\", bt.selector { … }), or a table of several",
        )
    } else {
        ("a module must return something", "end it with return and what its users need")
    };
    Err(Error::new(ErrorKind::Missing, format!("returned nil: {what}")).hint(hint).at(Place::new(path, 0)))
}

/// Bytecode of Lua begins with an escape, and the VM trusts it, whoever wrote it.
/// What comes after a NUL is not read by some.
fn is_text(path: &str, text: &str) -> Result<()> {
    if let Some(at) = text.find('\0') {
        let line = text[..at].matches('\n').count() as u32 + 1;
        return Err(
            Error::new(ErrorKind::Syntax, "there is a NUL byte in the text").at(Place::new(path, line))
        );
    }
    if !text.starts_with('\u{1b}') {
        return Ok(());
    }
    let fault = Error::new(ErrorKind::Syntax, "is bytecode, and only text is run").at(Place::new(path, 0));
    Err(fault.hint("give the source of the script"))
}

fn run(lua: &Lua, chunks: &Chunks, path: &str, text: &str) -> mlua::Result<Value> {
    let environment = lua.create_table()?;
    environment.set_metatable(Some(lua.named_registry_value("environment")?))?;
    flavour::trust(&environment);
    // Some editors mark UTF-8 so; it is no part of the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some((line, what)) = flavour::refused(text) {
        return Err(mlua::Error::external(Error::new(ErrorKind::Syntax, what).at(Place::new(path, line))));
    }
    chunks.load(lua, format!("@{path}"), text, Some(environment))?.call(())
}
