//! The stage before all others: scripts, loaded and taken over anew when their files change.
//!
//! A reload is a transaction over everything that depends on the changed files: all of it is loaded and built
//! beside what runs; only when all is good it takes over, at once, between two ticks. Else what runs goes on, and
//! there is one problem that says why.

use super::World;
use super::report::EventKind;
use crate::blackboard::{KeyDecl, KeyId, Schema};
use crate::error::{Error, ErrorKind, Result};
use crate::reload::hash;
use crate::script::{Loaded, Script, ScriptLimits};
use crate::tree::Tree;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The scripts of a world.
#[derive(Default)]
pub(super) struct Scripts {
    root: Option<PathBuf>,
    loaded: Vec<Taken>,
    /// Files whose last version was refused: they are tried again when any file changes.
    #[cfg(feature = "reload")]
    refused: Vec<String>,
    #[cfg(feature = "reload")]
    watcher: Option<crate::reload::Watcher>,
}

/// A script that runs.
struct Taken {
    file: String,
    generation: u32,
    /// All files that it is made of, with their contents as a number.
    files: Vec<(String, u64)>,
    /// The keys that it declares.
    keys: Vec<String>,
    /// The trees that it returned.
    trees: Vec<String>,
}

/// What a transaction is going to put in place.
struct Change {
    loaded: Vec<Loaded>,
    schema: Schema,
    /// Keys whose type is another than before: their values are lost.
    retyped: Vec<KeyId>,
    trees: Vec<Arc<Tree>>,
}

impl World {
    /// Sets the folder below which scripts are found, by [`World::load`] and by `require`. Without it, the folder of
    /// the first loaded file. An empty path, as the folder of a bare file name, is the current folder.
    pub fn set_script_root(&mut self, root: impl Into<PathBuf>) {
        let mut root = root.into();
        if root.as_os_str().is_empty() {
            root.push(".");
        }
        if let Some(script) = &mut self.host {
            script.set_root(root.clone());
        }
        self.scripts.root = Some(root);
    }

    /// Loads a script: its keys are declared, and its trees can be given to agents by name. To load it again takes
    /// over what has changed. What is legal but hardly meant is a problem of [`crate::ErrorKind::Warning`], told once.
    ///
    /// `path` is relative to the script root; without one, it is any path, and its folder becomes the root.
    ///
    /// # Errors
    /// Every fault that was found, with file and line; nothing is changed then.
    pub fn load(&mut self, path: impl AsRef<Path>) -> Result<()> {
        let file = self.file_under_root(path.as_ref())?;
        self.take_over_scripts(vec![file])
    }

    /// Takes over a script or module whose text comes from elsewhere than the disk: an archive, an editor. From then
    /// on this text counts and not the file's. All scripts that use it are taken over at once.
    ///
    /// # Errors
    /// Every fault that was found, with file and line; what runs goes on then.
    pub fn reload(&mut self, file: &str, text: &str) -> Result<()> {
        self.host()?.set_source(file, Some(text.to_owned()));
        let mut users = self.users_of(&[file.to_owned()]);
        if users.is_empty() {
            users.push(file.to_owned());
        }
        self.take_over_scripts(users)
    }

    fn file_under_root(&mut self, path: &Path) -> Result<String> {
        if self.scripts.root.is_none() {
            self.set_script_root(path.parent().unwrap_or(Path::new("")));
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            return name
                .ok_or_else(|| Error::new(ErrorKind::File, format!("'{}' is no file", path.display())));
        }
        let root = self.scripts.root.clone().unwrap_or_default();
        let under = path.strip_prefix(&root).unwrap_or(path);
        Ok(under.to_string_lossy().replace('\\', "/"))
    }

    fn host(&mut self) -> Result<&mut Script> {
        if self.host.is_none() {
            let limits = ScriptLimits {
                instructions: self.config.script_instructions,
                memory: self.config.script_memory,
                ..ScriptLimits::default()
            };
            let mut script = Script::new(&self.registry, self.config.seed, limits)?;
            script.set_root(self.scripts.root.clone().unwrap_or_else(|| PathBuf::from(".")));
            self.host = Some(script);
        }
        Ok(self.host.as_mut().expect("BUG: the script host was put there just now"))
    }

