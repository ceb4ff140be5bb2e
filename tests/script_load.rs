//! What scripts say becomes the same specs that Rust makes; faults are refused in words that help.
#![cfg(feature = "lua")]

use warband::args::Arg;
use warband::blackboard::{KeyDecl, Schema, Scope, Value, ValueType};
use warband::error::{Error, ErrorKind, Place};
use warband::math::vec3;
use warband::script::{Loaded, Script, ScriptLimits};
use warband::tree::{Spec, Symbols, build};

fn script(files: &[(&str, &str)]) -> Script {
    let limits = ScriptLimits { load_instructions: 300_000, memory: 16 << 20, ..ScriptLimits::default() };
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

#[track_caller]
fn refuses(text: &str, sentence: &str) {
    match load(text) {
        Ok(loaded) => panic!("{text:?} was taken: {loaded:?}"),
        Err(error) => assert_eq!(error.to_string(), sentence, "for {text:?}"),
    }
}

#[test]
fn every_value_becomes_what_rust_would_write() {
    let lua = tree(
        r#"return bt.sequence { id = "all",
            bt.set { key = "spots", to = { vec3(1, 2, 3), vec3(4, 5, 6) } },
            bt.set { key = bt.key "other", to = true },
            bt.wait { seconds = 1.5 },
            bt.seek { to = vec3(1, 0, 2) + vec3(0, 0, 1), speed = bt.key "pace" },
            bt.log { text = "ready" },
        }"#,
    );
    let rust = Spec::new("sequence")
        .id("all")
        .with(Spec::new("set").set("key", "spots").set("to", vec![vec3(1.0, 2.0, 3.0), vec3(4.0, 5.0, 6.0)]))
        .with(Spec::new("set").set("key", Arg::Key("other".into())).set("to", true))
        .with(Spec::new("wait").set("seconds", 1.5))
        .with(Spec::new("seek").set("speed", Arg::Key("pace".into())).set("to", vec3(1.0, 0.0, 3.0)))
        .with(Spec::new("log").set("text", "ready"));
    assert_eq!(lua, rust);
}

#[test]
fn conditions_and_bands_stand_where_rust_puts_them() {
    let lua = tree(
        r#"return bt.guard { bt.bands { by = "target_distance", margin = 1.5,
                { below = 8, bt.direct_chase { stop = 1.4 } },
                { bt.formation { close_in = true, radius = 12 } },
                bt.succeed {},
            }, when = bt.sees_target {}, abort = "self" }"#,
    );
    let bands = Spec::new("bands")
        .set("by", "target_distance")
        .set("margin", 1.5)
        .with(Spec::new("direct_chase").set("stop", 1.4).edge("below", 8.0))
        .with(Spec::new("formation").set("radius", 12.0).set("close_in", true))
        .with(Spec::new("succeed"));
    let rust = Spec::new("guard").set("abort", "self").when(Spec::new("sees_target")).with(bands);
    assert_eq!(lua, rust);
}

#[test]
fn a_subtree_is_used_many_times_with_values_of_its_own() {
    let lua = tree(
        r#"local pause = bt.subtree { name = "pause", params = { long = 2, word = "so" },
            bt.sequence { bt.wait { seconds = bt.param "long" }, bt.log { text = bt.param "word" } } }
        return bt.sequence { pause, pause { long = 5 }, pause { long = 1, word = "there", id = "last" } }"#,
    );
    let body = Spec::new("sequence")
        .with(Spec::new("wait").set("seconds", Arg::Param("long".into())))
        .with(Spec::new("log").set("text", Arg::Param("word".into())));
    let used = |long: f64, word: &str| Spec {
        scope: Some(vec![("long".into(), long.into()), ("word".into(), word.into())]),
        ..Spec::new("subtree").set("name", "pause").with(body.clone())
    };
    let rust =
        Spec::new("sequence").with(used(2.0, "so")).with(used(5.0, "so")).with(used(1.0, "there").id("last"));
    assert_eq!(lua, rust);
    build("pauses", &lua, &warband::node::registry(), &Schema::default(), &mut Symbols::default())
        .expect("it builds");
}

