//! A cache of what genes map to: an inherited gene is not mapped again.
//!
//! Each gene carries a hint that names its entry ([`Genotype`](super::Genotype)). Entries have
//! serial numbers that are never reused. So a hint to an entry that is gone, or to an entry of
//! another cache, is detected. The hint of a mutant still holds if the codons that were read choose
//! the same alternatives as before. Most codons are never read.
//!
//! In multi-layer variants the mapping of a gene depends on the number of earlier neurons. So an
//! entry holds one mapping for each such number.

use super::genome::{CacheHint, GeneHeader, GeneRef};
use mge_net::NetworkPart;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// What the genes of the last populations map to under one mapper.
#[derive(Debug)]
pub struct GeneCache {
    pub(super) mapper: u64,
    /// Whether the mapping of a gene is independent of the neurons before it.
    is_single_layer: bool,
    entries: Vec<CacheEntry>,
    /// One tag for each entry. Most lookups read only these, so they are stored apart.
    tags: Vec<CacheTag>,
    /// The entries that are in use.
    live: Vec<u32>,
    free: Vec<u32>,
    /// The number of the current population.
    population: u32,
    next_serial: u64,
}

#[derive(Debug)]
struct CacheTag {
    /// Zero if the entry is free.
    serial: u64,
    /// The last population that used it.
    last_used: AtomicU32,
}

impl CacheTag {
    /// Records a use. It stores only a changed value, so that threads that use the same tag do not
    /// invalidate each other's cache line.
    #[inline]
    fn use_in(&self, population: u32) {
        if self.last_used.load(Relaxed) != population {
            self.last_used.store(population, Relaxed);
        }
    }
}

/// The mappings of one gene and all its copies.
#[derive(Debug)]
struct CacheEntry {
    first: CachedMapping,
    others: Vec<CachedMapping>,
}

/// What a gene maps to.
#[derive(Debug)]
pub(super) struct CachedMapping {
    /// How many earlier neurons it could refer to.
    pub(super) references: u32,
    /// The codons that were read, from the first on; `None` if reading wrapped.
    pub(super) choices: Option<Box<[CodonChoice]>>,
    /// The values that were read, with their indices; none unless weights are real.
    pub(super) values: Box<[(u16, f32)]>,
    /// The neuron with its connections, or `None` for a gene that maps to nothing.
    pub(super) part: Option<NetworkPart>,
}

/// A codon that was read, and the number of alternatives it chose from.
#[derive(Debug, Clone, Copy)]
pub(super) struct CodonChoice {
    pub(super) codon: u16,
    pub(super) alternatives: u32,
}

impl CachedMapping {
    /// Whether the codons of a gene make the same choices, and the values it reads are the same.
    fn holds_for(&self, gene: GeneRef<'_>) -> bool {
        let same = |&CodonChoice { codon: read, alternatives }: &CodonChoice, codon: u16| {
            codon == read || u32::from(codon) % alternatives == u32::from(read) % alternatives
        };
        let same_value = |&(index, value): &(u16, f32)| {
            let now = gene.values().get(usize::from(index));
            now.is_some_and(|now| now.to_bits() == value.to_bits())
        };
        self.choices.as_ref().is_some_and(|choices| gene.starts_with(choices, same))
            && self.values.iter().all(same_value)
    }
}

impl CacheEntry {
    fn mapping(&self, references: u32) -> Option<&CachedMapping> {
        if self.first.references == references {
            return Some(&self.first);
        }
        self.others.iter().find(|mapping| mapping.references == references)
    }
}

/// Genes that the cache does not have, with what they map to.
#[derive(Debug)]
pub struct UncachedGenes<'g> {
    pub(super) genes: Vec<(&'g GeneHeader, CachedMapping)>,
}

/// The number of serial numbers that each cache has: more than it can ever use.
const SERIALS: u64 = 1 << 40;

/// How many populations an entry is kept without use.
const MAX_IDLE_GENERATIONS: u32 = 3;

impl GeneCache {
    /// An empty cache for the mapper with this number.
    pub(super) fn new(mapper: u64, is_single_layer: bool) -> Self {
        static CACHES: AtomicU64 = AtomicU64::new(0);
        let next_serial = CACHES.fetch_add(1, Relaxed) % (1 << 22) * SERIALS + 1;
        Self {
            mapper,
            is_single_layer,
            entries: Vec::new(),
            tags: Vec::new(),
            live: Vec::new(),
            free: Vec::new(),
            population: 0,
            next_serial,
        }
    }

    /// Begins a population: evicts the entries that were not used for a while.
    pub fn begin_population(&mut self) {
        self.population += 1;
        let Self { live, tags, free, population, .. } = self;
        live.retain(|&slot| {
            let tag = &mut tags[slot as usize];
            let stays = *tag.last_used.get_mut() + MAX_IDLE_GENERATIONS >= *population;
            if !stays {
                tag.serial = 0;
                free.push(slot);
            }
            stays
        });
    }

