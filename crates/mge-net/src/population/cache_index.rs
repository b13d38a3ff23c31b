//! The index of the column cache: which columns are cached, in which slot. It holds no values.
//!
//! Most new columns belong to offspring that do not survive. On tables of several blocks, storing
//! a column costs more than computing it once more. So a column is cached there only when it is
//! requested for the second time (`cache_on_second_use`).
//!
//! A lookup has two phases. First all threads ask for the [history](CacheIndex::history) of
//! columns, which reads the index and only marks slots as used. Then a single thread
//! [assigns](CacheIndex::assign) slots to new columns. Where there is one thread, the two phases
//! alternate network by network. A history may then report a column as cached that this same
//! population requested first. That is correct, since the job that computes it comes earlier. The
//! history of a column that is not cached stays the same during a population.

use super::digest::{ByDigest, Digest};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Where the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnRef {
    /// Among the inputs.
    Input(u32),
    /// In a slot of the column cache.
    Cached(u32),
    /// Among the temporary columns of this population.
    Temp(u32),
}

/// What the index knows of a column from earlier populations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum CacheHistory {
    /// It is cached in this slot.
    Cached(u32),
    /// It was computed recently, but not cached.
    SeenOnce,
    /// It was not computed recently.
    #[default]
    Unknown,
}

/// The answer of [`CacheIndex::assign`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lookup {
    /// The values are there, or an earlier job computes them.
    Present(ColumnRef),
    /// The values must be computed, and go there.
    Missing(ColumnRef),
}

/// A cached column loses its slot when this many populations did not request it. Temporary columns
/// are remembered for as many populations.
const MAX_IDLE_GENERATIONS: u32 = 3;

/// A bounded number of slots, found by digest.
#[derive(Debug)]
pub(super) struct CacheIndex {
    slot_of: ByDigest<u32>,
    entries: Vec<CacheEntry>,
    /// Slots in use.
    used: Vec<u32>,
    /// Free slots, the lowest first: this keeps the values in use close together.
    free: BinaryHeap<Reverse<u32>>,
    /// The temporary columns of this population, then those of the last populations, the latest
    /// first.
    temp: [ByDigest<u32>; 1 + MAX_IDLE_GENERATIONS as usize],
    /// Whether a column is cached only when it is requested for the second time.
    cache_on_second_use: bool,
    /// Whether some column should have been cached while all slots were in use.
    had_miss: bool,
    capacity: usize,
    /// The number of this population.
    generation: u32,
}

#[derive(Debug)]
struct CacheEntry {
    digest: Digest,
    /// The last population that requested the column.
    last_used: AtomicU32,
}

impl CacheIndex {
    pub(super) fn new(capacity: usize, cache_on_second_use: bool) -> Self {
        Self {
            slot_of: ByDigest::default(),
            entries: Vec::new(),
            used: Vec::new(),
            free: BinaryHeap::new(),
            temp: Default::default(),
            cache_on_second_use,
            had_miss: false,
            capacity: capacity.min(u32::MAX as usize),
            generation: 0,
        }
    }

    /// Starts a population: forgets the oldest temporary columns, and frees the slots of idle
    /// ones.
    pub(super) fn begin_population(&mut self) {
        self.generation += 1;
        // If slots ran out, only columns that the last population used keep their slot.
        let max_idle = if std::mem::take(&mut self.had_miss) { 1 } else { MAX_IDLE_GENERATIONS };
        self.temp.rotate_right(1);
        self.temp[0].clear();
        let Self { used, entries, slot_of, free, generation, .. } = self;
        used.retain(|&slot| {
            let entry = &mut entries[slot as usize];
            let stays = *entry.last_used.get_mut() + max_idle >= *generation;
            if !stays {
                slot_of.remove(&entry.digest);
                free.push(Reverse(slot));
            }
            stays
        });
    }

    /// What is known of a column from earlier populations. Marks a cached column as used by this
    /// population. All threads may call it at once.
    #[inline]
    pub(super) fn history(&self, digest: Digest) -> CacheHistory {
        let Some(&slot) = self.slot_of.get(&digest) else {
            let was_temp = || self.temp[1..].iter().any(|earlier| earlier.contains_key(&digest));
            return if self.cache_on_second_use && was_temp() {
                CacheHistory::SeenOnce
            } else {
                CacheHistory::Unknown
            };
        };
        let last_used = &self.entries[slot as usize].last_used;
        // A write would take the cache line from the other threads, so write only what changes.
        if last_used.load(Relaxed) != self.generation {
            last_used.store(self.generation, Relaxed);
        }
        CacheHistory::Cached(slot)
    }

    /// Whether the column is cached, or this population has requested it before.
    pub(super) fn contains(&self, digest: Digest) -> bool {
        self.slot_of.contains_key(&digest) || self.temp[0].contains_key(&digest)
    }

    /// Finds a column, or decides where a new one is stored: in a slot if it should be cached and a
    /// slot is free, else among the temporary columns.
    #[inline]
    pub(super) fn assign(&mut self, digest: Digest, history: CacheHistory) -> Lookup {
        match history {
            CacheHistory::Cached(slot) => Lookup::Present(ColumnRef::Cached(slot)),
            CacheHistory::Unknown if self.cache_on_second_use => self.assign_temp(digest),
            CacheHistory::Unknown | CacheHistory::SeenOnce => self.assign_slot(digest),
        }
    }

    fn assign_slot(&mut self, digest: Digest) -> Lookup {
        let vacant = match self.slot_of.entry(digest) {
            Entry::Occupied(slot) => return Lookup::Present(ColumnRef::Cached(*slot.get())),
            Entry::Vacant(vacant) => vacant,
        };
        let entry = CacheEntry { digest, last_used: self.generation.into() };
        let slot = match self.free.pop() {
            Some(Reverse(slot)) => {
                self.entries[slot as usize] = entry;
                slot
            }
            None if self.entries.len() < self.capacity => {
                self.entries.push(entry);
                self.entries.len() as u32 - 1
            }
            None => {
                self.had_miss = true;
                return self.assign_temp(digest);
            }
        };
        self.used.push(slot);
        Lookup::Missing(ColumnRef::Cached(*vacant.insert(slot)))
    }

    fn assign_temp(&mut self, digest: Digest) -> Lookup {
        let next = self.temp_columns() as u32;
        match self.temp[0].entry(digest) {
            Entry::Occupied(column) => Lookup::Present(ColumnRef::Temp(*column.get())),
            Entry::Vacant(vacant) => Lookup::Missing(ColumnRef::Temp(*vacant.insert(next))),
        }
    }

    /// The largest number of slots that were ever in use at once.
    pub(super) fn slots(&self) -> usize {
        self.entries.len()
    }

    /// The temporary columns of this population.
    pub(super) fn temp_columns(&self) -> usize {
        self.temp[0].len()
    }
}
