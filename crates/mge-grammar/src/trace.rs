//! The slow twin of [`Grammar::derive`]: the same mapping, with every step recorded.
//!
//! It shares no code with the fast derivation. It reads the template instead of the compiled rules,
//! keeps the whole sentential form as a list, divides with `%`, and resolves white space only when
//! a form is printed. Tests compare the two. A [`Trace`] prints like the paper's figure of a
//! mapping: one row for each step, with the left-most symbol and the codon that replaces it.

mod derivation_tree;
mod display;
mod slow_codon_lists;
mod slow_values;

use std::borrow::Cow;
use std::ops::Range;

pub use derivation_tree::{DerivationNode, DerivationTree};
pub(crate) use slow_codon_lists::SlowCodonLists;
use slow_values::SlowWithValues;

use crate::bnf::{Alternative, Piece, Template};
use crate::derive::{DERIVATION_LIMIT, DecodeOptions, Derived, MapFailure};
use crate::grammar::{Grammar, Symbol, is_first_neuron};
use crate::weight_slots::GeneValues;

/// The longest form, in bytes, that is recorded. Recording ends there; the mapping continues.
const MAX_FORM_BYTES: usize = 1 << 20;
/// The total size, in bytes, of all recorded forms at most.
const MAX_RECORDED_BYTES: usize = 1 << 22;

/// One step: the left-most symbol of a form and the choice of its replacement.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The sentential form before the step.
    pub form: String,
    /// The bytes of its left-most symbol in `form`.
    pub active: Range<usize>,
    /// The left-most symbol.
    pub symbol: Symbol,
    /// Index in the gene and value of the codon; `None` when there is no choice.
    pub codon: Option<(usize, u16)>,
    /// How many alternatives there are, neuron references included.
    pub alternatives: usize,
    /// Which one is taken, from 0.
    pub choice: usize,
    /// For a weight slot with real weights: the index of the gene value and the value itself. It is
    /// written instead of an alternative.
    pub value: Option<(usize, f32)>,
}

/// One mapping, step by step.
#[derive(Debug, Clone)]
pub struct Trace {
    template: Template,
    gene_len: usize,
    /// The steps in order. Of a runaway derivation only the first megabytes are recorded.
    pub steps: Vec<Step>,
    /// How many steps were not recorded.
    pub steps_left_out: usize,
    /// The result of [`Grammar::derive`].
    pub outcome: Result<Derived, MapFailure>,
    /// The last form: the sentence, or a form that still has symbols. `None` when it is too long
    /// to show.
    pub last_form: Option<String>,
    /// The derivation tree.
    pub tree: DerivationTree,
}

impl Trace {
    /// The sentence, if the gene maps to one.
    pub fn sentence(&self) -> Option<&str> {
        self.outcome.ok().and(self.last_form.as_deref())
    }
}

/// A piece of a sentential form.
#[derive(Clone)]
enum Item<'t> {
    Text(Cow<'t, str>),
    Space(u32),
    /// The number of a rule and where it is used; the start symbol has no position.
    Symbol(u32, Option<SymbolPosition>),
}

/// The position of a symbol in the text of the grammar.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SymbolPosition {
    pub rule: usize,
    pub alternative: usize,
    pub piece: usize,
}

impl Item<'_> {
    /// What it counts against [`DERIVATION_LIMIT`].
    fn cost(&self) -> u64 {
        match self {
            Self::Text(text) => text.len() as u64,
            Self::Space(spaces) => u64::from(*spaces),
            Self::Symbol(..) => 1,
        }
    }
}

/// The source of a slow derivation's choices.
pub(crate) trait SlowChoiceSource {
    /// Chooses an alternative of the left-most symbol. Its rule lists `written` alternatives.
    fn pick(&mut self, grammar: &Grammar, symbol: Symbol, written: usize) -> Pick;
    /// The codons read, the wraps, and the number of codons there are.
    fn used(&self) -> (Derived, usize);
    /// Index and value of the gene value to write for a symbol; `None` if the symbol is derived.
    fn value(
        &mut self,
        grammar: &Grammar,
        symbol: Symbol,
        position: Option<SymbolPosition>,
    ) -> Option<(usize, f32)> {
        let _ = (grammar, symbol, position);
        None
    }
}

/// The choice of one step.
pub(crate) struct Pick {
    /// How many alternatives there are, neuron references included.
    pub alternatives: usize,
    /// Index and value of the codon; `None` when there is no choice.
    pub codon: Option<(usize, u16)>,
    /// Which alternative is taken; `None` when the codons are used up.
    pub choice: Option<usize>,
}

