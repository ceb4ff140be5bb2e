//! What went wrong: [`Error`] while loading, [`Problem`] while running.
//!
//! Knows nothing of trees, boards or Lua: a kind, a place, a sentence, a hint and a path.

use crate::hash;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// What loading and building return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What kind of fault it is, for programs. The sentence is for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// A name that nothing carries: a node, parameter, key, tree, squad, field or global.
    UnknownName,
    /// A value of another type than was declared.
    WrongType,
    /// A number outside its range, or one that is not finite.
    OutOfRange,
    /// A parameter, child or field that must be given and is not.
    Missing,
    /// Too many children or values, or two that exclude each other.
    TooMany,
    /// A name that was declared twice, with another meaning.
    Conflict,
    /// Text that cannot be parsed.
    Syntax,
    /// A file that cannot be read.
    File,
    /// A `require` that leads back to itself.
    Cycle,
    /// A script error while it ran.
    Script,
    /// A script call that used up its instruction budget.
    Budget,
    /// A script call that was stopped because others had used up most of the instructions of the tick.
    TickBudget,
    /// A script that asked for more memory than its limit.
    Memory,
    /// A handle to something that is gone.
    Gone,
    /// A body or a time step that is not finite, and was put aside.
    NotFinite,
    /// Legal, but hardly what was meant.
    Warning,
    /// A panic that was caught.
    Panic,
    /// A snapshot that is cut short, changed, or says what cannot be.
    Damaged,
    /// A snapshot of a later version than this build can read.
    TooNew,
}

/// A place in a text: file and line, both as the author would say them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct Place {
    /// The file, relative to where scripts or scenarios are loaded from.
    pub file: Arc<str>,
    /// The line, from 1; 0 where it is not known.
    pub line: u32,
}

impl Place {
    /// A place in `file` at `line` (from 1; 0 where it is not known).
    pub fn new(file: impl Into<Arc<str>>, line: u32) -> Self {
        Self { file: file.into(), line }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = legible(&self.file);
        if self.line == 0 { write!(f, "{file}") } else { write!(f, "{file}:{}", self.line) }
    }
}

/// A fault found while loading, building or running: one line, place first, then what, then what to do, then the path.
///
/// ```
/// use warband::error::{Error, ErrorKind, Place};
/// let error = Error::new(ErrorKind::UnknownName, "unknown parameter 'secnds'")
///     .near("secnds", ["seconds", "name"])
///     .at(Place::new("guard.lua", 2))
///     .on_path("sequence/1.wait");
/// assert_eq!(
///     error.to_string(),
///     "guard.lua:2: unknown parameter 'secnds' (did you mean 'seconds'?) (at sequence/1.wait)"
/// );
/// ```
#[derive(Clone, PartialEq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq)]
struct Inner {
    kind: ErrorKind,
    place: Option<Place>,
    message: String,
    hint: Option<String>,
    path: Option<String>,
    more: Vec<Error>,
    trace: Option<String>,
}

