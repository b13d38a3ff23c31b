//! Structured Grammatical Evolution (Lourenco, Pereira and Costa 2016) of networks with one hidden
//! layer (Assuncao, Lourenco, Machado and Ribeiro 2017, CEC). A genotype has one list of codons for
//! each symbol. Each list is long enough for every derivation, so no individual is invalid.
//!
//! - [`Genotype`]: what evolves;
//! - [`Mapper`]: lists of codons to a network;
//! - [`Variation`]: how genotypes begin and vary;
//! - [`SgeParams`]: the settings.

mod genome;
mod map;
mod params;
mod vary;

pub use crate::network_sentence::{MapperError, NetworkFailure};
pub use genome::Genotype;
pub use map::Mapper;
pub use params::{CheckedSge, SgeParamError, SgeParams};
pub use vary::Variation;
