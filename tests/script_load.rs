//! What scripts say becomes the same specs that Rust makes; what they must not do is refused, in words that help.
#![cfg(feature = "lua")]

use warband::args::Arg;
use warband::blackboard::{KeyDecl, Schema, Scope, ValueType};
use warband::error::{Error, ErrorKind};
use warband::math::vec3;
use warband::script::{Loaded, Script, ScriptLimits};
use warband::tree::{Spec, Symbols, build};

fn script(files: &[(&str, &str)]) -> Script {
    limited(files, ScriptLimits { load_instructions: 300_000, memory: 16 << 20, ..ScriptLimits::default() })
}

fn limited(files: &[(&str, &str)], limits: ScriptLimits) -> Script {
    let mut script = Script::new(&warband::node::registry(), 7, limits).expect("a VM");
    for (path, text) in files {
        script.set_source(path, Some((*text).to_owned()));
    }
    script
}

fn load(text: &str) -> Result<Loaded, Error> {
    script(&[("main.lua", text)]).load("main.lua")
}

fn tree(text: &str) -> Spec {
    let mut loaded = load(text).expect("the script is good");
    assert_eq!(loaded.trees.len(), 1);
    without_places(loaded.trees.remove(0).1)
}

fn without_places(mut spec: Spec) -> Spec {
    spec.place = None;
    spec.children = spec.children.into_iter().map(without_places).collect();
    spec
}

fn refused(text: &str) -> String {
    load(text).expect_err("the script is bad").to_string()
}

#[test]
fn print_errors() {
    for text in [
        "return bt.sequense {}",
        "local x = \nreturn bt.wait {",
        "return bt.sequence {\n  bt.wait { seconds = 1 },\n  nil,\n  bt.wait {} }",
        "return wiat",
        "x = 1",
        "print = 1",
        "return bt.wait { seconds = coroutine.create(function() end) }",
        "local t = nil\nreturn t.x",
        "error('no')",
        "error({})",
        "return",
        "return 5",
        "return {}",
        "return bt.wait(5)",
        "return bt.wait(bt.wait {})",
        "return bt.key(5)",
        "return bt.tree(bt.wait{})",
        "return bt.sequence { 5 }",
        "return bt.guard { when = true, bt.wait {} }",
        "blackboard { squat = {} }",
        "blackboard { squad = { a = 'bol' } }",
        "blackboard { squad = { a = { 'bool', defualt = 1 } } }",
        "require 'nosuch'",
        "require '../x'",
        "require '/etc/passwd'",
        "require(5)",
        "while true do end",
        "local t = {} while true do t[#t+1] = ('x'):rep(100000) end",
        "math.randomseed(5)",
        "local v = vec3(1,2,3) return v.q",
        "vec3('x')",
        "string.format = nil",
        "local p = bt.subtree { name = 'p', params = { speed = 1 }, bt.wait {} }\nreturn p { sped = 2 }",
        "local function f() error('deep') end\nlocal function g() f() end\ng()",
        "return pcall(require, 'nosuch')",
        "local ok, e = pcall(function() return bt.wiat end) error(e, 0)",
        "return bt.action { tick = print }",
        "local x: number = 'a' .. nil",
    ] {
        println!(
            "{text:?}\n    {}",
            match load(text) {
                Ok(loaded) => format!("{loaded:?}"),
                Err(error) => format!("{:?} {error} trace {:?}", error.kind(), error.trace()),
            }
        );
    }
}
