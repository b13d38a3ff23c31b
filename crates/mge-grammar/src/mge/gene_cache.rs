//! What genes mean, written down: an inherited gene is never mapped again.
//!
//! A gene points to its entry by a hint that travels with it ([`Genotype`](super::Genotype)).
//! Entries have serial numbers that are never used twice, so a hint to an entry that is gone, or
//! to one of another book, is found out. A mutant's hint still holds if the codons that were read
//! choose what they chose before; most are never read.
//!
//! Where neurons may read earlier ones, what a gene means depends on how many there are. So an
//! entry holds one meaning for each number of them that was met.

use super::genome::{GeneRef, Head, Hint};
use mge_net::NetworkPart;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// What the genes of the last populations map to under one mapper.
#[derive(Debug)]
pub struct GeneCache {
    pub(super) mapper: u64,
    /// Whether a gene means the same wherever it stands.
    is_single_layer: bool,
    entries: Vec<Entry>,
    /// Of each entry; apart from them, since most questions are answered by these alone.
    marks: Vec<Mark>,
    /// The entries that are not free.
    live: Vec<u32>,
    free: Vec<u32>,
    now: u32,
    next_serial: u64,
}

#[derive(Debug)]
struct Mark {
    /// Zero if the entry is free.
    serial: u64,
    /// The last population that had it.
    used: AtomicU32,
}

impl Mark {
    /// Writes only what is new: threads that read the same marks do not take them from each other.
    #[inline]
    fn use_in(&self, population: u32) {
        if self.used.load(Relaxed) != population {
            self.used.store(population, Relaxed);
        }
    }
}

/// One gene, and all its copies.
#[derive(Debug)]
struct Entry {
    first: Meaning,
    others: Vec<Meaning>,
}

/// What a gene maps to.
#[derive(Debug)]
pub(super) struct Meaning {
    /// How many earlier neurons could be referred to.
    pub(super) references: u32,
    /// The codons that were read, from the first on; `None` if the reading was another.
    pub(super) choices: Option<Box<[Choice]>>,
    /// The values that were read, with their numbers; none unless weights are real.
    pub(super) values: Box<[(u16, f32)]>,
    /// The neuron with its connections, or `None` for a gene that maps to nothing.
    pub(super) part: Option<NetworkPart>,
}

/// A codon that was read, and among how many alternatives it chose.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    pub(super) codon: u16,
    pub(super) options: u32,
}

impl Meaning {
    /// Whether these codons choose the same, and the values that were read are the same.
    fn holds_for(&self, gene: GeneRef<'_>) -> bool {
        let same = |&Choice { codon: read, options }: &Choice, codon: u16| {
            codon == read || u32::from(codon) % options == u32::from(read) % options
        };
        let same_value = |&(number, value): &(u16, f32)| {
            let now = gene.values().get(usize::from(number));
            now.is_some_and(|now| now.to_bits() == value.to_bits())
        };
        self.choices.as_ref().is_some_and(|choices| gene.begins_with(choices, same))
            && self.values.iter().all(same_value)
    }
}

impl Entry {
    fn meaning(&self, references: u32) -> Option<&Meaning> {
        if self.first.references == references {
            return Some(&self.first);
        }
        self.others.iter().find(|meaning| meaning.references == references)
    }
}

/// Genes that no book has yet, with what they map to.
#[derive(Debug)]
pub struct UncachedGenes<'g> {
    pub(super) genes: Vec<(&'g Head, Meaning)>,
}

/// Serial numbers for one book: more than it can ever need.
const SERIALS: u64 = 1 << 40;

/// Populations for which an entry is kept that no gene asks for.
const PATIENCE: u32 = 3;

impl GeneCache {
    /// Empty, for the mapper of this name.
    pub(super) fn new(mapper: u64, is_single_layer: bool) -> Self {
        static BOOKS: AtomicU64 = AtomicU64::new(0);
        let next_serial = BOOKS.fetch_add(1, Relaxed) % (1 << 22) * SERIALS + 1;
        Self {
            mapper,
            is_single_layer,
            entries: Vec::new(),
            marks: Vec::new(),
            live: Vec::new(),
            free: Vec::new(),
            now: 0,
            next_serial,
        }
    }

    /// Before a population: forgets what none of the last ones had.
    pub fn begin(&mut self) {
        self.now += 1;
        let Self { live, marks, free, now, .. } = self;
        live.retain(|&slot| {
            let mark = &mut marks[slot as usize];
            let stays = *mark.used.get_mut() + PATIENCE >= *now;
            if !stays {
                mark.serial = 0;
                free.push(slot);
            }
            stays
        });
    }

