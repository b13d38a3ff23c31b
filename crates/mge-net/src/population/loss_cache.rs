//! The losses of networks that were evaluated not long ago.

use super::digest::{ByDigest, Digest};

/// Networks that a table holds before it becomes the old one.
const LEAST_CAPACITY: usize = 1 << 14;

/// A bounded memory in two tables: when the young one is full it becomes the old one, and what
/// was not asked for since is forgotten with the next turn.
#[derive(Debug, Default)]
pub(super) struct LossMemo {
    young: Table,
    old: Table,
}

#[derive(Debug, Default)]
struct Table {
    places: ByDigest<u32>,
    losses: Vec<f64>,
}

impl Table {
    fn insert(&mut self, digest: Digest, loss: f64) -> u32 {
        let place = self.losses.len() as u32;
        self.places.insert(digest, place);
        self.losses.push(loss);
        place
    }
}

/// Where a network's loss is, or will be, until the next [`LossMemo::begin`].
pub(super) enum Recalled {
    Known(u32),
    New(u32),
}

impl LossMemo {
    /// With populations of this size, about.
    pub(super) fn bytes(population: usize) -> usize {
        const OF_NETWORK: usize = 2 * size_of::<(Digest, u32)>() + size_of::<f64>();
        2 * OF_NETWORK * (Self::most(population) + population)
    }

    fn most(population: usize) -> usize {
        LEAST_CAPACITY.max(4 * population)
    }

    /// Before a population of this size.
    pub(super) fn begin(&mut self, population: usize) {
        let most = Self::most(population);
        if self.young.losses.len() >= most {
            std::mem::swap(&mut self.young, &mut self.old);
            self.young.places.clear();
            self.young.losses.clear();
        }
        // All at once: to grow step by step moves every name again and again.
        self.young.places.reserve(most + population - self.young.losses.len());
    }

    pub(super) fn recall(&mut self, network: Digest) -> Recalled {
        if let Some(&place) = self.young.places.get(&network) {
            return Recalled::Known(place);
        }
        match self.old.places.get(&network) {
            Some(&place) => {
                let loss = self.old.losses[place as usize];
                Recalled::Known(self.young.insert(network, loss))
            }
            None => Recalled::New(self.young.insert(network, f64::NAN)),
        }
    }

    /// `None` for a network that has no shared loss.
    pub(super) fn loss(&self, place: u32) -> Option<f64> {
        let loss = self.young.losses[place as usize];
        (!loss.is_nan()).then_some(loss)
    }

    pub(super) fn set(&mut self, place: u32, loss: f64) {
        self.young.losses[place as usize] = loss;
    }
}
