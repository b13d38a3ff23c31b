//! Genotype to network. The start symbol derives the layers and the first output; `<Output>`
//! derives each further output. Each symbol reads the next codon of its own list.
//!
//! Mapping draws no random number and does not change the genotype. Repair is part of
//! [`Variation`](super::Variation).

use super::growing_lists::{GrowingCodonLists, NeuronCounter, SymbolRoles};
use super::{CheckedDsge, Genotype, MapperError, NetworkFailure};
use crate::codon_lists::CodonLists;
use crate::derive::ChoiceSource;
use crate::network_mapper::{NetworkMapper, Workspace};
use crate::network_sentence::NetworkReader;
use crate::recursion::MAX_RULES;
use crate::trace::SlowCodonLists;
use crate::{Grammar, MapFailure, Symbol, Trace};
use mge_net::Network;

/// Maps genotypes by one grammar.
#[derive(Debug, Clone)]
pub struct Mapper {
    grammar: Grammar,
    roles: SymbolRoles,
}

impl Mapper {
    /// A mapper for networks of the grammar's shape. It ignores the settings; the parameter makes
    /// the constructors of all methods alike.
    ///
    /// # Errors
    /// When the grammar names features or outputs that the data does not have, or lacks a rule that
    /// the method needs.
    pub fn new(grammar: Grammar, _: &CheckedDsge) -> Result<Self, MapperError> {
        MapperError::check(&grammar)?;
        let count = grammar.symbols().count();
        if count > MAX_RULES {
            return Err(MapperError::TooManyRules { count, limit: MAX_RULES });
        }
        Ok(Self { roles: SymbolRoles::new(&grammar)?, grammar })
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    pub(super) fn roles(&self) -> &SymbolRoles {
        &self.roles
    }

    /// The symbols that are derived, in this order.
    pub(super) fn starts(&self) -> impl Iterator<Item = Symbol> + use<> {
        let further = std::iter::repeat_n(self.roles.output, self.grammar.shape().outputs - 1);
        std::iter::once(self.grammar.start()).chain(further)
    }

    /// Maps by the slow derivation. Returns one trace for the layers with the first output, then one
    /// for each further output.
    pub fn trace(&self, genotype: &Genotype) -> Vec<Trace> {
        let lists = self.grammar.symbols().map(|symbol| genotype.list(symbol).to_vec());
        let mut lists = SlowCodonLists::new(lists, true);
        self.starts().map(|start| self.grammar.trace_by(start, &mut lists)).collect()
    }
}

impl NetworkMapper for Mapper {
    type Genotype = Genotype;

    fn try_map(
        &self,
        genotype: &Genotype,
        workspace: &mut Workspace,
    ) -> (Result<Network, NetworkFailure>, usize) {
        if !genotype.is_valid(self.grammar.rules.len()) {
            let failure = MapFailure::OutOfCodons { used: 0, symbol: self.grammar.start() };
            return (Err(failure.into()), 0);
        }
        let Workspace { text, numbers: next } = workspace;
        let mut choices = GrowingCodonLists {
            lists: CodonLists::new(&genotype.codons, &genotype.bounds, next),
            roles: &self.roles,
            neurons: NeuronCounter::default(),
        };
        let mut outputs = || {
            let mut reader = NetworkReader::new(self.grammar.shape());
            for (index, start) in self.starts().enumerate() {
                self.grammar.derive_by(start, &mut choices, text)?;
                if index == 0 {
                    reader.layered(text.as_str())?;
                } else {
                    reader.output(text.as_str())?;
                }
            }
            Ok(reader.network()?)
        };
        let network = outputs();
        (network, choices.used())
    }
}