    /// The tag of the entry that a hint names, if the entry is still there.
    #[inline]
    fn tag(&self, hint: CacheHint) -> Option<&CacheTag> {
        // Serial zero stands for a free entry and for an empty hint; these two do not match.
        let matches = |tag: &&CacheTag| tag.serial == hint.serial && hint.serial != 0;
        self.tags.get(hint.slot as usize).filter(matches)
    }

    /// Whether a gene maps to a neuron. `None` if the cache does not know. After `Some`,
    /// [`mapping`](Self::mapping) finds the mapping.
    ///
    /// In single-layer variants the answer for an unchanged gene is always `Some(true)`, even if it
    /// maps to nothing: there the number of earlier neurons does not matter.
    #[inline]
    pub(super) fn lookup(&self, gene: GeneRef<'_>, references: u32) -> Option<bool> {
        let hint = gene.header.hint();
        let tag = self.tag(hint)?;
        if self.is_single_layer && !hint.is_changed {
            tag.use_in(self.population);
            return Some(true);
        }
        let mapping = self.entries[hint.slot as usize].mapping(references)?;
        if hint.is_changed {
            if !mapping.holds_for(gene) {
                return None;
            }
            // The entry has a single mapping, so it now holds for the mutant as well.
            if self.is_single_layer {
                gene.header.set_hint(hint.slot, hint.serial);
            }
        }
        tag.use_in(self.population);
        Some(mapping.part.is_some())
    }

    /// What a gene of the current population maps to. All its genes must have been inserted.
    #[inline]
    pub(super) fn mapping(&self, gene: GeneRef<'_>, references: u32) -> &CachedMapping {
        let entry = self.entries.get(gene.header.hint().slot as usize);
        let mapping = entry.and_then(|entry| entry.mapping(references));
        mapping.expect("the genes of a population are inserted before they are read")
    }

    /// Inserts genes, and sets their hints.
    pub fn insert(&mut self, uncached: UncachedGenes<'_>) {
        for (header, mapping) in uncached.genes {
            let hint = header.hint();
            if !hint.is_changed
                && let Some(tag) = self.tag(hint)
            {
                tag.last_used.store(self.population, Relaxed);
                let entry = &mut self.entries[hint.slot as usize];
                if entry.mapping(mapping.references).is_none() {
                    entry.others.push(mapping);
                }
                continue;
            }
            let serial = self.next_serial;
            self.next_serial += 1;
            let tag = CacheTag { serial, last_used: self.population.into() };
            let entry = CacheEntry { first: mapping, others: Vec::new() };
            let slot = match self.free.pop() {
                Some(slot) => {
                    self.entries[slot as usize] = entry;
                    self.tags[slot as usize] = tag;
                    slot
                }
                None => {
                    self.entries.push(entry);
                    self.tags.push(tag);
                    self.entries.len() as u32 - 1
                }
            };
            self.live.push(slot);
            header.set_hint(slot, serial);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Genotype;
    use super::*;

    /// The mapping of a gene with one codon, which chooses from this number of alternatives.
    fn mapping(references: u32, codon: u16, alternatives: u32) -> CachedMapping {
        let choices = Some([CodonChoice { codon, alternatives }].into());
        CachedMapping { references, choices, values: Box::default(), part: None }
    }

    fn gene(genotype: &Genotype) -> GeneRef<'_> {
        genotype.gene_refs().next().expect("one gene")
    }

    /// After two neurons, codons 1 and 3 choose the same alternative. After three they do not.
    #[test]
    fn a_mutant_may_keep_the_mapping_for_one_number_of_neurons_only() {
        let mut cache = GeneCache::new(1, false);
        let mut ancestor = Genotype::default();
        ancestor.push([1]);
        cache.begin_population();
        let insert = |cache: &mut GeneCache, genotype: &Genotype, mapping| {
            cache.insert(UncachedGenes { genes: vec![(gene(genotype).header, mapping)] });
        };
        insert(&mut cache, &ancestor, mapping(2, 1, 2));
        let mut mutant = ancestor.clone();
        mutant.change_codons(0, || (3, u64::MAX));
        assert_eq!(cache.lookup(gene(&mutant), 2), Some(false));
        assert_eq!(cache.lookup(gene(&mutant), 3), None);
        insert(&mut cache, &mutant, mapping(3, 3, 3));
        assert_eq!(cache.lookup(gene(&mutant), 3), Some(false));
        assert_eq!(cache.lookup(gene(&ancestor), 3), None, "only the mutant's mapping is cached");
    }
}
