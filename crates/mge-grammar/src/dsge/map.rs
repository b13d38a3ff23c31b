//! Genotype to network: the start of the grammar makes the layers and the first output, `<Output>`
//! each further one. Each symbol reads the next codon of its own list.
//!
//! Mapping draws no random number and changes nothing: repair is part of [`Variation`](super::Variation).

use super::grow::{GrowingLists, Neurons, Roles};
use super::{CheckedDsge, Genotype, MapperError, NetworkFailure};
use crate::derive::Choices;
use crate::lists::Lists;
use crate::network_mapper::{NetworkMapper, Workspace};
use crate::network_sentence::NetworkReader;
use crate::recursion::MOST_RULES;
use crate::trace::SlowLists;
use crate::{Grammar, MapFailure, Symbol, Trace};
use mge_net::Network;

/// Maps genotypes by one grammar.
#[derive(Debug, Clone)]
pub struct Mapper {
    grammar: Grammar,
    roles: Roles,
}

impl Mapper {
    /// A mapper for networks of the grammar's shape. No setting changes how a genotype is mapped;
    /// they are taken so that all methods are made alike.
    ///
    /// # Errors
    /// When the grammar names what the data does not have, or lacks a rule that is known by name.
    pub fn new(grammar: Grammar, _: &CheckedDsge) -> Result<Self, MapperError> {
        MapperError::check(&grammar)?;
        let count = grammar.symbols().count();
        if count > MOST_RULES {
            return Err(MapperError::TooManyRules { count, limit: MOST_RULES });
        }
        Ok(Self { roles: Roles::new(&grammar)?, grammar })
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    pub(super) fn roles(&self) -> &Roles {
        &self.roles
    }

    /// What is derived, in this order.
    pub(super) fn starts(&self) -> impl Iterator<Item = Symbol> + use<> {
        let further = std::iter::repeat_n(self.roles.output, self.grammar.shape().outputs - 1);
        std::iter::once(self.grammar.start()).chain(further)
    }

    /// The slow twin of the derivations: that of the layers and the first output, then each further
    /// output's, every step recorded.
    pub fn trace(&self, genotype: &Genotype) -> Vec<Trace> {
        let lists = self.grammar.symbols().map(|symbol| genotype.list(symbol).to_vec());
        let mut lists = SlowLists::new(lists, true);
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
        let Workspace { text, places: next } = workspace;
        let mut choices = GrowingLists {
            lists: Lists::new(&genotype.codons, &genotype.bounds, next),
            roles: &self.roles,
            neurons: Neurons::default(),
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
