//! Genotype to network: the start of the grammar makes the layers and the first output, `<Output>`
//! each further one. Each symbol reads the next codon of its own list.
//!
//! Mapping draws no random number and changes nothing: repair is part of [`Variation`].

use super::grow::{GrowingLists, Neurons, Roles};
use super::{CheckedDsge, Genotype, MapperError, NetworkFailure, Variation};
use crate::derive::{Choices, Text};
use crate::lists::Lists;
use crate::network_sentence::{NetworkReader, try_genotypes};
use crate::recursion::MOST_RULES;
use crate::trace::SlowLists;
use crate::{Grammar, MapFailure, Symbol, Trace};
use mge_evolve::Representation;
use mge_net::Network;
use mge_random::{Purpose, Stream};

/// Maps genotypes by one grammar.
#[derive(Debug, Clone)]
pub struct Mapper {
    grammar: Grammar,
    roles: Roles,
}

/// What a genotype maps to.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapped {
    /// The network. `None` only for a genotype that is not repaired, or a grammar whose sentences
    /// are no networks.
    pub network: Option<Network>,
    /// Codons that were read.
    pub codons_used: usize,
}

/// Buffers that one thread uses again for every genotype it maps.
#[derive(Debug, Default)]
pub struct Workspace {
    text: Text,
    next: Vec<u32>,
}

impl Workspace {
    /// The last sentence that was derived.
    pub fn sentence(&self) -> &str {
        self.text.as_str()
    }
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

    /// Tries random genotypes.
    ///
    /// # Errors
    /// When the sentences of the grammar are no networks.
    pub fn check(&self, variation: &Variation) -> Result<(), MapperError> {
        let mut workspace = Workspace::default();
        try_genotypes(|index| {
            let mut stream = Stream::at(0, Purpose::Initialisation, 0, u64::from(index));
            let genotype = variation.random(&mut stream);
            let mapped = self.try_map(&genotype, &mut workspace).0;
            (mapped, workspace.sentence().to_owned())
        })
    }

    /// The network of a genotype.
    pub fn map(&self, genotype: &Genotype, workspace: &mut Workspace) -> Mapped {
        let (network, codons_used) = self.try_map(genotype, workspace);
        Mapped { network: network.ok(), codons_used }
    }

    /// The network of a genotype, or why there is none, and how many codons were read.
    pub fn try_map(
        &self,
        genotype: &Genotype,
        workspace: &mut Workspace,
    ) -> (Result<Network, NetworkFailure>, usize) {
        if !genotype.is_sound(self.grammar.rules.len()) {
            let failure = MapFailure::OutOfCodons { used: 0, symbol: self.grammar.start() };
            return (Err(failure.into()), 0);
        }
        let Workspace { text, next } = workspace;
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

    /// The slow twin of the derivations: that of the layers and the first output, then each further
    /// output's, every step recorded.
    pub fn trace(&self, genotype: &Genotype) -> Vec<Trace> {
        let lists = self.grammar.symbols().map(|symbol| genotype.list(symbol).to_vec());
        let mut lists = SlowLists::new(lists, true);
        self.starts().map(|start| self.grammar.trace_by(start, &mut lists)).collect()
    }
}
