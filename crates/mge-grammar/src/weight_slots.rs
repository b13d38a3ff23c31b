//! Weight slots: positions of a grammar where a gene's real values are written, instead of numbers
//! derived from codons.
//!
//! A rule named `<Number>`, `<Weight>` or `<Bias>` stands for a weight. Each use of such a rule in
//! an alternative is a *slot*. With real weights a slot writes a value and reads no codon. Without
//! them the rule is derived like any other, so one grammar serves both.
//!
//! Each slot has values of its own: one for each time that a derivation can come to it, at most
//! [`MAX_VALUES_PER_SLOT`]. Later visits start again with the first value. So a value stays with
//! its slot when the structure before it changes. For example, the bias of a neuron keeps its value
//! when an input is added or removed.

use crate::bnf::{Alternative, Piece, Rule};
use crate::compile::{CompiledRule, NO_SYMBOL};
use crate::derive::ChoiceSource;
use crate::grammar::Grammar;
use crate::trace::SymbolPosition;
use std::fmt::Write;
use std::ops::Range;
use thiserror::Error;

/// Names of rules that stand for a weight. Case is ignored.
pub(crate) const WEIGHT_RULE_NAMES: [&str; 3] = ["Number", "Weight", "Bias"];

/// How many values one slot has at most. Later visits start again with the first one.
pub(crate) const MAX_VALUES_PER_SLOT: u16 = 12;

/// How many slots one grammar has at most.
const MAX_SLOTS: usize = 256;

/// Stands for "no slot" after a segment.
const NO_SLOT: u16 = u16::MAX;

/// The weight slots of one grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightSlots {
    /// For each segment of the grammar, the slot that follows it, or [`NO_SLOT`].
    slot_after: Vec<u16>,
    slots: Vec<Slot>,
    values: usize,
}

/// The values of one slot: the index of the first among those of a gene, and their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Slot {
    first: u16,
    count: u16,
}

/// The alternative that a slot belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SlotPosition {
    rule: usize,
    alternative: usize,
}

/// A grammar that cannot take real weights.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WeightSlotsError {
    /// The grammar has no slot that a derivation comes to.
    #[error(
        "the grammar has no weight slot for real weights; expected a rule named <Number>, <Weight> \
         or <Bias> that its first rule leads to, or --weights codon"
    )]
    None,
    /// Far more slots than a grammar written by hand has.
    #[error("the grammar has {found} weight slots, expected at most {MAX_SLOTS}")]
    TooMany {
        /// How many.
        found: usize,
    },
}

pub(crate) fn is_weight_rule(name: &str) -> bool {
    WEIGHT_RULE_NAMES.iter().any(|weight_rule| weight_rule.eq_ignore_ascii_case(name))
}

impl WeightSlots {
    /// The slots of a grammar.
    ///
    /// # Errors
    /// When there is none, or more than 256.
    pub fn of(grammar: &Grammar) -> Result<Self, WeightSlotsError> {
        let rules = &grammar.template.parsed.rules;
        let is_weight: Vec<bool> = rules.iter().map(|rule| is_weight_rule(&rule.name)).collect();
        let positions = slot_positions(rules, &is_weight);
        if positions.len() > MAX_SLOTS {
            return Err(WeightSlotsError::TooMany { found: positions.len() });
        }
        let mut values = 0;
        let mut slots = Vec::with_capacity(positions.len());
        for &position in &positions {
            let count = visits_per_derivation(rules, &is_weight, position);
            slots.push(Slot { first: values, count });
            values += count;
        }
        if values == 0 {
            return Err(WeightSlotsError::None);
        }
        // Segments and slots are both in the order of the text, and each symbol ends a segment.
        let mut next = 0;
        let mut slot_of = |symbol: u32| {
            if symbol == NO_SYMBOL || !is_weight[symbol as usize] {
                return NO_SLOT;
            }
            next += 1;
            next - 1
        };
        let slot_after = grammar.segments.iter().map(|segment| slot_of(segment.symbol)).collect();
        Ok(Self { slot_after, slots, values: values.into() })
    }

    /// How many values a gene has.
    pub fn values(&self) -> usize {
        self.values
    }

