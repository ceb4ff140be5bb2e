//! Annotations for LuaLS.

use super::{AGENT, Field, TARGET, Ty, behaviours, details, doc, has_point, is_optional, options, words};
use std::fmt::Write;
use warband::args::{Param, ParamType};
use warband::tree::{Arity, NodeDef};

const HEAD: &str = "\
---@meta
-- Types of warband's scripts for LuaLS. Made by `warband types --lua`: do not edit.

---@class vec3
---@field x number
---@field y number
---@field z number
---@operator add(vec3): vec3
---@operator sub(vec3): vec3
---@operator mul(number): vec3
---@operator div(number): vec3
---@operator unm: vec3
local vec = {}
---How long it is.
---@return number
function vec:length() end
---The dot product.
---@param other vec3
---@return number
function vec:dot(other) end
---The cross product.
---@param other vec3
---@return vec3
function vec:cross(other) end
---How far the other point is.
---@param other vec3
---@return number
function vec:distance(other) end
---The same direction with length 1; zero for what is shorter than 1e-6.
---@return vec3
function vec:normalize() end
---The same on the ground: y is 0.
---@return vec3
function vec:flat() end

---@class body A body; compare it, store it in a key, or give it to a steering rule.
---@class node A node or a whole tree. A subtree can be called with a table: the same with other parameters.
---@overload fun(given: table<string, any>): node
---@class key A key in place of a value: bt.key \"name\".

---@alias status \"success\" | \"failure\" | \"running\"
---@alias reason \"success\" | \"failure\" | \"aborted\"
---@alias place \"target\" | \"place\" | \"home\" | \"squad\"
---@alias point vec3 | body | target | agent | place
---@alias value boolean | number | string | vec3 | body | vec3[]

---@param x number
---@param y number
---@param z? number
---@return vec3
function vec3(x, y, z) end

---In a coroutine: until so many seconds have passed; without a number until the next tick.
---@param seconds? number
function wait(seconds) end

---In a coroutine: until the function answers, asked each tick, for so many seconds at most; whether it did.
---@param test fun(): any
---@param seconds? number
---@return boolean
function wait_until(test, seconds) end

---@alias from point | \"self\"

---@class query Looks for a place: each word makes a new query; best, all and count answer, in a function of a leaf.
local query_words = {}
---Leaves out points farther off.
---@param place from
---@param distance number m
---@return query
function query_words:within(place, distance) end
---Leaves out points that are nearer; \"squad\" means each other member.
---@param place from
---@param distance number m
---@return query
function query_words:away_from(place, distance) end
---Leaves out points where the agent cannot stand.
---@return query
function query_words:walkable() end
---Leaves out points that are hidden from there.
---@param place from
---@return query
function query_words:visible_from(place) end
---Leaves out points that are in view from there: what is left is cover.
---@param place from
---@return query
function query_words:hidden_from(place) end
---The nearer to it the better.
---@param place from
---@param weight? number
---@return query
function query_words:near(place, weight) end
---The farther from it the better.
---@param place from
---@param weight? number
---@return query
function query_words:far(place, weight) end
---Ranks all points that are left in one call: the higher the number the better.
---@param rank fun(points: vec3[]): number[]
---@param weight? number
---@return query
function query_words:rank(rank, weight) end
---How many work units it may spend; 20,000 unless told.
---@param units number
---@return query
function query_words:budget(units) end
---The best place, or nil.
---@return vec3?
function query_words:best() end
---The best places, so many at most.
---@param most? number
---@return vec3[]
function query_words:all(most) end
---How many places are right.
---@return number
function query_words:count() end

query = {}
---Points spread evenly between two radii; 64 unless told.
---@param around from
---@param inner number m
---@param outer? number m
---@param points? number
---@return query
function query.ring(around, inner, outer, points) end
---Points in rows, up to so many metres to each side; 1 m apart unless told.
---@param around from
---@param half number m
---@param spacing? number m
---@return query
function query.grid(around, half, spacing) end
---These points.
---@param points vec3[]
---@return query
function query.points(points) end

