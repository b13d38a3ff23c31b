//! The common part of GE, SGE and DSGE: a whole genotype maps to one network or to nothing.

use crate::derive::SentenceBuffer;
use crate::network_sentence::{MapperError, NetworkFailure, try_genotypes};
use mge_evolve::Representation;
use mge_net::Network;
use mge_random::{Purpose, Stream};
use serde::Serialize;

/// Maps whole genotypes by one grammar.
pub trait NetworkMapper: Send + Sync {
    /// What evolves.
    type Genotype: Send + Sync + Serialize;

    /// Maps a genotype. Returns the network or the reason why there is none, and the number of
    /// codons that were read.
    fn try_map(
        &self,
        genotype: &Self::Genotype,
        workspace: &mut Workspace,
    ) -> (Result<Network, NetworkFailure>, usize);

    /// Maps a genotype.
    fn map(&self, genotype: &Self::Genotype, workspace: &mut Workspace) -> Mapped {
        let (network, codons_used) = self.try_map(genotype, workspace);
        Mapped { network: network.ok(), codons_used }
    }

    /// Maps random genotypes, to find out before a run whether the grammar is usable.
    ///
    /// # Errors
    /// When the sentences of the grammar are not networks, or no genotype maps.
    fn check(
        &self,
        variation: &impl Representation<Genome = Self::Genotype>,
    ) -> Result<(), MapperError> {
        let mut workspace = Workspace::default();
        try_genotypes(|index| {
            let mut stream = Stream::at(0, Purpose::Initialisation, 0, u64::from(index));
            let genotype = variation.random(&mut stream);
            let mapped = self.try_map(&genotype, &mut workspace).0;
            (mapped, workspace.sentence().to_owned())
        })
    }
}

/// The result of mapping a genotype.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapped {
    /// The network, or `None` for an invalid individual. With SGE and DSGE it is `None` only for a
    /// genotype that no variation makes, or a grammar whose sentences are not networks.
    pub network: Option<Network>,
    /// Codons that were read, in all passes.
    pub codons_used: usize,
}

/// Buffers that one thread reuses for every genotype it maps.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(crate) text: SentenceBuffer,
    /// Choice counts in GE, positions in the codon lists in SGE and DSGE.
    pub(crate) numbers: Vec<u32>,
}

impl Workspace {
    /// The last sentence that was derived.
    pub fn sentence(&self) -> &str {
        self.text.as_str()
    }
}
