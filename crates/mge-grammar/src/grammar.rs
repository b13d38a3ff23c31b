//! A grammar bound to a data set and compiled for derivation.
//!
//! Everything that does not depend on the codons is decided here: ranges are expanded, texts are
//! joined, and white space is settled wherever its neighbours are known. The template stays inside
//! for the slow twin ([`Grammar::trace`](crate::grammar::Grammar::trace)), which reads it directly.

use crate::bnf::check::reachable;
use crate::bnf::nearest::nearest;
use crate::bnf::range::{End, MOST_ENTRIES};
use crate::bnf::{Alternative, Piece, Template};
use crate::derive::MapFailure;

/// The most alternatives all ranges of one grammar may stand for together.
const MOST_ALTERNATIVES: u64 = 4_000_000;
/// The most text, in bytes, that they may stand for together.
const MOST_RANGE_TEXT: u64 = 1 << 27;

/// What a template needs to know of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Number of input features: `d` in ranges.
    pub features: usize,
    /// Number of output neurons: `c` in ranges. One for two classes, else one for each class.
    pub outputs: usize,
}

/// Why a template does not fit a data set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// `x1..xd` without a feature.
    #[error("line {line}: {range} needs at least one feature, but the data has none")]
    NoFeatures {
        /// Counted from 1.
        line: usize,
        /// The range as it reads.
        range: String,
    },
    /// `output1..outputc` without an output.
    #[error("line {line}: {range} needs at least one output neuron, but there is none")]
    NoOutputs {
        /// Counted from 1.
        line: usize,
        /// The range as it reads.
        range: String,
    },
    /// `x5..xd` with three features.
    #[error("line {line}: {range} runs backwards, because it ends at {last}")]
    Reversed {
        /// Counted from 1.
        line: usize,
        /// The range as it reads.
        range: String,
        /// The value of `d` or `c`.
        last: i64,
    },
    /// One range or all ranges together stand for too much.
    #[error(
        "line {line}: {range} has too many entries; a range may have {MOST_ENTRIES}, all ranges of \
         a grammar together {MOST_ALTERNATIVES}"
    )]
    TooMany {
        /// Counted from 1.
        line: usize,
        /// The range as it reads.
        range: String,
    },
}

/// A rule's left side, inside one [`Grammar`]. Meaningless for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub(crate) u32);

/// A rule as the fast derivation sees it.
#[derive(Debug, Clone)]
pub(crate) struct CompiledRule {
    /// Its first alternative.
    pub first: u32,
    /// The number of its alternatives, never 0.
    pub count: u32,
    /// `2^32 / count`, rounded up, to replace the division in `codon mod count`.
    pub reciprocal: u32,
    /// Neuron references h1..hk may be appended to it.
    pub input: bool,
}

/// Which pieces an alternative is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompiledAlternative {
    pub from: u32,
    pub to: u32,
    /// Its characters and symbols as written, against the derivation limit.
    pub cost: u32,
}

/// A part of an alternative; texts are places in one shared string.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CompiledPiece {
    Text {
        from: u32,
        to: u32,
    },
    /// White space whose neighbours only the derivation knows.
    Space(u32),
    Symbol(u32),
}

