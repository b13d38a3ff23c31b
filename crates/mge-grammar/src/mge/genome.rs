//! The genotype (section "Representation").
//!
//! Genes never change once made and are shared between the individuals that inherit them: a copy
//! of a genotype copies no codons.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A list of codons that maps to one hidden neuron.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Gene {
    codons: Arc<[u16]>,
}

impl Gene {
    /// The codons.
    pub fn codons(&self) -> &[u16] {
        &self.codons
    }

    /// Whether both are the same gene in memory, inherited from one ancestor.
    pub fn is_same(&self, other: &Gene) -> bool {
        Arc::ptr_eq(&self.codons, &other.codons)
    }
}

impl FromIterator<u16> for Gene {
    fn from_iter<I: IntoIterator<Item = u16>>(codons: I) -> Self {
        Self { codons: codons.into_iter().collect() }
    }
}

impl Serialize for Gene {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.codons.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Gene {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<u16>::deserialize(deserializer).map(|codons| codons.into_iter().collect())
    }
}

/// A list of genes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Genotype {
    /// The genes, in the order in which they are mapped.
    pub genes: Vec<Gene>,
}
