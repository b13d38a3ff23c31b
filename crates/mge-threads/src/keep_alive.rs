//! Threads that stay awake while a search is on.

use crate::{PATIENCE, StartError};
use rayon::Yield;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const NAP: Duration = Duration::from_micros(100);

/// Most threads that stay awake beside the one that leads: waiting costs processor time, and parts as
/// short as these keep few threads busy.
const MOST_AWAKE: usize = 3;

/// Threads of its own, so that a fit neither disturbs nor depends on the caller's.
#[derive(Debug)]
pub struct Threads(rayon::ThreadPool);

impl Threads {
    /// So many threads; one for each processor if no number is given.
    ///
    /// # Errors
    /// When the system gives no more threads.
    pub fn new(count: Option<usize>) -> Result<Self, StartError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count.unwrap_or(0)).build();
        pool.map(Self)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.current_num_threads()
    }

    /// Does some work on them. Until it is over, a few of those that have none stay awake. One work at a
    /// time: two that began at once would wait for each other's threads to wake up.
    pub fn run<T: Send>(&mut self, work: impl FnOnce() -> T + Send) -> T {
        self.0.install(|| {
            let vigil = Vigil::default();
            let (state, own) = (Arc::clone(&vigil.0), rayon::current_thread_index().unwrap_or(0));
            let awake = MOST_AWAKE.min(rayon::current_num_threads() - 1);
            rayon::spawn_broadcast(move |thread| {
                let others = rayon::current_num_threads();
                let distance = (thread.index() + others - own) % others;
                if (1..=awake).contains(&distance) {
                    state.entered.fetch_add(1, Ordering::Relaxed);
                    look_for_work(&state.over);
                }
            });
            // No vigil may be pending once work has begun: a thread that waits for a part of the work
            // would take it up, and be in it until the work is over, which waits for that part.
            while vigil.0.entered.load(Ordering::Relaxed) < awake {
                std::thread::yield_now();
            }
            work()
        })
    }
}

/// Ends the vigil of all threads when it is dropped, by a panic too.
#[derive(Default)]
struct Vigil(Arc<VigilState>);

#[derive(Default)]
struct VigilState {
    /// Threads that began it.
    entered: AtomicUsize,
    over: AtomicBool,
}

impl Drop for Vigil {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Relaxed);
    }
}

fn look_for_work(over: &AtomicBool) {
    let mut idle_since = Instant::now();
    while !over.load(Ordering::Relaxed) {
        if rayon::yield_now() == Some(Yield::Executed) {
            idle_since = Instant::now();
        } else if idle_since.elapsed() < PATIENCE {
            // Whoever else wants the processor goes first.
            std::thread::yield_now();
        } else {
            std::thread::sleep(NAP);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::sync::{Barrier, Mutex};

    #[test]
    fn all_threads_work_and_the_vigil_ends() {
        let mut threads = Threads::new(Some(3)).expect("three threads");
        for _ in 0..20 {
            let seen = Mutex::new(std::collections::BTreeSet::new());
            let all = Barrier::new(3);
            let look = |_| {
                seen.lock().expect("no panic").extend(rayon::current_thread_index());
                // Whoever has one item waits until the others have one each.
                all.wait();
            };
            threads.run(|| (0..3).into_par_iter().with_max_len(1).for_each(look));
            assert_eq!(seen.into_inner().expect("no panic").len(), 3);
        }
        // A thread that still looked for work would never answer.
        assert_eq!(threads.0.broadcast(|thread| thread.index()), [0, 1, 2]);
    }

    /// A vigil that was taken up inside of the work that waits for it would never end: with four
    /// threads that came after a few hundred rounds.
    #[test]
    fn work_of_many_parts_never_waits_for_a_vigil() {
        fn parts(depth: u32) -> u64 {
            if depth == 0 {
                return 1;
            }
            let (one, other) = rayon::join(|| parts(depth - 1), || parts(depth - 1));
            one + other
        }
        let mut threads = Threads::new(Some(4)).expect("four threads");
        for _ in 0..3000 {
            assert_eq!(threads.run(|| parts(5)), 32);
        }
    }

    #[test]
    fn a_panic_ends_the_vigil_too() {
        let mut threads = Threads::new(Some(2)).expect("two threads");
        let work = std::panic::AssertUnwindSafe(|| threads.run(|| panic!("in the search")));
        assert!(std::panic::catch_unwind(work).is_err());
        assert_eq!(threads.0.broadcast(|thread| thread.index()), [0, 1]);
    }
}
