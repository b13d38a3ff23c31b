//! The genotype (section "Representation"): a list of genes; a gene is a list of codons.
//!
//! All codons are in one vector. So a copy into a genotype that is no longer needed
//! ([`Clone::clone_from`]) is one copy of memory, without an allocation.
//!
//! With real weights each gene also has values, which the weight slots of the grammar read, and the
//! step by which they mutate. They are in a vector of their own. A genotype without them is as small
//! and as fast to copy as if they did not exist.
//!
//! Each gene carries a hint where the [`GeneCache`](super::GeneCache) has its mapping. The hint is
//! not part of the genotype: it is neither compared nor stored. A wrong hint is detected and only
//! costs time.

use super::packed_codons::PackedCodons;
use super::value_store::ValueStore;
use serde::de::Error;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// A list of genes, in the order in which they are mapped. A gene maps to one hidden neuron.
#[derive(Debug, Default)]
pub struct Genotype {
    /// The codons of all genes, one gene after another.
    codons: PackedCodons,
    headers: Vec<GeneHeader>,
    /// Steps and values; none unless weights are real.
    values: ValueStore,
}

/// A gene's length and its cache hint.
#[derive(Debug, Default)]
pub(super) struct GeneHeader {
    len: u32,
    slot: AtomicU32,
    /// Zero without a hint. The highest bit is set if the gene changed since the hint was set.
    serial: AtomicU64,
}

const CHANGED: u64 = 1 << 63;

/// Which entry of a gene cache has the mapping of a gene.
#[derive(Debug, Clone, Copy)]
pub(super) struct CacheHint {
    pub(super) slot: u32,
    pub(super) serial: u64,
    /// Whether the gene changed since the hint was set.
    pub(super) is_changed: bool,
}

impl GeneHeader {
    fn new(len: usize) -> Self {
        let len = u32::try_from(len).expect("genes are far shorter");
        Self { len, ..Self::default() }
    }

    fn len(&self) -> usize {
        self.len as usize
    }

    fn mark_changed(&mut self) {
        *self.serial.get_mut() |= CHANGED;
    }

    #[inline]
    pub(super) fn hint(&self) -> CacheHint {
        let serial = self.serial.load(Relaxed);
        let slot = self.slot.load(Relaxed);
        CacheHint { slot, serial: serial & !CHANGED, is_changed: serial & CHANGED != 0 }
    }

    /// Only one thread sets the hint of a gene, so the two stores need no lock.
    #[inline]
    pub(super) fn set_hint(&self, slot: u32, serial: u64) {
        self.slot.store(slot, Relaxed);
        self.serial.store(serial, Relaxed);
    }
}

impl Clone for GeneHeader {
    #[inline]
    fn clone(&self) -> Self {
        Self {
            len: self.len,
            slot: self.slot.load(Relaxed).into(),
            serial: self.serial.load(Relaxed).into(),
        }
    }
}

/// One gene of a genotype.
#[derive(Debug, Clone, Copy)]
pub(super) struct GeneRef<'g> {
    codons: &'g PackedCodons,
    start: usize,
    pub(super) header: &'g GeneHeader,
    values: &'g ValueStore,
    /// The index of the gene.
    pub(super) index: usize,
}

impl<'g> GeneRef<'g> {
    /// The values; none unless weights are real.
    pub(super) fn values(&self) -> &'g [f32] {
        self.values.get(self.index).map_or(&[], |(_, values)| values)
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.header.len()
    }

    #[inline]
    pub(super) fn codons(&self) -> impl ExactSizeIterator<Item = u16> {
        self.codons.iter(self.start..self.start + self.len())
    }

    /// Whether each of the first codons matches the item with the same index.
    #[inline]
    pub(super) fn starts_with<T>(&self, items: &[T], matches: impl Fn(&T, u16) -> bool) -> bool {
        items.len() <= self.len() && self.codons.all_match(self.start, items, matches)
    }

    pub(super) fn copy_to(&self, into: &mut Vec<u16>) {
        self.codons.copy_to(self.start..self.start + self.len(), into);
    }
}

impl Genotype {
    /// An empty genotype whose genes will have this number of values, and a step.
    pub fn with_values(count: usize) -> Self {
        Self { values: ValueStore::new(count), ..Self::default() }
    }

    /// How many genes there are.
    pub fn len(&self) -> usize {
        self.headers.len()
    }

    /// Whether there is no gene.
    pub fn is_empty(&self) -> bool {
        self.headers.is_empty()
    }

