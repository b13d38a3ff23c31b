//! Marked weights: places of a grammar that a gene's own real values fill, instead of a derivation
//! from codons.
//!
//! The mark is a name: a rule called `<Number>`, `<Weight>` or `<Bias>` stands for a weight, and
//! where the text of an alternative names it there is a *place*. With real weights a place writes
//! a value and reads no codon; without them the rule is one like any other. So the same grammar
//! serves both.
//!
//! Each place has values of its own: one for each time that one derivation can come to it, at most
//! [`MAX_VALUES_PER_SLOT`]; what comes later begins again with the first. So a value stays with its
//! place when the structure before it changes: the bias of a neuron is its bias, however many
//! inputs are added or taken away.

use crate::bnf::{Alternative, Piece, Rule};
use crate::compile::{CompiledRule, NO_SYMBOL};
use crate::derive::Choices;
use crate::grammar::Grammar;
use std::fmt::Write;
use std::ops::Range;
use thiserror::Error;

/// Names of rules that stand for a weight, in any case.
pub const WEIGHT_RULE_NAMES: [&str; 3] = ["Number", "Weight", "Bias"];

/// The most values of one place. A place that is come to more often begins again.
pub const MAX_VALUES_PER_SLOT: u16 = 12;

/// The most places of one grammar.
const MOST_PLACES: usize = 256;

/// Behind a stretch that is no place.
const NO_PLACE: u16 = u16::MAX;

/// Where the values of a gene go in the sentences of one grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightSlots {
    /// For each stretch of the grammar: the place behind it, or [`NO_PLACE`].
    behind: Vec<u16>,
    places: Vec<Place>,
    values: usize,
}

/// The values of one place: where they begin among those of a gene, and how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    first: u16,
    count: u16,
}

/// A grammar that cannot take real weights.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WeightSlotsError {
    /// Nothing is marked.
    #[error(
        "the grammar marks no weight, so genes have no place for real ones; expected a rule named \
         <Number>, <Weight> or <Bias> that its first rule leads to, or --weights codon"
    )]
    None,
    /// More places than anybody writes by hand.
    #[error("the grammar marks {found} weights, expected at most {MOST_PLACES}")]
    TooMany {
        /// How many.
        found: usize,
    },
}

pub(crate) fn is_mark(name: &str) -> bool {
    WEIGHT_RULE_NAMES.iter().any(|mark| mark.eq_ignore_ascii_case(name))
}

impl WeightSlots {
    /// The places of a grammar.
    ///
    /// # Errors
    /// When there is none, or far too many.
    pub fn of(grammar: &Grammar) -> Result<Self, WeightSlotsError> {
        let rules = &grammar.template.parsed.rules;
        let marked: Vec<bool> = rules.iter().map(|rule| is_mark(&rule.name)).collect();
        let homes = homes(rules, &marked);
        if homes.len() > MOST_PLACES {
            return Err(WeightSlotsError::TooMany { found: homes.len() });
        }
        let mut values = 0;
        let mut places = Vec::with_capacity(homes.len());
        for &home in &homes {
            let count = readings(rules, &marked, home);
            places.push(Place { first: values, count });
            values += count;
        }
        if values == 0 {
            return Err(WeightSlotsError::None);
        }
        // Stretches follow the text as places do, and each symbol ends one of them.
        let mut next = 0;
        let mut place_of = |symbol: u32| {
            if symbol == NO_SYMBOL || !marked[symbol as usize] {
                return NO_PLACE;
            }
            next += 1;
            next - 1
        };
        let behind = grammar.stretches.iter().map(|stretch| place_of(stretch.symbol)).collect();
        Ok(Self { behind, places, values: values.into() })
    }

    /// How many values a gene has.
    pub fn values(&self) -> usize {
        self.values
    }

    /// The number of the value for a place that was come to so often before.
    pub(crate) fn slot(&self, place: usize, before: u32) -> Option<usize> {
        let Place { first, count } = *self.places.get(place)?;
        // A place that no derivation comes to has no value.
        before.checked_rem(count.into()).map(|row| usize::from(first) + row as usize)
    }
}

/// For each place, in the order of the text: its rule and alternative.
fn homes(rules: &[Rule], marked: &[bool]) -> Vec<(usize, usize)> {
    let mut homes = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        for (index, alternative) in rule.alternatives.iter().enumerate() {
            let places = alternative.symbols().filter(|&symbol| marked[symbol as usize]);
            homes.extend(places.map(|_| (number, index)));
        }
    }
    homes
}

/// How often one derivation can take an alternative, at most [`MAX_VALUES_PER_SLOT`]. For each rule this
/// is the largest sum over the symbols of one of its alternatives; the least solution is reached
/// from below. Marked symbols are not derived.
fn readings(rules: &[Rule], marked: &[bool], (home, chosen): (usize, usize)) -> u16 {
    let mut most = vec![0u16; rules.len()];
    loop {
        let mut changed = false;
        // Rules are mostly written before those they use.
        for (number, rule) in rules.iter().enumerate().rev() {
            for (index, alternative) in rule.alternatives.iter().enumerate() {
                let here = u16::from((number, index) == (home, chosen));
                let derived = alternative.symbols().filter(|&symbol| !marked[symbol as usize]);
                let count = derived.fold(here, |sum, symbol| {
                    sum.saturating_add(most[symbol as usize]).min(MAX_VALUES_PER_SLOT)
                });
                if count > most[number] && !marked[number] {
                    most[number] = count;
                    changed = true;
                }
            }
        }
        if !changed {
            return most.first().copied().unwrap_or(0);
        }
    }
}

