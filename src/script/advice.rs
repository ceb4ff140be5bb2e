//! What to do about faults that Lua tells in words of its own, or that the text around them explains.

use super::Script;
use super::agent::TARGET_FIELDS;
use super::flavour::content;
use super::lex::{Token, tokens};
use super::outline::written;
use crate::error::{Error, near_name};
use mlua::{Table, Value};

impl Script {
    /// The fault, with what to do about it if its text says that.
    pub(super) fn advise(&self, error: Error) -> Error {
        let text = error.place().and_then(|place| {
            self.stage
                .with(|stage| stage.library.texts.get(&*place.file).cloned())
                .map(|text| (place.line, text))
        });
        let Some((line, text)) = text else { return error };
        let message = error.message();
        let advice = if let Some(name) = message.strip_prefix("unknown global '") {
            about_global(name.trim_end_matches('\''), &text, line, error.hint_text().is_some())
        } else if error.hint_text().is_some() || !message.contains("nil") {
            None
        } else if message.starts_with("attempt to call") {
            self.about_call(&text, line)
        } else if message.starts_with("attempt to index") {
            about_target(&text, line)
        } else {
            None
        };
        match advice {
            Some(advice) => error.hint(advice),
            None => error,
        }
    }

    /// A function that a library does not have.
    fn about_call(&self, text: &str, line: u32) -> Option<String> {
        let tokens = tokens(text);
        let called = on_line(&tokens, line).windows(3).filter(|three| three[1].mark(text) == b'.');
        called.into_iter().find_map(|three| {
            let (library, name) = (three[0].name(text), three[2].name(text));
            let Ok(Value::Table(table)) = self.lua.globals().get(library) else { return None };
            let names: Vec<_> = members(&table);
            if name.is_empty() || names.iter().any(|known| known == name) {
                return None;
            }
            Some(match near_name(name, names.iter().map(String::as_str)) {
                Some(near) => format!("{library} has no '{name}': did you mean '{near}'?"),
                None => format!("{library} has no '{name}'"),
            })
        })
    }
}

fn members(library: &Table) -> Vec<String> {
    let library = content(library);
    let mut names: Vec<_> = library.pairs::<String, Value>().flatten().map(|(name, _)| name).collect();
    // A table is walked in an order of its own: of two that are as near, the first is named.
    names.sort();
    names
}

fn on_line(tokens: &[Token], line: u32) -> &[Token] {
    let from = tokens.partition_point(|token| token.line < line);
    let to = tokens.partition_point(|token| token.line <= line);
    &tokens[from..to]
}

/// A name that is only written further down, or that was meant to last.
fn about_global(name: &str, text: &str, line: u32, hinted: bool) -> Option<String> {
    let writes = written(text, &tokens(text), name);
    let below = writes.iter().find(|write| write.local && write.line > line);
    if let Some(below) = below {
        return Some(format!("it is declared in line {}: declare it above", below.line));
    }
    let set = writes.iter().any(|write| !write.local);
    (set && !hinted).then(|| {
        format!("what lasts goes to self.memory.{name} or self.board.{name}; else declare it with local")
    })
}

/// A field that a target has, of nothing.
fn about_target(text: &str, line: u32) -> Option<String> {
    let tokens = tokens(text);
    let of_target = |two: &[Token]| {
        two[0].mark(text) == b'.' && TARGET_FIELDS.iter().any(|(field, _)| *field == two[1].name(text))
    };
    let named = tokens.iter().any(|token| token.name(text) == "target");
    (named && on_line(&tokens, line).windows(2).any(of_target))
        .then(|| "self.target is nil while nobody is known: ask for it first".to_owned())
}