    /// The index of the value for a slot that was visited so often before.
    pub(crate) fn value_index(&self, slot: usize, visits: u32) -> Option<usize> {
        let Slot { first, count } = *self.slots.get(slot)?;
        // A slot that no derivation comes to has no value.
        visits.checked_rem(count.into()).map(|row| usize::from(first) + row as usize)
    }
}

/// The position of each slot, in the order of the text.
fn slot_positions(rules: &[Rule], is_weight: &[bool]) -> Vec<SlotPosition> {
    let mut positions = Vec::new();
    for (rule, content) in rules.iter().enumerate() {
        for (alternative, content) in content.alternatives.iter().enumerate() {
            let slots = content.symbols().filter(|&symbol| is_weight[symbol as usize]);
            positions.extend(slots.map(|_| SlotPosition { rule, alternative }));
        }
    }
    positions
}

/// How often one derivation can take an alternative, at most [`MAX_VALUES_PER_SLOT`].
///
/// For each rule this is the largest sum over the symbols of one of its alternatives. The iteration
/// starts from zero and ends at the smallest solution. Weight rules are not derived.
fn visits_per_derivation(rules: &[Rule], is_weight: &[bool], counted: SlotPosition) -> u16 {
    let mut max_visits = vec![0u16; rules.len()];
    loop {
        let mut changed = false;
        // Most rules are written before those they use, so this order needs few iterations.
        for (rule, content) in rules.iter().enumerate().rev() {
            for (alternative, content) in content.alternatives.iter().enumerate() {
                let here = u16::from(SlotPosition { rule, alternative } == counted);
                let derived = content.symbols().filter(|&symbol| !is_weight[symbol as usize]);
                let count = derived.fold(here, |sum, symbol| {
                    sum.saturating_add(max_visits[symbol as usize]).min(MAX_VALUES_PER_SLOT)
                });
                if count > max_visits[rule] && !is_weight[rule] {
                    max_visits[rule] = count;
                    changed = true;
                }
            }
        }
        if !changed {
            return max_visits.first().copied().unwrap_or(0);
        }
    }
}

/// The index of a slot, for the slow twin: how many uses of weight rules the text has before it.
pub(crate) fn slow_slot_index(rules: &[Rule], position: SymbolPosition) -> usize {
    let SymbolPosition { rule, alternative, piece } = position;
    let is_slot = |piece: &&Piece| match piece {
        Piece::Symbol(number) => is_weight_rule(&rules[*number as usize].name),
        Piece::Text(_) | Piece::Space(_) => false,
    };
    let in_alternative = |alternative: &Alternative| match alternative {
        Alternative::Sequence(pieces) => pieces.iter().filter(is_slot).count(),
        Alternative::Range(_) => 0,
    };
    let in_rule = |rule: &Rule| rule.alternatives.iter().map(in_alternative).sum::<usize>();
    let alternatives = &rules[rule].alternatives;
    let here = match &alternatives[alternative] {
        Alternative::Sequence(pieces) => pieces[..piece].iter().filter(is_slot).count(),
        Alternative::Range(_) => 0,
    };
    rules[..rule].iter().map(in_rule).sum::<usize>()
        + alternatives[..alternative].iter().map(in_alternative).sum::<usize>()
        + here
}

/// The values of one gene and the slots they belong to. A missing value is 0.
#[derive(Debug, Clone, Copy)]
pub struct GeneValues<'g> {
    /// The slots of the grammar.
    pub slots: &'g WeightSlots,
    /// The values.
    pub values: &'g [f32],
}

/// The values that a derivation wrote.
#[derive(Debug, Clone, Default)]
pub(crate) struct WrittenValues {
    /// Index and value, in the order of the sentence.
    pub list: Vec<(u16, f32)>,
    /// The bytes of each in the sentence.
    pub spans: Vec<Range<usize>>,
    /// For each slot, how often the derivation came to it.
    visits: Vec<u32>,
}

/// Any source of choices, with values for the weight slots.
pub(crate) struct WithValues<'g, C> {
    pub choices: C,
    values: GeneValues<'g>,
    written: &'g mut WrittenValues,
}

impl<'g, C> WithValues<'g, C> {
    pub(crate) fn new(choices: C, values: GeneValues<'g>, written: &'g mut WrittenValues) -> Self {
        written.list.clear();
        written.spans.clear();
        written.visits.clear();
        written.visits.resize(values.slots.slots.len(), 0);
        Self { choices, values, written }
    }

