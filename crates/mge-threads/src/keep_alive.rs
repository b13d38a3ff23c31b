//! A thread pool whose idle threads stay awake while work runs.

use crate::{SPIN_TIMEOUT, StartError};
use rayon::Yield;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long an idle thread sleeps between two looks for work, once it has spun in vain.
const IDLE_SLEEP: Duration = Duration::from_micros(100);

/// Maximum number of threads that stay awake, besides the one that runs the work. Spinning costs
/// processor time, and parts this short keep few threads busy.
const MAX_SPINNING: usize = 3;

/// A pool of its own, so that a fit does not depend on the caller's pool, nor disturb it.
#[derive(Debug)]
pub struct Threads(rayon::ThreadPool);

impl Threads {
    /// Starts `count` threads, or one for each processor.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn new(count: Option<usize>) -> Result<Self, StartError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count.unwrap_or(0)).build();
        pool.map(Self)
    }

    /// The number of threads.
    pub fn count(&self) -> usize {
        self.0.current_num_threads()
    }

    /// Runs `work` on the pool. Until it ends, a few idle threads stay awake.
    ///
    /// It takes `&mut self`, so only one call runs at a time: two that started together would wait for
    /// each other's keep-alive tasks.
    pub fn run<T: Send>(&mut self, work: impl FnOnce() -> T + Send) -> T {
        self.0.install(|| {
            let keep_alive = KeepAlive::default();
            let (state, own) =
                (Arc::clone(&keep_alive.0), rayon::current_thread_index().unwrap_or(0));
            let spinning = MAX_SPINNING.min(rayon::current_num_threads() - 1);
            rayon::spawn_broadcast(move |thread| {
                let others = rayon::current_num_threads();
                let distance = (thread.index() + others - own) % others;
                if (1..=spinning).contains(&distance) {
                    state.started.fetch_add(1, Ordering::Relaxed);
                    wait_for_work(&state.is_over);
                }
            });
            // All keep-alive tasks must have started before the work does. Otherwise a thread that waits
            // for a part of the work could pick one up. It would stay in the task until the work
            // ends, and the work would wait for that thread.
            while keep_alive.0.started.load(Ordering::Relaxed) < spinning {
                std::thread::yield_now();
            }
            work()
        })
    }
}

/// Ends the keep-alive tasks of all threads when it is dropped, also by a panic.
#[derive(Default)]
struct KeepAlive(Arc<KeepAliveState>);

#[derive(Default)]
struct KeepAliveState {
    /// Tasks that have started.
    started: AtomicUsize,
    is_over: AtomicBool,
}

impl Drop for KeepAlive {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Relaxed);
    }
}

/// The keep-alive task of a thread: runs the pool's other tasks until the work is over.
fn wait_for_work(is_over: &AtomicBool) {
    let mut idle_since = Instant::now();
    while !is_over.load(Ordering::Relaxed) {
        if rayon::yield_now() == Some(Yield::Executed) {
            idle_since = Instant::now();
        } else if idle_since.elapsed() < SPIN_TIMEOUT {
            // Yield, so that other threads can use the processor.
            std::thread::yield_now();
        } else {
            std::thread::sleep(IDLE_SLEEP);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::sync::{Barrier, Mutex};

    #[test]
    fn all_threads_work_and_keep_alive_ends() {
        let mut threads = Threads::new(Some(3)).expect("three threads");
        for _ in 0..20 {
            let seen = Mutex::new(std::collections::BTreeSet::new());
            let all = Barrier::new(3);
            let look = |_| {
                seen.lock().expect("no panic").extend(rayon::current_thread_index());
                // A thread with an item waits until each of the others has one.
                all.wait();
            };
            threads.run(|| (0..3).into_par_iter().with_max_len(1).for_each(look));
            assert_eq!(seen.into_inner().expect("no panic").len(), 3);
        }
        // A thread that is still kept alive would never answer.
        assert_eq!(threads.0.broadcast(|thread| thread.index()), [0, 1, 2]);
    }

    /// A keep-alive task that starts inside of the work would never end. With four threads, that took
    /// a few hundred rounds to happen.
    #[test]
    fn nested_work_never_waits_for_keep_alive() {
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
    fn a_panic_ends_keep_alive() {
        let mut threads = Threads::new(Some(2)).expect("two threads");
        let work = std::panic::AssertUnwindSafe(|| threads.run(|| panic!("in the search")));
        assert!(std::panic::catch_unwind(work).is_err());
        assert_eq!(threads.0.broadcast(|thread| thread.index()), [0, 1]);
    }
}
