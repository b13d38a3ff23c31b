//! The slow, obvious twin of [`Grammar::derive`]: the same mapping, every step recorded.
//!
//! It shares no code with the fast one: it reads the template instead of the compiled rules, keeps
//! the whole sentential form as a list, divides with `%`, and settles white space only when a form
//! is printed. The tests hold both together. `Trace` prints like the paper's figure of a mapping:
//! one row for each step, with the left-most symbol and the codon that replaces it.

mod lists;
mod show;
mod tree;
mod values;

use std::borrow::Cow;
use std::ops::Range;

pub(crate) use lists::SlowLists;
pub use tree::{Node, Tree};
use values::SlowValues;

use crate::bnf::{Alternative, Piece, Template};
use crate::derive::{DecodeOptions, Derived, LIMIT, MapFailure};
use crate::grammar::{Grammar, Symbol, is_first_neuron};
use crate::weight_slots::GeneValues;

/// The longest form, in bytes, that is recorded. Recording ends there, the mapping goes on.
const LONGEST_FORM: usize = 1 << 20;
/// The most text, in bytes, of all recorded forms together.
const MOST_RECORDED: usize = 1 << 22;

/// One step: the left-most symbol of a form and what decides its replacement.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The sentential form before the step.
    pub form: String,
    /// Where its left-most symbol stands in `form`, in bytes.
    pub active: Range<usize>,
    /// The left-most symbol.
    pub symbol: Symbol,
    /// Place in the gene, from 0, and value of the codon; `None` when there is no choice.
    pub codon: Option<(usize, u16)>,
    /// How many alternatives there are, neuron references included.
    pub alternatives: usize,
    /// Which one is taken, from 0.
    pub choice: usize,
    /// For a marked place with real weights: the number of the value, from 0, and the value. It is
    /// written instead of an alternative.
    pub value: Option<(usize, f32)>,
}

/// Everything that happened in one mapping.
#[derive(Debug, Clone)]
pub struct Trace {
    template: Template,
    gene_len: usize,
    /// The steps in order. A runaway derivation is recorded only for its first megabytes.
    pub steps: Vec<Step>,
    /// How many steps were not recorded.
    pub steps_left_out: usize,
    /// The same as [`Grammar::derive`] gives.
    pub outcome: Result<Derived, MapFailure>,
    /// The last form: the sentence, or what still had symbols in it. `None` when it is too long
    /// to show.
    pub last_form: Option<String>,
    /// The derivation tree.
    pub tree: Tree,
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
    Symbol(u32, Origin),
}

/// Where the text of the grammar has a symbol: rule, alternative and piece; the start has none.
pub(crate) type Origin = Option<(usize, usize, usize)>;

impl Item<'_> {
    /// Its share of [`LIMIT`].
    fn cost(&self) -> u64 {
        match self {
            Self::Text(text) => text.len() as u64,
            Self::Space(spaces) => u64::from(*spaces),
            Self::Symbol(..) => 1,
        }
    }
}

/// Where a slow derivation takes its choices from.
pub(crate) trait SlowChoices {
    /// Decides about the left-most symbol, of which `written` alternatives are written down.
    fn pick(&mut self, grammar: &Grammar, symbol: Symbol, written: usize) -> Pick;
    /// Codons that were read, how often reading started again, and how many codons there are.
    fn used(&self) -> (Derived, usize);
    /// Number and value of what is written for a symbol, if values are read and it is marked.
    fn value(&mut self, grammar: &Grammar, symbol: Symbol, origin: Origin) -> Option<(usize, f32)> {
        let _ = (grammar, symbol, origin);
        None
    }
}

/// What decides a step.
pub(crate) struct Pick {
    /// How many alternatives there are, neuron references included.
    pub alternatives: usize,
    /// Place and value of the codon; `None` when there is no choice.
    pub codon: Option<(usize, u16)>,
    /// Which alternative is taken; `None` when there is nothing left to choose by.
    pub choice: Option<usize>,
}

/// The choices of one list of codons.
pub(crate) struct SlowCodons<'g> {
    codons: &'g [u16],
    reading: DecodeOptions,
    used: usize,
}

impl<'g> SlowCodons<'g> {
    pub(crate) fn new(codons: &'g [u16], reading: &DecodeOptions) -> Self {
        Self { codons, reading: *reading, used: 0 }
    }
}

impl SlowChoices for SlowCodons<'_> {
    fn pick(&mut self, grammar: &Grammar, symbol: Symbol, written: usize) -> Pick {
        let input = grammar.rules[symbol.0 as usize].input;
        let references = if input { self.reading.references } else { 0 };
        let alternatives = written.saturating_add(references);
        if alternatives == 1 {
            return Pick { alternatives, codon: None, choice: Some(0) };
        }
        let wraps_needed = self.used.checked_div(self.codons.len());
        if wraps_needed.is_none_or(|wraps| wraps > self.reading.wraps as usize) {
            return Pick { alternatives, codon: None, choice: None };
        }
        let place = self.used % self.codons.len();
        self.used += 1;
        let codon = self.codons[place];
        let choice = Some(usize::from(codon) % alternatives);
        Pick { alternatives, codon: Some((place, codon)), choice }
    }

    fn used(&self) -> (Derived, usize) {
        let passes = self.used.saturating_sub(1).checked_div(self.codons.len());
        let derived = Derived { codons_used: self.used, wraps_used: passes.unwrap_or(0) as u32 };
        (derived, self.codons.len())
    }
}