    /// The codons of each gene.
    pub fn genes(&self) -> impl ExactSizeIterator<Item = Vec<u16>> {
        self.gene_refs().map(|gene| gene.codons().collect())
    }

    /// How many values each gene has; none unless weights are real.
    pub fn values_per_gene(&self) -> usize {
        self.values.per_gene()
    }

    /// The step of a gene and its values; `None` unless weights are real.
    ///
    /// # Panics
    /// When there is no such gene.
    pub fn step_and_values(&self, gene: usize) -> Option<(f32, &[f32])> {
        self.values.get(gene)
    }

    /// The step of a gene and its values, to be changed; `None` unless weights are real.
    ///
    /// # Panics
    /// When there is no such gene.
    pub fn step_and_values_mut(&mut self, gene: usize) -> Option<(&mut f32, &mut [f32])> {
        self.headers[gene].mark_changed();
        self.values.get_mut(gene)
    }

    #[inline]
    pub(super) fn gene_refs(&self) -> impl ExactSizeIterator<Item = GeneRef<'_>> {
        let mut start = 0;
        self.headers.iter().enumerate().map(move |(index, header)| {
            let (codons, values) = (&self.codons, &self.values);
            let gene = GeneRef { codons, start, header, values, index };
            start += header.len();
            gene
        })
    }

    /// The start of a gene's codons. For the index after the last gene it is the end.
    fn start_of(&self, gene: usize) -> usize {
        self.headers[..gene].iter().map(GeneHeader::len).sum()
    }

    /// Appends a gene. Its step and values are zero, if it has any.
    pub fn push(&mut self, codons: impl IntoIterator<Item = u16>) {
        self.insert(self.len(), codons);
    }

    /// Inserts a gene at an index.
    pub(super) fn insert(&mut self, gene: usize, codons: impl IntoIterator<Item = u16>) {
        let (start, before) = (self.start_of(gene), self.codons.len());
        self.codons.insert(start, codons.into_iter());
        self.headers.insert(gene, GeneHeader::new(self.codons.len() - before));
        self.values.insert(gene);
    }

    pub(super) fn remove(&mut self, gene: usize) {
        let start = self.start_of(gene);
        let header = self.headers.remove(gene);
        self.codons.remove(start..start + header.len());
        self.values.remove(gene);
    }

    /// Becomes the first `count` genes of one genotype, followed by the genes of another from index
    /// `count` on.
    pub(super) fn join(&mut self, first: &Self, rest: &Self, count: usize) {
        self.codons.clear();
        self.codons.append(&first.codons, 0..first.start_of(count));
        self.codons.append(&rest.codons, rest.start_of(count)..rest.codons.len());
        self.headers.clear();
        self.headers.extend_from_slice(&first.headers[..count]);
        self.headers.extend_from_slice(&rest.headers[count..]);
        self.values.join(&first.values, &rest.values, count);
    }

    /// Whether the genes with the same index in two genotypes have a common ancestor and different
    /// values. Then more than half of their codons are equal. Random genes share one codon in 256.
    pub(super) fn shares_origin(&self, other: &Self, gene: usize) -> bool {
        let len = self.headers[gene].len();
        if len != other.headers[gene].len()
            || self.step_and_values(gene) == other.step_and_values(gene)
        {
            return false;
        }
        let (start, other_start) = (self.start_of(gene), other.start_of(gene));
        let codons = self.codons.iter(start..start + len);
        let others = other.codons.iter(other_start..other_start + len);
        2 * codons.zip(others).filter(|(codon, other)| codon == other).count() > len
    }

    /// Changes codons, whose indices count over all genes. The first is `first`. `change` returns
    /// the new codon, and how many codons to skip before the next change.
    #[inline]
    pub(super) fn change_codons(&mut self, first: u64, mut change: impl FnMut() -> (u16, u64)) {
        let mut headers = self.headers.iter_mut();
        let (mut index, mut end, mut header) = (first, 0, None);
        let len = self.codons.len() as u64;
        while index < len {
            while end <= index {
                let Some(next) = headers.next() else { return };
                end += next.len() as u64;
                header = Some(next);
            }
            if let Some(header) = &mut header {
                header.mark_changed();
            }
            let (codon, skipped) = change();
            self.codons.set(index as usize, codon);
            index = index.saturating_add(1).saturating_add(skipped);
        }
    }
}

