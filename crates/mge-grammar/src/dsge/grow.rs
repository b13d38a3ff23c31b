//! Rules that grow while a genotype is mapped: the neurons there are become sources of later ones.

use super::MapperError;
use crate::Grammar;
use crate::compile::CompiledRule;
use crate::derive::Choices;
use crate::grammar::Symbol;
use crate::lists::Lists;

/// What replacing a symbol means for the neurons there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Nothing,
    /// One neuron more.
    Neuron,
    /// One neuron more, which can read those before it.
    NeuronAndLayer,
    /// From here all neurons so far can be read.
    Layer,
}

/// The roles of a grammar's symbols, by their names.
#[derive(Debug, Clone)]
pub(super) struct Roles {
    of: Vec<Role>,
    pub(super) output: Symbol,
}

impl Roles {
    pub(super) fn new(grammar: &Grammar) -> Result<Self, MapperError> {
        let need = |name, what| grammar.symbol(name).ok_or(MapperError::NoRule { name, what });
        let neuron = need("Neuron", "makes a hidden neuron")?;
        let output = need("Output", "is derived for each output")?;
        let layer = grammar.symbol("Layer");
        let mut of = vec![Role::Nothing; grammar.symbols().count()];
        of[neuron.0 as usize] = if layer.is_some() { Role::Neuron } else { Role::NeuronAndLayer };
        for symbol in layer.into_iter().chain([output]) {
            of[symbol.0 as usize] = Role::Layer;
        }
        Ok(Self { of, output })
    }
}

/// The neurons so far, and how many of them can be read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Neurons {
    made: u32,
    visible: u32,
}

impl Neurons {
    /// How many alternatives a symbol has here; it is replaced next.
    #[inline]
    pub(super) fn alternatives(&mut self, roles: &Roles, symbol: u32, rule: &CompiledRule) -> u32 {
        match roles.of[symbol as usize] {
            Role::Nothing => {}
            Role::Neuron => self.made += 1,
            Role::Layer => self.visible = self.made,
            Role::NeuronAndLayer => {
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

/// Choices from lists, among alternatives that grow.
pub(super) struct GrowingLists<'g> {
    pub(super) lists: Lists<'g>,
    pub(super) roles: &'g Roles,
    pub(super) neurons: Neurons,
}

impl Choices for GrowingLists<'_> {
    #[inline]
    fn choose(&mut self, symbol: u32, rule: &CompiledRule) -> Option<u32> {
        let count = self.neurons.alternatives(self.roles, symbol, rule);
        if count == 1 { Some(0) } else { self.lists.take(symbol, count) }
    }

    fn used(&self) -> usize {
        self.lists.used()
    }
}
