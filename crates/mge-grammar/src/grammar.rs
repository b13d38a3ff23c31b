//! A grammar bound to a data set, and its rules.
//!
//! [`Template::bind`] makes a [`Grammar`]. Its rules have the same numbers as in the template.
//! Derivation is in [`derive`](crate::derive).

use std::collections::BTreeSet;

use crate::bnf::range::{End, MAX_ENTRIES};
use crate::bnf::{Alternative, Piece, Template};
use crate::compile::{CompiledAlternative, CompiledRule, MAX_ALTERNATIVES, Segment};
use crate::derive::MapFailure;
use mge_names::nearest;

/// The numbers of a data set that ranges such as `x1..xd` depend on.
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
    /// One range, or all ranges together, have too many entries.
    #[error(
        "line {line}: {range} has too many entries; a range may have {MAX_ENTRIES}, all ranges of \
         a grammar together {MAX_ALTERNATIVES}"
    )]
    TooMany {
        /// Counted from 1.
        line: usize,
        /// The range as it reads.
        range: String,
    },
}

/// The left side of a rule of one [`Grammar`]. It has no meaning for another grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub(crate) u32);

/// A template bound to a [`Shape`], ready to map genes.
#[derive(Debug, Clone)]
pub struct Grammar {
    pub(crate) template: Template,
    pub(crate) shape: Shape,
    pub(crate) rules: Vec<CompiledRule>,
    pub(crate) alternatives: Vec<CompiledAlternative>,
    pub(crate) segments: Vec<Segment>,
    pub(crate) widest: usize,
}

impl Grammar {
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

    /// The message of a failure, with the name of the symbol that was not replaced.
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
    /// references. Above 256, codons of 8 bits cannot choose all of them (decision 3).
    pub fn widest(&self) -> usize {
        self.widest
    }

    /// The rules that list input features and nothing else (`x1..xd` or `x1 | x2`). In multi-layer
    /// variants neuron references h1..hk are appended to them (Algorithm 1, line 11).
    pub fn input_symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.symbols().filter(|symbol| self.rules[symbol.0 as usize].input)
    }

    /// Features and outputs that rules name but the shape does not have (`x31` with 30 features),
    /// each once; of a range only its last entry. A gene that chooses one does not map to a neuron.
    pub fn names_beyond_shape(&self) -> Vec<String> {
        let rules = self.template.parsed.rules.iter();
        let names: BTreeSet<String> = rules
            .flat_map(|rule| &rule.alternatives)
            .filter_map(|alternative| match alternative {
                Alternative::Range(range) => match range.end {
                    End::Number(last) => Some(format!("{}{last}", range.prefix)),
                    End::Features | End::Outputs => None,
                },
                Alternative::Sequence(pieces) => only_text(pieces).map(str::to_owned),
            })
            .filter(|name| {
                number_behind("x", name).is_some_and(|n| n > self.shape.features as u64)
                    || number_behind("output", name).is_some_and(|n| n > self.shape.outputs as u64)
            })
            .collect();
        names.into_iter().collect()
    }
}

fn plain_name(name: &str) -> &str {
    let name = name.trim();
    name.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')).unwrap_or(name).trim_end()
}

/// Whether an alternative is one feature, or a range of features.
pub(crate) fn is_feature(alternative: &Alternative) -> bool {
    match alternative {
        Alternative::Range(range) => &*range.prefix == "x" && range.first > 0,
        Alternative::Sequence(pieces) => {
            only_text(pieces).is_some_and(|text| number_behind("x", text).is_some())
        }
    }
}

/// Whether an alternative is the reference `h1`.
pub(crate) fn is_first_neuron(alternative: &Alternative) -> bool {
    matches!(alternative, Alternative::Sequence(pieces) if only_text(pieces) == Some("h1"))
}

fn only_text(pieces: &[Piece]) -> Option<&str> {
    match pieces {
        [Piece::Text(text)] => Some(text),
        _ => None,
    }
}

/// The number after a prefix: 12 for `x12` and the prefix `x`.
fn number_behind(prefix: &str, text: &str) -> Option<u64> {
    let digits = text.strip_prefix(prefix)?;
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    // A number too long for 64 bits is still a number beyond every shape.
    (plain && !digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX))
}
