//! The stage before all others: scripts, loaded and taken over anew when their files change.
//!
//! A reload is a transaction over everything that depends on the changed files: all of it is loaded and built
//! beside what runs; only when all is good it takes over, at once, between two ticks. Else what runs goes on, and
//! there is one problem that says why.

use super::World;
use super::hoards::Hoard;
use super::reloads::Refused;
use super::report::EventKind;
use super::trial::{Kept, TRIAL, Trial};
use crate::blackboard::{KeyDecl, KeyId, Schema};
use crate::error::{Error, ErrorKind, Result};
use crate::hash::hash;
use crate::script::{Chunks, Loaded, Script, ScriptLimits};
use crate::tree::{Spec, Tree};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The scripts of a world.
#[derive(Default)]
pub(super) struct Scripts {
    root: Option<PathBuf>,
    chunks: Chunks,
    pub loaded: Vec<Taken>,
    /// Changes that were refused, until they are mended.
    pub refused: Vec<Refused>,
    /// The files that the last transaction asked for, found or not.
    pub touched: Vec<String>,
    /// How many transactions there were.
    changes: u64,
    #[cfg(feature = "reload")]
    pub watcher: Option<crate::reload::Watcher>,
}

/// A script that runs.
pub(super) struct Taken {
    pub version: Version,
    /// When it erred last, and how.
    pub erred: Option<(u64, Error)>,
    /// While it is new: what it goes back to if it errs.
    pub trial: Option<Trial>,
    /// Whether its variables were dropped.
    pub hoard: super::hoards::Hoard,
}

/// One version of a script: what its load gave, with the contents of files as numbers.
pub(super) struct Version {
    loaded: Loaded,
    files: Vec<(String, u64)>,
}

impl Version {
    pub fn new(mut loaded: Loaded) -> Self {
        let texts = std::mem::take(&mut loaded.files);
        let files = texts.into_iter().map(|(path, text)| (path, hash(text.as_bytes()))).collect();
        Self { loaded, files }
    }
    /// The number of its load.
    pub fn generation(&self) -> u32 {
        self.loaded.generation
    }
    pub fn file(&self) -> &str {
        &self.loaded.file
    }
    /// All files that it is made of.
    pub fn files(&self) -> impl Iterator<Item = String> {
        self.files.iter().map(|(path, _)| path.clone())
    }
    pub fn is_made_of(&self, file: &str) -> bool {
        self.files.iter().any(|(path, _)| path == file)
    }
    /// The files that were not in another version, or not with these contents.
    pub fn changed_since(&self, other: &Self) -> Vec<String> {
        self.files.iter().filter(|one| !other.files.contains(one)).map(|(path, _)| path.clone()).collect()
    }
    fn has_tree(&self, name: &str) -> bool {
        self.loaded.trees.iter().any(|(known, _)| known == name)
    }
    fn has_key(&self, name: &str) -> bool {
        self.loaded.keys.iter().any(|key| key.name == name)
    }
}

/// What a transaction is going to put in place.
pub(super) struct Change {
    schema: Schema,
    /// Keys whose type is another than before: their values are lost.
    retyped: Vec<KeyId>,
    trees: Vec<Arc<Tree>>,
}

impl Scripts {
    #[cfg(feature = "reload")]
    pub fn root(&self) -> Option<PathBuf> {
        self.root.clone()
    }
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

    /// Compiled scripts to use and to add to: worlds that are given clones of the same compile each text once between
    /// them. Without, each world has its own. To be given before the first load; what was compiled stays as it is.
    ///
    /// ```no_run
    /// # use warband::{Config, World, script::Chunks};
    /// let chunks = Chunks::default();
    /// let mut matches: Vec<World> = (0..1000).map(|_| World::new(Config::default())).collect();
    /// for world in &mut matches {
    ///     world.set_chunks(&chunks);
    ///     world.load("scripts/encircle.lua")?;
    /// }
    /// # Ok::<(), warband::Error>(())
    /// ```
    pub fn set_chunks(&mut self, chunks: &Chunks) {
        self.scripts.chunks = chunks.clone();
        if let Some(script) = &mut self.host {
            script.set_chunks(chunks.clone());
        }
    }

