//! What editors are told of scripts, and the folder that `warband init` lays. The checkers themselves take minutes to
//! build and are run by hand: see `tests/editors/mistakes.lua`.
#![cfg(feature = "cli")]

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use warband::args::Param;

fn warband(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warband"));
    command.current_dir(folder).args(arguments).output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What the command prints where all is good.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = warband(folder, arguments);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{arguments:?}: {}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// Why the command could not do it.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = warband(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stdout));
    assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
    text(&output.stderr)
}

/// A folder of this test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("editors").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// All files below a folder, with their texts.
fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let text = fs::read_to_string(&path).expect("a text");
            found.push((path, text));
        }
    }
    found.sort();
    found
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("a text")).expect("JSON")
}

/// What both definitions and the documentation must say of a parameter.
fn told(param: &Param, name: &str, place: &str) {
    assert!(place.contains(param.doc), "{name}: what '{}' does, in:\n{place}", param.name);
    assert!(place.contains(&param.range_text()), "{name}: the range of '{}', in:\n{place}", param.name);
}

#[test]
fn every_node_is_told_with_its_parameters_units_ranges_and_edges() {
    let here = folder("types");
    let (luau, luals) = (printed(&here, &["types", "--luau"]), printed(&here, &["types", "--lua"]));
    let docs: Value = serde_json::from_str(&printed(&here, &["types", "--docs"])).unwrap();
    assert_eq!(luau, printed(&here, &["types"]));
    for def in warband::node::registry().defs() {
        let name = def.name;
        let given =
            luau.lines().find(|line| line.starts_with(&format!("    {name}: (given: {{ "))).expect(name);
        let class = &luals[luals.find(&format!("\n---@class {name}_given\n")).expect(name) + 1..];
        let class = &class[..class.find("\nfunction bt.").unwrap()];
        let shown = docs[format!("@warband/global/bt.{name}")]["documentation"].as_str().expect(name);
        assert!(shown.starts_with(def.doc) && class.contains(&format!("\n---{}\n", def.doc)), "{name}");
        for param in def.params {
            let mark = if param.default == warband::args::DefaultValue::Required { "" } else { "?" };
            assert!(class.contains(&format!("\n---@field {}{mark} ", param.name)), "{name}.{}", param.name);
            let spelled = given.find(&format!(" {}: (", param.name)).map(|at| &given[at..]);
            let spelled = spelled.unwrap_or_else(|| panic!("{name}.{}: {given}", param.name));
            assert_eq!(required(spelled), mark.is_empty(), "{name}.{}: {given}", param.name);
            told(param, name, shown);
            told(param, name, class);
        }
        for edge in def.edge {
            assert!(given.contains(&format!(" {}: (", edge.name)), "{name}: {given}");
            assert!(class.contains(&format!(" {}", edge.name)), "{name}: {class}");
            told(edge, name, shown);
            told(edge, name, class);
        }
        assert_eq!(given.contains("[string]: never"), def.children == warband::tree::Arity::None, "{name}");
    }
    for class in ["Vec3", "Agent", "Target"] {
        let members = &luau[luau.find(&format!("declare extern type {class} ")).expect(class)..];
        let members = members.lines().skip(1).take_while(|line| *line != "end").map(str::trim_start);
        let names =
            members.filter(|line| !line.starts_with("--")).map(|line| line.trim_start_matches("function "));
        let names: Vec<_> = names.filter_map(|line| line.split([':', '(']).next()).collect();
        assert!(names.len() > 6, "{names:?}");
        let own = |name: &&&str| !(name.starts_with("__") || ["x", "y", "z"].contains(*name));
        for name in names.iter().filter(own) {
            let symbol = format!("@warband/globaltype/{class}.{name}");
            assert!(docs.get(&symbol).is_some(), "{symbol} is not told");
        }
    }
}

/// Whether a field, `name: (type)` or `name: (type)?`, must be given.
fn required(field: &str) -> bool {
    let mut depth = 0;
    let end = field.find(|letter| {
        depth += match letter {
            '(' => 1,
            ')' => -1,
            _ => return false,
        };
        depth == 0
    });
    !field[end.expect("a closed type") + 1..].starts_with('?')
}

