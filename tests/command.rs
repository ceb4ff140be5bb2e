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
        let seconds = if name.to_string_lossy().contains("thousand") { "2" } else { "20" };
        let output = warband(&["run", &name.display().to_string(), "--json", "--seconds", seconds]);
        assert_eq!(output.status.code(), Some(0), "{}: {}", name.display(), stderr(&output));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        // Where there is nobody to be seen, as in a doorway, nobody is.
        let alone = !fs::read_to_string(&name).unwrap().contains("[[actor]]");
        let gained =
            alone || report["events"].as_array().unwrap().iter().any(|event| event["kind"] == "gained");
        assert!(gained, "{}: nobody saw anybody", name.display());
    }
}

#[test]
fn bad_input_ends_with_2_and_says_where() {
    let folder = folder("bad");
    let bad = path(&folder, "bad.toml");
    fs::write(&bad, "[[actor]]\nname = \"player\"\nat = [0, 0]\nradus = 1\n").unwrap();
    let empty = path(&folder, "empty");
    fs::create_dir(&empty).unwrap();
    let cases: [(&[&str], &str); 9] = [
        (&["run", "nowhere.toml"], "nowhere.toml: the scenario cannot be read: there is no such file"),
        (&["run", &bad], "bad.toml:4: unknown field 'radus' (did you mean 'radius'?)"),
        (&["run", ENCIRCLE, "--picture", "a.gif"], "a picture is .svg or .png"),
        (&["run", ENCIRCLE, "--trace", ENCIRCLE], "encircle.toml: a trace is .jsonl, not '.toml'"),
        (
            &["run", ENCIRCLE, "--picture", "nowhere/a.svg"],
            "nowhere/a.svg: cannot be written: there is no such folder",
        ),
        (&["check", &empty], "empty: there are no scripts in it"),
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

/// A script gave 21 lines "not legal TOML", and a scenario a parse error of Lua.
#[test]
fn what_is_meant_for_the_other_command_is_told_in_one_line() {
    for (command, file, says) in [
        (
            "run",
            "scripts/encircle.lua",
            "this is a script, and a scenario is wanted (warband check scripts/encircle.lua",
        ),
        (
            "check",
            ENCIRCLE,
            "this is a scenario, and check takes scripts (warband run examples/scenarios/encircle.toml",
        ),
    ] {
        let output = warband(&[command, file]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.starts_with(&format!("{file}: {says}")) && said.lines().count() == 1, "{said}");
    }
}

/// "asks for open", and nothing more to the end.
#[test]
fn a_run_tells_what_was_never_answered() {
    let folder = folder("unanswered");
    let script = "return bt.tree('asks', bt.command { name = 'open', answer = true })";
    fs::write(folder.join("asks.lua"), script).expect("written");
    let squad = "scripts = ['asks.lua']\nseconds = 1\n[[squad]]\nname = 's'\ntree = 'asks'\npositions = [[0, 0], [3, 0]]\n";
    fs::write(folder.join("mute.toml"), squad).expect("written");
    fs::write(
        folder.join("good.toml"),
        format!("{squad}[[event]]\nat = 0.5\nanswer = {{ command = 'open' }}\n"),
    )
    .expect("written");
    let mute = stdout(&warband_in(&folder, &["run", "mute.toml"]));
    assert!(
        mute.contains("never answered") && mute.contains("open (s/0 and 1 more, since 0.02 s)"),
        "{mute}"
    );
    let good = stdout(&warband_in(&folder, &["run", "good.toml"]));
    assert!(good.contains("0.50 s  s/0, 1 are answered that open was done"), "{good}");
}

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
    let output = warband(&["check", "nowhere.lua", &path(&folder, "b.lua")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).starts_with("b.lua:1: unknown node 'sequnce'"), "{}", stdout(&output));
    assert!(stderr(&output).contains("nowhere.lua: there is no such file"), "{}", stderr(&output));
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
fn a_run_writes_over_nothing_that_it_reads() {
    let folder = folder("inputs");
    fs::write(folder.join("a.lua"), naming("graze")).unwrap();
    fs::write(folder.join("scene.jsonl"), SCENE).unwrap();
    let output = warband_in(&folder, &["run", "scene.jsonl", "--trace", "./scene.jsonl"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output), "./scene.jsonl: the run reads it, so it is not written over\n");
    assert_eq!(fs::read_to_string(folder.join("scene.jsonl")).unwrap(), SCENE);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_warband"));
    let output = command
        .current_dir(root())
        .args(["run", ENCIRCLE, "--seconds", "1", "--json"])
        .stdout(full)
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("stdout cannot be written: "), "{}", stderr(&output));
}

/// A scene with an actor at `at`, beside the sheep.
fn with_actor(at: &str) -> String {
    format!("{SCENE}\n[[actor]]\nname = \"player\"\nat = {at}\n")
}

#[test]
fn a_picture_of_far_bodies_has_few_lines_or_is_refused() {
    let folder = folder("far");
    fs::write(folder.join("a.lua"), naming("graze")).unwrap();
    for (name, at) in [("far", "[1e9, 0]"), ("high", "[0, 1e9, 0]")] {
        fs::write(folder.join("scene.toml"), with_actor(at)).unwrap();
        for ending in ["svg", "png"] {
            let file = format!("{name}.{ending}");
            let output = warband_in(&folder, &["run", "scene.toml", "--seconds", "1", "--picture", &file]);
            assert_eq!(output.status.code(), Some(0), "{at}: {}", stderr(&output));
        }
        let svg = fs::read_to_string(folder.join(format!("{name}.svg"))).unwrap();
        assert!(svg.matches("<path").count() < 100 && !svg.contains("NaN"), "{at}: {svg}");
        assert!(svg.contains("100000000 m"), "{at}: {svg}");
    }
    let alone = SCENE.replace("[[0, 0]]", "[[1e9, 0]]");
    fs::write(folder.join("scene.toml"), alone).unwrap();
    let output = warband_in(&folder, &["run", "scene.toml", "--seconds", "1", "--picture", "no.svg"]);
    assert_eq!(output.status.code(), Some(2));
    let why =
        "no.svg: the picture cannot be drawn: bodies are 1e9 m away, where numbers are too coarse to draw";
    assert!(stderr(&output).starts_with(why), "{}", stderr(&output));
    assert!(stdout(&output).contains("mean tick") && !folder.join("no.svg").exists());
}

const TALK: &str = r#"
print("loading")
local talk = bt.action { tick = function(self)
  self:say("on my way")
  self:command("howl")
  return "running"
end }
return bt.tree("a", bt.sequence { bt.log { text = "hello" }, talk })
"#;

#[test]
fn what_is_said_and_asked_for_is_in_the_story_in_json_and_in_the_trace() {
    let folder = folder("talk");
    fs::write(folder.join("a.lua"), TALK).unwrap();
    fs::write(folder.join("scene.toml"), SCENE.replace("[[0, 0]]", "[[0, 0], [3, 0]]")).unwrap();
    let run = |more: &[&str]| {
        let output = warband_in(&folder, &[&["run", "scene.toml", "--seconds", "3"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let text = run(&["--trace", "a.jsonl"]);
    for line in ["a script says: loading", "sheep/0, 1 say: hello", "say: on my way", "ask for howl"] {
        assert_eq!(text.matches(line).count(), 1, "'{line}' in:\n{text}");
    }
    let report: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
    let trace = fs::read_to_string(folder.join("a.jsonl")).unwrap();
    let frames = trace.lines().skip(1).map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let traced: Vec<_> = frames.flat_map(|frame| frame["events"].as_array().unwrap().clone()).collect();
    assert_eq!(report["events"].as_array().unwrap(), &traced);
    let of = |kind: &str, field: &str, what: &str| {
        let is = |event: &&serde_json::Value| event["kind"] == kind && event[field] == what;
        traced.iter().filter(is).map(|event| event["agent"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("said", "text", "loading"), [serde_json::Value::Null]);
    assert_eq!(of("said", "text", "hello"), ["sheep/0", "sheep/1"]);
    assert!(of("command", "name", "howl").len() > 300, "one for each tick and agent");
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
        let own: Vec<_> =
            known.into_iter().filter(|name| !["board", "memory", "target"].contains(name)).collect();
        assert_eq!(own, names, "{class}");
    }
    for word in ["wait(", "wait_until("] {
        assert!(
            luau.contains(&format!("declare function {word}"))
                && luals.contains(&format!("\nfunction {word}"))
        );
    }
    assert!(luau.contains("    memory: any") && luals.contains("---@field memory table"));
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
fn watch_in_the_folder_of_the_scenario_names_that_and_tells_what_is_said() {
    let folder = folder("watch_here");
    fs::write(folder.join("a.lua"), TALK).unwrap();
    fs::write(folder.join("scene.toml"), SCENE).unwrap();
    let output = warband_in(&folder, &["watch", "scene.toml", "--seconds", "0.2"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("scripts in . are taken over"), "{}", stderr(&output));
    for line in ["a script says: loading", "sheep/0 says: hello", "sheep/0 asks for howl"] {
        assert_eq!(stdout(&output).matches(line).count(), 1, "'{line}' in:\n{}", stdout(&output));
    }
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
