//! Codons of all genes of a genotype, one after another: as bytes while every one of them fits,
//! as is usual, else as 16 bits. Populations are copied all the time, and half as large they stay
//! in the second-level cache.

use serde::Serializer;
use std::ops::Range;

/// A list of codons.
#[derive(Debug)]
pub(super) enum Codons {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

impl Default for Codons {
    fn default() -> Self {
        Self::Bytes(Vec::new())
    }
}

impl Codons {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Bytes(codons) => codons.len(),
            Self::Words(codons) => codons.len(),
        }
    }

    pub(super) fn iter(&self, range: Range<usize>) -> impl ExactSizeIterator<Item = u16> + '_ {
        range.map(|place| self.get(place))
    }

    #[inline]
    pub(super) fn get(&self, place: usize) -> u16 {
        match self {
            Self::Bytes(codons) => codons[place].into(),
            Self::Words(codons) => codons[place],
        }
    }

    #[inline]
    pub(super) fn set(&mut self, place: usize, codon: u16) {
        match (&mut *self, u8::try_from(codon)) {
            (Self::Bytes(codons), Ok(codon)) => codons[place] = codon,
            _ => self.words()[place] = codon,
        }
    }

    /// Puts codons before the one at `place`.
    pub(super) fn insert(&mut self, place: usize, new: impl Iterator<Item = u16>) {
        // Gathered first: whether they fit is known at the end.
        let new: Vec<u16> = new.collect();
        match self {
            Self::Bytes(codons) if new.iter().all(|&codon| codon <= u8::MAX.into()) => {
                codons.splice(place..place, new.into_iter().map(|codon| codon as u8));
            }
            _ => drop(self.words().splice(place..place, new)),
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
            (_, Self::Words(others)) => self.words().extend_from_slice(&others[range]),
            (Self::Words(codons), _) => codons.extend(other.iter(range)),
        }
    }

    /// Leaves no codon, but the memory.
    pub(super) fn clear(&mut self) {
        match self {
            Self::Bytes(codons) => codons.clear(),
            Self::Words(codons) => codons.clear(),
        }
    }

    /// Whether the codons from `start` on agree with these items, one by one.
    #[inline]
    pub(super) fn agree<T>(
        &self,
        start: usize,
        items: &[T],
        agree: impl Fn(&T, u16) -> bool,
    ) -> bool {
        match self {
            Self::Bytes(codons) => {
                let codons = codons[start..][..items.len()].iter();
                items.iter().zip(codons).all(|(item, &codon)| agree(item, codon.into()))
            }
            Self::Words(codons) => {
                let codons = codons[start..][..items.len()].iter();
                items.iter().zip(codons).all(|(item, &codon)| agree(item, codon))
            }
        }
    }

    /// Copies codons of one gene, all as 16 bits.
    pub(super) fn copy_to(&self, range: Range<usize>, into: &mut Vec<u16>) {
        into.clear();
        match self {
            Self::Bytes(codons) => into.extend(codons[range].iter().map(|&codon| u16::from(codon))),
            Self::Words(codons) => into.extend_from_slice(&codons[range]),
        }
    }

    /// Some of them as a list; in files all have 16 bits.
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

    /// From now on 16 bits.
    fn words(&mut self) -> &mut Vec<u16> {
        if let Self::Bytes(codons) = self {
            *self = Self::Words(codons.iter().map(|&codon| codon.into()).collect());
        }
        match self {
            Self::Words(codons) => codons,
            Self::Bytes(_) => unreachable!("just widened"),
        }
    }
}

impl PartialEq for Codons {
    fn eq(&self, other: &Self) -> bool {
        self.iter(0..self.len()).eq(other.iter(0..other.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codons(list: &[u16]) -> Codons {
        let mut codons = Codons::default();
        codons.insert(0, list.iter().copied());
        codons
    }

    #[test]
    fn they_widen_when_they_must() {
        let mut one = codons(&[1, 2, 3]);
        assert!(matches!(one, Codons::Bytes(_)));
        one.set(1, 255);
        assert!(matches!(one, Codons::Bytes(_)));
        let mut other = codons(&[1, 256]);
        assert!(matches!(other, Codons::Words(_)));
        other.append(&one, 0..2);
        assert_eq!(other, codons(&[1, 256, 1, 255]));
        one.append(&other, 1..3);
        assert_eq!(one, codons(&[1, 255, 3, 256, 1]));
        one.remove(1..3);
        one.set(1, 7);
        // Equal to a list that was never wide.
        assert_eq!(one, codons(&[1, 7, 1]));
        one.insert(1, [400].into_iter());
        assert_eq!(one.iter(0..4).collect::<Vec<_>>(), [1, 400, 7, 1]);
        let mut narrow = codons(&[9]);
        narrow.set(0, 300);
        assert_eq!(narrow, codons(&[300]));
    }
}
