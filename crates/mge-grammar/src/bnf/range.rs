//! Ranges: the shorthands `0..9`, `x1..xd` and `output1..outputc`.
//!
//! A range stands alone as one whole, unquoted alternative and means one alternative for each of
//! its entries. The letter `d` as the end means the number of features, `c` the number of output
//! neurons; both are known only when the template is bound to a data set.

use crate::grammar::Shape;

/// The largest number of entries of a range: far above any data set, far below a full memory.
pub const MAX_ENTRIES: u64 = 1_000_000;

/// Where a range ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Number(i64),
    Features,
    Outputs,
}

/// `PREFIXm..PREFIXn`, both ends included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Range {
    pub prefix: Box<str>,
    pub first: i64,
    pub end: End,
    /// Its position in the text, in bytes, for errors that only binding can find.
    pub at: usize,
}

/// What is wrong with a text that was meant as a range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RangeProblem {
    /// `9..0`.
    #[error("the range {text} runs backwards")]
    Reversed {
        /// As written.
        text: String,
    },
    /// More than [`MAX_ENTRIES`].
    #[error("the range {text} has more than {MAX_ENTRIES} entries")]
    TooMany {
        /// As written.
        text: String,
    },
    /// `x1..y5`.
    #[error(
        "{text} looks like a range, but its two ends do not match; write it like x1..x9, or quote \
         it to keep it as text"
    )]
    Unmatched {
        /// As written.
        text: String,
    },
}

impl Range {
    /// Reads a whole unquoted alternative. `None` for plain text.
    pub(crate) fn read(text: &str, at: usize) -> Option<Result<Self, RangeProblem>> {
        let (head, tail) = text.split_once("..")?;
        let (prefix, first) = numbered(head)?;
        let word = |part: &str| part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !word(tail.strip_prefix('-').unwrap_or(tail)) || tail.is_empty() {
            return None;
        }
        let end = match tail.strip_prefix(prefix) {
            Some("d") => Some(End::Features),
            Some("c") => Some(End::Outputs),
            _ => numbered(tail).filter(|(p, _)| *p == prefix).map(|(_, n)| End::Number(n)),
        };
        let text = || shorten(text);
        let Some(end) = end else {
            return Some(Err(RangeProblem::Unmatched { text: text() }));
        };
        if let End::Number(last) = end {
            if last < first {
                return Some(Err(RangeProblem::Reversed { text: text() }));
            }
            if last.abs_diff(first) >= MAX_ENTRIES {
                return Some(Err(RangeProblem::TooMany { text: text() }));
            }
        }
        Some(Ok(Self { prefix: prefix.into(), first, end, at }))
    }

    /// The number at the end of the last entry.
    pub(crate) fn last(&self, shape: Shape) -> i64 {
        let whole = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        match self.end {
            End::Number(last) => last,
            End::Features => whole(shape.features),
            End::Outputs => whole(shape.outputs),
        }
    }

    /// How many alternatives it stands for; 0 when it runs backwards.
    pub(crate) fn len(&self, shape: Shape) -> u64 {
        let last = self.last(shape);
        if last < self.first { 0 } else { last.abs_diff(self.first).saturating_add(1) }
    }

    /// Entry number `index`, counted from 0.
    pub(crate) fn entry(&self, index: usize) -> String {
        format!("{}{}", self.prefix, self.first + index as i64)
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let prefix = shorten(&self.prefix);
        write!(f, "{prefix}{}..{prefix}", self.first)?;
        match self.end {
            End::Number(last) => write!(f, "{last}"),
            End::Features => f.write_str("d"),
            End::Outputs => f.write_str("c"),
        }
    }
}

/// A range inside an unquoted text that is not a whole alternative. There it is plain text, which is
/// probably a mistake.
pub(crate) fn hidden_range(text: &str) -> Option<&str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'))
        .find(|word| word.contains("..") && matches!(Range::read(word, 0), Some(Ok(_))))
}

/// Splits `x12` into `x` and 12; `-3` into nothing and -3. The number has no leading zero, so that
/// every entry prints as it was written.
fn numbered(word: &str) -> Option<(&str, i64)> {
    if let Some(positive) = word.strip_prefix('-') {
        let number =
            positive.parse::<i64>().ok().filter(|_| !positive.starts_with(['+', '-', '0']));
        return number.map(|n| ("", -n));
    }
    if !word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return None;
    }
    let digits_from = word.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let digits = &word[digits_from..];
    let zeros = digits.len() - digits.trim_start_matches('0').len();
    let number_from = digits_from + zeros.min(digits.len().saturating_sub(1));
    Some((&word[..number_from], word[number_from..].parse().ok()?))
}

/// Text of the user in a message, shortened to a line.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((cut, _)) => format!("{}...", &text[..cut]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Result<Range, RangeProblem>> {
        Range::read(text, 0)
    }

    fn entries(text: &str, features: usize) -> Vec<String> {
        let shape = Shape { features, outputs: 3 };
        let range = read(text).unwrap().unwrap();
        (0..range.len(shape) as usize).map(|i| range.entry(i)).collect()
    }

    #[test]
    fn a_range_expands_to_its_entries() {
        assert_eq!(entries("0..3", 9), ["0", "1", "2", "3"]);
        assert_eq!(entries("x1..xd", 2), ["x1", "x2"]);
        assert_eq!(entries("output1..outputc", 9), ["output1", "output2", "output3"]);
        assert_eq!(entries("1..c", 9), ["1", "2", "3"]);
        assert_eq!(entries("x9..x11", 9), ["x9", "x10", "x11"]);
        assert_eq!(entries("x08..x09", 9), ["x08", "x09"]);
        assert_eq!(entries("-2..1", 9), ["-2", "-1", "0", "1"]);
        assert_eq!(entries("d1..dd", 2), ["d1", "d2"]);
        assert_eq!(entries("x2..xd", 1), [""; 0]);
    }

    #[test]
    fn other_texts_are_not_ranges() {
        for text in
            ["..", "a..z", "1..", "..9", "x1.xd", "...", "0...9", "1..<n", "é1..é2", "0..9,"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn an_invalid_range_has_its_own_error() {
        assert!(matches!(read("9..0"), Some(Err(RangeProblem::Reversed { .. }))));
        assert!(matches!(read("0..1000000"), Some(Err(RangeProblem::TooMany { .. }))));
        assert!(matches!(read("0..999999"), Some(Ok(_))));
        assert!(matches!(read("x1..y5"), Some(Err(RangeProblem::Unmatched { .. }))));
        assert!(matches!(read("x1..5"), Some(Err(RangeProblem::Unmatched { .. }))));
        assert_eq!(read("x1..x99999999999999999999").map(|r| r.is_err()), Some(true));
    }

    #[test]
    fn a_range_inside_other_text_is_found() {
        assert_eq!(hidden_range("(x1..xd:"), Some("x1..xd"));
        assert_eq!(hidden_range("a ... b"), None);
    }
}