#[test]
fn every_kind_has_its_word() {
    for def in warband::node::registry().defs() {
        let lua = tree(&format!("return bt.{} {{ }}", def.name));
        assert_eq!(lua, Spec::new(def.name));
    }
}

#[test]
fn nodes_and_keys_know_where_they_were_written() {
    let loaded = load(
        "local w = bt.wait {}\nblackboard { squad = { alarm = \"bool\" } }\nreturn bt.sequence {\n  w,\n  bt.fail {\n  },\n}",
    );
    let loaded = loaded.expect("the script is good");
    let spec = &loaded.trees[0].1;
    let lines = spec.children.iter().map(|child| child.place.as_ref().map_or(0, |place| place.line));
    assert_eq!(lines.collect::<Vec<_>>(), [1, 5]);
    // To LuaJIT, what `return` calls stands where its arguments end.
    let root = if warband::script::FLAVOUR == "luajit" { 7 } else { 3 };
    assert_eq!(spec.place, Some(Place::new("main.lua", root)));
    assert_eq!(loaded.keys[0].place, Some(Place::new("main.lua", 2)));
}

#[test]
fn a_node_has_the_place_of_the_file_that_wrote_it() {
    let mut script = script(&[
        ("main.lua", "\nreturn bt.sequence { require 'lib.rest' }"),
        ("lib/rest.lua", "\n\nreturn bt.wait {}"),
    ]);
    let loaded = script.load("main.lua").expect("good");
    assert_eq!(loaded.trees[0].1.children[0].place, Some(Place::new("lib/rest.lua", 3)));
    let files = loaded.files.iter().map(|(file, _)| file.as_str()).collect::<Vec<_>>();
    assert_eq!(files, ["main.lua", "lib/rest.lua"]);
}

#[test]
fn a_file_gives_one_tree_many_or_a_module() {
    let names =
        |text: &str| load(text).expect("good").trees.into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(names("return bt.wait {}"), ["main"]);
    assert_eq!(names("return bt.tree('rest', bt.wait {})"), ["rest"]);
    assert_eq!(
        names("return { bt.tree('b', bt.wait {}), a = bt.wait {}, c = bt.tree('d', bt.wait {}), e = 5 }"),
        ["b", "a", "d"]
    );
    assert!(names("return { double = function(x) return 2 * x end }").is_empty());
    refuses("return { bt.tree('a', bt.wait {}), a = bt.wait {} }", "main.lua:1: two trees are called 'a'");
    refuses(
        "print 'hello'",
        "main.lua: returned nil: a script must return its tree (return bt.tree(\"name\", bt.selector { … }), or a table of several)",
    );
    refuses(
        "return 5",
        "main.lua: returned 5: a script must return its tree (return bt.tree(\"name\", bt.selector { … }))",
    );
    refuses(
        "return {}",
        "main.lua: returned an empty table: a script must return its tree (return bt.tree(\"name\", bt.selector { … }))",
    );
}

#[test]
fn keys_are_those_that_rust_declares() {
    let loaded = load(
        "blackboard { squad = { alarm = 'bool' }, agent = { kills = { 'integer', default = 0, ttl = 5 }, spots = { 'list', default = { vec3(1, 2, 3) } } } }
         return bt.wait {}",
    );
    let place = || Place::new("main.lua", 1);
    let rust = [
        KeyDecl::new("kills", Scope::Agent, ValueType::Integer).default(0_i64).ttl(5.0).at(place()),
        KeyDecl::new("spots", Scope::Agent, ValueType::List)
            .default(Value::from(vec![vec3(1.0, 2.0, 3.0)]))
            .at(place()),
        KeyDecl::new("alarm", Scope::Squad, ValueType::Bool).at(place()),
    ];
    assert_eq!(loaded.expect("good").keys, rust);
    refuses("blackboard { squat = {} }", "main.lua:1: unknown scope 'squat' (did you mean 'squad'?)");
    refuses(
        "blackboard { squad = { a = 'bol' } }",
        "main.lua:1: key 'a' has the unknown type 'bol' (did you mean 'bool'?)",
    );
    refuses(
        "blackboard { squad = { a = { 'bool', defualt = 1 } } }",
        "main.lua:1: key 'a' takes no 'defualt' (did you mean 'default'?)",
    );
    refuses(
        "blackboard { squad = { a = { } } }",
        "main.lua:1: key 'a' has no type ({ \"integer\", default = 0, ttl = 5 })",
    );
    refuses(
        "blackboard { squad = { a = 5 } }",
        "main.lua:1: key 'a' takes a type, got 5 (\"bool\", or { \"integer\", default = 0, ttl = 5 })",
    );
    refuses("blackboard { squad = 5 }", "main.lua:1: scope 'squad' takes a table of keys, got 5");
    refuses(
        "blackboard 'squad'",
        "main.lua:1: blackboard takes a table, got \"squad\" (blackboard { squad = { alarm = \"bool\" } })",
    );
}

