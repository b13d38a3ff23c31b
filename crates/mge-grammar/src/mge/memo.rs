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
    /// For each codon that was read, from the first on, among how many alternatives it chose;
    /// `None` if the reading was another.
    pub(super) options: Option<Box<[u32]>>,
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

    /// What still holds for a gene with codons `new` in place of `old`, none of them changed
    /// before `first`: where every codon that was read chooses what it chose before, the sentence
    /// is the same.
    pub(super) fn inherited(&self, old: &[u16], new: &[u16], first: usize) -> Self {
        let inherited = Self::default();
        let (mut from, mut to) = (self, &inherited);
        while let Some(memo) = from.first.get() {
            if memo.holds_for(old, new, first) {
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

impl Memo {
    fn holds_for(&self, old: &[u16], new: &[u16], first: usize) -> bool {
        let Some(options) = &self.options else { return false };
        let options = options.get(first..).unwrap_or_default();
        let same = |((&old, &new), &options): ((&u16, &u16), &u32)| {
            old == new || u32::from(old) % options == u32::from(new) % options
        };
        old[first..].iter().zip(&new[first..]).zip(options).all(same)
    }
}