#[test]
fn init_lays_a_folder_that_runs_and_holds_what_types_writes() {
    let here = folder("init");
    let said = printed(&here, &["init", "my ai"]);
    assert!(
        said.contains("guard.lua") && said.ends_with("  cd 'my ai'\n  warband run scenario.toml\n"),
        "{said}"
    );
    let ai = here.join("my ai");
    for (file, option) in
        [("warband.d.luau", "--luau"), ("warband.d.lua", "--lua"), ("warband.docs.json", "--docs")]
    {
        let laid = fs::read_to_string(ai.join("types").join(file)).unwrap();
        assert!(laid == printed(&here, &["types", option]), "{file}");
    }
    let checked = warband(&here, &["check", "my ai"]);
    assert_eq!((checked.status.code(), text(&checked.stdout)), (Some(0), String::new()));
    assert_eq!(text(&checked.stderr), "2 scripts: all good\n", "definitions are no scripts");
    let story = printed(&ai, &["run", "scenario.toml"]);
    for part in
        ["from patrol to alarm", "say: there! sighting 1", "from alarm to direct", "to search", "to patrol"]
    {
        assert!(story.contains(part), "no '{part}' in:\n{story}");
    }
}

#[test]
fn the_settings_lead_to_files_that_are_there() {
    let here = folder("settings");
    printed(&here, &["init", "."]);
    let vscode = json(&here.join(".vscode/settings.json"));
    let definitions = vscode["luau-lsp.types.definitionFiles"]["@warband"].as_str().unwrap();
    let docs = vscode["luau-lsp.types.documentationFiles"][0].as_str().unwrap();
    assert!(here.join(definitions).is_file() && here.join(docs).is_file());
    let luarc = json(&here.join(".luarc.json"));
    for (of, settings) in [("", &luarc), ("Lua.", &vscode)] {
        let library = settings[format!("{of}workspace.library")][0].as_str().unwrap();
        assert!(here.join(library).join("warband.d.lua").is_file(), "{library}");
        let globals = settings[format!("{of}diagnostics.globals")].as_array().unwrap();
        assert!(
            ["bt", "vec3", "blackboard"].iter().all(|name| globals.contains(&(*name).into())),
            "{globals:?}"
        );
    }
    assert_eq!(json(&here.join(".luaurc"))["languageMode"], "strict");
    let std = fs::read_to_string(here.join("selene.toml")).unwrap();
    assert!(std.contains("std = \"warband\"") && here.join("warband.yml").is_file());
}

#[test]
fn what_editors_take_for_a_global_is_one_and_what_they_take_for_gone_is_gone() {
    let here = folder("globals");
    printed(&here, &["init", "."]);
    let std = fs::read_to_string(here.join("warband.yml")).unwrap();
    let mut script = String::new();
    let mut lines = std.lines().skip_while(|line| *line != "globals:").skip(1).peekable();
    let (mut there, mut gone) = (0, 0);
    while let Some(line) = lines.next() {
        let Some(name) = line.strip_prefix("  ").filter(|name| !name.starts_with(' ')) else { continue };
        let name = name.trim_end_matches(':');
        let removed = lines.peek().is_some_and(|next| next.contains("removed"));
        let is = if removed { "not " } else { "" };
        script += &format!("assert({is}pcall(function() return {name} end), \"{name}\")\n");
        *(if removed { &mut gone } else { &mut there }) += 1;
    }
    assert!(there > warband::node::registry().defs().len() && gone > 8, "{there}, {gone}");
    script += "return bt.tree(\"a\", bt.succeed {})\n";
    fs::write(here.join("guard.lua"), script).unwrap();
    printed(&here, &["check", "guard.lua"]);
}

