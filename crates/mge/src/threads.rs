//! The threads of a search.

use crate::FitError;
use rayon::Yield;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// For how long a thread without work looks for more before it naps. The pauses between the
/// parallel parts of a generation are shorter, and to wake a thread takes as long as some of them.
const PATIENCE: Duration = Duration::from_micros(500);
const NAP: Duration = Duration::from_micros(100);

/// Threads of its own, so that a fit neither disturbs nor depends on the caller's.
pub(crate) struct Threads(rayon::ThreadPool);

impl Threads {
    /// So many threads; one for each processor if no number is given.
    pub(crate) fn new(count: Option<usize>) -> Result<Self, FitError> {
        let threads = count.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Self(pool.map_err(|source| FitError::Threads { threads, source })?))
    }

    pub(crate) fn count(&self) -> usize {
        self.0.current_num_threads()
    }

    /// Does some work on them. Until it is over, those that have none stay awake.
    pub(crate) fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.0.install(|| {
            let vigil = Vigil::default();
            let (over, own) = (Arc::clone(&vigil.over), rayon::current_thread_index());
            rayon::spawn_broadcast(move |thread| {
                if Some(thread.index()) != own {
                    look_for_work(&over);
                }
            });
            work()
        })
    }
}

/// Ends the vigil of all threads when it is dropped, by a panic too.
#[derive(Default)]
struct Vigil {
    over: Arc<AtomicBool>,
}

impl Drop for Vigil {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
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
    use std::sync::Mutex;

    #[test]
    fn all_threads_work_and_the_vigil_ends() {
        let threads = Threads::new(Some(3)).expect("three threads");
        for _ in 0..20 {
            let seen = Mutex::new(std::collections::BTreeSet::new());
            let look = |_| {
                // Long enough that a nap ends meanwhile.
                std::thread::sleep(Duration::from_millis(2));
                seen.lock().expect("no panic").extend(rayon::current_thread_index());
            };
            threads.run(|| (0..9).into_par_iter().with_max_len(1).for_each(look));
            assert_eq!(seen.into_inner().expect("no panic").len(), 3);
        }
        // A thread that still looked for work would never answer.
        assert_eq!(threads.0.broadcast(|thread| thread.index()), [0, 1, 2]);
    }

    #[test]
    fn a_panic_ends_the_vigil_too() {
        let threads = Threads::new(Some(2)).expect("two threads");
        let work = std::panic::AssertUnwindSafe(|| threads.run(|| panic!("in the search")));
        assert!(std::panic::catch_unwind(work).is_err());
        assert_eq!(threads.0.broadcast(|thread| thread.index()), [0, 1]);
    }
}
