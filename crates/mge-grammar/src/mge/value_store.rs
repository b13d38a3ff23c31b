//! The steps and values of all genes of a genotype in one vector: the step of a gene, then its
//! values, then the next gene. All genes have the same number of values. Without real weights the
//! vector is empty.

use serde::Serializer;
use std::ops::Range;

/// Steps and values of genes.
#[derive(Debug, Default)]
pub(super) struct ValueStore {
    /// How many numbers a gene has: none, or one step and its values.
    width: usize,
    numbers: Vec<f32>,
}

impl ValueStore {
    /// An empty store for genes with this number of values. Without values there is no step either.
    pub(super) fn new(values: usize) -> Self {
        Self { width: if values == 0 { 0 } else { values + 1 }, numbers: Vec::new() }
    }

    /// The store of all genes. `None` unless each gene has a step and the same number of values.
    pub(super) fn from_lists(genes: usize, steps: &[f32], values: &[Vec<f32>]) -> Option<Self> {
        if steps.is_empty() && values.is_empty() {
            return Some(Self::default());
        }
        let mut store = Self::new(values.first()?.len());
        let is_even = values.iter().all(|list| list.len() + 1 == store.width);
        if !is_even || steps.len() != genes || values.len() != genes {
            return None;
        }
        for (step, values) in steps.iter().zip(values) {
            store.numbers.push(*step);
            store.numbers.extend_from_slice(values);
        }
        Some(store)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.width == 0
    }

    /// How many values a gene has.
    pub(super) fn per_gene(&self) -> usize {
        self.width.saturating_sub(1)
    }

    fn range(&self, gene: usize) -> Range<usize> {
        gene * self.width..(gene + 1) * self.width
    }

    /// The step of a gene and its values.
    pub(super) fn get(&self, gene: usize) -> Option<(f32, &[f32])> {
        let (step, values) = self.numbers[self.range(gene)].split_first()?;
        Some((*step, values))
    }

    /// The step of a gene and its values, to be changed.
    pub(super) fn get_mut(&mut self, gene: usize) -> Option<(&mut f32, &mut [f32])> {
        let range = self.range(gene);
        self.numbers[range].split_first_mut()
    }

    /// Inserts a gene whose step and values are zero.
    pub(super) fn insert(&mut self, gene: usize) {
        let start = self.range(gene).start;
        self.numbers.splice(start..start, std::iter::repeat_n(0.0, self.width));
    }

    pub(super) fn remove(&mut self, gene: usize) {
        let range = self.range(gene);
        self.numbers.drain(range);
    }

    /// Becomes the first `count` genes of one store, followed by the genes of another from index
    /// `count` on.
    #[inline]
    pub(super) fn join(&mut self, first: &Self, rest: &Self, count: usize) {
        self.width = first.width;
        self.numbers.clear();
        if self.width > 0 {
            self.numbers.extend_from_slice(&first.numbers[..count * self.width]);
            self.numbers.extend_from_slice(&rest.numbers[count * self.width..]);
        }
    }

    /// The steps of all genes.
    pub(super) fn serialize_steps<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.genes().map(|numbers| numbers[0]))
    }

    /// The values of each gene.
    pub(super) fn serialize_values<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.genes().map(|numbers| &numbers[1..]))
    }

    fn genes(&self) -> impl Iterator<Item = &[f32]> {
        self.numbers.chunks_exact(self.width.max(1))
    }
}

/// Compares bits, so that it is an equivalence relation even for NaN.
impl PartialEq for ValueStore {
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (self.numbers.iter(), other.numbers.iter());
        self.width == other.width && one.map(|n| n.to_bits()).eq(two.map(|n| n.to_bits()))
    }
}