impl Grammar {
    /// Maps codons to a sentence as [`Grammar::derive`] does, and records how.
    ///
    /// # Panics
    /// When the symbol is of another grammar with more rules.
    pub fn trace(&self, start: Symbol, codons: &[u16], reading: &DecodeOptions) -> Trace {
        self.trace_by(start, &mut SlowCodons::new(codons, reading))
    }

    /// The same for [`Grammar::derive_with_values`].
    ///
    /// # Panics
    /// When the symbol or the marks are of another grammar with more rules.
    pub fn trace_with_values(
        &self,
        start: Symbol,
        (codons, values): (&[u16], GeneValues<'_>),
        reading: &DecodeOptions,
    ) -> Trace {
        self.trace_by(start, &mut SlowValues::new(SlowCodons::new(codons, reading), values))
    }

    /// The same by any source of choices, which is left where the derivation ended.
    pub(crate) fn trace_by(&self, start: Symbol, choices: &mut dyn SlowChoices) -> Trace {
        let (before, gene_len) = choices.used();
        let mut trace = Trace {
            template: self.template().clone(),
            gene_len,
            steps: Vec::new(),
            steps_left_out: 0,
            outcome: Ok(before),
            last_form: None,
            tree: Tree::new(self.template().clone()),
        };
        let mut cost = 1;
        let mut recorded = 0;
        let mut done: Vec<Item> = Vec::new();
        // The rest of the form, its next piece last, and the depth of each piece in the tree.
        let mut rest: Vec<(Item, usize)> = vec![(Item::Symbol(start.0, None), 0)];
        while let Some((item, depth)) = rest.pop() {
            let Item::Symbol(number, origin) = item else {
                if let Item::Text(text) = &item {
                    trace.tree.text(depth, text);
                }
                done.push(item);
                continue;
            };
            let symbol = Symbol(number);
            let value = choices.value(self, symbol, origin);
            let Pick { alternatives, codon, choice } = match value {
                Some(_) => Pick { alternatives: 1, codon: None, choice: Some(0) },
                None => choices.pick(self, symbol, self.slow_count(symbol)),
            };
            rest.push((Item::Symbol(number, origin), depth));
            let Some(choice) = choice else {
                let used = choices.used().0.codons_used;
                trace.outcome = Err(MapFailure::OutOfCodons { used, symbol });
                break;
            };
            let form = (recorded < MOST_RECORDED).then(|| self.form(&done, &rest)).flatten();
            match form {
                Some((form, active)) => {
                    recorded += form.len();
                    let step = Step { form, active, symbol, codon, alternatives, choice, value };
                    trace.steps.push(step);
                }
                None => {
                    recorded = MOST_RECORDED;
                    trace.steps_left_out += 1;
                }
            }
            trace.tree.symbol(depth, symbol, codon, alternatives, choice);
            let pieces = match value {
                Some((_, value)) => vec![Item::Text(format!("{value:+}").into())],
                None => self.slow_alternative(symbol, choice),
            };
            cost += pieces.iter().map(Item::cost).sum::<u64>();
            if cost > u64::from(LIMIT) {
                trace.outcome = Err(MapFailure::TooLong { limit: LIMIT });
                break;
            }
            rest.pop();
            rest.extend(pieces.into_iter().rev().map(|piece| (piece, depth + 1)));
        }
        for (item, depth) in rest.iter().rev() {
            match item {
                Item::Text(text) => trace.tree.text(*depth, text),
                Item::Symbol(number, _) => trace.tree.left_over(*depth, Symbol(*number)),
                Item::Space(_) => {}
            }
        }
        trace.last_form = self.form(&done, &rest).map(|(form, _)| form);
        if let Ok(derived) = &mut trace.outcome {
            *derived = choices.used().0;
        }
        trace
    }

    /// How many alternatives of a rule are written down.
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

    /// Alternative number `choice` of a rule; behind the last one come the neuron references.
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
                    let item = |(place, piece)| Item::of(piece, Some((rule, index, place)));
                    pieces.iter().enumerate().map(item).collect()
                }
            };
        }
        let written = &self.template().parsed.rules[symbol.0 as usize].alternatives;
        // A rule that is `h1` goes on with h2, any other list of sources starts with h1.
        let first = if matches!(&written[..], [only] if is_first_neuron(only)) { 2 } else { 1 };
        vec![Item::Text(format!("h{}", choice + first).into())]
    }

    /// The form as text and the place of its left-most symbol. `None` when it is too long.
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
            if form.len() > LONGEST_FORM {
                return None;
            }
        }
        form.push_str(&" ".repeat(spaces));
        Some((form, active.unwrap_or(0..0)))
    }
}

impl<'t> Item<'t> {
    fn of(piece: &'t Piece, origin: Origin) -> Self {
        match piece {
            Piece::Text(text) => Self::Text(Cow::Borrowed(text)),
            Piece::Space(spaces) => Self::Space(*spaces),
            Piece::Symbol(number) => Self::Symbol(*number, origin),
        }
    }
}
