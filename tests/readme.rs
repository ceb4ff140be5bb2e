//! The README says what is: its table of nodes, its script, its links, its commands.
//!
//! `BLESS=1` writes the table of nodes anew.

use std::fs;
use std::path::Path;
use warband::tree::Kind;

const BEGIN: &str = "<!-- nodes: begin (written by `BLESS=1 cargo test --test readme`) -->\n";
const END: &str = "<!-- nodes: end -->";
const KINDS: [Kind; 5] = [Kind::Composite, Kind::Decorator, Kind::Service, Kind::Condition, Kind::Action];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).expect("a file of the crate").replace("\r\n", "\n")
}

fn table() -> String {
    let registry = warband::node::registry();
    let mut table = "| node | kind | what it does |\n| --- | --- | --- |\n".to_owned();
    for kind in KINDS {
        for def in registry.defs().iter().filter(|def| def.kind == kind) {
            table += &format!("| `{}` | {} | {} |\n", def.name, kind.name(), def.doc.replace('|', "\\|"));
        }
    }
    table
}

#[test]
fn the_table_of_nodes_is_the_registry() {
    let readme = read("README.md");
    let begin = readme.find(BEGIN).expect("the mark before the table") + BEGIN.len();
    let end = begin + readme[begin..].find(END).expect("the mark behind the table");
    let table = table();
    assert_eq!(table.lines().count(), warband::node::registry().defs().len() + 2, "a kind is not listed");
    if std::env::var_os("BLESS").is_some() {
        let whole = [&readme[..begin], &table, &readme[end..]].concat();
        fs::write(root().join("README.md"), whole).expect("it can be written");
        return;
    }
    assert_eq!(readme[begin..end], table, "BLESS=1 writes it anew");
}

/// "Twelve small programs", when there were fourteen.
#[test]
fn the_ladder_of_examples_is_counted_and_named_to_its_end() {
    let entries = fs::read_dir(root().join("examples")).expect("the examples");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut rungs: Vec<_> = names.filter(|name| name.starts_with('e') && name.ends_with(".rs")).collect();
    rungs.sort();
    let words = ["twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"];
    let (readme, last) = (read("README.md"), rungs.last().expect("one"));
    assert!(
        readme.contains(&format!("{} small programs", words[rungs.len() - 12])),
        "{} programs",
        rungs.len()
    );
    assert!(readme.contains(&format!("(examples/{last})")), "{last} is the last one");
    assert!(read("src/lib.rs").contains(&format!("to `{}`", last.trim_end_matches(".rs"))), "{last}");
}

/// The docs of `World` say when it can move between threads.
#[cfg(any(not(feature = "lua"), feature = "send"))]
#[test]
fn a_world_is_send_where_its_docs_say_so() {
    fn is_send<T: Send>() {}
    is_send::<warband::World>();
}

/// The blocks of code of one language, without their fences.
fn blocks<'a>(readme: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    readme.split(&fence).skip(1).map(|rest| &rest[..rest.find("```").expect("a closed block")]).collect()
}

