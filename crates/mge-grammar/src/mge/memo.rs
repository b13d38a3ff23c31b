//! What a gene remembers of its mapping, so that an inherited gene is never mapped again.
//!
//! A memory holds for one mapper (grammar, variant and wraps) and one number of neurons that may
//! be referred to, and is found by both: no gene can be read with another grammar's memory.

use mge_net::Part;
use std::sync::{Arc, OnceLock};

/// What a gene maps to under one mapper.
#[derive(Debug)]
pub(super) struct Memo {
    pub(super) mapper: u64,
    /// How many earlier neurons could be referred to.
    pub(super) references: usize,
    /// The codons that were read are the first of this many.
    pub(super) codons_used: usize,
    /// The neuron with its connections, or `None` for a gene that maps to nothing.
    pub(super) part: Option<Part>,
}

/// A list that only grows. In single-layer variants it has one entry.
#[derive(Debug, Default)]
pub(super) struct Memos {
    first: OnceLock<Arc<Memo>>,
    others: OnceLock<Box<Memos>>,
}

impl Memos {
    /// The memory for this mapper and number of references, made by `map` if there is none.
    #[inline]
    pub(super) fn get_or_map(
        &self,
        mapper: u64,
        references: usize,
        map: impl FnOnce() -> Memo,
    ) -> &Memo {
        let mut memos = self;
        let mut map = Some(map);
        loop {
            // The place may be filled already, or just now by another thread: then `map` is kept
            // for the next one.
            let memo = memos
                .first
                .get_or_init(|| Arc::new(map.take().expect("a new memory ends the search")()));
            if memo.mapper == mapper && memo.references == references {
                return memo;
            }
            memos = memos.others.get_or_init(Box::default);
        }
    }

    /// What still holds when the codons from `first_changed` on are others.
    pub(super) fn inherited(&self, first_changed: usize) -> Self {
        let inherited = Self::default();
        let (mut from, mut to) = (self, &inherited);
        while let Some(memo) = from.first.get() {
            if memo.codons_used <= first_changed {
                // A new list: the place is free.
                let _ = to.first.set(Arc::clone(memo));
                if from.others.get().is_some() {
                    to = to.others.get_or_init(Box::default);
                }
            }
            match from.others.get() {
                Some(others) => from = others,
                None => break,
            }
        }
        inherited
    }
}
