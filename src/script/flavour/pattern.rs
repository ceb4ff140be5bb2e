//! Patterns of Lua, matched step by step: the matcher that Lua comes with cannot be stopped.
//!
//! The same algorithm as in the reference implementation (backtracking, at most 32 captures), with a count.

/// What was captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Capture {
    /// `()`: a place, from 0.
    Place(usize),
    /// From, and up to.
    Text(usize, usize),
}

/// Where a pattern was found, from 0 and up to, and what it captured.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub start: usize,
    pub end: usize,
    pub captures: Vec<Capture>,
}

const MOST_CAPTURES: usize = 32;
const DEEPEST: u32 = 200;

#[derive(Clone, Copy)]
enum Length {
    Open,
    Place,
    Closed(usize),
}

struct Matcher<'a> {
    text: &'a [u8],
    pattern: &'a [u8],
    captures: Vec<(usize, Length)>,
    depth: u32,
    room: u64,
    steps: &'a mut u64,
}

/// No match, or a fault of the pattern. Out of steps is a fault whose words nobody sees: the count is over.
type Answer<T> = Result<T, &'static str>;

/// The first match of `pattern` in `text` from the byte `from` on that does not end at `not_at`; counts steps, and gives
/// up after `room` of them.
pub(super) fn find(
    text: &[u8],
    pattern: &[u8],
    from: usize,
    not_at: Option<usize>,
    room: u64,
    steps: &mut u64,
) -> Answer<Option<Found>> {
    let (anchored, pattern) = match pattern.strip_prefix(b"^") {
        Some(rest) => (true, rest),
        None => (false, pattern),
    };
    let mut matcher = Matcher { text, pattern, captures: Vec::new(), depth: 0, room, steps };
    for start in from..=text.len() {
        matcher.captures.clear();
        if let Some(end) = matcher.run(start, 0)?
            && not_at != Some(end)
        {
            let captures = matcher.captures.clone().into_iter().map(closed).collect::<Answer<_>>()?;
            return Ok(Some(Found { start, end, captures }));
        }
        if anchored {
            break;
        }
    }
    Ok(None)
}

fn closed((from, length): (usize, Length)) -> Answer<Capture> {
    match length {
        Length::Place => Ok(Capture::Place(from)),
        Length::Closed(length) => Ok(Capture::Text(from, from + length)),
        Length::Open => Err("unfinished capture"),
    }
}

