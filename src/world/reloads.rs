//! Which scripts are loaded anew when files change, and what becomes of a change that is refused.

use super::World;
use super::scripts::Scripts;
use crate::error::{Error, ErrorKind, Result};

/// A change that was refused: it is tried again when any of the files that it asked for changes.
pub(super) struct Refused {
    /// The scripts that were to take over together.
    scripts: Vec<String>,
    /// The files that are to be mended.
    files: Vec<String>,
    /// All files that were asked for, found or not.
    touched: Vec<String>,
    /// Whether it waits for others to give up a name.
    clash: bool,
}

fn meet(some: &[String], others: &[String]) -> bool {
    some.iter().any(|one| others.contains(one))
}

impl World {
    /// The files that are to be mended: scripts made of them could not be loaded when they changed, or erred in their
    /// first 30 ticks. What ran before runs on.
    pub fn refused_files(&self) -> impl Iterator<Item = &str> {
        self.scripts.refused.iter().flat_map(|refused| &refused.files).map(String::as_str)
    }

    /// Lets these scripts take over together, or remembers that they could not.
    pub(super) fn take_over_or_refuse(&mut self, scripts: Vec<String>) -> Result<()> {
        for refused in &mut self.scripts.refused {
            refused.scripts.retain(|script| !scripts.contains(script));
        }
        self.scripts.refused.retain(|refused| !refused.scripts.is_empty());
        let done = self.take_over_scripts(scripts.clone());
        // What was once tried as a script and is now required by one is a module.
        let Scripts { loaded, refused, .. } = &mut self.scripts;
        let module = |file: &String| {
            loaded.iter().any(|taken| taken.version.file() != file && taken.version.is_made_of(file))
        };
        refused.retain(|refused| !refused.scripts.iter().all(module));
        if let Err(error) = &done {
            let at_fault = error.each().filter_map(|one| Some(one.place()?.file.to_string()));
            let mut files = at_fault.collect::<Vec<_>>();
            if files.is_empty() {
                files = scripts.clone();
            }
            // Those of the versions that run too: a file that is broken may not have asked for all it needs.
            let running = self
                .scripts
                .loaded
                .iter()
                .filter(|taken| scripts.iter().any(|file| file == taken.version.file()));
            let running = running.flat_map(|taken| taken.version.files());
            let touched = self.scripts.touched.iter().cloned().chain(running).collect();
            self.refuse(scripts, files, touched);
            if let Some(refused) = self.scripts.refused.last_mut() {
                refused.clash = error.kind() == ErrorKind::Conflict;
            }
        }
        done
    }

    pub(super) fn refuse(&mut self, scripts: Vec<String>, mut files: Vec<String>, touched: Vec<String>) {
        files.sort();
        files.dedup();
        self.scripts.refused.push(Refused { scripts, files, touched, clash: false });
    }

    /// A change of this script was never meant: it is not tried again.
    pub(super) fn forget_refused(&mut self, script: &String) {
        self.scripts.refused.retain(|refused| !refused.scripts.contains(script));
    }

    /// Lets what these files concern take over, group by group; answers all that was wrong.
    pub(super) fn take_changes(&mut self, changed: &[String]) -> Result<()> {
        let mut errors = Vec::new();
        for group in self.groups_of(changed) {
            if let Err(error) = self.take_over_or_refuse(group.clone()) {
                errors.push((group, error));
            }
        }
        // A name may be free now: a tree was moved from file to file.
        let clashes = self.scripts.refused.iter().filter(|refused| refused.clash);
        for scripts in clashes.map(|refused| refused.scripts.clone()).collect::<Vec<_>>() {
            if self.take_over_or_refuse(scripts.clone()).is_ok() {
                errors.retain(|(group, _)| *group != scripts);
            }
        }
        let each = errors.iter().flat_map(|(_, error)| error.each());
        let errors = each.cloned().map(Error::without_more).collect();
        Error::all(errors).map_or(Ok(()), Err)
    }

    /// The scripts that a change of these files concerns, in groups: those that use the same changed file, or were
    /// refused together, take over together or not at all.
    pub(super) fn groups_of(&self, changed: &[String]) -> Vec<Vec<String>> {
        let mut groups: Vec<Vec<String>> = Vec::new();
        for file in changed {
            let mut group = self.users_of(file);
            let again = self.scripts.refused.iter().filter(|refused| refused.touched.contains(file));
            group.extend(again.flat_map(|refused| refused.scripts.iter().cloned()));
            for met in groups.extract_if(.., |known| meet(known, &group)).collect::<Vec<_>>() {
                group.extend(met);
            }
            group.sort();
            group.dedup();
            groups.push(group);
        }
        groups.retain(|group| !group.is_empty());
        groups.sort();
        groups
    }
}

#[cfg(feature = "reload")]
impl World {
    /// Watches the script root: from now on a saved script takes over at the start of the next tick after its file
    /// has come to rest.
    ///
    /// A version that cannot be loaded changes nothing and is a problem; one that errs in its first 30 ticks gives
    /// way to the version before. Both are tried again when a file that they are made of changes, see
    /// [`World::refused_files`]. A script whose first [load](World::load) failed is loaded when it is mended.
    ///
    /// # Errors
    /// No script root yet, or a folder that cannot be watched.
    pub fn watch(&mut self, mode: crate::reload::WatchMode) -> Result<()> {
        let root = self.scripts.root().ok_or_else(|| {
            Error::new(ErrorKind::Missing, "there is no script root to watch").hint("load a script first")
        })?;
        self.scripts.watcher = Some(crate::reload::Watcher::new(&root, mode)?);
        Ok(())
    }

    /// Takes over what has changed on disk.
    pub(super) fn reload_stage(&mut self) {
        let Some(watcher) = &mut self.scripts.watcher else { return };
        let changes = watcher.changed();
        let notes = watcher.take_notes();
        notes.into_iter().for_each(|note| self.report(note));
        let changed = changes.into_iter().map(|change| change.path).collect::<Vec<_>>();
        if let Err(error) = self.take_changes(&changed) {
            error.each().for_each(|one| self.report_again(one.clone().without_more()));
        }
    }
}
