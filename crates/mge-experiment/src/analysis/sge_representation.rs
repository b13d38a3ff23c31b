//! SGE in the analyses: one list of fixed length for each symbol.

use super::choice_bits::{count_bits, flip};
use super::{AnalysedRepresentation, NETWORK_GRAMMAR, bound, unusable};
use crate::ExperimentError;
use mge::evolve::Representation;
use mge::grammar::network_mapper::{NetworkMapper, Workspace};
use mge::grammar::sge::{Genotype, Mapper, SgeParams, Variation};
use mge::net::Network;
use mge::random::{Purpose, Stream};

/// SGE with the grammar of the analyses and its own mutation rate. That rate changes about one
/// codon that is read in each offspring, like the rates of MGE.
#[derive(Debug)]
pub struct SgeRepresentation {
    mapper: Mapper,
    variation: Variation,
    /// The number of alternatives of each codon.
    alternatives: Vec<usize>,
}

impl SgeRepresentation {
    /// Creates the representation of networks with up to `neurons` hidden neurons, each with up to
    /// as many inputs.
    pub fn new(neurons: usize) -> Result<Self, ExperimentError> {
        let params = SgeParams { recursion: neurons.saturating_sub(1), ..SgeParams::default() };
        let params = params.check().map_err(unusable)?;
        let mapper = Mapper::new(bound("analysis", NETWORK_GRAMMAR)?, &params).map_err(unusable)?;
        let variation = Variation::new(&mapper, params);
        // All genotypes have lists of the same lengths.
        let any = variation.random(&mut Stream::at(0, Purpose::Initialisation, 0, 0));
        let grammar = mapper.grammar();
        let of_list = |symbol| {
            let length = mapper.list(&any, symbol).len();
            std::iter::repeat_n(grammar.alternatives(symbol), length)
        };
        let alternatives = grammar.symbols().flat_map(of_list).collect();
        Ok(Self { mapper, variation, alternatives })
    }
}

impl AnalysedRepresentation for SgeRepresentation {
    type Genome = Genotype;
    type Variation = Variation;

    fn variation(&self) -> Variation {
        self.variation.clone()
    }

    fn random(&self, _: usize, stream: &mut Stream) -> Genotype {
        self.variation.random(stream)
    }

    fn network(&self, genome: &Genotype) -> Option<Network> {
        self.mapper.map(genome, &mut Workspace::default()).network
    }

    fn bits(&self, _: &Genotype) -> usize {
        count_bits(&self.alternatives)
    }

    fn flipped(&self, genome: &Genotype, bits: &[usize], _: &mut Stream) -> Genotype {
        let mut mutant = genome.clone();
        bits.iter().for_each(|&bit| flip(&mut mutant.codons, &self.alternatives, bit));
        mutant
    }
}
