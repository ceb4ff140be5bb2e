//! Who a function is across reloads: a number made from its words and those of all that it leans on, so that a change
//! elsewhere in its file does not make it another, and a change of what it calls does.
//!
//! That is: the function itself; the outermost function or block in which it stands, whose locals it may use; each statement at the top of the file that defines a name which any of these use, and what those use in turn;
//! and where such a statement requires a module, all of that file and of what it requires. Comments and blanks do not
//! count. What a function was given by a call counts only as far as it stands in these texts.

use super::flavour::Reader;
use super::lex::{Kind, Token, tokens};
use super::load::path_of;
use super::outline::{Statement, names, outermost, statements};
use crate::hash::{self, START};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// The files of a load, with their text where they could be read.
type Files = [(Arc<str>, Option<String>)];

/// Tells the functions of files apart, each file taken to words once.
pub(super) struct Sources {
    files: BTreeMap<Arc<str>, File>,
    tried: usize,
    reader: Reader,
    followed: usize,
}

struct File {
    tokens: Vec<Token>,
    statements: Vec<Statement>,
    /// Which statements define a name.
    defined: BTreeMap<String, Vec<usize>>,
}

/// How many bytes are tried as functions in one load; what comes after counts with its whole file, so that no file
/// takes long however it is written.
const MOST_TRIED: usize = 8 << 20;
/// How many tokens are followed in one load beyond those of the functions themselves; then as above.
const MOST_FOLLOWED: usize = 8 << 20;

impl File {
    fn new(text: &str) -> Self {
        let tokens = tokens(text);
        let statements = statements(text, &tokens);
        let mut defined = BTreeMap::<String, Vec<usize>>::new();
        for (at, statement) in statements.iter().enumerate() {
            for name in &statement.defines {
                defined.entry(name.clone()).or_default().push(at);
            }
        }
        Self { tokens, statements, defined }
    }

    /// The outermost function or block around a token.
    fn around(&self, text: &str, token: usize) -> Option<Range<usize>> {
        let at = self.statements.partition_point(|statement| statement.tokens.end <= token);
        outermost(text, &self.tokens, &self.statements.get(at)?.tokens, token)
    }
}

impl Sources {
    pub fn new() -> Self {
        Self { files: BTreeMap::new(), tried: 0, reader: Reader::new(), followed: 0 }
    }

    /// A number made from the function that begins on `line` of `file`; from all files where the function cannot be
    /// told apart. Of several on one line, all count.
    pub fn hash(&mut self, files: &Files, file: &Arc<str>, line: u32) -> u64 {
        let text = text_of(files, file);
        let parts = self.functions(file, text, line);
        let hash = (!parts.is_empty()).then(|| self.closure(files, file, text, parts)).flatten();
        hash.unwrap_or_else(|| {
            files
                .iter()
                .fold(START, |hash, (_, text)| eat(hash, text.as_deref().unwrap_or_default().as_bytes()))
        })
    }

    fn file(&mut self, name: &Arc<str>, text: &str) -> &File {
        self.files.entry(name.clone()).or_insert_with(|| File::new(text))
    }

    /// The tokens of the functions that begin on a line.
    fn functions(&mut self, file: &Arc<str>, text: &str, line: u32) -> Vec<Range<usize>> {
        self.file(file, text);
        let Self { files, tried, reader, .. } = self;
        let Some(file) = files.get(file) else { return Vec::new() };
        let first = file.tokens.partition_point(|token| token.line < line);
        let here = (first..file.tokens.len()).take_while(|at| file.tokens[*at].line == line);
        let functions = here.filter(|at| file.tokens[*at].name(text) == "function");
        functions.filter_map(|at| Some(at..end_of(text, &file.tokens, at, reader, tried)?)).collect()
    }

