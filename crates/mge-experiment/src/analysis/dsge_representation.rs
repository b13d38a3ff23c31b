//! DSGE in the analyses: one list for each symbol, as long as needed, with repair.

use super::choice_bits::{count_bits, flip};
use super::{AnalysedRepresentation, bound, unusable};
use crate::ExperimentError;
use mge::evolve::Representation;
use mge::grammar::dsge::{DsgeParams, Genotype, Mapper, Variation};
use mge::grammar::network_mapper::{NetworkMapper, Workspace};
use mge::net::Network;
use mge::random::Stream;

/// The networks of [`NETWORK_GRAMMAR`](super::NETWORK_GRAMMAR), with the rule names that DSGE
/// expects. A sentence must begin with a layer. Nothing reads its neuron, so the network leaves it
/// out.
const LAYERED: &str = "
<Network> ::= <Layer> -> <Output>
<Layer>   ::= sig(x1)
<Output>  ::= <Nodes>
<Nodes>   ::= <Node> | <Node> + <Nodes>
<Node>    ::= <Number>*<Neuron>
<Neuron>  ::= sig(<Sum> + <Number>)
<Sum>     ::= <Number>*<xnList> | <Number>*<xnList> + <Sum>
<Number>  ::= <Digit>.<Digit><Digit> | -<Digit>.<Digit><Digit>
<Digit>   ::= 0..9
<xnList>  ::= x1..xd
";

/// A depth that no network reaches, because the paper names no bound.
const UNLIMITED_DEPTH: usize = 1000;

/// DSGE with the grammar of the analyses and its own mutation rate. That rate changes about one
/// codon in each offspring, like the rates of MGE.
#[derive(Debug)]
pub struct DsgeRepresentation {
    mapper: Mapper,
    variation: Variation,
    repair: Variation,
}

impl DsgeRepresentation {
    /// With the paper's settings.
    pub fn new() -> Result<Self, ExperimentError> {
        let raw = DsgeParams {
            initial_depth: UNLIMITED_DEPTH,
            max_depth: UNLIMITED_DEPTH,
            ..DsgeParams::default()
        };
        let without_mutation = DsgeParams { mutation_rate: 0.0, ..raw.clone() };
        let params = raw.check().map_err(unusable)?;
        let without_mutation = without_mutation.check().map_err(unusable)?;
        let mapper = Mapper::new(bound("layered", LAYERED)?, &params).map_err(unusable)?;
        let variation = Variation::new(&mapper, params);
        let repair = Variation::new(&mapper, without_mutation);
        Ok(Self { mapper, variation, repair })
    }

    /// The number of alternatives of each codon.
    fn alternatives(&self, genome: &Genotype) -> Vec<usize> {
        let grammar = self.mapper.grammar();
        let of_list =
            |symbol| std::iter::repeat_n(grammar.alternatives(symbol), genome.list(symbol).len());
        grammar.symbols().flat_map(of_list).collect()
    }
}

impl AnalysedRepresentation for DsgeRepresentation {
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

    fn bits(&self, genome: &Genotype) -> usize {
        count_bits(&self.alternatives(genome))
    }

    fn flipped(&self, genome: &Genotype, bits: &[usize], stream: &mut Stream) -> Genotype {
        let mut mutant = genome.clone();
        let alternatives = self.alternatives(genome);
        bits.iter().for_each(|&bit| flip(&mut mutant.codons, &alternatives, bit));
        self.repair.mutate(&mut mutant, stream);
        mutant
    }
}