#[test]
fn what_is_required_is_run_once_and_shared_within_a_load() {
    let files = [
        (
            "main.lua",
            "local a, b = require 'one', require 'two'\nassert(a == b.one)\nreturn bt.log { text = a.word }",
        ),
        ("one.lua", "print 'one runs'\nreturn { word = 'hi' }"),
        ("two.lua", "return { one = require 'one' }"),
    ];
    let mut script = script(&files);
    let loaded = script.load("main.lua").expect("good");
    assert_eq!(without_places(loaded.trees[0].1.clone()), Spec::new("log").set("text", "hi"));
    assert_eq!(script.take_notes(), ["one runs"]);
    // Another load sees nothing of this one.
    script.load("main.lua").expect("good");
    assert_eq!(script.take_notes(), ["one runs"]);
}

#[test]
fn a_cycle_a_missing_module_and_a_way_out_are_refused() {
    let mut script = script(&[
        ("a.lua", "return require 'b'"),
        ("b.lua", "\nreturn require 'a'"),
        ("patrol.lua", "return bt.wait {}"),
        ("typo.lua", "return require 'patrl'"),
        ("silent.lua", "local x = 1"),
        ("user.lua", "return require 'silent'"),
        ("broken.lua", "return require 'syntax'"),
        ("syntax.lua", "local x = 1\nreturn bt.wait { seconds = }"),
    ]);
    let mut fault = |file: &str| script.load(file).expect_err("it is bad");
    let cycle = fault("a.lua");
    assert_eq!(cycle.kind(), ErrorKind::Cycle);
    assert_eq!(
        cycle.to_string(),
        "b.lua:2: 'a.lua' requires itself: a.lua → b.lua → a.lua (move what both need into a third file)"
    );
    assert_eq!(
        fault("typo.lua").to_string(),
        "typo.lua:1: there is no file 'patrl.lua' (did you mean 'patrol.lua'?)"
    );
    assert_eq!(
        fault("user.lua").to_string(),
        "silent.lua: returned nil: a module must return something (end it with return and what its users need)"
    );
    let syntax = fault("broken.lua");
    assert_eq!(syntax.kind(), ErrorKind::Syntax);
    let words = if cfg!(feature = "luau") {
        "expected identifier when parsing expression, got '}'"
    } else {
        "unexpected symbol near '}'"
    };
    assert_eq!(syntax.to_string(), format!("syntax.lua:2: {words}"));
    assert_eq!(fault("nosuch.lua").to_string(), "nosuch.lua: there is no file 'nosuch.lua'");
    assert_eq!(
        fault("../x.lua").to_string(),
        "../x.lua: '../x.lua' leads out of the scripts' folder (name files by their path below it)"
    );
    for way in ["../x", "/etc/passwd", "..", "a/../../x", ".hidden"] {
        let text = format!("return require '{way}'");
        let sentence = format!(
            "main.lua:1: '{way}' leads out of the scripts' folder (name modules by their path below it)"
        );
        refuses(&text, &sentence);
    }
}

#[test]
fn files_that_failed_are_known_so_that_a_change_of_them_is_worth_a_try() {
    let mut script = script(&[("main.lua", "return require 'part'"), ("part.lua", "return require 'gone'")]);
    script.load("main.lua").expect_err("it is bad");
    assert_eq!(script.touched(), ["main.lua", "part.lua", "gone.lua"]);
}

