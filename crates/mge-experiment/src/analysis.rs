//! Analyses of representations, apart from any data set (section "Representation Analysis").
//!
//! [`AnalysedRepresentation`] is all that the analyses need: random genotypes, mapping, bits to
//! flip, and genetic operators. Each representation implements it in its own file; [`find`] returns
//! its analyses by name. All representations have the same networks, as the paper asks for: 30
//! features, one hidden layer, one output, weights of three digits.

mod choice_bits;
mod dsge_representation;
mod ge_representation;
mod locality;
mod mge_representation;
mod scalability;
mod sge_representation;

pub use locality::{Locality, LocalityOptions, SizeLocality, locality};
pub use scalability::{GrowthCurves, GrowthOptions, scalability};

use crate::ExperimentError;
use dsge_representation::DsgeRepresentation;
use ge_representation::{GeCrossover, GeRepresentation};
use mge::evolve::Representation;
use mge::grammar::{Grammar, Shape, Template, shipped};
use mge::net::Network;
use mge::random::Stream;
use mge_representation::MgeRepresentation;
use sge_representation::SgeRepresentation;

/// What the analyses need of a representation.
pub trait AnalysedRepresentation: Sync {
    /// The genotype.
    type Genome: Clone + Send + Sync;
    /// The genetic operators.
    type Variation: Representation<Genome = Self::Genome>;

    /// Initialisation, crossover and mutation.
    fn variation(&self) -> Self::Variation;
    /// A random genotype. If the representation allows it, its network has this many hidden
    /// neurons.
    fn random(&self, neurons: usize, stream: &mut Stream) -> Self::Genome;
    /// The network, or `None` for an invalid individual.
    fn network(&self, genome: &Self::Genome) -> Option<Network>;
    /// The number of bits of a genotype.
    fn bits(&self, genome: &Self::Genome) -> usize;
    /// The genotype with these bits flipped, and repaired if the method repairs genotypes.
    fn flipped(&self, genome: &Self::Genome, bits: &[usize], stream: &mut Stream) -> Self::Genome;
}

/// The analyses of one representation, whatever its type of genotype.
pub trait Analysis: Send + Sync {
    /// Measures how far flipped bits move networks.
    fn locality(&self, options: &LocalityOptions) -> Result<Locality, ExperimentError>;
    /// Measures how networks grow if fitness is the number of connections.
    fn scalability(&self, options: &GrowthOptions) -> Result<GrowthCurves, ExperimentError>;
}

/// A representation for each analysis. They differ for SGE only, which bounds its networks in
/// advance.
struct Representations<R> {
    locality: R,
    scalability: R,
}

impl<R: AnalysedRepresentation + Send> Analysis for Representations<R> {
    fn locality(&self, options: &LocalityOptions) -> Result<Locality, ExperimentError> {
        locality(&self.locality, options)
    }

    fn scalability(&self, options: &GrowthOptions) -> Result<GrowthCurves, ExperimentError> {
        scalability(&self.scalability, options)
    }
}

/// The representations that the paper analyses.
pub const ANALYSED: [&str; 4] = ["mge", "ge", "sge", "dsge"];

/// All representations that can be analysed, by name. A new one is one line here.
const REPRESENTATIONS: [(&str, CreateAnalysis); 5] = [
    ("mge", || analyses(MgeRepresentation::new()?, MgeRepresentation::new()?)),
    ("ge", || ge_analyses(GeCrossover::OnePoint)),
    ("sge", || {
        let locality = SgeRepresentation::new(SGE_LOCALITY_NEURONS)?;
        analyses(locality, SgeRepresentation::new(SGE_SCALABILITY_NEURONS)?)
    }),
    ("dsge", || analyses(DsgeRepresentation::new()?, DsgeRepresentation::new()?)),
    // Each parent has its own crossover point, like in the search method `ge`.
    ("ge-two-points", || ge_analyses(GeCrossover::TwoPoints)),
];

