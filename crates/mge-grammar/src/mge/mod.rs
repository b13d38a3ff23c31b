//! Modular Grammatical Evolution: a genotype is a list of genes, a gene maps to one hidden neuron
//! (section "MGE" of the paper).
//!
//! - [`Genotype`], [`Gene`]: what evolves;
//! - [`Mapper`]: genes to neurons to a network, for all five [`Variant`]s;
//! - [`Variation`]: how genotypes begin and vary;
//! - [`MgeParams`]: the settings.

mod genome;
mod map;
mod memo;
mod params;
mod vary;

pub use genome::{Gene, Genotype};
pub use map::{GeneFailure, ListedParts, Mapped, Mapper, MapperError, Workspace};
pub use params::{CheckedMge, MgeParamError, MgeParams, UnknownVariant, Variant};
pub use vary::Variation;
