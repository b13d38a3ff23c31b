//! The genotype (section "Representation"): a list of genes, a gene a list of codons.
//!
//! All codons lie in one piece, so that a copy into a genotype that is no longer needed (see
//! [`Clone::clone_from`]) is one copy of memory: no allocation, and no count of who shares what.
//!
//! With real weights each gene also has values, which the marked places of the grammar read, and
//! the step by which they mutate. They lie in one piece too, apart from the codons: a genotype
//! without them is as small and as quick to copy as if they did not exist, and one code maps and
//! varies both.
//!
//! Beside each gene stands where its meaning was written down last (see
//! [`GeneCache`](super::GeneCache)). That is a hint and no part of the genotype: it is neither
//! compared nor stored, and a wrong one is found out and costs time only.

use super::codons::Codons;
use super::reals::Reals;
use serde::de::Error;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// A list of genes, in the order in which they are mapped. A gene maps to one hidden neuron.
#[derive(Debug, Default)]
pub struct Genotype {
    /// Of all genes, one after another.
    codons: Codons,
    heads: Vec<Head>,
    /// Steps and values; none unless weights are real.
    reals: Reals,
}

/// A gene's length, and the hint what it means.
#[derive(Debug, Default)]
pub(super) struct Head {
    len: u32,
    slot: AtomicU32,
    /// Zero if nothing is known; the highest bit is set when codons changed since.
    serial: AtomicU64,
}

const CHANGED: u64 = 1 << 63;

/// What a gene is said to mean.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hint {
    pub(super) slot: u32,
    pub(super) serial: u64,
    /// Whether codons changed since it was written down.
    pub(super) is_changed: bool,
}

impl Head {
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
    pub(super) fn hint(&self) -> Hint {
        let serial = self.serial.load(Relaxed);
        let slot = self.slot.load(Relaxed);
        Hint { slot, serial: serial & !CHANGED, is_changed: serial & CHANGED != 0 }
    }

    /// Whoever learns genes is alone, so the two stores belong together.
    #[inline]
    pub(super) fn remember(&self, slot: u32, serial: u64) {
        self.slot.store(slot, Relaxed);
        self.serial.store(serial, Relaxed);
    }
}

impl Clone for Head {
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
    codons: &'g Codons,
    start: usize,
    pub(super) head: &'g Head,
    reals: &'g Reals,
    /// Which gene it is.
    pub(super) index: usize,
}

impl<'g> GeneRef<'g> {
    /// The values; none unless weights are real.
    pub(super) fn values(&self) -> &'g [f32] {
        self.reals.get(self.index).map_or(&[], |(_, values)| values)
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.head.len()
    }

    #[inline]
    pub(super) fn codons(&self) -> impl ExactSizeIterator<Item = u16> {
        self.codons.iter(self.start..self.start + self.len())
    }

    /// Whether the first codons agree with these items, one by one.
    #[inline]
    pub(super) fn begins_with<T>(&self, items: &[T], agree: impl Fn(&T, u16) -> bool) -> bool {
        items.len() <= self.len() && self.codons.agree(self.start, items, agree)
    }

    pub(super) fn copy_to(&self, into: &mut Vec<u16>) {
        self.codons.copy_to(self.start..self.start + self.len(), into);
    }
}

impl Genotype {
    /// No gene yet; each will have so many values, and a step.
    pub fn with_values(count: usize) -> Self {
        Self { reals: Reals::new(count), ..Self::default() }
    }

    /// How many genes there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there is no gene.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The codons of each gene.
    pub fn genes(&self) -> impl ExactSizeIterator<Item = Vec<u16>> {
        self.gene_refs().map(|gene| gene.codons().collect())
    }

    /// How many values each gene has; none unless weights are real.
    pub fn values_of_each(&self) -> usize {
        self.reals.values_of_each()
    }

    /// The step of a gene and its values; `None` unless weights are real.
    ///
    /// # Panics
    /// When there is no such gene.
    pub fn reals(&self, gene: usize) -> Option<(f32, &[f32])> {
        self.reals.get(gene)
    }

    /// The same, to be changed.
    ///
    /// # Panics
    /// When there is no such gene.
    pub fn reals_mut(&mut self, gene: usize) -> Option<(&mut f32, &mut [f32])> {
        self.heads[gene].mark_changed();
        self.reals.get_mut(gene)
    }