/// The choices of one list of codons.
pub(crate) struct SlowCodonReader<'g> {
    codons: &'g [u16],
    options: DecodeOptions,
    used: usize,
}

impl<'g> SlowCodonReader<'g> {
    pub(crate) fn new(codons: &'g [u16], options: &DecodeOptions) -> Self {
        Self { codons, options: *options, used: 0 }
    }
}

impl SlowChoiceSource for SlowCodonReader<'_> {
    fn pick(&mut self, grammar: &Grammar, symbol: Symbol, written: usize) -> Pick {
        let input = grammar.rules[symbol.0 as usize].input;
        let references = if input { self.options.references } else { 0 };
        let alternatives = written.saturating_add(references);
        if alternatives == 1 {
            return Pick { alternatives, codon: None, choice: Some(0) };
        }
        let wraps_needed = self.used.checked_div(self.codons.len());
        if wraps_needed.is_none_or(|wraps| wraps > self.options.wraps as usize) {
            return Pick { alternatives, codon: None, choice: None };
        }
        let index = self.used % self.codons.len();
        self.used += 1;
        let codon = self.codons[index];
        let choice = Some(usize::from(codon) % alternatives);
        Pick { alternatives, codon: Some((index, codon)), choice }
    }

    fn used(&self) -> (Derived, usize) {
        let passes = self.used.saturating_sub(1).checked_div(self.codons.len());
        let derived = Derived { codons_used: self.used, wraps_used: passes.unwrap_or(0) as u32 };
        (derived, self.codons.len())
    }
}

impl Grammar {
    /// Maps codons to a sentence like [`Grammar::derive`], and records every step.
    ///
    /// # Panics
    /// When the symbol is of another grammar with more rules.
    pub fn trace(&self, start: Symbol, codons: &[u16], options: &DecodeOptions) -> Trace {
        self.trace_by(start, &mut SlowCodonReader::new(codons, options))
    }

    /// The slow twin of [`Grammar::derive_with_values`].
    ///
    /// # Panics
    /// When the symbol or the slots are of another grammar with more rules.
    pub fn trace_with_values(
        &self,
        start: Symbol,
        codons: &[u16],
        values: GeneValues<'_>,
        options: &DecodeOptions,
    ) -> Trace {
        let codons = SlowCodonReader::new(codons, options);
        self.trace_by(start, &mut SlowWithValues::new(codons, values))
    }

    /// Derives by any source of choices, which keeps the position that the derivation reached.
    pub(crate) fn trace_by(&self, start: Symbol, choices: &mut dyn SlowChoiceSource) -> Trace {
        let (before, gene_len) = choices.used();
        let mut trace = Trace {
            template: self.template().clone(),
            gene_len,
            steps: Vec::new(),
            steps_left_out: 0,
            outcome: Ok(before),
            last_form: None,
            tree: DerivationTree::new(self.template().clone()),
        };
        let mut cost = 1;
        let mut recorded = 0;
        let mut done: Vec<Item> = Vec::new();
        // The rest of the form as a stack, each piece with its depth in the tree.
        let mut rest: Vec<(Item, usize)> = vec![(Item::Symbol(start.0, None), 0)];
        while let Some((item, depth)) = rest.pop() {
            let Item::Symbol(number, position) = item else {
                if let Item::Text(text) = &item {
                    trace.tree.text(depth, text);
                }
                done.push(item);
                continue;
            };
            let symbol = Symbol(number);
            let value = choices.value(self, symbol, position);
            let Pick { alternatives, codon, choice } = match value {
                Some(_) => Pick { alternatives: 1, codon: None, choice: Some(0) },
                None => choices.pick(self, symbol, self.slow_count(symbol)),
            };
            rest.push((Item::Symbol(number, position), depth));
            let Some(choice) = choice else {
                let used = choices.used().0.codons_used;
                trace.outcome = Err(MapFailure::OutOfCodons { used, symbol });
                break;
            };
            let form = (recorded < MAX_RECORDED_BYTES).then(|| self.form(&done, &rest)).flatten();
            match form {
                Some((form, active)) => {
                    recorded += form.len();
                    let step = Step { form, active, symbol, codon, alternatives, choice, value };
                    trace.steps.push(step);
                }
                None => {
                    recorded = MAX_RECORDED_BYTES;
                    trace.steps_left_out += 1;
                }
            }
            trace.tree.symbol(depth, symbol, codon, alternatives, choice);
            let pieces = match value {
                Some((_, value)) => vec![Item::Text(format!("{value:+}").into())],
                None => self.slow_alternative(symbol, choice),
            };
            cost += pieces.iter().map(Item::cost).sum::<u64>();
            if cost > u64::from(DERIVATION_LIMIT) {
                trace.outcome = Err(MapFailure::TooLong { limit: DERIVATION_LIMIT });
                break;
            }
            rest.pop();
            rest.extend(pieces.into_iter().rev().map(|piece| (piece, depth + 1)));
        }
        for (item, depth) in rest.iter().rev() {
            match item {
                Item::Text(text) => trace.tree.text(*depth, text),
                Item::Symbol(number, _) => trace.tree.not_replaced(*depth, Symbol(*number)),
                Item::Space(_) => {}
            }
        }
        trace.last_form = self.form(&done, &rest).map(|(form, _)| form);
        if let Ok(derived) = &mut trace.outcome {
            *derived = choices.used().0;
        }
        trace
    }

