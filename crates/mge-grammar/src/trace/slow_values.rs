//! The slow twin of [`WithValues`](crate::weight_slots::WithValues). It finds the slots in the
//! template.

use std::collections::BTreeMap;

use super::{Pick, SlowChoiceSource, SymbolPosition};
use crate::derive::Derived;
use crate::grammar::{Grammar, Symbol};
use crate::weight_slots::{GeneValues, is_weight_rule, slow_slot_index};

/// Any source of choices, with values for the weight slots.
pub(crate) struct SlowWithValues<'g, C> {
    choices: C,
    values: GeneValues<'g>,
    /// How often the derivation came to each slot.
    visits: BTreeMap<usize, u32>,
}

impl<'g, C> SlowWithValues<'g, C> {
    pub(crate) fn new(choices: C, values: GeneValues<'g>) -> Self {
        Self { choices, values, visits: BTreeMap::new() }
    }
}

impl<C: SlowChoiceSource> SlowChoiceSource for SlowWithValues<'_, C> {
    fn pick(&mut self, grammar: &Grammar, symbol: Symbol, written: usize) -> Pick {
        self.choices.pick(grammar, symbol, written)
    }

    fn used(&self) -> (Derived, usize) {
        self.choices.used()
    }

    fn value(
        &mut self,
        grammar: &Grammar,
        symbol: Symbol,
        position: Option<SymbolPosition>,
    ) -> Option<(usize, f32)> {
        let position = position.filter(|_| is_weight_rule(grammar.name(symbol)))?;
        let slot = slow_slot_index(&grammar.template().parsed.rules, position);
        let visits = self.visits.entry(slot).or_default();
        let index = self.values.slots.value_index(slot, *visits)?;
        *visits += 1;
        Some((index, self.values.values.get(index).copied().unwrap_or(0.0)))
    }
}
