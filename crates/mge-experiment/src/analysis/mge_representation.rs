//! MGE in the analyses: one gene for each neuron.

use super::{AnalysedRepresentation, bound, unusable};
use crate::ExperimentError;
use mge::grammar::mge::{CheckedMge, Genotype, Mapper, MgeParams, Variant, Variation, Workspace};
use mge::grammar::shipped;
use mge::net::Network;
use mge::random::Stream;

/// MGE with the paper's grammar for analyses: 30 features, weights of three digits, one output.
#[derive(Debug)]
pub struct MgeRepresentation {
    mapper: Mapper,
    params: CheckedMge,
}

impl MgeRepresentation {
    /// With the paper's settings.
    pub fn new() -> Result<Self, ExperimentError> {
        let text = shipped::find("fixed-digits").ok_or_else(|| unusable("it is not shipped"))?;
        let grammar = bound(text.name, text.text)?;
        let params = MgeParams::for_classes(2).check(&grammar, Variant::Mge).map_err(unusable)?;
        let mapper = Mapper::new(grammar, Variant::Mge, 0).map_err(unusable)?;
        Ok(Self { mapper, params })
    }

    /// The position of a bit: its gene, the codon in the gene, the bit in the codon.
    fn position(&self, bit: usize) -> (usize, usize, usize) {
        let (width, length) = (self.params.codon_bits() as usize, self.params.raw().gene_length);
        (bit / width / length, bit / width % length, bit % width)
    }
}

impl AnalysedRepresentation for MgeRepresentation {
    type Genome = Genotype;
    type Variation = Variation;

    fn variation(&self) -> Variation {
        Variation::new(self.params.clone())
    }

    fn random(&self, neurons: usize, stream: &mut Stream) -> Genotype {
        let shift = 64 - self.params.codon_bits();
        let length = self.params.raw().gene_length;
        let gene = |stream: &mut Stream| -> Vec<u16> {
            (0..length).map(|_| (stream.bits() >> shift) as u16).collect()
        };
        (0..neurons).map(|_| gene(stream)).collect()
    }

    fn network(&self, genome: &Genotype) -> Option<Network> {
        self.mapper.map(genome, &mut Workspace::default()).network
    }

    fn bits(&self, genome: &Genotype) -> usize {
        let codons: usize = genome.genes().map(|gene| gene.len()).sum();
        codons * self.params.codon_bits() as usize
    }

    fn flipped(&self, genome: &Genotype, bits: &[usize], _: &mut Stream) -> Genotype {
        let mut genes: Vec<Vec<u16>> = genome.genes().collect();
        for (gene, codon, bit) in bits.iter().map(|&bit| self.position(bit)) {
            genes[gene][codon] ^= 1 << bit;
        }
        genes.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge::random::Purpose;

    #[test]
    fn every_bit_flips_one_bit_of_one_codon() {
        let representation = MgeRepresentation::new().unwrap();
        let mut stream = Stream::at(1, Purpose::Initialisation, 0, 0);
        let genome = representation.random(2, &mut stream);
        assert_eq!(representation.bits(&genome), 2 * 100 * 8);
        for bit in [0, 7, 8, 799, 800, 1599] {
            let mutant = representation.flipped(&genome, &[bit], &mut stream);
            let codons = |g: &Genotype| -> Vec<u16> { g.genes().flatten().collect() };
            let changed: u32 = codons(&genome)
                .iter()
                .zip(codons(&mutant))
                .map(|(a, b)| (a ^ b).count_ones())
                .sum();
            assert_eq!(changed, 1, "bit {bit}");
            assert_eq!(representation.flipped(&mutant, &[bit], &mut stream), genome);
        }
    }
}