---Declares keys: blackboard { squad = { alarm = \"bool\", kills = { \"integer\", default = 0, ttl = 5 } } }.
---@param keys { agent?: table, squad?: table, team?: table, world?: table }
function blackboard(keys) end

---@class nodes
bt = {}

---A tree, to be returned by a script.
---@param name string
---@param root node
---@return node
function bt.tree(name, root) end

---The value of a blackboard key, read whenever it is needed.
---@param name string
---@return key
function bt.key(name) end

---A parameter of the subtree around it.
---@param name string
---@return any
function bt.param(name) end
";

const AGENT_METHODS: &str = "
---How far it is from there, m; nothing if there is no such body or target.
---@param point point
---@return number?
function agent:distance(point) end
---Gives a name to what it does, for the game, traces and pictures.
---@param name string
function agent:set_mode(name) end
---Says a line, for the game and the story of a run.
---@param line string
function agent:say(line) end
---Asks something of the game, as `bt.command` does; nobody waits for an answer.
---@param name string
function agent:command(name) end

---Adds to a number on a board; of several agents that add in one tick all count. 1 unless told.
---@param key string
---@param by? number
function agent:increment(key, by) end

---Appends a point to a list on a board; of several agents that append in one tick all count.
---@param key string
---@param point point
function agent:append(key, point) end
---Whether it is still in the world.
---@return boolean
function agent:alive() end
";

pub fn write(defs: &[&'static NodeDef]) -> String {
    let mut text = HEAD.to_owned();
    class(&mut text, "target", &TARGET);
    class(&mut text, "agent", &AGENT);
    text.push_str(
        "---@field board table<string, any> the keys of the agent, its squad, its team and the world\n",
    );
    text.push_str("---@field memory table what an action, coroutine or service keeps from its enter to its exit: plain data\n");
    text.push_str("---@field target? target what the squad is after, as it believes\nlocal agent = {}\n");
    text.push_str(AGENT_METHODS);
    behaviours().for_each(|behaviour| method(&mut text, behaviour, defs));
    defs.iter().for_each(|def| node(&mut text, def));
    text
}

fn class(text: &mut String, name: &str, fields: &[Field]) {
    let _ = writeln!(text, "\n---@class {name}");
    for (field, ty, optional, doc) in fields {
        let mark = if *optional { "?" } else { "" };
        let _ = writeln!(text, "---@field {field}{mark} {} {doc}", spelled(*ty));
    }
}

fn method(text: &mut String, behaviour: &'static warband::steer::Behaviour, defs: &[&NodeDef]) {
    let given: Vec<_> = options(behaviour).map(|name| format!("{name}?: number")).collect();
    let point = has_point(behaviour, defs);
    let _ = writeln!(text, "\n---{}", behaviour.doc);
    if point {
        text.push_str("---@param point? point\n");
    }
    let _ = writeln!(text, "---@param options? {{ {} }}\n---@return status", given.join(", "));
    let arguments = if point { "point, options" } else { "options" };
    let _ = writeln!(text, "function agent:{}({arguments}) end", behaviour.name);
}

fn node(text: &mut String, def: &NodeDef) {
    let name = def.name;
    let _ = writeln!(text, "\n---@class {name}_given");
    def.params.iter().for_each(|param| field(text, param));
    if let Some(condition) = def.condition {
        let _ = writeln!(text, "---@field {condition} node its condition");
    }
    if name == "subtree" {
        text.push_str("---@field params? table<string, any> its parameters with their defaults\n");
    }
    text.push_str("---@field id? string what it is called across reloads\n");
    if def.children != Arity::None {
        let _ = writeln!(text, "---@field [integer] node{}", edge(def));
    }
    let _ = writeln!(text, "\n---{}", def.doc);
    for line in details(def) {
        let _ = writeln!(text, "---  \n---{line}");
    }
    let _ = writeln!(text, "---@param given {name}_given\n---@return node\nfunction bt.{name}(given) end");
}

/// A child may come in a table, with what its parent is told of it.
fn edge(def: &NodeDef) -> String {
    if def.edge.is_empty() {
        return String::new();
    }
    let told = def.edge.iter().map(|param| format!("{}{}: {}", param.name, mark(param), of(param)));
    format!(" | {{ {}, [integer]: node }}", told.collect::<Vec<_>>().join(", "))
}

fn mark(param: &Param) -> &'static str {
    if is_optional(param) { "?" } else { "" }
}

fn field(text: &mut String, param: &Param) {
    let _ = writeln!(text, "---@field {}{} {} {}", param.name, mark(param), of(param), doc(param));
}

fn of(param: &Param) -> String {
    let key = if param.live { " | key" } else { "" };
    plain(param) + key
}

fn plain(param: &Param) -> String {
    match param.ty {
        ParamType::Bool => "boolean".to_owned(),
        ParamType::Integer => "integer".to_owned(),
        ParamType::Number => "number".to_owned(),
        ParamType::Vec3 => "vec3".to_owned(),
        ParamType::Aim => "vec3 | key | place".to_owned(),
        ParamType::AimOrSelf => "vec3 | key | place | \"self\"".to_owned(),
        ParamType::Points => "vec3[]".to_owned(),
        ParamType::Numbers => "number[]".to_owned(),
        ParamType::Key => "string | key".to_owned(),
        ParamType::Value => "value | key".to_owned(),
        ParamType::Function => function(param.name).to_owned(),
        other => words(other).unwrap_or_else(|| "string".to_owned()),
    }
}

/// What a function of a script takes and answers, by the parameter that it is.
fn function(param: &str) -> &'static str {
    match param {
        "tick" => "fun(self: agent): status | boolean",
        "test" => "fun(self: agent): boolean",
        "exit" => "fun(self: agent, reason: reason)",
        _ => "fun(self: agent): any",
    }
}

fn spelled(ty: Ty) -> &'static str {
    match ty {
        Ty::Bool => "boolean",
        Ty::Number => "number",
        Ty::Text => "string",
        Ty::Vec3 => "vec3",
        Ty::Entity => "body",
    }
}
