//! Files that a run is to write: told before it runs, and never one of those that it reads.

use super::Result;
use super::arguments::RunOptions;
use super::png::ending;
use std::path::Path;
use warband::scenario::Scenario;

/// The endings that tell a picture and a trace from what a person wrote.
pub fn endings(options: &RunOptions) -> Result<()> {
    if let Some(path) = options.picture.as_deref()
        && !matches!(ending(path).as_str(), "svg" | "png")
    {
        return Err(format!("{}: a picture is .svg or .png, not '.{}'", path.display(), ending(path)));
    }
    if let Some(path) = options.trace.as_deref()
        && ending(path) != "jsonl"
    {
        return Err(format!("{}: a trace is .jsonl, not '.{}'", path.display(), ending(path)));
    }
    Ok(())
}

/// Nothing that the run reads is written over, and there is a folder to write to.
pub fn free(options: &RunOptions, file: &Path, scenario: &Scenario) -> Result<()> {
    let scripts = scenario.scripts.iter().map(|script| scenario.script_root.join(script));
    let read: Vec<_> = scripts.chain([file.to_owned()]).collect();
    for path in [&options.picture, &options.trace].into_iter().flatten() {
        if read.iter().any(|other| same(path, other)) {
            return Err(format!("{}: the run reads it, so it is not written over", path.display()));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if folder.is_some_and(|folder| !folder.is_dir()) {
            return Err(format!("{}: cannot be written: there is no such folder", path.display()));
        }
    }
    Ok(())
}

/// Whether both are the same file, by whatever way.
fn same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
