//! The genotype: the lists of all symbols behind each other. The mapper knows where each begins,
//! since their lengths follow from the grammar.

use serde::{Deserialize, Serialize};

/// Codons that map to a whole network. Each is the number of an alternative.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Genotype {
    /// The codons of all lists, in the order of the rules; see [`Mapper::list`](super::Mapper::list).
    pub codons: Vec<u16>,
}