#[test]
fn the_words_for_places_are_those_that_nodes_take() {
    let here = folder("places");
    let luau = printed(&here, &["types"]);
    let words = luau.lines().find_map(|line| line.strip_prefix("export type Place = ")).expect("the words");
    let seeks: Vec<_> = words.split(" | ").map(|word| format!("bt.seek {{ to = {word} }}")).collect();
    assert_eq!(seeks.len(), 4, "{words}");
    let script = |seeks: &str| format!("return bt.tree(\"a\", bt.selector {{ {seeks} }})\n");
    fs::write(here.join("a.lua"), script(&seeks.join(", "))).unwrap();
    printed(&here, &["check", "a.lua"]);
    fs::write(here.join("a.lua"), script("bt.seek { to = \"nowhere\" }")).unwrap();
    let output = warband(&here, &["check", "a.lua"]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{told}");
}

#[test]
fn init_twice_changes_nothing() {
    let here = folder("twice");
    printed(&here, &["init", "."]);
    let (first, written) = (files(&here), fs::metadata(here.join("guard.lua")).unwrap().modified().unwrap());
    let said = printed(&here, &["init", "."]);
    assert!(said.starts_with(".: all 13 files are there already; nothing was changed\n"), "{said}");
    assert_eq!(files(&here), first);
    printed(&here, &["init", ".", "--force"]);
    assert_eq!(fs::metadata(here.join("guard.lua")).unwrap().modified().unwrap(), written);
}

#[test]
fn init_writes_over_nothing_unasked_and_then_lays_nothing_at_all() {
    let here = folder("differing");
    printed(&here, &["init", "."]);
    let laid = files(&here);
    fs::write(here.join("guard.lua"), "-- mine\n").unwrap();
    fs::write(here.join(".luarc.json"), "{}\n").unwrap();
    fs::remove_file(here.join("chase.lua")).unwrap();
    let before = files(&here);
    let why = refused(&here, &["init", "."]);
    let wanted = ".: nothing was written, for these differ from what would be laid: guard.lua, .luarc.json (--force writes \
                  over them)\n";
    assert_eq!(why, wanted);
    assert_eq!(files(&here), before);
    let said = printed(&here, &["init", ".", "--force"]);
    assert!(
        said.starts_with(".: 3 files\n") && said.contains("a behaviour: start here (replaced)"),
        "{said}"
    );
    assert_eq!(files(&here), laid);
}

#[test]
fn init_says_what_stands_in_its_way_and_lays_nothing() {
    let here = folder("in_the_way");
    fs::write(here.join("ai"), "a file\n").unwrap();
    assert_eq!(refused(&here, &["init", "ai"]), "ai: a folder is needed here, and this is a file\n");
    fs::create_dir_all(here.join("b/README.md")).unwrap();
    assert_eq!(refused(&here, &["init", "b"]), "b/README.md: a file is needed here, and this is a folder\n");
    fs::create_dir_all(here.join("c")).unwrap();
    fs::write(here.join("c/types"), "a file\n").unwrap();
    let why = "c/types: a folder is needed here, and this is a file\n";
    assert_eq!(refused(&here, &["init", "c", "--force"]), why);
    assert_eq!(files(&here).len(), 2, "{:?}", files(&here));
}

#[cfg(unix)]
#[test]
fn init_that_fails_on_the_way_leaves_no_file() {
    let here = folder("fails");
    std::os::unix::fs::symlink(here.join("nowhere/at/all"), here.join("out")).unwrap();
    let why = refused(&here, &["init", "out"]);
    assert!(why.contains(": cannot be written: ") && why.ends_with("(nothing was laid)\n"), "{why}");
    fs::remove_file(here.join("out")).unwrap();
    assert_eq!(files(&here), []);
}

#[cfg(unix)]
#[test]
fn init_follows_no_link_out_of_its_folder_and_waits_for_no_pipe() {
    let here = folder("links");
    fs::create_dir_all(here.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(here.join("elsewhere"), here.join("types")).unwrap();
    let why = refused(&here, &["init", "."]);
    assert_eq!(why, "./types: leads elsewhere: lay the files there, or put a folder here\n");
    assert!(fs::read_dir(here.join("elsewhere")).unwrap().next().is_none());
    fs::remove_file(here.join("types")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(here.join("README.md")).status();
    if made.is_ok_and(|made| made.success()) {
        let why = refused(&here, &["init", "."]);
        assert_eq!(why, "./README.md: a file is needed here, and this is a pipe or a device\n");
    }
}

#[test]
fn the_help_of_init_teaches() {
    let here = folder("help");
    let help = printed(&here, &["init", "--help"]);
    assert!(help.contains("warband init ai") && help.contains("--force"), "{help}");
    assert!(printed(&here, &["--help"]).contains("warband init ai"));
}

/// What a node cannot be made with, a tree cannot be built from: the planted mistakes are mistakes.
#[test]
fn the_mistakes_planted_for_checkers_are_found_by_check_or_in_the_first_tick() {
    let planted = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/editors/mistakes.lua");
    let planted = fs::read_to_string(planted).unwrap();
    let here = folder("mistakes");
    for line in planted.lines().filter_map(|line| line.strip_prefix("local ")) {
        let (code, what) = line.rsplit_once(" --").expect("what is wrong");
        let node = code.split_once(" = ").expect("a node").1;
        let root =
            if node.starts_with("vec3") { format!("bt.face {{ to = {node} }}") } else { node.to_owned() };
        let agent = "blackboard { agent = { health = \"number\" } }\n";
        fs::write(here.join("a.lua"), format!("{agent}return bt.tree(\"a\", {root})\n")).unwrap();
        fs::write(here.join("a.toml"), SCENE).unwrap();
        let output = warband(&here, &["run", "a.toml"]);
        assert_ne!(output.status.code(), Some(0), "{what}: {code}\n{}", text(&output.stdout));
        assert!(text(&output.stderr).contains("a.lua:2"), "{what}: {}", text(&output.stderr));
    }
}

/// Somebody to act, and somebody to be seen.
const SCENE: &str = "
seconds = 1
scripts = [\"a.lua\"]
[[actor]]
name = \"player\"
at = [3, 0]
[[squad]]
name = \"sheep\"
tree = \"a\"
positions = [[0, 0]]
";
