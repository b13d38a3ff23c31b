//! Grammatical Evolution (Ryan, Collins and O'Neill 1998) of networks with one hidden layer
//! (Tsoulos, Gavrilis and Glavas 2008): a genotype is one list of codons for the whole network.
//!
//! - [`Genotype`]: what evolves;
//! - [`Mapper`]: codons to a network, or to nothing;
//! - [`Variation`]: how genotypes begin and vary;
//! - [`GeParams`]: the settings.

mod genome;
mod map;
mod params;
mod vary;

pub use crate::network_sentence::{MapperError, NetworkFailure};
pub use genome::Genotype;
pub use map::Mapper;
pub use params::{CheckedGe, GeParamError, GeParams};
pub use vary::Variation;
