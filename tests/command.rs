//! The command as a user meets it: output, exit codes, files.
#![cfg(feature = "cli")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn warband(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warband"));
    command.current_dir(root()).args(arguments).output().expect("the command runs")
}

/// The command, run from a folder of its own.
fn warband_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warband"));
    command.current_dir(folder).args(arguments).output().expect("the command runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder of this test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

const ENCIRCLE: &str = "examples/scenarios/encircle.toml";

#[test]
fn a_run_tells_a_story_and_figures() {
    let output = warband(&["run", ENCIRCLE]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for part in [
        "wolves gained player (sight, by wolves/",
        "from patrol to wide",
        "from narrow to direct",
        "mean tick",
    ] {
        assert!(text.contains(part), "no '{part}' in:\n{text}");
    }
    assert!(stderr(&output).is_empty());
}

#[test]
fn json_is_one_object_alone_on_stdout_and_every_output_leaves_the_digest_as_it_is() {
    let folder = folder("outputs");
    let (svg, png, trace) = (path(&folder, "a.svg"), path(&folder, "a.png"), path(&folder, "a.jsonl"));
    let run = |more: &[&str]| {
        let output = warband(&[&["run", ENCIRCLE, "--seconds", "8", "--json"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
        report["digest"].as_str().expect("a digest").to_owned()
    };
    let plain = run(&[]);
    assert_eq!(plain, run(&["--picture", &svg, "--trace", &trace]));
    assert_eq!(plain, run(&["--picture", &png]));
    assert_ne!(plain, run(&["--seed", "99"]));
    assert!(fs::read_to_string(&svg).unwrap().starts_with("<svg"));
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    let trace = fs::read_to_string(&trace).unwrap();
    assert_eq!(trace.lines().count(), 1 + 8 * 60);
    let last: serde_json::Value = serde_json::from_str(trace.lines().last().unwrap()).unwrap();
    assert_eq!((&last["t"], last["agents"].as_array().unwrap().len()), (&8.0.into(), 8));
}

#[test]
fn every_example_scenario_runs_without_a_problem() {
    let mut names: Vec<_> =
        fs::read_dir(root().join("examples/scenarios")).unwrap().map(|e| e.unwrap().path()).collect();
    names.retain(|name| name.extension().is_some_and(|end| end == "toml"));
    assert!(names.len() >= 8, "{names:?}");
    for name in names {
        let seconds = if name.ends_with("thousand.toml") { "2" } else { "20" };
        let output = warband(&["run", &name.display().to_string(), "--json", "--seconds", seconds]);
        assert_eq!(output.status.code(), Some(0), "{}: {}", name.display(), stderr(&output));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let gained = report["events"].as_array().unwrap().iter().any(|event| event["kind"] == "gained");
        assert!(gained, "{}: nobody saw anybody", name.display());
    }
}

#[test]
fn bad_input_ends_with_2_and_says_where() {
    let folder = folder("bad");
    let bad = path(&folder, "bad.toml");
    fs::write(&bad, "[[actor]]\nname = \"player\"\nat = [0, 0]\nradus = 1\n").unwrap();
    let cases: [(&[&str], &str); 6] = [
        (&["run", "nowhere.toml"], "nowhere.toml: the scenario cannot be read: there is no such file"),
        (&["run", &bad], "bad.toml:4: unknown field 'radus' (did you mean 'radius'?)"),
        (&["run", ENCIRCLE, "--picture", "a.gif"], "a picture is .svg or .png"),
        (&["run", ENCIRCLE, "--dt", "1/0"], "'dt' must be between 0.0001 and 1 s"),
        (&["run", ENCIRCLE, "--scripts", "nowhere"], "encircle.lua"),
        (&["nodes", "secuence"], "did you mean 'sequence'?"),
    ];
    for (arguments, why) in cases {
        let output = warband(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(why), "{arguments:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{arguments:?}: {}", stdout(&output));
    }
}

const BROKEN: &str = "local x = 1\nreturn bt.tree(\"a\", bt.sequence { bt.wait { secnds = 2 } })\n";

#[test]
fn check_tells_every_mistake_with_its_line_and_ends_with_1() {
    let folder = folder("check");
    fs::write(folder.join("a.lua"), BROKEN).unwrap();
    fs::write(folder.join("b.lua"), "return bt.tree(\"b\", bt.sequnce {})\n").unwrap();
    fs::write(folder.join("c.lua"), "return bt.tree(\"c\", bt.wait { seconds = 2 })\n").unwrap();
    let output = warband(&["check", &folder.display().to_string()]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("a.lua:2: ") && lines[0].contains("did you mean 'seconds'?"), "{text}");
    assert!(text.contains("b.lua:1: unknown node 'sequnce' (did you mean 'sequence'?)"), "{text}");
    assert!(!text.contains("c.lua"), "{text}");
    assert!(stderr(&output).starts_with("3 scripts: "), "{}", stderr(&output));
    let good = warband(&["check", "scripts"]);
    assert_eq!((good.status.code(), stdout(&good)), (Some(0), String::new()), "{}", stderr(&good));
    assert_eq!(warband(&["check", "nowhere.lua"]).status.code(), Some(2));
}

#[test]
fn a_bare_file_name_is_looked_for_in_the_current_folder() {
    let folder = folder("bare");
    fs::write(folder.join("a.lua"), naming("graze")).unwrap();
    fs::write(folder.join("scene.toml"), SCENE).unwrap();
    for arguments in [&["check", "a.lua"] as &[&str], &["run", "scene.toml", "--seconds", "1"]] {
        let output = warband_in(&folder, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn the_reference_holds_every_node_and_every_parameter() {
    let (list, markdown) = (stdout(&warband(&["nodes"])), stdout(&warband(&["nodes", "--markdown"])));
    for def in warband::node::registry().defs() {
        assert!(list.contains(&format!("  {} ", def.name)), "{} in the list", def.name);
        assert!(markdown.contains(&format!("\n### {}\n", def.name)), "{} in the reference", def.name);
        let one = stdout(&warband(&["nodes", def.name]));
        assert!(one.starts_with(def.name));
        for param in def.params {
            assert!(one.contains(&format!("    {} ", param.name)), "{} of {}", param.name, def.name);
            assert!(markdown.contains(&format!("| `{}` |", param.name)), "{} of {}", param.name, def.name);
        }
    }
}

#[test]
fn the_editor_types_hold_every_node_and_all_that_a_script_sees_of_its_agent() {
    let (luau, luals) = (stdout(&warband(&["types"])), stdout(&warband(&["types", "--lua"])));
    for def in warband::node::registry().defs() {
        assert!(luau.contains(&format!("\n    {}: (given: ", def.name)), "{}", def.name);
        assert!(luals.contains(&format!("\nfunction bt.{}(given) end", def.name)), "{}", def.name);
    }
    // The script layer says what there is: the lists of the types must be those.
    let source = fs::read_to_string(root().join("src/script/agent.rs")).unwrap();
    for (list, class) in [("const FIELDS", "agent"), ("const TARGET_FIELDS", "target")] {
        let start = source.find(list).expect("the list is in the source");
        let body = &source[start..start + source[start..].find("\n];").unwrap()];
        let names: Vec<_> =
            body.lines().filter_map(|line| line.strip_prefix("    (\"")?.split('"').next()).collect();
        assert!(names.len() > 5, "{names:?}");
        let section = &luals[luals.find(&format!("---@class {class}\n")).unwrap()..];
        let known: Vec<_> =
            section.lines().skip(1).take_while(|line| line.starts_with("---@field")).collect();
        let known: Vec<_> =
            known.iter().map(|line| line.split(' ').nth(1).unwrap().trim_end_matches('?')).collect();
        let own: Vec<_> = known.into_iter().filter(|name| !["board", "target"].contains(name)).collect();
        assert_eq!(own, names, "{class}");
    }
    let prelude = fs::read_to_string(root().join("src/script/prelude.lua")).unwrap();
    for method in prelude.lines().filter_map(|line| line.strip_prefix("function methods.")?.split('(').next())
    {
        assert!(luau.contains(&format!("function {method}(self")), "{method}");
        assert!(luals.contains(&format!("function agent:{method}(")), "{method}");
    }
}

const SCENE: &str = "
seconds = 6
scripts = [\"a.lua\"]
[[squad]]
name = \"sheep\"
tree = \"a\"
positions = [[0, 0]]
";

fn naming(mode: &str) -> String {
    format!("return bt.tree(\"a\", bt.mode {{ name = \"{mode}\", bt.wait {{ seconds = 100 }} }})\n")
}

#[test]
fn watch_takes_over_what_is_saved_and_keeps_what_runs_when_that_is_broken() {
    let folder = folder("watch");
    fs::write(folder.join("a.lua"), naming("graze")).unwrap();
    fs::write(folder.join("scene.toml"), SCENE).unwrap();
    let scene = path(&folder, "scene.toml");
    let child = Command::new(env!("CARGO_BIN_EXE_warband"))
        .args(["watch", &scene, "--poll", "50"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    fs::write(folder.join("a.lua"), "return bt.tree(\"a\", bt.wiat {})\n").unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    fs::write(folder.join("a.lua"), naming("sleep")).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = stdout(&output);
    assert!(text.contains("sheep/0 starts with graze"), "{text}");
    assert!(text.contains("a.lua was loaded anew"), "{text}");
    assert!(text.contains("from graze to sleep"), "{text}");
    assert!(
        stderr(&output).contains("a.lua:1: unknown node 'wiat' (did you mean 'wait'?)"),
        "{}",
        stderr(&output)
    );
    assert_eq!(output.status.code(), Some(1), "something was wrong on the way");
}

#[test]
fn help_teaches_with_examples() {
    for (arguments, part) in [
        (&["--help"] as &[&str], "Exit codes"),
        (&["run", "--help"], "--picture hunt.svg"),
        (&["check", "--help"], "warband check"),
        (&["types", "--help"], "luau-lsp"),
        (&["watch", "--help"], "A broken one changes nothing"),
    ] {
        let output = warband(arguments);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains(part), "{arguments:?}: {}", stdout(&output));
    }
    assert_eq!(warband(&["dance"]).status.code(), Some(2));
}