    #[inline]
    pub(super) fn gene_refs(&self) -> impl ExactSizeIterator<Item = GeneRef<'_>> {
        let mut start = 0;
        self.heads.iter().enumerate().map(move |(index, head)| {
            let gene = GeneRef { codons: &self.codons, start, head, reals: &self.reals, index };
            start += head.len();
            gene
        })
    }

    /// Where the codons of a gene begin; the end for the gene behind the last.
    fn start_of(&self, gene: usize) -> usize {
        self.heads[..gene].iter().map(Head::len).sum()
    }

    /// Adds a gene at the end, its values and step zero if it has any.
    pub fn push(&mut self, codons: impl IntoIterator<Item = u16>) {
        self.insert(self.len(), codons);
    }

    /// Adds a gene before the one at `place`.
    pub(super) fn insert(&mut self, place: usize, codons: impl IntoIterator<Item = u16>) {
        let (start, before) = (self.start_of(place), self.codons.len());
        self.codons.insert(start, codons.into_iter());
        self.heads.insert(place, Head::new(self.codons.len() - before));
        self.reals.insert(place);
    }

    pub(super) fn remove(&mut self, place: usize) {
        let start = self.start_of(place);
        let head = self.heads.remove(place);
        self.codons.remove(start..start + head.len());
        self.reals.remove(place);
    }

    /// Becomes the first `count` genes of one genotype and what is behind those of another.
    pub(super) fn join(&mut self, first: &Self, rest: &Self, count: usize) {
        self.codons.clear();
        self.codons.append(&first.codons, 0..first.start_of(count));
        self.codons.append(&rest.codons, rest.start_of(count)..rest.codons.len());
        self.heads.clear();
        self.heads.extend_from_slice(&first.heads[..count]);
        self.heads.extend_from_slice(&rest.heads[count..]);
        self.reals.join(&first.reals, &rest.reals, count);
    }

    /// Whether genes at the same place of two genotypes stem from one: most of their codons are
    /// the same, though their values are not. Random genes share one codon in 256.
    pub(super) fn shares_origin(&self, other: &Self, gene: usize) -> bool {
        let len = self.heads[gene].len();
        if len != other.heads[gene].len() || self.reals(gene) == other.reals(gene) {
            return false;
        }
        let (start, other_start) = (self.start_of(gene), other.start_of(gene));
        let codons = self.codons.iter(start..start + len);
        let others = other.codons.iter(other_start..other_start + len);
        2 * codons.zip(others).filter(|(codon, other)| codon == other).count() > len
    }

    /// Changes some codons, counted over all genes: the one at `place`, and then always the one
    /// that lies as many codons behind the next one as `change` says, beside the new codon.
    #[inline]
    pub(super) fn change_codons(&mut self, place: u64, mut change: impl FnMut() -> (u16, u64)) {
        let mut heads = self.heads.iter_mut();
        let (mut place, mut end, mut head) = (place, 0, None);
        let len = self.codons.len() as u64;
        while place < len {
            while end <= place {
                let Some(next) = heads.next() else { return };
                end += next.len() as u64;
                head = Some(next);
            }
            if let Some(head) = &mut head {
                head.mark_changed();
            }
            let (codon, distance) = change();
            self.codons.set(place as usize, codon);
            place = place.saturating_add(1).saturating_add(distance);
        }
    }
}

impl Clone for Genotype {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Uses the memory that is there.
    fn clone_from(&mut self, source: &Self) {
        self.join(source, source, source.len());
    }
}

impl PartialEq for Genotype {
    fn eq(&self, other: &Self) -> bool {
        self.codons == other.codons
            && self.reals == other.reals
            && self.heads.iter().map(Head::len).eq(other.heads.iter().map(Head::len))
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

/// In files a genotype is a list of lists. Steps and values follow where weights are real, and in
/// files that do not name their fields.
impl Serialize for Genotype {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Genes<'g>(&'g Genotype);
        impl Serialize for Genes<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.0.gene_refs())
            }
        }
        struct Steps<'g>(&'g Reals);
        impl Serialize for Steps<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.serialize_steps(serializer)
            }
        }
        struct Values<'g>(&'g Reals);
        impl Serialize for Values<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.serialize_values(serializer)
            }
        }
        let with_reals = !self.reals.is_empty() || !serializer.is_human_readable();
        let mut fields = serializer.serialize_struct("Genotype", if with_reals { 3 } else { 1 })?;
        fields.serialize_field("genes", &Genes(self))?;
        if with_reals {
            fields.serialize_field("steps", &Steps(&self.reals))?;
            fields.serialize_field("values", &Values(&self.reals))?;
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
        struct Lists {
            genes: Vec<Vec<u16>>,
            #[serde(default)]
            steps: Vec<f32>,
            #[serde(default)]
            values: Vec<Vec<f32>>,
        }
        let Lists { genes, steps, values } = Lists::deserialize(deserializer)?;
        let uneven = || D::Error::custom("expected a step and equally many values for each gene");
        let reals = Reals::from_lists(genes.len(), &steps, &values).ok_or_else(uneven)?;
        let codons_alone: Self = genes.into_iter().collect();
        Ok(Self { reals, ..codons_alone })
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
    fn genes_of_any_length_are_swapped_inserted_and_removed() {
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
    fn the_changed_codons_mark_their_genes() {
        let mut genotype = genotype(&[3, 1, 4, 2]);
        let mut distances = [2, 0, u64::MAX].into_iter();
        genotype.change_codons(1, || (300, distances.next().unwrap()));
        assert_eq!(lists(&genotype), [vec![0, 300, 2], vec![3], vec![300, 300, 6, 7], vec![8, 9]]);
        let changed: Vec<bool> = genotype.heads.iter().map(|head| head.hint().is_changed).collect();
        assert_eq!(changed, [true, false, true, false]);
        genotype.change_codons(99, || unreachable!("there are only ten"));
    }
}
