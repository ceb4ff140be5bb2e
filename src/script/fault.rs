//! Faults of Lua as our errors: the place as the author says it, one sentence, the traceback apart.

use super::flavour;
use super::shared::{Shared, Stage};
use crate::error::{Error, ErrorKind, Place};
use mlua::Lua;

/// The name of our own chunk; its frames are not shown.
pub(super) const PRELUDE: &str = "warband";

/// The line of a script that is being run, nearest to the fault.
pub(super) fn here(lua: &Lua) -> Option<Place> {
    if let Some(place) = flavour::last_line(lua) {
        return Some(place);
    }
    (0..64)
        .map_while(|level| {
            lua.inspect_stack(level, |frame| {
                let source = frame.source().source?.into_owned();
                let file = source.strip_prefix('@')?;
                Some(Place::new(file, frame.current_line()? as u32))
            })
        })
        .flatten()
        .next()
}

/// A fault is kept outside the memory of the VM, with its traceback, until the VM collects it: it counts as this many
/// bytes, which is 200 instructions.
pub(super) const FAULT: usize = 200 * 64;

/// An error of ours for Lua to carry, with the place where it came up.
pub(super) fn raise(lua: &Lua, error: Error) -> mlua::Error {
    let error = if error.place().is_some() { error } else { error.at_option(here(lua).as_ref()) };
    if let Some(stage) = lua.app_data_ref::<Shared<Stage>>() {
        stage.with(|stage| stage.meter.charge(FAULT + error.message().len()));
    }
    mlua::Error::external(error)
}

/// What a script sees of a fault that it catches.
pub(super) fn sentence(error: &mlua::Error) -> String {
    translate(error, 0).to_string()
}

/// A fault of Lua as ours; `memory` is the limit in bytes.
pub(super) fn translate(error: &mlua::Error, memory: usize) -> Error {
    let trace = trace_of(error);
    let found = match error.downcast_ref::<Error>() {
        Some(ours) => ours.clone(),
        None => plain(root(error), &trace, memory),
    };
    if trace.is_empty() || found.trace().is_some() { found } else { found.with_trace(trace.join("\n")) }
}

fn root(error: &mlua::Error) -> &mlua::Error {
    match error {
        mlua::Error::CallbackError { cause, .. }
        | mlua::Error::WithContext { cause, .. }
        | mlua::Error::BadArgument { cause, .. } => root(cause),
        other => other,
    }
}

fn plain(error: &mlua::Error, trace: &[String], memory: usize) -> Error {
    match error {
        mlua::Error::SyntaxError { message, .. } => located(ErrorKind::Syntax, message, trace),
        mlua::Error::MemoryError(_) => out_of_memory(memory),
        mlua::Error::RuntimeError(message) if message.starts_with("not enough memory") => {
            out_of_memory(memory)
        }
        mlua::Error::RuntimeError(message) => located(ErrorKind::Script, message, trace),
        other => located(ErrorKind::Script, &other.to_string(), trace),
    }
}

pub(super) fn out_of_memory(memory: usize) -> Error {
    Error::new(ErrorKind::Memory, format!("needs more than the {} MiB of memory of its VM", memory >> 20))
}

/// Takes `file:line: ` from a message, and the traceback behind it.
fn located(kind: ErrorKind, message: &str, trace: &[String]) -> Error {
    let message = message.split("\nstack traceback:").next().unwrap_or_default();
    let (place, text) = match split_place(message) {
        Some((place, text)) if &*place.file != PRELUDE => (Some(place), text),
        Some((_, text)) => (None, text),
        None => (None, message),
    };
    let place = place.or_else(|| trace.iter().find_map(|line| Some(split_place(line)?.0)));
    let text = without_address(text);
    let text = if kind == ErrorKind::Syntax { lower_first(&text) } else { text };
    let error = if text.starts_with("attempt to yield across") {
        Error::new(kind, "a coroutine cannot wait here")
            .hint("not within a comparator, an iterator or a metamethod")
    } else {
        Error::new(kind, text)
    };
    error.at_option(place.as_ref())
}

/// Bytes of the path of a file.
pub(super) const LONGEST_FILE: usize = 1000;

fn split_place(message: &str) -> Option<(Place, &str)> {
    let (at, line) = message.match_indices(':').find_map(|(at, _)| {
        let rest = &message[at + 1..];
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        (digits > 0 && rest[digits..].starts_with(": ")).then(|| (at, rest[..digits].parse().ok()))
    })?;
    // A name of a file, not a sentence of a script that happens to hold `:1: `.
    if at > LONGEST_FILE || message[..at].contains(char::is_control) {
        return None;
    }
    let text = &message[at + 1..];
    let text = &text[text.find(": ")? + 2..];
    Some((Place::new(&message[..at], line?), text))
}

fn lower_first(text: &str) -> String {
    let mut rest = text.chars();
    match rest.next() {
        Some(first) => first.to_lowercase().chain(rest).collect(),
        None => String::new(),
    }
}

/// `table: 0x55…`, as `error {}` says, is another text in each run.
fn without_address(text: &str) -> String {
    match text.split_once(": 0x") {
        Some((kind, _)) if matches!(kind, "table" | "function" | "thread" | "userdata" | "buffer") => {
            format!("raised a {kind} instead of a sentence")
        }
        _ => text.to_owned(),
    }
}

/// The lines of the innermost traceback that are the author's.
fn trace_of(error: &mlua::Error) -> Vec<String> {
    let mut text = String::new();
    let mut at = error;
    loop {
        match at {
            mlua::Error::CallbackError { traceback, cause } => {
                text.clone_from(traceback);
                at = cause;
            }
            mlua::Error::WithContext { cause, .. } | mlua::Error::BadArgument { cause, .. } => at = cause,
            mlua::Error::RuntimeError(message) => {
                if let Some((_, trace)) = message.split_once("\nstack traceback:") {
                    trace.clone_into(&mut text);
                }
                break;
            }
            _ => break,
        }
    }
    let ours = |line: &&str| {
        !line.is_empty()
            && !line.starts_with("[C]")
            && !line.starts_with(PRELUDE)
            && !line.starts_with("stack traceback")
            && !line.starts_with("(...tail calls...)")
    };
    text.lines().map(str::trim).filter(ours).take(MOST_FRAMES).map(clean_frame).collect()
}

const MOST_FRAMES: usize = 100;

/// A script may have written it.
fn clean_frame(line: &str) -> String {
    line.chars().filter(|c| !c.is_control()).take(LONGEST_FRAME).collect()
}

const LONGEST_FRAME: usize = 300;
