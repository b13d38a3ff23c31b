//! GE in the analyses: one list of codons for the whole network.

use super::{AnalysedRepresentation, NETWORK_GRAMMAR, bound, unusable};
use crate::ExperimentError;
use mge::evolve::Representation;
use mge::grammar::ge::{GeParams, Genotype, Mapper, Variation};
use mge::grammar::mge::MgeParams;
use mge::grammar::network_mapper::{NetworkMapper, Workspace};
use mge::net::Network;
use mge::random::Stream;

/// GE with the grammar of the analyses. Genotypes are as long as those of MGE, and mutation is as
/// likely. A length mutation adds or deletes as many codons as an MGE gene has, as often as MGE
/// adds or deletes a gene. With one crossover point only that mutation changes lengths, so GE and
/// MGE grow in the same way.
#[derive(Debug)]
pub struct GeRepresentation {
    mapper: Mapper,
    variation: GeVariation,
    codon_bits: usize,
    codons_of_neuron: usize,
}

impl GeRepresentation {
    /// With the paper's settings.
    pub fn new(crossover: GeCrossover) -> Result<Self, ExperimentError> {
        let mge = MgeParams::for_classes(2);
        let mutation_rate =
            mge.mutation_rates.iter().sum::<f64>() / mge.mutation_rates.len() as f64;
        let grammar = bound("analysis", NETWORK_GRAMMAR)?;
        let params = GeParams {
            min_codons: mge.min_genes * mge.gene_length,
            max_codons: mge.max_genes * mge.gene_length,
            max_length: 1000 * mge.gene_length,
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
            variation: GeVariation { base: Variation::new(params), crossover },
        })
    }
}

/// The crossover points of GE. The paper does not specify them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GeCrossover {
    /// Both parents are cut at the same position. Lengths stay, and only the paper's length
    /// mutation changes them.
    OnePoint,
    /// Each parent is cut at its own position, like in method `ge`. Crossover alone then doubles
    /// lengths within a few generations.
    TwoPoints,
}

/// The genetic operators of GE, with either crossover.
#[derive(Debug, Clone)]
pub struct GeVariation {
    base: Variation,
    crossover: GeCrossover,
}

impl Representation for GeVariation {
    type Genome = Genotype;

    fn random(&self, stream: &mut Stream) -> Genotype {
        self.base.random(stream)
    }

    fn crossover(&self, one: &mut Genotype, other: &mut Genotype, stream: &mut Stream) {
        if self.crossover == GeCrossover::TwoPoints {
            return self.base.crossover(one, other, stream);
        }
        let point = stream.index(one.codons.len().min(other.codons.len()) + 1);
        one.codons[..point].swap_with_slice(&mut other.codons[..point]);
    }

    fn mutate(&self, genotype: &mut Genotype, stream: &mut Stream) {
        self.base.mutate(genotype, stream);
    }

    fn is_valid(&self, genotype: &Genotype) -> bool {
        self.base.is_valid(genotype)
    }
}

impl AnalysedRepresentation for GeRepresentation {
    type Genome = Genotype;
    type Variation = GeVariation;

    fn variation(&self) -> GeVariation {
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

#[cfg(test)]
mod tests {
    use super::*;
    use mge::random::Purpose;

    #[test]
    fn one_point_crossover_keeps_lengths_and_positions() {
        let variation = GeRepresentation::new(GeCrossover::OnePoint).unwrap().variation();
        let mut stream = Stream::at(1, Purpose::Crossover, 0, 0);
        let parents = [vec![1; 300], vec![2; 500]].map(|codons| Genotype { codons });
        let mut exchanged = 0;
        for _ in 0..20 {
            let [mut one, mut other] = parents.clone();
            variation.crossover(&mut one, &mut other, &mut stream);
            assert_eq!((one.codons.len(), other.codons.len()), (300, 500));
            assert!(one.codons.iter().zip(&other.codons).all(|(a, b)| a + b == 3));
            exchanged += usize::from(one != parents[0]);
        }
        assert!(exchanged > 10, "{exchanged}");
    }
}
