//! What a representation does, apart from any data set (section "Representation Analysis").
//!
//! [`Codec`] is all that the analyses need to know of a representation: random genotypes, mapping,
//! bits to flip, variation. One implementation for each, in a file of its own; [`find`] knows them
//! by name. All have the same networks, as the paper asks for: 30 features, one hidden layer, one
//! output, weights of three digits.

mod choice_bits;
mod dsge_coding;
mod ge_coding;
mod locality;
mod mge_coding;
mod scalability;
mod sge_coding;

pub use dsge_coding::DsgeCoding;
pub use ge_coding::{GeCoding, GeCrossover, GeVariation};
pub use locality::{Locality, LocalityPlan, SizeLocality, locality};
pub use mge_coding::MgeCoding;
pub use scalability::{Growth, GrowthPlan, scalability};
pub use sge_coding::SgeCoding;

use crate::ExperimentError;
use mge::evolve::Representation;
use mge::grammar::{Grammar, Shape, Template, shipped};
use mge::net::Network;
use mge::random::Stream;

/// A representation under analysis.
pub trait Codec: Sync {
    /// What evolves.
    type Genome: Clone + Send + Sync;
    /// How it evolves.
    type Variation: Representation<Genome = Self::Genome>;

    /// Initialisation, crossover and mutation, for growing networks.
    fn variation(&self) -> Self::Variation;
    /// A random genotype, as far as possible one of a network with this many hidden neurons.
    fn random(&self, neurons: usize, stream: &mut Stream) -> Self::Genome;
    /// The network, or `None` for an invalid individual.
    fn network(&self, genome: &Self::Genome) -> Option<Network>;
    /// How many bits the genotype has.
    fn bits(&self, genome: &Self::Genome) -> usize;
    /// The genotype with these bits flipped, repaired where the method does that.
    fn flipped(&self, genome: &Self::Genome, bits: &[usize], stream: &mut Stream) -> Self::Genome;
}

/// A representation whose genotypes nobody outside needs to know.
pub trait Study: Send + Sync {
    /// How far flipped bits move networks.
    fn locality(&self, plan: &LocalityPlan) -> Result<Locality, ExperimentError>;
    /// How networks grow when connections are all that counts.
    fn scalability(&self, plan: &GrowthPlan) -> Result<Growth, ExperimentError>;
}

/// A representation as each analysis needs it; only SGE must bound its networks beforehand.
struct Analyses<C> {
    locality: C,
    scalability: C,
}

impl<C: Codec + Send> Study for Analyses<C> {
    fn locality(&self, plan: &LocalityPlan) -> Result<Locality, ExperimentError> {
        locality(&self.locality, plan)
    }

    fn scalability(&self, plan: &GrowthPlan) -> Result<Growth, ExperimentError> {
        scalability(&self.scalability, plan)
    }
}

/// The representations that the paper analyses.
pub const ANALYSED: [&str; 4] = ["mge", "ge", "sge", "dsge"];

/// GE with a crossover point in each parent, as the search method `ge` has it.
const GE_TWO_POINTS: &str = "ge-two-points";

/// All representations that can be analysed, by name.
pub fn known() -> Vec<&'static str> {
    ANALYSED.into_iter().chain([GE_TWO_POINTS]).collect()
}

/// Features of the grammar in the paper's analyses.
pub const FEATURES: usize = 30;

/// Neurons, and inputs of each, that SGE has room for: those of the largest networks whose locality
/// is measured, and "a far bigger value" where networks grow.
const SGE_NEURONS: (usize, usize) = (9, 50);

/// The grammar of the representations that map a whole network.
const NETWORKS: &str = shipped::SGE.text;

/// The representation of a method.
pub fn find(name: &str) -> Result<Box<dyn Study>, ExperimentError> {
    fn boxed<C: Codec + Send + 'static>(locality: C, scalability: C) -> Box<dyn Study> {
        Box::new(Analyses { locality, scalability })
    }
    match name {
        "mge" => Ok(boxed(MgeCoding::new()?, MgeCoding::new()?)),
        "ge" => {
            let coding = || GeCoding::new(GeCrossover::OnePoint);
            Ok(boxed(coding()?, coding()?))
        }
        GE_TWO_POINTS => {
            let coding = || GeCoding::new(GeCrossover::TwoPoints);
            Ok(boxed(coding()?, coding()?))
        }
        "sge" => Ok(boxed(SgeCoding::new(SGE_NEURONS.0)?, SgeCoding::new(SGE_NEURONS.1)?)),
        "dsge" => Ok(boxed(DsgeCoding::new()?, DsgeCoding::new()?)),
        other => Err(ExperimentError::NotAnalysed { name: other.to_owned() }),
    }
}

fn unusable(error: impl std::fmt::Display) -> ExperimentError {
    ExperimentError::Grammar { reason: error.to_string() }
}

/// A grammar for the analyses.
fn bound(name: &str, text: &str) -> Result<Grammar, ExperimentError> {
    let shape = Shape { features: FEATURES, outputs: 1 };
    Template::parse(name, text).map_err(unusable)?.bind(shape).map_err(unusable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge::random::Purpose;

    /// Genotypes map, a bit moves the network or not, and flipping it again brings it back.
    fn check<C: Codec>(coding: &C, is_involution: bool) {
        let mut stream = Stream::at(1, Purpose::Initialisation, 0, 0);
        let mut moved = 0;
        for _ in 0..50 {
            let genome = coding.random(3, &mut stream);
            let Some(network) = coding.network(&genome) else { continue };
            assert_eq!((network.inputs(), network.outputs().len()), (FEATURES, 1));
            let reads_features =
                |link: &mge::net::Link| matches!(link.source, mge::net::Source::Input(_));
            let mut links = network.neurons().iter().flat_map(|neuron| &neuron.links);
            assert!(links.all(reads_features), "one hidden layer");
            let bit = stream.index(coding.bits(&genome));
            let mutant = coding.flipped(&genome, &[bit], &mut stream);
            moved += usize::from(coding.network(&mutant).as_ref() != Some(&network));
            if is_involution {
                let back = coding.flipped(&mutant, &[bit], &mut stream);
                assert_eq!(coding.network(&back), Some(network));
            }
        }
        assert!(moved > 0);
    }

    #[test]
    fn all_codings_have_the_same_networks() {
        check(&MgeCoding::new().unwrap(), true);
        check(&GeCoding::new(GeCrossover::OnePoint).unwrap(), true);
        check(&SgeCoding::new(9).unwrap(), false);
        check(&DsgeCoding::new().unwrap(), false);
        for name in known() {
            assert!(find(name).is_ok(), "{name}");
        }
        let told = find("neat").err().map(|error| error.to_string()).unwrap_or_default();
        assert!(told.ends_with("expected some of mge, ge, sge, dsge, ge-two-points"), "{told}");
    }
}
