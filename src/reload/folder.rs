//! The script files below one folder: their names, their text, and where linked files really lie.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::backend::Reach;
use super::settle::{Disk, Found};
use crate::error::{Error, ErrorKind, Place, Result};

/// Folders below folders that are looked into; deeper ones hold no scripts.
const DEEPEST: usize = 32;

/// A folder by its real path.
pub(super) struct Folder {
    pub root: PathBuf,
    /// Names by which a file of another place is known here, by its real path.
    links: BTreeMap<PathBuf, BTreeSet<String>>,
    /// Linked folders, wherever they lead.
    linked: BTreeSet<PathBuf>,
    /// Folders to watch beside the root: linked ones outside, and those that hold the targets of linked files.
    targets: BTreeMap<PathBuf, Reach>,
    /// Those of them that nobody has asked for yet.
    new_targets: Vec<(PathBuf, Reach)>,
}

impl Folder {
    /// The folder at `root`, which must be there.
    pub fn open(root: &Path) -> Result<Self> {
        let fault = |reason: &dyn std::fmt::Display| {
            Error::new(ErrorKind::File, format!("cannot watch the folder '{}': {reason}", root.display()))
        };
        let real = std::fs::canonicalize(root).map_err(|reason| fault(&reason))?;
        if !real.is_dir() {
            return Err(fault(&"it is a file").hint("give the folder it lies in"));
        }
        Ok(Self {
            root: real,
            links: BTreeMap::new(),
            linked: BTreeSet::new(),
            targets: BTreeMap::new(),
            new_targets: Vec::new(),
        })
    }

    /// The name of `path` if it lies in the folder and is not hidden; empty for the folder itself.
    pub fn name_of(&self, path: &Path) -> Option<String> {
        let mut name = String::new();
        for part in path.strip_prefix(&self.root).ok()?.components() {
            let Component::Normal(part) = part else { return None };
            let part = part.to_str().filter(|part| !part.starts_with('.'))?;
            if !name.is_empty() {
                name.push('/');
            }
            name.push_str(part);
        }
        Some(name)
    }

    /// The names of linked files that really lie at `path`.
    pub fn linked_to(&self, path: &Path) -> impl Iterator<Item = &String> {
        self.links.get(path).into_iter().flatten()
    }

    /// Whether any file in the folder may have another path too.
    pub fn has_links(&self) -> bool {
        !self.links.is_empty() || !self.linked.is_empty()
    }

    /// Folders to watch beside the root.
    pub fn targets(&self) -> &BTreeMap<PathBuf, Reach> {
        &self.targets
    }

    /// Those that were found since the last call.
    pub fn take_new_targets(&mut self) -> Vec<(PathBuf, Reach)> {
        std::mem::take(&mut self.new_targets)
    }

    /// Something else may lie at `path` now: if it is linked still, it is found anew. True if it was a linked folder.
    pub fn forget(&mut self, path: &Path) -> bool {
        self.targets.remove(path);
        self.linked.remove(path)
    }

    fn add_target(&mut self, path: &Path, reach: Reach) {
        if self.targets.insert(path.to_path_buf(), reach).is_none() {
            self.new_targets.push((path.to_path_buf(), reach));
        }
    }

    fn path_of(&self, name: &str) -> PathBuf {
        name.split('/').fold(self.root.clone(), |path, part| path.join(part))
    }

    /// Remembers where `name` really lies, if that is elsewhere.
    fn follow(&mut self, name: &str, path: &Path) {
        let Ok(real) = std::fs::canonicalize(path) else { return };
        if real == *path {
            return;
        }
        // What is linked by its folder is watched through that folder.
        let linked_itself = std::fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink());
        let outside = real.parent().filter(|parent| linked_itself && !parent.starts_with(&self.root));
        if let Some(parent) = outside {
            self.add_target(parent, Reach::Near);
        }
        self.links.entry(real).or_default().insert(name.to_string());
    }

    /// Adds the scripts in `path` and below; `above` holds the real folders on the way, to step out of link circles.
    fn walk(&mut self, path: &Path, above: &mut Vec<PathBuf>, names: &mut Vec<String>) {
        let Ok(real) = std::fs::canonicalize(path) else { return };
        if above.contains(&real) || above.len() >= DEEPEST {
            return;
        }
        if std::fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink()) {
            self.linked.insert(path.to_path_buf());
            // A link made later is not followed by the watch of the root. What lies in the root, or holds it, is
            // watched by its own name: a second watch of one folder would take the place of the first.
            if !real.starts_with(&self.root) && !self.root.starts_with(&real) {
                self.add_target(path, Reach::Deep);
            }
        }
        above.push(real);
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            let path = entry.path();
            let Some(name) = self.name_of(&path) else { continue };
            if path.is_dir() {
                self.walk(&path, above, names);
            } else if is_script(&name) {
                names.push(name);
            }
        }
        above.pop();
    }
}

impl Disk for Folder {
    fn read(&mut self, name: &str) -> Found {
        let path = self.path_of(name);
        self.follow(name, &path);
        match crate::error::read_regular(&path) {
            Ok(bytes) => String::from_utf8(bytes).map_or_else(|fault| not_text(name, &fault), Found::Text),
            Err(_) if path.is_dir() => Found::Gone,
            // A folder on the way that has become a file.
            Err(fault) if matches!(fault.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Found::Gone
            }
            Err(fault) => bad(name, format!("cannot be read: {fault}")),
        }
    }

    fn names(&mut self, names: &mut Vec<String>) {
        self.walk(&self.root.clone(), &mut Vec::new(), names);
    }
}

/// Whether the file is one of ours.
pub(super) fn is_script(name: &str) -> bool {
    name.ends_with(".lua") || name.ends_with(".luau")
}

fn not_text(name: &str, fault: &std::string::FromUtf8Error) -> Found {
    let good = &fault.as_bytes()[..fault.utf8_error().valid_up_to()];
    let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
    let error = Error::new(ErrorKind::Syntax, "not UTF-8 text").hint("save it as UTF-8");
    Found::Bad(error.at(Place::new(name, u32::try_from(line).unwrap_or(0))))
}

fn bad(name: &str, message: String) -> Found {
    Found::Bad(Error::new(ErrorKind::File, message).at(Place::new(name, 0)))
}