    /// Loads a script: its keys are declared, and its trees can be given to agents by name. To load it again takes
    /// over what has changed. What is legal but hardly meant is a problem of [`crate::ErrorKind::Warning`], told once.
    ///
    /// `path` is relative to the script root; without one, it is any path, and its folder becomes the root.
    ///
    /// # Errors
    /// Every fault that was found, with file and line; nothing is changed then.
    pub fn load(&mut self, path: impl AsRef<Path>) -> Result<()> {
        let had_root = self.scripts.root.is_some();
        let file = self.file_under_root(path.as_ref())?;
        let loaded = self.take_over_or_refuse(vec![file.clone()]);
        // A file that is broken is mended where it is; one that is not there says nothing of where scripts are.
        if loaded.is_err() && !had_root && !path.as_ref().is_file() {
            self.scripts.root = None;
            self.host()?.set_root(PathBuf::from("."));
            self.forget_refused(&file);
        }
        loaded
    }

    /// Takes over a script or module whose text comes from elsewhere than the disk: an archive, an editor. From then
    /// on this text counts and not the file's. All scripts that use it are taken over at once.
    ///
    /// # Errors
    /// Every fault that was found, with file and line; what runs goes on then.
    pub fn reload(&mut self, file: &str, text: &str) -> Result<()> {
        self.host()?.set_source(file, Some(text.to_owned()));
        let changed = [file.to_owned()];
        let users = self.groups_of(&changed).pop().unwrap_or_else(|| changed.to_vec());
        self.take_over_or_refuse(users)
    }

