//! Errors and warnings of a grammar's text, with their positions.
//!
//! All mistakes of a file are collected and reported together. Every message is complete in itself
//! (`line 12, column 5: <weigth> is used but never defined; did you mean <weight>?`). [`BnfErrors`]
//! keeps the source too, so that a terminal can underline the mistakes.

use std::fmt;
use std::ops::Range;

use super::range::RangeProblem;
use mge_names::nearest;

/// How many mistakes are reported; the others are only counted.
const MAX_REPORTED: usize = 100;
/// How many mistakes get a suggestion. Finding the nearest name is slow.
const MAX_SUGGESTED: usize = 20;

/// One kind of mistake in a grammar.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A symbol without a rule.
    #[error("<{name}> is used but never defined{}", suggestion(nearest))]
    Undefined {
        /// The symbol.
        name: String,
        /// The rule with the most similar name, if one is similar enough.
        nearest: Option<String>,
    },
    /// Nothing after `::=`.
    #[error(
        "<{name}> has nothing after ::=; write \"\" for empty text{}",
        comment_hint(*comment)
    )]
    EmptyRule {
        /// The rule.
        name: String,
        /// A comment stands where the alternative should.
        comment: bool,
    },
    /// Nothing before, after or between `|`.
    #[error(
        "<{name}> has an empty alternative beside |; write \"\" for empty text{}",
        comment_hint(*comment)
    )]
    EmptyAlternative {
        /// The rule.
        name: String,
        /// A comment stands where the alternative should.
        comment: bool,
    },
    /// Two rules of one name.
    #[error("<{name}> is defined twice, first in line {first_line}; join the alternatives with |")]
    Duplicate {
        /// The rule.
        name: String,
        /// The line of the first one, counted from 1.
        first_line: usize,
    },
    /// No derivation from these rules ends.
    #[error(
        "{} can never end: every alternative leads back into a rule that never ends",
        list(names)
    )]
    NeverEnds {
        /// All rules that can never end, in the order of the text.
        names: Vec<String>,
    },
    /// A quote that is still open at the end of its line.
    #[error("the quote {quote} is not closed in its line; write \\n for a line break")]
    UnclosedQuote {
        /// The opening quote.
        quote: char,
    },
    /// A backslash inside quotes before anything but `\ " ' n t`.
    #[error("\\{character} is no known escape; inside quotes use \\\\ \\\" \\' \\n or \\t")]
    UnknownEscape {
        /// What follows the backslash.
        character: char,
    },
    /// `::=` that does not follow a `<name>` at the start of a line.
    #[error(
        "::= inside an alternative; start the rule on its own line as <name> ::= ..., or quote it"
    )]
    StrayDefinition,
    /// Something stands above the first rule.
    #[error("text before the first rule; a rule is written <name> ::= ..., a comment # ...")]
    TextBeforeFirstRule,
    /// A text of nothing but comments and white space.
    #[error("no rule at all; a rule is written <name> ::= one | another")]
    NoRule,
    /// A range that cannot be expanded.
    #[error(transparent)]
    Range(#[from] RangeProblem),
    /// More text than any grammar needs.
    #[error("the text has {bytes} bytes, more than the {limit} a grammar may have")]
    TooBig {
        /// Size of the text.
        bytes: usize,
        /// Largest size that is read.
        limit: usize,
    },
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!("; did you mean <{name}>?"))
}

fn comment_hint(comment: bool) -> &'static str {
    if comment { " (a # after white space starts a comment; quote it to keep it)" } else { "" }
}

fn list(names: &[String]) -> String {
    const MAX: usize = 8;
    let mut text = names.iter().take(MAX).map(|n| format!("<{n}>")).collect::<Vec<_>>().join(", ");
    if names.len() > MAX {
        text.push_str(&format!(" and {} more", names.len() - MAX));
    }
    text
}

/// One mistake and its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct BnfError {
    /// Counted from 1.
    pub line: usize,
    /// Counted in characters from 1.
    pub column: usize,
    /// The same position in bytes of the text.
    pub span: Range<usize>,
    /// A second position that explains the first, for example the earlier of two rules.
    pub related: Option<Range<usize>>,
    /// What is wrong.
    pub problem: Problem,
}

/// Every mistake of one grammar text, in the order of the text.
#[derive(Debug, Clone)]
pub struct BnfErrors {
    name: String,
    source: String,
    errors: Vec<BnfError>,
    not_shown: usize,
}

impl BnfErrors {
    /// The mistakes, at least one and at most a hundred.
    pub fn errors(&self) -> &[BnfError] {
        &self.errors
    }

    /// The name of the grammar: its file, as a rule.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text that the spans of the errors point into.
    pub fn source_text(&self) -> &str {
        &self.source
    }
}

impl fmt::Display for BnfErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.errors.iter().enumerate() {
            let line_break = if index == 0 { "" } else { "\n" };
            write!(f, "{line_break}{}: {error}", self.name)?;
        }
        if self.not_shown > 0 {
            write!(f, "\n{}: and {} more", self.name, self.not_shown)?;
        }
        Ok(())
    }
}

impl std::error::Error for BnfErrors {}

/// A mistake as the scanner and the checks find it, with positions in bytes.
#[derive(Debug)]
pub(super) struct Mistake {
    pub at: usize,
    pub len: usize,
    pub related: Option<(usize, usize)>,
    pub problem: Problem,
}

impl Mistake {
    pub(super) fn new(at: usize, len: usize, problem: Problem) -> Self {
        Self { at, len, related: None, problem }
    }
}

/// Sorts and limits the mistakes and adds lines, columns and suggestions. `names` are the rules that
/// are defined.
pub(super) fn report(
    name: &str,
    source: &str,
    mut mistakes: Vec<Mistake>,
    names: &[&str],
) -> BnfErrors {
    mistakes.sort_by_key(|mistake| mistake.at);
    let not_shown = mistakes.len().saturating_sub(MAX_REPORTED);
    mistakes.truncate(MAX_REPORTED);
    let mut suggested = 0;
    let errors = mistakes
        .into_iter()
        .map(|mut mistake| {
            if let Problem::Undefined { name, nearest: suggestion } = &mut mistake.problem
                && suggested < MAX_SUGGESTED
            {
                suggested += 1;
                *suggestion = nearest(name, names.iter().copied()).map(str::to_owned);
            }
            if let Problem::Duplicate { first_line, .. } = &mut mistake.problem
                && let Some((first, _)) = mistake.related
            {
                *first_line = line_and_column(source, first).0;
            }
            let (line, column) = line_and_column(source, mistake.at);
            BnfError {
                line,
                column,
                span: mistake.at..mistake.at + mistake.len,
                related: mistake.related.map(|(at, len)| at..at + len),
                problem: mistake.problem,
            }
        })
        .collect();
    BnfErrors { name: name.to_owned(), source: source.to_owned(), errors, not_shown }
}

/// Both counted from 1, the column in characters.
pub(super) fn line_and_column(source: &str, at: usize) -> (usize, usize) {
    let before = &source[..at];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

/// Something that is valid but probably a mistake.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// No derivation from the start symbol uses this rule.
    #[error("line {line}: <{name}> is never reached from the first rule")]
    Unreachable {
        /// Counted from 1.
        line: usize,
        /// The rule.
        name: String,
    },
    /// A range that is no whole alternative is plain text.
    #[error(
        "line {line}: {text} is kept as plain text, because a range must stand alone as a whole \
         alternative; give it a rule of its own"
    )]
    RangeInText {
        /// Counted from 1.
        line: usize,
        /// As written.
        text: String,
    },
}
