//! Modular Grammatical Evolution: a genotype is a list of genes, a gene maps to one hidden neuron
//! (section "MGE" of the paper).
//!
//! - [`Genotype`]: what evolves;
//! - [`Mapper`]: maps genes to neurons and a genotype to a network, for all five [`Variant`]s;
//! - [`GeneCache`]: what inherited genes map to;
//! - [`WeightOrigins`]: from tuned weights back to the values of the genes;
//! - [`Variation`]: initialisation, crossover and mutation, with real weights too;
//! - [`MgeParams`]: the settings.

mod gene_cache;
mod genome;
mod map;
mod packed_codons;
mod params;
mod real_weights;
mod value_store;
mod vary;
mod weight_origins;

pub use gene_cache::{GeneCache, UncachedGenes};
pub use genome::Genotype;
pub use map::{GeneFailure, Mapped, MappedParts, Mapper, MapperError, Workspace};
pub use params::{CheckedMge, MgeParamError, MgeParams, Variant, Weights};
pub use real_weights::{MAX_VALUE, RealParamError, RealParams};
pub use vary::Variation;
pub use weight_origins::{WeightOrigin, WeightOrigins};
