//! The statements at the top of a file: where each begins, which names it defines and which it uses.
//!
//! This goes by words and not by scopes: a name inside of a function is taken for the one at the top of the file, also
//! where a local of that name hides it. So too much counts now and then, and never too little.

use super::lex::{Kind, Token, words};
use std::collections::BTreeSet;
use std::ops::Range;

/// One statement at the top of a file.
pub(super) struct Statement {
    /// Its tokens.
    pub tokens: Range<usize>,
    /// The names that may mean something else after it.
    pub defines: BTreeSet<String>,
}

/// A word of the language, which names nothing.
fn is_reserved(word: &str) -> bool {
    const WORDS: [&str; 23] = [
        "", "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
        "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
    ];
    WORDS.contains(&word)
}

/// The names that tokens use: neither fields nor the keys of tables.
pub(super) fn names<'t>(text: &'t str, tokens: &[Token]) -> BTreeSet<&'t str> {
    let (mut names, mut blocks) = (BTreeSet::new(), Blocks::default());
    for (at, token) in tokens.iter().enumerate() {
        if token.kind == Kind::Text && text.as_bytes()[token.at] == b'`' {
            names.extend(words(&text[token.at..token.end]));
        }
        let name = token.name(text);
        let key = blocks.in_table() && tokens.get(at + 1).is_some_and(|next| next.assigns(text));
        if !is_reserved(name) && !key && !is_field(text, tokens, at) {
            names.insert(name);
        }
        blocks.take(text, *token);
    }
    names
}

/// Whether the token is `name` in `thing.name` or `thing:name`, and not behind the two dots of `..`.
fn is_field(text: &str, tokens: &[Token], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or(0, |at| tokens[at].mark(text));
    before(1) == b':' || (before(1) == b'.' && before(2) != b'.')
}

/// Where a name is given a value.
pub(super) struct Written {
    pub line: u32,
    /// Whether it is declared there as a local.
    pub local: bool,
}

/// All places where a name is declared or set as a variable, in the order of the text.
pub(super) fn written(text: &str, tokens: &[Token], name: &str) -> Vec<Written> {
    let (mut found, mut blocks, mut declares) = (Vec::new(), Blocks::default(), false);
    for (at, token) in tokens.iter().enumerate() {
        let word = token.name(text);
        if word == name && !is_field(text, tokens, at) {
            let sets = tokens.get(at + 1).is_some_and(|next| next.assigns(text)) && !blocks.in_table();
            if declares || sets {
                found.push(Written { line: token.line, local: declares });
            }
        }
        // `local a, b` and `local function a`.
        declares = word == "local" || declares && (word == "function" || is_listed(text, tokens, at));
        blocks.take(text, *token);
    }
    found
}

/// Whether a list of names goes on behind this token.
fn is_listed(text: &str, tokens: &[Token], at: usize) -> bool {
    let comma = |at: usize| tokens.get(at).is_some_and(|token| token.mark(text) == b',');
    comma(at) || comma(at + 1)
}

/// The statements at the top of a file.
pub(super) fn statements(text: &str, tokens: &[Token]) -> Vec<Statement> {
    let (mut blocks, mut starts) = (Blocks::default(), Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        if starts.is_empty() || blocks.may_begin(token.name(text)) {
            starts.push(at);
        }
        blocks.take(text, *token);
    }
    starts.push(tokens.len());
    let pair = |pair: &[usize]| {
        let tokens = &tokens[pair[0]..pair[1]];
        Statement { tokens: pair[0]..pair[1], defines: defines(text, tokens) }
    };
    starts.windows(2).map(pair).collect()
}

fn defines(text: &str, tokens: &[Token]) -> BTreeSet<String> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.name(text));
    let sign = tokens.iter().position(|token| token.assigns(text));
    let (from, to) = match (word(0), sign) {
        ("return", _) => (0, 0),
        ("function", _) => (1, 2),
        ("local", _) if word(1) == "function" => (2, 3),
        ("for" | "while" | "if" | "repeat" | "do", _) => (0, tokens.len()),
        (_, Some(sign)) => (0, sign),
        // What is called may change all that it is given.
        _ => (0, tokens.len()),
    };
    let named = names(text, &tokens[from.min(tokens.len())..to.min(tokens.len())]);
    named.into_iter().map(str::to_owned).collect()
}

/// The outermost function or block of a statement in which its token `inner` stands.
pub(super) fn outermost(
    text: &str,
    tokens: &[Token],
    statement: &Range<usize>,
    inner: usize,
) -> Option<Range<usize>> {
    let (mut blocks, mut from) = (Blocks::default(), None);
    for at in statement.clone() {
        blocks.take(text, tokens[at]);
        from = from.or(blocks.inside().then_some(at));
        if !blocks.inside() {
            match from.take() {
                Some(from) if (from..=at).contains(&inner) => return Some(from..at + 1),
                _ if at > inner => return None,
                _ => {}
            }
        }
    }
    None
}

/// What is open behind the tokens that were taken.
struct Blocks {
    /// Open brackets; `f` for a function or block, `l` for a loop before its `do`, `x` for an `if` that is a value.
    open: Vec<u8>,
    /// Whether a statement can end here: the last token wants nothing behind it.
    done: bool,
}

impl Default for Blocks {
    fn default() -> Self {
        Self { open: Vec::new(), done: true }
    }
}

impl Blocks {
    /// Whether the next thing would be the key of a table, if a sign of assignment came behind it.
    fn in_table(&self) -> bool {
        self.open.last() == Some(&b'{')
    }

    /// Whether any function or block is open.
    fn inside(&self) -> bool {
        self.open.iter().any(|open| matches!(open, b'f' | b'l'))
    }

    /// Whether a statement at the top of the file begins with this word, if it comes next.
    fn may_begin(&self, word: &str) -> bool {
        let begins = match word {
            "" | "and" | "or" | "not" | "in" | "then" | "else" | "elseif" | "end" | "until" => false,
            "local" | "return" | "for" | "while" | "repeat" | "break" | "goto" => true,
            _ => self.done,
        };
        begins && self.open.is_empty()
    }

    fn take(&mut self, text: &str, token: Token) {
        match token.kind {
            Kind::Mark => self.take_mark(token.mark(text)),
            Kind::Name => self.take_word(token.name(text)),
            Kind::Number | Kind::Text => self.done = true,
        }
    }

    fn take_mark(&mut self, mark: u8) {
        match mark {
            b'(' | b'[' | b'{' => self.open.push(mark),
            b')' | b']' | b'}' => drop(self.open.pop()),
            _ => {}
        }
        self.done = matches!(mark, b')' | b']' | b'}' | b';');
    }

    fn take_word(&mut self, word: &str) {
        let top = self.open.last().copied();
        match word {
            "function" | "repeat" => self.open.push(b'f'),
            "for" | "while" => self.open.push(b'l'),
            "if" => self.open.push(if self.done { b'f' } else { b'x' }),
            "do" => {
                self.open.pop_if(|open| *open == b'l');
                self.open.push(b'f');
            }
            "else" if top == Some(b'x') => drop(self.open.pop()),
            "end" | "until" => drop(self.open.pop()),
            _ => {}
        }
        self.done = match word {
            "then" | "else" => top != Some(b'x'),
            "function" | "for" | "while" | "if" | "and" | "or" | "not" | "in" | "local" | "return"
            | "elseif" | "until" | "goto" => false,
            _ => true,
        };
    }
}
