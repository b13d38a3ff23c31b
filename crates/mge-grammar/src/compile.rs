//! From a template to a grammar that derives fast.
//!
//! Everything that does not depend on the codons is decided here: ranges are expanded, texts are
//! joined, and white space is settled wherever its neighbours are known. The template stays inside
//! the grammar for the slow twin ([`Grammar::trace`]), which reads it directly.

use crate::bnf::check::reachable;
use crate::bnf::range::{End, MOST_ENTRIES};
use crate::bnf::{Alternative, Piece, Template};
use crate::grammar::{BindError, Grammar, Shape, is_feature, is_first_neuron};

/// The most alternatives all ranges of one grammar may stand for together.
pub(crate) const MOST_ALTERNATIVES: u64 = 4_000_000;
/// The most text, in bytes, that they may stand for together.
const MOST_RANGE_TEXT: u64 = 1 << 27;

/// A rule as the fast derivation sees it.
#[derive(Debug, Clone)]
pub(crate) struct CompiledRule {
    /// Its first alternative.
    pub first: u32,
    /// The number of its alternatives, never 0.
    pub count: u32,
    /// `2^64 / count`, rounded up, to replace the division in `codon mod count`.
    pub reciprocal: u64,
    /// Neuron references h1..hk may be appended to it.
    pub input: bool,
    /// It lists neurons and nothing else: it is `h1` as written, and grows to all of them.
    pub neurons: bool,
    /// The number of the first neuron that is appended to it.
    pub first_reference: u32,
}

/// Where an alternative starts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompiledAlternative {
    /// Its first stretch; every alternative has one.
    pub first: u32,
    /// Its characters and symbols as written, against the derivation limit.
    pub cost: u32,
}

/// A short text and what follows it. An alternative is a row of these, so that the derivation does
/// the same few things in every turn, and the text is copied as one block of a fixed size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretch {
    /// Only the first `len` bytes count.
    pub text: [u8; BLOCK],
    pub len: u32,
    /// White space before and after the text whose neighbours only the derivation knows.
    pub before: u32,
    pub after: u32,
    /// The symbol behind it, or [`NO_SYMBOL`].
    pub symbol: u32,
    /// Another stretch of the alternative follows.
    pub more: bool,
}

/// Longer texts take several stretches.
pub(crate) const BLOCK: usize = 16;

/// In a [`Stretch`] with no symbol behind it.
pub(crate) const NO_SYMBOL: u32 = u32::MAX;

impl Template {
    /// Fits the grammar to a data set: expands the ranges and compiles the rules.
    ///
    /// # Errors
    /// When a range has no entry or too many for this shape.
    pub fn bind(&self, shape: Shape) -> Result<Grammar, BindError> {
        self.check_ranges(shape)?;
        let mut grammar = Grammar {
            template: self.clone(),
            shape,
            rules: Vec::with_capacity(self.parsed.rules.len()),
            alternatives: Vec::new(),
            stretches: Vec::new(),
            widest: 0,
        };
        for (rule, reached) in self.parsed.rules.iter().zip(reachable(&self.parsed.rules)) {
            grammar.add_rule(&rule.alternatives);
            if let Some(compiled) = grammar.rules.last().filter(|_| reached) {
                grammar.widest = grammar.widest.max(compiled.count as usize);
            }
        }
        Ok(grammar)
    }

    fn check_ranges(&self, shape: Shape) -> Result<(), BindError> {
        let (mut entries, mut bytes) = (0u64, 0u64);
        let alternatives = self.parsed.rules.iter().flat_map(|rule| &rule.alternatives);
        for alternative in alternatives {
            let Alternative::Range(range) = alternative else {
                continue;
            };
            let place = || (self.line(range.at), range.to_string());
            let last = range.last(shape);
            let len = range.len(shape);
            if last == 0 && range.end == End::Features {
                let (line, range) = place();
                return Err(BindError::NoFeatures { line, range });
            }
            if last == 0 && range.end == End::Outputs {
                let (line, range) = place();
                return Err(BindError::NoOutputs { line, range });
            }
            if len == 0 {
                let (line, range) = place();
                return Err(BindError::Reversed { line, range, last });
            }
            entries = entries.saturating_add(len);
            bytes = bytes.saturating_add(len.saturating_mul(range.prefix.len() as u64 + 20));
            if len > MOST_ENTRIES || entries > MOST_ALTERNATIVES || bytes > MOST_RANGE_TEXT {
                let (line, range) = place();
                return Err(BindError::TooMany { line, range });
            }
        }
        Ok(())
    }
}

