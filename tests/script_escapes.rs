//! What scripts try to get out of: the sandbox, the budget, the memory limit. Nothing gets out, and the VM goes on.
#![cfg(feature = "lua")]

use warband::error::{Error, ErrorKind};
use warband::script::{Script, ScriptLimits};

fn script() -> Script {
    let limits = ScriptLimits { load_instructions: 100_000, memory: 16 << 20, ..ScriptLimits::default() };
    Script::new(&warband::node::registry(), 7, limits).expect("a VM")
}

fn run(script: &mut Script, text: &str) -> Result<(), Error> {
    script.set_source("main.lua", Some(format!("{text}\nreturn bt.wait {{}}")));
    script.load("main.lua").map(|_| ())
}

#[track_caller]
fn goes_on(script: &mut Script, after: &str) {
    run(script, "assert(1 + 1 == 2)").unwrap_or_else(|error| panic!("after {after}: {error}"));
}

#[test]
fn what_reaches_outside_is_not_there() {
    let mut script = script();
    for name in [
        "io",
        "os",
        "debug",
        "package",
        "dofile",
        "loadfile",
        "load",
        "loadstring",
        "collectgarbage",
        "gcinfo",
        "newproxy",
        "setfenv",
        "getfenv",
        "_G",
        "shared",
        "script",
        "warband",
        "buffer",
        "rust",
    ] {
        let fault = run(&mut script, &format!("local it = {name}")).expect_err(name);
        assert_eq!(fault.kind(), ErrorKind::UnknownName, "{name}: {fault}");
        let fault = run(&mut script, &format!("local it = {name}.x")).expect_err(name);
        assert_eq!(fault.kind(), ErrorKind::UnknownName, "{name}: {fault}");
        let fault = run(&mut script, &format!("{name}()")).expect_err(name);
        assert_eq!(fault.kind(), ErrorKind::UnknownName, "{name}: {fault}");
    }
    for name in ["string.dump", "math.nosuch"] {
        let fault = run(&mut script, &format!("{name}()")).expect_err(name);
        assert!(fault.message().contains("attempt to call"), "{name}: {fault}");
    }
}

#[test]
fn nothing_shared_can_be_written() {
    let mut script = script();
    for text in [
        "string.format = nil",
        "rawset(string, 'format', 1)",
        "math.pi = 3",
        "getmetatable('').__index = nil",
        "getmetatable('').__index.rep = nil",
        "table.insert(string, 1)",
        "table.clear(math)",
        "bt.wait = nil",
        "rawset(bt, 'wait', nil)",
        "setmetatable(bt, nil)",
        "setmetatable('', {})",
        "getmetatable(vec3(1, 2, 3)).__index = nil",
        "getmetatable(bt).__index = nil",
        "vector.zero = 1",
        "coroutine.wrap = nil",
        "getmetatable(bt.subtree { bt.wait {} }).__call = nil",
    ] {
        let fault = run(&mut script, text).expect_err(text);
        assert_eq!(fault.kind(), ErrorKind::Script, "{text}: {fault}");
        goes_on(&mut script, text);
    }
}

#[test]
fn one_script_is_not_seen_by_another() {
    let mut script = script();
    run(&mut script, "local t = {} for k in pairs(math) do t[k] = true end pcall(function() leak = 1 end)")
        .expect("good");
    let fault = run(&mut script, "local x = leak").expect_err("nothing leaked");
    assert_eq!(fault.kind(), ErrorKind::UnknownName);
}

#[test]
fn bytecode_is_not_run() {
    let mut script = script();
    script.set_source("main.lua", Some("\u{6}\u{3}\u{0}\u{1b}Lua".into()));
    assert_eq!(script.load("main.lua").expect_err("it is no text").kind(), ErrorKind::Syntax);
    goes_on(&mut script, "bytecode");
}

#[test]
fn addresses_stay_inside() {
    let mut script = script();
    let text = "local t = {} print(t, print, coroutine.create(print), ('%s'):format(t), tostring(print), string.format('%s %d', t, 5))
        print(setmetatable({}, { __tostring = function() return 'me' end }))";
    run(&mut script, text).expect("good");
    assert_eq!(script.take_notes(), ["table function thread table function table 5", "me"]);
}

const SPENT: &str = "used up its 100000 instructions (an endless loop?)";

/// Luau alone walks a table by its `__iter`.
#[cfg(not(feature = "luau"))]
const NO_RUNAWAYS: &[&str] = &[
    "local t = setmetatable({}, { __iter = function() return function() return 1 end end }) for _ in t do end",
];
#[cfg(feature = "luau")]
const NO_RUNAWAYS: &[&str] = &[];

