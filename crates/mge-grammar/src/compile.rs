//! Compiles a template into a grammar that derives fast.
//!
//! Everything that does not depend on codons is done here: ranges are expanded, texts are joined,
//! and white space is resolved where both neighbours are known. The grammar keeps the template for
//! the slow twin ([`Grammar::trace`]).

use crate::bnf::check::reachable;
use crate::bnf::range::{End, MAX_ENTRIES};
use crate::bnf::{Alternative, Piece, Template};
use crate::grammar::{BindError, Grammar, Shape, is_feature, is_first_neuron};

/// How many alternatives all ranges of one grammar expand to at most.
pub(crate) const MAX_ALTERNATIVES: u64 = 4_000_000;
/// How many bytes of text they expand to at most.
const MAX_RANGE_TEXT: u64 = 1 << 27;

/// A rule as the fast derivation sees it.
#[derive(Debug, Clone)]
pub(crate) struct CompiledRule {
    /// Its first alternative.
    pub first: u32,
    /// The number of its alternatives, never 0.
    pub count: u32,
    /// `2^64 / count`, rounded up. It replaces the division in `codon mod count`.
    pub reciprocal: u64,
    /// The rule lists features and nothing else. Neuron references h1..hk may be appended to it.
    pub input: bool,
    /// The rule is `h1` and nothing else. It may grow to all neurons.
    pub neurons: bool,
    /// The number of the first neuron that is appended to it.
    pub first_reference: u32,
}

/// Where an alternative starts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompiledAlternative {
    /// Its first segment; every alternative has one.
    pub first: u32,
    /// How many characters and symbols it has. They count against the derivation limit.
    pub cost: u32,
}

/// A short text and the symbol that follows it. An alternative is a sequence of segments. So each
/// turn of the derivation does the same steps, and copies text as a block of fixed size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segment {
    /// Only the first `len` bytes count.
    pub text: [u8; SEGMENT_BYTES],
    pub len: u32,
    /// White space before and after the text that only the derivation can resolve.
    pub before: u32,
    pub after: u32,
    /// The symbol after the text, or [`NO_SYMBOL`].
    pub symbol: u32,
    /// Another segment of the alternative follows.
    pub more: bool,
}

/// The size of a segment's text. Longer texts take several segments.
pub(crate) const SEGMENT_BYTES: usize = 16;

/// Stands for "no symbol" in a [`Segment`].
pub(crate) const NO_SYMBOL: u32 = u32::MAX;

impl Template {
    /// Binds the grammar to a data set: expands the ranges and compiles the rules.
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
            segments: Vec::new(),
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
            let line_and_range = || (self.line(range.at), range.to_string());
            let last = range.last(shape);
            let len = range.len(shape);
            if last == 0 && range.end == End::Features {
                let (line, range) = line_and_range();
                return Err(BindError::NoFeatures { line, range });
            }
            if last == 0 && range.end == End::Outputs {
                let (line, range) = line_and_range();
                return Err(BindError::NoOutputs { line, range });
            }
            if len == 0 {
                let (line, range) = line_and_range();
                return Err(BindError::Reversed { line, range, last });
            }
            entries = entries.saturating_add(len);
            bytes = bytes.saturating_add(len.saturating_mul(range.prefix.len() as u64 + 20));
            if len > MAX_ENTRIES || entries > MAX_ALTERNATIVES || bytes > MAX_RANGE_TEXT {
                let (line, range) = line_and_range();
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
        let first = self.segments.len();
        let mut cost = 0u32;
        let mut pending = PendingSegment::default();
        for piece in sequence {
            match piece {
                Piece::Space(spaces) => {
                    cost = cost.saturating_add(*spaces);
                    pending.spaces = pending.spaces.saturating_add(*spaces);
                }
                Piece::Text(text) => {
                    cost = cost.saturating_add(text.len() as u32);
                    pending.resolve_spaces(Boundary::of(text.as_bytes().first()));
                    pending.text.push_str(text);
                    pending.boundary = Boundary::of(text.as_bytes().last());
                }
                Piece::Symbol(number) => {
                    cost = cost.saturating_add(1);
                    pending.resolve_spaces(Boundary::Unknown);
                    std::mem::take(&mut pending).finish(*number, true, &mut self.segments);
                }
            }
        }
        pending.resolve_spaces(Boundary::Unknown);
        match self.segments[first..].last_mut() {
            Some(last) if pending.is_empty() => last.more = false,
            _ => pending.finish(NO_SYMBOL, false, &mut self.segments),
        }
        self.alternatives.push(CompiledAlternative { first: first as u32, cost });
    }
}

/// The text between two symbols while it is compiled.
#[derive(Default)]
struct PendingSegment {
    text: String,
    before: u32,
    after: u32,
    /// White space after the text that is not yet resolved.
    spaces: u32,
    /// The last character, if it is known.
    boundary: Boundary,
}

impl PendingSegment {
    /// Resolves the pending white space: it is kept, dropped, or left to the derivation.
    fn resolve_spaces(&mut self, next: Boundary) {
        let spaces = std::mem::take(&mut self.spaces);
        match (self.boundary, next) {
            (Boundary::Other, _) | (_, Boundary::Other) => {
                self.text.extend(std::iter::repeat_n(' ', spaces as usize));
            }
            (Boundary::Digit, Boundary::Digit) => {}
            (Boundary::Digit, Boundary::Unknown) => self.after = spaces,
            (Boundary::Unknown, _) => self.before = spaces,
        }
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.before == 0
    }

    /// Appends the text as segments, followed by a symbol.
    fn finish(self, symbol: u32, more: bool, segments: &mut Vec<Segment>) {
        let mut blocks = self.text.as_bytes().chunks(SEGMENT_BYTES).peekable();
        let mut before = self.before;
        loop {
            let block = blocks.next().unwrap_or_default();
            let mut text = [0; SEGMENT_BYTES];
            text[..block.len()].copy_from_slice(block);
            let last = blocks.peek().is_none();
            segments.push(Segment {
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

/// The first or last character of a text, if it is known before the derivation.
#[derive(Clone, Copy, Default)]
enum Boundary {
    #[default]
    Unknown,
    Digit,
    Other,
}

impl Boundary {
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