type CreateAnalysis = fn() -> Result<Box<dyn Analysis>, ExperimentError>;

fn analyses<R: AnalysedRepresentation + Send + 'static>(
    locality: R,
    scalability: R,
) -> Result<Box<dyn Analysis>, ExperimentError> {
    Ok(Box::new(Representations { locality, scalability }))
}

fn ge_analyses(crossover: GeCrossover) -> Result<Box<dyn Analysis>, ExperimentError> {
    analyses(GeRepresentation::new(crossover)?, GeRepresentation::new(crossover)?)
}

/// The names of all representations that can be analysed.
pub fn known() -> Vec<&'static str> {
    REPRESENTATIONS.iter().map(|(name, _)| *name).collect()
}

/// The number of features of the grammar in the paper's analyses.
pub const FEATURES: usize = 30;

/// The largest number of neurons, and of inputs of each, of SGE in the locality analysis: that of
/// the largest measured networks.
const SGE_LOCALITY_NEURONS: usize = 9;
/// The same in the scalability analysis: "a far bigger value".
const SGE_SCALABILITY_NEURONS: usize = 50;

/// The grammar of the representations that map a whole network.
const NETWORK_GRAMMAR: &str = shipped::SGE.text;

/// The analyses of the representation of this name.
pub fn find(name: &str) -> Result<Box<dyn Analysis>, ExperimentError> {
    match REPRESENTATIONS.iter().find(|(known, _)| *known == name) {
        Some((_, create)) => create(),
        None => Err(ExperimentError::NotAnalysed { name: name.to_owned() }),
    }
}

/// The error of a grammar or of settings that cannot be used.
fn unusable(error: impl std::fmt::Display) -> ExperimentError {
    ExperimentError::Grammar { reason: error.to_string() }
}

/// Parses a grammar and binds it to the shape of the analyses.
fn bound(name: &str, text: &str) -> Result<Grammar, ExperimentError> {
    let shape = Shape { features: FEATURES, outputs: 1 };
    Template::parse(name, text).map_err(unusable)?.bind(shape).map_err(unusable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge::random::Purpose;

    /// Checks the shape of networks, that some bits change the network, and that flipping a bit
    /// twice restores it.
    fn check<R: AnalysedRepresentation>(representation: &R, is_involution: bool) {
        let mut stream = Stream::at(1, Purpose::Initialisation, 0, 0);
        let mut changed = 0;
        for _ in 0..50 {
            let genome = representation.random(3, &mut stream);
            let Some(network) = representation.network(&genome) else { continue };
            assert_eq!((network.inputs(), network.outputs().len()), (FEATURES, 1));
            let reads_features =
                |link: &mge::net::Link| matches!(link.source, mge::net::Source::Input(_));
            let mut links = network.neurons().iter().flat_map(|neuron| &neuron.links);
            assert!(links.all(reads_features), "one hidden layer");
            let bit = stream.index(representation.bits(&genome));
            let mutant = representation.flipped(&genome, &[bit], &mut stream);
            changed += usize::from(representation.network(&mutant).as_ref() != Some(&network));
            if is_involution {
                let restored = representation.flipped(&mutant, &[bit], &mut stream);
                assert_eq!(representation.network(&restored), Some(network));
            }
        }
        assert!(changed > 0);
    }

    #[test]
    fn all_representations_have_the_same_networks() {
        check(&MgeRepresentation::new().unwrap(), true);
        check(&GeRepresentation::new(GeCrossover::OnePoint).unwrap(), true);
        check(&SgeRepresentation::new(9).unwrap(), false);
        check(&DsgeRepresentation::new().unwrap(), false);
        for name in known() {
            assert!(find(name).is_ok(), "{name}");
        }
        let error = find("neat").err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.ends_with("expected some of mge, ge, sge, dsge, ge-two-points"), "{error}");
    }
}