#[test]
fn the_disk_is_read_below_the_root_only_and_pushed_text_wins() {
    let folder = std::env::temp_dir().join(format!("warband-script-{}", std::process::id()));
    let root = folder.join("scripts");
    std::fs::create_dir_all(root.join("lib")).expect("a folder");
    std::fs::write(root.join("lib/rest.lua"), "return bt.wait {}").expect("a file");
    std::fs::write(folder.join("secret.lua"), "return bt.fail {}").expect("a file");
    let mut script = script(&[]);
    script.set_root(root.clone());
    assert_eq!(script.load("lib/rest.lua").expect("good").trees[0].1.node, "wait");
    assert_eq!(
        script.load("lib/rset.lua").expect_err("missing").to_string(),
        "lib/rset.lua: there is no file 'lib/rset.lua' (did you mean 'lib/rest.lua'?)"
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.join("secret.lua"), root.join("link.lua")).expect("a link");
        assert_eq!(
            script.load("link.lua").expect_err("outside").to_string(),
            "link.lua: 'link.lua' leads out of the scripts' folder (a link that points outside is not followed)"
        );
    }
    script.set_source("lib/rest.lua", Some("return bt.succeed {}".into()));
    assert_eq!(script.load("lib/rest.lua").expect("good").trees[0].1.node, "succeed");
    script.set_source("lib/rest.lua", None);
    assert_eq!(script.load("lib/rest.lua").expect("good").trees[0].1.node, "wait");
    std::fs::remove_dir_all(folder).expect("it was there");
}

#[test]
fn children_stand_without_a_hole() {
    let hole = "is nil (a name that is not set, or a function that returned nothing?)";
    refuses("return bt.sequence { nil, bt.wait {} }", &format!("main.lua:1: child 1 of 'sequence' {hole}"));
    refuses(
        "local function nothing() end\nreturn bt.selector {\n  bt.sequence { bt.wait {}, (nothing()), bt.wait {} },\n}",
        &format!("main.lua:3: child 2 of 'sequence' {hole}"),
    );
    refuses(
        "return bt.sequence { wait {}, bt.wait {} }",
        "main.lua:1: wait works only in a coroutine (did you mean 'bt.wait'?)",
    );
    refuses(
        "return bt.sequence { bt.wait }",
        "main.lua:1: child 1 of 'sequence' is a function, not a node (write bt.wait {})",
    );
    refuses("return bt.sequence { 5 }", "main.lua:1: child 1 of 'sequence' is 5, not a node");
    refuses(
        "return bt.sequence { { 5 } }",
        "main.lua:1: child 1 of 'sequence' is a table without exactly one node, not a node",
    );
    refuses(
        "return bt.sequence { { below = 1 } }",
        "main.lua:1: child 1 of 'sequence' is a table without exactly one node, not a node",
    );
    refuses("return bt.sequence { bt.key 'x' }", "main.lua:1: child 1 of 'sequence' is a key, not a node");
    refuses(
        "return bt.sequence { [true] = 1 }",
        "main.lua:1: 'sequence' has the key true (names and a list, nothing else)",
    );
}