/// Loops of the kind that got out of other hosts, each in its disguise.
const RUNAWAYS: &[&str] = &[
    "while true do end",
    "repeat until false",
    "for i = 1, math.huge do end",
    "while true do pcall(function() while true do end end) end",
    "local function f() pcall(f) pcall(f) end f()",
    "local function f() pcall(f) return f() end f()",
    "local c = coroutine.create(function() while true do end end) coroutine.resume(c)",
    "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
    "local c = coroutine.wrap(function() while true do coroutine.yield() end end) while true do c() end",
    "xpcall(function() while true do end end, function() while true do end end)",
    "while true do xpcall(error, function() while true do end end) end",
    "while true do pcall(table.sort, { 3, 1, 2 }, function() while true do end end) end",
    "while true do pcall(string.gsub, 'aaa', 'a', function() while true do end end) end",
    "local t = setmetatable({}, { __index = function() while true do end end }) while true do pcall(function() return t.x end) end",
    "local t = setmetatable({}, { __eq = function() while true do end end }) local same = t == setmetatable({}, getmetatable(t))",
    "error(setmetatable({}, { __tostring = function() while true do end end }))",
    "tostring(setmetatable({}, { __tostring = function() while true do end end }))",
    "for _ in (function() return 1 end) do end",
    "local t = setmetatable({}, { __iter = function() return function() return 1 end end }) for _ in t do end",
    "('a'):rep(30000):find(('.-'):rep(4) .. 'b')",
    "('a'):rep(30000):match(('a*'):rep(20) .. 'b')",
    "local s = '' while true do s = s .. 'x' end",
    "while true do local s = ('x'):rep(1e6) end",
    "local t = table.create(1e5, 'x') while true do table.concat(t) end",
    "while true do table.create(1000) end",
    "while true do bt.wait {} end",
    "while true do string.format('%s', 'x') end",
    "while true do print 'x' end",
    "local s = ('x'):rep(1e6) while true do print(s) end",
    "while true do pcall(require, 'nosuch') end",
    "local n = 0 while true do n = n + 1 pcall(require, 'nosuch' .. n) end",
    "while true do pcall(function() return bt.wiat end) end",
];

