//! Scanner: from text to raw rules, in one pass. Names are not resolved here.
//!
//! Every byte is read a bounded number of times and nothing is recursive. So the time is linear in
//! the size of the text, even of a hostile one.

use std::borrow::Cow;

use super::error::{Mistake, Problem};

/// The longest name of a symbol, in characters.
const MAX_NAME_LENGTH: usize = 100;

/// A rule as written.
#[derive(Debug)]
pub(super) struct RawRule<'t> {
    pub name: &'t str,
    /// Position of the opening `<` of its name.
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
    /// Unquoted white space, reduced to this many spaces.
    Space(u32),
    Symbol {
        name: &'t str,
        at: usize,
        len: usize,
    },
}

/// Reads all rules. Mistakes are appended to `mistakes`, and reading continues after them.
pub(super) fn scan<'t>(text: &'t str, mistakes: &mut Vec<Mistake>) -> Vec<RawRule<'t>> {
    let mut scanner = Scanner { text, at: 0, mistakes, rules: Vec::new() };
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
    mistakes: &'f mut Vec<Mistake>,
    rules: Vec<RawRule<'t>>,
}

/// An alternative while it is read.
#[derive(Default)]
struct PendingAlternative<'t> {
    pieces: Vec<RawPiece<'t>>,
    /// The `|` before it.
    bar: Option<usize>,
    comment: bool,
}

/// White space and comments between two pieces.
struct Blank {
    /// How many spaces it counts as: as many as written, or one if it is more than plain spaces.
    spaces: u32,
    /// A rule may start after it.
    new_line: bool,
    comment: bool,
}

impl<'t> Scanner<'t, '_> {
    fn skip_to_first_rule(&mut self) {
        let mut reported = false;
        loop {
            self.blank();
            if self.at == self.text.len() || rule_head(self.text, self.at).is_some() {
                return;
            }
            let rest = &self.text[self.at..];
            let line = rest.find('\n').unwrap_or(rest.len());
            if !reported {
                let len = rest[..line].trim_end().len();
                self.mistakes.push(Mistake::new(self.at, len, Problem::TextBeforeFirstRule));
                reported = true;
            }
            self.at += line;
        }
    }

    /// Reads alternatives up to the next rule or the end of the text.
    fn rule_body(&mut self) {
        let bytes = self.text.as_bytes();
        let mut pending = PendingAlternative::default();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b if b.is_ascii_whitespace() => {
                    let blank = self.blank();
                    pending.comment |= blank.comment;
                    if blank.new_line && rule_head(self.text, self.at).is_some() {
                        break;
                    }
                    pending.pieces.push(RawPiece::Space(blank.spaces));
                }
                b'|' => {
                    let bar = self.at;
                    self.at += 1;
                    self.finish(std::mem::take(&mut pending), Some(bar));
                    pending.bar = Some(bar);
                }
                b'"' | b'\'' => {
                    let text = self.quoted(byte);
                    pending.pieces.push(RawPiece::Quoted(text));
                }
                b'<' => match symbol_name(self.text, self.at) {
                    Some((name, after)) => {
                        let (at, len) = (self.at, after - self.at);
                        pending.pieces.push(RawPiece::Symbol { name, at, len });
                        self.at = after;
                    }
                    None => pending.pieces.push(self.plain()),
                },
                _ => pending.pieces.push(self.plain()),
            }
        }
        self.finish(pending, None);
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

    /// Reads plain text up to the next special byte.
    fn plain(&mut self) -> RawPiece<'t> {
        let bytes = self.text.as_bytes();
        let at = self.at;
        self.check_stray_definition(bytes);
        self.at += 1;
        while let Some(&byte) = bytes.get(self.at) {
            if byte.is_ascii_whitespace() || matches!(byte, b'|' | b'"' | b'\'' | b'<') {
                break;
            }
            self.check_stray_definition(bytes);
            self.at += 1;
        }
        RawPiece::Plain { text: &self.text[at..self.at], at }
    }

    fn check_stray_definition(&mut self, bytes: &[u8]) {
        if bytes[self.at..].starts_with(b"::=") {
            self.mistakes.push(Mistake::new(self.at, 3, Problem::StrayDefinition));
        }
    }

    /// Reads quoted text and resolves its escapes.
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
                    self.mistakes.push(Mistake::new(open, len, problem));
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
                            self.mistakes.push(Mistake::new(self.at - 1, len, problem));
                        }
                        // The line ends here. The next iteration reports the open quote.
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

    /// Trims an alternative and adds it to the last rule. `bar` is the `|` after it.
    fn finish(&mut self, mut pending: PendingAlternative<'t>, bar: Option<usize>) {
        let Some(rule) = self.rules.last_mut() else {
            return;
        };
        let is_space = |piece: Option<&RawPiece>| matches!(piece, Some(RawPiece::Space(_)));
        if is_space(pending.pieces.last()) {
            pending.pieces.pop();
        }
        if is_space(pending.pieces.first()) {
            pending.pieces.remove(0);
        }
        if pending.pieces.is_empty() {
            let (name, comment) = (rule.name.to_owned(), pending.comment);
            self.mistakes.push(match pending.bar.or(bar) {
                None => Mistake::new(rule.at, rule.len, Problem::EmptyRule { name, comment }),
                Some(bar) => Mistake::new(bar, 1, Problem::EmptyAlternative { name, comment }),
            });
        }
        rule.alternatives.push(pending.pieces);
    }
}

/// Reads `<name> ::=` at a position. Returns the rule without alternatives, and the position after it.
fn rule_head(text: &str, at: usize) -> Option<(RawRule<'_>, usize)> {
    let (name, after) = symbol_name(text, at)?;
    let rest = text[after..].trim_start_matches([' ', '\t']);
    rest.starts_with("::=").then(|| {
        let rule = RawRule { name, at, len: after - at, alternatives: Vec::new() };
        (rule, text.len() - rest.len() + 3)
    })
}

/// Reads `<name>` at a position. Returns the name and the position after the `>`.
fn symbol_name(text: &str, at: usize) -> Option<(&str, usize)> {
    let inside = text.as_bytes()[at..].strip_prefix(b"<")?;
    let named = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b' ' | b'.' | b'-');
    if !inside.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_') {
        return None;
    }
    let len = inside.iter().take(MAX_NAME_LENGTH + 1).position(|b| !named(*b))?;
    (inside[len] == b'>').then(|| (text[at + 1..at + 1 + len].trim_end(), at + len + 2))
}
