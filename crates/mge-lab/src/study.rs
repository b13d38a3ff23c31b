//! What a representation does, apart from any data set (section "Representation Analysis").
//!
//! [`Coding`] is all that the analyses need to know of a representation: random genotypes, mapping,
//! bits to flip, variation. One implementation for each, in a file of its own; [`find`] knows them
//! by name.

mod locality;
mod mge_coding;
mod scalability;

pub use locality::{Locality, LocalityPlan, SizeLocality, locality};
pub use mge_coding::MgeCoding;
pub use scalability::{Growth, GrowthPlan, scalability};

use crate::{LabError, MethodNameError, method_settings};
use mge::evolve::Representation;
use mge::net::Network;
use mge::random::Stream;

/// A representation under analysis.
pub trait Coding: Sync {
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
    /// Flips one of them.
    fn flip(&self, genome: &mut Self::Genome, bit: usize);
}

/// A representation whose genotypes nobody outside needs to know.
pub trait Study: Send + Sync {
    /// How far flipped bits move networks.
    fn locality(&self, plan: &LocalityPlan) -> Result<Locality, LabError>;
    /// How networks grow when connections are all that counts.
    fn scalability(&self, plan: &GrowthPlan) -> Result<Growth, LabError>;
}

impl<C: Coding + Send> Study for C {
    fn locality(&self, plan: &LocalityPlan) -> Result<Locality, LabError> {
        locality(self, plan)
    }

    fn scalability(&self, plan: &GrowthPlan) -> Result<Growth, LabError> {
        scalability(self, plan)
    }
}

/// The representations that the paper analyses.
pub const ANALYSED: [&str; 4] = ["mge", "ge", "sge", "dsge"];

/// Features of the grammar in the paper's analyses; weights have three digits, `#.##`.
pub const FEATURES: usize = 30;

/// The representation of a method.
pub fn find(name: &str) -> Result<Box<dyn Study>, LabError> {
    match name {
        "mge" => Ok(Box::new(MgeCoding::new()?)),
        other => {
            let unknown = match method_settings(other) {
                Err(error) => error,
                // A method without a representation that can be analysed.
                Ok(_) => MethodNameError::NotBuilt { name: other.to_owned() },
            };
            Err(unknown.into())
        }
    }
}
