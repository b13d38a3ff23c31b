//! What GE, SGE and DSGE have in common: a genotype maps as a whole, to one network or to nothing.

use crate::derive::Text;
use crate::network_sentence::{MapperError, NetworkFailure, try_genotypes};
use mge_evolve::Representation;
use mge_net::Network;
use mge_random::{Purpose, Stream};
use serde::Serialize;

/// Maps whole genotypes by one grammar.
pub trait NetworkMapper: Send + Sync {
    /// What evolves.
    type Genotype: Send + Sync + Serialize;

    /// The network of a genotype, or why there is none, and how many codons were read.
    fn try_map(
        &self,
        genotype: &Self::Genotype,
        workspace: &mut Workspace,
    ) -> (Result<Network, NetworkFailure>, usize);

    /// The network of a genotype.
    fn map(&self, genotype: &Self::Genotype, workspace: &mut Workspace) -> Mapped {
        let (network, codons_used) = self.try_map(genotype, workspace);
        Mapped { network: network.ok(), codons_used }
    }

    /// Tries random genotypes.
    ///
    /// # Errors
    /// When the sentences of the grammar are no networks, or no genotype maps.
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

/// What a genotype maps to.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapped {
    /// The network, or `None` for an invalid individual. Where every genotype maps, `None` only
    /// for one that no variation makes, or by a grammar whose sentences are no networks.
    pub network: Option<Network>,
    /// Codons that were read, those of every pass counted.
    pub codons_used: usize,
}

/// Buffers that one thread uses again for every genotype it maps.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(crate) text: Text,
    /// What the choices of a derivation keep: options of codons, or places in lists.
    pub(crate) places: Vec<u32>,
}

impl Workspace {
    /// The last sentence that was derived.
    pub fn sentence(&self) -> &str {
        self.text.as_str()
    }
}