    /// Loads these scripts and lets all of them take over, or none.
    fn take_over_scripts(&mut self, files: Vec<String>) -> Result<()> {
        let mut loaded = Vec::new();
        for file in &files {
            match self.host()?.load(file) {
                Ok(one) => loaded.push(one),
                Err(error) => {
                    self.drop_loaded(&loaded);
                    return Err(error);
                }
            }
        }
        match self.prepare(loaded) {
            Ok(change) => {
                self.put_in_place(change);
                Ok(())
            }
            Err((error, loaded)) => {
                self.drop_loaded(&loaded);
                Err(error)
            }
        }
    }

    fn drop_loaded(&mut self, loaded: &[Loaded]) {
        if let Some(script) = &mut self.host {
            loaded.iter().for_each(|one| script.drop_generation(one.generation));
        }
    }

    /// Builds everything beside what runs.
    fn prepare(&mut self, loaded: Vec<Loaded>) -> std::result::Result<Change, (Error, Vec<Loaded>)> {
        let mut schema = self.scene.schema.clone();
        let old = self.keys_to_overrule(&loaded);
        let (retyped, mut errors) = declare_all(&mut schema, loaded.iter().flat_map(|one| &one.keys), &old);
        let mut trees = Vec::new();
        if errors.is_empty() {
            let Self { registry, scene, trees: known, .. } = self;
            let symbols = &mut Self::part(scene).symbols;
            for (name, spec) in loaded.iter().flat_map(|one| &one.trees) {
                match known.slots.build(name, spec, registry, &schema, symbols) {
                    Ok(tree) => trees.push(tree),
                    Err(error) => errors.extend(error.each().cloned().map(Error::without_more)),
                }
            }
        }
        match Error::all(errors) {
            None => Ok(Change { loaded, schema, retyped, trees }),
            Some(error) => Err((error, loaded)),
        }
    }

    /// The keys that were declared by older versions of these scripts, and by nobody else.
    fn keys_to_overrule(&self, loaded: &[Loaded]) -> Vec<String> {
        let (own, others): (Vec<_>, Vec<_>) =
            self.scripts.loaded.iter().partition(|taken| loaded.iter().any(|one| one.file == taken.file));
        let elsewhere = |key: &&String| others.iter().any(|taken| taken.keys.contains(key));
        own.iter().flat_map(|taken| &taken.keys).filter(|key| !elsewhere(key)).cloned().collect()
    }

    fn put_in_place(&mut self, change: Change) {
        let warned = self.key_warnings();
        self.scene_mut().schema = change.schema;
        self.grow_boards();
        for key in change.retyped {
            self.reset_key(key);
        }
        change.trees.into_iter().for_each(|tree| self.put_tree(tree));
        self.report_new(self.key_warnings(), &warned);
        for one in change.loaded {
            let files = one.files.iter().map(|(path, text)| (path.clone(), hash(text.as_bytes()))).collect();
            #[cfg(feature = "reload")]
            if let Some(watcher) = &mut self.scripts.watcher {
                one.files.iter().for_each(|(path, text)| watcher.knows(path, text));
            }
            let keys = one.keys.iter().map(|key| key.name.clone()).collect();
            let trees = one.trees.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
            let missed = self.miss_trees(&one.file, &trees);
            let taken = Taken { file: one.file.clone(), generation: one.generation, files, keys, trees };
            match self.scripts.loaded.iter_mut().find(|old| old.file == one.file) {
                Some(old) => {
                    let old = std::mem::replace(old, taken);
                    // Functions of a tree that goes on must live on.
                    if let (Some(script), false) = (&mut self.host, missed) {
                        script.drop_generation(old.generation);
                    }
                    self.event(EventKind::Reload { script: one.file.as_str().into() }, None, None);
                }
                None => self.scripts.loaded.push(taken),
            }
        }
    }

    /// Tells of trees that an older version of a file had and the new one has not, if agents run them; says whether
    /// there are any.
    fn miss_trees(&mut self, file: &str, trees: &[String]) -> bool {
        let Some(old) = self.scripts.loaded.iter().find(|old| old.file == file) else { return false };
        let gone = old.trees.iter().filter(|name| !trees.contains(name) && self.trees.is_run(name));
        let gone = gone.cloned().collect::<Vec<_>>();
        let missed = !gone.is_empty();
        for name in gone {
            let message = format!("tree '{name}' is not in the file any more: its agents keep the old one");
            let fault = Error::new(ErrorKind::Warning, message).at(crate::error::Place::new(file, 0));
            self.report(fault.hint("was it renamed?"));
        }
        missed
    }

