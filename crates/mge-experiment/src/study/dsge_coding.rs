//! DSGE under analysis: one list for each symbol, as long as needed, and repair.

use super::choice_bits::{count_bits, flip};
use super::{Codec, bound, unusable};
use crate::ExperimentError;
use mge::evolve::Representation;
use mge::grammar::dsge::{DsgeParams, Genotype, Mapper, Variation};
use mge::grammar::network_mapper::{NetworkMapper, Workspace};
use mge::net::Network;
use mge::random::Stream;

/// The same networks as [`NETWORKS`](super::NETWORKS) has, with the rules that DSGE knows by name. A
/// sentence must begin with a layer; the neuron there has no reader, so it is left out.
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

/// Deeper than any network gets: the paper names no bound.
const NO_DEPTH: usize = 1000;

/// DSGE with the grammar of the analyses and its own rate of mutation: about one codon in each
/// offspring, which is what the rates of MGE come to as well.
#[derive(Debug)]
pub struct DsgeCoding {
    mapper: Mapper,
    variation: Variation,
    repair: Variation,
}

impl DsgeCoding {
    /// With the paper's settings.
    pub fn new() -> Result<Self, ExperimentError> {
        let raw =
            DsgeParams { initial_depth: NO_DEPTH, max_depth: NO_DEPTH, ..DsgeParams::default() };
        let still = DsgeParams { mutation_rate: 0.0, ..raw.clone() };
        let (params, still) = (raw.check().map_err(unusable)?, still.check().map_err(unusable)?);
        let mapper = Mapper::new(bound("layered", LAYERED)?, &params).map_err(unusable)?;
        let variation = Variation::new(&mapper, params);
        let repair = Variation::new(&mapper, still);
        Ok(Self { mapper, variation, repair })
    }

    /// Of each codon.
    fn alternatives(&self, genome: &Genotype) -> Vec<usize> {
        let grammar = self.mapper.grammar();
        let of_list =
            |symbol| std::iter::repeat_n(grammar.alternatives(symbol), genome.list(symbol).len());
        grammar.symbols().flat_map(of_list).collect()
    }
}

impl Codec for DsgeCoding {
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
