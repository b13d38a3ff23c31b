//! From text to raw rules: one pass over the bytes, no look at what the names mean.
//!
//! Every byte is read a bounded number of times and nothing recurses, so megabytes of hostile text
//! cost no more than megabytes of grammar.

use std::borrow::Cow;

use super::error::{Found, Problem};

/// The longest name of a symbol, in characters.
const LONGEST_NAME: usize = 100;

/// A rule as written.
#[derive(Debug)]
pub(super) struct RawRule<'t> {
    pub name: &'t str,
    /// Place of the opening `<` of its name.
    pub at: usize,
    /// Length of `<name>`.
    pub len: usize,
    pub alternatives: Vec<Vec<RawPiece<'t>>>,
}

/// A part of an alternative as written.
#[derive(Debug)]
pub(super) enum RawPiece<'t> {
    Plain {
        text: &'t str,
        at: usize,
    },
    Quoted(Cow<'t, str>),
    /// Unquoted white space, already reduced to this many spaces.
    Space(u32),
    Symbol {
        name: &'t str,
        at: usize,
        len: usize,
    },
}

/// Reads all rules. Whatever is wrong goes to `found`; reading goes on behind it.
pub(super) fn scan<'t>(text: &'t str, found: &mut Vec<Found>) -> Vec<RawRule<'t>> {
    let mut scanner = Scanner { text, at: 0, found, rules: Vec::new() };
    scanner.skip_to_first_rule();
    while let Some((rule, after)) = rule_head(text, scanner.at) {
        scanner.at = after;
        scanner.rules.push(rule);
        scanner.rule_body();
    }
    scanner.rules
}

struct Scanner<'t, 'f> {
    text: &'t str,
    at: usize,
    found: &'f mut Vec<Found>,
    rules: Vec<RawRule<'t>>,
}

/// The alternative that is being read.
#[derive(Default)]
struct Open<'t> {
    pieces: Vec<RawPiece<'t>>,
    /// The `|` in front of it.
    bar: Option<usize>,
    comment: bool,
}

/// White space and comments between two pieces.
struct Blank {
    /// How many spaces it stands for: as many as written, or one when there is more than spaces.
    spaces: u32,
    /// A rule may start behind it.
    new_line: bool,
    comment: bool,
}

