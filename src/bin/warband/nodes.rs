//! `warband nodes`: the reference, from the DEFs.

use super::arguments::NodesOptions;
use super::{Outcome, Result, print};
use std::fmt::Write;
use warband::args::{DefaultValue, Param};
use warband::tree::{Arity, Kind, NodeDef};

const KINDS: [(Kind, &str); 5] = [
    (Kind::Composite, "Composites"),
    (Kind::Decorator, "Decorators"),
    (Kind::Service, "Services"),
    (Kind::Condition, "Conditions"),
    (Kind::Action, "Actions"),
];

pub fn nodes(options: &NodesOptions) -> Result<Outcome> {
    let registry = warband::node::registry();
    let mut chosen = Vec::new();
    for name in &options.names {
        chosen.push(registry.find(name).map_err(|error| error.to_string())?);
    }
    let all = chosen.is_empty();
    if all {
        chosen.extend(registry.defs());
    }
    print(&match (options.markdown, all) {
        (true, _) => markdown(&chosen),
        (false, true) => list(&chosen),
        (false, false) => chosen.iter().map(|def| plain(def)).collect::<Vec<_>>().join("\n"),
    })?;
    Ok(Outcome::Good)
}

fn of_kind<'d>(defs: &[&'d NodeDef], kind: Kind) -> Vec<&'d NodeDef> {
    defs.iter().copied().filter(|def| def.kind == kind).collect()
}

/// All nodes, a line each.
fn list(defs: &[&NodeDef]) -> String {
    let width = defs.iter().map(|def| def.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (kind, title) in KINDS {
        let _ = writeln!(text, "{title}");
        for def in of_kind(defs, kind) {
            let _ = writeln!(text, "  {:<width$}  {}", def.name, def.doc);
        }
        text.push('\n');
    }
    text.push_str("warband nodes NAME tells all about one.\n");
    text
}

/// All about a node, for a terminal.
fn plain(def: &NodeDef) -> String {
    let mut text = format!("{} ({}, {})\n  {}\n", def.name, def.kind.name(), children(def), def.doc);
    for (name, what) in ends(def) {
        let _ = writeln!(text, "  {name:<9}{what}");
    }
    for (title, params) in [("parameters", def.params), ("of each child", def.edge)] {
        if params.is_empty() {
            continue;
        }
        let _ = writeln!(text, "  {title}:");
        for param in params {
            let _ = writeln!(
                text,
                "    {:<13} {:<13} {:<11} {}",
                param.name,
                ty(param),
                default(param),
                what(param)
            );
        }
    }
    text
}

/// The whole reference.
fn markdown(defs: &[&NodeDef]) -> String {
    let mut text = String::from("# Nodes\n\n| node | kind | what it does |\n| --- | --- | --- |\n");
    for (kind, _) in KINDS {
        for def in of_kind(defs, kind) {
            let name = def.name;
            let _ = writeln!(text, "| [`{name}`](#{name}) | {} | {} |", kind.name(), cell(def.doc));
        }
    }
    for (kind, title) in KINDS {
        let chosen = of_kind(defs, kind);
        if !chosen.is_empty() {
            let _ = writeln!(text, "\n## {title}");
        }
        chosen.iter().for_each(|def| text.push_str(&section(def)));
    }
    text
}

fn section(def: &NodeDef) -> String {
    let mut text = format!("\n### {}\n\n{} ({}.)\n\n", def.name, sentence(def.doc), children(def));
    for (name, what) in ends(def) {
        let _ = writeln!(text, "- **{name}**: {what}");
    }
    for (title, params) in [("parameter", def.params), ("of each child", def.edge)] {
        if params.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n| {title} | type | default | what |\n| --- | --- | --- | --- |");
        for param in params {
            let (ty, default) = (cell(&ty(param)), default(param));
            let _ = writeln!(text, "| `{}` | {ty} | {default} | {} |", param.name, cell(&what(param)));
        }
    }
    text
}

fn ends(def: &NodeDef) -> Vec<(&'static str, &'static str)> {
    let ends =
        [("running", def.running), ("success", def.success), ("failure", def.failure), ("abort", def.abort)];
    ends.into_iter().filter(|(_, what)| !what.is_empty()).collect()
}

fn children(def: &NodeDef) -> String {
    let count = match def.children {
        Arity::None => "no children".to_owned(),
        Arity::One => "one child".to_owned(),
        Arity::Many => "one or more children".to_owned(),
        Arity::Few(least, most) if least == most => format!("{least} children"),
        Arity::Few(least, most) => format!("{least} to {most} children"),
    };
    def.condition.map_or(count.clone(), |name| format!("a condition as `{name}`, {count}"))
}

fn ty(param: &Param) -> String {
    if param.live { format!("{} or key", param.ty.name()) } else { param.ty.name() }
}

fn default(param: &Param) -> String {
    let unit = if param.unit.is_empty() { String::new() } else { format!(" {}", param.unit) };
    match param.default {
        DefaultValue::Required => "required".to_owned(),
        DefaultValue::Absent => "none".to_owned(),
        DefaultValue::Bool(value) => value.to_string(),
        DefaultValue::Number(value) => format!("{value}{unit}"),
        DefaultValue::Text(value) => format!("\"{value}\""),
    }
}

fn what(param: &Param) -> String {
    let range = param.range_text();
    if range.is_empty() { param.doc.to_owned() } else { format!("{}; {range}", param.doc) }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// With a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map_or_else(String::new, |letter| letter.to_uppercase().to_string());
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}