#[test]
fn every_runaway_is_stopped_at_its_line_and_the_vm_goes_on() {
    let mut script = script();
    let sentence = format!("main.lua:1: {SPENT}");
    let mut wrong = Vec::new();
    for text in RUNAWAYS.iter().copied().filter(|text| !NO_RUNAWAYS.contains(text)) {
        match run(&mut script, text) {
            Err(fault) if fault.to_string() == sentence => {}
            other => wrong.push(format!("{text}: {other:?}")),
        }
        script.take_notes();
        goes_on(&mut script, text);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn endless_recursion_is_a_fault_at_its_line() {
    let mut script = script();
    let deep = "local function f() return f() + 1 end f()";
    let fault = run(&mut script, deep).expect_err(deep).to_string();
    // The stack of Lua 5.4 has room for more calls than the budget.
    let spent = cfg!(not(feature = "luau")) && fault.ends_with(SPENT);
    assert!(fault.starts_with("main.lua:1: stack overflow") || spent, "{fault}");
    goes_on(&mut script, deep);
    // Luau has no tail calls: to the others this is a loop.
    let tail = "local function f() return f() end f()";
    let end = if cfg!(feature = "luau") { "stack overflow" } else { SPENT };
    let fault = run(&mut script, tail).expect_err(tail);
    assert_eq!(fault.to_string(), format!("main.lua:1: {end}"));
    goes_on(&mut script, tail);
}

#[test]
fn where_a_runaway_is_stopped_is_the_same_in_every_run() {
    let text = "local n = 0\nwhile true do n = n + 1 local t = { n, tostring(n) } if n % 100 == 0 then print(n) end end";
    let last = || {
        let mut script = script();
        run(&mut script, text).expect_err("it is endless");
        script.take_notes().pop()
    };
    let first = last();
    assert!(first.is_some());
    assert_eq!(first, last());
}

#[test]
fn the_memory_limit_holds_and_the_vm_goes_on() {
    let limits = ScriptLimits { load_instructions: u64::MAX, memory: 16 << 20, ..ScriptLimits::default() };
    let mut script = Script::new(&warband::node::registry(), 7, limits).expect("a VM");
    for text in [
        "('x'):rep(1e9)",
        "table.create(1e7, 1)",
        "local t = {} while true do t[#t + 1] = ('x'):rep(8e5) .. #t end",
        "local t = {} while true do t[#t + 1] = {} end",
        "local s = 'x' while true do s = s .. s end",
        "local t = {} while true do t[#t + 1] = coroutine.create(print) end",
        "local t = {} while true do t[#t + 1] = bt.wait {} end",
        "local t = {} while true do pcall(function() while true do t[#t + 1] = ('x'):rep(8e5) .. #t end end) error 'full' end",
    ] {
        let fault = run(&mut script, text).expect_err(text);
        if !text.contains("error") {
            assert_eq!(fault.kind(), ErrorKind::Memory, "{text}: {fault}");
            assert_eq!(fault.to_string(), "main.lua: needs more than the 16 MiB of memory of its VM");
        }
        goes_on(&mut script, text);
        assert!(script.used_memory() < 2 << 20, "{text}: {} bytes stay", script.used_memory());
    }
}

#[test]
fn plain_searches_whose_worst_case_is_unbounded_are_refused() {
    let mut script = script();
    for text in
        ["('a'):rep(1e5):find(('a'):rep(1e4) .. 'b', 1, true)", "('a'):rep(1e5):split(('a'):rep(1e4) .. 'b')"]
    {
        let fault = run(&mut script, text).expect_err(text);
        assert_eq!(fault.to_string(), "main.lua:1: the texts are too long to search");
    }
}

#[test]
fn a_file_of_many_functions_is_taken_in_time() {
    let mut script = script();
    let one = "function() if true then if true then local x = 1 end end end";
    let nested = format!("{}{}", "if true then ".repeat(150), "end ".repeat(150));
    let many = format!("bt.action {{ tick = {one} }},\n").repeat(2000);
    script.set_source(
        "main.lua",
        Some(format!("return bt.sequence {{ {many} bt.action {{ tick = function() {nested} end }} }}")),
    );
    let loaded = script.load("main.lua").expect("it is legal");
    assert_eq!(loaded.trees[0].1.children.len(), 2001);
    let script_of_ends = format!("return bt.action {{ tick = function() {} end }}", "do end ".repeat(20_000));
    script.set_source("main.lua", Some(script_of_ends));
    script.load("main.lua").expect("it is legal");
}

/// A megabyte, as a name or a value in what the host says about it.
const LONG: &[&str] = &[
    "bt[s]()",
    "bt.wait(s)",
    "bt.tree(s, s)",
    "bt.key(s, s).x.y = 1",
    "blackboard { [s] = {} }",
    "blackboard { agent = { [s] = s } }",
    "require(s)",
    "local it = vec3(1, 2, 3)[s]",
    "math.random(s)",
    "error(s)",
    "error(s .. ':1: x', 0)",
    "error('x\\nstack traceback:\\nmain.lua:' .. s, 0)",
];

#[test]
fn faults_about_long_texts_are_short_and_count() {
    let mut script = script();
    for text in LONG {
        let fault = run(&mut script, &format!("local s = ('a'):rep(1000000) {text}")).expect_err(text);
        let length = fault.to_string().len() + fault.trace().unwrap_or_default().len();
        assert!(length < 4000, "{text}: {length}");
    }
    let endless = "local s = ('a'):rep(1000000) for i = 1, 30000 do pcall(function() bt[s]() end) end";
    assert_eq!(run(&mut script, endless).expect_err("they count").kind(), ErrorKind::Budget);
    goes_on(&mut script, "long texts");
}

#[test]
fn a_fault_forges_no_lines_of_a_terminal() {
    let mut script = script();
    for text in ["error('\\27[2Jx\\nmain.lua:1: y')", "error('\\27[2Jx:1: y', 0)", "bt['\\27[2J\\n']()"] {
        let fault = run(&mut script, text).expect_err(text).to_string();
        assert!(fault.contains("\\u{1b}[2J"), "{fault}");
        assert!(!fault.contains(char::is_control), "{fault}");
    }
}

#[test]
fn library_calls_on_long_texts_and_tables_count_by_their_length() {
    let mut script = script();
    let mut wrong = Vec::new();
    for call in [
        "utf8.len(s)",
        "utf8.offset(s, 900000)",
        "pcall(utf8.codepoint, s, 1, -1)",
        "tonumber(s, 16)",
        "tonumber(s)",
        "string.find(s, 'b', 1, true)",
        "s:match('^.*$')",
        "s:gsub('b', '')",
        "s:find('^a*')",
        "s:sub(1, 999999)",
        "s:reverse()",
        "s:lower()",
        "pcall(string.byte, s, 1, -1)",
        "table.find(t, 2)",
        "table.insert(t, 1, 1)",
        "table.sort(t)",
    ] {
        let text =
            format!("local s, t = ('a'):rep(1000000), table.create(50000, 1) for i = 1, 30000 do {call} end");
        match run(&mut script, &text) {
            Err(fault) if fault.kind() == ErrorKind::Budget => {}
            other => wrong.push(format!("{call}: {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for refused in ["('('):rep(100000):find('%b()')", "('a'):rep(300):match(('a?'):rep(1001))"] {
        let fault = run(&mut script, refused).expect_err(refused);
        assert_eq!(fault.to_string(), "main.lua:1: the texts are too long to search", "{refused}");
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let mut script = script();
    run(&mut script, "\u{feff}local x = 1").expect("it is no part of the text");
}

#[test]
fn an_argument_after_the_table_and_a_misspelled_true_are_named() {
    let mut script = script();
    let fault = run(&mut script, "bt.wait({}, 5)").expect_err("one too many");
    assert_eq!(
        fault.to_string(),
        "main.lua:1: 'wait' takes one table, and 5 comes after it (put it inside the braces)"
    );
    let fault = run(&mut script, "local x = ture").expect_err("no such word");
    assert_eq!(fault.to_string(), "main.lua:1: unknown global 'ture' (did you mean 'true'?)");
}

/// Bytecode of the flavour's own making.
fn bytecode() -> Vec<u8> {
    let text = "return bt.wait {}";
    #[cfg(feature = "luau")]
    return mlua::chunk::Compiler::new().compile(text).expect("it is right");
    #[cfg(not(feature = "luau"))]
    return mlua::Lua::new().load(text).into_function().expect("it is right").dump(true);
}

/// Code of the VM's own making is refused too, from the disk and by `require`: the VM trusts bytecode, whoever wrote it.
#[test]
fn real_bytecode_is_not_run() {
    let folder = std::env::temp_dir().join(format!("warband-bytecode-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let bytes = bytecode();
    std::fs::write(folder.join("code.lua"), &bytes).expect("a file");
    std::fs::write(folder.join("user.lua"), "return require 'code'").expect("a file");
    std::fs::write(folder.join("loader.lua"), "return load('return 1')").expect("a file");
    let mut script = script();
    script.set_root(folder.clone());
    for file in ["code.lua", "user.lua"] {
        let fault = script.load(file).expect_err(file);
        assert!(matches!(fault.kind(), ErrorKind::Syntax | ErrorKind::File), "{file}: {fault:?}");
        assert!(fault.to_string().contains("code.lua"), "{file}: {fault}");
        goes_on(&mut script, file);
    }
    // What is cut or changed in any place is refused as well.
    for at in 0..bytes.len().min(64) {
        let mut other = bytes.clone();
        other[at] ^= 0x55;
        std::fs::write(folder.join("code.lua"), &other).expect("a file");
        script.load("code.lua").expect_err("it is no text");
        std::fs::write(folder.join("code.lua"), &bytes[..at]).expect("a file");
        script.load("code.lua").expect_err("it is no text");
    }
    assert_eq!(script.load("loader.lua").expect_err("no load").kind(), ErrorKind::UnknownName);
    goes_on(&mut script, "bytecode");
    std::fs::remove_dir_all(folder).expect("it was there");
}

#[test]
fn no_spelling_of_a_path_leads_out() {
    let folder = std::env::temp_dir().join(format!("warband-ways-{}", std::process::id()));
    let root = folder.join("scripts");
    std::fs::create_dir_all(&root).expect("a folder");
    std::fs::create_dir_all(folder.join("outside")).expect("a folder");
    std::fs::write(folder.join("outside/x.lua"), "return { secret = 1 }").expect("a file");
    std::fs::write(folder.join("x.lua"), "return { secret = 1 }").expect("a file");
    let mut script = script();
    script.set_root(root.clone());
    let absolute = folder.join("x").to_string_lossy().into_owned();
    let mut ways = vec![
        "../x",
        "..",
        "../outside/x",
        "a/../../x",
        "./../x",
        "./x",
        "..\\\\x",
        "a\\\\..\\\\..\\\\x",
        "C:\\\\x",
        "C:x",
        "//x",
        "~/x",
        "file:///x",
        "x\\0",
        "",
        ".",
        "/",
        "...x",
        "%2e%2e/x",
    ];
    ways.push(&absolute);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.join("outside"), root.join("out")).expect("a link");
        std::os::unix::fs::symlink(folder.join("x.lua"), root.join("link.lua")).expect("a link");
        std::os::unix::fs::symlink("../x.lua", root.join("near.lua")).expect("a link");
        std::os::unix::fs::symlink(root.join("two.lua"), root.join("one.lua")).expect("a link");
        std::os::unix::fs::symlink(folder.join("x.lua"), root.join("two.lua")).expect("a link");
        ways.extend(["out/x", "out.x", "link", "near", "one"]);
    }
    for way in ways {
        let fault = run(&mut script, &format!("local secret = require \"{way}\"")).expect_err(way);
        assert_eq!(fault.kind(), ErrorKind::File, "{way}: {fault}");
        goes_on(&mut script, way);
    }
    std::fs::remove_dir_all(folder).expect("it was there");
}