/// A template bound to a [`Shape`], ready to map genes.
#[derive(Debug, Clone)]
pub struct Grammar {
    pub(crate) template: Template,
    pub(crate) shape: Shape,
    pub(crate) rules: Vec<CompiledRule>,
    pub(crate) alternatives: Vec<CompiledAlternative>,
    pub(crate) pieces: Vec<CompiledPiece>,
    pub(crate) texts: String,
    widest: usize,
}

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
            pieces: Vec::new(),
            texts: String::new(),
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
        let input = self.alternatives[first as usize..].iter().all(|a| self.is_feature(*a));
        let reciprocal = (u32::MAX / count).wrapping_add(1);
        self.rules.push(CompiledRule { first, count, reciprocal, input });
    }

    fn add_sequence(&mut self, sequence: &[Piece]) {
        let first = self.pieces.len();
        let mut cost = 0u32;
        let mut before = Edge::Unknown;
        let mut waiting = 0u32;
        for piece in sequence {
            match piece {
                Piece::Space(spaces) => {
                    cost = cost.saturating_add(*spaces);
                    waiting = waiting.saturating_add(*spaces);
                }
                Piece::Text(text) => {
                    cost = cost.saturating_add(text.len() as u32);
                    let bytes = text.as_bytes();
                    self.add_spaces(
                        first,
                        std::mem::take(&mut waiting),
                        before,
                        Edge::of(bytes.first()),
                    );
                    self.add_text(first, text);
                    before = Edge::of(bytes.last());
                }
                Piece::Symbol(number) => {
                    self.add_spaces(first, std::mem::take(&mut waiting), before, Edge::Unknown);
                    self.pieces.push(CompiledPiece::Symbol(*number));
                    cost = cost.saturating_add(1);
                    before = Edge::Unknown;
                }
            }
        }
        self.add_spaces(first, waiting, before, Edge::Unknown);
        let (from, to) = (first as u32, self.pieces.len() as u32);
        self.alternatives.push(CompiledAlternative { from, to, cost });
    }

    /// Adds text to the alternative that starts at piece `first`, joined to the text before it.
    fn add_text(&mut self, first: usize, text: &str) {
        let from = self.texts.len() as u32;
        self.texts.push_str(text);
        let end = self.texts.len() as u32;
        match self.pieces[first..].last_mut() {
            Some(CompiledPiece::Text { to, .. }) => *to = end,
            _ => self.pieces.push(CompiledPiece::Text { from, to: end }),
        }
    }

    fn add_spaces(&mut self, first: usize, spaces: u32, before: Edge, after: Edge) {
        match (before, after) {
            _ if spaces == 0 => {}
            (Edge::Other, _) | (_, Edge::Other) => {
                self.add_text(first, &" ".repeat(spaces as usize))
            }
            (Edge::Digit, Edge::Digit) => {}
            _ => self.pieces.push(CompiledPiece::Space(spaces)),
        }
    }

    fn is_feature(&self, alternative: CompiledAlternative) -> bool {
        self.only_text(alternative).is_some_and(|text| number_behind("x", text).is_some())
    }

    /// The text of an alternative that is nothing else.
    fn only_text(&self, alternative: CompiledAlternative) -> Option<&str> {
        match self.pieces[alternative.from as usize..alternative.to as usize] {
            [CompiledPiece::Text { from, to }] => Some(&self.texts[from as usize..to as usize]),
            _ => None,
        }
    }

    /// The template it was made from.
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// The shape it is bound to.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The first rule.
    pub fn start(&self) -> Symbol {
        Symbol(0)
    }

    /// The rule of this name, written with or without `<` and `>`.
    pub fn symbol(&self, name: &str) -> Option<Symbol> {
        let name = plain_name(name);
        let number = self.template.parsed.rules.iter().position(|rule| &*rule.name == name)?;
        Some(Symbol(number as u32))
    }

    /// The name of the rule that was probably meant, for a message about an unknown one.
    pub fn nearest_name(&self, name: &str) -> Option<&str> {
        nearest(plain_name(name), self.template.parsed.rules.iter().map(|rule| &*rule.name))
    }

    /// The name of a rule, without `<` and `>`.
    ///
    /// # Panics
    /// When the symbol is of another grammar with more rules.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.template.rule_name(symbol)
    }

    /// A failure in words, with the name of the symbol that was left.
    pub fn explain(&self, failure: MapFailure) -> String {
        self.template.explain(failure)
    }

    /// All rules in the order of the text.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..self.rules.len() as u32).map(Symbol)
    }

    /// The number of alternatives of a rule, without neuron references.
    ///
    /// # Panics
    /// When the symbol is of another grammar with more rules.
    pub fn alternatives(&self, symbol: Symbol) -> usize {
        self.rules[symbol.0 as usize].count as usize
    }

    /// The largest number of alternatives of any rule that the start leads to, without neuron
    /// references. Above 256, eight bits of a codon cannot choose them all.
    pub fn widest(&self) -> usize {
        self.widest
    }

    /// The rules that list input features and nothing else (`x1..xd` or `x1 | x2`). In multi-layer
    /// variants neuron references h1..hk are appended to them (Algorithm 1, line 11).
    pub fn input_symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.symbols().filter(|symbol| self.rules[symbol.0 as usize].input)
    }

    /// Features and outputs that rules name one by one although the shape has no such number,
    /// each once (`x31` with 30 features). A gene that chooses one cannot become a neuron.
    pub fn names_beyond_shape(&self) -> Vec<String> {
        let beyond = |text: &&str| {
            number_behind("x", text).is_some_and(|n| n > self.shape.features as u64)
                || number_behind("output", text).is_some_and(|n| n > self.shape.outputs as u64)
        };
        let texts = self.alternatives.iter().filter_map(|alternative| self.only_text(*alternative));
        let names: std::collections::BTreeSet<&str> = texts.filter(beyond).collect();
        names.into_iter().map(str::to_owned).collect()
    }
}

/// What stands at the edge of a piece, as far as it is known before the derivation.
#[derive(Clone, Copy, PartialEq)]
enum Edge {
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

fn plain_name(name: &str) -> &str {
    let name = name.trim();
    name.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')).unwrap_or(name).trim_end()
}

/// 12 for `x12` behind `x`.
fn number_behind(prefix: &str, text: &str) -> Option<u64> {
    let digits = text.strip_prefix(prefix)?;
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    // A number too long for 64 bits is still a number beyond every shape.
    (plain && !digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX))
}