/// Lines of Lua without comments, blank lines and how far they are indented.
fn code(lua: &str) -> Vec<&str> {
    let lines = lua.lines().map(|line| line.split("--").next().unwrap_or_default().trim());
    lines.filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_script_shown_is_the_script_shipped() {
    let readme = read("README.md");
    let shown =
        blocks(&readme, "lua").into_iter().find(|block| block.starts_with("-- scripts/encircle.lua\n"));
    assert_eq!(code(shown.expect("the script of the picture")), code(&read("scripts/encircle.lua")));
}

/// The leaf of the README with a target in view, and without one.
#[cfg(feature = "lua")]
#[test]
fn the_leaf_shown_does_what_is_said_of_it() {
    use warband::{ActorDesc, AgentDesc, BoardOf, Config, SquadDesc, Value, Vec3, World, vec3};
    let readme = read("README.md");
    let leaf = blocks(&readme, "lua").into_iter().find(|block| block.starts_with("local howl"));
    let leaf = leaf.expect("a leaf in Lua");
    let keys = "blackboard { agent = { howls = { 'integer', default = 0 } } }";
    let mut world = World::new(Config::default());
    world.reload("howl.lua", &format!("{keys}\n{leaf}\nreturn bt.tree('howl', howl)")).expect("it is right");
    let pack = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
    let wolf = AgentDesc { tree: "howl".into(), ..AgentDesc::at(Vec3::ZERO) };
    let wolf = world.spawn(pack, wolf).expect("new");
    world.tick(0.1);
    assert!(world.commands().is_empty() && world.running(wolf).is_none());
    world.add_actor(ActorDesc::at(vec3(5.0, 0.0, 0.0)));
    for _ in 0..3 {
        world.tick(0.1);
        let names: Vec<_> = world.commands().iter().map(|command| &*command.name).collect();
        assert_eq!(names, ["howl"]);
        assert_eq!(world.running(wolf), Some("action"));
    }
    assert_eq!(world.value(BoardOf::Agent(wolf), "howls"), Ok(Value::Integer(2)));
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}

/// The story of the README for one that meets nobody, and for one that does.
#[cfg(feature = "lua")]
#[test]
fn the_story_shown_does_what_is_said_of_it() {
    use warband::{ActorDesc, AgentDesc, BoardOf, Config, SquadDesc, Vec3, World, vec3};
    let readme = read("README.md");
    let leaf = blocks(&readme, "lua").into_iter().find(|block| block.starts_with("local follow"));
    let leaf = leaf.expect("a story in Lua");
    for (meets, words) in
        [(false, ["I smell something", "failure"]), (true, ["I smell something", "success"])]
    {
        let mut world = World::new(Config::default());
        let text =
            format!("blackboard {{ agent = {{ scent = 'vec3' }} }}\n{leaf}\nreturn bt.tree('hound', follow)");
        world.reload("hound.lua", &text).expect("it is right");
        let pack = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
        let hound = AgentDesc { tree: "hound".into(), ..AgentDesc::at(Vec3::ZERO) };
        let hound = world.spawn(pack, hound).expect("new");
        world.set_value(BoardOf::Agent(hound), "scent", vec3(3.0, 0.0, 0.0)).expect("a key");
        let (mut said, mut went) = (Vec::new(), 0.0_f32);
        for tick in 0..100 {
            if meets && tick == 30 {
                world.add_actor(ActorDesc::at(vec3(6.0, 0.0, 0.0)));
            }
            world.tick(0.1);
            said.extend(world.said().iter().map(|(_, line)| line.clone()));
            went = went.max(world.position(hound).expect("it lives").x);
        }
        assert_eq!(said[..2], words);
        assert!(went > 2.0, "{went}");
        assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
    }
}

/// The scenario of the README with its script: what it says happens, and nothing goes wrong.
#[cfg(feature = "lua")]
#[test]
fn the_scenario_shown_runs() {
    use warband::scenario::{Run, Scenario};
    let readme = read("README.md");
    let toml = blocks(&readme, "toml").into_iter().find(|block| block.starts_with("# night.toml\n"));
    let lua = blocks(&readme, "lua").into_iter().find(|block| block.starts_with("-- guard.lua\n"));
    let scenario =
        Scenario::parse(toml.expect("a scenario"), "night.toml", "".as_ref()).expect("it is right");
    let lua = lua.expect("its script");
    let mut run = Run::with(&scenario, |world| world.reload("guard.lua", lua)).expect("it is right");
    while run.step() {}
    assert!(run.problems().is_empty(), "{:?}", run.problems());
    let story: Vec<_> = run.story().iter().map(ToString::to_string).collect();
    for line in [
        "guards/0 goes from guard to hurt",
        "guards/1 goes from guard to hunt",
        "guards/2 says: call 1",
        "guards/1 asks for alarm_bell (thief)",
        "guards/1 left guards",
    ] {
        assert!(story.iter().any(|told| told == line), "no '{line}' in {story:#?}");
    }
}

/// Where the links and pictures of a text lead, addresses of the web left out.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap_or_default());
    targets.filter(|target| !target.contains("://") && !target.starts_with('#')).collect()
}

#[test]
fn every_relative_link_leads_somewhere() {
    let readme = read("README.md");
    let links = links(&readme);
    assert!(links.contains(&"src/node"), "{links:?}");
    let lost: Vec<_> = links
        .into_iter()
        .filter(|link| !root().join(link.split('#').next().unwrap_or(link)).exists())
        .collect();
    assert!(lost.is_empty(), "there is nothing at {lost:?}");
}

#[test]
fn each_command_stands_alone_in_a_block_under_its_mark() {
    let readme = read("README.md");
    for (mark, begin) in [("run", "cargo run "), ("test", "cargo test")] {
        let after = readme.split(&format!("<!-- command: {mark} -->\n```sh\n")).nth(1);
        let block = after.unwrap_or_else(|| panic!("no block of sh under the mark of '{mark}'"));
        let lines: Vec<_> = block.split("```").next().unwrap_or_default().lines().collect();
        assert!(lines.len() == 1 && lines[0].starts_with(begin), "{mark}: {lines:?}");
    }
    assert_eq!(readme.matches("<!-- command: ").count(), 2, "each mark stands once");
}
