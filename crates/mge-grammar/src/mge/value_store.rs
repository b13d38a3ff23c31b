//! The real numbers of all genes of a genotype, one after another: of each gene its step, then its
//! values. Each gene has as many; without real weights there are none, and nothing is paid for them.

use serde::Serializer;
use std::ops::Range;

/// Numbers of genes.
#[derive(Debug, Default)]
pub(super) struct Reals {
    /// How many a gene has: none, or the step and the values.
    width: usize,
    numbers: Vec<f32>,
}

impl Reals {
    /// For genes with so many values; with none they have no step either.
    pub(super) fn new(values: usize) -> Self {
        Self { width: if values == 0 { 0 } else { values + 1 }, numbers: Vec::new() }
    }

    /// The numbers of all genes. `None` unless the genes have as many values each, and a step.
    pub(super) fn from_lists(genes: usize, steps: &[f32], values: &[Vec<f32>]) -> Option<Self> {
        if steps.is_empty() && values.is_empty() {
            return Some(Self::default());
        }
        let mut reals = Self::new(values.first()?.len());
        let is_even = values.iter().all(|list| list.len() + 1 == reals.width);
        if !is_even || steps.len() != genes || values.len() != genes {
            return None;
        }
        for (step, values) in steps.iter().zip(values) {
            reals.numbers.push(*step);
            reals.numbers.extend_from_slice(values);
        }
        Some(reals)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.width == 0
    }

    /// How many values a gene has.
    pub(super) fn values_of_each(&self) -> usize {
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

    /// The same, to be changed.
    pub(super) fn get_mut(&mut self, gene: usize) -> Option<(&mut f32, &mut [f32])> {
        let range = self.range(gene);
        self.numbers[range].split_first_mut()
    }

    /// Puts zeros before the numbers of a gene.
    pub(super) fn insert(&mut self, gene: usize) {
        let start = self.range(gene).start;
        self.numbers.splice(start..start, std::iter::repeat_n(0.0, self.width));
    }

    pub(super) fn remove(&mut self, gene: usize) {
        let range = self.range(gene);
        self.numbers.drain(range);
    }

    /// Becomes those of the first `count` genes of one, and of the genes behind those of another.
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

/// Equal to the bit, so that it is an equivalence whatever a file held.
impl PartialEq for Reals {
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (self.numbers.iter(), other.numbers.iter());
        self.width == other.width && one.map(|n| n.to_bits()).eq(two.map(|n| n.to_bits()))
    }
}
