//! Assigns buffers to temporary columns by linear scan, as compilers assign registers to variables.
//!
//! A temporary column lives from the network that computes it to the last network that reads it.
//! After that its buffer is free for another column. So a few buffers, which stay in the
//! first-level cache, are enough for thousands of columns.

/// Which temporary columns share a buffer. The memory is reused by every population.
#[derive(Debug, Default)]
pub(super) struct BufferAllocator {
    /// The live range of each column.
    ranges: Vec<LiveRange>,
    /// The buffer of each column.
    buffers: Vec<u32>,
    count: u32,
    free: Vec<u32>,
    /// For each network: the head of a linked list of the columns that expire after it.
    expiring: Vec<Option<u32>>,
}

/// The networks between which a column is in use, both included.
#[derive(Debug, Clone, Copy)]
struct LiveRange {
    first: u32,
    last: u32,
    /// The next column in the list of those that expire after the same network.
    next_expiring: Option<u32>,
}

impl BufferAllocator {
    /// Forgets all columns.
    pub(super) fn clear(&mut self) {
        self.ranges.clear();
    }

    /// Records that a network uses a column. Calls come in the order of the networks, and new
    /// columns in the order of their numbers.
    pub(super) fn record_use(&mut self, column: u32, network: u32) {
        match self.ranges.get_mut(column as usize) {
            Some(range) => range.last = network,
            None => {
                assert_eq!(column as usize, self.ranges.len(), "columns come in order");
                self.ranges.push(LiveRange { first: network, last: network, next_expiring: None });
            }
        }
    }

    /// Assigns a buffer to every column, once all uses are recorded.
    pub(super) fn assign(&mut self, networks: usize) {
        let Self { ranges, buffers, count, free, expiring } = self;
        *count = 0;
        free.clear();
        buffers.clear();
        expiring.clear();
        expiring.resize(networks, None);
        for network in 0..networks {
            while let Some(range) = ranges.get_mut(buffers.len())
                && range.first as usize == network
            {
                range.next_expiring = expiring[range.last as usize].replace(buffers.len() as u32);
                buffers.push(free.pop().unwrap_or_else(|| {
                    *count += 1;
                    *count - 1
                }));
            }
            // A network needs all of its columns at once, so none of them expires earlier.
            let mut expired = expiring[network];
            while let Some(column) = expired {
                free.push(buffers[column as usize]);
                expired = ranges[column as usize].next_expiring;
            }
        }
    }

    /// The buffer of a column.
    #[inline(always)]
    pub(super) fn buffer_of(&self, column: u32) -> u32 {
        self.buffers[column as usize]
    }

    /// How many buffers are enough.
    pub(super) fn count(&self) -> usize {
        self.count as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The number of buffers is the largest number of columns in use at once.
        #[test]
        fn columns_in_use_at_once_never_share_a_buffer(
            ranges in prop::collection::vec((0u32..20, 0u32..20), 0..40),
        ) {
            let mut ranges: Vec<(u32, u32)> =
                ranges.into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
            ranges.sort_unstable();
            let mut allocator = BufferAllocator::default();
            for network in 0..20 {
                for (column, &(first, last)) in (0..).zip(&ranges) {
                    if (first..=last).contains(&network) {
                        allocator.record_use(column, network);
                    }
                }
            }
            allocator.assign(20);
            let mut max_in_use = 0;
            for network in 0..20 {
                let is_used = |&(_, range): &(u32, &(u32, u32))| {
                    (range.0..=range.1).contains(&network)
                };
                let used: Vec<u32> = (0..)
                    .zip(&ranges)
                    .filter(is_used)
                    .map(|(column, _)| allocator.buffer_of(column))
                    .collect();
                let distinct: std::collections::BTreeSet<_> = used.iter().collect();
                prop_assert_eq!(distinct.len(), used.len());
                max_in_use = max_in_use.max(used.len());
            }
            prop_assert_eq!(allocator.count(), max_in_use);
        }
    }
}
