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
    /// Always there, until the gene is dropped.
    data: Option<Arc<GeneData>>,
    /// How many codons there are: to know it without a look at them.
    len: u32,
}

#[derive(Debug, Default)]
struct GeneData {
    memos: Memos,
    codons: Vec<u16>,
}

impl Gene {
    fn new(data: Arc<GeneData>) -> Self {
        let len = u32::try_from(data.codons.len()).expect("genes are far shorter");
        Self { data: Some(data), len }
    }

    #[inline]
    fn data(&self) -> &Arc<GeneData> {
        self.data.as_ref().expect("there until the gene is dropped")
    }

    /// The codons.
    #[inline]
    pub fn codons(&self) -> &[u16] {
        &self.data().codons
    }

    /// How many codons there are.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no codon.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether both are the same gene in memory, inherited from one ancestor.
    pub fn is_same(&self, other: &Gene) -> bool {
        Arc::ptr_eq(self.data(), other.data())
    }

    /// What the gene is known to map to.
    pub(super) fn memos(&self) -> &Memos {
        &self.data().memos
    }

    /// A copy with codons that `change` changes, none before the one at `first`.
    pub(super) fn mutant(&self, first: usize, change: impl FnOnce(&mut [u16])) -> Self {
        let mut data = spare::take();
        // A spare has no other owner.
        let fresh = Arc::get_mut(&mut data).expect("a spare gene is shared by nobody");
        fresh.codons.clear();
        fresh.codons.extend_from_slice(self.codons());
        change(&mut fresh.codons);
        fresh.memos = self.data().memos.inherited(self.codons(), &fresh.codons, first);
        Self::new(data)
    }
}

impl Drop for Gene {
    fn drop(&mut self) {
        if let Some(data) = self.data.take_if(|data| Arc::strong_count(data) == 1) {
            spare::keep(data);
        }
    }
}

/// Memory of dropped genes, for the next ones: most offspring live for one generation, and their
/// genes would be most of what the search allocates.
mod spare {
    use super::GeneData;
    use std::cell::RefCell;
    use std::sync::Arc;

    /// Genes that a thread keeps.
    const MOST: usize = 1024;

    thread_local! {
        static SPARE: RefCell<Vec<Arc<GeneData>>> = const { RefCell::new(Vec::new()) };
    }

    pub(super) fn take() -> Arc<GeneData> {
        SPARE.try_with(|spare| spare.borrow_mut().pop()).ok().flatten().unwrap_or_default()
    }

    /// Keeps the memory of a gene that nobody else has, unless there is enough.
    pub(super) fn keep(mut data: Arc<GeneData>) {
        let Some(own) = Arc::get_mut(&mut data) else { return };
        own.memos = Default::default();
        // A thread that ends has no use for it.
        let _ = SPARE.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            if spare.len() < MOST {
                spare.push(data);
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
        Self::new(Arc::new(GeneData { memos: Memos::default(), codons }))
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
