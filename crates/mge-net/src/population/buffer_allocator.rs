//! Memory for columns that only one population needs: each is given up after the last network
//! that reads it, so that a few rooms, which stay in the first-level cache, serve thousands.

/// Which passing columns share memory. The buffers are used again.
#[derive(Debug, Default)]
pub(super) struct Rooms {
    columns: Vec<Stay>,
    /// The room of each column.
    rooms: Vec<u32>,
    count: u32,
    free: Vec<u32>,
    /// For each network the last of the columns that leave with it, while rooms are assigned.
    leaving: Vec<Option<u32>>,
}

/// From the network that computes a column to the last one that reads it.
#[derive(Debug, Clone, Copy)]
struct Stay {
    first: u32,
    last: u32,
    /// Another column that leaves with the same network.
    beside: Option<u32>,
}

impl Rooms {
    /// Forgets all columns.
    pub(super) fn clear(&mut self) {
        self.columns.clear();
    }

    /// A column is used by a network. Networks come in order, and so do the columns that they are
    /// the first to use.
    pub(super) fn used(&mut self, column: u32, network: u32) {
        match self.columns.get_mut(column as usize) {
            Some(stay) => stay.last = network,
            None => {
                assert_eq!(column as usize, self.columns.len(), "columns come in order");
                self.columns.push(Stay { first: network, last: network, beside: None });
            }
        }
    }

    /// Gives every column a room, once all networks are known.
    pub(super) fn assign(&mut self, networks: usize) {
        let Self { columns, rooms, count, free, leaving } = self;
        *count = 0;
        free.clear();
        rooms.clear();
        leaving.clear();
        leaving.resize(networks, None);
        for network in 0..networks {
            while let Some(stay) = columns.get_mut(rooms.len())
                && stay.first as usize == network
            {
                stay.beside = leaving[stay.last as usize].replace(rooms.len() as u32);
                rooms.push(free.pop().unwrap_or_else(|| {
                    *count += 1;
                    *count - 1
                }));
            }
            // Not before the network is done with all of its columns.
            let mut leaves = leaving[network];
            while let Some(column) = leaves {
                free.push(rooms[column as usize]);
                leaves = columns[column as usize].beside;
            }
        }
    }

    /// The room of a column.
    #[inline(always)]
    pub(super) fn of(&self, column: u32) -> u32 {
        self.rooms[column as usize]
    }

    /// How many are enough.
    pub(super) fn count(&self) -> usize {
        self.count as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Columns that are used at the same time never share a room, and there are no more rooms
        /// than columns at the busiest time.
        #[test]
        fn nobody_shares_a_room_at_the_same_time(
            stays in prop::collection::vec((0u32..20, 0u32..20), 0..40),
        ) {
            let mut stays: Vec<(u32, u32)> =
                stays.into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
            stays.sort_unstable();
            let mut rooms = Rooms::default();
            for network in 0..20 {
                for (column, &(first, last)) in (0..).zip(&stays) {
                    if (first..=last).contains(&network) {
                        rooms.used(column, network);
                    }
                }
            }
            rooms.assign(20);
            let mut busiest = 0;
            for network in 0..20 {
                let here = |&(_, stay): &(u32, &(u32, u32))| (stay.0..=stay.1).contains(&network);
                let taken: Vec<u32> =
                    (0..).zip(&stays).filter(here).map(|(column, _)| rooms.of(column)).collect();
                let distinct: std::collections::BTreeSet<_> = taken.iter().collect();
                prop_assert_eq!(distinct.len(), taken.len());
                busiest = busiest.max(taken.len());
            }
            prop_assert_eq!(rooms.count(), busiest);
        }
    }
}
