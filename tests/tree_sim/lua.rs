//! Trees as an author would write them in Lua, and what a script makes of the words.

use warband::Spec;
use warband::args::Arg;
use warband::script::{Script, ScriptLimits};

/// Loads trees through one virtual machine that knows the probes.
pub struct Reader {
    script: Script,
}

impl Reader {
    pub fn new() -> Self {
        let script = Script::new(&super::registry(), 7, ScriptLimits::default()).expect("a VM");
        Self { script }
    }

    /// The tree that a script returns which is made of these words alone.
    pub fn read(&mut self, words: &str) -> Spec {
        self.script.set_source("main.lua", Some(format!("return {words}")));
        let mut loaded = self.script.load("main.lua").unwrap_or_else(|error| panic!("{error}\n{words}"));
        self.script.drop_generation(loaded.generation);
        loaded.trees.remove(0).1
    }

    /// Writes a tree in Lua and reads it; what a table does not keep, the order of names, and places aside, it must
    /// be the same.
    pub fn through(&mut self, spec: &Spec) -> Result<Spec, String> {
        let words = lua(spec);
        let read = self.read(&words);
        match plain(&read) == plain(spec) {
            true => Ok(read),
            false => Err(format!("{words}\n  was read as\n{read:?}\n  and is\n{spec:?}")),
        }
    }
}

/// Without places, and with what has names in the order of the names.
fn plain(spec: &Spec) -> Spec {
    let by_name = |args: &[(String, Arg)]| {
        let mut args = args.to_vec();
        args.sort_by(|one, other| one.0.cmp(&other.0));
        args
    };
    Spec {
        args: by_name(&spec.args),
        edge: by_name(&spec.edge),
        children: spec.children.iter().map(plain).collect(),
        place: None,
        ..spec.clone()
    }
}

/// A tree in Lua.
pub fn lua(spec: &Spec) -> String {
    let mut entries = Vec::new();
    entries.extend(spec.id.as_ref().map(|id| format!("id = {id:?}")));
    entries.extend(spec.args.iter().map(named));
    for child in &spec.children {
        let words = lua(child);
        entries.push(match &child.role {
            Some(role) => format!("{role} = {words}"),
            None if child.edge.is_empty() => words,
            None => {
                let edge = child.edge.iter().map(named).collect::<Vec<_>>();
                format!("{{ {}, {words} }}", edge.join(", "))
            }
        });
    }
    format!("bt.{} {{ {} }}", spec.node, entries.join(", "))
}

fn named((name, arg): &(String, Arg)) -> String {
    format!("{name} = {}", value(arg))
}

fn value(arg: &Arg) -> String {
    match arg {
        Arg::Bool(value) => value.to_string(),
        Arg::Number(number) => format!("{number:?}"),
        Arg::Text(text) => format!("{text:?}"),
        Arg::Key(key) => format!("bt.key {key:?}"),
        Arg::Param(name) => format!("bt.param {name:?}"),
        Arg::Vec3(point) => format!("vec3({:?}, {:?}, {:?})", point.x, point.y, point.z),
        Arg::List(list) => format!("{{ {} }}", list.iter().map(value).collect::<Vec<_>>().join(", ")),
        other => panic!("no words for {other:?}"),
    }
}