impl<'t> Scanner<'t, '_> {
    fn skip_to_first_rule(&mut self) {
        let mut complained = false;
        loop {
            self.blank();
            if self.at == self.text.len() || rule_head(self.text, self.at).is_some() {
                return;
            }
            let rest = &self.text[self.at..];
            let line = rest.find('\n').unwrap_or(rest.len());
            if !complained {
                let len = rest[..line].trim_end().len();
                self.found.push(Found::new(self.at, len, Problem::TextBeforeFirstRule));
                complained = true;
            }
            self.at += line;
        }
    }

    /// Reads alternatives up to the next rule or the end of the text.
    fn rule_body(&mut self) {
        let bytes = self.text.as_bytes();
        let mut open = Open::default();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b if b.is_ascii_whitespace() => {
                    let blank = self.blank();
                    open.comment |= blank.comment;
                    if blank.new_line && rule_head(self.text, self.at).is_some() {
                        break;
                    }
                    open.pieces.push(RawPiece::Space(blank.spaces));
                }
                b'|' => {
                    let bar = self.at;
                    self.at += 1;
                    self.close(std::mem::take(&mut open), Some(bar));
                    open.bar = Some(bar);
                }
                b'"' | b'\'' => {
                    let text = self.quoted(byte);
                    open.pieces.push(RawPiece::Quoted(text));
                }
                b'<' => match symbol_name(self.text, self.at) {
                    Some((name, after)) => {
                        let (at, len) = (self.at, after - self.at);
                        open.pieces.push(RawPiece::Symbol { name, at, len });
                        self.at = after;
                    }
                    None => open.pieces.push(self.plain()),
                },
                _ => open.pieces.push(self.plain()),
            }
        }
        self.close(open, None);
    }

    /// Skips white space and comments.
    fn blank(&mut self) -> Blank {
        let bytes = self.text.as_bytes();
        let from = self.at;
        let mut only_spaces = true;
        let mut blank = Blank { spaces: 1, new_line: false, comment: false };
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b' ' => self.at += 1,
                b if b.is_ascii_whitespace() => {
                    only_spaces = false;
                    blank.new_line |= b == b'\n';
                    self.at += 1;
                }
                b'#' if self.at == 0 || bytes[self.at - 1].is_ascii_whitespace() => {
                    only_spaces = false;
                    blank.comment = true;
                    let rest = &bytes[self.at..];
                    self.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                }
                _ => break,
            }
        }
        if only_spaces {
            blank.spaces = (self.at - from) as u32;
        }
        blank
    }

    /// Plain text up to the next byte with a meaning of its own.
    fn plain(&mut self) -> RawPiece<'t> {
        let bytes = self.text.as_bytes();
        let at = self.at;
        self.define_mark(bytes);
        self.at += 1;
        while let Some(&byte) = bytes.get(self.at) {
            if byte.is_ascii_whitespace() || matches!(byte, b'|' | b'"' | b'\'' | b'<') {
                break;
            }
            self.define_mark(bytes);
            self.at += 1;
        }
        RawPiece::Plain { text: &self.text[at..self.at], at }
    }

    fn define_mark(&mut self, bytes: &[u8]) {
        if bytes[self.at..].starts_with(b"::=") {
            self.found.push(Found::new(self.at, 3, Problem::StrayDefinition));
        }
    }

    /// Quoted text with its escapes resolved.
    fn quoted(&mut self, quote: u8) -> Cow<'t, str> {
        let bytes = self.text.as_bytes();
        let open = self.at;
        self.at += 1;
        let mut text = Cow::Borrowed("");
        let mut from = self.at;
        let keep = |text: &mut Cow<'t, str>, part: &'t str| {
            if text.is_empty() { *text = Cow::Borrowed(part) } else { text.to_mut().push_str(part) }
        };
        loop {
            match bytes.get(self.at) {
                None | Some(b'\n') => {
                    let len = self.text[open..self.at].trim_end().len();
                    let problem = Problem::UnclosedQuote { quote: char::from(quote) };
                    self.found.push(Found::new(open, len, problem));
                    return text;
                }
                Some(&byte) if byte == quote => {
                    keep(&mut text, &self.text[from..self.at]);
                    self.at += 1;
                    return text;
                }
                Some(b'\\') => {
                    keep(&mut text, &self.text[from..self.at]);
                    self.at += 1;
                    match self.text[self.at..].chars().next() {
                        Some(c @ ('\\' | '"' | '\'')) => text.to_mut().push(c),
                        Some('n') => text.to_mut().push('\n'),
                        Some('t') => text.to_mut().push('\t'),
                        Some(character) if !matches!(character, '\n' | '\r') => {
                            let problem = Problem::UnknownEscape { character };
                            let len = 1 + character.len_utf8();
                            self.found.push(Found::new(self.at - 1, len, problem));
                        }
                        // The line ends here: the next turn reports the open quote.
                        _ => {
                            from = self.at;
                            continue;
                        }
                    }
                    self.at += self.text[self.at..].chars().next().map_or(0, char::len_utf8);
                    from = self.at;
                }
                Some(_) => self.at += 1,
            }
        }
    }

    /// Ends an alternative: trims it and adds it to the last rule. `bar`: the `|` behind it.
    fn close(&mut self, mut open: Open<'t>, bar: Option<usize>) {
        let Some(rule) = self.rules.last_mut() else {
            return;
        };
        let is_space = |piece: Option<&RawPiece>| matches!(piece, Some(RawPiece::Space(_)));
        if is_space(open.pieces.last()) {
            open.pieces.pop();
        }
        if is_space(open.pieces.first()) {
            open.pieces.remove(0);
        }
        if open.pieces.is_empty() {
            let (name, comment) = (rule.name.to_owned(), open.comment);
            self.found.push(match open.bar.or(bar) {
                None => Found::new(rule.at, rule.len, Problem::EmptyRule { name, comment }),
                Some(bar) => Found::new(bar, 1, Problem::EmptyAlternative { name, comment }),
            });
        }
        rule.alternatives.push(open.pieces);
    }
}

/// `<name> ::=` at this place: the rule without alternatives, and the place behind it.
fn rule_head(text: &str, at: usize) -> Option<(RawRule<'_>, usize)> {
    let (name, after) = symbol_name(text, at)?;
    let rest = text[after..].trim_start_matches([' ', '\t']);
    rest.starts_with("::=").then(|| {
        let rule = RawRule { name, at, len: after - at, alternatives: Vec::new() };
        (rule, text.len() - rest.len() + 3)
    })
}

/// `<name>` at this place: the name and the place behind the `>`.
fn symbol_name(text: &str, at: usize) -> Option<(&str, usize)> {
    let inside = text.as_bytes()[at..].strip_prefix(b"<")?;
    let named = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b' ' | b'.' | b'-');
    if !inside.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_') {
        return None;
    }
    let len = inside.iter().take(LONGEST_NAME + 1).position(|b| !named(*b))?;
    (inside[len] == b'>').then(|| (text[at + 1..at + 1 + len].trim_end(), at + len + 2))
}