    /// Takes over several changed files at once, as [`World::reload`] one: scripts that use any of the same files take
    /// over together or not at all; others are not held up by them. A text of `None` takes a pushed file away again.
    /// A file that no script uses only counts when it is asked for later.
    ///
    /// # Errors
    /// Every fault that was found, with file and line; what is not concerned by any of them has taken over.
    pub fn reload_all(&mut self, changes: &[crate::reload::Change]) -> Result<()> {
        let host = self.host()?;
        changes.iter().for_each(|change| host.set_source(&change.path, change.text.clone()));
        self.take_changes(&changes.iter().map(|change| change.path.clone()).collect::<Vec<_>>())
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
                collection: self.config.script_collection,
                ..ScriptLimits::default()
            };
            let mut script = Script::new(&self.registry, self.config.seed, limits)?;
            script.set_chunks(self.scripts.chunks.clone());
            script.set_root(self.scripts.root.clone().unwrap_or_else(|| PathBuf::from(".")));
            self.host = Some(script);
        }
        Ok(self.host.as_mut().expect("BUG: the script host was put there just now"))
    }

    /// Loads these scripts and lets all of them take over, or none.
    pub(super) fn take_over_scripts(&mut self, files: Vec<String>) -> Result<()> {
        let mut loaded = Vec::new();
        self.scripts.touched.clone_from(&files);
        for file in &files {
            let one = self.host()?.load(file);
            if let Some(script) = &self.host {
                self.scripts.touched.extend_from_slice(script.touched());
            }
            match one.and_then(|one| self.still_a_script(one)) {
                Ok(one) => loaded.push(one),
                Err(error) => {
                    self.drop_loaded(&loaded);
                    return Err(error);
                }
            }
        }
        let free = self.names_are_free(&loaded);
        match free.and_then(|()| self.prepare(&loaded)) {
            Ok(change) => {
                #[cfg(feature = "reload")]
                if let Some(watcher) = &mut self.scripts.watcher {
                    let files = loaded.iter().flat_map(|one| &one.files);
                    files.for_each(|(path, text)| watcher.knows(path, text));
                }
                let kept = self.values_of(&change.retyped);
                let versions = loaded.into_iter().map(Version::new).collect::<Vec<_>>();
                self.blame_muted();
                self.put_in_place(change);
                self.put_on_trial(versions, kept);
                Ok(())
            }
            Err(error) => {
                self.drop_loaded(&loaded);
                Err(error)
            }
        }
    }

    /// A file that is cut short at the end of a statement is valid Lua: what had trees must have some.
    fn still_a_script(&mut self, one: Loaded) -> Result<Loaded> {
        let before = self.scripts.loaded.iter().find(|taken| taken.version.file() == one.file);
        if !one.trees.is_empty() || before.is_none_or(|taken| taken.version.loaded.trees.is_empty()) {
            return Ok(one);
        }
        self.drop_loaded(std::slice::from_ref(&one));
        Err(Error::new(ErrorKind::Missing, "returns no tree any more, and the version before did")
            .hint("half-written? end it with return bt.tree(\"name\", …)")
            .at(crate::error::Place::new(one.file.as_str(), 0)))
    }

    fn drop_loaded(&mut self, loaded: &[Loaded]) {
        if let Some(script) = &mut self.host {
            loaded.iter().for_each(|one| script.drop_generation(one.generation));
        }
    }

    /// A tree's name stands for one tree, whichever file gave it: two files that give it to different ones would swap
    /// it with each reload.
    fn names_are_free(&mut self, loaded: &[Loaded]) -> Result<()> {
        let mut errors = Vec::new();
        for (at, one) in loaded.iter().enumerate() {
            let running = self.scripts.loaded.iter().map(|taken| &taken.version.loaded);
            let others = running.filter(|taken| loaded.iter().all(|new| new.file != taken.file));
            for other in loaded[..at].iter().chain(others) {
                let clash = one.trees.iter().find_map(|(name, spec)| {
                    let (_, theirs) = other.trees.iter().find(|(known, _)| known == name)?;
                    // One tree that both files return, by a module that they share, is one tree.
                    (file_of(spec) != file_of(theirs)).then(|| same_name(name, spec, theirs, other))
                });
                if let Some(clash) = clash {
                    errors.push(clash.at(crate::error::Place::new(one.file.as_str(), 0)));
                }
            }
        }
        Error::all(errors).map_or(Ok(()), Err)
    }

    /// Builds everything beside what runs.
    pub(super) fn prepare<'l>(
        &mut self,
        loaded: impl IntoIterator<Item = &'l Loaded> + Clone,
    ) -> Result<Change> {
        let mut schema = self.scene.schema.clone();
        let old = self.keys_to_overrule(loaded.clone());
        let keys = loaded.clone().into_iter().flat_map(|one| &one.keys);
        let (retyped, mut errors) = declare_all(&mut schema, keys, &old);
        let mut trees = Vec::new();
        if errors.is_empty() {
            let Self { registry, scene, trees: known, .. } = self;
            let symbols = &mut Self::part(scene).symbols;
            for (name, spec) in loaded.into_iter().flat_map(|one| &one.trees) {
                match known.slots.build(name, spec, registry, &schema, symbols) {
                    Ok(tree) => trees.push(tree),
                    Err(error) => errors.extend(error.each().cloned().map(Error::without_more)),
                }
            }
        }
        Error::all(errors).map_or(Ok(Change { schema, retyped, trees }), Err)
    }

    /// The keys that were declared by older versions of these scripts, and by nobody else.
    fn keys_to_overrule<'l>(&self, loaded: impl IntoIterator<Item = &'l Loaded> + Clone) -> Vec<String> {
        let is_new = |taken: &&Taken| loaded.clone().into_iter().any(|one| one.file == taken.version.file());
        let (own, others): (Vec<_>, Vec<_>) = self.scripts.loaded.iter().partition(is_new);
        let elsewhere = |key: &&KeyDecl| others.iter().any(|taken| taken.version.has_key(&key.name));
        let keys = own.iter().flat_map(|taken| &taken.version.loaded.keys);
        keys.filter(|key| !elsewhere(key)).map(|key| key.name.clone()).collect()
    }

    pub(super) fn put_in_place(&mut self, change: Change) {
        let warned = self.shared_warnings();
        self.scene_mut().schema = change.schema;
        self.grow_boards();
        for key in change.retyped {
            self.reset_key(key);
        }
        change.trees.into_iter().for_each(|tree| self.put_tree(tree));
        self.report_new(self.shared_warnings(), &warned);
        // What old versions did wrong on their way out is none of the new ones' faults.
        self.agenda.open(0..self.desks.len() as u32);
        self.take_problems();
    }

    /// New versions took over together: those whose older ones were good are on trial.
    fn put_on_trial(&mut self, versions: Vec<Version>, values: Vec<Kept>) {
        self.scripts.changes += 1;
        let change = self.scripts.changes;
        for version in versions {
            let file = version.file().to_owned();
            let missed = self.miss_trees(&version);
            let Some(at) = self.scripts.loaded.iter().position(|old| old.version.file() == file) else {
                // A module that was pushed before its users is no script: they are what runs.
                if version.loaded.trees.is_empty() {
                    self.drop_version(&version);
                } else {
                    self.scripts.loaded.push(Taken {
                        version,
                        erred: None,
                        trial: None,
                        hoard: Hoard::default(),
                    });
                }
                continue;
            };
            self.event(EventKind::Reload { script: file.as_str().into() }, None, None);
            let tick = self.ticks;
            let taken = &mut self.scripts.loaded[at];
            let erred = taken.erred.take();
            taken.hoard = Hoard::default();
            let old = std::mem::replace(&mut taken.version, version);
            if let Some(before) = taken.trial.as_ref().map(|trial| trial.change) {
                self.extend_trial(before, change);
                self.drop_version(&old);
            } else if !missed && erred.is_none_or(|(at, _)| at + TRIAL < tick) {
                taken.trial = Some(Trial { good: old, until: tick + TRIAL, change, values: values.clone() });
            } else if !missed {
                self.drop_version(&old);
            }
        }
    }

    /// Of scripts that are on trial together some took over once more: they stay together.
    fn extend_trial(&mut self, before: u64, change: u64) {
        let until = self.ticks + TRIAL;
        let trials = self.scripts.loaded.iter_mut().filter_map(|taken| taken.trial.as_mut());
        for trial in trials.filter(|trial| trial.change == before) {
            (trial.until, trial.change) = (until, change);
        }
    }

    /// Puts versions that ran before back in place.
    pub(super) fn put_back(&mut self, versions: Vec<Version>) -> Result<()> {
        let change = self.prepare(versions.iter().map(|version| &version.loaded).collect::<Vec<_>>())?;
        self.put_in_place(change);
        for version in versions {
            self.miss_trees(&version);
            if let Some(taken) =
                self.scripts.loaded.iter_mut().find(|taken| taken.version.file() == version.file())
            {
                (taken.erred, taken.hoard) = (None, Hoard::default());
                if self.host.as_ref().is_some_and(|script| script.is_dropped(version.generation())) {
                    taken.hoard.rerun_at = Some(0);
                }
                let bad = std::mem::replace(&mut taken.version, version);
                self.drop_version(&bad);
            }
        }
        Ok(())
    }

    pub(super) fn drop_version(&mut self, version: &Version) {
        if let Some(script) = &mut self.host {
            script.drop_generation(version.loaded.generation);
        }
    }

    /// Tells of trees that the version that runs has and this one has not, if agents run them; says whether there are
    /// any.
    fn miss_trees(&mut self, new: &Version) -> bool {
        let Some(old) = self.scripts.loaded.iter().find(|old| old.version.file() == new.file()) else {
            return false;
        };
        let names = old.version.loaded.trees.iter().map(|(name, _)| name);
        let gone =
            names.filter(|name| !new.has_tree(name) && self.trees.is_run(name)).cloned().collect::<Vec<_>>();
        for name in &gone {
            let message = format!("tree '{name}' is not in the file any more: its agents keep the old one");
            let fault = Error::new(ErrorKind::Warning, message).at(crate::error::Place::new(new.file(), 0));
            self.report(fault.hint("was it renamed?"));
        }
        !gone.is_empty()
    }

    fn reset_key(&mut self, key: KeyId) {
        let info = self.scene.schema.info(key).clone();
        let message = format!("key '{}' is {} now: its values were reset", info.name, info.ty);
        self.report(Error::new(ErrorKind::Warning, message).at_option(info.place.as_ref()));
        self.reset_on_boards(&info);
    }

    /// The loaded scripts that are made of this file.
    pub(super) fn users_of(&self, file: &str) -> Vec<String> {
        let users = self.scripts.loaded.iter().filter(|taken| taken.version.is_made_of(file));
        users.map(|taken| taken.version.file().to_owned()).collect()
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
        self.agenda.naps.clear();
    }

    /// What scripts did in the last tick. It is the same in every run, as long as nothing was loaded or removed since.
    pub fn script_work(&self) -> crate::script::ScriptWork {
        self.host.as_ref().map(Script::work).unwrap_or_default()
    }
}

fn file_of(spec: &Spec) -> Option<&str> {
    spec.place.as_ref().map(|place| &*place.file)
}

fn same_name(name: &str, ours: &Spec, theirs: &Spec, other: &Loaded) -> Error {
    let before = theirs.place.as_ref().map_or_else(|| other.file.clone(), ToString::to_string);
    Error::new(ErrorKind::Conflict, format!("tree '{name}' is also in {before}"))
        .hint("give one of them another name: bt.tree(\"name\", …)")
        .at_option(ours.place.as_ref())
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