#[test]
fn faults_of_construction_say_what_to_do() {
    for (text, sentence) in [
        ("return bt.sequense {}", "main.lua:1: unknown node 'sequense' (did you mean 'sequence'?)"),
        ("return bt.wait(5)", "main.lua:1: 'wait' takes a table, got 5 (bt.wait { … })"),
        (
            "return bt.invert(bt.wait {})",
            "main.lua:1: 'invert' was given a node in place of a table (put it in braces: bt.invert { … })",
        ),
        ("return bt.key(5)", "main.lua:1: bt.key takes a name, got 5 (bt.key \"name\")"),
        (
            "return bt.tree(bt.wait {})",
            "main.lua:1: bt.tree takes a name first, got a table (bt.tree(\"name\", bt.selector { … }))",
        ),
        (
            "return bt.tree('x', 5)",
            "main.lua:1: bt.tree takes a node after the name, got 5 (bt.tree(\"name\", bt.selector { … }))",
        ),
        (
            "return bt.guard { when = true, bt.wait {} }",
            "main.lua:1: 'when' takes a condition, got true (a node, as bt.sees_target {})",
        ),
        (
            "return bt.wait { seconds = coroutine.create(print) }",
            "main.lua:1: parameter 'seconds' cannot be a thread",
        ),
        ("return bt.wait { seconds = bt.wait {} }", "main.lua:1: parameter 'seconds' takes no node"),
        ("return bt.action { tick = print }", "main.lua:1: parameter 'tick' takes a function of a script"),
        ("return bt.wait { id = 5 }", "main.lua:1: 'id' takes a text, got 5"),
        (
            "local p = bt.subtree { name = 'p', params = { speed = 1 }, bt.wait {} }\nreturn p { sped = 2 }",
            "main.lua:2: subtree 'p' has no parameter 'sped' (did you mean 'speed'?)",
        ),
        (
            "local p = bt.subtree { name = 'p', bt.wait {} }\nreturn p { bt.wait {} }",
            "main.lua:2: subtree 'p' has its child already (a use gives only parameters)",
        ),
        (
            "local n = bt.wait {}\nfor i = 1, 300 do n = bt.invert { n } end\nreturn n",
            "main.lua:2: nodes are nested deeper than 200",
        ),
        (
            "local n = bt.wait {}\nfor i = 1, 60 do n = bt.sequence { n, n } end\nreturn n",
            "main.lua:2: the trees of this file need more than 16 MiB",
        ),
        ("require(5)", "main.lua:1: require takes the name of a module, got integer"),
    ] {
        refuses(text, sentence);
    }
}

/// The others cannot freeze a table: a node says what it says when its file has been run.
#[cfg(feature = "luau")]
#[test]
fn nodes_are_frozen_and_not_made_of_frozen_tables() {
    refuses("local w = bt.wait {}\nw.seconds = 5", "main.lua:2: attempt to modify a readonly table");
    refuses(
        "local t = table.freeze {}\nreturn bt.wait(t)",
        "main.lua:2: 'wait' was given a frozen table (give it a table of its own)",
    );
}

#[test]
fn faults_of_running_have_file_line_and_sentence() {
    for (text, sentence) in [
        ("error('no wolves')", "main.lua:1: no wolves"),
        ("error {}", "main.lua:1: raised a table instead of a sentence"),
        ("return wolvs", "main.lua:1: unknown global 'wolvs'"),
        ("pint 'x'", "main.lua:1: unknown global 'pint' (did you mean 'print'?)"),
        ("helath = 3", "main.lua:1: global 'helath' cannot be written (declare it with local)"),
        ("function f() end", "main.lua:1: global 'f' cannot be written (declare it with local)"),
        ("print = 1", "main.lua:1: global 'print' cannot be written (declare it with local)"),
        ("return vec3(1, 2, 3).lenght", "main.lua:1: a vec3 has no 'lenght' (did you mean 'length'?)"),
        ("local function f()\n  error 'deep'\nend\nlocal function g()\n  f()\nend\ng()", "main.lua:2: deep"),
    ] {
        refuses(text, sentence);
    }
    for (text, luau, others) in [
        (
            "local t = nil\nreturn t.x",
            "main.lua:2: attempt to index nil with 'x'",
            "main.lua:2: attempt to index ",
        ),
        (
            "return 'a' .. nil",
            "main.lua:1: attempt to concatenate string with nil",
            "main.lua:1: attempt to concatenate ",
        ),
        (
            "if true then",
            "main.lua:1: expected 'end' (to close 'then' at column 9), got <eof>",
            "main.lua:1: 'end' expected near ",
        ),
        (
            "return bt.wait {\n  seconds = 1\n  name = 2 }",
            "main.lua:3: expected ',' after table constructor element",
            "main.lua:3: '}' expected (to close '{' at line 1) near 'name'",
        ),
    ] {
        let said = load(text).expect_err(text).to_string();
        let wanted = if cfg!(feature = "luau") { luau } else { others };
        assert!(said.starts_with(wanted), "{said}: {text}");
    }
    let fault = load("local function f()\n  error 'deep'\nend\nf()").expect_err("bad");
    let trace = if cfg!(feature = "luau") {
        "main.lua:2: in function 'f'\nmain.lua:4: in function <main.lua:1>"
    } else {
        "main.lua:2: in local 'f'\nmain.lua:4: in main chunk"
    };
    assert_eq!(fault.trace(), Some(trace));
}

