//! The ladder of examples: each prints what its head says, and nothing else.
//!
//! `BLESS=1` writes what they print into their heads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const BEGIN: &str = "//! ```text\n";
const END: &str = "//! ```\n";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names of all examples of the ladder, in order; others are programs to measure with.
fn names() -> Vec<String> {
    let entries = fs::read_dir(root().join("examples")).expect("the folder of examples");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let sources = paths.filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let mut names: Vec<_> =
        sources.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    names.retain(|name| name.starts_with('e') && name[1..].starts_with(|c: char| c.is_ascii_digit()));
    names.sort();
    names
}

/// The features that an example needs, from the manifest.
fn needs(name: &str) -> Vec<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest");
    let manifest: toml::Table = manifest.parse().expect("a good manifest");
    let entries = manifest["example"].as_array().expect("a list of examples");
    let entry = entries.iter().find(|entry| entry["name"].as_str() == Some(name));
    let needs = entry.and_then(|entry| entry["required-features"].as_array());
    needs.into_iter().flatten().map(|one| one.as_str().expect("a feature").to_owned()).collect()
}

/// Whether an example is built with the features of this test.
fn is_built(name: &str) -> bool {
    let mut on = Vec::new();
    on.extend(cfg!(feature = "lua").then_some("lua"));
    on.extend(cfg!(feature = "reload").then_some("reload"));
    on.extend(cfg!(feature = "navmesh").then_some("navmesh"));
    needs(name).iter().all(|feature| on.contains(&feature.as_str()))
}

/// Whether heads are being written: nobody else is to read them meanwhile.
fn blessing() -> bool {
    std::env::var_os("BLESS").is_some()
}

/// What an example prints, run from the root of the crate.
fn run(name: &str) -> String {
    let me = std::env::current_exe().expect("the path of this test");
    let profile = me.ancestors().nth(2).expect("target/<profile>/deps/<test>");
    let program = profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let output = Command::new(&program).current_dir(root()).output();
    let output = output.unwrap_or_else(|error| {
        panic!("{}: {error}: build it with `cargo test` or `cargo build --examples`", program.display())
    });
    let said = String::from_utf8(output.stdout).expect("UTF-8").replace("\r\n", "\n");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaints.is_empty(), "{name}: {}\n{complaints}", output.status);
    assert!(!said.trim().is_empty(), "{name} prints nothing");
    said
}

fn source(name: &str) -> (PathBuf, String) {
    let path = root().join("examples").join(format!("{name}.rs"));
    let text = fs::read_to_string(&path).expect("the source of the example").replace("\r\n", "\n");
    (path, text)
}

/// Where the block of what is printed begins and ends in a source, its fences left out.
fn block(name: &str, source: &str) -> (usize, usize) {
    let head = source.lines().take_while(|line| line.starts_with("//!")).map(|line| line.len() + 1).sum();
    let begin =
        source[..head].find(BEGIN).unwrap_or_else(|| panic!("{name} has no ```text block in its head"));
    let begin = begin + BEGIN.len();
    let end = source[begin..head].find(END).unwrap_or_else(|| panic!("the block of {name} has no end"));
    (begin, begin + end)
}

fn as_comment(printed: &str) -> String {
    printed.lines().map(|line| format!("//! {line}").trim_end().to_owned() + "\n").collect()
}

#[test]
fn each_example_prints_what_its_head_says() {
    let names: Vec<_> = names().into_iter().filter(|name| is_built(name)).collect();
    assert!(names.len() >= 5, "only {names:?}");
    for name in names {
        let printed = as_comment(&run(&name));
        let (path, source) = source(&name);
        let (begin, end) = block(&name, &source);
        if blessing() {
            fs::write(path, [&source[..begin], &printed, &source[end..]].concat())
                .expect("it can be written");
            continue;
        }
        assert_eq!(source[begin..end], printed, "{name}: BLESS=1 writes what it prints now into its head");
    }
}

#[test]
fn every_example_has_a_block_an_idea_and_at_most_a_page() {
    for name in names().into_iter().filter(|_| !blessing()) {
        let (_, source) = source(&name);
        let (begin, end) = block(&name, &source);
        assert!(begin < end, "the block of {name} is empty");
        let idea = source.lines().take_while(|line| !BEGIN.starts_with(line)).count();
        assert!(idea >= 2, "{name} does not say its idea");
        let lines = source.lines().filter(|line| !line.starts_with("//!")).count();
        assert!((20..=95).contains(&lines), "{name} has {lines} lines of code");
    }
}

#[test]
fn the_same_tree_from_rust_and_from_lua_prints_the_same() {
    let block = |name| {
        let (_, source) = source(name);
        let (begin, end) = block(name, &source);
        source[begin..end].to_owned()
    };
    assert!(blessing() || block("e01_first_tree") == block("e03_lua_tree"));
}
