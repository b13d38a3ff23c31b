//! Genotype to network: the start of the grammar is derived once for each output, and reading goes
//! on in the same list of codons. When they do not suffice, the individual is invalid.

use super::{CheckedGe, Genotype, MapperError, NetworkFailure, Variation};
use crate::derive::{Choices, Codons, Text};
use crate::network_sentence::{NetworkReader, try_genotypes};
use crate::trace::SlowCodons;
use crate::{Grammar, Reading, Trace};
use mge_evolve::Representation;
use mge_net::Network;
use mge_random::{Purpose, Stream};

/// Maps genotypes by one grammar.
#[derive(Debug, Clone)]
pub struct Mapper {
    grammar: Grammar,
    reading: Reading,
}

/// What a genotype maps to.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapped {
    /// The network, or `None` for an invalid individual.
    pub network: Option<Network>,
    /// Codons that were read, those of every pass counted.
    pub codons_used: usize,
}

/// Buffers that one thread uses again for every genotype it maps.
#[derive(Debug, Default)]
pub struct Workspace {
    text: Text,
    options: Vec<u32>,
}

impl Workspace {
    /// The sentence of the last output that was derived.
    pub fn sentence(&self) -> &str {
        self.text.as_str()
    }
}

impl Mapper {
    /// A mapper for networks of the grammar's shape.
    ///
    /// # Errors
    /// When the grammar names what the data does not have.
    pub fn new(grammar: Grammar, params: &CheckedGe) -> Result<Self, MapperError> {
        MapperError::check(&grammar)?;
        let reading = Reading { wraps: params.raw().wraps, references: 0 };
        Ok(Self { grammar, reading })
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// Tries random genotypes.
    ///
    /// # Errors
    /// When the sentences of the grammar are no networks, or no genotype maps.
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
        let Workspace { text, options } = workspace;
        options.clear();
        let mut codons = Codons::new(&genotype.codons, &self.reading, options);
        let mut outputs = || {
            let mut reader = NetworkReader::new(self.grammar.shape());
            for _ in 0..self.grammar.shape().outputs {
                self.grammar.derive_by(self.grammar.start(), &mut codons, text)?;
                reader.output(text.as_str())?;
            }
            Ok(reader.network()?)
        };
        let network = outputs();
        (network, codons.used())
    }

    /// The slow twin of the derivations: each output's, every step recorded, up to the first that
    /// does not end.
    pub fn trace(&self, genotype: &Genotype) -> Vec<Trace> {
        let mut codons = SlowCodons::new(&genotype.codons, &self.reading);
        let mut traces = Vec::new();
        for _ in 0..self.grammar.shape().outputs {
            traces.push(self.grammar.trace_by(self.grammar.start(), &mut codons));
            if traces.last().is_some_and(|trace| trace.outcome.is_err()) {
                break;
            }
        }
        traces
    }
}
