//! Genotype to network. The start symbol is derived once for each output; each derivation continues
//! in the list of codons where the last one ended. If the codons do not suffice, the individual is
//! invalid.

use super::{CheckedGe, Genotype, MapperError, NetworkFailure};
use crate::derive::{ChoiceSource, CodonReader};
use crate::network_mapper::{NetworkMapper, Workspace};
use crate::network_sentence::NetworkReader;
use crate::trace::SlowCodonReader;
use crate::{DecodeOptions, Grammar, Trace};
use mge_net::Network;

/// Maps genotypes by one grammar.
#[derive(Debug, Clone)]
pub struct Mapper {
    grammar: Grammar,
    options: DecodeOptions,
}

impl Mapper {
    /// A mapper for networks of the grammar's shape.
    ///
    /// # Errors
    /// When the grammar names features or outputs that the data does not have.
    pub fn new(grammar: Grammar, params: &CheckedGe) -> Result<Self, MapperError> {
        MapperError::check(&grammar)?;
        let options = DecodeOptions { wraps: params.raw().wraps, references: 0 };
        Ok(Self { grammar, options })
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// Maps by the slow derivation. Returns one trace for each output, up to the first one that
    /// fails.
    pub fn trace(&self, genotype: &Genotype) -> Vec<Trace> {
        let mut codons = SlowCodonReader::new(&genotype.codons, &self.options);
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
        let Workspace { text, numbers: choice_counts } = workspace;
        choice_counts.clear();
        let mut codons = CodonReader::new(&genotype.codons, &self.options, choice_counts);
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
