//! Which columns are kept, and where: the books of the store, without its values.

use super::digest::{ByDigest, Digest};

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
    free: Vec<u32>,
    passing: ByDigest<u32>,
    passing_count: u32,
    most: usize,
    now: u32,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    digest: Digest,
    used: u32,
    is_free: bool,
}

impl Slots {
    pub(super) fn new(most: usize) -> Self {
        Self {
            places: ByDigest::default(),
            slots: Vec::new(),
            free: Vec::new(),
            passing: ByDigest::default(),
            passing_count: 0,
            most: most.min(u32::MAX as usize),
            now: 0,
        }
    }

    /// Before a population: forgets passing columns, and those that nobody asked for lately.
    pub(super) fn begin(&mut self) {
        self.now += 1;
        // When slots were short, only what the last population used is worth keeping.
        let patience = if self.passing_count > 0 { 1 } else { PATIENCE };
        self.passing.clear();
        self.passing_count = 0;
        for (index, slot) in self.slots.iter_mut().enumerate() {
            if !slot.is_free && slot.used + patience < self.now {
                self.places.remove(&slot.digest);
                slot.is_free = true;
                self.free.push(index as u32);
            }
        }
    }

    /// Where the column of this name is, if anywhere.
    pub(super) fn find(&mut self, digest: Digest) -> Option<Place> {
        if let Some(&slot) = self.places.get(&digest) {
            self.slots[slot as usize].used = self.now;
            return Some(Place::Slot(slot));
        }
        if self.passing_count == 0 {
            return None;
        }
        self.passing.get(&digest).copied().map(Place::Passing)
    }

    /// A place for a new column: kept if there is room.
    pub(super) fn insert(&mut self, digest: Digest) -> Place {
        let slot = Slot { digest, used: self.now, is_free: false };
        let index = match self.free.pop() {
            Some(index) => {
                self.slots[index as usize] = slot;
                index
            }
            None if self.slots.len() < self.most => {
                self.slots.push(slot);
                self.slots.len() as u32 - 1
            }
            None => {
                let place = self.passing_count;
                self.passing.insert(digest, place);
                self.passing_count += 1;
                return Place::Passing(place);
            }
        };
        self.places.insert(digest, index);
        Place::Slot(index)
    }

    /// Slots in use at any time so far.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Columns of this population that are not kept.
    pub(super) fn passing(&self) -> usize {
        self.passing_count as usize
    }
}