impl Error {
    /// A fault with its sentence: no capital, no full stop.
    ///
    /// Control characters are escaped, a word of more than 80 characters is cut, and so is what comes after 1,000:
    /// a sentence that quotes a script stays one short line.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            place: None,
            message: legible_owned(message.into()),
            hint: None,
            path: None,
            more: Vec::new(),
            trace: None,
        }))
    }

    /// Adds where it is, unless a place nearer to the fault is known already.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.0.place.get_or_insert(place);
        self
    }

    /// Adds where it is, if that is known.
    #[must_use]
    pub fn at_option(self, place: Option<&Place>) -> Self {
        match place {
            Some(place) => self.at(place.clone()),
            None => self,
        }
    }

    /// A number that tells it from other faults by what counts when they are merged: kind, message, place and path.
    pub fn print(&self) -> u64 {
        let Inner { kind, place, message, path, .. } = &*self.0;
        let (file, line) = place.as_ref().map_or(("", 0), |place| (&*place.file, place.line));
        let number = [*kind as u32, line].map(u32::to_le_bytes);
        let texts = [message.as_str(), file, path.as_deref().unwrap_or_default()];
        // Between two texts a byte that stands in none.
        let bytes = texts.iter().flat_map(|text| text.bytes().chain([0xff]));
        hash::eat(hash::START, number.into_iter().flatten().chain(bytes))
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(legible_owned(hint.into()));
        self
    }

    /// Adds `did you mean …?` when one of `names` is close to `name`.
    #[must_use]
    pub fn near<'n>(self, name: &str, names: impl IntoIterator<Item = &'n str>) -> Self {
        match near_name(name, names) {
            Some(best) => self.hint(format!("did you mean '{best}'?")),
            None => self,
        }
    }

    /// Adds the node path, unless a longer one is known already.
    #[must_use]
    pub fn on_path(mut self, path: impl Into<String>) -> Self {
        self.0.path.get_or_insert(path.into());
        self
    }

    /// Adds the traceback, for tools; [`fmt::Display`] leaves it out.
    #[must_use]
    pub fn with_trace(mut self, trace: impl Into<String>) -> Self {
        self.0.trace = Some(trace.into());
        self
    }

    /// Adds further faults that were found in the same go.
    #[must_use]
    pub fn and(mut self, more: impl IntoIterator<Item = Error>) -> Self {
        self.0.more.extend(more);
        self
    }

    /// All of several faults as one, or `None` when there are none.
    pub fn all(errors: Vec<Error>) -> Option<Error> {
        let mut errors = errors.into_iter();
        let first = errors.next()?;
        Some(first.and(errors))
    }

    pub(crate) fn without_more(mut self) -> Self {
        self.0.more.clear();
        self
    }

    /// The kind, for programs.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }
    /// Where it is, if known.
    pub fn place(&self) -> Option<&Place> {
        self.0.place.as_ref()
    }
    /// The sentence alone.
    pub fn message(&self) -> &str {
        &self.0.message
    }
    /// What to do about it, if we know.
    pub fn hint_text(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }
    /// The path of the node it concerns, as in `sequence/1.wait`.
    pub fn path(&self) -> Option<&str> {
        self.0.path.as_deref()
    }
    /// The traceback of the script, if there is one.
    pub fn trace(&self) -> Option<&str> {
        self.0.trace.as_deref()
    }
    /// Further faults that were found in the same go.
    pub fn more(&self) -> &[Error] {
        &self.0.more
    }
    /// This fault and those found with it, each without its followers' lines.
    pub fn each(&self) -> impl Iterator<Item = &Error> {
        std::iter::once(self).chain(self.0.more.iter())
    }

    fn line(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.0.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.0.message)?;
        if let Some(hint) = &self.0.hint {
            write!(f, " ({hint})")?;
        }
        if let Some(path) = &self.0.path {
            write!(f, " (at {})", legible(path))?;
        }
        Ok(())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.line(f)?;
        for error in &self.0.more {
            f.write_str("\n")?;
            error.line(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

/// Bytes of the largest script.
#[cfg(any(feature = "lua", feature = "reload"))]
const LARGEST: u64 = 16 << 20;

/// The bytes of a file that has an end: not of a pipe or a device, which could be read for ever.
#[cfg(any(feature = "lua", feature = "reload"))]
pub(crate) fn read_regular(path: &std::path::Path) -> std::io::Result<Vec<u8>> {
    use std::io::{Error, ErrorKind, Read};
    // Before it is opened: to open a pipe is to wait for its writer.
    let known = std::fs::metadata(path)?;
    if !known.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(Error::new(ErrorKind::InvalidInput, "larger than 16 MiB"));
    }
    Ok(bytes)
}

const LONGEST_WORD: usize = 80;
const LONGEST_SENTENCE: usize = 1000;

/// Cuts what is too long to be read, and escapes what a terminal would obey.
fn legible(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST_WORD && !text.contains(commands) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::new();
    let (mut word, mut written) = (0, 0);
    for c in text.chars() {
        // Paths are no one word: each of their parts is.
        word = if c.is_whitespace() || matches!(c, '/' | '\\' | '\'' | '"') { 0 } else { word + 1 };
        if word > LONGEST_WORD + 1 {
            continue;
        }
        written += 1;
        if written > LONGEST_SENTENCE || word > LONGEST_WORD {
            clean.push('…');
        } else if commands(c) {
            clean.extend(c.escape_default());
        } else {
            clean.push(c);
        }
        if written > LONGEST_SENTENCE {
            break;
        }
    }
    Cow::Owned(clean)
}

fn legible_owned(text: String) -> String {
    match legible(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(clean) => clean,
    }
}

/// Control characters, line separators, and those that turn the direction of text.
pub(crate) fn commands(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

const LONGEST_NEAR: usize = 64;

/// The one of `names` that is closest to `name`, if any is close enough to have been meant.
///
/// Close enough is an edit distance (insert, delete, change, swap) of a third of the length, at least 1.
/// Of names longer than 64 characters nothing is near: the distance takes the product of both lengths.
pub fn near_name<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let short = |name: &str| name.chars().nth(LONGEST_NEAR).is_none();
    if !short(name) {
        return None;
    }
    let limit = (name.chars().count() / 3).max(1);
    let lower = name.to_lowercase();
    names
        .into_iter()
        .filter(|candidate| short(candidate))
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// What went wrong while running: an [`Error`], the agent it befell, and how often.
///
/// The same fault at the same place is one problem with a count, not one a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The agent it befell first, if it befell one.
    pub agent: Option<crate::entity::AgentId>,
    /// What went wrong, where, and on which node path.
    pub error: Error,
    /// How often since it was first reported.
    pub times: u64,
    /// The tick in which it came up first.
    pub tick: u64,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.error)?;
        if self.times > 1 { write!(f, " [{} times]", self.times) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_short_line_whatever_it_quotes() {
        let of = |text: String| Error::new(ErrorKind::Script, text);
        assert_eq!(of("a\nb \u{1b}[31m".into()).to_string(), "a\\nb \\u{1b}[31m");
        let cut = of(format!("unknown key '{}' here", "é".repeat(1_000_000)));
        assert_eq!(cut.message(), format!("unknown key '{}…' here", "é".repeat(80)));
        assert_eq!(of("ab ".repeat(500)).message().chars().count(), 1001);
        let path = format!("'/{}/{}' cannot be read", "a".repeat(70), "b".repeat(70));
        assert_eq!(of(path.clone()).message(), path);
        let placed = of("x".into()).at(Place::new("a\n.lua", 1)).on_path("s\u{1b}").hint("\r");
        assert_eq!(placed.to_string(), "a\\n.lua:1: x (\\r) (at s\\u{1b})");
    }

    #[test]
    fn nothing_is_near_a_long_name() {
        let long = "a".repeat(65);
        assert_eq!(near_name(&long, [long.as_str()]), None);
        assert_eq!(near_name("a", [long.as_str()]), None);
        assert_eq!(near_name(&long[..64], [&long[..63]]), Some(&long[..63]));
    }
}