#[test]
fn a_caught_fault_is_its_sentence() {
    let text = "local ok, fault = pcall(function() return bt.wiat end)
        print(ok, fault)
        print(select(2, xpcall(function() return nosuch end, function(fault) return 'got ' .. fault end)))
        print(coroutine.resume(coroutine.create(function() return bt.wiat end)))
        return bt.wait {}";
    let mut script = script(&[("main.lua", text)]);
    script.load("main.lua").expect("good");
    assert_eq!(
        script.take_notes(),
        [
            "false main.lua:1: unknown node 'wiat' (did you mean 'wait'?)",
            "got main.lua:3: unknown global 'nosuch'",
            "false main.lua:4: unknown node 'wiat' (did you mean 'wait'?)",
        ]
    );
}

#[test]
fn functions_are_kept_once_and_numbers_of_a_load_are_its_own() {
    let text = "local function tick() return true end
        return bt.sequence { bt.action { tick = tick }, bt.action { tick = tick }, bt.condition { test = function() return true end } }";
    let mut script = script(&[("main.lua", text)]);
    let handles = |loaded: &Loaded| {
        let functions = loaded.trees[0].1.children.iter().map(|child| match &child.args[0].1 {
            Arg::Function(function) => function.handle,
            other => panic!("{other:?}"),
        });
        functions.collect::<Vec<_>>()
    };
    let first = script.load("main.lua").expect("good");
    let second = script.load("main.lua").expect("good");
    assert_eq!((handles(&first), handles(&second)), (vec![0, 0, 1], vec![2, 2, 3]));
    assert_eq!((first.generation, second.generation), (1, 2));
}

#[test]
fn memory_comes_back_when_old_loads_are_dropped() {
    let text = "local t = {} for i = 1, 200 do t[i] = { name = 'entry ' .. i } end
        return bt.action { tick = function() return #t > 0 end }";
    let mut script = script(&[("main.lua", text)]);
    let mut last = script.load("main.lua").expect("good").generation;
    let before = script.used_memory();
    for _ in 0..200 {
        let next = script.load("main.lua").expect("good").generation;
        script.drop_generation(last);
        // As the end of a tick does.
        script.collect();
        last = next;
    }
    assert!(script.used_memory() < before + before / 20, "{before} → {}", script.used_memory());
}

#[test]
fn the_dice_of_a_load_are_seeded() {
    let text = "print(math.random(1000), math.random(1000), math.random() < 1) return bt.wait {}";
    let mut script = script(&[("main.lua", text)]);
    script.load("main.lua").expect("good");
    script.load("main.lua").expect("good");
    let notes = script.take_notes();
    assert_eq!(notes[0], notes[1]);
    refuses(
        "math.randomseed(5)",
        "main.lua:1: the dice have their seed from the world (set the seed of the world instead)",
    );
    refuses("math.random(3, 1)", "main.lua:1: math.random has nothing between 3 and 1");
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    let root = std::env::temp_dir().join(format!("warband-regular-{}", std::process::id()));
    std::fs::create_dir_all(&root).expect("a folder");
    let pipe = root.join("pipe.lua");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    let mut script =
        warband::script::Script::new(&warband::node::registry(), 7, warband::script::ScriptLimits::default())
            .expect("a VM");
    script.set_root(root.clone());
    if made.is_ok_and(|status| status.success()) {
        let fault = script.load("pipe.lua").expect_err("a pipe has no end");
        assert_eq!(fault.message(), "'pipe.lua' cannot be read: not a regular file");
    }
    std::fs::write(root.join("large.lua"), vec![b' '; (16 << 20) + 1]).expect("a file");
    let fault = script.load("large.lua").expect_err("it is too large");
    assert_eq!(fault.message(), "'large.lua' cannot be read: larger than 16 MiB");
    let _ = std::fs::remove_dir_all(root);
}