    /// What functions lean on, with themselves; `None` when that is too much to follow.
    fn closure(&mut self, files: &Files, name: &Arc<str>, text: &str, own: Vec<Range<usize>>) -> Option<u64> {
        let (file, followed) = (self.files.get(name)?, &mut self.followed);
        let around = own.iter().filter_map(|part| file.around(text, part.start));
        let mut next = around.chain(own.iter().cloned()).collect::<Vec<_>>();
        let mut hash =
            next.iter().fold(START, |hash, part| eat_tokens(hash, text, &file.tokens[part.clone()]));
        let mut modules = BTreeSet::new();
        next.iter().for_each(|part| modules.extend(required(files, text, &file.tokens[part.clone()])));
        let (mut met, mut known) = (BTreeSet::new(), BTreeSet::new());
        while let Some(part) = next.pop() {
            *followed += part.len();
            if *followed > MOST_FOLLOWED {
                return None;
            }
            // Each name once: a table that is filled line by line names itself in each of them.
            for used in names(text, &file.tokens[part]).into_iter().filter(|used| known.insert(*used)) {
                for at in file.defined.get(used).into_iter().flatten() {
                    if met.insert(*at) {
                        next.push(file.statements[*at].tokens.clone());
                    }
                }
            }
        }
        for at in met {
            let tokens = &file.tokens[file.statements[at].tokens.clone()];
            hash = eat_tokens(hash, text, tokens);
            modules.extend(required(files, text, tokens));
        }
        Some(self.eat_modules(hash, files, name, modules))
    }

    /// Whole files, and those that they require.
    fn eat_modules(&mut self, hash: u64, files: &Files, own: &str, modules: BTreeSet<Arc<str>>) -> u64 {
        let (mut met, mut next) = (BTreeSet::new(), modules.into_iter().collect::<Vec<_>>());
        while let Some(module) = next.pop() {
            if &*module != own && met.insert(module.clone()) {
                let text = text_of(files, &module);
                next.extend(required(files, text, &self.file(&module, text).tokens));
            }
        }
        met.iter().fold(hash, |hash, module| {
            let text = text_of(files, module);
            eat_tokens(eat(hash, module.as_bytes()), text, &self.file(module, text).tokens)
        })
    }
}

fn text_of<'t>(files: &'t Files, name: &str) -> &'t str {
    let file = files.iter().find(|(known, _)| &**known == name);
    file.and_then(|(_, text)| text.as_deref()).unwrap_or_default()
}

/// The files that tokens require; all there are when the name of one is no plain text.
fn required(files: &Files, text: &str, tokens: &[Token]) -> BTreeSet<Arc<str>> {
    let mut required = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.name(text) != "require" {
            continue;
        }
        let bracket = tokens.get(at + 1).is_some_and(|next| next.mark(text) == b'(');
        let module = tokens.get(at + 1 + usize::from(bracket)).filter(|next| next.kind == Kind::Text);
        let path = module.and_then(|module| path_of(text.get(module.at + 1..module.end - 1)?).ok());
        match path {
            Some(path) if files.iter().any(|(file, _)| **file == *path) => {
                required.insert(path.into());
            }
            _ => required.extend(files.iter().map(|(file, _)| file.clone())),
        }
    }
    required
}

/// The text and a closing 0.
fn eat(hash: u64, text: &[u8]) -> u64 {
    hash::eat(hash, text.iter().copied().chain([0]))
}

fn eat_tokens(hash: u64, text: &str, tokens: &[Token]) -> u64 {
    tokens.iter().fold(hash, |hash, token| eat(hash, &text.as_bytes()[token.at..token.end]))
}

/// A function's text ends with the first `end` up to which the compiler takes it: no shorter piece is complete. Answers
/// with the token behind it.
fn end_of(
    text: &str,
    tokens: &[Token],
    function: usize,
    reader: &Reader,
    tried: &mut usize,
) -> Option<usize> {
    let named = tokens.get(function + 1).is_some_and(|next| next.kind == Kind::Name);
    let before = if named { "" } else { "return " };
    let start = tokens[function].at;
    let ends = (function..tokens.len()).filter(|at| tokens[*at].name(text) == "end");
    for at in ends {
        let end = tokens[at].end;
        *tried += end - start;
        if *tried > MOST_TRIED {
            return None;
        }
        if reader.takes(&format!("{before}{}", &text[start..end])) {
            return Some(at + 1);
        }
    }
    None
}
