//! The losses of recently evaluated networks.

use super::digest::{ByDigest, Digest};

/// Minimum number of networks in the recent table before it becomes the older one.
const MIN_CAPACITY: usize = 1 << 14;

/// A bounded cache of two tables. When the recent table is full it becomes the older one, and the
/// networks that no population requested since are forgotten.
#[derive(Debug, Default)]
pub(super) struct LossCache {
    recent: LossTable,
    older: LossTable,
}

#[derive(Debug, Default)]
struct LossTable {
    entry_of: ByDigest<u32>,
    losses: Vec<f64>,
}

impl LossTable {
    fn insert(&mut self, digest: Digest, loss: f64) -> u32 {
        let entry = self.losses.len() as u32;
        self.entry_of.insert(digest, entry);
        self.losses.push(loss);
        entry
    }
}

/// The entry of a network's loss. It is valid until the next [`LossCache::begin_population`].
pub(super) enum CachedLoss {
    /// The loss is known.
    Hit(u32),
    /// The loss must be computed and [set](LossCache::set).
    Miss(u32),
}

impl LossCache {
    /// About how many bytes it takes for populations of this size.
    pub(super) fn bytes(population: usize) -> usize {
        const PER_NETWORK: usize = 2 * size_of::<(Digest, u32)>() + size_of::<f64>();
        2 * PER_NETWORK * (Self::capacity(population) + population)
    }

    fn capacity(population: usize) -> usize {
        MIN_CAPACITY.max(4 * population)
    }

    /// Starts a population of this size.
    pub(super) fn begin_population(&mut self, population: usize) {
        let capacity = Self::capacity(population);
        if self.recent.losses.len() >= capacity {
            std::mem::swap(&mut self.recent, &mut self.older);
            self.recent.entry_of.clear();
            self.recent.losses.clear();
        }
        // Reserved at once: a table that grows step by step moves every digest again and again.
        self.recent.entry_of.reserve(capacity + population - self.recent.losses.len());
    }

    pub(super) fn look_up(&mut self, network: Digest) -> CachedLoss {
        if let Some(&entry) = self.recent.entry_of.get(&network) {
            return CachedLoss::Hit(entry);
        }
        match self.older.entry_of.get(&network) {
            Some(&entry) => {
                let loss = self.older.losses[entry as usize];
                CachedLoss::Hit(self.recent.insert(network, loss))
            }
            None => CachedLoss::Miss(self.recent.insert(network, f64::NAN)),
        }
    }

    /// `None` for a network that this module does not evaluate: its sums may overflow fixed point.
    pub(super) fn loss(&self, entry: u32) -> Option<f64> {
        let loss = self.recent.losses[entry as usize];
        (!loss.is_nan()).then_some(loss)
    }

    pub(super) fn set(&mut self, entry: u32, loss: f64) {
        self.recent.losses[entry as usize] = loss;
    }
}