impl Clone for Genotype {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Reuses the allocated memory.
    fn clone_from(&mut self, source: &Self) {
        self.join(source, source, source.len());
    }
}

impl PartialEq for Genotype {
    fn eq(&self, other: &Self) -> bool {
        self.codons == other.codons
            && self.values == other.values
            && self
                .headers
                .iter()
                .map(GeneHeader::len)
                .eq(other.headers.iter().map(GeneHeader::len))
    }
}

impl Eq for Genotype {}

impl<Gene: IntoIterator<Item = u16>> FromIterator<Gene> for Genotype {
    fn from_iter<I: IntoIterator<Item = Gene>>(genes: I) -> Self {
        let mut genotype = Self::default();
        genes.into_iter().for_each(|gene| genotype.push(gene));
        genotype
    }
}

/// A genotype is stored as a list of lists of codons. Steps and values follow if weights are real,
/// and in formats without field names.
impl Serialize for Genotype {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Genes<'g>(&'g Genotype);
        impl Serialize for Genes<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.0.gene_refs())
            }
        }
        struct Steps<'g>(&'g ValueStore);
        impl Serialize for Steps<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.serialize_steps(serializer)
            }
        }
        struct Values<'g>(&'g ValueStore);
        impl Serialize for Values<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.serialize_values(serializer)
            }
        }
        let with_values = !self.values.is_empty() || !serializer.is_human_readable();
        let count = if with_values { 3 } else { 1 };
        let mut fields = serializer.serialize_struct("Genotype", count)?;
        fields.serialize_field("genes", &Genes(self))?;
        if with_values {
            fields.serialize_field("steps", &Steps(&self.values))?;
            fields.serialize_field("values", &Values(&self.values))?;
        }
        fields.end()
    }
}

impl Serialize for GeneRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.codons.serialize_range(self.start..self.start + self.len(), serializer)
    }
}

impl<'de> Deserialize<'de> for Genotype {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename = "Genotype")]
        struct GeneLists {
            genes: Vec<Vec<u16>>,
            #[serde(default)]
            steps: Vec<f32>,
            #[serde(default)]
            values: Vec<Vec<f32>>,
        }
        let GeneLists { genes, steps, values } = GeneLists::deserialize(deserializer)?;
        let uneven =
            || D::Error::custom("expected one step and the same number of values for each gene");
        let values = ValueStore::from_lists(genes.len(), &steps, &values).ok_or_else(uneven)?;
        let codons_only: Self = genes.into_iter().collect();
        Ok(Self { values, ..codons_only })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn genotype(lengths: &[u16]) -> Genotype {
        let mut next = 0;
        let mut gene = |&len: &u16| {
            next += len;
            next - len..next
        };
        lengths.iter().map(&mut gene).collect()
    }

    fn lists(genotype: &Genotype) -> Vec<Vec<u16>> {
        genotype.genes().collect()
    }

    #[test]
    fn genes_of_any_length_are_joined_inserted_and_removed() {
        for lengths in [[3, 1, 4], [1, 5, 9], [2, 2, 200]] {
            for count in 0..=3 {
                let (one, other) = (genotype(&lengths), genotype(&[2, 6, 500]));
                let mut joined = genotype(&[7]);
                joined.join(&one, &other, count);
                let mut expected = lists(&one);
                expected.splice(count.., lists(&other).split_off(count));
                assert_eq!(lists(&joined), expected);
                if count < 3 {
                    joined.remove(count);
                    expected.remove(count);
                    joined.insert(count / 2, [77, 778]);
                    expected.insert(count / 2, vec![77, 778]);
                    assert_eq!(lists(&joined), expected);
                }
                let mut copy = other;
                copy.clone_from(&joined);
                assert_eq!(copy, joined);
            }
        }
    }

    #[test]
    fn a_changed_codon_marks_its_gene_as_changed() {
        let mut genotype = genotype(&[3, 1, 4, 2]);
        let mut skipped = [2, 0, u64::MAX].into_iter();
        genotype.change_codons(1, || (300, skipped.next().unwrap()));
        assert_eq!(lists(&genotype), [vec![0, 300, 2], vec![3], vec![300, 300, 6, 7], vec![8, 9]]);
        let changed: Vec<bool> =
            genotype.headers.iter().map(|header| header.hint().is_changed).collect();
        assert_eq!(changed, [true, false, true, false]);
        genotype.change_codons(99, || unreachable!("there are ten codons"));
    }
}
