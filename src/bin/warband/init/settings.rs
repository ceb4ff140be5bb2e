//! Settings of editors and linters.

use super::Result;
use serde_json::{Value, json};
use std::fmt::Write;

/// What Lua has and scripts do not.
const GONE: [&str; 13] = [
    "_G",
    "collectgarbage",
    "debug",
    "dofile",
    "getfenv",
    "io",
    "load",
    "loadfile",
    "loadstring",
    "newproxy",
    "os",
    "package",
    "setfenv",
];

/// The globals that warband adds, with their fields behind a dot, as the types for LuaLS declare them.
pub fn globals(luals: &str) -> Vec<String> {
    let functions = luals.lines().filter_map(|line| line.strip_prefix("function ")?.split('(').next());
    let tables = luals.lines().filter_map(|line| line.strip_suffix(" = {}"));
    let names = tables.chain(functions).filter(|name| !name.contains([':', ' ']));
    names.map(str::to_owned).collect()
}

fn plain(globals: &[String]) -> Vec<&str> {
    globals.iter().map(String::as_str).filter(|name| !name.contains('.')).collect()
}

fn pretty(value: &Value) -> Result<String> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(|error| error.to_string())
}

/// What LuaLS is told, here or in the settings of an editor.
fn lua(globals: &[String]) -> Vec<(&'static str, Value)> {
    let gone = |name: &&str| ["debug", "io", "os", "package"].contains(name);
    let builtin = GONE.iter().filter(|name| gone(name)).map(|name| ((*name).to_owned(), json!("disable")));
    vec![
        // The one that is nearest to Luau: both have `unpack`, and neither has `goto`.
        ("runtime.version", json!("Lua 5.1")),
        ("runtime.path", json!(["?.lua"])),
        ("runtime.builtin", Value::Object(builtin.collect())),
        ("workspace.library", json!(["types"])),
        ("workspace.checkThirdParty", json!(false)),
        ("diagnostics.globals", json!(plain(globals))),
    ]
}

pub fn luarc(globals: &[String]) -> Result<String> {
    let schema = "https://raw.githubusercontent.com/LuaLS/vscode-lua/master/setting/schema.json";
    let fields = lua(globals).into_iter().map(|(name, value)| (name.to_owned(), value));
    pretty(&Value::Object([("$schema".to_owned(), json!(schema))].into_iter().chain(fields).collect()))
}

pub fn vscode(globals: &[String]) -> Result<String> {
    let luau = [
        ("luau-lsp.platform.type".to_owned(), json!("standard")),
        ("luau-lsp.sourcemap.enabled".to_owned(), json!(false)),
        ("luau-lsp.types.definitionFiles".to_owned(), json!({ "@warband": "types/warband.d.luau" })),
        ("luau-lsp.types.documentationFiles".to_owned(), json!(["types/warband.docs.json"])),
        ("luau-lsp.types.disabledGlobals".to_owned(), json!(GONE)),
        // The solver that luau-lsp has by itself: the new one does not infer `self` in a leaf within another node.
        ("luau-lsp.fflags.sync".to_owned(), json!(false)),
        ("luau-lsp.fflags.enableNewSolver".to_owned(), json!(false)),
        ("luau-lsp.ignoreGlobs".to_owned(), json!(["types/**"])),
    ];
    let lua = lua(globals).into_iter().map(|(name, value)| (format!("Lua.{name}"), value));
    pretty(&Value::Object(luau.into_iter().chain(lua).collect()))
}

/// A standard library for selene.
pub fn selene(globals: &[String]) -> String {
    let mut text = "---\nbase: luau\nname: warband\nglobals:\n".to_owned();
    for name in globals.iter().filter(|name| *name != "bt") {
        let _ = write!(text, "  {name}:\n    args:\n      - type: \"...\"\n");
    }
    for name in GONE {
        let _ = writeln!(text, "  {name}:\n    removed: true");
    }
    text
}
