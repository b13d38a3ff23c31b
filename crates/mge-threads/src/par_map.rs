//! A parallel map. Each thread takes the items of its own chunk first, one by one.

use crate::SPIN_TIMEOUT;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The order in which a thread processes its own chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// From the first item to the last.
    Forward,
    /// From the last item to the first.
    Reverse,
}

impl Order {
    /// The other order.
    pub fn reversed(self) -> Self {
        match self {
            Self::Forward => Self::Reverse,
            Self::Reverse => Self::Forward,
        }
    }
}

/// Calls `work` for each item on the threads of the current `rayon` pool. The results have the order
/// of the items.
///
/// A thread processes its own chunk first, then helps with the others. With the same number of
/// items it gets the same chunk in every call, except for items that other threads take.
///
/// # Panics
/// When `work` does.
pub fn par_map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    par_map_in(Order::Forward, items, work)
}

/// Like [`par_map`], with a given order inside the chunks.
///
/// # Panics
/// When `work` does.
pub fn par_map_in<T: Send, R: Send>(
    order: Order,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let chunks = rayon::current_num_threads().min(items.len());
    if chunks < 2 {
        return map_in(order, items, work);
    }
    let batch = Batch {
        left: AtomicUsize::new(items.len()),
        slots: items.into_iter().map(|item| Mutex::new(Slot::Item(item))).collect(),
        chunks,
        order,
        work,
    };
    rayon::scope(|scope| {
        for _ in 1..chunks {
            scope.spawn(|_| batch.run_worker());
        }
        batch.run_worker();
        batch.wait_for_others();
    });
    let results = batch.slots.into_iter().map(|slot| match into_inner(slot) {
        Slot::Result(result) => result,
        Slot::Item(_) | Slot::Taken => unreachable!("every item is processed"),
    });
    results.collect()
}

/// The map on the calling thread alone.
fn map_in<T, R>(order: Order, items: Vec<T>, work: impl Fn(T) -> R) -> Vec<R> {
    if order == Order::Forward {
        return items.into_iter().map(work).collect();
    }
    let mut results: Vec<R> = items.into_iter().rev().map(work).collect();
    results.reverse();
    results
}

/// All items of one call.
struct Batch<T, R, W> {
    slots: Vec<Mutex<Slot<T, R>>>,
    /// Items without a result.
    left: AtomicUsize,
    chunks: usize,
    order: Order,
    work: W,
}

enum Slot<T, R> {
    Item(T),
    Taken,
    Result(R),
}

impl<T: Send, R: Send, W: Fn(T) -> R + Sync> Batch<T, R, W> {
    /// Processes items until there are none: those of its own chunk, then those of the others.
    fn run_worker(&self) {
        let own = rayon::current_thread_index().unwrap_or(0) % self.chunks;
        for distance in 0..self.chunks {
            if self.left.load(Ordering::Relaxed) == 0 {
                return;
            }
            let chunk = self.chunk((own + distance) % self.chunks);
            // Other chunks are taken from the end that their owners reach last.
            if (self.order == Order::Forward) == (distance == 0) {
                chunk.for_each(|index| self.try_item(index));
            } else {
                chunk.rev().for_each(|index| self.try_item(index));
            }
        }
    }

    fn chunk(&self, index: usize) -> Range<usize> {
        let items = self.slots.len();
        items * index / self.chunks..items * (index + 1) / self.chunks
    }

    /// Processes an item, unless another thread has taken it.
    fn try_item(&self, index: usize) {
        let slot = &self.slots[index];
        let Some(item) = take_item(slot) else { return };
        let _done = Done(&self.left);
        let result = (self.work)(item);
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = Slot::Result(result);
    }

    /// Spin-waits for the items of other threads. It gives up after a while: an item may itself wait
    /// for the pool, and this call may run inside of that item.
    fn wait_for_others(&self) {
        let began = Instant::now();
        while self.left.load(Ordering::Acquire) > 0 && began.elapsed() < SPIN_TIMEOUT {
            // Yield, so that other threads can use the processor.
            std::thread::yield_now();
        }
    }
}

/// Counts an item as processed when it is dropped, also by a panic.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

/// Takes the item of a slot, unless another thread has taken it.
fn take_item<T, R>(slot: &Mutex<Slot<T, R>>) -> Option<T> {
    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    match std::mem::replace(&mut *slot, Slot::Taken) {
        Slot::Item(item) => Some(item),
        other => {
            *slot = other;
            None
        }
    }
}

fn into_inner<T>(slot: Mutex<T>) -> T {
    slot.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Threads;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn results_are_those_of_a_map(
            items in prop::collection::vec(any::<u32>(), 0..200),
            threads in 1usize..6,
            is_reverse: bool,
        ) {
            let order = if is_reverse { Order::Reverse } else { Order::Forward };
            let work = |item: u32| u64::from(item) * 3 + 1;
            let mut threads = Threads::new(Some(threads)).expect("some threads");
            let found = threads.run(|| par_map_in(order, items.clone(), work));
            prop_assert_eq!(found, items.into_iter().map(work).collect::<Vec<_>>());
        }
    }

    /// A thread that waits inside of an item may start another worker of the same batch. If that
    /// worker waited without a limit, it would wait for itself.
    #[test]
    fn items_may_call_par_map() {
        let mut threads = Threads::new(Some(3)).expect("three threads");
        let inner = |row: usize| par_map((0..40).collect(), |column: usize| row * column);
        for _ in 0..50 {
            let rows = threads.run(|| par_map((0..7).collect(), inner));
            let expected: Vec<Vec<usize>> =
                (0..7).map(|row| (0..40).map(|column| row * column).collect()).collect();
            assert_eq!(rows, expected);
        }
    }

    #[test]
    fn a_thread_helps_a_slow_one() {
        let mut threads = Threads::new(Some(2)).expect("two threads");
        // The first item waits until all others are processed.
        let done = AtomicUsize::new(0);
        let work = |index: usize| {
            while index == 0 && done.load(Ordering::Acquire) < 19 {
                std::thread::yield_now();
            }
            done.fetch_add(1, Ordering::Release);
        };
        threads.run(|| par_map((0..20).collect(), work));
        assert_eq!(done.into_inner(), 20);
    }

    #[test]
    fn a_panic_in_an_item_reaches_the_caller() {
        let mut threads = Threads::new(Some(2)).expect("two threads");
        let work = |index: usize| assert!(index != 5, "in an item");
        let call = || threads.run(|| par_map((0..20).collect(), work));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err());
        assert_eq!(threads.run(|| par_map(vec![1, 2], |number| number + 1)), [2, 3]);
    }
}