    fn value_of_slot(&mut self, slot: usize) -> Option<f32> {
        let visits = self.written.visits.get_mut(slot)?;
        let index = self.values.slots.value_index(slot, *visits)?;
        *visits = visits.saturating_add(1);
        let value = self.values.values.get(index).copied().unwrap_or(0.0);
        self.written.list.push((index as u16, value));
        Some(value)
    }
}

impl<C: ChoiceSource> ChoiceSource for WithValues<'_, C> {
    const READS_VALUES: bool = true;

    #[inline]
    fn choose(&mut self, symbol: u32, rule: &CompiledRule) -> Option<u32> {
        self.choices.choose(symbol, rule)
    }

    fn used(&self) -> usize {
        self.choices.used()
    }

    #[inline]
    fn value(&mut self, segment: u32) -> Option<f32> {
        let slot = self.values.slots.slot_after[segment as usize];
        if slot == NO_SLOT { None } else { self.value_of_slot(slot.into()) }
    }

    #[inline]
    fn value_written(&mut self, span: Range<usize>) {
        self.written.spans.push(span);
    }
}

/// A value as a sentence has it: always with its sign, and with the fewest digits that distinguish
/// it from all other values.
pub(crate) struct ValueText {
    bytes: [u8; MAX_VALUE_BYTES],
    len: usize,
}

/// The smallest numbers have a sign, `0.`, 44 zeros and at least one digit.
const MAX_VALUE_BYTES: usize = 64;

impl ValueText {
    pub(crate) fn new(value: f32) -> Self {
        let mut text = Self { bytes: [0; MAX_VALUE_BYTES], len: 0 };
        // It always fits. If it did not, the sentence would not be a neuron.
        let _ = write!(text, "{value:+}");
        text
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl Write for ValueText {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.len + text.len();
        self.bytes.get_mut(self.len..end).ok_or(std::fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Shape, Template, shipped};

    fn weight_slots(text: &str) -> Result<WeightSlots, WeightSlotsError> {
        WeightSlots::of(
            &Template::parse("test", text)
                .unwrap()
                .bind(Shape { features: 5, outputs: 3 })
                .unwrap(),
        )
    }

    #[test]
    fn each_slot_has_one_value_for_each_possible_visit() {
        let counts = |slots: WeightSlots| -> Vec<u16> {
            slots.slots.iter().map(|slot| slot.count).collect()
        };
        let many = MAX_VALUES_PER_SLOT;
        // The output's weight, the bias, the first input, the others.
        assert_eq!(counts(weight_slots(shipped::MGE.text).unwrap()), [1, 1, 1, many]);
        // The bias, outputs, inputs.
        assert_eq!(counts(weight_slots(shipped::MONOLITHIC.text).unwrap()), [1, 1, many, 1, many]);
        let twice = "<S> ::= <T><T><T> | <weight>\n<T> ::= <BIAS> | x\n<weight> ::= <Number>\n\
                     <BIAS> ::= 1\n<Number> ::= 2";
        // A slot inside a weight rule is never visited.
        assert_eq!(counts(weight_slots(twice).unwrap()), [1, 3, 0]);
        assert_eq!(weight_slots(twice).unwrap().values(), 4);
    }

    #[test]
    fn a_grammar_without_weight_slots_is_refused() {
        let none = Err(WeightSlotsError::None);
        assert_eq!(weight_slots("<S> ::= <Digit>\n<Digit> ::= 0..9"), none);
        assert_eq!(weight_slots("<S> ::= x\n<Number> ::= 0..9\n<T> ::= <Number>"), none);
        let many = format!("<S> ::= {}\n<Number> ::= 0", "<Number> ".repeat(257));
        assert_eq!(weight_slots(&many), Err(WeightSlotsError::TooMany { found: 257 }));
    }

    #[test]
    fn the_longest_values_fit() {
        for value in [f32::from_bits(1), -f32::from_bits(0x007f_ffff), f32::MAX, -f32::MIN_POSITIVE]
        {
            let text = ValueText::new(value);
            let read: f32 = std::str::from_utf8(text.as_bytes()).unwrap().parse().unwrap();
            assert_eq!(read, value);
        }
    }
}
