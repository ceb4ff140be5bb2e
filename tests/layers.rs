//! The order of the modules, read from the sources: each uses only what stands above it.

use std::fs;
use std::path::{Path, PathBuf};

/// From the top: a module may use those of the rows above its own and, in the first row, its neighbours.
const LAYERS: &[&[&str]] = &[
    &["error", "hash", "math", "rng", "args", "entity"],
    &["blackboard"],
    &["space"],
    &["nav"],
    &["sense"],
    &["steer"],
    &["squad", "query"],
    &["tree"],
    &["node"],
    &["script"],
    &["reload"],
    &["world"],
    &["scenario"],
    &["monitor"],
    &["bin"],
];

/// Modules that may use the first row only, wherever they stand: they know files, not worlds.
const KNOWS_NO_WORLD: &[&str] = &["reload"];

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&module))
}

/// The source without comments and the insides of texts.
fn bare(source: &str) -> String {
    let mut bare = String::new();
    let mut rest = source.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('/', Some('/')) => {
                for c in rest.by_ref().take_while(|c| *c != '\n') {
                    let _ = c;
                }
                bare.push('\n');
            }
            ('/', Some('*')) => {
                let mut last = ' ';
                for c in rest.by_ref() {
                    if (last, c) == ('*', '/') {
                        break;
                    }
                    last = c;
                }
            }
            ('"', _) => {
                let mut escaped = false;
                for c in rest.by_ref() {
                    if c == '"' && !escaped {
                        break;
                    }
                    escaped = c == '\\' && !escaped;
                }
                bare.push_str("\"\"");
            }
            ('\'', Some('"')) => {
                bare.push_str("' '");
                rest.nth(1);
            }
            _ => bare.push(c),
        }
    }
    bare
}

fn first_name(text: &str) -> &str {
    let text = text.trim_start();
    &text[..text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())]
}

/// The names that `path::` or `path::{…}` leads to, at the start of `text`.
fn heads(text: &str) -> Vec<&str> {
    let Some(group) = text.trim_start().strip_prefix('{') else { return vec![first_name(text)] };
    let (mut depth, mut at, mut heads) = (0, 0, Vec::new());
    for (place, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                heads.push(first_name(&group[at..place]));
                return heads;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                heads.push(first_name(&group[at..place]));
                at = place + 1;
            }
            _ => {}
        }
    }
    heads
}

/// The modules of the top that a file names, given how deep its own module lies (1 for `tree`, 2 for `tree::run`).
fn uses(source: &str, depth: usize) -> Vec<String> {
    let source = bare(source);
    let upwards = "super::".repeat(depth);
    let mut found = Vec::new();
    for prefix in ["crate::", upwards.as_str()] {
        for (at, _) in source.match_indices(prefix) {
            let longer = source[..at].ends_with("super::") || source[..at].ends_with(char::is_alphanumeric);
            if longer && prefix == "crate::" {
                continue;
            }
            let names = heads(&source[at + prefix.len()..]).into_iter();
            found.extend(names.filter(|name| layer(name).is_some() || prefix == "crate::").map(home));
        }
    }
    found.retain(|name| !name.is_empty() && name != "self");
    found
}

/// The module of a name of the crate's root: of `World` it is `world`, from which the root takes it over.
fn home(name: &str) -> String {
    let lib = bare(&fs::read_to_string(root().join("lib.rs")).expect("the root can be read"));
    let taken = lib.split("pub use ").skip(1).find_map(|line| {
        let (module, items) = line.split(';').next()?.split_once("::")?;
        heads(items).contains(&name).then(|| module.to_owned())
    });
    taken.unwrap_or_else(|| name.to_owned())
}

/// What is wrong in one file of `module`.
fn faults(module: &str, depth: usize, source: &str) -> Vec<String> {
    let Some(own) = layer(module) else { return vec![format!("module '{module}' stands in no layer")] };
    let allowed = |other: &str| {
        let Some(layer) = layer(other) else { return false };
        let above = if KNOWS_NO_WORLD.contains(&module) { layer == 0 } else { layer < own };
        other == module || above || (own == 0 && layer == 0)
    };
    let wrong = uses(source, depth).into_iter().filter(|other| !allowed(other));
    wrong.map(|other| format!("'{module}' may not use '{other}'")).collect()
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the sources can be read") {
        let path = entry.expect("an entry of the sources").path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            into.push(path);
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[test]
fn every_module_uses_only_what_stands_above_it() {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    assert!(files.len() > 50, "only {} sources found", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let inside = file.strip_prefix(root()).expect("it lies below").with_extension("");
        let parts = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect::<Vec<_>>();
        if parts == ["lib"] {
            continue;
        }
        let depth =
            if parts.last().is_some_and(|last| last == "mod") { parts.len() - 1 } else { parts.len() };
        let source = fs::read_to_string(&file).expect("a source is text");
        let found = faults(&parts[0], depth, &source);
        wrong.extend(found.into_iter().map(|fault| format!("{}: {fault}", inside.display())));
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn every_module_of_the_crate_stands_in_a_layer() {
    let lib = fs::read_to_string(root().join("lib.rs")).expect("the root can be read");
    let modules = lib.lines().filter_map(|line| line.trim().strip_prefix("pub mod ")?.strip_suffix(';'));
    let lost = modules.filter(|module| layer(module).is_none()).collect::<Vec<_>>();
    assert!(lost.is_empty(), "in no layer: {lost:?}");
}

#[test]
fn a_use_of_what_stands_below_is_found() {
    let one = |module, depth, source: &str| faults(module, depth, source).join("; ");
    assert_eq!(one("tree", 2, "use crate::node::ALL;"), "'tree' may not use 'node'");
    assert_eq!(
        one("tree", 2, "use crate::{error::Error, world::{World, Config}, math};"),
        "'tree' may not use 'world'"
    );
    assert_eq!(one("steer", 2, "fn f() -> crate::tree::Status {}"), "'steer' may not use 'tree'");
    assert_eq!(one("steer", 2, "use super::super::tree::Status;"), "'steer' may not use 'tree'");
    assert_eq!(one("nav", 1, "use super::sense::Senses;"), "'nav' may not use 'sense'");
    assert_eq!(
        one("reload", 2, "use crate::tree::Spec; use crate::script::Lua;").matches("may not").count(),
        2
    );
    assert_eq!(one("tree", 2, "use crate::novel::Thing;"), "'tree' may not use 'novel'");
    assert_eq!(one("tree", 2, "fn f(world: &crate::World) {}"), "'tree' may not use 'world'");
    assert_eq!(one("novel", 1, ""), "module 'novel' stands in no layer");
}

#[test]
fn what_stands_above_and_what_is_only_said_is_allowed() {
    let none = |module, depth, source: &str| assert_eq!(faults(module, depth, source), Vec::<String>::new());
    none("tree", 2, "use crate::squad::Ring; use super::run::Runner; use crate::tree::Spec;");
    none(
        "tree",
        2,
        "//! [`crate::node::ALL`]\n/* crate::world */ const A: &str = \"crate::world \\\" crate::node\";",
    );
    none("error", 1, "use crate::entity::AgentId;");
    none("world", 2, "use super::World; use super::report::EventKind; use crate::node::registry;");
    none("tree", 2, "const QUOTE: char = '\"'; use crate::math; const OTHER: char = '\"';");
}