    fn reset_key(&mut self, key: KeyId) {
        let info = self.scene.schema.info(key).clone();
        let message = format!("key '{}' is {} now: its values were reset", info.name, info.ty);
        self.report(Error::new(ErrorKind::Warning, message).at_option(info.place.as_ref()));
        self.reset_on_boards(&info);
    }

    /// The loaded scripts that are made of any of these files.
    fn users_of(&self, files: &[String]) -> Vec<String> {
        let uses = |taken: &&Taken| taken.files.iter().any(|(path, _)| files.contains(path));
        self.scripts.loaded.iter().filter(uses).map(|taken| taken.file.clone()).collect()
    }

    /// One step of the scripts' garbage collection: what this tick left behind.
    pub(super) fn collect_garbage(&mut self) {
        if let Some(script) = &mut self.host {
            script.collect();
        }
    }

    /// Takes what scripts printed while they were loaded, since it was asked for last.
    pub fn script_notes(&mut self) -> Vec<String> {
        self.host.as_mut().map(Script::take_notes).unwrap_or_default()
    }

    /// Drops the threads of all coroutines of scripts: those that run begin anew in the next tick, with what they keep in
    /// `self.memory`. For a world whose minds were put back to an earlier state.
    pub fn forget_threads(&mut self) {
        if let Some(script) = &mut self.host {
            script.forget_threads();
        }
        self.minds.iter_mut().for_each(|mind| mind.forget_threads());
    }

    /// The bytes that scripts use now.
    pub fn script_memory(&self) -> usize {
        self.host.as_ref().map_or(0, Script::used_memory)
    }
}

/// Declares all keys; answers those of another type than before, and what cannot be declared. Only `old` keys may
/// be declared in other words than before, and only once.
fn declare_all<'k>(
    schema: &mut Schema,
    keys: impl Iterator<Item = &'k KeyDecl>,
    old: &[String],
) -> (Vec<KeyId>, Vec<Error>) {
    let mut declared: Vec<&str> = Vec::new();
    let (mut retyped, mut errors) = (Vec::new(), Vec::new());
    for decl in keys {
        let overrules = old.contains(&decl.name) && !declared.contains(&decl.name.as_str());
        let result = if overrules {
            schema.redeclare(decl.clone())
        } else {
            schema.declare(decl.clone()).map(|id| (id, false))
        };
        match result {
            Ok((id, true)) => retyped.push(id),
            Ok(_) => {}
            Err(error) => errors.push(error),
        }
        declared.push(&decl.name);
    }
    (retyped, errors)
}

#[cfg(feature = "reload")]
impl World {
    /// Watches the script root: from now on a saved script takes over at the start of the next tick after its file
    /// has come to rest.
    ///
    /// # Errors
    /// No script root yet, or a folder that cannot be watched.
    pub fn watch(&mut self, mode: crate::reload::WatchMode) -> Result<()> {
        let root = self.scripts.root.clone().ok_or_else(|| {
            Error::new(ErrorKind::Missing, "there is no script root to watch").hint("load a script first")
        })?;
        self.scripts.watcher = Some(crate::reload::Watcher::new(&root, mode)?);
        Ok(())
    }

    /// Takes over what has changed on disk. A refused version is a problem, and tried again when any file changes.
    pub(super) fn reload_stage(&mut self) {
        let Some(watcher) = &mut self.scripts.watcher else { return };
        let changes = watcher.changed();
        let notes = watcher.take_notes();
        notes.into_iter().for_each(|note| self.report(note));
        if changes.is_empty() {
            return;
        }
        self.scripts.refused.extend(changes.into_iter().map(|change| change.path));
        self.scripts.refused.sort();
        self.scripts.refused.dedup();
        let files = std::mem::take(&mut self.scripts.refused);
        let users = self.users_of(&files);
        if users.is_empty() {
            return;
        }
        if let Err(error) = self.take_over_scripts(users) {
            self.scripts.refused = files;
            for one in error.each() {
                self.report_again(one.clone().without_more());
            }
        }
    }
}
