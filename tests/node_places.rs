//! A newcomer adds a node by one file and two lines: here the places are counted, for every node there is.

use std::fs;
use std::path::{Path, PathBuf};
use warband::node;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs" || ext == "lua") {
            found.push(path);
        }
    }
}

/// Node names that stand as a text elsewhere in the crate, and why: most are the same word for another thing.
const ALSO_SAID: &[(&str, &str)] = &[
    ("action", "a kind of nodes"),
    ("append", "a method of an agent in scripts"),
    ("arrived", "a field of an agent in scripts"),
    ("blend", "its own derived figures, and a parameter of formations"),
    ("blocked", "a field of an agent in scripts"),
    ("clear", "a function of Lua's table"),
    ("command", "a method of an agent in scripts"),
    ("condition", "a kind of nodes"),
    ("direct_chase", "its own derived figures"),
    ("guard", "the tree of the folder that init lays"),
    ("increment", "a method of an agent in scripts"),
    ("log", "a function of Lua's math"),
    ("mode", "a parameter of nodes"),
    ("parallel", "a feature of the crate"),
    ("patrol", "a mode that pictures have a colour for"),
    ("search", "a mode that pictures have a colour for"),
    ("selector", "what a warning proposes"),
    ("send", "a feature of the crate"),
    ("sequence", "what a warning proposes"),
    ("service", "a kind of nodes"),
    ("set", "a method of boards, and an event of scenarios"),
    ("slot", "the world swaps what is in it"),
    ("subtree", "it has parameters of its own, and is called"),
    ("wait", "a step of scenarios"),
];

/// Where code outside a node's own file knows it, as `file: line`: in the library by its module or its
/// definition, outside of it by its name in a text.
fn places(name: &str, sources: &[(String, String)]) -> Vec<String> {
    let own = format!("node/{name}.rs");
    let known = [format!("mod {name};"), format!("&{name}::DEF")];
    let text = format!("\"{name}\"");
    let mut places = Vec::new();
    for (file, source) in sources.iter().filter(|(file, _)| *file != own) {
        let outside = !file.starts_with("node/");
        let code = source.lines().map(str::trim).filter(|line| !line.starts_with("//"));
        let knows = |line: &&str| {
            let listed = known.iter().any(|word| line.starts_with(word.as_str()));
            if outside { line.contains(&text) } else { listed }
        };
        places.extend(code.filter(knows).map(|line| format!("{file}: {line}")));
    }
    places
}

fn all_sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    let name = |path: &Path| {
        let below = path.strip_prefix(&root).expect("it is below the root");
        below.to_string_lossy().replace('\\', "/")
    };
    paths.iter().map(|path| (name(path), fs::read_to_string(path).expect("it is a text"))).collect()
}

#[test]
fn a_node_is_one_file_and_two_lines() {
    let sources = all_sources();
    let mut also_said = Vec::new();
    for def in node::ALL {
        let name = def.name;
        assert!(sources.iter().any(|(file, _)| *file == format!("node/{name}.rs")), "{name} has its file");
        let (listed, said): (Vec<_>, Vec<_>) =
            places(name, &sources).into_iter().partition(|place| place.starts_with("node/"));
        let lines = [format!("node/mod.rs: mod {name};"), format!("node/mod.rs: &{name}::DEF,")];
        assert_eq!(listed, lines, "{name}: its two lines");
        also_said.extend((!said.is_empty()).then_some(name));
    }
    let reasons = ALSO_SAID.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    assert_eq!(
        also_said, reasons,
        "a name that is known elsewhere is a third place: give a reason or take it out"
    );
}

#[test]
fn a_third_place_is_found() {
    let mut sources = all_sources();
    sources.push(("tree/list.rs".into(), "const WITH_CHILD: [&str; 1] = [\"invert\"];".into()));
    assert_eq!(places("invert", &sources).len(), 3);
}