impl Grammar {
    fn add_rule(&mut self, alternatives: &[Alternative]) {
        let first = self.alternatives.len() as u32;
        for alternative in alternatives {
            match alternative {
                Alternative::Sequence(pieces) => self.add_sequence(pieces),
                Alternative::Range(range) => {
                    for index in 0..range.len(self.shape) as usize {
                        self.add_sequence(&[Piece::Text(range.entry(index).into())]);
                    }
                }
            }
        }
        let count = self.alternatives.len() as u32 - first;
        let input = alternatives.iter().all(is_feature);
        let neurons = alternatives.len() == 1 && alternatives.iter().all(is_first_neuron);
        let first_reference = if neurons { 2 } else { 1 };
        let reciprocal = reciprocal(count);
        self.rules.push(CompiledRule { first, count, reciprocal, input, neurons, first_reference });
    }

    fn add_sequence(&mut self, sequence: &[Piece]) {
        let first = self.stretches.len();
        let mut cost = 0u32;
        let mut open = Open::default();
        for piece in sequence {
            match piece {
                Piece::Space(spaces) => {
                    cost = cost.saturating_add(*spaces);
                    open.waiting = open.waiting.saturating_add(*spaces);
                }
                Piece::Text(text) => {
                    cost = cost.saturating_add(text.len() as u32);
                    open.settle(Edge::of(text.as_bytes().first()));
                    open.text.push_str(text);
                    open.edge = Edge::of(text.as_bytes().last());
                }
                Piece::Symbol(number) => {
                    cost = cost.saturating_add(1);
                    open.settle(Edge::Unknown);
                    std::mem::take(&mut open).close(*number, true, &mut self.stretches);
                }
            }
        }
        open.settle(Edge::Unknown);
        match self.stretches[first..].last_mut() {
            Some(last) if open.is_empty() => last.more = false,
            _ => open.close(NO_SYMBOL, false, &mut self.stretches),
        }
        self.alternatives.push(CompiledAlternative { first: first as u32, cost });
    }
}

/// The stretches between two symbols, while they are read.
#[derive(Default)]
struct Open {
    text: String,
    before: u32,
    after: u32,
    /// White space behind the text that is not yet settled.
    waiting: u32,
    /// The last character, as far as it is known.
    edge: Edge,
}

impl Open {
    /// Decides about the waiting white space: text, nothing, or left to the derivation.
    fn settle(&mut self, next: Edge) {
        let spaces = std::mem::take(&mut self.waiting);
        match (self.edge, next) {
            (Edge::Other, _) | (_, Edge::Other) => {
                self.text.extend(std::iter::repeat_n(' ', spaces as usize));
            }
            (Edge::Digit, Edge::Digit) => {}
            (Edge::Digit, Edge::Unknown) => self.after = spaces,
            (Edge::Unknown, _) => self.before = spaces,
        }
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.before == 0
    }

    fn close(self, symbol: u32, more: bool, stretches: &mut Vec<Stretch>) {
        let mut blocks = self.text.as_bytes().chunks(BLOCK).peekable();
        let mut before = self.before;
        loop {
            let block = blocks.next().unwrap_or_default();
            let mut text = [0; BLOCK];
            text[..block.len()].copy_from_slice(block);
            let last = blocks.peek().is_none();
            stretches.push(Stretch {
                text,
                len: block.len() as u32,
                before: std::mem::take(&mut before),
                after: if last { self.after } else { 0 },
                symbol: if last { symbol } else { NO_SYMBOL },
                more: more || !last,
            });
            if last {
                return;
            }
        }
    }
}

/// What stands at the edge of a text, as far as it is known before the derivation.
#[derive(Clone, Copy, Default)]
enum Edge {
    #[default]
    Unknown,
    Digit,
    Other,
}

impl Edge {
    fn of(byte: Option<&u8>) -> Self {
        match byte {
            None => Self::Unknown,
            Some(byte) if byte.is_ascii_digit() => Self::Digit,
            Some(_) => Self::Other,
        }
    }
}

/// See [`CompiledRule::reciprocal`].
pub(crate) fn reciprocal(count: u32) -> u64 {
    (u64::MAX / u64::from(count)).wrapping_add(1)
}
