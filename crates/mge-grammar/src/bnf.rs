//! BNF texts: parsed and checked, not yet bound to a data set (section 2 of the paper).
//!
//! # Syntax
//!
//! ```text
//! # A comment: # at the start of a line or after white space, up to the end of the line.
//! <Sum>    ::= <Number>*<xnList>            # alternatives may stand on several lines,
//!            | <Sum> + <Number>*<xnList>    # up to the next <name> ::= at the start of a line
//! <Number> ::= +0.<Digits> | '-0.' <Digits> # text may be plain or quoted, glued or apart
//! <Digits> ::= <Digit> | <Digit><Digits>
//! <Digit>  ::= 0..9                         # a range: ten alternatives
//! <xnList> ::= x1..xd                       # one alternative for each feature
//! ```
//!
//! - The first rule is the start. A name is a letter or `_`, then letters, digits, `_`, `.`, `-`
//!   or spaces, 100 at most. A `<` that opens no name is plain text.
//! - Inside `"..."` and `'...'` everything is kept; escapes are `\\ \" \' \n \t`. A quote ends in
//!   its line. Outside quotes a backslash is plain text.
//! - `""` is the empty alternative. Leaving an alternative out is an error.
//! - Ranges, each alone as one whole alternative: `0..9`, `x1..x5`, `x1..xd` (all features),
//!   `output1..outputc` (all output neurons).
//!
//! # Spacing
//!
//! The sentence keeps the grammar's own spacing. White space between two pieces of an alternative
//! is kept as written; a run of it that holds a tab, a line break or a comment counts as one space;
//! white space at both ends of an alternative is dropped. One exception: **unquoted white space
//! between two ASCII digits of the sentence is dropped**, because the literature writes `1 <exp>`
//! and `<Digit> <Digitlist>` for one number. The digits are the nearest characters on both sides
//! that are not unquoted white space themselves. Quoted space is always kept.
//!
//! # Invariants
//!
//! A [`Template`] has at least one rule; every symbol in it has exactly one rule; every rule has
//! at least one alternative and some derivation that ends.

pub(crate) mod check;
mod error;
pub(crate) mod range;
mod scan;

use std::sync::Arc;

pub use error::{BnfError, BnfErrors, Problem, Warning};
pub use range::{MAX_ENTRIES, RangeProblem};

use crate::derive::MapFailure;
use crate::grammar::Symbol;
use error::Mistake;
use range::Range;

/// The largest text that is read, in bytes. A grammar written by hand has a few kilobytes.
pub const MAX_BYTES: usize = 1 << 24;

/// A rule and its position.
#[derive(Debug)]
pub(crate) struct Rule {
    pub name: Box<str>,
    /// Position and length of `<name>` in the text, in bytes.
    pub at: usize,
    pub len: usize,
    pub alternatives: Vec<Alternative>,
}

/// One alternative, or the many a range stands for.
#[derive(Debug)]
pub(crate) enum Alternative {
    Sequence(Vec<Piece>),
    Range(Range),
}

impl Alternative {
    /// The symbols in it, from left to right.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = u32> + '_ {
        let pieces = match self {
            Self::Sequence(pieces) => pieces.as_slice(),
            Self::Range(_) => &[],
        };
        pieces.iter().filter_map(|piece| match piece {
            Piece::Symbol(number) => Some(*number),
            Piece::Text(_) | Piece::Space(_) => None,
        })
    }
}

/// A part of an alternative.
#[derive(Debug, Clone)]
pub(crate) enum Piece {
    /// Never empty.
    Text(Box<str>),
    /// Unquoted white space: this many spaces, unless it is between two digits.
    Space(u32),
    /// The number of a rule.
    Symbol(u32),
}

/// A parsed and checked grammar, not yet bound to a data set. Cheap to clone.
///
/// See the [module](self) for the syntax.
#[derive(Debug, Clone)]
pub struct Template {
    pub(crate) parsed: Arc<Parsed>,
}

#[derive(Debug)]
pub(crate) struct Parsed {
    name: String,
    source: String,
    pub rules: Vec<Rule>,
    warnings: Vec<Warning>,
}

impl Template {
    /// Parses a grammar. Messages contain `name`, usually the name of the file.
    ///
    /// # Errors
    /// Every mistake in the text, each with its line and column.
    pub fn parse(name: &str, text: &str) -> Result<Self, BnfErrors> {
        let source = text.strip_prefix('\u{feff}').unwrap_or(text);
        if source.len() > MAX_BYTES {
            let problem = Problem::TooBig { bytes: source.len(), limit: MAX_BYTES };
            return Err(error::report(name, "", vec![Mistake::new(0, 0, problem)], &[]));
        }
        let mut mistakes = Vec::new();
        let raw = scan::scan(source, &mut mistakes);
        if raw.is_empty() {
            mistakes.push(Mistake::new(0, 0, Problem::NoRule));
        }
        let resolved = check::resolve(&raw, &mut mistakes);
        check::check_endings(&resolved.rules, &mut mistakes);
        if !mistakes.is_empty() {
            let names: Vec<&str> = resolved.rules.iter().map(|rule| &*rule.name).collect();
            return Err(error::report(name, source, mistakes, &names));
        }
        let warnings = check::warnings(source, &resolved.rules, resolved.ranges_in_text);
        let (name, source) = (name.to_owned(), source.to_owned());
        Ok(Self { parsed: Arc::new(Parsed { name, source, rules: resolved.rules, warnings }) })
    }

    /// The name given to [`Template::parse`].
    pub fn name(&self) -> &str {
        &self.parsed.name
    }

    /// The text it was read from, without a byte order mark.
    pub fn source(&self) -> &str {
        &self.parsed.source
    }

    /// What is valid but probably a mistake, in the order of the text.
    pub fn warnings(&self) -> &[Warning] {
        &self.parsed.warnings
    }

    /// A template with the same text and other rules.
    pub(crate) fn with_rules(&self, rules: Vec<Rule>) -> Self {
        let Parsed { name, source, warnings, .. } = &*self.parsed;
        let (name, source, warnings) = (name.clone(), source.clone(), warnings.clone());
        Self { parsed: Arc::new(Parsed { name, source, rules, warnings }) }
    }

    /// The name of a rule of a grammar made from this template.
    pub(crate) fn rule_name(&self, symbol: Symbol) -> &str {
        &self.parsed.rules[symbol.0 as usize].name
    }

    /// The message of a failure, with the name of the symbol that was not replaced.
    pub(crate) fn explain(&self, failure: MapFailure) -> String {
        match failure {
            MapFailure::OutOfCodons { symbol, .. } => {
                format!("{failure}: <{}> still had to be replaced", self.rule_name(symbol))
            }
            MapFailure::TooLong { .. } => failure.to_string(),
        }
    }

    /// The line of a byte of the text, counted from 1.
    pub(crate) fn line(&self, at: usize) -> usize {
        error::line_and_column(&self.parsed.source, at).0
    }
}
