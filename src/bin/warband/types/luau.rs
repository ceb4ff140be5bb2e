//! Definitions for luau-lsp.

use super::{AGENT, Field, TARGET, Ty, behaviours, details, doc, has_point, is_optional, options, words};
use std::fmt::Write;
use warband::args::{Param, ParamType};
use warband::tree::{Arity, NodeDef};

const HEAD: &str = "\
-- Types of warband's scripts for luau-lsp. Made by `warband types --luau`: do not edit.

declare extern type Vec3 extends vector with
    x: number
    y: number
    z: number
    -- How long it is.
    function length(self): number
    -- The dot product.
    function dot(self, other: Vec3): number
    -- The cross product.
    function cross(self, other: Vec3): Vec3
    -- How far the other point is.
    function distance(self, other: Vec3): number
    -- The same direction with length 1; zero for what is shorter than 1e-6.
    function normalize(self): Vec3
    -- The same on the ground: y is 0.
    function flat(self): Vec3
    function __add(self, other: Vec3): Vec3
    function __sub(self, other: Vec3): Vec3
    function __mul(self, factor: number): Vec3
    function __div(self, factor: number): Vec3
    function __unm(self): Vec3
end

-- A body; compare it, store it in a key, or give it to a steering rule.
declare extern type Body with
end

-- A node or a whole tree. A subtree can be called with a table: the same with other parameters.
declare extern type Node with
    function __call(self, given: { [string]: any }): Node
end

-- A key in place of a value: bt.key \"name\".
declare extern type Key with
end

export type Status = \"success\" | \"failure\" | \"running\"
export type Reason = \"success\" | \"failure\" | \"aborted\"
export type Place = \"target\" | \"place\" | \"home\" | \"squad\"
export type Point = Vec3 | Body | Target | Agent | Place
export type From = Point | \"self\"
type Keys = { [string]: any }
export type Value = boolean | number | string | Vec3 | Body | { Vec3 }
";

const TAIL: &str = "
-- Looks for a place: each word makes a new query; best, all and count answer, in a function of a leaf.
declare extern type Query with
    -- Leaves out points farther off, m.
    function within(self, place: From, distance: number): Query
    -- Leaves out points that are nearer, m; \"squad\" means each other member.
    function away_from(self, place: From, distance: number): Query
    -- Leaves out points where the agent cannot stand.
    function walkable(self): Query
    -- Leaves out points that are hidden from there.
    function visible_from(self, place: From): Query
    -- Leaves out points that are in view from there: what is left is cover.
    function hidden_from(self, place: From): Query
    -- The nearer to it the better.
    function near(self, place: From, weight: number?): Query
    -- The farther from it the better.
    function far(self, place: From, weight: number?): Query
    -- Ranks all points that are left in one call: the higher the number the better.
    function rank(self, rank: (points: { Vec3 }) -> { number }, weight: number?): Query
    -- How many work units it may spend; 20,000 unless told.
    function budget(self, units: number): Query
    -- The best place, or nil.
    function best(self): Vec3?
    -- The best places, so many at most.
    function all(self, most: number?): { Vec3 }
    -- How many places are right.
    function count(self): number
end

declare query: {
    -- Points spread evenly between two radii, m; 64 unless told.
    ring: (around: From, inner: number, outer: number?, points: number?) -> Query,
    -- Points in rows, up to so many metres to each side; 1 m apart unless told.
    grid: (around: From, half: number, spacing: number?) -> Query,
    -- These points.
    points: (points: { Vec3 }) -> Query,
}