/// The number of a place: how many marked symbols the text has before it. The slow way.
pub(crate) fn slow_place(rules: &[Rule], rule: usize, alternative: usize, piece: usize) -> usize {
    let is_place = |piece: &&Piece| match piece {
        Piece::Symbol(number) => is_mark(&rules[*number as usize].name),
        Piece::Text(_) | Piece::Space(_) => false,
    };
    let in_alternative = |alternative: &Alternative| match alternative {
        Alternative::Sequence(pieces) => pieces.iter().filter(is_place).count(),
        Alternative::Range(_) => 0,
    };
    let in_rule = |rule: &Rule| rule.alternatives.iter().map(in_alternative).sum::<usize>();
    let alternatives = &rules[rule].alternatives;
    let here = match &alternatives[alternative] {
        Alternative::Sequence(pieces) => pieces[..piece].iter().filter(is_place).count(),
        Alternative::Range(_) => 0,
    };
    rules[..rule].iter().map(in_rule).sum::<usize>()
        + alternatives[..alternative].iter().map(in_alternative).sum::<usize>()
        + here
}

/// The values of one gene, for the places of a grammar. A value that is missing is 0.
#[derive(Debug, Clone, Copy)]
pub struct GeneValues<'g> {
    /// Where they go.
    pub marks: &'g WeightSlots,
    /// The values.
    pub values: &'g [f32],
}

/// What a derivation notes of the values it writes.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReadValues {
    /// Number and value, in the order of the sentence.
    pub read: Vec<(u16, f32)>,
    /// Where each stands in the sentence.
    pub spans: Vec<Range<usize>>,
    /// For each place how often it was come to.
    visits: Vec<u32>,
}

/// Choices of any kind, and values for the marked places.
pub(crate) struct WithValues<'g, C> {
    pub choices: C,
    values: GeneValues<'g>,
    notes: &'g mut ReadValues,
}

impl<'g, C> WithValues<'g, C> {
    pub(crate) fn new(choices: C, values: GeneValues<'g>, notes: &'g mut ReadValues) -> Self {
        notes.read.clear();
        notes.spans.clear();
        notes.visits.clear();
        notes.visits.resize(values.marks.places.len(), 0);
        Self { choices, values, notes }
    }

    fn value_at(&mut self, place: usize) -> Option<f32> {
        let before = self.notes.visits.get_mut(place)?;
        let slot = self.values.marks.slot(place, *before)?;
        *before = before.saturating_add(1);
        let value = self.values.values.get(slot).copied().unwrap_or(0.0);
        self.notes.read.push((slot as u16, value));
        Some(value)
    }
}

impl<C: Choices> Choices for WithValues<'_, C> {
    const READS_VALUES: bool = true;

    #[inline]
    fn choose(&mut self, symbol: u32, rule: &CompiledRule) -> Option<u32> {
        self.choices.choose(symbol, rule)
    }

    fn used(&self) -> usize {
        self.choices.used()
    }

    #[inline]
    fn value(&mut self, stretch: u32) -> Option<f32> {
        let place = self.values.marks.behind[stretch as usize];
        if place == NO_PLACE { None } else { self.value_at(place.into()) }
    }

    #[inline]
    fn wrote(&mut self, span: Range<usize>) {
        self.notes.spans.push(span);
    }
}

/// A value as it stands in a sentence: always with its sign, and with the fewest digits that tell
/// it from every other.
pub(crate) struct ValueText {
    bytes: [u8; LONGEST_VALUE],
    len: usize,
}

/// The smallest numbers have a sign, `0.`, 44 zeros and one digit or more.
const LONGEST_VALUE: usize = 64;

impl ValueText {
    pub(crate) fn new(value: f32) -> Self {
        let mut text = Self { bytes: [0; LONGEST_VALUE], len: 0 };
        // It always fits; if it did not, the sentence would be no neuron.
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
    fn each_place_has_as_many_values_as_it_can_be_come_to() {
        let counts =
            |marks: WeightSlots| -> Vec<u16> { marks.places.iter().map(|p| p.count).collect() };
        let many = MAX_VALUES_PER_SLOT;
        // The output's weight, the bias, the first input, the others.
        assert_eq!(counts(weight_slots(shipped::MGE.text).unwrap()), [1, 1, 1, many]);
        // The bias, outputs, inputs.
        assert_eq!(counts(weight_slots(shipped::MONOLITHIC.text).unwrap()), [1, 1, many, 1, many]);
        let twice = "<S> ::= <T><T><T> | <weight>\n<T> ::= <BIAS> | x\n<weight> ::= <Number>\n\
                     <BIAS> ::= 1\n<Number> ::= 2";
        // A place inside a marked rule is never come to.
        assert_eq!(counts(weight_slots(twice).unwrap()), [1, 3, 0]);
        assert_eq!(weight_slots(twice).unwrap().values(), 4);
    }

    #[test]
    fn a_grammar_without_marks_is_refused() {
        assert_eq!(weight_slots("<S> ::= <Digit>\n<Digit> ::= 0..9"), Err(WeightSlotsError::None));
        assert_eq!(
            weight_slots("<S> ::= x\n<Number> ::= 0..9\n<T> ::= <Number>"),
            Err(WeightSlotsError::None)
        );
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
