//! Dynamic Structured Grammatical Evolution (Assuncao, Lourenco, Machado and Ribeiro 2017, GECCO) of
//! networks with any number of layers. A genotype has one list of codons for each symbol. A list
//! holds exactly the codons that are read, and grows where an offspring needs more.
//!
//! - [`Genotype`]: what evolves;
//! - [`Mapper`]: lists of codons to a network;
//! - [`Variation`]: how genotypes begin, vary and are repaired;
//! - [`DsgeParams`]: the settings.

mod genome;
mod growing_lists;
mod map;
mod params;
mod vary;

pub use crate::network_sentence::{MapperError, NetworkFailure};
pub use genome::Genotype;
pub use map::Mapper;
pub use params::{CheckedDsge, DsgeParamError, DsgeParams};
pub use vary::Variation;
