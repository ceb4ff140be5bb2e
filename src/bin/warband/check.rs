//! `warband check`.

use super::arguments::CheckOptions;
use super::{Outcome, Result, print};
use std::path::{Path, PathBuf};
use warband::error::Error;
use warband::{Config, World};

pub fn check(options: &CheckOptions) -> Result<Outcome> {
    let (mut files, mut unread) = (Vec::new(), Vec::new());
    for path in &options.paths {
        let before = files.len() + unread.len();
        scripts_of(path, &mut files, &mut unread);
        if files.len() + unread.len() == before {
            unread.push(format!("{}: there are no scripts in it", path.display()));
        }
    }
    let mut faults = Vec::new();
    for file in &files {
        let found = faults_of(file, options.scripts.as_deref());
        // Several scripts can require the same broken one: it is told once.
        faults.extend(found.into_iter().filter(|fault| !faults.contains(fault)).collect::<Vec<_>>());
    }
    print(&faults.iter().map(|fault| format!("{fault}\n")).collect::<String>())?;
    let scripts = if files.len() == 1 { "1 script".to_owned() } else { format!("{} scripts", files.len()) };
    match faults.len() {
        _ if files.is_empty() => {}
        0 => eprintln!("{scripts}: all good"),
        1 => eprintln!("{scripts}: 1 mistake"),
        count => eprintln!("{scripts}: {count} mistakes"),
    }
    if !unread.is_empty() {
        return Err(unread.join("\n"));
    }
    Ok(if faults.is_empty() { Outcome::Good } else { Outcome::Wrong })
}

/// The script, or all scripts of the folder, in the order of names; and what cannot be read, with why.
fn scripts_of(path: &Path, files: &mut Vec<PathBuf>, unread: &mut Vec<String>) {
    if path.is_file() && path.extension().is_some_and(|end| end == "toml") {
        let name = path.display();
        return unread.push(format!(
            "{name}: this is a scenario, and check takes scripts (warband run {name} runs it)"
        ));
    }
    if path.is_file() {
        return files.push(path.to_owned());
    }
    let entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) => return unread.push(format!("{}: {}", path.display(), why(&error))),
    };
    let mut inside: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    inside.sort();
    for path in inside {
        if path.is_dir() || is_script(&path) {
            scripts_of(&path, files, unread);
        }
    }
}

/// What tells an editor of types, `x.d.lua`, is no script.
fn is_script(path: &Path) -> bool {
    let script = path.extension().is_some_and(|end| end == "lua" || end == "luau");
    script && !path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with(".d"))
}

fn why(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => format!("it cannot be read: {error}"),
    }
}

/// All that is wrong with a script and what it requires, as lines.
fn faults_of(file: &Path, root: Option<&Path>) -> Vec<String> {
    let mut world = World::new(Config::default());
    let root = root.unwrap_or_else(|| file.parent().unwrap_or(Path::new("")));
    world.set_script_root(root);
    let loaded = world.load(file);
    let faults = loaded.err().into_iter().flat_map(|error| error.each().map(line).collect::<Vec<_>>());
    faults.chain(world.all_problems().iter().map(|problem| line(&problem.error))).collect()
}

fn line(error: &Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}
