//! Items that threads take one by one, each from its own share first.

use crate::PATIENCE;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// In which order a thread goes through its own share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// From the first item to the last.
    Forwards,
    /// From the last to the first.
    Backwards,
}

/// Does `work` for each item on the threads of the current `rayon` pool; the results are in the
/// order of the items. A thread takes items of its own share first, and then helps the others: of
/// as many items it gets the same ones every time, as far as all of them are equally fast.
///
/// # Panics
/// When `work` does.
pub fn share<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    share_in(Order::Forwards, items, work)
}

/// The same, in a given order.
///
/// # Panics
/// When `work` does.
pub fn share_in<T: Send, R: Send>(
    order: Order,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let shares = rayon::current_num_threads().min(items.len());
    if shares < 2 {
        return alone(order, items, work);
    }
    let table = Table {
        left: AtomicUsize::new(items.len()),
        places: items.into_iter().map(|item| Mutex::new(Place::Item(item))).collect(),
        shares,
        order,
        work,
    };
    rayon::scope(|scope| {
        for _ in 1..shares {
            scope.spawn(|_| table.take_part());
        }
        table.take_part();
        table.wait_for_others();
    });
    let results = table.places.into_iter().map(|place| match into_inner(place) {
        Place::Result(result) => result,
        Place::Item(_) | Place::Taken => unreachable!("every item is taken and done"),
    });
    results.collect()
}

fn alone<T, R>(order: Order, items: Vec<T>, work: impl Fn(T) -> R) -> Vec<R> {
    if order == Order::Forwards {
        return items.into_iter().map(work).collect();
    }
    let mut results: Vec<R> = items.into_iter().rev().map(work).collect();
    results.reverse();
    results
}

/// All items of one call.
struct Table<T, R, W> {
    places: Vec<Mutex<Place<T, R>>>,
    /// Items that are not done.
    left: AtomicUsize,
    shares: usize,
    order: Order,
    work: W,
}

enum Place<T, R> {
    Item(T),
    Taken,
    Result(R),
}

impl<T: Send, R: Send, W: Fn(T) -> R + Sync> Table<T, R, W> {
    /// Takes items until there are none: of its own share, then of the next ones.
    fn take_part(&self) {
        let own = rayon::current_thread_index().unwrap_or(0) % self.shares;
        for distance in 0..self.shares {
            if self.left.load(Ordering::Relaxed) == 0 {
                return;
            }
            let share = self.share((own + distance) % self.shares);
            // Their owners come to the far end of the others' shares last.
            if (self.order == Order::Forwards) == (distance == 0) {
                share.for_each(|index| self.try_item(index));
            } else {
                share.rev().for_each(|index| self.try_item(index));
            }
        }
    }

    fn share(&self, number: usize) -> Range<usize> {
        let items = self.places.len();
        items * number / self.shares..items * (number + 1) / self.shares
    }

    /// Does an item, unless somebody has taken it.
    fn try_item(&self, index: usize) {
        let place = &self.places[index];
        let Some(item) = take_item(place) else { return };
        let _done = Done(&self.left);
        let result = (self.work)(item);
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Place::Result(result);
    }

    /// Waits with open eyes, but not for ever: an item whose work waits for threads itself may have
    /// led this one here.
    fn wait_for_others(&self) {
        let began = Instant::now();
        while self.left.load(Ordering::Acquire) > 0 && began.elapsed() < PATIENCE {
            // Whoever else wants the processor goes first.
            std::thread::yield_now();
        }
    }
}

/// Counts an item as done when it is dropped, by a panic too.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

/// The item of a place, if nobody has taken it.
fn take_item<T, R>(place: &Mutex<Place<T, R>>) -> Option<T> {
    let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
    match std::mem::replace(&mut *place, Place::Taken) {
        Place::Item(item) => Some(item),
        other => {
            *place = other;
            None
        }
    }
}

fn into_inner<T>(place: Mutex<T>) -> T {
    place.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Threads;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_a_map(
            items in prop::collection::vec(any::<u32>(), 0..200),
            threads in 1usize..6,
            is_backwards: bool,
        ) {
            let order = if is_backwards { Order::Backwards } else { Order::Forwards };
            let work = |item: u32| u64::from(item) * 3 + 1;
            let mut threads = Threads::new(Some(threads)).expect("some threads");
            let shared = threads.run(|| share_in(order, items.clone(), work));
            prop_assert_eq!(shared, items.into_iter().map(work).collect::<Vec<_>>());
        }
    }

    /// An item that itself waits for threads may take up a share of the table it belongs to, and
    /// would then wait for itself.
    #[test]
    fn items_may_share_work_themselves() {
        let mut threads = Threads::new(Some(3)).expect("three threads");
        let inner = |row: usize| share((0..40).collect(), |column: usize| row * column);
        for _ in 0..50 {
            let rows = threads.run(|| share((0..7).collect(), inner));
            let expected: Vec<Vec<usize>> =
                (0..7).map(|row| (0..40).map(|column| row * column).collect()).collect();
            assert_eq!(rows, expected);
        }
    }

    #[test]
    fn a_thread_helps_one_that_is_late() {
        let mut threads = Threads::new(Some(2)).expect("two threads");
        // The first share waits until all of the second and its own rest are done.
        let done = AtomicUsize::new(0);
        let work = |index: usize| {
            while index == 0 && done.load(Ordering::Acquire) < 19 {
                std::thread::yield_now();
            }
            done.fetch_add(1, Ordering::Release);
        };
        threads.run(|| share((0..20).collect(), work));
        assert_eq!(done.into_inner(), 20);
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let mut threads = Threads::new(Some(2)).expect("two threads");
        let work = |index: usize| assert!(index != 5, "in an item");
        let call = || threads.run(|| share((0..20).collect(), work));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err());
        assert_eq!(threads.run(|| share(vec![1, 2], |number| number + 1)), [2, 3]);
    }
}