    /// The mark of the entry that a hint points to, if it is still there.
    #[inline]
    fn mark(&self, hint: Hint) -> Option<&Mark> {
        // A free entry has the serial of a gene about which nothing is known.
        let is_it = |mark: &&Mark| mark.serial == hint.serial && hint.serial != 0;
        self.marks.get(hint.slot as usize).filter(is_it)
    }

    /// Whether a gene maps to a neuron, if it is known for certain what it maps to; afterwards
    /// [`meaning`](Self::meaning) finds it. Where a gene means the same wherever it stands, the
    /// answer for an unchanged one is always yes: nobody counts the neurons before a gene.
    #[inline]
    pub(super) fn recall(&self, gene: GeneRef<'_>, references: u32) -> Option<bool> {
        let hint = gene.head.hint();
        let mark = self.mark(hint)?;
        if self.is_single_layer && !hint.is_changed {
            mark.use_in(self.now);
            return Some(true);
        }
        let meaning = self.entries[hint.slot as usize].meaning(references)?;
        if hint.is_changed {
            if !meaning.holds_for(gene) {
                return None;
            }
            // With one meaning alone the mutant means what its ancestor means, always.
            if self.is_single_layer {
                gene.head.remember(hint.slot, hint.serial);
            }
        }
        mark.use_in(self.now);
        Some(meaning.part.is_some())
    }

    /// What a gene of the present population maps to, once all are learnt.
    #[inline]
    pub(super) fn meaning(&self, gene: GeneRef<'_>, references: u32) -> &Meaning {
        let entry = self.entries.get(gene.head.hint().slot as usize);
        let meaning = entry.and_then(|entry| entry.meaning(references));
        meaning.expect("all genes of a population are learnt before they are asked for")
    }

    /// Writes fresh genes down.
    pub fn learn(&mut self, fresh: UncachedGenes<'_>) {
        for (head, meaning) in fresh.genes {
            let hint = head.hint();
            if !hint.is_changed
                && let Some(mark) = self.mark(hint)
            {
                mark.used.store(self.now, Relaxed);
                let entry = &mut self.entries[hint.slot as usize];
                if entry.meaning(meaning.references).is_none() {
                    entry.others.push(meaning);
                }
                continue;
            }
            let serial = self.next_serial;
            self.next_serial += 1;
            let mark = Mark { serial, used: self.now.into() };
            let entry = Entry { first: meaning, others: Vec::new() };
            let slot = match self.free.pop() {
                Some(slot) => {
                    self.entries[slot as usize] = entry;
                    self.marks[slot as usize] = mark;
                    slot
                }
                None => {
                    self.entries.push(entry);
                    self.marks.push(mark);
                    self.entries.len() as u32 - 1
                }
            };
            self.live.push(slot);
            head.remember(slot, serial);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Genotype;
    use super::*;

    /// Of one codon, which chose among so many alternatives.
    fn meaning(references: u32, codon: u16, options: u32) -> Meaning {
        let choices = Some([Choice { codon, options }].into());
        Meaning { references, choices, values: Box::default(), part: None }
    }

    fn gene(genotype: &Genotype) -> GeneRef<'_> {
        genotype.gene_refs().next().expect("one gene")
    }

    /// Behind two neurons codons 1 and 3 choose the same, behind three they do not.
    #[test]
    fn a_mutant_that_agrees_in_one_place_is_not_its_ancestor_in_all() {
        let mut known = GeneCache::new(1, false);
        let mut ancestor = Genotype::default();
        ancestor.push([1]);
        known.begin();
        let learn = |known: &mut GeneCache, genotype: &Genotype, meaning| {
            known.learn(UncachedGenes { genes: vec![(gene(genotype).head, meaning)] });
        };
        learn(&mut known, &ancestor, meaning(2, 1, 2));
        let mut mutant = ancestor.clone();
        mutant.change_codons(0, || (3, u64::MAX));
        assert_eq!(known.recall(gene(&mutant), 2), Some(false));
        assert_eq!(known.recall(gene(&mutant), 3), None);
        learn(&mut known, &mutant, meaning(3, 3, 3));
        assert_eq!(known.recall(gene(&mutant), 3), Some(false));
        assert_eq!(known.recall(gene(&ancestor), 3), None, "that is what the mutant means there");
    }
}
