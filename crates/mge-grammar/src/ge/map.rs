//! Genotype to network: the start of the grammar is derived once for each output, and reading goes
//! on in the same list of codons. When they do not suffice, the individual is invalid.

use super::{CheckedGe, Genotype, MapperError, NetworkFailure};
use crate::derive::{Choices, Codons};
use crate::network_mapper::{NetworkMapper, Workspace};
use crate::network_sentence::NetworkReader;
use crate::trace::SlowCodons;
use crate::{DecodeOptions, Grammar, Trace};
use mge_net::Network;

/// Maps genotypes by one grammar.
#[derive(Debug, Clone)]
pub struct Mapper {
    grammar: Grammar,
    reading: DecodeOptions,
}

impl Mapper {
    /// A mapper for networks of the grammar's shape.
    ///
    /// # Errors
    /// When the grammar names what the data does not have.
    pub fn new(grammar: Grammar, params: &CheckedGe) -> Result<Self, MapperError> {
        MapperError::check(&grammar)?;
        let reading = DecodeOptions { wraps: params.raw().wraps, references: 0 };
        Ok(Self { grammar, reading })
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
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

impl NetworkMapper for Mapper {
    type Genotype = Genotype;

    fn try_map(
        &self,
        genotype: &Genotype,
        workspace: &mut Workspace,
    ) -> (Result<Network, NetworkFailure>, usize) {
        let Workspace { text, places: options } = workspace;
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
}
