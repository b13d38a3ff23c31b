//! Modular Grammatical Evolution: a genotype is a list of genes, a gene maps to one hidden neuron
//! (section "MGE" of the paper).
//!
//! - [`Genotype`]: what evolves;
//! - [`Mapper`]: genes to neurons to a network, for all five [`Variant`]s;
//! - [`GeneCache`]: what genes were mapped to before;
//! - [`Origins`]: the way back, from tuned weights to the values of the genes;
//! - [`Variation`]: how genotypes begin and vary, with [`real`] weights too;
//! - [`MgeParams`]: the settings.

mod codons;
mod genome;
mod known;
mod map;
mod origins;
mod params;
pub mod real;
mod reals;
mod vary;

pub use genome::Genotype;
pub use known::{GeneCache, UncachedGenes};
pub use map::{GeneFailure, ListedParts, Mapped, Mapper, MapperError, Workspace};
pub use origins::{Origin, Origins};
pub use params::{
    CheckedMge, MgeParamError, MgeParams, UnknownVariant, UnknownWeights, Variant, Weights,
};
pub use real::{RealParamError, RealParams};
pub use vary::Variation;
