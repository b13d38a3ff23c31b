//! Which columns are kept, and where: the books of the store, without its values.
//!
//! Most new columns belong to offspring that die at once. Where columns are too long for the
//! cache, writing such a one to memory costs more than computing a lasting one twice, so there a
//! column is kept only when it is asked for a second time.
//!
//! Whatever the populations before can answer is asked by all threads ([`Slots::look_up`]); one
//! alone then writes down what is new ([`Slots::place`]). A single thread does both in turns, and
//! may find kept what this very population was the first to ask for: its job stands earlier. What
//! is not kept gets the same answer throughout a population.

use super::digest::{ByDigest, Digest};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;
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

/// What the populations before this one left of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Past {
    /// It is kept in this slot.
    Kept(u32),
    /// It was computed not long ago, and not kept.
    Asked,
    /// Nothing is known of it.
    #[default]
    Unknown,
}

/// Where the column of this population is that [`Slots::place`] was asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placed {
    /// It is there, or a job that puts it there is planned.
    There(Place),
    /// It must be computed, and goes there.
    New(Place),
}

/// Populations for which a column is kept that nobody asks for.
const PATIENCE: u32 = 3;

/// A bounded number of slots with names.
#[derive(Debug)]
pub(super) struct Slots {
    places: ByDigest<u32>,
    slots: Vec<Slot>,
    /// Those that are not free.
    kept: Vec<u32>,
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
}

impl Slots {
    pub(super) fn new(most: usize, is_picky: bool) -> Self {
        Self {
            places: ByDigest::default(),
            slots: Vec::new(),
            kept: Vec::new(),
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
        let Self { kept, slots, places, free, now, .. } = self;
        kept.retain(|&index| {
            let slot = &mut slots[index as usize];
            let stays = *slot.used.get_mut() + patience >= *now;
            if !stays {
                places.remove(&slot.digest);
                free.push(Reverse(index));
            }
            stays
        });
    }

    /// What is known of the column of this name from the populations before. If it is kept, this
    /// population needs it, and it stays as long. All threads may ask.
    #[inline]
    pub(super) fn look_up(&self, digest: Digest) -> Past {
        let Some(&slot) = self.places.get(&digest) else {
            let passed = || self.passing[1..].iter().any(|past| past.contains_key(&digest));
            return if self.is_picky && passed() { Past::Asked } else { Past::Unknown };
        };
        let used = &self.slots[slot as usize].used;
        // Threads that ask for the same slots do not take them from each other.
        if used.load(Relaxed) != self.now {
            used.store(self.now, Relaxed);
        }
        Past::Kept(slot)
    }

    /// Whether there is a place for the column of this name: it was kept, or this population has
    /// asked for it before.
    pub(super) fn has_place(&self, digest: Digest) -> bool {
        self.places.contains_key(&digest) || self.passing[0].contains_key(&digest)
    }

    /// Where the column of this name is or goes. A new one is kept if that is worth it and there is
    /// room.
    #[inline]
    pub(super) fn place(&mut self, digest: Digest, past: Past) -> Placed {
        match past {
            Past::Kept(slot) => Placed::There(Place::Slot(slot)),
            Past::Unknown if self.is_picky => self.pass(digest),
            Past::Unknown | Past::Asked => self.keep(digest),
        }
    }

    fn keep(&mut self, digest: Digest) -> Placed {
        let entry = match self.places.entry(digest) {
            Entry::Occupied(entry) => return Placed::There(Place::Slot(*entry.get())),
            Entry::Vacant(entry) => entry,
        };
        let slot = Slot { digest, used: self.now.into() };
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
        self.kept.push(index);
        Placed::New(Place::Slot(*entry.insert(index)))
    }

    fn pass(&mut self, digest: Digest) -> Placed {
        let next = self.passing() as u32;
        match self.passing[0].entry(digest) {
            Entry::Occupied(entry) => Placed::There(Place::Passing(*entry.get())),
            Entry::Vacant(entry) => Placed::New(Place::Passing(*entry.insert(next))),
        }
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
