//! Nodes that choose, count and wait, written in Lua: the same specs as in Rust, and they build.
#![cfg(feature = "lua")]

use warband::args::Arg;
use warband::blackboard::{KeyDecl, Schema, Scope, ValueType};
use warband::script::{Script, ScriptLimits};
use warband::tree::{Spec, Symbols, build};

fn without_places(mut spec: Spec) -> Spec {
    spec.place = None;
    spec.children = spec.children.into_iter().map(without_places).collect();
    spec
}

fn from_lua(text: &str) -> Spec {
    let mut script = Script::new(&warband::node::registry(), 7, ScriptLimits::default()).expect("a VM");
    script.set_source("main.lua", Some(format!("return {text}")));
    let mut loaded = script.load("main.lua").unwrap_or_else(|error| panic!("{text}: {error}"));
    without_places(loaded.trees.remove(0).1)
}

fn schema() -> Schema {
    let mut schema = Schema::default();
    let mut declare = |name: &str, ty| {
        schema.declare(KeyDecl::new(name, Scope::Agent, ty)).expect("the key is legal");
    };
    declare("mood", ValueType::String);
    declare("hunger", ValueType::Number);
    declare("spots", ValueType::List);
    declare("spot", ValueType::Vec3);
    declare("alarm", ValueType::Bool);
    schema
}

fn hunger() -> Arg {
    Arg::Key("hunger".into())
}

fn attack() -> Spec {
    Spec::new("log").set("text", "attack")
}

fn rest() -> Spec {
    Spec::new("wait").set("seconds", 1.0)
}

fn alarm() -> Spec {
    Spec::new("has_value").set("key", "alarm")
}

/// What a script says, and what Rust says.
type Pair = (&'static str, fn() -> Spec);

const LUA: &[Pair] = &[
    ("bt.random_sequence { ATTACK, REST }", || Spec::new("random_sequence").with(attack()).with(rest())),
    ("bt.random_selector { ATTACK, REST }", || Spec::new("random_selector").with(attack()).with(rest())),
    ("bt.weighted_selector { { weight = 3, ATTACK }, { weight = bt.key \"hunger\", REST } }", || {
        let (attack, rest) = (attack().edge("weight", 3.0), rest().edge("weight", hunger()));
        Spec::new("weighted_selector").with(attack).with(rest)
    }),
    ("bt.switch { key = \"mood\", reactive = true, { case = \"angry\", ATTACK }, REST }", || {
        let switch = Spec::new("switch").set("key", "mood").set("reactive", true);
        switch.with(attack().edge("case", "angry")).with(rest())
    }),
    (
        "bt.utility_selector { interval = 0.2, inertia = 0.1,
            { score = bt.key \"hunger\", curve = \"logistic\", slope = 2, shift = 0.5, ATTACK }, { score = 0.3, REST } }",
        || {
            let scored = attack().edge("score", hunger()).edge("curve", "logistic").edge("slope", 2.0);
            let utility = Spec::new("utility_selector").set("interval", 0.2).set("inertia", 0.1);
            utility.with(scored.edge("shift", 0.5)).with(rest().edge("score", 0.3))
        },
    ),
    ("bt.race { ATTACK, REST }", || Spec::new("race").with(attack()).with(rest())),
    ("bt.if_then_else { when = ALARM, ATTACK, REST }", || {
        Spec::new("if_then_else").when(alarm()).with(attack()).with(rest())
    }),
    ("bt.while_do { when = ALARM, ATTACK }", || Spec::new("while_do").when(alarm()).with(attack())),
    ("bt.try_catch { ATTACK, REST }", || Spec::new("try_catch").with(attack()).with(rest())),
    ("bt.finally { ATTACK, REST }", || Spec::new("finally").with(attack()).with(rest())),
    ("bt.repeat_until { on = \"failure\", REST }", || {
        Spec::new("repeat_until").set("on", "failure").with(rest())
    }),
    ("bt.delay { seconds = bt.key \"hunger\", ATTACK }", || {
        Spec::new("delay").set("seconds", hunger()).with(attack())
    }),
    ("bt.run_once { on = \"success\", ATTACK }", || Spec::new("run_once").set("on", "success").with(attack())),
    ("bt.run_limit { times = 2, ATTACK }", || Spec::new("run_limit").set("times", 2).with(attack())),
    ("bt.chance { probability = 0.3, ATTACK }", || Spec::new("chance").set("probability", 0.3).with(attack())),
    ("bt.sequence { bt.skip_if { when = ALARM, ATTACK }, REST }", || {
        Spec::new("sequence").with(Spec::new("skip_if").when(alarm()).with(attack())).with(rest())
    }),
    ("bt.for_each { list = \"spots\", item = \"spot\", REST }", || {
        Spec::new("for_each").set("list", "spots").set("item", "spot").with(rest())
    }),
    ("bt.wait_random { low = 1, high = 2 }", || Spec::new("wait_random").set("low", 1.0).set("high", 2.0)),
    ("bt.wait_for { key = \"alarm\", change = true, seconds = 3 }", || {
        Spec::new("wait_for").set("key", "alarm").set("change", true).set("seconds", 3.0)
    }),
    ("bt.send { name = \"flank\" }", || Spec::new("send").set("name", "flank")),
    ("bt.guard { when = bt.receive { name = \"flank\", from = \"others\" }, ATTACK }", || {
        let heard = Spec::new("receive").set("name", "flank").set("from", "others");
        Spec::new("guard").when(heard).with(attack())
    }),
];

#[test]
fn lua_and_rust_say_the_same_and_it_builds() {
    let schema = schema();
    for (text, rust) in LUA {
        let text = text
            .replace("ATTACK", "bt.log { text = \"attack\" }")
            .replace("REST", "bt.wait { seconds = 1 }")
            .replace("ALARM", "bt.has_value { key = \"alarm\" }");
        let lua = from_lua(&text);
        assert_eq!(lua, rust(), "{text}");
        let built = build("tree", &lua, &warband::node::registry(), &schema, &mut Symbols::default());
        built.unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}
