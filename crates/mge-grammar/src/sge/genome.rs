//! The genotype: the codon lists of all symbols in one vector. The mapper knows the start of each
//! list, because the grammar determines the lengths.

use serde::{Deserialize, Serialize};

/// Codons that map to a whole network. Each is the number of an alternative.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Genotype {
    /// The codons of all lists, in the order of the rules; see [`Mapper::list`](super::Mapper::list).
    pub codons: Vec<u16>,
}
