//! Every mistake of a script has its error text in `tests/golden/scripts`: place, what, and what to do.
//!
//! `BLESS=1 cargo test --test bad_scripts` writes the texts anew; read them before you commit them.
#![cfg(feature = "lua")]

use std::fs;
use std::path::{Path, PathBuf};
use warband::{Config, World};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/scripts")
}

/// What loading says, one fault a line; empty when it says nothing.
fn said(script: &Path) -> String {
    let mut world = World::new(Config { script_memory: 16 << 20, ..Config::default() });
    world.set_script_root(folder());
    let name = script.file_name().expect("a file").to_string_lossy().into_owned();
    match world.load(name) {
        Ok(()) => String::new(),
        Err(error) => format!("{error}\n"),
    }
}

/// The golden file of a script: where Lua itself speaks, each flavour has words of its own.
fn golden(script: &Path, said: &str) -> PathBuf {
    let common = script.with_extension("txt");
    let own = script.with_extension(format!("{}.txt", warband::script::FLAVOUR));
    let bless = std::env::var_os("BLESS").is_some();
    let differs = || fs::read_to_string(&common).unwrap_or_default() != said;
    if own.exists() || bless && cfg!(not(feature = "luau")) && differs() { own } else { common }
}

#[test]
fn every_mistake_has_its_golden_text() {
    let mut scripts: Vec<_> =
        fs::read_dir(folder()).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    scripts.retain(|path| path.extension().is_some_and(|ext| ext == "lua"));
    scripts.sort();
    assert!(scripts.len() > 25);
    let mut wrong = Vec::new();
    for script in scripts {
        let said = said(&script);
        let golden = golden(&script, &said);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&golden, &said).expect("a golden file");
        }
        let wanted = fs::read_to_string(&golden).unwrap_or_default();
        if said != wanted {
            wrong.push(format!("{}:\n  said   {said}  wanted {wanted}", script.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