    /// How many alternatives a rule lists.
    fn slow_count(&self, symbol: Symbol) -> usize {
        let rule = &self.template().parsed.rules[symbol.0 as usize];
        rule.alternatives.iter().map(|a| self.slow_entries(a)).sum()
    }

    fn slow_entries(&self, alternative: &Alternative) -> usize {
        match alternative {
            Alternative::Sequence(_) => 1,
            Alternative::Range(range) => range.len(self.shape()) as usize,
        }
    }

    /// Alternative number `choice` of a rule. The neuron references follow the last one.
    fn slow_alternative(&self, symbol: Symbol, mut choice: usize) -> Vec<Item<'_>> {
        let rule = symbol.0 as usize;
        for (index, alternative) in
            self.template().parsed.rules[rule].alternatives.iter().enumerate()
        {
            let entries = self.slow_entries(alternative);
            if choice >= entries {
                choice -= entries;
                continue;
            }
            return match alternative {
                Alternative::Range(range) => vec![Item::Text(range.entry(choice).into())],
                Alternative::Sequence(pieces) => {
                    let item = |(piece, content)| {
                        Item::of(content, SymbolPosition { rule, alternative: index, piece })
                    };
                    pieces.iter().enumerate().map(item).collect()
                }
            };
        }
        let written = &self.template().parsed.rules[symbol.0 as usize].alternatives;
        // A rule that is `h1` continues with h2. Any other list of sources starts with h1.
        let first = if matches!(&written[..], [only] if is_first_neuron(only)) { 2 } else { 1 };
        vec![Item::Text(format!("h{}", choice + first).into())]
    }

    /// The form as text and the bytes of its left-most symbol. `None` when it is too long.
    fn form(&self, done: &[Item], rest: &[(Item, usize)]) -> Option<(String, Range<usize>)> {
        let mut form = String::new();
        let mut active = None;
        let mut spaces = 0;
        let ends_in_digit = |text: &str| text.ends_with(|c: char| c.is_ascii_digit());
        let starts_with_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        for item in done.iter().chain(rest.iter().rev().map(|(item, _)| item)) {
            let text = match item {
                Item::Space(more) => {
                    spaces += *more as usize;
                    continue;
                }
                Item::Text(text) => Cow::Borrowed(&**text),
                Item::Symbol(number, _) => Cow::Owned(format!("<{}>", self.name(Symbol(*number)))),
            };
            if !(ends_in_digit(&form) && starts_with_digit(&text)) {
                form.push_str(&" ".repeat(spaces));
            }
            spaces = 0;
            if active.is_none() && matches!(item, Item::Symbol(..)) {
                active = Some(form.len()..form.len() + text.len());
            }
            form.push_str(&text);
            if form.len() > MAX_FORM_BYTES {
                return None;
            }
        }
        form.push_str(&" ".repeat(spaces));
        Some((form, active.unwrap_or(0..0)))
    }
}

impl<'t> Item<'t> {
    fn of(piece: &'t Piece, position: SymbolPosition) -> Self {
        match piece {
            Piece::Text(text) => Self::Text(Cow::Borrowed(text)),
            Piece::Space(spaces) => Self::Space(*spaces),
            Piece::Symbol(number) => Self::Symbol(*number, Some(position)),
        }
    }
}
