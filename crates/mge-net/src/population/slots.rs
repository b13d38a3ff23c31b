//! Which columns are kept, and where: the books of the store, without its values.
//!
//! Most new columns belong to offspring that die at once. Where columns are too long for the
//! cache, writing such a one to memory costs more than computing a lasting one twice, so there a
//! column is kept only when it is asked for a second time.

use super::digest::{ByDigest, Digest};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Where a column is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Among the inputs.
    Input(u32),
    /// Among the columns that are kept.
    Slot(u32),
    /// Among those that only this population needs.
    Passing(u32),
}

/// Populations for which a column is kept that nobody asks for.
const PATIENCE: u32 = 3;

/// A bounded number of slots with names.
#[derive(Debug)]
pub(super) struct Slots {
    places: ByDigest<u32>,
    slots: Vec<Slot>,
    /// The lowest first: what is in use lies close together.
    free: BinaryHeap<Reverse<u32>>,
    /// The columns of this population that are not kept, and behind them those of the last
    /// populations, the latest first.
    passing: [ByDigest<u32>; 1 + PATIENCE as usize],
    /// Whether only what was asked for before is kept.
    is_picky: bool,
    /// Whether something worth keeping found no slot.
    was_short: bool,
    most: usize,
    now: u32,
}

#[derive(Debug)]
struct Slot {
    digest: Digest,
    /// The last population that needed it.
    used: AtomicU32,
    is_free: bool,
}

impl Slots {
    pub(super) fn new(most: usize, is_picky: bool) -> Self {
        Self {
            places: ByDigest::default(),
            slots: Vec::new(),
            free: BinaryHeap::new(),
            passing: Default::default(),
            is_picky,
            was_short: false,
            most: most.min(u32::MAX as usize),
            now: 0,
        }
    }

    /// Before a population: forgets passing columns, and those that nobody asked for lately.
    pub(super) fn begin(&mut self) {
        self.now += 1;
        // When slots were short, only what the last population used is worth keeping.
        let patience = if std::mem::take(&mut self.was_short) { 1 } else { PATIENCE };
        self.passing.rotate_right(1);
        self.passing[0].clear();
        for (index, slot) in self.slots.iter_mut().enumerate() {
            if !slot.is_free && *slot.used.get_mut() + patience < self.now {
                self.places.remove(&slot.digest);
                slot.is_free = true;
                self.free.push(Reverse(index as u32));
            }
        }
    }

    /// The slot of the column of this name, if it is kept. This population needs it, and it stays
    /// there as long. All threads may ask.
    pub(super) fn need_kept(&self, digest: Digest) -> Option<u32> {
        let slot = *self.places.get(&digest)?;
        let used = &self.slots[slot as usize].used;
        // Threads that ask for the same slots do not take them from each other.
        if used.load(Relaxed) != self.now {
            used.store(self.now, Relaxed);
        }
        Some(slot)
    }

    /// Where the column of this name is, if anywhere.
    pub(super) fn find(&self, digest: Digest) -> Option<Place> {
        let kept = self.need_kept(digest).map(Place::Slot);
        kept.or_else(|| self.passing[0].get(&digest).copied().map(Place::Passing))
    }

    /// A place for a new column: kept if it is worth it and there is room.
    pub(super) fn insert(&mut self, digest: Digest) -> Place {
        if self.is_picky && !self.passing[1..].iter().any(|past| past.contains_key(&digest)) {
            return self.pass(digest);
        }
        let slot = Slot { digest, used: self.now.into(), is_free: false };
        let index = match self.free.pop() {
            Some(Reverse(index)) => {
                self.slots[index as usize] = slot;
                index
            }
            None if self.slots.len() < self.most => {
                self.slots.push(slot);
                self.slots.len() as u32 - 1
            }
            None => {
                self.was_short = true;
                return self.pass(digest);
            }
        };
        self.places.insert(digest, index);
        Place::Slot(index)
    }

    fn pass(&mut self, digest: Digest) -> Place {
        let place = self.passing() as u32;
        self.passing[0].insert(digest, place);
        Place::Passing(place)
    }

    /// Slots in use at any time so far.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Columns of this population that are not kept.
    pub(super) fn passing(&self) -> usize {
        self.passing[0].len()
    }
}