-- Declares keys: blackboard { squad = { alarm = \"bool\", kills = { \"integer\", default = 0, ttl = 5 } } }.
declare function blackboard(keys: { agent: Keys?, squad: Keys?, team: Keys?, world: Keys? }): ()

declare function vec3(x: number, y: number, z: number?): Vec3

-- In a coroutine: until so many seconds have passed; without a number until the next tick.
declare function wait(seconds: number?): ()

-- In a coroutine: until the function answers, asked each tick, for so many seconds at most; whether it did.
declare function wait_until(test: () -> any, seconds: number?): boolean
";

pub fn write(defs: &[&'static NodeDef]) -> String {
    let mut text = HEAD.to_owned();
    class(&mut text, "Target", &TARGET, "");
    class(&mut text, "Agent", &AGENT, &methods(defs));
    text.push_str("\ndeclare bt: {\n");
    defs.iter().for_each(|def| node(&mut text, def));
    text.push_str(
        "    -- A tree, to be returned by a script.\n    tree: (name: string, root: Node) -> Node,\n",
    );
    text.push_str("    -- The value of a blackboard key, read whenever it is needed.\n    key: (name: string) -> Key,\n");
    text.push_str("    -- A parameter of the subtree around it.\n    param: (name: string) -> any,\n}\n");
    text + TAIL
}

fn class(text: &mut String, name: &str, fields: &[Field], methods: &str) {
    let _ = writeln!(text, "\ndeclare extern type {name} with");
    for (field, ty, optional, doc) in fields {
        let mark = if *optional { "?" } else { "" };
        let _ = writeln!(text, "    -- {doc}\n    {field}: {}{mark}", spelled(*ty));
    }
    let _ = writeln!(text, "{methods}end");
}

fn methods(defs: &[&NodeDef]) -> String {
    let mut text = "    -- The keys of the agent, its squad, its team and the world.
    board: any
    -- What an action, coroutine or service keeps from its enter to its exit: plain data.
    memory: any
    -- What the squad is after, as it believes; nothing when it knows of nobody.
    target: Target?
    -- How far it is from there, m; nothing if there is no such body or target.
    function distance(self, point: Point): number?
    -- Gives a name to what it does, for the game, traces and pictures.
    function set_mode(self, name: string): ()
    -- Says a line, for the game and the story of a run.
    function say(self, line: string): ()
    -- Asks something of the game, as `bt.command` does; nobody waits for an answer.
    function command(self, name: string): ()
    -- Adds to a number on a board; of several agents that add in one tick all count. 1 unless told.
    function increment(self, key: string, by: number?): ()
    -- Appends a point to a list on a board; of several agents that append in one tick all count.
    function append(self, key: string, point: Point): ()
    -- Whether it is still in the world.
    function alive(self): boolean
"
    .to_owned();
    for behaviour in behaviours() {
        let point = if has_point(behaviour, defs) { "point: Point?, " } else { "" };
        let given: Vec<_> = options(behaviour).map(|name| format!("{name}: number?")).collect();
        let (name, given) = (behaviour.name, given.join(", "));
        let _ = writeln!(text, "    -- {}", behaviour.doc);
        let _ = writeln!(text, "    function {name}(self, {point}options: {{ {given} }}?): Status");
    }
    text
}

fn node(text: &mut String, def: &NodeDef) {
    let mut fields: Vec<String> = def.params.iter().map(field).collect();
    fields.extend(def.condition.map(|name| format!("{name}: Node")));
    fields.push("id: string?".to_owned());
    if def.name == "subtree" {
        fields.push("params: { [string]: any }?".to_owned());
    }
    // No other name may be given to a leaf. A table has one such rule: here it is for the children.
    fields.push(match def.children {
        Arity::None => "[string]: never".to_owned(),
        _ => format!("[number]: {}", child(def)),
    });
    let _ = writeln!(text, "    -- {}", def.doc);
    let params = def.params.iter().map(|param| format!("`{}`: {}", param.name, doc(param)));
    for line in params.chain(details(def)) {
        let _ = writeln!(text, "    --   {line}");
    }
    let _ = writeln!(text, "    {}: (given: {{ {} }}) -> Node,", def.name, fields.join(", "));
}

fn child(def: &NodeDef) -> String {
    if def.edge.is_empty() {
        return "Node".to_owned();
    }
    let told: Vec<_> = def.edge.iter().map(field).collect();
    format!("Node | {{ {}, [number]: Node }}", told.join(", "))
}

fn field(param: &Param) -> String {
    let mark = if is_optional(param) { "?" } else { "" };
    let key = if param.live { " | Key" } else { "" };
    format!("{}: ({}{key}){mark}", param.name, of(param))
}

fn of(param: &Param) -> String {
    match param.ty {
        ParamType::Bool => "boolean".to_owned(),
        ParamType::Integer | ParamType::Number => "number".to_owned(),
        ParamType::Vec3 => "Vec3".to_owned(),
        ParamType::Aim => "Vec3 | Key | Place".to_owned(),
        ParamType::AimOrSelf => "Vec3 | Key | Place | \"self\"".to_owned(),
        ParamType::Points => "{ Vec3 }".to_owned(),
        ParamType::Numbers => "{ number }".to_owned(),
        ParamType::Value => "Value | Key".to_owned(),
        ParamType::Key => "string | Key".to_owned(),
        ParamType::Function => format!("({})", function(param.name)),
        other => words(other).unwrap_or_else(|| "string".to_owned()),
    }
}

/// What a function of a script takes and answers, by the parameter that it is.
fn function(param: &str) -> &'static str {
    match param {
        "tick" => "(self: Agent) -> Status | boolean",
        "test" => "(self: Agent) -> boolean",
        "exit" => "(self: Agent, reason: Reason) -> ...any",
        _ => "(self: Agent) -> ...any",
    }
}

fn spelled(ty: Ty) -> &'static str {
    match ty {
        Ty::Bool => "boolean",
        Ty::Number => "number",
        Ty::Text => "string",
        Ty::Vec3 => "Vec3",
        Ty::Entity => "Body",
    }
}
