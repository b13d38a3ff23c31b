//! The genotype (section "Representation").
//!
//! Genes never change once made and are shared between the individuals that inherit them: a copy
//! of a genotype copies no codons. A gene remembers what it maps to, and a mutant whose changed
//! codons choose nothing else (most are never read) inherits that memory.

use super::memo::Memos;
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A list of codons that maps to one hidden neuron.
#[derive(Debug, Clone)]
pub struct Gene {
    data: Arc<GeneData>,
}

#[derive(Debug)]
struct GeneData {
    memos: Memos,
    codons: Box<[u16]>,
}

impl Gene {
    /// The codons.
    pub fn codons(&self) -> &[u16] {
        &self.data.codons
    }

    /// Whether both are the same gene in memory, inherited from one ancestor.
    pub fn is_same(&self, other: &Gene) -> bool {
        Arc::ptr_eq(&self.data, &other.data)
    }

    /// What the gene is known to map to.
    pub(super) fn memos(&self) -> &Memos {
        &self.data.memos
    }

    /// A copy with codons that `change` changes, none before the one at `first`.
    pub(super) fn mutant(&self, first: usize, change: impl FnOnce(&mut [u16])) -> Self {
        let mut codons = spare::copy_of(self.codons());
        change(&mut codons);
        let memos = self.data.memos.inherited(self.codons(), &codons, first);
        Self { data: Arc::new(GeneData { memos, codons }) }
    }
}

impl Drop for GeneData {
    fn drop(&mut self) {
        spare::keep(std::mem::take(&mut self.codons));
    }
}

/// Memory of dropped genes, for the next ones: most offspring live for one generation, and their
/// codons would be most of what the search allocates.
mod spare {
    use std::cell::RefCell;

    /// Genes' worth of memory that a thread keeps.
    const MOST: usize = 1024;

    thread_local! {
        static SPARE: RefCell<Vec<Box<[u16]>>> = const { RefCell::new(Vec::new()) };
    }

    pub(super) fn copy_of(codons: &[u16]) -> Box<[u16]> {
        let spare = SPARE.try_with(|spare| spare.borrow_mut().pop()).ok().flatten();
        match spare {
            Some(mut same) if same.len() == codons.len() => {
                same.copy_from_slice(codons);
                same
            }
            _ => codons.into(),
        }
    }

    pub(super) fn keep(codons: Box<[u16]>) {
        // A thread that ends has no use for it.
        let _ = SPARE.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            if spare.len() < MOST {
                spare.push(codons);
            }
        });
    }
}

impl PartialEq for Gene {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || self.codons() == other.codons()
    }
}

impl Eq for Gene {}

impl Hash for Gene {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.codons().hash(state);
    }
}

impl FromIterator<u16> for Gene {
    fn from_iter<I: IntoIterator<Item = u16>>(codons: I) -> Self {
        let codons = codons.into_iter().collect();
        Self { data: Arc::new(GeneData { memos: Memos::default(), codons }) }
    }
}

impl Serialize for Gene {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.codons().serialize(serializer)
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
