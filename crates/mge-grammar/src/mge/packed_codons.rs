//! The codons of all genes of a genotype, one gene after another. They are stored as bytes as long
//! as all of them fit, else as 16 bits. Populations are copied in every generation; at half the size
//! they stay in the second-level cache.

use serde::Serializer;
use std::ops::Range;

/// A list of codons of 8 or 16 bits.
#[derive(Debug)]
pub(super) enum PackedCodons {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

impl Default for PackedCodons {
    fn default() -> Self {
        Self::Bytes(Vec::new())
    }
}

impl PackedCodons {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Bytes(codons) => codons.len(),
            Self::Words(codons) => codons.len(),
        }
    }

    pub(super) fn iter(&self, range: Range<usize>) -> impl ExactSizeIterator<Item = u16> + '_ {
        range.map(|index| self.get(index))
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> u16 {
        match self {
            Self::Bytes(codons) => codons[index].into(),
            Self::Words(codons) => codons[index],
        }
    }

    #[inline]
    pub(super) fn set(&mut self, index: usize, codon: u16) {
        match (&mut *self, u8::try_from(codon)) {
            (Self::Bytes(codons), Ok(codon)) => codons[index] = codon,
            _ => self.widen()[index] = codon,
        }
    }

    /// Inserts codons at an index.
    pub(super) fn insert(&mut self, index: usize, new: impl Iterator<Item = u16>) {
        // Collected first, to find out whether all of them fit into bytes.
        let new: Vec<u16> = new.collect();
        match self {
            Self::Bytes(codons) if new.iter().all(|&codon| codon <= u8::MAX.into()) => {
                codons.splice(index..index, new.into_iter().map(|codon| codon as u8));
            }
            _ => drop(self.widen().splice(index..index, new)),
        }
    }

    pub(super) fn remove(&mut self, range: Range<usize>) {
        match self {
            Self::Bytes(codons) => drop(codons.drain(range)),
            Self::Words(codons) => drop(codons.drain(range)),
        }
    }

    pub(super) fn append(&mut self, other: &Self, range: Range<usize>) {
        match (&mut *self, other) {
            (Self::Bytes(codons), Self::Bytes(others)) => codons.extend_from_slice(&others[range]),
            (_, Self::Words(others)) => self.widen().extend_from_slice(&others[range]),
            (Self::Words(codons), _) => codons.extend(other.iter(range)),
        }
    }

    /// Removes all codons and keeps the memory.
    pub(super) fn clear(&mut self) {
        match self {
            Self::Bytes(codons) => codons.clear(),
            Self::Words(codons) => codons.clear(),
        }
    }

    /// Whether the codons from `start` on match these items, one by one.
    #[inline]
    pub(super) fn all_match<T>(
        &self,
        start: usize,
        items: &[T],
        matches: impl Fn(&T, u16) -> bool,
    ) -> bool {
        match self {
            Self::Bytes(codons) => {
                let codons = codons[start..][..items.len()].iter();
                items.iter().zip(codons).all(|(item, &codon)| matches(item, codon.into()))
            }
            Self::Words(codons) => {
                let codons = codons[start..][..items.len()].iter();
                items.iter().zip(codons).all(|(item, &codon)| matches(item, codon))
            }
        }
    }

    /// Copies a range of codons as 16 bits.
    pub(super) fn copy_to(&self, range: Range<usize>, into: &mut Vec<u16>) {
        into.clear();
        match self {
            Self::Bytes(codons) => into.extend(codons[range].iter().map(|&codon| u16::from(codon))),
            Self::Words(codons) => into.extend_from_slice(&codons[range]),
        }
    }

    /// Serializes a range as a list; in files all codons have 16 bits.
    pub(super) fn serialize_range<S: Serializer>(
        &self,
        range: Range<usize>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bytes(codons) => {
                serializer.collect_seq(codons[range].iter().map(|&codon| u16::from(codon)))
            }
            Self::Words(codons) => serializer.collect_seq(&codons[range]),
        }
    }

    /// Changes the storage to 16 bits, if it is not yet.
    fn widen(&mut self) -> &mut Vec<u16> {
        if let Self::Bytes(codons) = self {
            *self = Self::Words(codons.iter().map(|&codon| codon.into()).collect());
        }
        match self {
            Self::Words(codons) => codons,
            Self::Bytes(_) => unreachable!("just widened"),
        }
    }
}

impl PartialEq for PackedCodons {
    fn eq(&self, other: &Self) -> bool {
        self.iter(0..self.len()).eq(other.iter(0..other.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codons(list: &[u16]) -> PackedCodons {
        let mut codons = PackedCodons::default();
        codons.insert(0, list.iter().copied());
        codons
    }

    #[test]
    fn codons_above_255_widen_the_storage() {
        let mut one = codons(&[1, 2, 3]);
        assert!(matches!(one, PackedCodons::Bytes(_)));
        one.set(1, 255);
        assert!(matches!(one, PackedCodons::Bytes(_)));
        let mut other = codons(&[1, 256]);
        assert!(matches!(other, PackedCodons::Words(_)));
        other.append(&one, 0..2);
        assert_eq!(other, codons(&[1, 256, 1, 255]));
        one.append(&other, 1..3);
        assert_eq!(one, codons(&[1, 255, 3, 256, 1]));
        one.remove(1..3);
        one.set(1, 7);
        // Equal to a list that was never widened.
        assert_eq!(one, codons(&[1, 7, 1]));
        one.insert(1, [400].into_iter());
        assert_eq!(one.iter(0..4).collect::<Vec<_>>(), [1, 400, 7, 1]);
        let mut narrow = codons(&[9]);
        narrow.set(0, 300);
        assert_eq!(narrow, codons(&[300]));
    }
}
