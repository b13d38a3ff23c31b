//! The genotype: one list of codons, of any length.

use serde::{Deserialize, Serialize};

/// Codons that map to a whole network, read from the left.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Genotype {
    /// The codons.
    pub codons: Vec<u16>,
}