impl Matcher<'_> {
    fn step(&mut self) -> Answer<()> {
        *self.steps += 1;
        if *self.steps > self.room { Err("out of steps") } else { Ok(()) }
    }

    fn at(&self, p: usize) -> Option<u8> {
        self.pattern.get(p).copied()
    }

    fn run(&mut self, s: usize, p: usize) -> Answer<Option<usize>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("pattern too complex");
        }
        let answer = self.sequence(s, p);
        self.depth -= 1;
        answer
    }

    /// One item after the other; those that may go more than one way call [`Matcher::run`] for what is behind them.
    fn sequence(&mut self, mut s: usize, mut p: usize) -> Answer<Option<usize>> {
        loop {
            self.step()?;
            match (self.at(p), self.at(p + 1)) {
                (None, _) => return Ok(Some(s)),
                (Some(b'('), Some(b')')) => return self.open(s, p + 2, Length::Place),
                (Some(b'('), _) => return self.open(s, p + 1, Length::Open),
                (Some(b')'), _) => return self.close(s, p + 1),
                (Some(b'$'), None) => return Ok((s == self.text.len()).then_some(s)),
                (Some(b'%'), Some(b'b')) => match self.balance(s, p + 2)? {
                    Some(after) => (s, p) = (after, p + 4),
                    None => return Ok(None),
                },
                (Some(b'%'), Some(b'f')) => match self.frontier(s, p + 2)? {
                    Some(behind) => p = behind,
                    None => return Ok(None),
                },
                (Some(b'%'), Some(digit)) if digit.is_ascii_digit() => match self.again(s, digit)? {
                    Some(after) => (s, p) = (after, p + 2),
                    None => return Ok(None),
                },
                _ => match self.single(s, p)? {
                    Next::On(after, behind) => (s, p) = (after, behind),
                    Next::Done(answer) => return Ok(answer),
                },
            }
        }
    }

    fn open(&mut self, s: usize, p: usize, length: Length) -> Answer<Option<usize>> {
        if self.captures.len() >= MOST_CAPTURES {
            return Err("too many captures");
        }
        self.captures.push((s, length));
        let level = self.captures.len();
        let answer = self.run(s, p)?;
        if answer.is_none() {
            self.captures.truncate(level - 1);
        }
        Ok(answer)
    }

    fn close(&mut self, s: usize, p: usize) -> Answer<Option<usize>> {
        let open = self.captures.iter().rposition(|(_, length)| matches!(length, Length::Open));
        let level = open.ok_or("invalid pattern capture")?;
        let from = self.captures[level].0;
        self.captures[level].1 = Length::Closed(s - from);
        let answer = self.run(s, p)?;
        if answer.is_none() {
            self.captures[level].1 = Length::Open;
        }
        Ok(answer)
    }

    fn balance(&mut self, s: usize, p: usize) -> Answer<Option<usize>> {
        let (Some(begin), Some(end)) = (self.at(p), self.at(p + 1)) else {
            return Err("missing arguments to '%b'");
        };
        if self.text.get(s) != Some(&begin) {
            return Ok(None);
        }
        let mut open = 1;
        for at in s + 1..self.text.len() {
            self.step()?;
            let byte = self.text[at];
            if byte == end {
                open -= 1;
                if open == 0 {
                    return Ok(Some(at + 1));
                }
            } else if byte == begin {
                open += 1;
            }
        }
        Ok(None)
    }

    fn frontier(&mut self, s: usize, p: usize) -> Answer<Option<usize>> {
        if self.at(p) != Some(b'[') {
            return Err("missing '[' after '%f' in pattern");
        }
        let behind = self.class_end(p)?;
        let before = if s == 0 { 0 } else { self.text[s - 1] };
        let after = self.text.get(s).copied().unwrap_or(0);
        let is_edge = !self.in_set(before, p, behind - 1)? && self.in_set(after, p, behind - 1)?;
        Ok(is_edge.then_some(behind))
    }

    /// `%1`: the same text as in a capture.
    fn again(&mut self, s: usize, digit: u8) -> Answer<Option<usize>> {
        let level = usize::from(digit).wrapping_sub(usize::from(b'1'));
        let Some((from, Length::Closed(length))) = self.captures.get(level).copied() else {
            return Err("invalid capture index in pattern");
        };
        *self.steps += length as u64;
        self.step()?;
        let same = self.text[s..].starts_with(&self.text[from..from + length]);
        Ok(same.then_some(s + length))
    }

    fn single(&mut self, s: usize, p: usize) -> Answer<Next> {
        let behind = self.class_end(p)?;
        let fits = self.fits(s, p, behind)?;
        match self.at(behind) {
            Some(b'?') => {
                if fits && let Some(end) = self.run(s + 1, behind + 1)? {
                    return Ok(Next::Done(Some(end)));
                }
                Ok(Next::On(s, behind + 1))
            }
            Some(b'+') if fits => self.most(s + 1, p, behind).map(Next::Done),
            Some(b'+') => Ok(Next::Done(None)),
            Some(b'*') => self.most(s, p, behind).map(Next::Done),
            Some(b'-') => self.least(s, p, behind).map(Next::Done),
            _ if fits => Ok(Next::On(s + 1, behind)),
            _ => Ok(Next::Done(None)),
        }
    }

    fn most(&mut self, s: usize, p: usize, behind: usize) -> Answer<Option<usize>> {
        let mut count = 0;
        while self.fits(s + count, p, behind)? {
            count += 1;
        }
        for count in (0..=count).rev() {
            if let Some(end) = self.run(s + count, behind + 1)? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    fn least(&mut self, mut s: usize, p: usize, behind: usize) -> Answer<Option<usize>> {
        loop {
            if let Some(end) = self.run(s, behind + 1)? {
                return Ok(Some(end));
            }
            if !self.fits(s, p, behind)? {
                return Ok(None);
            }
            s += 1;
        }
    }

    /// Where the item at `p` ends, without what says how often.
    fn class_end(&self, p: usize) -> Answer<usize> {
        match self.at(p) {
            Some(b'%') if p + 1 >= self.pattern.len() => Err("malformed pattern (ends with '%')"),
            Some(b'%') => Ok(p + 2),
            Some(b'[') => self.set_end(p),
            _ => Ok(p + 1),
        }
    }

    fn set_end(&self, p: usize) -> Answer<usize> {
        const OPEN: &str = "malformed pattern (missing ']')";
        let mut at = p + 1;
        if self.at(at) == Some(b'^') {
            at += 1;
        }
        loop {
            let byte = self.at(at).ok_or(OPEN)?;
            at += if byte == b'%' { 2 } else { 1 };
            if self.at(at).ok_or(OPEN)? == b']' {
                return Ok(at + 1);
            }
        }
    }

    fn fits(&mut self, s: usize, p: usize, behind: usize) -> Answer<bool> {
        self.step()?;
        let Some(byte) = self.text.get(s).copied() else { return Ok(false) };
        match self.pattern[p] {
            b'.' => Ok(true),
            b'%' => Ok(in_class(byte, self.pattern[p + 1])),
            b'[' => self.in_set(byte, p, behind - 1),
            plain => Ok(plain == byte),
        }
    }

    /// Whether a byte is of the set between `p`, its bracket, and `end`, the closing one.
    fn in_set(&mut self, byte: u8, p: usize, end: usize) -> Answer<bool> {
        *self.steps += (end - p) as u64 / 8;
        let set = &self.pattern[p + 1..end];
        let (wanted, set) = match set.strip_prefix(b"^") {
            Some(rest) => (false, rest),
            None => (true, set),
        };
        let mut at = 0;
        while at < set.len() {
            let (hit, next) = match set[at..] {
                [b'%', class, ..] => (in_class(byte, class), at + 2),
                [low, b'-', high, ..] => ((low..=high).contains(&byte), at + 3),
                [plain, ..] => (plain == byte, at + 1),
                [] => break,
            };
            if hit {
                return Ok(wanted);
            }
            at = next;
        }
        Ok(!wanted)
    }
}

enum Next {
    On(usize, usize),
    Done(Option<usize>),
}

fn in_class(byte: u8, class: u8) -> bool {
    let is = match class.to_ascii_lowercase() {
        b'a' => byte.is_ascii_alphabetic(),
        b'c' => byte.is_ascii_control(),
        b'd' => byte.is_ascii_digit(),
        b'g' => byte.is_ascii_graphic(),
        b'l' => byte.is_ascii_lowercase(),
        b'p' => byte.is_ascii_punctuation(),
        b's' => byte.is_ascii_whitespace() || byte == 0x0b,
        b'u' => byte.is_ascii_uppercase(),
        b'w' => byte.is_ascii_alphanumeric(),
        b'x' => byte.is_ascii_hexdigit(),
        _ => return class == byte,
    };
    is != class.is_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The library's own matcher is the oracle.
    #[test]
    fn it_finds_what_the_library_finds() {
        let lua = mlua::Lua::new();
        let find: mlua::Function = lua.load("return string.find").eval().expect("it is there");
        let texts = ["", "a", "hello world", "x = 12, y=-3", "((a)(b)) c", "THE (quick) fox", "aaab", "]-^%"];
        let patterns = [
            "",
            "a",
            "^a",
            "a*",
            "a-b",
            "a+$",
            "%w+",
            "(%w+) (%w+)",
            "(%w+)%s*=%s*(-?%d+)",
            "%b()",
            "%f[%w]%a+",
            "()ll()",
            "[^%s]+",
            "[a-c]+",
            "[%]%-^]+",
            "(a*(.)%w(%s*))",
            "(.)%1",
            ".-",
            "x?y?",
            "%u+%s%((%l+)%)",
            "[]]",
            "(",
            "a*)",
            "%",
            "[a",
            "%f",
            "%b",
            "%1",
            "(()",
            "^$",
        ];
        for text in texts {
            for pattern in patterns {
                let theirs = find.call::<mlua::MultiValue>((text, pattern));
                let ours = find_all(text, pattern);
                let theirs = theirs.ok().map(|values| {
                    values.iter().map(|value| value.to_string().expect("plain")).collect::<Vec<_>>()
                });
                let nothing = Some(vec!["nil".to_owned()]);
                let ours = if ours == Some(Vec::new()) { nothing } else { ours };
                assert_eq!(ours, theirs, "{pattern:?} in {text:?}");
            }
        }
    }

    fn find_all(text: &str, pattern: &str) -> Option<Vec<String>> {
        let found = find(text.as_bytes(), pattern.as_bytes(), 0, None, 1 << 20, &mut 0).ok()?;
        let Some(found) = found else { return Some(Vec::new()) };
        let mut words = vec![(found.start + 1).to_string(), found.end.to_string()];
        words.extend(found.captures.iter().map(|capture| match *capture {
            Capture::Place(at) => (at + 1).to_string(),
            Capture::Text(from, to) => text[from..to].to_owned(),
        }));
        Some(words)
    }

    #[test]
    fn it_gives_up_after_so_many_steps() {
        let text = vec![b'a'; 30_000];
        let mut steps = 0;
        let answer = find(&text, b".-.-.-.-b", 0, None, 10_000, &mut steps);
        assert_eq!(answer, Err("out of steps"));
        assert!(steps <= 10_001);
    }
}
