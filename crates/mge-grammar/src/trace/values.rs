//! The slow twin of [`WithValues`](crate::weight_slots::WithValues): it finds places in the text itself.

use std::collections::BTreeMap;

use super::{Origin, Pick, SlowChoices};
use crate::derive::Derived;
use crate::grammar::{Grammar, Symbol};
use crate::weight_slots::{GeneValues, is_mark, slow_place};

/// Choices of any kind, and values for the marked places.
pub(crate) struct SlowValues<'g, C> {
    choices: C,
    values: GeneValues<'g>,
    /// How often each place was come to.
    visits: BTreeMap<usize, u32>,
}

impl<'g, C> SlowValues<'g, C> {
    pub(crate) fn new(choices: C, values: GeneValues<'g>) -> Self {
        Self { choices, values, visits: BTreeMap::new() }
    }
}

impl<C: SlowChoices> SlowChoices for SlowValues<'_, C> {
    fn pick(&mut self, grammar: &Grammar, symbol: Symbol, written: usize) -> Pick {
        self.choices.pick(grammar, symbol, written)
    }

    fn used(&self) -> (Derived, usize) {
        self.choices.used()
    }

    fn value(&mut self, grammar: &Grammar, symbol: Symbol, origin: Origin) -> Option<(usize, f32)> {
        let (rule, alternative, piece) = origin.filter(|_| is_mark(grammar.name(symbol)))?;
        let rules = &grammar.template().parsed.rules;
        let place = slow_place(rules, rule, alternative, piece);
        let visits = self.visits.entry(place).or_default();
        let slot = self.values.marks.slot(place, *visits)?;
        *visits += 1;
        Some((slot, self.values.values.get(slot).copied().unwrap_or(0.0)))
    }
}
