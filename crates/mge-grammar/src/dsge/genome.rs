//! The genotype: the codon lists of all symbols in one vector, and the end of each list.
//!
//! Invariant of every genotype in a population: mapping reads each list exactly to its end, and
//! every codon is the number of an alternative. [`Variation`](super::Variation) maintains it.

use crate::Symbol;
use serde::{Deserialize, Serialize};

/// Codons that map to a whole network. Each is the number of an alternative.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Genotype {
    /// The codons of all lists, in the order of the rules.
    pub codons: Vec<u16>,
    /// 0, then the end of each list.
    pub bounds: Vec<u32>,
}

impl Genotype {
    /// A genotype of these lists, one for each rule of the grammar.
    pub fn of<'l>(lists: impl IntoIterator<Item = &'l [u16]>) -> Self {
        let mut genotype = Self { codons: Vec::new(), bounds: vec![0] };
        for list in lists {
            genotype.codons.extend_from_slice(list);
            genotype.bounds.push(genotype.codons.len() as u32);
        }
        genotype
    }

    /// The list of a symbol. Empty for a symbol that is not replaced, or never has a choice.
    pub fn list(&self, symbol: Symbol) -> &[u16] {
        let symbol = symbol.0 as usize;
        match self.bounds.get(symbol..symbol + 2) {
            Some(&[begin, end]) => self.codons.get(begin as usize..end as usize),
            _ => None,
        }
        .unwrap_or_default()
    }

    /// Whether the bounds are valid for this number of lists and all codons.
    pub(super) fn is_valid(&self, lists: usize) -> bool {
        self.bounds.len() == lists + 1
            && self.bounds[0] == 0
            && self.bounds.is_sorted()
            && self.bounds[lists] as usize == self.codons.len()
    }
}
