//! Rules that grow while a genotype is mapped: each new neuron becomes a source of later ones.

use super::MapperError;
use crate::Grammar;
use crate::codon_lists::CodonLists;
use crate::compile::CompiledRule;
use crate::derive::ChoiceSource;
use crate::grammar::Symbol;

/// What happens when a symbol is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SymbolRole {
    Nothing,
    /// There is one neuron more.
    Neuron,
    /// There is one neuron more, which can read all neurons before it.
    NeuronAndLayer,
    /// All neurons so far become visible.
    Layer,
}

/// The roles of a grammar's symbols, by their names.
#[derive(Debug, Clone)]
pub(super) struct SymbolRoles {
    of: Vec<SymbolRole>,
    pub(super) output: Symbol,
}

impl SymbolRoles {
    pub(super) fn new(grammar: &Grammar) -> Result<Self, MapperError> {
        let need = |name, what| grammar.symbol(name).ok_or(MapperError::NoRule { name, what });
        let neuron = need("Neuron", "makes a hidden neuron")?;
        let output = need("Output", "is derived for each output")?;
        let layer = grammar.symbol("Layer");
        let mut of = vec![SymbolRole::Nothing; grammar.symbols().count()];
        of[neuron.0 as usize] =
            if layer.is_some() { SymbolRole::Neuron } else { SymbolRole::NeuronAndLayer };
        for symbol in layer.into_iter().chain([output]) {
            of[symbol.0 as usize] = SymbolRole::Layer;
        }
        Ok(Self { of, output })
    }
}

/// How many neurons there are so far, and how many of them can be read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NeuronCounter {
    made: u32,
    visible: u32,
}

impl NeuronCounter {
    /// Updates the counts for a symbol that is replaced next. Returns how many alternatives it has.
    #[inline]
    pub(super) fn alternatives(
        &mut self,
        roles: &SymbolRoles,
        symbol: u32,
        rule: &CompiledRule,
    ) -> u32 {
        match roles.of[symbol as usize] {
            SymbolRole::Nothing => {}
            SymbolRole::Neuron => self.made += 1,
            SymbolRole::Layer => self.visible = self.made,
            SymbolRole::NeuronAndLayer => {
                self.visible = self.made;
                self.made += 1;
            }
        }
        if !(rule.input || rule.neurons) {
            return rule.count;
        }
        let written = if rule.neurons { 0 } else { rule.count };
        // A codon has 16 bits.
        (written + self.visible).clamp(1, 1 << 16)
    }
}

/// Codon lists whose rules grow with the neurons.
pub(super) struct GrowingCodonLists<'g> {
    pub(super) lists: CodonLists<'g>,
    pub(super) roles: &'g SymbolRoles,
    pub(super) neurons: NeuronCounter,
}

impl ChoiceSource for GrowingCodonLists<'_> {
    #[inline]
    fn choose(&mut self, symbol: u32, rule: &CompiledRule) -> Option<u32> {
        let count = self.neurons.alternatives(self.roles, symbol, rule);
        if count == 1 { Some(0) } else { self.lists.take(symbol, count) }
    }

    fn used(&self) -> usize {
        self.lists.used()
    }
}
