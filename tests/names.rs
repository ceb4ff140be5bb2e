//! Names: the folder is the table, and every name and word is fit for both languages and for the reference.

use std::collections::BTreeSet;
use std::path::Path;
use warband::args::{Param, ParamType};
use warband::node;
use warband::steer;
use warband::tree::{Arity, Kind, NodeDef};

const LUA: &[&str] = &[
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local",
    "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
    // Words of Luau that are keywords by place.
    "continue", "export", "type", "typeof", "self",
];

const RUST: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "union", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// What is wrong with a name, if anything is.
fn fault(name: &str) -> Option<&'static str> {
    let legal = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(legal) {
        return Some("is not made of small letters, digits and _");
    }
    if LUA.contains(&name) {
        return Some("is a word of Lua");
    }
    if RUST.contains(&name) {
        return Some("is a word of Rust");
    }
    None
}

/// The names of the files of a folder, without those that are no members.
fn files(folder: &str, without: &[&str]) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let stem = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("an entry").path();
        path.file_stem().expect("a name").to_string_lossy().into_owned()
    };
    entries.map(stem).filter(|name| !without.contains(&name.as_str())).collect()
}

fn defs() -> Vec<&'static NodeDef> {
    node::registry().defs().to_vec()
}

#[test]
fn every_node_has_its_file_and_every_file_its_node() {
    let table = node::ALL.iter().map(|def| def.name.to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(table.len(), node::ALL.len(), "a name stands twice in the table");
    assert_eq!(table, files("node", &["mod", "steering"]));
    assert!(node::ALL.is_sorted_by_key(|def| def.name), "the table is not in the order of names");
}

#[test]
fn every_behaviour_has_its_file_and_every_file_its_behaviour() {
    let table = steer::BEHAVIOURS.iter().map(|behaviour| behaviour.name.to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(table.len(), steer::BEHAVIOURS.len(), "a name stands twice in the table");
    assert_eq!(table, files("steer", &["mod", "avoid", "context", "derived", "flock", "limits"]));
    assert!(steer::BEHAVIOURS.is_sorted_by_key(|behaviour| behaviour.name));
    assert!(
        steer::BEHAVIOURS.iter().all(|behaviour| !behaviour.formula.is_empty() && !behaviour.doc.is_empty())
    );
}

#[test]
fn a_node_and_a_behaviour_do_not_share_a_name() {
    let mut names = BTreeSet::new();
    let twice =
        defs().into_iter().filter(|def| !names.insert(def.name)).map(|def| def.name).collect::<Vec<_>>();
    assert!(twice.is_empty(), "twice: {twice:?}");
}

#[test]
fn names_are_legal_in_lua_and_in_rust() {
    let mut wrong = Vec::new();
    for def in defs() {
        let params = def.params.iter().chain(def.edge).map(|param| param.name);
        // A memory slot is never written in Lua, but it is a field of tools.
        let names = [def.name].into_iter().chain(params).chain(def.memory.iter().map(|slot| slot.0));
        for name in names.chain(def.condition) {
            wrong.extend(fault(name).map(|what| format!("{}: '{name}' {what}", def.name)));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn illegal_names_are_found() {
    for name in ["repeat", "not", "if", "move", "loop", "match", "type", "Wait", "wait-for", "2nd", "", "_x"]
    {
        assert!(fault(name).is_some(), "'{name}' passes");
    }
    for name in ["wait", "repeat_times", "invert", "in_range", "vec3"] {
        assert_eq!(fault(name), None);
    }
}

#[test]
fn parameters_of_a_node_differ_from_each_other() {
    for def in defs() {
        for list in [def.params, def.edge] {
            let names = list.iter().map(|param| param.name).collect::<BTreeSet<_>>();
            assert_eq!(names.len(), list.len(), "{}: a parameter stands twice", def.name);
        }
        let clash = |param: &&Param| {
            ["id", "edge", "node"].contains(&param.name) || Some(param.name) == def.condition
        };
        assert!(
            !def.params.iter().any(|param| clash(&param)),
            "{}: a parameter hides a word of every node",
            def.name
        );
    }
}

/// The units that a number of that name can have; empty for one that needs none.
fn units_of(name: &str) -> &'static [&'static str] {
    let has = |words: &[&str]| words.iter().any(|word| name.split('_').any(|part| part == *word));
    if has(&["speed", "velocity"]) {
        &["m/s"]
    } else if has(&["rate", "sweep"]) {
        &["m/s", "°/s", "rad/s"]
    } else if has(&["angle", "heading"]) {
        &["°"]
    } else if has(&[
        "second", "seconds", "time", "interval", "within", "after", "grace", "refresh", "tau", "horizon",
        "ahead",
    ]) {
        &["s"]
    } else if has(&["radius", "distance", "reach", "stop", "stand", "spread", "tolerance", "range", "to"]) {
        &["m"]
    } else {
        &[]
    }
}

const UNITS: &[&str] = &["", "s", "m", "m/s", "m/s²", "°", "°/s", "rad", "rad/s"];

fn param_faults(param: &Param) -> Vec<String> {
    let mut faults = Vec::new();
    let number = matches!(param.ty, ParamType::Number | ParamType::Integer);
    if param.doc.trim().len() < 5 {
        faults.push("says nothing of what it does".to_owned());
    }
    if param.doc.ends_with('.') || param.doc.starts_with(char::is_uppercase) {
        faults.push("is told as a sentence: no capital, no full stop".to_owned());
    }
    if !UNITS.contains(&param.unit) {
        faults.push(format!("has the unknown unit '{}'", param.unit));
    }
    let units = units_of(param.name);
    if number && !units.is_empty() && !units.contains(&param.unit) {
        faults.push(format!("has the unit '{}' and should have one of {units:?}", param.unit));
    }
    if let (true, warband::args::DefaultValue::Number(default)) = (number, param.default)
        && !(param.low..=param.high).contains(&default)
    {
        faults.push(format!("has the default {default}, outside its range"));
    }
    if param.low.is_nan() || param.high.is_nan() || param.low > param.high {
        faults.push("has an empty range".to_owned());
    }
    faults
}

#[test]
fn every_parameter_is_told_with_its_unit() {
    let mut wrong = Vec::new();
    for def in defs() {
        for param in def.params.iter().chain(def.edge) {
            let told = |fault| format!("{}.{} {fault}", def.name, param.name);
            wrong.extend(param_faults(param).into_iter().map(told));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn a_parameter_without_its_unit_is_found() {
    assert_eq!(param_faults(&Param::number("seconds", "how long")).len(), 1);
    assert_eq!(param_faults(&Param::number("speed", "how fast").unit("m")).len(), 1);
    assert_eq!(param_faults(&Param::number("weight", "how much it counts")).len(), 0);
    assert_eq!(param_faults(&Param::number("weight", "")).len(), 1);
    assert_eq!(param_faults(&Param::number("weight", "how much").range(2.0, 3.0).default(1.0)).len(), 1);
}

#[test]
fn every_definition_says_when_it_ends() {
    let mut wrong = Vec::new();
    for def in defs() {
        let condition = def.kind == Kind::Condition;
        let texts = [
            ("doc", def.doc, true),
            ("success", def.success, true),
            ("failure", def.failure, true),
            ("abort", def.abort, !condition),
            // What has children runs while they do.
            ("running", def.running, def.children != Arity::None),
        ];
        for (what, text, needed) in texts {
            if needed && text.trim().is_empty() {
                wrong.push(format!("{} does not say: {what}", def.name));
            }
            if text.ends_with('.') || text.starts_with(char::is_uppercase) {
                wrong.push(format!("{}: {what} has a capital or a full stop", def.name));
            }
        }
        if condition && !def.running.is_empty() {
            wrong.push(format!("{} is a condition and says it runs", def.name));
        }
        if def.running.is_empty() && !condition && def.abort != "it is never running" {
            wrong.push(format!("{} never runs, and tells of an abort", def.name));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}
