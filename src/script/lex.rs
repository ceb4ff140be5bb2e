//! The tokens of a script, as far as they say which names a piece of it uses.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a word of the language.
    Name,
    Number,
    Text,
    /// One byte of anything else.
    Mark,
}

/// A token, by its place in the text; comments and blanks are none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub at: usize,
    pub end: usize,
    pub line: u32,
    pub kind: Kind,
}

impl Token {
    /// The name that it is; nothing for other tokens.
    pub fn name(self, text: &str) -> &str {
        if self.kind == Kind::Name { &text[self.at..self.end] } else { "" }
    }
    /// The byte that it is; 0 for other tokens.
    pub fn mark(self, text: &str) -> u8 {
        if self.kind == Kind::Mark { text.as_bytes()[self.at] } else { 0 }
    }
    /// Whether it is the sign of an assignment, and not a part of a comparison.
    pub fn assigns(self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let before = self.at.checked_sub(1).map_or(0, |at| bytes[at]);
        let alone = !b"=~<>".contains(&before) && bytes.get(self.end) != Some(&b'=');
        self.mark(text) == b'=' && alone
    }
}

/// All tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    while at < bytes.len() {
        let end = skip(bytes, at);
        if let Some(kind) = kind_of(&bytes[at..end]) {
            tokens.push(Token { at, end, line, kind });
        }
        line += bytes[at..end].iter().filter(|byte| **byte == b'\n').count() as u32;
        at = end;
    }
    tokens
}

fn kind_of(token: &[u8]) -> Option<Kind> {
    match token[0] {
        b'-' if token.starts_with(b"--") => None,
        b'"' | b'\'' | b'`' => Some(Kind::Text),
        b'[' if token.len() > 1 => Some(Kind::Text),
        byte if byte.is_ascii_digit() => Some(Kind::Number),
        byte if is_name(byte) => Some(Kind::Name),
        byte if byte.is_ascii_whitespace() => None,
        _ => Some(Kind::Mark),
    }
}

/// The words in angle brackets, as in `local x <close>`, each with its line; also those that compare.
#[cfg(feature = "lua54")]
pub(super) fn attributes(text: &str) -> Vec<(u32, &str)> {
    let tokens = tokens(text);
    let within = |three: &[Token]| three[0].mark(text) == b'<' && three[2].mark(text) == b'>';
    tokens
        .windows(3)
        .filter(|three| within(three))
        .map(|three| (three[1].line, three[1].name(text)))
        .collect()
}

/// All words in a piece of text, whatever they are there.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii() || !is_name(c as u8)).filter(|word| !word.is_empty())
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
