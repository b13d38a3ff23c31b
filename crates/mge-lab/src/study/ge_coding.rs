//! GE under analysis: one list of codons for the whole network.

use super::{Coding, NETWORKS, bound, unusable};
use crate::LabError;
use mge::grammar::ge::{GeParams, Genotype, Mapper, Variation};
use mge::grammar::mge::MgeParams;
use mge::grammar::network_mapper::{NetworkMapper, Workspace};
use mge::net::Network;
use mge::random::Stream;

/// GE with the grammar of the analyses. Genotypes are as long as those of MGE, mutation is as
/// likely, and a mutation adds or deletes as many codons at once as an MGE gene has, as often as
/// MGE adds or deletes a gene.
#[derive(Debug)]
pub struct GeCoding {
    mapper: Mapper,
    variation: Variation,
    codon_bits: usize,
    codons_of_neuron: usize,
}

impl GeCoding {
    /// With the paper's settings.
    pub fn new() -> Result<Self, LabError> {
        let mge = MgeParams::for_classes(2);
        let mutation_rate =
            mge.mutation_rates.iter().sum::<f64>() / mge.mutation_rates.len() as f64;
        let grammar = bound("analysis", NETWORKS)?;
        let params = GeParams {
            least_codons: mge.least_genes * mge.gene_length,
            most_codons: mge.most_genes * mge.gene_length,
            longest: 1000 * mge.gene_length,
            mutation_rate,
            length_mutation_rate: mutation_rate,
            length_mutation_step: mge.gene_length,
            ..GeParams::for_classes(2)
        };
        let params = params.check(&grammar).map_err(unusable)?;
        Ok(Self {
            codon_bits: params.codon_bits() as usize,
            codons_of_neuron: mge.gene_length,
            mapper: Mapper::new(grammar, &params).map_err(unusable)?,
            variation: Variation::new(params),
        })
    }
}

impl Coding for GeCoding {
    type Genome = Genotype;
    type Variation = Variation;

    fn variation(&self) -> Variation {
        self.variation.clone()
    }

    fn random(&self, neurons: usize, stream: &mut Stream) -> Genotype {
        let shift = 64 - self.codon_bits;
        let count = neurons * self.codons_of_neuron;
        Genotype { codons: (0..count).map(|_| (stream.bits() >> shift) as u16).collect() }
    }

    fn network(&self, genome: &Genotype) -> Option<Network> {
        self.mapper.map(genome, &mut Workspace::default()).network
    }

    fn bits(&self, genome: &Genotype) -> usize {
        genome.codons.len() * self.codon_bits
    }

    fn flipped(&self, genome: &Genotype, bits: &[usize], _: &mut Stream) -> Genotype {
        let mut mutant = genome.clone();
        for bit in bits {
            mutant.codons[bit / self.codon_bits] ^= 1 << (bit % self.codon_bits);
        }
        mutant
    }
}
