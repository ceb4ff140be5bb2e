//! Who a function is across reloads: a number made from its text, so that a change elsewhere in its file does not
//! make it another.

use super::flavour::Reader;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Tells the functions of files apart, each file taken to words once.
pub(super) struct Sources {
    files: BTreeMap<Arc<str>, File>,
    tried: usize,
    reader: Reader,
}

struct File {
    words: Vec<Word>,
    hash: u64,
}

/// How many bytes are tried as functions in one load; what comes after counts with its whole file, so that no file
/// takes long however it is written.
const MOST_TRIED: usize = 8 << 20;

impl Sources {
    pub fn new() -> Self {
        Self { files: BTreeMap::new(), tried: 0, reader: Reader::new() }
    }

    /// A number made from the text of the function that begins on `line` of `text`; of the whole text where the
    /// function cannot be told apart. Of several on one line, all count.
    pub fn hash(&mut self, file: &Arc<str>, text: &str, line: u32) -> u64 {
        if !self.files.contains_key(file) {
            self.files.insert(file.clone(), File { words: words(text), hash: eat(START, text) });
        }
        let Some(File { words, hash: whole }) = self.files.get(file) else { return START };
        let first = words.partition_point(|word| word.line < line);
        let here = words[first..].iter().take_while(|word| word.line == line).enumerate();
        let mut hash = START;
        for (at, word) in here.filter(|(_, word)| word.opens) {
            if let Some(end) = end_of(text, word.at, &words[first + at..], &self.reader, &mut self.tried) {
                hash = eat(hash, &text[word.at..end]);
            }
        }
        if hash == START { *whole } else { hash }
    }
}

const START: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a over the text and a closing 0.
fn eat(hash: u64, text: &str) -> u64 {
    text.bytes().chain([0]).fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A function's text ends with the first `end` up to which the compiler takes it: no shorter piece is complete.
fn end_of(text: &str, start: usize, words: &[Word], reader: &Reader, tried: &mut usize) -> Option<usize> {
    let named = text[start + "function".len()..].trim_start().starts_with(|c: char| c != '(' && c != '<');
    let before = if named { "" } else { "return " };
    let ends = words.iter().filter(|word| !word.opens).map(|word| word.at + "end".len());
    for end in ends {
        *tried += end - start;
        if *tried > MOST_TRIED {
            return None;
        }
        if reader.takes(&format!("{before}{}", &text[start..end])) {
            return Some(end);
        }
    }
    None
}

/// A `function` or an `end`.
#[derive(Clone, Copy)]
struct Word {
    at: usize,
    line: u32,
    opens: bool,
}

/// All `function` and `end` of a text, outside comments and strings.
fn words(text: &str) -> Vec<Word> {
    let bytes = text.as_bytes();
    let (mut words, mut at, mut line) = (Vec::new(), 0, 1);
    while at < bytes.len() {
        let next = skip(bytes, at);
        if is_name(bytes[at]) {
            let word = &text[at..next];
            if word == "function" || word == "end" {
                words.push(Word { at, line, opens: word == "function" });
            }
        }
        line += bytes[at..next].iter().filter(|byte| **byte == b'\n').count() as u32;
        at = next;
    }
    words
}

/// The words in angle brackets behind a name, as in `local x <close>`, each with its line; also those that compare.
#[cfg(feature = "lua54")]
pub(super) fn attributes(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let bytes = text.as_bytes();
    let (mut at, mut line, mut last) = (0, 1, ["", ""]);
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let next = skip(bytes, at);
            // A piece may end inside a character: only names and brackets are looked at.
            let word = text.get(at..next).unwrap_or(".");
            let here = line;
            line += bytes[at..next].iter().filter(|byte| **byte == b'\n').count() as u32;
            at = next;
            if word.trim().is_empty() || word.starts_with("--") {
                continue;
            }
            let found = (last[0] == "<" && word == ">").then_some((here, last[1]));
            last = [last[1], word];
            if found.is_some() {
                return found;
            }
        }
        None
    })
}

fn is_name(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

/// Where the token that begins at `at` ends.
fn skip(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let length = match rest[0] {
        b'-' if rest.starts_with(b"--") => match long_bracket(&rest[2..]) {
            Some(length) => 2 + length,
            None => rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()),
        },
        b'[' => long_bracket(rest).unwrap_or(1),
        quote @ (b'"' | b'\'' | b'`') => quoted(rest, quote),
        byte if is_name(byte) => rest.iter().position(|byte| !is_name(*byte)).unwrap_or(rest.len()),
        _ => 1,
    };
    at + length.max(1)
}

fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != quote {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

/// The length of a `[==[ … ]==]` at the start, if there is one.
fn long_bracket(rest: &[u8]) -> Option<usize> {
    let level = rest.get(1..)?.iter().take_while(|byte| **byte == b'=').count();
    if rest.first() != Some(&b'[') || rest.get(1 + level) != Some(&b'[') {
        return None;
    }
    let close = [b"]".as_slice(), &b"=".repeat(level), b"]"].concat();
    let found = rest.windows(close.len()).position(|window| window == close.as_slice());
    Some(found.map_or(rest.len(), |at| at + close.len()))
}
