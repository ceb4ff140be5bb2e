//! Who a function of a script is across reloads: its words, and those of what it leans on.
#![cfg(feature = "lua")]

use warband::args::Arg;
use warband::script::{Script, ScriptLimits};

fn script(files: &[(&str, &str)]) -> Script {
    let mut script = Script::new(&warband::node::registry(), 7, ScriptLimits::default()).expect("a VM");
    for (path, text) in files {
        script.set_source(path, Some((*text).to_owned()));
    }
    script
}

fn tree(text: &str) -> warband::Spec {
    script(&[("main.lua", text)]).load("main.lua").expect("good").trees.remove(0).1
}

#[test]
fn a_function_is_the_same_code_wherever_it_moves_and_another_when_its_text_changes() {
    let source = |text: &str| {
        let spec = tree(text);
        let Some((_, Arg::Function(function))) = spec.args.first() else { panic!("a function") };
        (function.source, function.line)
    };
    let (first, line) =
        source("return bt.action { tick = function(self) if true then return \"success\" end end }");
    assert_eq!(line, 1);
    let (moved, line) = source(
        "local end_of = 'end' -- end\n\nreturn bt.action { tick = function(self) if true then return \"success\" end end }",
    );
    assert_eq!((moved, line), (first, 3));
    let (changed, _) =
        source("return bt.action { tick = function(self) if true then return \"failure\" end end }");
    assert_ne!(changed, first);
    let named =
        "local function tick(self)\n  return if self.arrived then \"success\" else \"running\"\nend\n";
    let after = |rest: &str| source(&format!("{named}{rest}return bt.action {{ tick = tick }}")).0;
    assert_eq!(after(""), after("local function other() return 1 end\n"));
}

/// The number of the function of the first leaf of `main.lua`.
fn source_of(files: &[(&str, &str)]) -> u64 {
    let loaded = script(files).load("main.lua").expect("good");
    let mut spec = &loaded.trees[0].1;
    loop {
        match spec.args.iter().find_map(|(_, arg)| match arg {
            Arg::Function(function) => Some(function.source),
            _ => None,
        }) {
            Some(source) => return source,
            None => spec = spec.children.first().expect("a leaf with a function"),
        }
    }
}

/// What a leaf leans on, each with an edit of it that makes the leaf another, and one that does not.
#[test]
fn a_function_is_another_when_what_it_leans_on_changes_and_not_for_its_neighbours() {
    let text = "\
local util = require(\"util\")
local plain = require 'plain'
local speed, far = 2, 30 -- of a walk
local M = {}
function M.aim(self) return speed end
M.bonus = 4
local unused: number = if far > 20 then 5 else if far > 10 then 6 else 7
local after = 8
for i = 1, 3 do M[i] = i * 9 end
local function helper(self)
  if M.aim(self) then return util.twice(11) end
  local value = if self.arrived then 12 else 13
  return value
end
local function other(self) return 14 end
table.insert(M, 15)
local pause = bt.wait { seconds = 16 }
local function make(seconds)
  local inner = 17
  return bt.action { tick = function(self)
    local x = helper(self) .. tostring(inner)
    self:seek(self.home, { unused = 18 })
    return \"success\"
  end }
end
if far then M.late = 19 else M.late = 20 end
return bt.sequence { make(21), pause, bt.action { tick = other }, bt.action { tick = function() return plain.x end } }
";
    let util = "local factor = require('factor')\nreturn { twice = function(x) return 2 * x end }\n";
    let (plain, factor) = ("return { x = 22 }\n", "return 23\n");
    let source = |text: &str, util: &str, plain: &str, factor: &str| {
        let files = [("main.lua", text), ("util.lua", util), ("plain.lua", plain), ("factor.lua", factor)];
        source_of(&files)
    };
    let first = source(text, util, plain, factor);
    for (from, to, another) in [
        ("= 2, 30", "= 3, 30", true),
        ("return speed", "return -speed", true),
        ("M.bonus = 4", "M.bonus = 5", true),
        ("then 5", "then 55", false),
        ("else 7\n", "else 77\n", false),
        ("after = 8", "after = 88", false),
        ("i * 9", "i * 8", true),
        ("twice(11)", "twice(12)", true),
        ("then 12", "then 122", true),
        ("return 14", "return 144", false),
        ("(M, 15)", "(M, 16)", true),
        ("seconds = 16", "seconds = 17", false),
        ("inner = 17", "inner = 18", true),
        ("unused = 18", "unused = 19", true),
        ("M.late = 20", "M.late = 21", true),
        ("make(21)", "make(22)", false),
        ("plain.x end", "plain.y end", false),
        ("-- of a walk", "-- of a run", false),
        ("local function other", "\n\n  local function other", false),
        ("'plain'", "\"plain\"", false),
    ] {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        let edited = source(&text.replace(from, to), util, plain, factor);
        assert_eq!(edited != first, another, "{from} → {to}");
    }
    assert_ne!(source(text, &util.replace("2 *", "3 *"), plain, factor), first, "a module that it uses");
    assert_ne!(source(text, util, plain, "return 24\n"), first, "a module of a module");
    assert_eq!(source(text, util, "return { x = 23 }\n", factor), first, "a module that it does not use");
}

#[test]
fn what_is_required_by_no_plain_name_counts_with_all_files() {
    let main = "local name = 'util'\nlocal util = require(name)\nlocal plain = require 'plain'\n\
                return bt.action { tick = function(self) return util.x end }";
    let source = |plain: &str| {
        source_of(&[("main.lua", main), ("util.lua", "return { x = 1 }"), ("plain.lua", plain)])
    };
    assert_eq!(source("return 1"), source("return 1 -- one"));
    assert_ne!(source("return 1"), source("return 2"));
}

#[test]
fn names_in_texts_with_holes_count() {
    let main = |number: u32| {
        format!(
            "local n = {number}\nreturn bt.action {{ tick = function(self) self:say(`it is {{n}}`) end }}"
        )
    };
    assert_ne!(source_of(&[("main.lua", &main(1))]), source_of(&[("main.lua", &main(2))]));
}
